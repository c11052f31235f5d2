/** The tape: the public record of the trades of each tick, as the archive receives it. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import { FILL_ROWS_PER_TICK_MAX } from '../../../core/limits.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { categoryOf } from '../../../systems/market/model.ts'
import { managedAt } from '../../../systems/market/quote-model.ts'
import { BID, Book, Managed } from '../../../systems/market/state.ts'
import { recordOnTape, takeTape } from '../../../systems/market/tape-rules.ts'
import { hourPrices } from '../../../systems/market/vwap-model.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { bid, freshScene, result, type Scene, sell } from './scene.ts'

onSmallMap()

let scene: Scene

beforeEach(async () => {
  scene = await freshScene()
})

type Tape = ReturnType<typeof takeTape>

/** Returns the rows of the item that the archive got, one object each. */
function rowsOf(item_id: string) {
  const written = scene.small.store.archive.rows.get('recordFills') ?? []
  return written.flatMap(({ args }) => {
    const tape = args as Tape
    return tape.items.flatMap((item, i) =>
      item !== item_id
        ? []
        : [
            {
              base: tape.bases[i],
              bought: tape.bought[i],
              byStation: tape.byStation[i],
              fromStation: tape.fromStation[i],
              units: tape.units[i],
              credits: tape.credits[i],
              trades: tape.trades[i],
            },
          ],
    )
  })
}

function record(book: number, price: number, units = 1, isSoldByStation = false): void {
  recordOnTape(
    scene.small.world,
    { book, side: BID, units, credits: units * price, isBoughtByStation: false, isSoldByStation },
    price,
  )
}

describe('a trade', () => {
  test('is recorded as bought or sold in one row per price, without its parties', () => {
    const { small, player, other, item_id } = scene
    sell(scene, other, 5, 80)
    sell(scene, other, 5, 90)
    expect(rowsOf(item_id)).toEqual([])
    result(scene, player, 'buy', { item_id, quantity: 7 })
    bid(scene, other, 3, 50)
    result(scene, player, 'sell', { item_id, quantity: 3 })
    const common = { base: baseId(small.world, scene.base), byStation: false, fromStation: false }
    expect(rowsOf(item_id)).toEqual([
      { ...common, bought: true, units: 5, credits: 400, trades: 1 },
      { ...common, bought: true, units: 2, credits: 180, trades: 1 },
      { ...common, bought: false, units: 3, credits: 150, trades: 1 },
    ])
    small.ticks(2)
    expect(rowsOf(item_id)).toHaveLength(3)
  })

  test('with the station is marked as such', () => {
    const { small, player, base } = scene
    const { world } = small
    const { book, stock } = world.read(Managed)
    const row = managedAt(world, base).find((candidate) => stock[candidate] > 10) as number
    const item_id = GOODS[world.read(Book).item[book[row]]].id
    result(scene, player, 'buy', { item_id, quantity: 1, deliver_to: 'storage' })
    expect(rowsOf(item_id)[0]).toMatchObject({
      bought: true,
      byStation: false,
      fromStation: true,
      units: 1,
    })
  })

  test('of related parties is not recorded', () => {
    const { small, player, other, item_id } = scene
    const faction = foundFaction(small.world, player, 'Two Friends', 'TWOF')
    addMember(small.world, other, faction)
    sell(scene, other, 5, 80)
    result(scene, player, 'buy', { item_id, quantity: 5 })
    expect(rowsOf(item_id)).toEqual([])
  })

  test('at a hidden place is not recorded', () => {
    const { small, player, other, base, item_id } = scene
    const { poi } = small.world.read(Base)
    small.world.write(Poi).hidden[poi[base]] = 1
    sell(scene, other, 5, 80)
    result(scene, player, 'buy', { item_id, quantity: 5 })
    expect(rowsOf(item_id)).toEqual([])
    small.world.write(Poi).hidden[poi[base]] = 0
  })

  test('in contraband is not recorded, and its hour is not charted', () => {
    const { small, player, other, base, item, item_id } = scene
    sell(scene, other, 5, 80)
    const banned = GOODS.findIndex((_, index) => categoryOf(index) === 'contraband')
    const books = small.world.write(Book)
    const book = bookOf(small.world, base, item)
    books.item[book] = banned
    record(book, 80)
    expect(takeTape(small.world).items).toEqual([])
    books.item[book] = item
    record(book, 80)
    expect(takeTape(small.world).items).toEqual([item_id])
    result(scene, player, 'buy', { item_id, quantity: 5 })
    const isCharted = (good: number): boolean => {
      books.item[book] = good
      const { items, charted } = hourPrices(small.world)
      return charted[items.indexOf(GOODS[good].id)]
    }
    expect([isCharted(banned), isCharted(item)]).toEqual([false, true])
  })
})

describe('a tick', () => {
  let book: number

  beforeEach(() => {
    sell(scene, scene.other, 1, 80)
    book = bookOf(scene.small.world, scene.base, scene.item)
  })

  const recordHere = (price: number, units = 1, isSoldByStation = false): void =>
    record(book, price, units, isSoldByStation)

  test('sums up trades of one price and one kind of parties', () => {
    for (const isStation of [false, true, false]) recordHere(7, 2, isStation)
    const tape = takeTape(scene.small.world)
    expect(tape).toMatchObject({
      units: [4, 2],
      credits: [28, 14],
      trades: [2, 1],
      fromStation: [false, true],
    })
    expect(takeTape(scene.small.world).items).toEqual([])
  })

  test('with more rows than its bound merges them by book without losing units', () => {
    const count = FILL_ROWS_PER_TICK_MAX + 1
    for (let price = 1; price <= count; price++) recordHere(price, 1, price % 2 === 0)
    const { units, credits, trades, fromStation } = takeTape(scene.small.world)
    expect(fromStation).toEqual([false, true])
    const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0)
    expect([sum(units), sum(credits), sum(trades)]).toEqual([
      count,
      (count * (count + 1)) / 2,
      count,
    ])
  })

  test('with exactly as many rows as its bound keeps each price', () => {
    for (let price = 1; price <= FILL_ROWS_PER_TICK_MAX; price++) recordHere(price)
    expect(takeTape(scene.small.world).items).toHaveLength(FILL_ROWS_PER_TICK_MAX)
  })

  test('records no trade of more than 10^12 credits', () => {
    recordHere(1_000_000_000_001)
    expect(takeTape(scene.small.world).items).toEqual([])
  })
})
