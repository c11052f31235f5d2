/**
 * Intelligence of factions: facts about bases, and notes of systems and of prices, collected when
 * members arrive or dock; the oldest are dropped. Source: factions.md section 6.
 */
import { assert } from '../../core/assert.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { factionOf } from '../faction/model.ts'
import { Faction, Membership } from '../faction/state.ts'
import { lacksMarket } from '../market/model.ts'
import {
  countSightKeeper,
  currentSight,
  hasRoomForSights,
  quotesOfSight,
  sharedSight,
  snapshotExchange,
} from '../market/sight-model.ts'
import { Sight } from '../market/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { poisOf } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { sharePaths } from '../wormhole/rules.ts'
import {
  bytesOf,
  factsAt,
  factsKey,
  type IntelService,
  LIVE_LEVEL,
  levelOfService,
  type NewNote,
  notedBy,
  parseKey,
  priceNoteOf,
  priceNotesOf,
  quotesOf,
  readingOf,
  recordKey,
  recordOf,
  textBytes,
} from './model.ts'
import {
  BYTES,
  FACT_CREDITS_MIN,
  FACT_KINDS,
  FACTS,
  FACTS_PER_BASE_MAX,
  type Fact,
  type FactKind,
  INTEL_ENTRIES_MAX,
  INTEL_FACTION_BYTES_MAX,
  LEVELS,
  PRICE_NOTES,
  PRICES_PER_FACTION_MAX,
  PriceNote,
  SYSTEM_NOTES,
  type SystemNote,
} from './state.ts'

interface NewFact {
  readonly base: Row
  readonly kind: FactKind
  readonly player: Eid
  /** Phrase for what was ordered, built or bought. */
  readonly what: string
  readonly credits: number
}

/** Records an action of a player at a base; small purchases are left out. */
export function recordFact(world: World, { base, kind, player, what, credits }: NewFact): void {
  assert(what !== '', 'a fact has no phrase')
  if (kind === 'purchase' && credits < FACT_CREDITS_MIN) return
  const { seq, anonymous } = world.read(Player)
  const faction = world.read(Membership).faction[player]
  const fact: Fact = {
    tick: world.tick,
    kind: FACT_KINDS.indexOf(kind),
    by: seq[player],
    faction: faction === 0 ? 0 : world.read(Faction).seq[faction],
    isUnnamed: anonymous[player] === 1,
    what,
    credits,
  }
  const before = factsAt(world, base).slice(0, FACTS_PER_BASE_MAX - 1)
  world.records(FACTS).set(factsKey(world, base), [fact, ...before])
}

/** Drops the facts of a base that is about to be removed. */
export const forgetFacts = (world: World, base: Row): void => {
  world.records(FACTS).delete(factsKey(world, base))
}

/**
 * Returns whether a faction collects automatically. Looked up once per faction and tick, since many
 * members may arrive in one tick and a large faction has many facilities.
 */
function collects(world: World, faction: Row, service: IntelService): boolean {
  const cache = world.index(LEVELS)
  if (cache.tick !== world.tick) {
    cache.tick = world.tick
    cache.levels.clear()
  }
  const key = `${faction} ${service}`
  const level = cache.levels.get(key) ?? levelOfService(world, faction, service)
  cache.levels.set(key, level)
  return level >= LIVE_LEVEL
}

function countBytes(world: World, faction: Row, change: number): void {
  const bytes = world.index(BYTES)
  bytes.all += change
  const own = bytesOf(world, faction) + change
  assert(own >= 0 && bytes.all >= own, `faction ${faction} keeps ${own} of ${bytes.all} bytes`)
  if (own === 0) bytes.ofFaction.delete(faction)
  else bytes.ofFaction.set(faction, own)
}

function setNote(world: World, faction: Row, system: Row, note: SystemNote): void {
  countBytes(world, faction, textBytes(note) - textBytes(recordOf(world, faction, system)))
  world.records(SYSTEM_NOTES).set(recordKey(world, faction, system), note)
}

