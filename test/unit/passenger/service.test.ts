/** Meals and evenings aboard. Source: crafting.md section 9, onboard. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { eveningPrice, mealPrice, tastesOf } from '../../../systems/passenger/fare-model.ts'
import { Passenger } from '../../../systems/passenger/state.ts'
import { serveShips } from '../../../systems/passenger/systems.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
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

onSmallMap()

/** The ticks between two services of a ship. */
const PERIOD = 30

let s: Terminal
let shared: Docks
beforeAll(async () => {
  shared = await terminals()
})
beforeEach(() => {
  s = terminal(shared, ['bistro_galley', 'tea_saloon'])
})

/** The dining and leisure points of a ship with both modules. */
const DINING = 75
const LEISURE = 35

const unitsAboard = (item: string): number => aboard(s.world, hull(s.world, s.captain), item)
const stock = (item: string, units: number): void =>
  give(s.world, hull(s.world, s.captain), item, units)

/** Returns the ticks until the ship serves its passengers. */
function ticksToTurn(): number {
  const seq = s.world.read(Ship).seq[hull(s.world, s.captain)]
  return PERIOD - ((s.world.tick + seq) % PERIOD)
}

/** Skips to the next service of the ship and runs it; returns the credits it earns. */
function serveOnce(): number {
  const before = creditsOf(s, s.captain)
  const { tick } = s.world
  s.world.tick += ticksToTurn()
  serveShips(s.world)
  s.world.tick = tick
  return creditsOf(s, s.captain) - before
}

/** Boards new passengers and takes off with them. */
function takeOffWith(classIndex = 0, people = 1): Row[] {
  const rows = wait(s, classIndex, people)
  load(s)
  takeOff(s, s.captain)
  return rows
}

describe('onboard service', () => {
  it('sells each passenger a meal and a drink and uses them up', () => {
    stock('spiced_stew', 5)
    stock('hull_brew', 5)
    const rows = takeOffWith(1, 2)
    const due = rows.map((row) => {
      const { dining, leisure } = tastesOf(s.world, row)
      return mealPrice(DINING, dining, 1) + eveningPrice(LEISURE, leisure, 1)
    })
    const pool = poolOf(s, s.base)
    expect(serveOnce()).toBe(due[0] + due[1])
    expect(poolOf(s, s.base)).toBeLessThanOrEqual(pool)
    expect([unitsAboard('spiced_stew'), unitsAboard('hull_brew')]).toEqual([3, 3])
    expect(rows.map((row) => s.world.read(Passenger).spent[row])).toEqual(due)
  })

  it('serves a drink in place of a meal and charges nothing without goods', () => {
    stock('void_tea', 1)
    const [row] = takeOffWith()
    expect(serveOnce()).toBe(mealPrice(DINING, tastesOf(s.world, row).dining, 0))
    expect(unitsAboard('void_tea')).toBe(0)
    expect(serveOnce()).toBe(0)
  })

  it('comes every thirty ticks in space until the deadline of a passenger', () => {
    stock('void_tea', 20)
    const [row] = wait(s, 0)
    load(s)
    expect(serveOnce()).toBe(0)
    takeOff(s, s.captain)
    const before = creditsOf(s, s.captain)
    s.small.ticks(ticksToTurn() - 1)
    expect(creditsOf(s, s.captain)).toBe(before)
    s.small.ticks(1)
    expect(creditsOf(s, s.captain)).toBeGreaterThan(before)
    s.small.ticks(1)
    expect(unitsAboard('void_tea')).toBe(18)
    setDeadline(s, row, 0)
    expect(serveOnce()).toBe(0)
    expect(unitsAboard('void_tea')).toBe(18)
  })

  it('ends when the passenger has spent the fare or the citizens have no credits', () => {
    stock('void_tea', 100)
    const [row] = takeOffWith()
    const { fare, spent } = s.world.read(Passenger)
    for (let i = 0; i < 12; i++) serveOnce()
    expect(spent[row]).toBe(fare[row])
    const left = unitsAboard('void_tea')
    expect(serveOnce()).toBe(0)
    expect(unitsAboard('void_tea')).toBe(left)
    s = terminal(shared, ['bistro_galley'])
    stock('void_tea', 5)
    takeOffWith()
    leavePool(s, s.base, 3)
    expect(serveOnce()).toBe(3)
    expect(unitsAboard('void_tea')).toBe(4)
    expect(serveOnce()).toBe(0)
  })

  it('is paid into the fee sink where the wallet of the owner is full', () => {
    stock('void_tea', 1)
    const [row] = takeOffWith()
    const wallet = walletOf(s.world, s.captain)
    const room = Number.MAX_SAFE_INTEGER - creditsOf(s, s.captain)
    post(s.world, namedAccount('correction'), wallet, room)
    const sink = balanceOf(s.world, namedAccount('fee_sink'))
    const pool = poolOf(s, s.base)
    expect(serveOnce()).toBe(0)
    const spent = s.world.read(Passenger).spent[row]
    expect(spent).toBeGreaterThan(0)
    expect(poolOf(s, s.base)).toBe(pool - spent)
    expect(balanceOf(s.world, namedAccount('fee_sink'))).toBe(sink + spent)
    post(s.world, wallet, namedAccount('correction'), room)
  })

  it('requires a galley', () => {
    s = terminal(shared, [])
    stock('void_tea', 5)
    takeOffWith()
    expect(serveOnce()).toBe(0)
    expect(unitsAboard('void_tea')).toBe(5)
  })
})
