/** Lookups of the intelligence of factions: who may read it, and who contributed it. */
import { fail } from '../../core/errors.ts'
import { divFloor } from '../../core/math.ts'
import { byteLength } from '../../core/text-rules.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { areFactionsAllied } from '../diplomacy/model.ts'
import { facilityTypeAt, factionFacilities, isRunning } from '../facility/model.ts'
import { Facility } from '../facility/state.ts'
import { factionByText, factionOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { depositsOf, unitsRemaining } from '../mining/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import {
  BYTES,
  FACT_TICKS,
  FACTS,
  type Fact,
  INTEL_ENTRIES_MAX,
  INTEL_WORLD_BYTES_MAX,
  PRICE_NOTES,
  SYSTEM_NOTES,
  type SystemNote,
} from './state.ts'

/**
 * Returns the faction whose intelligence a member requests: their own, or a named ally that shares
 * it. Refusals: not_in_faction, faction_not_found, not_allied, intel_withheld. Source: factions.md
 * sections 5 and 6.
 */
export function sourceOf(view: WorldView, player: Eid, named: string | undefined) {
  const own = factionOf(view, player)
  if (own === 0) return fail('not_in_faction')
  if (named === undefined) return own
  const source = factionByText(view, named.trim())
  if (source === 0) return fail('faction_not_found', { faction_id: named })
  if (source === own) return own
  if (!areFactionsAllied(view, own, source)) {
    return fail('not_allied', undefined, 'Only allies share intelligence; propose an alliance.')
  }
  return view.read(Faction).allyIntelOptOut[source] === 1 ? fail('intel_withheld') : source
}

/** Returns the key of a base in FACTS. */
export const factsKey = (view: WorldView, base: Row): string => String(view.read(Base).seq[base])

/** Returns the facts of a base from the last day, the newest first. */
export const factsAt = (view: WorldView, base: Row): readonly Fact[] =>
  (view.records(FACTS).get(factsKey(view, base)) ?? []).filter(
    ({ tick }) => tick + FACT_TICKS > view.tick,
  )

/* Tiers of the facilities for intelligence. Source: factions.md sections 4, 6. */

export type IntelService = 'faction_intel' | 'faction_trade_intel'
/**
 * The tier from which a facility collects automatically, allows every filter and shows live data.
 */
export const LIVE_LEVEL = 2

/** Returns the running facilities of a faction that provide a service, the oldest first. */
export const serviceFacilities = (view: WorldView, faction: Row, service: string): Row[] =>
  factionFacilities(view, faction).filter(
    (row) => facilityTypeAt(view, row).faction_service_type === service && isRunning(view, row),
  )

/** Returns the highest tier of a service that a faction has at any base; 0 for none. */
export const levelOfService = (view: WorldView, faction: Row, service: string): number =>
  Math.max(
    0,
    ...serviceFacilities(view, faction, service).map((row) => facilityTypeAt(view, row).level),
  )

/** Returns the bases at which a faction has a service of LIVE_LEVEL, in the order of building. */
export const liveBases = (view: WorldView, faction: Row, service: IntelService): Row[] => {
  const { base } = view.read(Facility)
  return serviceFacilities(view, faction, service)
    .filter((row) => facilityTypeAt(view, row).level >= LIVE_LEVEL)
    .map((row) => base[row])
}

/** Returns the key of a faction's note of a system in SYSTEM_NOTES. */
export const recordKey = (view: WorldView, faction: Row, system: Row): string =>
  `${view.read(Faction).seq[faction]}:${view.read(StarSystem).seq[system]}`

/** Returns all systems in the order of their numbers. */
export const systemsOf = (view: WorldView): Row[] =>
  Array.from({ length: view.highOf(StarSystem) }, (_, i) => i + 1)

/** Returns a faction's note of a system; undefined for none. */
export const recordOf = (view: WorldView, faction: Row, system: Row): SystemNote | undefined =>
  view.records(SYSTEM_NOTES).get(recordKey(view, faction, system))