function dropNote(world: World, faction: Row, system: Row): void {
  countBytes(world, faction, -textBytes(recordOf(world, faction, system)))
  world.records(SYSTEM_NOTES).delete(recordKey(world, faction, system))
}

/** Drops the oldest submissions of a faction until they fit its limit; returns how many. */
function dropOldest(world: World, faction: Row): number {
  if (bytesOf(world, faction) <= INTEL_FACTION_BYTES_MAX) return 0
  const tickOf = (system: Row): number => recordOf(world, faction, system)?.tick ?? 0
  const submitted = notedBy(world, faction)
    .filter((system) => textBytes(recordOf(world, faction, system)) > 0)
    .sort((a, b) => tickOf(a) - tickOf(b) || a - b)
  let dropped = 0
  while (bytesOf(world, faction) > INTEL_FACTION_BYTES_MAX) {
    dropNote(world, faction, submitted[dropped])
    dropped++
  }
  return dropped
}

/**
 * Stores the submitted notes of a member in place of older ones, and shares the wormholes they know
 * there; returns how many other notes drop, and how many wormholes are new to the faction.
 */
export function keepNotes(world: World, player: Eid, notes: readonly NewNote[]) {
  let paths = 0
  const faction = factionOf(world, player)
  const { tick } = world
  const by = world.read(Player).seq[player]
  for (const { system, note } of notes) {
    const { hidden = [], readings = [] } = recordOf(world, faction, system) ?? {}
    setNote(world, faction, system, { ...note, tick, by, hidden, readings })
    paths += sharePaths(world, player, system)
  }
  return { dropped: dropOldest(world, faction), paths }
}

/** Returns the numbers of the hidden POIs of a system that the faction or the member knows. */
function chartedHidden(view: WorldView, player: Eid, system: Row, before: readonly number[]) {
  const { hidden, seq } = view.read(Poi)
  return poisOf(view, system)
    .filter((poi) => hidden[poi] === 1)
    .filter((poi) => before.includes(seq[poi]) || seesPoi(view, player, poi))
    .map((poi) => seq[poi])
}

/**
 * Records the system where a member has arrived, if their faction collects automatically: the chart
 * as they see it, and the deposits of their POI. The deposits of other POIs remain as members last
 * saw them. Source: factions.md section 6, T2; ours: members report only what they see.
 */
export function collectSystem(world: World, player: Eid, poi: Row): void {
  const faction = factionOf(world, player)
  if (faction === 0 || !collects(world, faction, 'faction_intel')) return
  const { system: systems, seq } = world.read(Poi)
  const system = systems[poi]
  const before = recordOf(world, faction, system)
  if (!before && world.records(SYSTEM_NOTES).size >= INTEL_ENTRIES_MAX) return
  const reading = readingOf(world, poi)
  const others = (before?.readings ?? []).filter(([place]) => place !== seq[poi])
  setNote(world, faction, system, {
    tick: world.tick,
    by: world.read(Player).seq[player],
    hidden: chartedHidden(world, player, system, before?.hidden ?? []),
    readings: reading.length > 1 ? [reading, ...others] : others,
  })
  sharePaths(world, player, system)
}

/** Drops all notes of systems of a faction. */
export function dropNotes(world: World, faction: Row): void {
  for (const system of notedBy(world, faction)) dropNote(world, faction, system)
}

/** Counts the bytes of all notes, after a restore. */
export function rebuildNotes(world: World): void {
  const bytes = world.index(BYTES)
  bytes.all = 0
  bytes.ofFaction.clear()
  for (const [key, note] of world.records(SYSTEM_NOTES).entries()) {
    const [faction] = parseKey(world, key)
    if (note.given !== undefined) countBytes(world, faction, textBytes(note))
  }
}

function indexPriceNote(world: World, row: Row): void {
  const index = world.index(PRICE_NOTES)
  const note = world.read(PriceNote)
  const faction = note.faction[row]
  const base = note.base[row]
  const rows = index.rows.get(faction) ?? new Map<Row, Row>()
  assert(!rows.has(base), `faction ${faction} has two notes of base ${base}`)
  index.rows.set(faction, rows.set(base, row))
  index.quotes.set(faction, quotesOf(world, faction) + note.quotes[row])
}

