/**
 * What players remember of exchanges they looked at: the latest look at each base, as it was then.
 * Looks at one base within a few minutes share what was seen. Source: market.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { immediate } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { SIGHTINGS_PER_PLAYER_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { NO_PARAMS } from '../../core/params.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { bestLevel, booksAt } from './book.ts'
import {
  ASK,
  BID,
  Book,
  LastSight,
  Level,
  type Side,
  Sight,
  Sighting,
  Sightings,
  SightQuote,
} from './columns.ts'
import { noMarket } from './rules.ts'

/** Ticks that share a look. Source: ours: a crowd at one base costs one look in five minutes. */
const LOOK_TICKS = 30

/** Prices and units of one item, by side. */
export interface Seen {
  readonly item: number
  readonly price: readonly [number, number]
  readonly bestUnits: readonly [number, number]
  readonly units: readonly [number, number]
}

/** An exchange as somebody saw it. */
export interface SeenExchange {
  readonly base: Eid
  readonly tick: number
  readonly items: readonly Seen[]
}

function sideOf(view: WorldView, book: Row, side: Side) {
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
    const ask = sideOf(view, book, ASK)
    const bid = sideOf(view, book, BID)
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

/** What a player remembers, the last look first. */
export function rememberedBy(view: WorldView, player: Eid): SeenExchange[] {
  const { sight, next } = view.read(Sighting)
  const { base, tick } = view.read(Sight)
  const seen: SeenExchange[] = []
  for (let row = view.read(Sightings).first[player]; row !== 0; row = next[row]) {
    const of = sight[row]
    seen.push({ base: base[of], tick: tick[of], items: itemsOf(view, of) })
  }
  return seen
}

function itemsOf(view: WorldView, sight: Row): Seen[] {
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

const lookOf = (tick: number): number => divFloor(tick, LOOK_TICKS)

/** The look that those who look now share; 0 if nobody has yet. */
function sharedSight(view: WorldView, base: Eid): Row {
  const sight = view.read(LastSight).sight[base]
  return sight !== 0 && lookOf(view.read(Sight).tick[sight]) === lookOf(view.tick) ? sight : 0
}

/** True if a look of the player now would be remembered as another than the last one. */
export function seesAnew(view: WorldView, player: Eid, base: Eid): boolean {
  const { sight, next } = view.read(Sighting)
  const { base: at, tick } = view.read(Sight)
  for (let row = view.read(Sightings).first[player]; row !== 0; row = next[row]) {
    if (at[sight[row]] === base) return lookOf(tick[sight[row]]) !== lookOf(view.tick)
  }
  return true
}

function take(world: World, base: Eid): Row {
  const row = world.take(Sight)
  const sight = world.write(Sight)
  const quote = world.write(SightQuote)
  sight.base[row] = base
  sight.tick[row] = world.tick
  let last = 0
  for (const { item, price, bestUnits, units } of seenNow(world, base).items) {
    const next = world.take(SightQuote)
    quote.item[next] = item
    quote.price.set(price, next * 2)
    quote.bestUnits.set(bestUnits, next * 2)
    quote.units.set(units, next * 2)
    if (last === 0) sight.firstQuote[row] = next
    else quote.next[last] = next
    last = next
  }
  world.write(LastSight).sight[base] = row
  return row
}

/** A player forgets a sight; one that nobody remembers is gone. */
function letGo(world: World, row: Row): void {
  const sight = world.write(Sight)
  sight.holders[row]--
  if (sight.holders[row] > 0) return
  const { next } = world.read(SightQuote)
  for (let quote = sight.firstQuote[row]; quote !== 0; quote = next[quote]) {
    world.release(SightQuote, quote)
  }
  const { sight: newest } = world.write(LastSight)
  if (newest[sight.base[row]] === row) newest[sight.base[row]] = 0
  world.release(Sight, row)
}

/** Takes the player's look at a base, or else the oldest of too many, out of the list. */
function forget(world: World, player: Eid, base: Eid): void {
  const list = world.write(Sightings)
  const { sight, next } = world.write(Sighting)
  const { base: at } = world.read(Sight)
  const isFull = list.count[player] >= SIGHTINGS_PER_PLAYER_MAX
  let before = 0
  let row = list.first[player]
  while (row !== 0 && at[sight[row]] !== base && (!isFull || next[row] !== 0)) {
    before = row
    row = next[row]
  }
  if (row === 0) return
  if (before === 0) list.first[player] = next[row]
  else next[before] = next[row]
  list.count[player]--
  letGo(world, sight[row])
  world.release(Sighting, row)
}

/** Remembers what the player sees at a base now, instead of an earlier look. */
export function remember(world: World, player: Eid, base: Eid): void {
  const seen = sharedSight(world, base) || take(world, base)
  world.write(Sight).holders[seen]++
  forget(world, player, base)
  const list = world.write(Sightings)
  const row = world.take(Sighting)
  const sighting = world.write(Sighting)
  sighting.sight[row] = seen
  sighting.next[row] = list.first[player]
  list.first[player] = row
  list.count[player]++
  assert(list.count[player] <= SIGHTINGS_PER_PLAYER_MAX, 'a player remembers too many exchanges')
}

/** The touch of view_market. While the tables are full nobody remembers anything new. */
export const marketSeen = immediate({
  name: 'internal:market_seen',
  summary: 'A player has looked at the exchange of the base where he is docked.',
  category: 'internal',
  params: NO_PARAMS,
  result: NO_PARAMS,
  needs: [],
  errors: ['no_market', 'limit_reached'],
  run(world, player) {
    const base = dockedBase(world, player)
    if (base === 0 || noMarket(world, base)) return fail('no_market')
    const isFull = [Sight, SightQuote, Sighting].some((table) => isNearlyFull(world, table))
    if (isFull || !seesAnew(world, player, base)) return fail('limit_reached')
    remember(world, player, base)
    return ok({})
  },
})
