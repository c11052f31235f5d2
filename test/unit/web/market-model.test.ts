/** The model of the exchange page: its table, ladder, depth curve and price history. */
import { expect, test } from 'vitest'
import {
  curveOf,
  filterRows,
  itemRows,
  ladderOf,
  nextRange,
  type Quote,
  seriesOf,
  summaryOf,
} from '../../../web/market-model.ts'

const quote = (item: string, empire: string, bid: number, ask: number): Quote => ({
  item_id: item,
  item_name: item.replace('_', ' '),
  category: item.endsWith('ore') ? 'ore' : 'good',
  empire,
  base_value: 10,
  best_bid: bid,
  best_ask: ask,
  bid_quantity: bid > 0 ? 5 : 0,
  ask_quantity: ask > 0 ? 7 : 0,
  spread: 0,
  spread_pct: 0,
})

const rows = itemRows([
  quote('iron_ore', 'solarian', 8, 12),
  quote('iron_ore', 'crimson', 14, 0),
  quote('iron_ore', 'nebula', 0, 11),
  quote('silk', 'crimson', 0, 0),
  quote('tea', 'nebula', 0, 30),
])

test('a row has the highest bid and the lowest ask of all empires, each with its empire', () => {
  expect(rows[0]).toMatchObject({
    id: 'iron_ore',
    bid: 14,
    bidEmpire: 'crimson',
    ask: 11,
    askEmpire: 'nebula',
    bidQuantity: 10,
    askQuantity: 14,
    gain: 3,
  })
  expect(rows[1]).toMatchObject({ id: 'silk', bid: 0, ask: 0, gain: 0 })
  expect(rows[2]).toMatchObject({ id: 'tea', bid: 0, ask: 30, gain: 0 })
})

test('rows are filtered by text, category, empire and open orders', () => {
  const ids = (change: object) =>
    filterRows(rows, { text: '', category: '', empire: '', isOpen: false, ...change }).map(
      ({ id }) => id,
    )
  expect(ids({})).toEqual(['iron_ore', 'silk', 'tea'])
  expect(ids({ text: ' IRON' })).toEqual(['iron_ore'])
  expect(ids({ category: 'good' })).toEqual(['silk', 'tea'])
  expect(ids({ empire: 'crimson' })).toEqual(['iron_ore', 'silk'])
  expect(ids({ isOpen: true })).toEqual(['iron_ore', 'tea'])
})

const book = {
  bids: [
    { price: 9, quantity: 4, cumulative: 4 },
    { price: 8, quantity: 8, cumulative: 12 },
    { price: 1, quantity: 500, cumulative: 512 },
  ],
  asks: [
    { price: 11, quantity: 2, cumulative: 2 },
    { price: 12, quantity: 6, cumulative: 8 },
  ],
}

test('a ladder has the best prices next to its spread, and shares of the largest depth', () => {
  const ladder = ladderOf(book, 2)
  expect(ladder.asks.map(({ price }) => price)).toEqual([12, 11])
  expect(ladder.bids.map(({ price, share }) => [price, share])).toEqual([
    [9, 0.5],
    [8, 1],
  ])
  expect(ladder).toMatchObject({ spread: 2, middle: 10 })
  expect(ladderOf({ bids: [], asks: book.asks }, 2)).toMatchObject({ spread: 0, middle: 11 })
  expect(ladderOf({ bids: [], asks: [] }, 2)).toMatchObject({ bids: [], asks: [], middle: 0 })
})

test('a curve steps outwards and leaves out prices far from the middle', () => {
  const curve = curveOf(book)
  expect(curve?.bids).toEqual([
    [9, 0],
    [9, 4],
    [8, 4],
    [8, 12],
  ])
  expect(curve?.asks.at(-1)).toEqual([12, 8])
  expect(curve?.most).toBe(12)
  expect(curveOf({ bids: [], asks: [] })).toBeUndefined()
})

const day = (date: string, vwap: number) => ({
  date,
  vwap,
  volume: 10,
  notional: 10 * vwap,
  fill_count: 2,
})

test('days without a fill are gaps; a thin history is drawn as points', () => {
  const series = seriesOf([day('2026-11-01', 10), day('2026-11-04', 13)])
  expect(series.days).toHaveLength(4)
  expect(series.prices).toEqual([10, null, null, 13])
  expect(series.volumes).toEqual([10, null, null, 10])
  expect(series.isThin).toBe(true)
  const five = ['01', '02', '03', '04', '05'].map((date) => day(`2026-11-${date}`, 10))
  expect(seriesOf(five).isThin).toBe(false)
  expect(seriesOf([]).days).toEqual([])
  expect(seriesOf([day('nonsense', 3)]).days).toEqual([])
})

test('a summary has the last price, change, range and volume of a history', () => {
  const history = [day('2026-11-01', 10), day('2026-11-02', 8), day('2026-11-03', 13)]
  expect(summaryOf(history)).toEqual({
    last: 13,
    changePct: 30,
    low: 8,
    high: 13,
    volume: 30,
    fills: 6,
  })
  expect(summaryOf([])).toBeUndefined()
})

test('the ranges of the chart form a cycle', () => {
  expect([30, 90, 365, 0].map(nextRange)).toEqual([90, 365, 0, 30])
})
