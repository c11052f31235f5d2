/**
 * What traded in the last hours of a book: units and their worth by the hour, for the average price
 * by volume. Source: market.md section 7, VWAP.
 */
import { divFloor, MAX_SAFE } from '../../core/math.ts'
import type { Row, World, WorldView } from '../../core/world.ts'
import { Book, TRADED_HOURS } from './columns.ts'

const HOUR_TICKS = 360
/** A dearer trade tells nothing of the price. */
const NOTIONAL_MAX = 1_000_000_000_000

const hourOf = (view: WorldView): number => divFloor(view.tick, HOUR_TICKS)

/** Counts a trade between two owners. Sums stop at 2^53-1. */
export function noteTrade(world: World, book: Row, units: number, credits: number): void {
  if (credits > NOTIONAL_MAX) return
  const { hour, hourUnits, hourCredits } = world.write(Book)
  const now = hourOf(world)
  const first = book * TRADED_HOURS
  // Hours without a trade are empty, however many there were.
  for (let gone = Math.max(hour[book] + 1, now - TRADED_HOURS + 1); gone <= now; gone++) {
    hourUnits[first + (gone % TRADED_HOURS)] = 0
    hourCredits[first + (gone % TRADED_HOURS)] = 0
  }
  hour[book] = now
  const at = first + (now % TRADED_HOURS)
  hourUnits[at] = Math.min(MAX_SAFE, hourUnits[at] + units)
  hourCredits[at] = Math.min(MAX_SAFE, hourCredits[at] + credits)
}

/**
 * Average price by volume of the hours from `from` to `to` before now, rounded down; 0 without a
 * trade.
 */
export function vwapOf(view: WorldView, book: Row, from: number, to: number): number {
  const { hour, hourUnits, hourCredits } = view.read(Book)
  const now = hourOf(view)
  let units = 0
  let credits = 0
  for (let ago = from; ago <= Math.min(to, TRADED_HOURS - 1); ago++) {
    const past = now - ago
    if (past < 0 || past > hour[book] || past <= hour[book] - TRADED_HOURS) continue
    const at = book * TRADED_HOURS + (past % TRADED_HOURS)
    units = Math.min(MAX_SAFE, units + hourUnits[at])
    credits = Math.min(MAX_SAFE, credits + hourCredits[at])
  }
  return units === 0 ? 0 : divFloor(credits, units)
}
