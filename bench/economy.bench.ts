/**
 * A world with trade and crafting: how long its exchanges and workshops take in a tick, and a query
 * of its fullest exchange.
 */
import { assert } from '../core/assert.ts'
import { itemIndex } from '../core/catalog/index.ts'
import { moveItems, namedContainer } from '../core/goods.ts'
import { stateHash } from '../core/hash.ts'
import { namedAccount, post } from '../core/ledger.ts'
import { drawBelow, hash32, hashText } from '../core/rng.ts'
import type { Phase } from '../core/system.ts'
import type { Eid, World } from '../core/types.ts'
import { walletOf } from '../systems/account/model.ts'
import { openLocker } from '../systems/cargo/model.ts'
import { Locker } from '../systems/cargo/state.ts'
import { Job } from '../systems/craft/state.ts'
import { booksAt } from '../systems/market/book-model.ts'
import { viewMarket } from '../systems/market/queries.ts'
import { Order } from '../systems/market/state.ts'
import { dockedBase } from '../systems/travel/location-model.ts'
import { type BenchDef, medianOf, type Size } from './bench.ts'
import { type BenchWorld, benchWorld } from './worlds.ts'

/** Players, each with a locker; some have jobs queued in workshops, some order in each tick. */
const CROWD = {
  tiny: { players: 200, crafters: 60, queued: 2, ordering: 40 },
  full: { players: 20_000, crafters: 2_500, queued: 4, ordering: 1_000 },
}
const TICKS = { tiny: 4, full: 60 }
const VIEWS = { tiny: 20, full: 2_000 }
const MAX_ENTITIES = { tiny: 60_000, full: 400_000 }
const ORDERS_EACH = 5
const CREDITS = 1_000_000
const UNITS = 5_000
/** Enough for all the ticks: a smelter's run takes a quarter of a tick. */
const INGOTS = 600
const ITEMS = [
  'iron_ore',
  'copper_ore',
  'silicate_ore',
  'titanium_ore',
  'water_ice',
  'steel_plate',
  'circuit_board',
  'copper_wire',
  'repair_kit',
  'fuel_cell',
  'rations',
  'gold_ore',
]
const KIND = hashText('bench.economy')
/** The phases in which orders are taken and matched, jobs advance, and both are settled. */
const PHASES: readonly Phase[] = ['act', 'produce', 'settle']

const draw = (bound: number, ...key: number[]): number => drawBelow(bound, hash32(1, KIND, ...key))

function furnish(world: World, player: Eid): void {
  post(world, namedAccount('starting_grant'), walletOf(world, player), CREDITS)
  const locker = openLocker(world, player, dockedBase(world, player))
  for (const id of ITEMS) moveItems(world, namedContainer('supply'), locker, itemIndex(id), UNITS)
}

/** Returns an order too far from the price to be filled: low bids, asks of thousands of credits. */
function restingOrder(number: number, i: number): object {
  const isBid = number % 2 === 0
  return {
    item_id: ITEMS[(number + i) % ITEMS.length],
    quantity: 1 + draw(20, number, i, 1),
    price_each: isBid ? 1 + draw(3, number, i, 2) : 2_000 + draw(500, number, i, 2),
  }
}

function fillBooks(bench: BenchWorld): void {
  for (const side of ['buy', 'sell']) {
    const isBid = side === 'buy'
    const players = bench.players.filter((number) => (number % 2 === 0) === isBid)
    bench.tick(players, `create_${side}_order`, (number) => ({
      orders: Array.from({ length: ORDERS_EACH }, (_, i) => restingOrder(number, i)),
    }))
  }
}

function fillShops(bench: BenchWorld, crafters: number, queued: number): void {
  for (let i = 0; i < queued; i++) {
    bench.tick(bench.players.slice(0, crafters), 'craft', () => ({
      recipe_id: 'smelt_iron',
      quantity: INGOTS + i,
      preset: 'workshop',
    }))
  }
}

/** Returns an order near the price: the station or other players fill some, the rest wait. */
function tradeParams(world: World, number: number): object {
  const { tick } = world
  return {
    item_id: ITEMS[draw(ITEMS.length, number, tick, 3)],
    quantity: 1 + draw(10, number, tick, 4),
    price_each: 2 + draw(120, number, tick, 5),
  }
}

interface Clock {
  times: number[]
  since: number
  spent: number
}

async function runTicks(bench: BenchWorld, clock: Clock, size: Size): Promise<void> {
  const { ordering } = CROWD[size]
  const { world } = bench.engine
  for (let i = 0; i < TICKS[size]; i++) {
    const from = (i * ordering) % (bench.players.length - ordering)
    const acting = bench.players.slice(from, from + ordering)
    clock.spent = 0
    clock.since = performance.now()
    bench.tick(acting, i % 2 === 0 ? 'create_buy_order' : 'create_sell_order', (number) =>
      tradeParams(world, number),
    )
    clock.times.push(clock.spent)
    await bench.engine.section.settled()
  }
}

/** Measures `view_market` for the first player; the capitals share the orders about equally. */
function timeViews(world: World, size: Size, params: object): number[] {
  const player = 1
  assert(booksAt(world, dockedBase(world, player)).length > 0, 'nothing is traded here')
  const times: number[] = []
  for (let i = 0; i < VIEWS[size]; i++) {
    const since = performance.now()
    const seen = viewMarket.run(world, player, params as never)
    times.push(performance.now() - since)
    assert(seen.ok, 'the exchange cannot be seen')
  }
  return times
}

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]

export const bench: BenchDef = {
  name: 'economy',
  about:
    'Full size: 20,000 players with a locker each and 100,000 open orders at the five capitals, 10,000 jobs ' +
    'of which 2,500 are running, 1,000 limit orders per tick near the price: phases act, produce and ' +
    'settle on one thread; then view_market at the fullest exchange.',
  rounds: 3,
  variants: ['all'],
  lines: [
    { of: 'market and craft phases', unit: 'ms', atMost: 60 },
    { of: 'market and craft phases, p90', unit: 'ms' },
    { of: 'view_market, all, p99', unit: 'ms', atMost: 5 },
    { of: 'view_market, one item, p99', unit: 'ms', atMost: 5 },
  ],
  async run(size) {
    const { players, crafters, queued } = CROWD[size]
    const clock: Clock = { times: [], since: 0, spent: 0 }
    const bench = await benchWorld({
      players,
      maxEntities: MAX_ENTITIES[size],
      phaseOver(phase) {
        const now = performance.now()
        if (PHASES.includes(phase)) clock.spent += now - clock.since
        clock.since = now
      },
    })
    const { world } = bench.engine
    for (let player = 1; player <= players; player++) furnish(world, player)
    fillBooks(bench)
    fillShops(bench, crafters, queued)
    const facts = {
      orders: world.countOf(Order),
      jobs: world.countOf(Job),
      lockers: world.countOf(Locker),
    }
    await runTicks(bench, clock, size)
    const all = timeViews(world, size, {})
    const one = timeViews(world, size, { item_id: ITEMS[0] })
    const hash = stateHash(world)
    await bench.close()
    const sorted = [...clock.times].sort((a, b) => a - b)
    return {
      medianMs: {
        'market and craft phases': medianOf(clock.times),
        'market and craft phases, p90': sorted[Math.floor(sorted.length * 0.9)],
      },
      amounts: {
        'view_market, all, p99': { value: p99(all), unit: 'ms' },
        'view_market, one item, p99': { value: p99(one), unit: 'ms' },
      },
      facts,
      hash,
    }
  },
}
