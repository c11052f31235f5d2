/** Cycles of the passenger market: fares, travellers, income. Source: crafting.md section 9. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Account, balanceOf, namedAccount } from '../../../core/ledger.ts'
import { CYCLE_TICKS } from '../../../core/time.ts'
import { POPULATION } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import { Grid } from '../../../systems/facility/state.ts'
import { bioOf, nameOf, tastesOf } from '../../../systems/passenger/fare-model.ts'
import { removePassenger, waitingAt } from '../../../systems/passenger/list-model.ts'
import { updateMarket, updateMarkets } from '../../../systems/passenger/market-rules.ts'
import { destinationsOf, isInhabited } from '../../../systems/passenger/model.ts'
import {
  DESTINATION_JUMPS_MAX,
  DESTINATIONS_MAX,
  PASSENGERS_OF_BASE_MAX,
  PASSENGERS_WAITING_MAX,
  Passenger,
  Terminal as Travellers,
} from '../../../systems/passenger/state.ts'
import { routeBetween } from '../../../systems/travel/model.ts'
import { Poi } from '../../../systems/travel/state.ts'
import type { Docks } from '../fitting/scene.ts'
import { hurry, leavePool, poolOf, type Terminal, terminal, terminals, wait } from './scene.ts'

let s: Terminal
let shared: Docks
beforeAll(async () => {
  shared = await terminals()
})
beforeEach(() => {
  s = terminal(shared)
  const { surge, trips } = s.world.write(Travellers)
  surge[s.base] = 0
  trips[s.base] = 0
})

const waiting = (): number => waitingAt(s.world, s.base).length

/** Runs cycles of the base without the ticks between them. */
function runCycles(count: number): void {
  for (let i = 0; i < count; i++) {
    s.world.tick += CYCLE_TICKS
    updateMarket(s.world, s.base)
  }
}

describe('a new world', () => {
  it('has citizens with money at every base but those of pirates', async () => {
    const { world } = await terminals()
    const { alive, pirateRepRequired } = world.read(Base)
    const { waiting: queued } = world.read(Travellers)
    let people = 0
    for (let base = 1; base <= world.highOf(Base); base++) {
      if (alive[base] === 0) continue
      people += queued[base]
      const isOpen = pirateRepRequired[base] === 0 && isInhabited(world, base)
      expect(poolOf({ world } as never, base)).toBe(isOpen ? 50_000 : 0)
      if (!isOpen) expect(queued[base]).toBe(0)
    }
    expect(people).toBeGreaterThan(20)
    expect(balanceOf(world, namedAccount('citizens'))).toBeLessThan(0)
  })
})

describe('destinations', () => {
  it('are the nearest inhabited bases by lanes, each of them once', () => {
    const places = destinationsOf(s.world, s.base)
    const { poi } = s.world.read(Base)
    const { system } = s.world.read(Poi)
    expect(places.length).toBeGreaterThan(5)
    expect(places.length).toBeLessThanOrEqual(DESTINATIONS_MAX)
    expect(new Set(places.map(({ base }) => base)).size).toBe(places.length)
    expect(places.map(({ jumps }) => jumps)).toEqual(
      places.map(({ jumps }) => jumps).sort((a, b) => a - b),
    )
    for (const { base, jumps } of places) {
      const route = routeBetween(s.world, system[poi[s.base]], system[poi[base]])
      expect(route).toHaveLength(jumps + 1)
      expect(jumps).toBeLessThanOrEqual(DESTINATION_JUMPS_MAX)
      expect(isInhabited(s.world, base)).toBe(true)
      expect(base).not.toBe(s.base)
    }
  })
})

