/** Unloading passengers at a base, into a ship and into a lounge. Source: crafting.md 9. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { idOf } from '../../../core/entity.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { reputationOf } from '../../../systems/account/model.ts'
import { removeFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { factionOf } from '../../../systems/faction/model.ts'
import { Faction } from '../../../systems/faction/state.ts'
import { escrowCredits, nameOf } from '../../../systems/passenger/fare-model.ts'
import { guestsOf, passengersOf, waitingAt } from '../../../systems/passenger/list-model.ts'
import { Lounge, Passenger } from '../../../systems/passenger/state.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { shared as addRoom } from '../facility/scene.ts'
import { type Docks, fly, hull, parked, idOf as shipIdOf } from '../fitting/scene.ts'
import { heard } from '../fleet/scene.ts'
import {
  creditsOf,
  does,
  escrowed,
  hurry,
  isGone,
  LINER,
  load,
  poolOf,
  SUITES,
  setDeadline,
  type Terminal,
  takeOff,
  terminal,
  terminals,
  wait,
} from './scene.ts'

onSmallMap()

const SOLARIAN = 0

let s: Terminal
let shared: Docks
let founded = 0
beforeAll(async () => {
  shared = await terminals()
})
beforeEach(() => {
  s = terminal(shared)
})

const unload = (params: object, player = s.captain) => does(s, player, 'unload_passenger', params)
const refuses = (params: object, code: string) =>
  s.refuses(s.captain, 'unload_passenger', params, code)
const idOfRow = (row: Row): string => idOf(s.world, Passenger, row)
const aboard = (ship: Eid = hull(s.world, s.captain)): Row[] => passengersOf(s.world, ship)

/** Founds a faction of the captain and a new pilot; returns that pilot. */
function foundWithMate(): Eid {
  const other = s.pilot(LINER, [SUITES])
  const faction = foundFaction(s.world, s.captain, `Liners ${++founded}`, `L${founded}`)
  addMember(s.world, other, faction)
  return other
}

/** Builds a lounge of the captain's faction here. */
function buildLounge(type = 'transit_lounge'): Row {
  if (factionOf(s.world, s.captain) === 0) foundWithMate()
  return addRoom({ small: s.small, base: s.base } as never, type, factionOf(s.world, s.captain))
}

describe('unload_passenger here', () => {
  it('puts a passenger off early without a fare, for a point of standing', () => {
    const [row] = wait(s, 0, 2)
    load(s)
    const before = [creditsOf(s, s.captain), reputationOf(s.world, s.captain, SOLARIAN)]
    const name = nameOf(s.world, row)
    expect(unload({ name: idOfRow(row) })).toEqual({
      kind: 'single',
      name,
      delivered: false,
      fare_collected: 0,
      message: expect.stringContaining(name),
    })
    const after = [creditsOf(s, s.captain), reputationOf(s.world, s.captain, SOLARIAN)]
    expect(after).toEqual([before[0], before[1] - 1])
    expect(aboard()).toHaveLength(1)
    const [left] = aboard()
    expect(escrowed(s, s.base)).toBe(escrowCredits(s.world.read(Passenger).fare[left]))
  })

  it('accepts a name in any case and spacing', () => {
    const [row] = wait(s, 0)
    load(s)
    unload({ name: ` ${nameOf(s.world, row).toUpperCase()} ` })
    expect(isGone(s, row)).toBe(true)
  })

  it('pays the fare at the destination if others docked the ship', () => {
    const [row] = wait(s, 2)
    load(s)
    dockShip(s.world, hull(s.world, s.captain), s.there.base)
    const fare = s.world.read(Passenger).fare[row]
    expect(unload({ name: idOfRow(row) })).toMatchObject({
      delivered: true,
      base_fare: fare,
      speed_bonus: expect.any(Number),
    })
    expect(creditsOf(s, s.captain)).toBeGreaterThanOrEqual(fare)
  })

  it('lets all passengers off for at most five points of standing', () => {
    wait(s, 0, 8)
    load(s)
    const pool = poolOf(s, s.base) + escrowed(s, s.base)
    const result = unload({ name: 'ALL' }) as never as { stranded: object[] }
    expect(result).toMatchObject({
      kind: 'all',
      delivered: [],
      fare_collected: 0,
      reputation_changes: { solarian: -5 },
    })
    expect(result.stranded).toHaveLength(8)
    expect(poolOf(s, s.base)).toBeGreaterThanOrEqual(pool)
    refuses({ name: 'all' }, 'no_passengers')
  })

  it('is refused for passengers who are not aboard', () => {
    const [row] = wait(s, 0, 2)
    refuses({ name: idOfRow(row) }, 'passenger_not_found')
    refuses({ name: '__proto__' }, 'passenger_not_found')
    load(s)
    refuses({ name: 'Nobody At All' }, 'passenger_not_found')
  })
})

