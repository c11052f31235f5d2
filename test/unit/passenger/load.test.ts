/** Waiting passengers, and boarding. Source: crafting.md section 9. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Account } from '../../../core/ledger.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseName } from '../../../systems/base/model.ts'
import { endRide, rideWith } from '../../../systems/fleet/rules.ts'
import { escrowCredits, fareOf, guaranteedTicks } from '../../../systems/passenger/fare-model.ts'
import { passengersOf } from '../../../systems/passenger/list-model.ts'
import { berthCount, riderBerths } from '../../../systems/passenger/model.ts'
import {
  PASSENGERS_LOADED_MAX,
  Passenger,
  Terminal as Travellers,
} from '../../../systems/passenger/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Docks, fly, hull, parked } from '../fitting/scene.ts'
import {
  escrowed,
  idOfBase,
  LINER,
  leavePool,
  load,
  poolOf,
  type Terminal,
  takeOff,
  terminal,
  terminals,
  wait,
} from './scene.ts'

onSmallMap()

let s: Terminal
let shared: Docks
beforeAll(async () => {
  shared = await terminals()
})
beforeEach(() => {
  s = terminal(shared)
})

const ask = (command: string) =>
  s.small.ask(s.captain, command) as never as { ok: boolean; result: Record<string, never> }

const berthsOf = () => ask('list_passengers').result.berths as Record<string, { free: number }>

describe('list_station_passengers', () => {
  it('shows waiting passengers with their destinations and fares', () => {
    wait(s, 0)
    wait(s, 2, 1, s.elsewhere)
    const { result } = ask('list_station_passengers')
    const { world, base, there, elsewhere } = s
    expect(result).toMatchObject({
      station: baseName(world, base),
      count: 2,
      fare_surge: expect.any(Number),
      demand_level: expect.any(String),
      market_conditions: expect.stringContaining('Fares are'),
    })
    const surgePct = Math.round(Number(result.fare_surge) * 100)
    const fare = (jumps: number, classIndex: number) =>
      fareOf({ jumps, classIndex, remoteFarePct: 125, surgePct })
    expect(result.waiting).toMatchObject([
      {
        class: 'economy',
        citizenship: 'solarian',
        destination: idOfBase(world, there.base),
        destination_name: baseName(world, there.base),
        estimated_fare: fare(there.jumps, 0),
        name: expect.stringMatching(/^\S+ \S+$/),
        bio: expect.stringMatching(/\.$/),
      },
      { class: 'first', estimated_fare: fare(elsewhere.jumps, 2) },
    ])
    expect(result.transit_lounge).toBeUndefined()
  })

  it('requires a dock', () => {
    takeOff(s, s.captain)
    expect(ask('list_station_passengers')).toMatchObject({ ok: false, code: 'not_docked' })
  })
})

describe('load_passenger', () => {
  it('boards passengers for the destination and sets fares and bonuses aside', () => {
    wait(s, 0, 3)
    wait(s, 1, 1, s.elsewhere)
    const { world, base, there } = s
    const [pool, promised] = [poolOf(s, base), ask('list_station_passengers').result.waiting]
    const result = load(s)
    const fare = (promised as { estimated_fare: number }[])[0].estimated_fare
    const fares = (result.loaded as { base_fare: number }[]).map(({ base_fare }) => base_fare)
    expect(result).toMatchObject({
      count: 3,
      total_fare: fares.reduce((sum, credits) => sum + credits, 0),
      loaded: [
        { base_fare: fare, berth_class: 'economy', speed_bonus: Math.floor(fare / 2) },
        {},
        {},
      ],
      message: expect.stringContaining('3 for'),
    })
    const held = fares.reduce((sum, credits) => sum + escrowCredits(credits), 0)
    expect(escrowed(s, base)).toBe(held)
    expect(poolOf(s, base)).toBe(pool - held)
    const comfort = 10 * 3 + 35
    const [row] = passengersOf(world, hull(world, s.captain))
    const { guarantee, deadline } = world.read(Passenger)
    expect(guarantee[row]).toBe(guaranteedTicks(there.jumps, comfort))
    expect(deadline[row]).toBe(world.tick + guarantee[row])
    expect(ask('list_passengers').result).toMatchObject({
      count: 3,
      berths: {
        economy: { total: 8, free: 5 },
        business: { total: 5, free: 5 },
        first: { total: 3, free: 3 },
      },
      onboard_service: expect.stringContaining('leisure 10'),
    })
    expect(ask('list_station_passengers').result.count).toBe(1)
  })

  it('accepts the name of the base and docks automatically', () => {
    wait(s, 0)
    takeOff(s, s.captain)
    const destination = ` ${baseName(s.world, s.there.base).toUpperCase()} `
    const answer = s.small.answer(s.captain, 'load_passenger', { destination })
    expect(answer.outcome).toMatchObject({ ok: true, result: { count: 1 } })
    expect(answer).toMatchObject({ autoDocked: true })
  })

  it('lowers fares by ten points with each passenger who boards', () => {
    const { surge } = s.world.write(Travellers)
    surge[s.base] = 10
    wait(s, 0, 7)
    const result = load(s) as never as { loaded: { base_fare: number }[] }
    const fareAt = (surgePct: number) =>
      fareOf({ jumps: s.there.jumps, classIndex: 0, remoteFarePct: 125, surgePct })
    expect(result.loaded.map(({ base_fare }) => base_fare)).toEqual(
      [110, 100, 90, 80, 70, 60, 60].map(fareAt),
    )
    expect(surge[s.base]).toBe(-40)
  })

  it('seats the highest class first, each passenger in the lowest suitable berth', () => {
    wait(s, 0, 30)
    wait(s, 2, 3)
    wait(s, 1, 4)
    const result = load(s) as never as {
      loaded: { class: string; berth_class: string; base_fare: number }[]
    }
    const seats = result.loaded.map((seat) => `${seat.class} in ${seat.berth_class}`)
    const repeat = (count: number, seat: string) => Array.from({ length: count }, () => seat)
    expect(seats).toEqual([
      ...repeat(3, 'first in first'),
      ...repeat(4, 'business in business'),
      ...repeat(8, 'economy in economy'),
      ...repeat(1, 'economy in business'),
    ])
    expect(Object.values(berthsOf()).map(({ free }) => free)).toEqual([0, 0, 0])
    s.refuses(
      s.captain,
      'load_passenger',
      { destination: idOfBase(s.world, s.there.base) },
      'no_berths',
    )
  })

  it('leaves passengers behind whose citizens cannot pay', () => {
    s.world.write(Travellers).surge[s.base] = 0
    wait(s, 0, 3)
    const fare = (ask('list_station_passengers').result.waiting as { estimated_fare: number }[])[0]
      .estimated_fare
    const [first, second, third] = [0, 10, 20].map((less) =>
      escrowCredits(
        fareOf({ jumps: s.there.jumps, classIndex: 0, remoteFarePct: 125, surgePct: 100 - less }),
      ),
    )
    expect(first).toBe(escrowCredits(fare))
    leavePool(s, s.base, first + second + 1)
    expect(third).toBeGreaterThan(1)
    expect(load(s)).toMatchObject({ count: 2, skipped_unfunded: 1 })
    expect(poolOf(s, s.base)).toBe(1)
    expect(load(s)).toMatchObject({ count: 0, total_fare: 0, skipped_unfunded: 1, loaded: [] })
  })

  it('boards a bounded number at once', () => {
    const big = parked(s.world, s.captain, LARGE, CABINS)
    fly(s.world, s.captain, big)
    wait(s, 0, PASSENGERS_LOADED_MAX + 3)
    leavePool(s, s.base, 10_000_000)
    expect(load(s).count).toBe(PASSENGERS_LOADED_MAX)
  })

  it('is refused without berths or passengers, and for unknown bases', () => {
    const to = (destination: string) => ({ destination })
    const { captain, world } = s
    s.refuses(captain, 'load_passenger', to('constructor'), 'station_not_found')
    s.refuses(captain, 'load_passenger', to('__proto__'), 'station_not_found')
    s.refuses(captain, 'load_passenger', to(idOfBase(world, s.there.base)), 'no_passengers')
    s.refuses(captain, 'load_passenger', to(idOfBase(world, s.base)), 'no_passengers')
    wait(s, 0)
    fly(world, captain, parked(world, captain, 'almoner'))
    s.refuses(captain, 'load_passenger', to(idOfBase(world, s.there.base)), 'no_berths')
    wait(s, 2, 5)
    fly(world, captain, parked(world, captain, LINER))
    expect(load(s).count).toBe(2)
    s.refuses(captain, 'load_passenger', to(idOfBase(world, s.there.base)), 'no_berths')
  })

  it('shares the berths of a ship with players who ride along', () => {
    const { world, captain } = s
    const ship = hull(world, captain)
    wait(s, 0)
    expect(load(s).count).toBe(1)
    expect(riderBerths(world, ship)).toBe(berthCount(world, ship) - 1)
    const rider = s.pilot(LINER)
    const { ship: flown } = world.write(Player)
    const storedShip = flown[rider]
    flown[rider] = 0
    rideWith(world, rider, captain)
    const { economy, business } = berthsOf()
    expect([economy.free, business.free]).toEqual([6, 5])
    endRide(world, rider)
    flown[rider] = storedShip
  })

  it('is refused where the ledger has no account left for the fares of a base', () => {
    wait(s, 0)
    const { world, captain, base, there } = s
    const { escrow } = world.write(Travellers)
    const [roomIn, account] = [world.roomIn, escrow[base]]
    escrow[base] = 0
    world.roomIn = (table) => (table === Account ? 1 : roomIn.call(world, table))
    const destination = idOfBase(world, there.base)
    s.refuses(captain, 'load_passenger', { destination }, 'limit_reached')
    Object.assign(world, { roomIn })
    escrow[base] = account
    expect(load(s).count).toBe(1)
  })
})

/** A hull with many slots, and cabins for all of them. */
const LARGE = 'belle_of_the_drift'
const CABINS = Array.from({ length: 8 }, () => 'economy_cabins_ii')