/** Returns the systems of which a faction has a note. */
export const notedBy = (view: WorldView, faction: Row): Row[] =>
  systemsOf(view).filter((system) => recordOf(view, faction, system) !== undefined)

/** Returns the bytes of text that members of a faction have submitted. */
export const bytesOf = (view: WorldView, faction: Row): number =>
  view.index(BYTES).ofFaction.get(faction) ?? 0

/** Returns the bytes of text in a note. */
export const textBytes = (note: SystemNote | undefined): number =>
  note?.given === undefined ? 0 : byteLength(note.given)

/** A checked submission for a system. */
export interface NewNote {
  readonly system: Row
  readonly note: Pick<SystemNote, 'given' | 'pois' | 'types' | 'finds'>
}

/** Returns whether the notes fit the limits for all factions together. */
export function mayKeepNotes(view: WorldView, faction: Row, notes: readonly NewNote[]): boolean {
  const fresh = notes.filter(({ system }) => recordOf(view, faction, system) === undefined).length
  const more = notes.reduce(
    (sum, { system, note }) =>
      sum + byteLength(note.given ?? '') - textBytes(recordOf(view, faction, system)),
    0,
  )
  const { all } = view.index(BYTES)
  const { size } = view.records(SYSTEM_NOTES)
  return size + fresh <= INTEL_ENTRIES_MAX && all + more <= INTEL_WORLD_BYTES_MAX
}

/** Returns the number of a POI, then the units left now in each of its deposits. */
export const readingOf = (view: WorldView, poi: Row): readonly number[] => [
  view.read(Poi).seq[poi],
  ...depositsOf(view, poi).map((deposit) => unitsRemaining(view, deposit)),
]

/** Returns the faction and system of a record key; 0 for what no longer exists. */
export function parseKey(view: WorldView, key: string): readonly [faction: Row, system: Row] {
  const [faction, system] = key.split(':').map(Number)
  return [view.rowOf(Faction, faction), view.rowOf(StarSystem, system)]
}

/** Returns the share in percent, with one decimal. */
export const percent = (part: number, total: number): number =>
  total === 0 ? 0 : divFloor(part * 1_000, total) / 10

/** Renders the top contributor (of equals, the oldest player) and the latest contribution. */
export function renderContributions(
  view: WorldView,
  contributions: readonly Pick<SystemNote, 'by' | 'tick'>[],
) {
  const counts = new Map<number, number>()
  for (const { by } of contributions) counts.set(by, (counts.get(by) ?? 0) + 1)
  if (counts.size === 0) return { contributors: 0 }
  const [[top, max]] = [...counts].sort(([a, m], [b, n]) => n - m || a - b)
  return {
    contributors: counts.size,
    most_recent_tick: Math.max(...contributions.map(({ tick }) => tick)),
    top_contributor: submitterOf(view, top).submitter_name,
    top_contributions: max,
  }
}

/** Returns the row of a faction's price note of a base; 0 for none. */
export const priceNoteOf = (view: WorldView, faction: Row, base: Row): Row =>
  view.index(PRICE_NOTES).rows.get(faction)?.get(base) ?? 0

/** Returns the price notes of a faction, in the order of their bases. */
export const priceNotesOf = (view: WorldView, faction: Row): Row[] =>
  [...(view.index(PRICE_NOTES).rows.get(faction) ?? [])]
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row)

/** Returns how many quotes the price notes of a faction hold. */
export const quotesOf = (view: WorldView, faction: Row): number =>
  view.index(PRICE_NOTES).quotes.get(faction) ?? 0

/** Renders the member who submitted or collected an entry. */
export function submitterOf(view: WorldView, number: number) {
  const player = view.rowOf(Player, number)
  return {
    submitted_by: player === 0 ? '' : playerId(view, player),
    submitter_name: player === 0 ? '' : usernameOf(view, player),
  }
}