describe('a cycle', () => {
  it('skips a base whose citizens can have no account', () => {
    const { world, base } = s
    const { pool } = world.write(Grid)
    const [roomIn, account] = [world.roomIn, pool[base]]
    pool[base] = 0
    world.roomIn = (table) => (table === Account ? 1 : roomIn.call(world, table))
    updateMarket(world, base)
    expect([pool[base], waiting()]).toEqual([0, 0])
    Object.assign(world, { roomIn })
    pool[base] = account
  })

  it('comes to each base once in a hundred ticks', () => {
    const { surge } = s.world.write(Travellers)
    let changes = 0
    for (let i = 0; i < 100; i++) {
      const before = surge[s.base]
      s.world.tick++
      updateMarkets(s.world)
      if (surge[s.base] !== before) changes++
    }
    expect(changes).toBe(1)
  })

  it('raises fares up to double and lowers travel where many wait', () => {
    wait(s, 0, 200)
    const { surge, trips } = s.world.read(Travellers)
    runCycles(1)
    expect([surge[s.base], trips[s.base]]).toEqual([10, -10])
    runCycles(20)
    expect([surge[s.base], trips[s.base]]).toEqual([100, -50])
  })

  it('lowers fares and raises travel where nobody waits', () => {
    leavePool(s, s.base, 0)
    const { surge, trips } = s.world.read(Travellers)
    runCycles(15)
    expect([surge[s.base], trips[s.base]]).toEqual([-40, 100])
    expect(waiting()).toBe(0)
  })

  it('adds travellers only where citizens have money', () => {
    leavePool(s, s.base, 20_000)
    runCycles(3)
    expect(waiting()).toBe(0)
    leavePool(s, s.base, 100_000)
    s.world.records(POPULATION).set('active', 500)
    runCycles(9)
    s.world.records(POPULATION).delete('active')
    expect(waiting()).toBeGreaterThan(0)
  })

  it('pays citizens an income until they reach their full wealth', () => {
    const { level } = s.world.read(Base)
    const wealth = 55_000 + 15_000 * level[s.base]
    leavePool(s, s.base, 1_000)
    runCycles(1)
    const first = 1_000 + Math.floor((120 * level[s.base]) / 4)
    expect(poolOf(s, s.base)).toBe(first)
    s.world.records(POPULATION).set('active', 100)
    runCycles(1)
    expect(poolOf(s, s.base)).toBe(first + 120 * level[s.base])
    s.world.records(POPULATION).delete('active')
    leavePool(s, s.base, wealth - 7)
    runCycles(1)
    expect(poolOf(s, s.base)).toBe(wealth)
    runCycles(1)
    expect(poolOf(s, s.base)).toBe(wealth)
  })

  it('lets those who have waited longest give up', () => {
    leavePool(s, s.base, 0)
    const rows = wait(s, 0, 150)
    runCycles(1)
    expect(waiting()).toBe(138)
    expect(waitingAt(s.world, s.base)[0]).toBe(rows[12])
  })

  it('limits waiting passengers by the level of the base and the active players', () => {
    const { level } = s.world.read(Base)
    runCycles(60)
    expect(waiting()).toBeLessThanOrEqual(2 + 2 * level[s.base])
    s.world.records(POPULATION).set('active', 1_000)
    let waitingMax = 0
    for (let i = 0; i < 60; i++) {
      runCycles(1)
      waitingMax = Math.max(waitingMax, waiting())
    }
    s.world.records(POPULATION).delete('active')
    expect(waitingMax).toBeGreaterThan(2 + 2 * level[s.base])
    expect(waitingMax).toBeLessThanOrEqual(2 + 20 * level[s.base])
  })

  it('adds first-class passengers in households of eight', () => {
    const { to, sinceTick, class: classIndex } = s.world.read(Passenger)
    s.world.records(POPULATION).set('active', 1_000)
    let households = 0
    for (let i = 0; i < 60; i++) {
      for (const row of waitingAt(s.world, s.base)) removePassenger(s.world, row)
      leavePool(s, s.base, 100_000)
      runCycles(1)
      const rows = waitingAt(s.world, s.base).filter((row) => sinceTick[row] === s.world.tick)
      const first = rows.filter((row) => classIndex[row] === 2)
      for (let index = 0; index < first.length; index += 8) {
        const household = first.slice(index, index + 8)
        expect(household).toHaveLength(8)
        expect(new Set(household.map((row) => to[row])).size).toBe(1)
        households++
      }
    }
    s.world.records(POPULATION).delete('active')
    expect(households).toBeGreaterThan(0)
  })

  it('adds no travellers to a full terminal', () => {
    wait(s, 0, PASSENGERS_WAITING_MAX)
    runCycles(2)
    expect(waiting()).toBeLessThanOrEqual(PASSENGERS_WAITING_MAX)
    const { abroad } = s.world.write(Travellers)
    const before = abroad[s.base]
    for (const row of waitingAt(s.world, s.base)) removePassenger(s.world, row)
    const held = abroad[s.base]
    abroad[s.base] = PASSENGERS_OF_BASE_MAX
    runCycles(3)
    expect(waiting()).toBe(0)
    abroad[s.base] = held
    expect(before).toBeGreaterThan(held)
  })
})

describe('passengers', () => {
  it('have lasting names, biographies and tastes of their own', () => {
    const rows = wait(s, 2, 40)
    const names = rows.map((row) => nameOf(s.world, row))
    expect(new Set(names).size).toBeGreaterThan(35)
    expect(rows.map((row) => nameOf(s.world, row))).toEqual(names)
    expect(new Set(rows.map((row) => bioOf(s.world, row))).size).toBeGreaterThan(10)
    for (const row of rows) {
      const { dining, leisure } = tastesOf(s.world, row)
      for (const taste of [dining, leisure]) {
        expect(taste).toBeGreaterThanOrEqual(50)
        expect(taste).toBeLessThanOrEqual(150)
      }
    }
  })

  it('are the same after a restart', async () => {
    const ships = wait(s, 0, 3)
    expect(s.act(s.captain, 'load_passenger', destination()).ok).toBe(true)
    wait(s, 1, 4)
    hurry(s, ships[0], 1)
    s.small.ticks(1)
    const restored = await s.small.reload()
    expect(restored.hash()).toBe(s.small.hash())
    expect(waitingAt(restored.world, s.base)).toEqual(waitingAt(s.world, s.base))
    for (const small of [s.small, restored]) small.ticks(1)
    expect(restored.hash()).toBe(s.small.hash())
    expect(restored.world.read(Passenger).alive[ships[0]]).toBe(0)
  })
})

const destination = () => ({
  destination: s.world.texts.get(s.world.read(Base).id[s.there.base]),
})