describe('unload_passenger into a ship', () => {
  it('keeps fare, escrow and deadline', () => {
    wait(s, 2)
    wait(s, 0, 2)
    load(s)
    const other = foundWithMate()
    const [before, rows] = [escrowed(s, s.base), aboard()]
    const { deadline } = s.world.read(Passenger)
    const times = rows.map((row) => deadline[row])
    const target = shipIdOf(s.world, hull(s.world, other))
    expect(unload({ name: 'all', target })).toMatchObject({
      kind: 'transfer',
      count: 3,
      target_ship: target,
      target_ship_name: 'Vesper',
      transferred: [{ class: 'first' }, { class: 'economy' }, { class: 'economy' }],
    })
    expect(aboard()).toEqual([])
    expect(aboard(hull(s.world, other))).toEqual(rows)
    expect(rows.map((row) => deadline[row])).toEqual(times)
    expect(escrowed(s, s.base)).toBe(before)
  })

  it('accepts a parked ship and skips passengers without a berth or time', () => {
    wait(s, 2, 4)
    const [late] = wait(s, 0, 2)
    load(s)
    setDeadline(s, late, -1)
    const target = shipIdOf(s.world, parked(s.world, s.captain, LINER))
    expect(unload({ name: 'all', target })).toMatchObject({
      count: 2,
      skipped_expired: 1,
      skipped_no_berth: 2,
    })
    const [left] = aboard().filter((row) => row !== late)
    refuses({ name: idOfRow(left), target }, 'no_berths')
    refuses({ name: idOfRow(late), target }, 'passenger_expired')
  })

  it('is refused for unknown ships, ships elsewhere or of strangers, and the same ship', () => {
    const [row] = wait(s, 0)
    load(s)
    const name = idOfRow(row)
    const stranger = s.pilot(LINER)
    const target = (ship: Eid) => ({ name, target: shipIdOf(s.world, ship) })
    refuses(target(hull(s.world, stranger)), 'ship_not_found')
    refuses(target(hull(s.world, s.captain)), 'ship_not_found')
    refuses(target(parked(s.world, s.captain, LINER, [], s.there.base)), 'ship_not_found')
    refuses({ name, target: 'constructor' }, 'ship_not_found')
    const other = foundWithMate()
    takeOff(s, other)
    refuses(target(hull(s.world, other)), 'ship_not_found')
  })
})

