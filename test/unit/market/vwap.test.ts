/** Average prices by volume, of hours and days, and the hourly records of the archive. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import { DAY_TICKS, HOUR_TICKS } from '../../../core/time.ts'
import { baseId } from '../../../systems/base/model.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { recordTrade } from '../../../systems/market/rules.ts'
import { Book, TRADED_DAYS, TradedDays } from '../../../systems/market/state.ts'
import { hourPrices, volumeIn, vwapOf } from '../../../systems/market/vwap-model.ts'
import { onSmallMap } from '../../small-world.ts'
import { freshScene, result, type Scene, sell } from './scene.ts'

onSmallMap()

let scene: Scene
let book: number

beforeEach(async () => {
  scene = await freshScene()
  const placed = sell(scene, scene.other, 1, 900_000)
  book = bookOf(scene.small.world, scene.base, scene.item)
  result(scene, scene.other, 'cancel_order', { order_id: placed.order_id })
})

const trade = (units: number, credits: number) =>
  recordTrade(scene.small.world, book, units, credits)
const mean = (span: { hours: number } | { days: number }) =>
  vwapOf(scene.small.world, scene.base, scene.item, span)

describe('the average price by volume', () => {
  test('covers the last hours or days and is rounded down', () => {
    const { world } = scene.small
    world.tick = 40 * DAY_TICKS
    trade(10, 100)
    world.tick += HOUR_TICKS
    trade(5, 80)
    expect([mean({ hours: 1 }), mean({ hours: 2 }), mean({ days: 1 })]).toEqual([16, 12, 12])
    world.tick += 3 * DAY_TICKS
    trade(5, 20)
    expect(mean({ hours: 24 })).toBe(4)
    expect([mean({ days: 1 }), mean({ days: 3 }), mean({ days: 4 })]).toEqual([4, 4, 10])
  })

  test('forgets trades after thirty days, and ignores days without a trade', () => {
    const { world } = scene.small
    world.tick = 40 * DAY_TICKS
    trade(10, 100)
    world.tick += (TRADED_DAYS - 1) * DAY_TICKS
    expect([mean({ days: 29 }), mean({ days: 30 }), mean({ days: 300 })]).toEqual([0, 10, 10])
    world.tick += DAY_TICKS
    expect(mean({ days: 30 })).toBe(0)
    trade(1, 7)
    expect(mean({ days: 30 })).toBe(7)
    world.tick += 100 * DAY_TICKS
    trade(1, 9)
    expect(mean({ days: 30 })).toBe(9)
  })

  test('comes with the number of trades it is made of', () => {
    const { world } = scene.small
    const fills = (span: { hours: number } | { days: number }) =>
      volumeIn(world, scene.base, scene.item, span).fills
    world.tick = 40 * DAY_TICKS
    for (let i = 0; i < 3; i++) trade(2, 20)
    expect([fills({ hours: 24 }), fills({ days: 7 })]).toEqual([3, 3])
    world.tick += DAY_TICKS
    trade(1, 7)
    expect([fills({ hours: 24 }), fills({ days: 7 })]).toEqual([1, 4])
  })

  test('is 0 without trades and ignores a trade of more than 10^12 credits', () => {
    trade(1, 1_000_000_000_001)
    expect([mean({ hours: 24 }), mean({ days: 30 })]).toEqual([0, 0])
    expect(vwapOf(scene.small.world, scene.base + 1, scene.item, { days: 30 })).toBe(0)
    expect(scene.small.world.read(Book).days[book]).toBe(0)
  })

  test('caps its sums at the largest exact integer', () => {
    const { world } = scene.small
    trade(Number.MAX_SAFE_INTEGER, 1)
    trade(5, 1_000)
    const row = world.read(Book).days[book]
    const newest = row * TRADED_DAYS
    expect(world.read(TradedDays).dayUnits[newest]).toBe(Number.MAX_SAFE_INTEGER)
    expect(mean({ days: 30 })).toBe(0)
  })

  test('is the same after a restore', async () => {
    scene.small.world.tick = 3 * DAY_TICKS
    trade(4, 44)
    const restored = await scene.small.reload()
    expect(restored.hash()).toBe(scene.small.hash())
    expect(vwapOf(restored.world, scene.base, scene.item, { days: 30 })).toBe(11)
  })
})

describe('an hour of trade', () => {
  const written = () => scene.small.store.archive.rows.get('recordPrices') ?? []

  test('is archived once, in its last tick, for the books that traded', () => {
    const { small, other, player, base, item } = scene
    const { world } = small
    world.tick = 2 * HOUR_TICKS - 4
    sell(scene, other, 5, 80)
    result(scene, player, 'buy', { item_id: scene.item_id, quantity: 3 })
    expect(written()).toHaveLength(0)
    small.ticks(1)
    expect(world.tick).toBe(2 * HOUR_TICKS - 1)
    expect(written()).toHaveLength(1)
    const { args } = written()[0]
    expect(args).toEqual({
      tick: HOUR_TICKS,
      bases: [baseId(world, base)],
      items: [GOODS[item].id],
      units: [3],
      credits: [240],
      fills: [1],
      charted: [true],
    })
    small.ticks(1)
    expect(hourPrices(world)).toMatchObject({ tick: 2 * HOUR_TICKS, items: [] })
    expect(written()).toHaveLength(1)
  })

  test('is not archived if nothing was traded', () => {
    scene.small.world.tick = 2 * HOUR_TICKS - 2
    scene.small.ticks(2)
    expect(written()).toHaveLength(0)
  })
})
