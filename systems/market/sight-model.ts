/**
 * Sights: prices of exchanges as they were seen, in rows with reference counts. Players who see one
 * base within a few minutes share a sight; a report to a faction is a sight of its own. Source:
 * market.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { rowsOf, type TableDef } from '../../core/columns.ts'
import { SIGHTINGS_PER_PLAYER_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { bestLevel, bookOf, booksAt } from './book-model.ts'
import type { ExchangeSnapshot, ItemQuote } from './schemas.ts'
import {
  ASK,
  BID,
  Book,
  INTEL_SIGHTS_FILL_PCT,
  LastSight,
  Level,
  type Side,
  Sight,
  Sighting,
  Sightings,
  SightQuote,
} from './state.ts'

/** Ticks in which a sight is shared. ours: a crowd at one base costs one sight in five minutes. */
const SIGHT_TICKS = 30

/** Returns the best price of a side, the units at that price and at all prices; 0 for none. */
function offersOf(view: WorldView, book: Row, side: Side) {
  const { price, worse, units, stationUnits } = view.read(Level)
  const best = bestLevel(view, book, side)
  let sum = 0
  for (let level = best; level !== 0; level = worse[level])
    sum += units[level] + stationUnits[level]
  const atBest = best === 0 ? 0 : units[best] + stationUnits[best]
  return { price: best === 0 ? 0 : price[best], bestUnits: atBest, units: sum }
}

