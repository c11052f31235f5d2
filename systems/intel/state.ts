/**
 * What factions know: of systems in records, of prices in rows that share the looks of players,
 * and what bases remember for those who listen.
 */
import { defineComponent, defineTable, f64, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { INTEL_ENTRIES_MAX, PRICE_NOTES_MAX } from '../../core/limits-intel.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'

/** What a faction knows of a system. */
export interface SystemNote {
  readonly tick: number
  /** Number of the member it comes from. */
  readonly by: number
  /** JSON of what a member submitted; absent where it was collected by itself. */
  readonly given?: string
  /** Of what was submitted: places, and their types and resources in lower case. */
  readonly pois?: number
  readonly types?: readonly string[]
  readonly finds?: readonly string[]
  /** Numbers of hidden places that members have charted. */
  readonly hidden: readonly number[]
  /** Places that members have been to: number, then units left of its deposits as of then. */
  readonly readings: readonly (readonly number[])[]
}

/** By numbers `faction:system`. */
export const SYSTEM_NOTES = defineRecords<SystemNote>('intel_systems', INTEL_ENTRIES_MAX)

/** Prices of a station that a faction knows. */
export const PriceNote = defineTable('price_note', PRICE_NOTES_MAX, {
  faction: ref('faction', 'who knows them'),
  base: ref('base', 'where they were'),
  sight: ref('sight', 'what was seen, and when'),
  quotes: u32('items in it'),
  by: f64('number of the member they come from'),
  given: u8('1 where a member submitted them, 0 where they were collected'),
})

/** Values of `kind` (append only). */
export const FACT_KINDS = ['ship_order', 'construction', 'purchase'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** Something that happened at a base. */
export interface Fact {
  readonly tick: number
  /** Index into FACT_KINDS. */
  readonly kind: number
  /** Numbers of who did it and of his faction; 0 nobody, or whoever does not show his name. */
  readonly by: number
  readonly faction: number
  /** True for one whose name is not told. */
  readonly isUnnamed: boolean
  readonly what: string
  readonly credits: number
}

/** What a base remembers, the newest first, by its number. */
export const FACTS = defineRecords<readonly Fact[]>('intel_facts', ROWS.bases)

export const Spy = defineComponent(Player, 'spy', {
  base: ref('base', 'where he listens; 0 nowhere'),
  dueTick: u32('tick in which he hears something, or not; 0 not listening'),
  freeTick: u32('tick from which he may listen again'),
})

/** Listeners by the tick in which they are done. */
export const DUE = defineIndex('intel.listeners', () => new Map<number, Eid[]>())

export const FOUND = defineIndex('intel.levels', () => ({
  tick: -1,
  levels: new Map<string, number>(),
}))

/** Submitted text that is kept, in bytes of JSON: of each faction, and of all. */
export const BYTES = defineIndex('intel.bytes', () => ({
  all: 0,
  ofFaction: new Map<Row, number>(),
}))

/** Rows by faction and base, and quotes that a faction keeps. */
export const NOTES = defineIndex('intel.prices', () => ({
  of: new Map<Row, Map<Row, Row>>(),
  quotes: new Map<Row, number>(),
}))
