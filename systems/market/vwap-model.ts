/**
 * What traded in the last hours and days of a book: units and their worth, for the average price
 * by volume. Source: market.md section 7, VWAP.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { PRICE_ROWS_PER_HOUR_MAX } from '../../core/limits.ts'
import { clamp, divCeil, divFloor, MAX_SAFE } from '../../core/math.ts'
import { DAY_TICKS, HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { bookOf } from './book-model.ts'
import type { Span, Traded } from './schemas.ts'
import {
  BID,
  Book,
  MANAGED_AT,
  QUOTE_LEVELS,
  type Side,
  TRADED_DAYS,
  TRADED_HOURS,
  TradedDays,
} from './state.ts'

/** Least target stock of a managed item, units. */
export const TARGET_MIN = 20
/** Half the spread, percent of the middle price. */
const SPREAD_PCT = 12
const CAPITAL_SPREAD_PCT = 8
/**
 * Shares of the units a level holds past the best one, and prices of the levels, percent of the
 * best.
 */
const DEEPER_SHARE_PCT = [30, 20] as const
const BID_PRICE_PCT = [100, 95, 90] as const
const ASK_PRICE_PCT = [100, 105, 110] as const

interface QuoteInput {
  /** Stock S, target T ≥ 20, units. */
  readonly stock: number
  readonly target: number
  /** Base value V ≥ 1, credits. */
  readonly value: number
  readonly capital: boolean
  /** Credits the bids may hold. */
  readonly budget: number
}

export interface Quote {
  readonly mid: number
  readonly bid: number
  readonly ask: number
  readonly bidUnits: number
  readonly askUnits: number
}

/** Middle price, best prices and units a side. Source: market.md section 7. */
export function quoteOf(input: QuoteInput): Quote {
  const { stock, target, value, budget } = input
  assert(target >= TARGET_MIN && value >= 1 && stock >= 0, 'a quote needs a target and a value')
  const fill = Math.min(400, divFloor(100 * stock, target))
  const curve = divFloor(value * (16_000 - 60 * fill), 10_000)
  const mid = Math.max(1, clamp(curve, divFloor(4 * value, 10), divFloor(25 * value, 10)))
  const half = input.capital ? CAPITAL_SPREAD_PCT : SPREAD_PCT
  const bid = Math.max(1, divFloor(mid * (100 - half), 100))
  const ask = Math.max(bid + 1, divCeil(mid * (100 + half), 100))
  const step = Math.max(1, divFloor(target, 20))
  const bidUnits = Math.min(Math.max(0, 2 * target - stock), step, divFloor(budget, bid))
  const askUnits = Math.min(Math.max(0, stock - divFloor(target, 5)), step)
  return { mid, bid, ask, bidUnits, askUnits }
}

export interface QuoteLevel {
  readonly price: number
  readonly units: number
}

/**
 * The levels of one side from the best; fewer where prices or units leave none. Source: market.md
 * section 7.
 */
export function levelsOf(side: Side, best: number, units: number): QuoteLevel[] {
  const deeper = DEEPER_SHARE_PCT.map((pct) => divFloor(units * pct, 100))
  const shares = [units - deeper[0] - deeper[1], ...deeper]
  const levels: { price: number; units: number }[] = []
  for (let i = 0; i < QUOTE_LEVELS; i++) {
    const price =
      side === BID
        ? Math.max(1, divFloor(best * BID_PRICE_PCT[i], 100))
        : divCeil(best * ASK_PRICE_PCT[i], 100)
    const last = levels.at(-1)
    if (last && last.price === price) last.units += shares[i]
    else if (shares[i] > 0) levels.push({ price, units: shares[i] })
  }
  return levels
}

/** Items a base's manager stocks, ascending by item. */
export const managedAt: (view: WorldView, base: Eid) => Row[] = MANAGED_AT.rows

/** A ring of sums: entry `n` stands at `n` modulo its width until it is written again. */
export interface Ring {
  /** Number of the entry written last, by row. */
  readonly last: { readonly [row: number]: number }
  readonly units: { readonly [at: number]: number }
  readonly credits: { readonly [at: number]: number }
  /** Number of trades, at most FILLS_COUNTED_MAX. */
  readonly fills: { readonly [at: number]: number }
  readonly width: number
}

