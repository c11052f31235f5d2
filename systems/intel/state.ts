/**
 * Intelligence of factions: notes of systems in records, prices in rows that share the sights of
 * players, and the facts that listeners can hear at bases.
 */
import { defineComponent, defineTable, f64, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'

/** Systems in one submission; POIs of a system, and its bytes. */
export const INTEL_SYSTEMS_MAX = 20
export const INTEL_POIS_MAX = 100
export const INTEL_SYSTEM_BYTES_MAX = 8_192
/** Lanes of a system, and deposits of a POI, in a submission: more than any has. */
export const INTEL_LANES_MAX = 50
export const INTEL_DEPOSITS_MAX = 32
/** Characters of a name or an id in a submission, and of a description. */
export const INTEL_NAME_CHARACTERS_MAX = 128
export const INTEL_TEXT_CHARACTERS_MAX = 2_000
/** Submitted text of a faction, bytes: beyond it the oldest entries are dropped. */
export const INTEL_FACTION_BYTES_MAX = 1_048_576
/** Submitted text of all factions, bytes: it is kept in memory and in every snapshot. */
export const INTEL_WORLD_BYTES_MAX = 134_217_728
/** Notes of systems of all factions together. */
export const INTEL_ENTRIES_MAX = 400_000
export const INTEL_PAGE = { default: 50, max: 100 } as const

/** Stations in one submission of prices, and items of one. */
export const PRICES_STATIONS_MAX = 20
export const PRICES_ITEMS_MAX = 500
/**
 * Quotes of a faction; beyond it the oldest stations are dropped. ours: enough for 150 exchanges.
 */
export const PRICES_PER_FACTION_MAX = 20_000
/** Price notes of all factions together. */
const PRICE_NOTES_MAX = 200_000

export const FIND_PAGE = { default: 20, max: 50 } as const
export const PRICES_PAGE = { default: 20, max: 50 } as const

/** Maximum number of players, of pirates and of empire ships that a sensor lists. */
export const SENSED_ROWS_MAX = 200

/** Facts kept per base, and for how many ticks. */
export const FACTS_PER_BASE_MAX = 32
export const FACT_TICKS = 8_640
/** Smallest purchase that becomes a fact, credits. */
export const FACT_CREDITS_MIN = 10_000
/** Ticks that espionage takes, and ticks from one start to the next. */
export const ESPIONAGE_TICKS = 8
export const ESPIONAGE_COOLDOWN_TICKS = 30

/** A faction's note of a system. */
export interface SystemNote {
  readonly tick: number
  /** Number of the member who contributed it. */
  readonly by: number
  /** JSON of a submission; absent if the note was collected automatically. */
  readonly given?: string
  /** For a submission: number of POIs, and their types and resources in lower case. */
  readonly pois?: number
  readonly types?: readonly string[]
  readonly finds?: readonly string[]
  /** Numbers of hidden POIs that members have charted. */
  readonly hidden: readonly number[]
  /** Readings of visited POIs: number, then the units left in each deposit at that time. */
  readonly readings: readonly (readonly number[])[]
}

/** Notes by numbers `faction:system`. */
export const SYSTEM_NOTES = defineRecords<SystemNote>('intel_systems', INTEL_ENTRIES_MAX)

/** A faction's note of the prices at a station. */
export const PriceNote = defineTable('price_note', PRICE_NOTES_MAX, {
  faction: ref('faction', 'faction that knows the prices'),
  base: ref('base', 'station of the prices'),
  sight: ref('sight', 'prices and their tick'),
  quotes: u32('number of items in the sight'),
  by: f64('number of the member who contributed it'),
  given: u8('1 = submitted, 0 = collected automatically'),
})

/** Values of `kind` (append only). */
export const FACT_KINDS = ['ship_order', 'construction', 'purchase'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** An action of a player at a base, which listeners can hear of. */
export interface Fact {
  readonly tick: number
  /** Index into FACT_KINDS. */
  readonly kind: number
  /** Numbers of the player and of their faction; 0 for no faction. */
  readonly by: number
  readonly faction: number
  /** Whether the player was anonymous. */
  readonly isUnnamed: boolean
  readonly what: string
  readonly credits: number
}

/** Facts of a base, the newest first, by its number. */
export const FACTS = defineRecords<readonly Fact[]>('intel_facts', ROWS.bases)

/** A player's espionage. Source: factions.md section 6. */
export const Spy = defineComponent(Player, 'spy', {
  base: ref('base', 'where they listen; 0 none'),
  dueTick: u32('tick in which the listening ends; 0 not listening'),
  freeTick: u32('tick from which they may listen again'),
})

/** Listeners by the tick in which their listening ends. */
export const DUE = defineIndex('intel.listeners', () => new Map<number, Eid[]>())

/** Cache of the tiers of services looked up in a tick. */
export const LEVELS = defineIndex('intel.levels', () => ({
  tick: -1,
  levels: new Map<string, number>(),
}))

/** Submitted text, in bytes of JSON: of each faction, and of all. */
export const BYTES = defineIndex('intel.bytes', () => ({
  all: 0,
  ofFaction: new Map<Row, number>(),
}))

/** Price notes by faction and base, and the quotes that a faction keeps. */
export const PRICE_NOTES = defineIndex('intel.prices', () => ({
  rows: new Map<Row, Map<Row, Row>>(),
  quotes: new Map<Row, number>(),
}))
