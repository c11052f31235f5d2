/** Meals and evenings aboard. Source: crafting.md section 9, onboard. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Row } from '../../../core/types.ts'
import { eveningPrice, mealPrice, tastesOf } from '../../../systems/passenger/fare-model.ts'
import { Passenger } from '../../../systems/passenger/state.ts'
import { serveShips } from '../../../systems/passenger/systems.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { aboard, type Docks, give, hull } from '../fitting/scene.ts'
import {
  creditsOf,
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

const PERIOD = 30

let s: Terminal
let shared: Docks
beforeAll(async () => {
  shared = await terminals()
})
beforeEach(() => {
  s = terminal(shared, ['bistro_galley', 'tea_saloon'])
})

const DINING = 75
const LEISURE = 35

const hold = (item: string): number => aboard(s.world, hull(s.world, s.captain), item)
const stock = (item: string, units: number): void =>
  give(s.world, hull(s.world, s.captain), item, units)

/** Returns the ticks until the ship serves its passengers. */
function ticksToTurn(): number {
  const seq = s.world.read(Ship).seq[hull(s.world, s.captain)]
  return PERIOD - ((s.world.tick + seq) % PERIOD)
}

/** Returns what the ship earns when its turn comes; skips the ticks between. */
function round(): number {
  const before = creditsOf(s, s.captain)
  const { tick } = s.world
  s.world.tick += ticksToTurn()
  serveShips(s.world)
  s.world.tick = tick
  return creditsOf(s, s.captain) - before
}

function fly(classIndex = 0, people = 1): Row[] {
  const rows = wait(s, classIndex, people)
  load(s)
  takeOff(s, s.captain)
  return rows
}

describe('onboard service', () => {
  it('sells a dish and a glass to each, and puts them down as consumed', () => {
    stock('spiced_stew', 5)
    stock('hull_brew', 5)
    const rows = fly(1, 2)
    const due = rows.map((row) => {
      const { dining, leisure } = tastesOf(s.world, row)
      return mealPrice(DINING, dining, 1) + eveningPrice(LEISURE, leisure, 1)
    })
    const pool = poolOf(s, s.base)
    expect(round()).toBe(due[0] + due[1])
    expect(poolOf(s, s.base)).toBeLessThanOrEqual(pool)
    expect([hold('spiced_stew'), hold('hull_brew')]).toEqual([3, 3])
    expect(rows.map((row) => s.world.read(Passenger).spent[row])).toEqual(due)
  })

  it('pours drinks where there is nothing better, and asks nothing for nothing', () => {
    stock('void_tea', 1)
    const [row] = fly()
    expect(round()).toBe(mealPrice(DINING, tastesOf(s.world, row).dining, 0))
    expect(hold('void_tea')).toBe(0)
    expect(round()).toBe(0)
  })

  it('is for people in space, in time, every thirty ticks', () => {
    stock('void_tea', 20)
    const [row] = wait(s, 0)
    load(s)
    expect(round()).toBe(0)
    takeOff(s, s.captain)
    const before = creditsOf(s, s.captain)
    s.small.ticks(ticksToTurn() - 1)
    expect(creditsOf(s, s.captain)).toBe(before)
    s.small.ticks(1)
    expect(creditsOf(s, s.captain)).toBeGreaterThan(before)
    s.small.ticks(1)
    expect(hold('void_tea')).toBe(18)
    setDeadline(s, row, 0)
    expect(round()).toBe(0)
    expect(hold('void_tea')).toBe(18)
  })

  it('ends when the fare is spent, or what the people at home have', () => {
    stock('void_tea', 100)
    const [row] = fly()
    const { fare, spent } = s.world.read(Passenger)
    for (let i = 0; i < 12; i++) round()
    expect(spent[row]).toBe(fare[row])
    const left = hold('void_tea')
    expect(round()).toBe(0)
    expect(hold('void_tea')).toBe(left)
    s = terminal(shared, ['bistro_galley'])
    stock('void_tea', 5)
    fly()
    leavePool(s, s.base, 3)
    expect(round()).toBe(3)
    expect(hold('void_tea')).toBe(4)
    expect(round()).toBe(0)
  })

  it('is nothing without a galley', () => {
    s = terminal(shared, [])
    stock('void_tea', 5)
    fly()
    expect(round()).toBe(0)
    expect(hold('void_tea')).toBe(5)
  })
})
