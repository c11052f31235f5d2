/**
 * Trade volume of a book in its last hours and days, and volume-weighted average prices. Source:
 * market.md section 7, VWAP.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { PRICE_ROWS_PER_HOUR_MAX } from '../../core/limits.ts'
import { divFloor, MAX_SAFE } from '../../core/math.ts'
import { dayOfTick, HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { strangerSeesPlace } from '../sensing/model.ts'
import { bookOf } from './book-model.ts'
import { isHiddenFromFeeds } from './model.ts'
import type { TradeVolume, VolumeSpan } from './schemas.ts'
import { Book, TRADED_DAYS, TRADED_HOURS, TradedDays } from './state.ts'

/** A ring of sums by hour or day: entry `n` is stored at `n` modulo the width. */
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

const NO_VOLUME: TradeVolume = { units: 0, credits: 0, fills: 0 }

/** Sums up the entries that are `from` to `to` hours or days before `now`. */
function sumOf(ring: Ring, row: Row, now: number, from: number, to: number): TradeVolume {
  const { last, width } = ring
  let units = 0
  let credits = 0
  let fills = 0
  for (let ago = from; ago <= Math.min(to, width - 1); ago++) {
    const past = now - ago
    if (past < 0 || past > last[row] || past <= last[row] - width) continue
    const index = row * width + (past % width)
    units = Math.min(MAX_SAFE, units + ring.units[index])
    credits = Math.min(MAX_SAFE, credits + ring.credits[index])
    fills += ring.fills[index]
  }
  return { units, credits, fills }
}

/** Returns the average price, credits a unit, rounded down; 0 without trades. */
const averageOf = ({ units, credits }: TradeVolume): number =>
  units === 0 ? 0 : divFloor(credits, units)

/**
 * Returns the volume-weighted average price of the hours from `from` to `to` before now; 0 without
 * trades.
 */
export const hourlyVwap = (view: WorldView, book: Row, from: number, to: number): number =>
  averageOf(sumOf(hoursOf(view), book, divFloor(view.tick, HOUR_TICKS), from, to))

/** Returns the volume of a book in its last hours, which `volumeIn` describes. */
export const hourlyVolume = (view: WorldView, book: Row, hours: number): TradeVolume =>
  sumOf(hoursOf(view), book, divFloor(view.tick, HOUR_TICKS), 0, hours - 1)

/**
 * Returns the volume of an item at a base in a span of time. Trades of related parties and above
 * NOTIONAL_MAX do not count. Source: market.md section 7.
 */
export function volumeIn(view: WorldView, base: Eid, item: number, span: VolumeSpan): TradeVolume {
  const book = bookOf(view, base, item)
  if (book === 0) return NO_VOLUME
  if ('hours' in span) return hourlyVolume(view, book, span.hours)
  const row = view.read(Book).days[book]
  if (row === 0) return NO_VOLUME
  return sumOf(daysOf(view), row, dayOfTick(view.tick), 0, span.days - 1)
}

/**
 * Returns the volume-weighted average price of an item at a base, credits a unit; 0 without trades.
 */
export const vwapOf = (view: WorldView, base: Eid, item: number, span: VolumeSpan): number =>
  averageOf(volumeIn(view, base, item, span))

/** The trades of an hour, in columns with one entry per book. */
interface HourPrices {
  /** First tick of the hour. */
  readonly tick: number
  readonly bases: string[]
  readonly items: string[]
  readonly units: number[]
  readonly credits: number[]
  readonly fills: number[]
  readonly charted: boolean[]
}

/**
 * Returns whether strangers may know of trades in a book: its base is on the public chart, and its
 * item is shown in feeds. Source: market.md section 9.
 */
export function isTradedOnChart(view: WorldView, book: Row): boolean {
  const { base, item } = view.read(Book)
  if (isHiddenFromFeeds(view, base[book], item[book])) return false
  return strangerSeesPlace(view, view.read(Base).poi[base[book]])
}

/**
 * Returns the volume of each book in the current hour; of more than PRICE_ROWS_PER_HOUR_MAX books,
 * only those with the largest value. O(books).
 */
export function hourPrices(view: WorldView): HourPrices {
  const { alive, base, item, hour, hourUnits, hourCredits, hourFills } = view.read(Book)
  const now = divFloor(view.tick, HOUR_TICKS)
  const slotOf = (row: Row): number => row * TRADED_HOURS + (now % TRADED_HOURS)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Book); row++) {
    if (alive[row] === 1 && hour[row] === now && hourUnits[slotOf(row)] > 0) rows.push(row)
  }
  if (rows.length > PRICE_ROWS_PER_HOUR_MAX) {
    rows.sort((a, b) => hourCredits[slotOf(b)] - hourCredits[slotOf(a)] || a - b)
    rows.length = PRICE_ROWS_PER_HOUR_MAX
  }
  return {
    tick: now * HOUR_TICKS,
    bases: rows.map((row) => baseId(view, base[row])),
    items: rows.map((row) => GOODS[item[row]].id),
    units: rows.map((row) => hourUnits[slotOf(row)]),
    credits: rows.map((row) => hourCredits[slotOf(row)]),
    fills: rows.map((row) => hourFills[slotOf(row)]),
    charted: rows.map((row) => isTradedOnChart(view, row)),
  }
}
