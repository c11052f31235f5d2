/**
 * What factions know of systems: keeping it, letting the oldest go, and collecting it where a
 * member arrives. Source: factions.md section 6.
 */
import { assert } from '../../core/assert.ts'
import {
  INTEL_ENTRIES_MAX,
  INTEL_FACTION_BYTES_MAX,
  INTEL_WORLD_BYTES_MAX,
} from '../../core/limits-intel.ts'
import { byteLength } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { Faction } from '../faction/columns.ts'
import { factionOf } from '../faction/rules.ts'
import { depositRemaining, depositsOf } from '../mining/views.ts'
import { seesPoi } from '../sensing/rules.ts'
import { Poi, StarSystem } from '../travel/columns.ts'
import { poisOf } from '../travel/rules.ts'
import { SYSTEM_NOTES, type SystemNote } from './columns.ts'
import { collects } from './level-rules.ts'

/** Submitted text that is kept, in bytes of JSON: of each faction, and of all. */
const BYTES = defineIndex('intel.bytes', () => ({ all: 0, ofFaction: new Map<Row, number>() }))

const noteKey = (view: WorldView, faction: Row, system: Row): string =>
  `${view.read(Faction).seq[faction]}:${view.read(StarSystem).seq[system]}`

/** Systems by number: the order in which they are listed. */
export const systemsOf = (view: WorldView): Row[] =>
  Array.from({ length: view.highOf(StarSystem) }, (_, at) => at + 1)

export const noteOf = (view: WorldView, faction: Row, system: Row): SystemNote | undefined =>
  view.records(SYSTEM_NOTES).get(noteKey(view, faction, system))

/** Systems that a faction has a note of. */
export const notedBy = (view: WorldView, faction: Row): Row[] =>
  systemsOf(view).filter((system) => noteOf(view, faction, system) !== undefined)

export const bytesOf = (view: WorldView, faction: Row): number =>
  view.index(BYTES).ofFaction.get(faction) ?? 0

const textBytes = (note: SystemNote | undefined): number =>
  note?.given === undefined ? 0 : byteLength(note.given)

function countBytes(world: World, faction: Row, change: number): void {
  const bytes = world.index(BYTES)
  bytes.all += change
  const own = bytesOf(world, faction) + change
  assert(own >= 0 && bytes.all >= own, `faction ${faction} keeps ${own} of ${bytes.all} bytes`)
  if (own === 0) bytes.ofFaction.delete(faction)
  else bytes.ofFaction.set(faction, own)
}

function setNote(world: World, faction: Row, system: Row, note: SystemNote): void {
  countBytes(world, faction, textBytes(note) - textBytes(noteOf(world, faction, system)))
  world.records(SYSTEM_NOTES).set(noteKey(world, faction, system), note)
}

function dropNote(world: World, faction: Row, system: Row): void {
  countBytes(world, faction, -textBytes(noteOf(world, faction, system)))
  world.records(SYSTEM_NOTES).delete(noteKey(world, faction, system))
}

export interface NewNote {
  readonly system: Row
  readonly note: Pick<SystemNote, 'given' | 'pois' | 'types' | 'finds'>
}

/** True while all factions together may keep these besides. */
export function mayKeepNotes(view: WorldView, faction: Row, notes: readonly NewNote[]): boolean {
  const fresh = notes.filter(({ system }) => noteOf(view, faction, system) === undefined).length
  const more = notes.reduce(
    (sum, { system, note }) =>
      sum + byteLength(note.given ?? '') - textBytes(noteOf(view, faction, system)),
    0,
  )
  const { all } = view.index(BYTES)
  const { size } = view.records(SYSTEM_NOTES)
  return size + fresh <= INTEL_ENTRIES_MAX && all + more <= INTEL_WORLD_BYTES_MAX
}

/** The oldest submitted entries of a faction give way until it is within its bound; how many. */
function dropOldest(world: World, faction: Row): number {
  if (bytesOf(world, faction) <= INTEL_FACTION_BYTES_MAX) return 0
  const tickOf = (system: Row): number => noteOf(world, faction, system)?.tick ?? 0
  const submitted = notedBy(world, faction)
    .filter((system) => textBytes(noteOf(world, faction, system)) > 0)
    .sort((a, b) => tickOf(a) - tickOf(b) || a - b)
  let dropped = 0
  while (bytesOf(world, faction) > INTEL_FACTION_BYTES_MAX) {
    dropNote(world, faction, submitted[dropped])
    dropped++
  }
  return dropped
}

/** Keeps what a member submits, each in place of an older entry; how many others gave way. */
export function keepNotes(world: World, player: Eid, notes: readonly NewNote[]): number {
  const faction = factionOf(world, player)
  const { tick } = world
  const by = world.read(Player).seq[player]
  for (const { system, note } of notes) {
    const { hidden = [], readings = [] } = noteOf(world, faction, system) ?? {}
    setNote(world, faction, system, { ...note, tick, by, hidden, readings })
  }
  return dropOldest(world, faction)
}

/** Units left of every deposit of a place now, behind its number. */
export const readingOf = (view: WorldView, poi: Row): readonly number[] => [
  view.read(Poi).seq[poi],
  ...depositsOf(view, poi).map((deposit) => depositRemaining(view, deposit)),
]

/** Hidden places of a system that a faction or its member has charted, as numbers. */
function chartedHidden(view: WorldView, player: Eid, system: Row, before: readonly number[]) {
  const { hidden, seq } = view.read(Poi)
  return poisOf(view, system)
    .filter((poi) => hidden[poi] === 1)
    .filter((poi) => before.includes(seq[poi]) || seesPoi(view, player, poi))
    .map((poi) => seq[poi])
}

/**
 * Writes down where a member has arrived, if his faction collects by itself: the chart as he sees
 * it, and the deposits of the place he is at. Those of other places stay as members saw them last.
 * Source: factions.md section 6, T2; ours: nobody reports what he did not see.
 */
export function collectSystem(world: World, player: Eid, poi: Row): void {
  const faction = factionOf(world, player)
  if (faction === 0 || !collects(world, faction, 'faction_intel')) return
  const { system: systems, seq } = world.read(Poi)
  const system = systems[poi]
  const before = noteOf(world, faction, system)
  if (!before && world.records(SYSTEM_NOTES).size >= INTEL_ENTRIES_MAX) return
  const reading = readingOf(world, poi)
  const others = (before?.readings ?? []).filter(([place]) => place !== seq[poi])
  setNote(world, faction, system, {
    tick: world.tick,
    by: world.read(Player).seq[player],
    hidden: chartedHidden(world, player, system, before?.hidden ?? []),
    readings: reading.length > 1 ? [reading, ...others] : others,
  })
}

/** Forgets what a faction knew: it is no more. */
export function dropNotes(world: World, faction: Row): void {
  for (const system of notedBy(world, faction)) dropNote(world, faction, system)
}

/** Faction and system of a key; 0 for what is no more. */
export function partsOf(view: WorldView, key: string): readonly [faction: Row, system: Row] {
  const [faction, system] = key.split(':').map(Number)
  return [view.rowOf(Faction, faction), view.rowOf(StarSystem, system)]
}

export function rebuildNotes(world: World): void {
  const bytes = world.index(BYTES)
  bytes.all = 0
  bytes.ofFaction.clear()
  for (const [key, note] of world.records(SYSTEM_NOTES).entries()) {
    const [faction] = partsOf(world, key)
    if (note.given !== undefined) countBytes(world, faction, textBytes(note))
  }
}