/** Returns the present prices of an exchange: items with orders, in the order of the catalogue. */
export function snapshotExchange(view: WorldView, base: Eid): ExchangeSnapshot {
  const items = booksAt(view, base).flatMap((book): ItemQuote[] => {
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

/** Returns the quotes of a sight, in the order of the catalogue. */
export function quotesOfSight(view: WorldView, sight: Row): ItemQuote[] {
  const { next, item, price, bestUnits, units } = view.read(SightQuote)
  const items: ItemQuote[] = []
  for (let row = view.read(Sight).firstQuote[sight]; row !== 0; row = next[row]) {
    const pair = (column: { readonly [index: number]: number }): [number, number] => [
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

/** Returns the number of the window of SIGHT_TICKS that a tick is in. */
const sightWindow = (tick: number): number => divFloor(tick, SIGHT_TICKS)

/** Returns the shared sight of a base in the present window; 0 if there is none yet. */
export function sharedSight(view: WorldView, base: Eid): Row {
  const sight = view.read(LastSight).sight[base]
  return sight !== 0 && sightWindow(view.read(Sight).tick[sight]) === sightWindow(view.tick)
    ? sight
    : 0
}

/** Stores a snapshot in a new sight that nobody holds yet; the caller must count a holder. */
export function storeSight(world: World, { base, tick, items }: ExchangeSnapshot): Row {
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

/** Returns the shared sight of a base, made if necessary; the caller must count a holder. */
export function currentSight(world: World, base: Eid): Row {
  const shared = sharedSight(world, base)
  if (shared !== 0) return shared
  const row = storeSight(world, snapshotExchange(world, base))
  world.write(LastSight).sight[base] = row
  return row
}

/**
 * Returns whether factions may keep this many more quotes and sights. They may use the rows up to
 * INTEL_SIGHTS_FILL_PCT; the rest is reserved for players.
 */
export function hasRoomForSights(view: WorldView, quotes: number, sights = 1): boolean {
  const isFree = (table: TableDef, need: number): boolean => {
    const reserved = divFloor(rowsOf(table, view.maxEntities) * (100 - INTEL_SIGHTS_FILL_PCT), 100)
    return view.roomIn(table) - need >= reserved
  }
  return isFree(Sight, sights) && isFree(SightQuote, quotes)
}

/** Releases a sight that nobody holds any more. */
function releaseIfUnheld(world: World, row: Row): void {
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

/** Counts a faction that starts or stops keeping a sight; releases one that nobody holds then. */
export function countSightKeeper(world: World, row: Row, by: 1 | -1): void {
  world.write(Sight).keepers[row] += by
  if (by < 0) releaseIfUnheld(world, row)
}

/*
 * What players remember of exchanges: the latest sight of each base. Source: market.md section 8.
 */

/** Returns the exchanges that a player remembers, latest sight first. */
export function rememberedExchanges(view: WorldView, player: Eid): ExchangeSnapshot[] {
  const { sight, next } = view.read(Sighting)
  const { base, tick } = view.read(Sight)
  const seen: ExchangeSnapshot[] = []
  for (let row = view.read(Sightings).first[player]; row !== 0; row = next[row]) {
    const sightRow = sight[row]
    const items = quotesOfSight(view, sightRow)
    seen.push({ base: base[sightRow], tick: tick[sightRow], items })
  }
  return seen
}

/** A bid as a player knows it. */
export interface KnownBid {
  readonly base: Eid
  readonly price: number
  /** Tick in which it was seen. */
  readonly tick: number
}

/**
 * Returns the best bid that a player knows for each of these goods: at the exchange here as it is
 * now, at others as last seen. O(quotes remembered).
 */
export function knownBids(
  view: WorldView,
  player: Eid,
  here: Eid,
  items: ReadonlySet<number>,
): Map<number, KnownBid> {
  const best = new Map<number, KnownBid>()
  const add = (item: number, bid: KnownBid): void => {
    if (bid.price > (best.get(item)?.price ?? 0)) best.set(item, bid)
  }
  if (here !== 0) {
    for (const item of items) {
      const book = bookOf(view, here, item)
      const { price } = book === 0 ? { price: 0 } : offersOf(view, book, BID)
      add(item, { base: here, price, tick: view.tick })
    }
  }
  const { sight, next } = view.read(Sighting)
  const { base, tick, firstQuote } = view.read(Sight)
  const quotes = view.read(SightQuote)
  for (let row = view.read(Sightings).first[player]; row !== 0; row = next[row]) {
    const sightRow = sight[row]
    if (base[sightRow] === here) continue
    for (let quote = firstQuote[sightRow]; quote !== 0; quote = quotes.next[quote]) {
      const item = quotes.item[quote]
      if (!items.has(item)) continue
      const price = quotes.price[quote * 2 + BID]
      add(item, { base: base[sightRow], price, tick: tick[sightRow] })
    }
  }
  return best
}

/** Returns whether a player remembers no sight of a base from the present window. */
export function isNewSight(view: WorldView, player: Eid, base: Eid): boolean {
  const { sight, next } = view.read(Sighting)
  const { base: baseOf, tick } = view.read(Sight)
  for (let row = view.read(Sightings).first[player]; row !== 0; row = next[row]) {
    if (baseOf[sight[row]] === base) return sightWindow(tick[sight[row]]) !== sightWindow(view.tick)
  }
  return true
}

/** Counts one player fewer who holds a sight, and releases the sight if nobody is left. */
function releaseSight(world: World, row: Row): void {
  world.write(Sight).holders[row]--
  releaseIfUnheld(world, row)
}

/**
 * Removes the player's sighting of a base; if there is none and the list is full, the oldest one.
 */
function removeSighting(world: World, player: Eid, base: Eid): void {
  const list = world.write(Sightings)
  const { sight, next } = world.write(Sighting)
  const { base: baseOf } = world.read(Sight)
  const isFull = list.count[player] >= SIGHTINGS_PER_PLAYER_MAX
  let previous = 0
  let row = list.first[player]
  while (row !== 0 && baseOf[sight[row]] !== base && (!isFull || next[row] !== 0)) {
    previous = row
    row = next[row]
  }
  if (row === 0) return
  if (previous === 0) list.first[player] = next[row]
  else next[previous] = next[row]
  list.count[player]--
  releaseSight(world, sight[row])
  world.release(Sighting, row)
}

/** Records a player's present sight of a base, in place of an earlier one. */
export function rememberSight(world: World, player: Eid, base: Eid): void {
  const seen = currentSight(world, base)
  world.write(Sight).holders[seen]++
  removeSighting(world, player, base)
  const list = world.write(Sightings)
  const row = world.take(Sighting)
  const sighting = world.write(Sighting)
  sighting.sight[row] = seen
  sighting.next[row] = list.first[player]
  list.first[player] = row
  list.count[player]++
  assert(list.count[player] <= SIGHTINGS_PER_PLAYER_MAX, 'a player remembers too many exchanges')
}
