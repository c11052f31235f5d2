/**
 * What factions know of prices: the looks they keep, and collecting them where a member docks.
 * Source: factions.md section 6.
 */
import { assert } from '../../core/assert.ts'
import { PRICES_PER_FACTION_MAX } from '../../core/limits-intel.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { factionOf } from '../faction/rules.ts'
import { Sight } from '../market/columns.ts'
import { noMarket } from '../market/rules.ts'
import {
  countKeeper,
  itemsOf,
  lookNow,
  mayKeep,
  seenNow,
  sharedSight,
} from '../market/sight-rules.ts'
import { PriceNote } from './columns.ts'
import { collects } from './level-rules.ts'

/** Rows by faction and base, and quotes that a faction keeps. */
const NOTES = defineIndex('intel.prices', () => ({
  of: new Map<Row, Map<Row, Row>>(),
  quotes: new Map<Row, number>(),
}))

/** The row of what a faction knows of a base's prices; 0 nothing. */
export const priceNoteOf = (view: WorldView, faction: Row, base: Row): Row =>
  view.index(NOTES).of.get(faction)?.get(base) ?? 0

/** Rows of a faction, in the order of their bases. */
export const priceNotesOf = (view: WorldView, faction: Row): Row[] =>
  [...(view.index(NOTES).of.get(faction) ?? [])].sort(([a], [b]) => a - b).map(([, row]) => row)

export const quotesOf = (view: WorldView, faction: Row): number =>
  view.index(NOTES).quotes.get(faction) ?? 0

function enter(world: World, row: Row): void {
  const { of, quotes: counts } = world.index(NOTES)
  const { faction, base, quotes } = world.read(PriceNote)
  const rows = of.get(faction[row]) ?? new Map<Row, Row>()
  assert(!rows.has(base[row]), `faction ${faction[row]} has two notes of base ${base[row]}`)
  of.set(faction[row], rows.set(base[row], row))
  counts.set(faction[row], quotesOf(world, faction[row]) + quotes[row])
}

function drop(world: World, row: Row): void {
  const { of, quotes: counts } = world.index(NOTES)
  const { faction, base, quotes, sight } = world.read(PriceNote)
  const rows = of.get(faction[row])
  assert(rows?.get(base[row]) === row, `price note ${row} is not listed`)
  rows.delete(base[row])
  counts.set(faction[row], quotesOf(world, faction[row]) - quotes[row])
  if (rows.size === 0) {
    of.delete(faction[row])
    counts.delete(faction[row])
  }
  countKeeper(world, sight[row], -1)
  world.release(PriceNote, row)
}

export interface NewPrices {
  readonly base: Row
  readonly sight: Row
  readonly quotes: number
  readonly isGiven: boolean
}

/** Keeps what a member has seen or says, in place of what was known; how many others gave way. */
export function keepPrices(world: World, player: Eid, prices: NewPrices): number {
  const { base, sight, quotes, isGiven } = prices
  const faction = factionOf(world, player)
  countKeeper(world, sight, 1)
  const before = priceNoteOf(world, faction, base)
  if (before !== 0) drop(world, before)
  const row = world.take(PriceNote)
  const note = world.write(PriceNote)
  note.faction[row] = faction
  note.base[row] = base
  note.sight[row] = sight
  note.quotes[row] = quotes
  note.by[row] = world.read(Player).seq[player]
  note.given[row] = isGiven ? 1 : 0
  enter(world, row)
  return makeRoom(world, faction, row)
}

/** The oldest stations of a faction give way until it is within its bound, but for one. */
function makeRoom(world: World, faction: Row, kept: Row): number {
  if (quotesOf(world, faction) <= PRICES_PER_FACTION_MAX) return 0
  const { sight } = world.read(PriceNote)
  const { tick } = world.read(Sight)
  const oldest = priceNotesOf(world, faction)
    .filter((row) => row !== kept)
    .sort((a, b) => tick[sight[a]] - tick[sight[b]] || a - b)
  let dropped = 0
  while (quotesOf(world, faction) > PRICES_PER_FACTION_MAX && dropped < oldest.length) {
    drop(world, oldest[dropped])
    dropped++
  }
  return dropped
}

/** True for a note of before a look. */
function isOlder(view: WorldView, row: Row, sight: Row): boolean {
  const { tick } = view.read(Sight)
  return tick[view.read(PriceNote).sight[row]] < tick[sight]
}

/**
 * Writes down the exchange where a member has docked, if his faction collects by itself; those who
 * dock within a few minutes share one look. While rows are short nothing new is kept.
 */
export function collectPrices(world: World, player: Eid, base: Row): void {
  const faction = factionOf(world, player)
  if (faction === 0 || noMarket(world, base)) return
  if (!collects(world, faction, 'faction_trade_intel')) return
  if (world.roomIn(PriceNote) === 0) return
  const before = priceNoteOf(world, faction, base)
  const shared = sharedSight(world, base)
  if (before !== 0 && shared !== 0 && !isOlder(world, before, shared)) return
  if (shared === 0 && !mayKeep(world, seenNow(world, base).items.length)) return
  const sight = lookNow(world, base)
  const quotes = itemsOf(world, sight).length
  keepPrices(world, player, { base, sight, quotes, isGiven: false })
}

/** Forgets what a faction knew: it is no more. */
export function dropPrices(world: World, faction: Row): void {
  for (const row of priceNotesOf(world, faction)) drop(world, row)
}

export function rebuildPrices(world: World): void {
  const { of, quotes } = world.index(NOTES)
  of.clear()
  quotes.clear()
  const { alive } = world.read(PriceNote)
  for (let row = 1; row <= world.highOf(PriceNote); row++) if (alive[row] === 1) enter(world, row)
}