function dropPriceNote(world: World, row: Row): void {
  const index = world.index(PRICE_NOTES)
  const note = world.read(PriceNote)
  const faction = note.faction[row]
  const rows = index.rows.get(faction)
  assert(rows?.get(note.base[row]) === row, `price note ${row} is not listed`)
  rows.delete(note.base[row])
  index.quotes.set(faction, quotesOf(world, faction) - note.quotes[row])
  if (rows.size === 0) {
    index.rows.delete(faction)
    index.quotes.delete(faction)
  }
  countSightKeeper(world, note.sight[row], -1)
  world.release(PriceNote, row)
}

interface NewPrices {
  readonly base: Row
  readonly sight: Row
  readonly quotes: number
  readonly isGiven: boolean
}

/** Stores prices that a member saw or submitted; returns how many other notes were dropped. */
export function keepPrices(world: World, player: Eid, prices: NewPrices): number {
  const { base, sight, quotes, isGiven } = prices
  const faction = factionOf(world, player)
  countSightKeeper(world, sight, 1)
  const before = priceNoteOf(world, faction, base)
  if (before !== 0) dropPriceNote(world, before)
  const row = world.take(PriceNote)
  const note = world.write(PriceNote)
  note.faction[row] = faction
  note.base[row] = base
  note.sight[row] = sight
  note.quotes[row] = quotes
  note.by[row] = world.read(Player).seq[player]
  note.given[row] = isGiven ? 1 : 0
  indexPriceNote(world, row)
  return dropOldestPrices(world, faction, row)
}

/** Drops the oldest price notes of a faction, except `kept`, until they fit its limit. */
function dropOldestPrices(world: World, faction: Row, kept: Row): number {
  if (quotesOf(world, faction) <= PRICES_PER_FACTION_MAX) return 0
  const { sight } = world.read(PriceNote)
  const { tick } = world.read(Sight)
  const oldest = priceNotesOf(world, faction)
    .filter((row) => row !== kept)
    .sort((a, b) => tick[sight[a]] - tick[sight[b]] || a - b)
  let dropped = 0
  while (quotesOf(world, faction) > PRICES_PER_FACTION_MAX && dropped < oldest.length) {
    dropPriceNote(world, oldest[dropped])
    dropped++
  }
  return dropped
}

/** Returns whether a note is older than a sight. */
function isOlder(view: WorldView, row: Row, sight: Row): boolean {
  const { tick } = view.read(Sight)
  return tick[view.read(PriceNote).sight[row]] < tick[sight]
}

/**
 * Records the exchange where a member has docked, if their faction collects automatically. Members
 * who dock within a few minutes share one sight. While the table is full, nothing is recorded.
 */
export function collectPrices(world: World, player: Eid, base: Row): void {
  const faction = factionOf(world, player)
  if (faction === 0 || lacksMarket(world, base)) return
  if (!collects(world, faction, 'faction_trade_intel')) return
  if (world.roomIn(PriceNote) === 0) return
  const before = priceNoteOf(world, faction, base)
  const shared = sharedSight(world, base)
  if (before !== 0 && shared !== 0 && !isOlder(world, before, shared)) return
  if (shared === 0 && !hasRoomForSights(world, snapshotExchange(world, base).items.length)) return
  const sight = currentSight(world, base)
  const quotes = quotesOfSight(world, sight).length
  keepPrices(world, player, { base, sight, quotes, isGiven: false })
}

/** Drops all price notes of a faction. */
export function dropPrices(world: World, faction: Row): void {
  for (const row of priceNotesOf(world, faction)) dropPriceNote(world, row)
}

/** Fills the index of price notes, after a restore. */
export function rebuildPrices(world: World): void {
  const { rows, quotes } = world.index(PRICE_NOTES)
  rows.clear()
  quotes.clear()
  const { alive } = world.read(PriceNote)
  for (let row = 1; row <= world.highOf(PriceNote); row++) {
    if (alive[row] === 1) indexPriceNote(world, row)
  }
}
