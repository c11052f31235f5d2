/**
 * What traded in the last hours and days of a book: units and their worth, for the average price by
 * volume. Source: market.md section 7, VWAP.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { PRICE_ROWS_PER_HOUR_MAX } from '../../core/limits.ts'
import { divFloor, MAX_SAFE } from '../../core/math.ts'
import { DAY_TICKS, HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId } from '../base/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { bookOf } from './book.ts'
import { Book, TRADED_DAYS, TRADED_HOURS, TradedDays } from './columns.ts'

/** A dearer trade tells nothing of the price. */
const NOTIONAL_MAX = 1_000_000_000_000

/** A ring of sums: entry `n` stands at `n` modulo its width until it is written again. */
interface Ring {
  /** Number of the entry written last, by row. */
  readonly last: { readonly [row: number]: number }
  readonly units: { readonly [at: number]: number }
  readonly credits: { readonly [at: number]: number }
  /** Number of trades, at most FILLS_COUNTED_MAX. */
  readonly fills: { readonly [at: number]: number }
  readonly width: number
}

/** What a column of counts holds. */
const FILLS_COUNTED_MAX = 0xffff

const hoursOf = (view: WorldView): Ring => {
  const { hour, hourUnits: units, hourCredits: credits, hourFills: fills } = view.read(Book)
  return { last: hour, units, credits, fills, width: TRADED_HOURS }
}

const daysOf = (view: WorldView): Ring => {
  const { day, dayUnits: units, dayCredits: credits, dayFills: fills } = view.read(TradedDays)
  return { last: day, units, credits, fills, width: TRADED_DAYS }
}

type Written<R> = { [K in keyof R]: R[K] extends number ? number : { [at: number]: number } }

/** Adds a trade to the entry `now`. Sums stop at 2^53-1. */
function addTo(ring: Written<Ring>, row: Row, now: number, units: number, credits: number): void {
  const { last, width } = ring
  const first = row * width
  // Entries without a trade are empty, however many there were.
  for (let gone = Math.max(last[row] + 1, now - width + 1); gone <= now; gone++) {
    ring.units[first + (gone % width)] = 0
    ring.credits[first + (gone % width)] = 0
    ring.fills[first + (gone % width)] = 0
  }
  last[row] = now
  const at = first + (now % width)
  ring.units[at] = Math.min(MAX_SAFE, ring.units[at] + units)
  ring.credits[at] = Math.min(MAX_SAFE, ring.credits[at] + credits)
  ring.fills[at] = Math.min(FILLS_COUNTED_MAX, ring.fills[at] + 1)
}

/** The days of a book, made with its first trade; 0 when there is no room for more of them. */
function daysFor(world: World, book: Row): Row {
  const { days } = world.write(Book)
  if (days[book] === 0 && !isNearlyFull(world, TradedDays)) {
    days[book] = world.take(TradedDays)
    world.write(TradedDays).book[days[book]] = book
  }
  return days[book]
}

/** Counts a trade between two owners who have nothing to do with each other. */
export function noteTrade(world: World, book: Row, units: number, credits: number): void {
  if (credits > NOTIONAL_MAX) return
  const { hour, hourUnits, hourCredits, hourFills } = world.write(Book)
  const inHour = { units: hourUnits, credits: hourCredits, fills: hourFills }
  const hours = { last: hour, ...inHour, width: TRADED_HOURS }
  addTo(hours, book, divFloor(world.tick, HOUR_TICKS), units, credits)
  const row = daysFor(world, book)
  if (row === 0) return
  const { day, dayUnits, dayCredits, dayFills } = world.write(TradedDays)
  const inDay = { units: dayUnits, credits: dayCredits, fills: dayFills }
  const days = { last: day, ...inDay, width: TRADED_DAYS }
  addTo(days, row, divFloor(world.tick, DAY_TICKS), units, credits)
}

/** What traded in a time. */
export interface Traded {
  readonly units: number
  readonly credits: number
  /** Number of trades. */
  readonly fills: number
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

/** A time back from now, the running hour or day among it: up to 24 hours, or up to 30 days. */
export type Span = { readonly hours: number } | { readonly days: number }

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
export interface HourPrices {
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