const hoursOf = (view: WorldView): Ring => {
  const { hour, hourUnits: units, hourCredits: credits, hourFills: fills } = view.read(Book)
  return { last: hour, units, credits, fills, width: TRADED_HOURS }
}

const daysOf = (view: WorldView): Ring => {
  const { day, dayUnits: units, dayCredits: credits, dayFills: fills } = view.read(TradedDays)
  return { last: day, units, credits, fills, width: TRADED_DAYS }
}

const NOTHING: Traded = { units: 0, credits: 0, fills: 0 }

/** Sums of the entries from `from` to `to` before `now`. */
function sumOf(ring: Ring, row: Row, now: number, from: number, to: number): Traded {
  const { last, width } = ring
  let units = 0
  let credits = 0
  let fills = 0
  for (let ago = from; ago <= Math.min(to, width - 1); ago++) {
    const past = now - ago
    if (past < 0 || past > last[row] || past <= last[row] - width) continue
    const at = row * width + (past % width)
    units = Math.min(MAX_SAFE, units + ring.units[at])
    credits = Math.min(MAX_SAFE, credits + ring.credits[at])
    fills += ring.fills[at]
  }
  return { units, credits, fills }
}

/** Credits a unit, rounded down; 0 without a trade. */
const averageOf = ({ units, credits }: Traded): number =>
  units === 0 ? 0 : divFloor(credits, units)

/** Average price by volume of the hours from `from` to `to` before now; 0 without a trade. */
export const hourlyVwap = (view: WorldView, book: Row, from: number, to: number): number =>
  averageOf(sumOf(hoursOf(view), book, divFloor(view.tick, HOUR_TICKS), from, to))

/**
 * What traded of an item at a base in a time. Trades of related parties and beyond 10^12 credits do
 * not count. Source: market.md section 7.
 */
export function tradedIn(view: WorldView, base: Eid, item: number, span: Span): Traded {
  const book = bookOf(view, base, item)
  if (book === 0) return NOTHING
  if ('hours' in span) {
    return sumOf(hoursOf(view), book, divFloor(view.tick, HOUR_TICKS), 0, span.hours - 1)
  }
  const row = view.read(Book).days[book]
  if (row === 0) return NOTHING
  return sumOf(daysOf(view), row, divFloor(view.tick, DAY_TICKS), 0, span.days - 1)
}

/** Average price by volume of an item at a base, credits a unit, rounded down; 0: no trade. */
export const vwapOf = (view: WorldView, base: Eid, item: number, span: Span): number =>
  averageOf(tradedIn(view, base, item, span))

/** What an hour of trade came to, in columns: one entry a book. */
interface HourPrices {
  /** First tick of the hour. */
  readonly tick: number
  readonly bases: string[]
  readonly items: string[]
  readonly units: number[]
  readonly credits: number[]
}

/**
 * The books that traded in the running hour. Of more than PRICE_ROWS_PER_HOUR_MAX those with the
 * larger trade. O(books).
 */
export function hourPrices(view: WorldView): HourPrices {
  const { alive, base, item, hour, hourUnits, hourCredits } = view.read(Book)
  const now = divFloor(view.tick, HOUR_TICKS)
  const at = (row: Row): number => row * TRADED_HOURS + (now % TRADED_HOURS)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Book); row++) {
    if (alive[row] === 1 && hour[row] === now && hourUnits[at(row)] > 0) rows.push(row)
  }
  if (rows.length > PRICE_ROWS_PER_HOUR_MAX) {
    rows.sort((a, b) => hourCredits[at(b)] - hourCredits[at(a)] || a - b)
    rows.length = PRICE_ROWS_PER_HOUR_MAX
  }
  return {
    tick: now * HOUR_TICKS,
    bases: rows.map((row) => baseId(view, base[row])),
    items: rows.map((row) => GOODS[item[row]].id),
    units: rows.map((row) => hourUnits[at(row)]),
    credits: rows.map((row) => hourCredits[at(row)]),
  }
}
