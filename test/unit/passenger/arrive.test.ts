/** Ends of journeys: pay, standing, visitors. Source: crafting.md section 9. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { facilityTypeIndex } from '../../../core/catalog/index.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import type { Row } from '../../../core/types.ts'
import { reputationOf, statOf } from '../../../systems/account/model.ts'
import { baseTreasury } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { addFacility, removeFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { OF_STATION, ONLINE } from '../../../systems/facility/state.ts'
import { changeReputation } from '../../../systems/law/rules.ts'
import {
  bonusOf,
  tastesOf,
  tierFitPct,
  tourismSpend,
} from '../../../systems/passenger/fare-model.ts'
import { passengersOf } from '../../../systems/passenger/list-model.ts'
import { Passenger } from '../../../systems/passenger/state.ts'
import { handleDue } from '../../../systems/passenger/systems.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Docks, hull } from '../fitting/scene.ts'
import { form } from '../fleet/scene.ts'
import {
  creditsOf,
  dockAt,
  does,
  escrowed,
  hurry,
  isGone,
  leavePool,
  load,
  poolOf,
  setDeadline,
  type Terminal,
  takeOff,
  terminal,
  terminals,
  wait,
} from './scene.ts'

onSmallMap()

/** The empire of the capital where the captain is docked. */
const SOLARIAN = 0

let s: Terminal
let shared: Docks
const built: Row[] = []
beforeAll(async () => {
  shared = await terminals()
})
beforeEach(() => {
  s = terminal(shared)
})
afterEach(() => {
  for (const row of built.splice(0)) removeFacility(s.world, row)
})

const standing = (): number => reputationOf(s.world, s.captain, SOLARIAN)

/** Adds houses of the station at a base. */
function addHouses(base: Row, ...types: string[]): void {
  for (const type of types) {
    const owner = { kind: OF_STATION, player: 0, faction: 0 }
    const house = { type: facilityTypeIndex(type), base, owner, status: ONLINE }
    built.push(addFacility(s.world, house))
  }
}

const treasury = (base: Row): number => balanceOf(s.world, baseTreasury(s.world, base))

describe('docking at the destination', () => {
  it('pays the fare and the earned part of the bonus', () => {
    const [row] = wait(s, 1)
    const before = [creditsOf(s, s.captain), poolOf(s, s.base)]
    const fare = Number(load(s).total_fare)
    const { guarantee } = s.world.read(Passenger)
    setDeadline(s, row, 100)
    const time = guarantee[row]
    const briefing = dockAt(s, s.captain, s.there.base)
    const bonus = bonusOf(fare, 99, time)
    expect(bonus).toBeGreaterThan(0)
    expect(briefing.passenger_arrivals).toEqual({
      delivered: [
        expect.objectContaining({ base_fare: fare, class: 'business', speed_bonus: bonus }),
      ],
      fare_collected: fare + bonus,
    })
    expect(isGone(s, row)).toBe(true)
    expect(escrowed(s, s.base)).toBe(0)
    const after = [creditsOf(s, s.captain), poolOf(s, s.base)]
    expect(after).toEqual([before[0] + fare + bonus, before[1] - fare - bonus])
    expect(statOf(s.world, s.captain, 'credits_earned')).toBe(fare + bonus)
  })

  it('reports each arrival once', () => {
    wait(s, 0)
    load(s)
    expect(dockAt(s, s.captain, s.there.base).passenger_arrivals).toBeDefined()
    expect(dockAt(s, s.captain, s.elsewhere.base).passenger_arrivals).toBeUndefined()
  })

  it('raises the standing of the captain for each first-class passenger', () => {
    wait(s, 2, 2)
    load(s)
    const before = standing()
    expect(dockAt(s, s.captain, s.there.base).passenger_arrivals).toMatchObject({
      reputation_changes: { solarian: 2 },
    })
    expect(standing()).toBe(before + 2)
  })

  it('delivers the passengers of all ships of a fleet', async () => {
    const mate = s.pilot('vesper')
    wait(s, 0)
    load(s, mate)
    for (const pilot of [s.captain, mate]) takeOff(s, pilot)
    const poi = s.world.read(Base).poi[s.there.base]
    for (const pilot of [s.captain, mate]) placeInSpace(s.world, hull(s.world, pilot), poi)
    form(s.small, s.captain, mate)
    const before = creditsOf(s, mate)
    expect(does(s, s.captain, 'dock').passenger_arrivals).toBeUndefined()
    expect(creditsOf(s, mate)).toBeGreaterThan(before)
  })
})

