/** Who sets out and who gives up, cycle by cycle. Source: crafting.md section 9. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Account, balanceOf, namedAccount } from '../../../core/ledger.ts'
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

/** Cycles of the base, the ticks between left out. */
function cycles(count: number): void {
  for (let i = 0; i < count; i++) {
    s.world.tick += 100
    updateMarket(s.world, s.base)
  }
}

describe('a new world', () => {
  it('has people with money at every base that is not pirates’', async () => {
    const { world } = await terminals()
    const { alive, level, pirateRepRequired } = world.read(Base)
    const { waiting: queued } = world.read(Travellers)
    let people = 0
    for (let base = 1; base <= world.highOf(Base); base++) {
      if (alive[base] === 0) continue
      people += queued[base]
      const isOpen = pirateRepRequired[base] === 0 && isInhabited(world, base)
      expect(poolOf({ world } as never, base)).toBe(isOpen ? 52_500 + level[base] * 7_500 : 0)
      if (!isOpen) expect(queued[base]).toBe(0)
    }
    expect(people).toBeGreaterThan(20)
    expect(balanceOf(world, namedAccount('citizens'))).toBeLessThan(0)
  })
})

describe('destinations', () => {
  it('are the nearest bases by lanes, none of them twice, none of pirates', () => {
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
  it('passes a base by whose citizens can have no account', () => {
    const { world, base } = s
    const { pool } = world.write(Grid)
    const [room, account] = [world.roomIn, pool[base]]
    pool[base] = 0
    world.roomIn = (table) => (table === Account ? 1 : room.call(world, table))
    updateMarket(world, base)
    expect([pool[base], waiting()]).toEqual([0, 0])
    Object.assign(world, { roomIn: room })
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

  it('raises fares where many wait, up to double, while fewer set out', () => {
    wait(s, 0, 200)
    const { surge, trips } = s.world.read(Travellers)
    cycles(1)
    expect([surge[s.base], trips[s.base]]).toEqual([10, -10])
    cycles(20)
    expect([surge[s.base], trips[s.base]]).toEqual([100, -50])
  })

  it('lowers them where nobody waits', () => {
    leavePool(s, s.base, 0)
    const { surge, trips } = s.world.read(Travellers)
    cycles(15)
    expect([surge[s.base], trips[s.base]]).toEqual([-40, 100])
    expect(waiting()).toBe(0)
  })

  it('has people set out only from where there is money', () => {
    leavePool(s, s.base, 20_000)
    cycles(3)
    expect(waiting()).toBe(0)
    leavePool(s, s.base, 100_000)
    s.world.records(POPULATION).set('active', 500)
    cycles(9)
    s.world.records(POPULATION).delete('active')
    expect(waiting()).toBeGreaterThan(0)
  })

  it('brings citizens something while they have little, and nothing when they are well off', () => {
    const { level } = s.world.read(Base)
    const wealth = 55_000 + 15_000 * level[s.base]
    leavePool(s, s.base, 1_000)
    cycles(1)
    const first = 1_000 + Math.floor((135 * level[s.base]) / 4)
    expect(poolOf(s, s.base)).toBe(first)
    s.world.records(POPULATION).set('active', 100)
    cycles(1)
    expect(poolOf(s, s.base)).toBe(first + 135 * level[s.base])
    s.world.records(POPULATION).delete('active')
    leavePool(s, s.base, wealth - 7)
    cycles(1)
    expect(poolOf(s, s.base)).toBe(wealth)
    cycles(1)
    expect(poolOf(s, s.base)).toBe(wealth)
  })

  it('has some give up, who waited longest', () => {
    leavePool(s, s.base, 0)
    const rows = wait(s, 0, 150)
    cycles(1)
    expect(waiting()).toBe(138)
    expect(waitingAt(s.world, s.base)[0]).toBe(rows[12])
  })

  it('has no more wait than its level and the players there are allow', () => {
    const { level } = s.world.read(Base)
    cycles(60)
    expect(waiting()).toBeLessThanOrEqual(2 + 2 * level[s.base])
    s.world.records(POPULATION).set('active', 1_000)
    let most = 0
    for (let i = 0; i < 60; i++) {
      cycles(1)
      most = Math.max(most, waiting())
    }
    s.world.records(POPULATION).delete('active')
    expect(most).toBeGreaterThan(2 + 2 * level[s.base])
    expect(most).toBeLessThanOrEqual(2 + 20 * level[s.base])
  })

  it('has households of eight set out first class, and everybody else alone', () => {
    const { to, sinceTick, class: classIndex } = s.world.read(Passenger)
    s.world.records(POPULATION).set('active', 1_000)
    let households = 0
    for (let i = 0; i < 60; i++) {
      for (const row of waitingAt(s.world, s.base)) removePassenger(s.world, row)
      leavePool(s, s.base, 100_000)
      cycles(1)
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

  it('keeps the terminal from overflowing', () => {
    wait(s, 0, PASSENGERS_WAITING_MAX)
    cycles(2)
    expect(waiting()).toBeLessThanOrEqual(PASSENGERS_WAITING_MAX)
    const { abroad } = s.world.write(Travellers)
    const before = abroad[s.base]
    for (const row of waitingAt(s.world, s.base)) removePassenger(s.world, row)
    const held = abroad[s.base]
    abroad[s.base] = PASSENGERS_OF_BASE_MAX
    cycles(3)
    expect(waiting()).toBe(0)
    abroad[s.base] = held
    expect(before).toBeGreaterThan(held)
  })
})

describe('people', () => {
  it('are who they are by their number, and differ', () => {
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

  it('are still there after a restart, in the same order, and travel on', async () => {
    const ships = wait(s, 0, 3)
    expect(s.act(s.captain, 'load_passenger', destination()).ok).toBe(true)
    wait(s, 1, 4)
    hurry(s, ships[0], 1)
    s.small.ticks(1)
    const other = await s.small.reload()
    expect(other.hash()).toBe(s.small.hash())
    expect(waitingAt(other.world, s.base)).toEqual(waitingAt(s.world, s.base))
    for (const small of [s.small, other]) small.ticks(1)
    expect(other.hash()).toBe(s.small.hash())
    expect(other.world.read(Passenger).alive[ships[0]]).toBe(0)
  })
})

const destination = () => ({
  destination: s.world.texts.get(s.world.read(Base).id[s.there.base]),
})