describe('unload_passenger into a lounge', () => {
  it('extends deadlines once, and any member may take the guests on', () => {
    const other = foundWithMate()
    const room = buildLounge('transit_hall')
    const [row] = wait(s, 1)
    load(s)
    const { deadline, fare } = s.world.read(Passenger)
    const [time, agreed, escrow] = [deadline[row], fare[row], escrowed(s, s.base)]
    expect(unload({ name: 'all', target: 'lounge' })).toMatchObject({
      kind: 'lounge_checkin',
      lounge: 'Transit Hall',
      capacity: 60,
      occupancy: 1,
      count: 1,
      deadline_bonus_ticks: 180,
      checked_in: [{ connecting: true, base_fare: agreed }],
    })
    expect(deadline[row]).toBe(time + 180)
    const look = s.small.ask(other, 'list_station_passengers')
    expect(look).toMatchObject({
      result: { count: 0, transit_lounge: { lounge: 'Transit Hall', occupancy: 1 } },
    })
    expect(load(s, other)).toMatchObject({ count: 1, total_fare: agreed })
    expect(escrowed(s, s.base)).toBe(escrow)
    unload({ name: 'all', target: facilityId(s.world, room) }, other)
    expect(deadline[row]).toBe(time + 180)
    expect(guestsOf(s.world, room)).toEqual([row])
  })

  it('skips passengers who are late or find no seat', () => {
    const room = buildLounge()
    const [late] = wait(s, 0, 2)
    const [first] = wait(s, 2)
    load(s)
    setDeadline(s, late, -1)
    fillLounge(room, 1)
    expect(unload({ name: 'all', target: 'Transit Lounge' })).toMatchObject({
      count: 1,
      checked_in: [{ class: 'first' }],
      occupancy: 20,
      skipped_expired: 1,
      skipped_full: 1,
    })
    expect(guestsOf(s.world, room)).toContain(first)
    const [left] = aboard().filter((row) => row !== late)
    refuses({ name: idOfRow(left), target: 'lounge' }, 'lounge_full')
    refuses({ name: idOfRow(late), target: 'lounge' }, 'passenger_expired')
  })

  it('is refused without a lounge', () => {
    const [row] = wait(s, 0)
    load(s)
    refuses({ name: idOfRow(row), target: 'lounge' }, 'no_lounge')
    foundWithMate()
    refuses({ name: idOfRow(row), target: 'lounge' }, 'no_lounge')
  })
})

describe('a guest of a lounge', () => {
  it('causes a warning before the deadline, then waits at the terminal', () => {
    const other = foundWithMate()
    const room = buildLounge()
    const [row] = wait(s, 0)
    load(s)
    unload({ name: 'all', target: 'lounge' })
    const { state, from } = s.world.read(Passenger)
    hurry(s, row, 2, 1)
    s.small.takeEmissions()
    s.small.ticks(1)
    expect(heard(s.small, other, 'faction_event')).toMatchObject([
      { event: 'lounge_warning', base_id: expect.any(String) },
    ])
    expect(s.world.read(Lounge).warnedTick[room]).toBe(s.world.tick)
    s.small.ticks(1)
    expect(guestsOf(s.world, room)).toEqual([row])
    s.small.ticks(1)
    expect(guestsOf(s.world, room)).toEqual([])
    expect(escrowed(s, s.base)).toBe(0)
    expect([state[row], from[row]]).toEqual([0, s.base])
    expect(waitingAt(s.world, s.base)).toContain(row)
    const boarded = load(s) as never as { loaded: { citizen_id: string }[] }
    expect(boarded.loaded.map(({ citizen_id }) => citizen_id)).toContain(idOfRow(row))
  })

  it('returns to the terminal when the lounge is removed', () => {
    const room = buildLounge()
    const rows = wait(s, 0, 3)
    load(s)
    unload({ name: 'all', target: 'lounge' })
    s.refuses(
      s.world.read(Faction).leader[factionOf(s.world, s.captain)],
      'facility',
      { action: 'faction_dismantle', facility_id: facilityId(s.world, room) },
      'bucket_not_empty',
    )
    removeFacility(s.world, room)
    expect(waitingAt(s.world, s.base)).toEqual(rows)
    expect(escrowed(s, s.base)).toBe(0)
    s.small.ticks(1)
  })
})

/** The seats of a lounge of the first level. */
const LOUNGE_SEATS = 20

/** Fills a lounge with guests of the captain until this many seats are left. */
function fillLounge(room: Row, left: number): void {
  const ship = hull(s.world, s.captain)
  const big = parked(s.world, s.captain, 'belle_of_the_drift')
  const people = LOUNGE_SEATS - left - s.world.read(Lounge).count[room]
  fly(s.world, s.captain, big)
  wait(s, 0, people)
  load(s)
  unload({ name: 'all', target: 'lounge' })
  fly(s.world, s.captain, ship)
}