describe('docking elsewhere', () => {
  it('keeps passengers aboard who have time left', () => {
    const [row] = wait(s, 0)
    load(s)
    expect(dockAt(s, s.captain, s.elsewhere.base).passenger_arrivals).toBeUndefined()
    expect(passengersOf(s.world, hull(s.world, s.captain))).toEqual([row])
  })

  it('strands late passengers at the cost of at most five points of standing', () => {
    const rows = wait(s, 0, 7)
    load(s)
    changeReputation(s.world, s.captain, SOLARIAN, 20)
    for (const row of rows) setDeadline(s, row, 0)
    const [credits, pool, before] = [creditsOf(s, s.captain), poolOf(s, s.base), standing()]
    const { passenger_arrivals } = dockAt(s, s.captain, s.there.base) as never as {
      passenger_arrivals: { stranded: object[]; fare_collected: number }
    }
    expect(passenger_arrivals).toMatchObject({
      fare_collected: 0,
      reputation_changes: { solarian: -5 },
    })
    expect(passenger_arrivals.stranded).toHaveLength(7)
    expect(standing()).toBe(before - 5)
    expect(creditsOf(s, s.captain)).toBe(credits)
    expect(poolOf(s, s.base)).toBeGreaterThan(pool)
    expect(escrowed(s, s.base)).toBe(0)
  })
})

describe('visitors', () => {
  it('spend at the houses of a station, and its owner is paid', () => {
    addHouses(s.there.base, 'noodle_bar', 'opera_house')
    const [row] = wait(s, 2)
    load(s)
    const tastes = tastesOf(s.world, row)
    const points = { dining: 10 * tierFitPct(2, 1), leisure: 140 * tierFitPct(2, 4) }
    const wanted = tourismSpend(points, tastes, 2, 100)
    expect(wanted).toBeGreaterThan(1_000)
    const before = treasury(s.there.base)
    dockAt(s, s.captain, s.there.base)
    expect(treasury(s.there.base)).toBe(before + wanted)
  })

  it('spend no more than the citizens at home have', () => {
    addHouses(s.there.base, 'opera_house')
    wait(s, 2)
    load(s)
    leavePool(s, s.base, 7)
    const before = treasury(s.there.base)
    dockAt(s, s.captain, s.there.base)
    expect(treasury(s.there.base)).toBe(before + 7)
  })

  it('spend a quarter at the first two stops on the way', () => {
    addHouses(s.elsewhere.base, 'opera_house')
    const [row] = wait(s, 0)
    load(s)
    const points = { dining: 0, leisure: 140 * tierFitPct(0, 4) }
    const wanted = tourismSpend(points, tastesOf(s.world, row), 0, 25)
    const before = treasury(s.elsewhere.base)
    const after = [1, 2, 3].map(() => {
      dockAt(s, s.captain, s.elsewhere.base)
      return treasury(s.elsewhere.base) - before
    })
    expect(after).toEqual([wanted, 2 * wanted, 2 * wanted])
  })
})

describe('the deadline of a journey', () => {
  it('strands passengers of a docked ship, and a day later those in space', () => {
    const [row, other] = wait(s, 0, 2)
    load(s)
    for (const passenger of [row, other]) hurry(s, passenger, 0)
    s.small.ticks(1)
    expect([row, other].map((passenger) => isGone(s, passenger))).toEqual([true, true])
    expect(escrowed(s, s.base)).toBe(0)
    const [late] = wait(s, 0)
    load(s)
    takeOff(s, s.captain)
    hurry(s, late, 0)
    s.small.ticks(1)
    expect(isGone(s, late)).toBe(false)
    const { tick } = s.world
    s.world.tick = s.world.read(Passenger).deadline[late] + DAY_TICKS + 1
    handleDue(s.world)
    s.world.tick = tick
    expect(isGone(s, late)).toBe(true)
    expect(escrowed(s, s.base)).toBe(0)
  })
})
