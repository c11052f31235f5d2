/**
 * Exchanges as they were seen: what a look shows, and the rows that keep it for whoever holds it.
 * Looks at one base within a few minutes are one; what a faction was told of prices is its own.
 * Source: market.md section 8.
 */
import { rowsOf, type TableDef } from '../../core/columns.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { bestLevel, booksAt } from './book-model.ts'
import type { Seen, SeenExchange } from './schemas.ts'
import {
  ASK,
  BID,
  Book,
  INTEL_LOOKS_FILL_PCT,
  LastSight,
  Level,
  type Side,
  Sight,
  SightQuote,
} from './state.ts'

/** Ticks that share a look. Source: ours: a crowd at one base costs one look in five minutes. */
const LOOK_TICKS = 30

/** Best price of a side, units at it and on all levels; 0 for none. */
export function offersOf(view: WorldView, book: Row, side: Side) {
  const { price, worse, units, stationUnits } = view.read(Level)
  const best = bestLevel(view, book, side)
  let sum = 0
  for (let level = best; level !== 0; level = worse[level])
    sum += units[level] + stationUnits[level]
  const atBest = best === 0 ? 0 : units[best] + stationUnits[best]
  return { price: best === 0 ? 0 : price[best], bestUnits: atBest, units: sum }
}

/** An exchange as it is now: items with anything on offer, in the order of the catalogue. */
export function seenNow(view: WorldView, base: Eid): SeenExchange {
  const items = booksAt(view, base).flatMap((book): Seen[] => {
    const ask = offersOf(view, book, ASK)
    const bid = offersOf(view, book, BID)
    if (ask.units + bid.units === 0) return []
    return [
      {
        item: view.read(Book).item[book],
        price: [ask.price, bid.price],
        bestUnits: [ask.bestUnits, bid.bestUnits],
        units: [ask.units, bid.units],
      },
    ]
  })
  return { base, tick: view.tick, items }
}

/** What a look kept, in the order of the catalogue. */
export function itemsOf(view: WorldView, sight: Row): Seen[] {
  const { next, item, price, bestUnits, units } = view.read(SightQuote)
  const items: Seen[] = []
  for (let row = view.read(Sight).firstQuote[sight]; row !== 0; row = next[row]) {
    const pair = (column: { readonly [at: number]: number }): [number, number] => [
      column[row * 2 + ASK],
      column[row * 2 + BID],
    ]
    items.push({
      item: item[row],
      price: pair(price),
      bestUnits: pair(bestUnits),
      units: pair(units),
    })
  }
  return items
}

/** Looks of one number are one. */
export const lookOf = (tick: number): number => divFloor(tick, LOOK_TICKS)

/** The look that those who look now share; 0 if nobody has yet. */
export function sharedSight(view: WorldView, base: Eid): Row {
  const sight = view.read(LastSight).sight[base]
  return sight !== 0 && lookOf(view.read(Sight).tick[sight]) === lookOf(view.tick) ? sight : 0
}

/** Keeps what was seen in a row of its own; nobody holds it yet. */
export function keepSeen(world: World, { base, tick, items }: SeenExchange): Row {
  const row = world.take(Sight)
  const sight = world.write(Sight)
  const quote = world.write(SightQuote)
  sight.base[row] = base
  sight.tick[row] = tick
  let last = 0
  for (const { item, price, bestUnits, units } of items) {
    const next = world.take(SightQuote)
    quote.item[next] = item
    quote.price.set(price, next * 2)
    quote.bestUnits.set(bestUnits, next * 2)
    quote.units.set(units, next * 2)
    if (last === 0) sight.firstQuote[row] = next
    else quote.next[last] = next
    last = next
  }
  return row
}

/** The look at a base that all who look now share; whoever asks holds it at once. */
export function lookNow(world: World, base: Eid): Row {
  const shared = sharedSight(world, base)
  if (shared !== 0) return shared
  const row = keepSeen(world, seenNow(world, base))
  world.write(LastSight).sight[base] = row
  return row
}

/**
 * True while so many quotes may go into looks that factions keep: the rest of the rows is for
 * what players see for themselves.
 */
export function mayKeep(view: WorldView, quotes: number, looks = 1): boolean {
  const isFree = (table: TableDef, need: number): boolean => {
    const spared = divFloor(rowsOf(table, view.maxEntities) * (100 - INTEL_LOOKS_FILL_PCT), 100)
    return view.roomIn(table) - need >= spared
  }
  return isFree(Sight, looks) && isFree(SightQuote, quotes)
}

/** A look that nobody holds any more is gone. */
export function dropIfUnheld(world: World, row: Row): void {
  const sight = world.read(Sight)
  if (sight.holders[row] + sight.keepers[row] > 0) return
  const { next } = world.read(SightQuote)
  for (let quote = sight.firstQuote[row]; quote !== 0; ) {
    const following = next[quote]
    world.release(SightQuote, quote)
    quote = following
  }
  const { sight: newest } = world.write(LastSight)
  if (newest[sight.base[row]] === row) newest[sight.base[row]] = 0
  world.release(Sight, row)
}

/** A faction begins or ceases to keep a look. */
export function countKeeper(world: World, row: Row, by: 1 | -1): void {
  world.write(Sight).keepers[row] += by
  if (by < 0) dropIfUnheld(world, row)
}
