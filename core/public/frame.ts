/**
 * The public frame: what the world thread publishes about a tick for readers without a login, as
 * plain data. It is an allow list: a field that is not named here is never public. Places are named
 * by their index in the chart of the frame, players by their number. Source: WEB 3.
 */
import type { Static } from '../params.ts'
import type { Outbox, WorldView } from '../types.ts'
import type { FeedMessage } from './events.ts'
import type { BattleSummary } from './past.ts'
import type { TopicData } from './topics.ts'
import type {
  FactionBody,
  MoversBody,
  mapSystem,
  PlayerBody,
  StationBody,
  StationsBody,
  TerritoryBody,
} from './world.ts'

/** JSON of a value: passed between threads as text, and parsed where it is needed. */
export type JsonOf<T> = string & { readonly value?: T }

/** What is new or has changed in a keyed section, and what is gone. */
export interface Patch<T> {
  /** True if `set` is the whole section. */
  readonly isWhole: boolean
  readonly set: readonly (readonly [key: string, value: JsonOf<T>])[]
  readonly gone: readonly string[]
}

/** A facility, without what the catalogue has about its type. */
export interface ShownFacility {
  readonly id: string
  readonly type: string
  /** Absent: that of its type. */
  readonly name?: string
  /** The description that its owner has given. */
  readonly said?: string
  readonly isMaintained: boolean
  readonly isActive: boolean
}

/** A station, by its id. */
export type StationEntry = Omit<StationBody, 'facilities'> &
  Pick<StationsBody['stations'][number], 'facility_count'> & {
    readonly facilities: readonly ShownFacility[]
  }

/** A faction, by its id; its counters are in its record. */
export type FactionEntry = Omit<
  FactionBody,
  'wars' | 'enemies' | 'ranks' | 'ranks_top_n' | 'achievements' | 'titles' | 'emblems'
> & {
  readonly wars: readonly (Omit<FactionBody['wars'][number], 'our_kills' | 'their_kills'> & {
    readonly enemy: string
  })[]
}

/** Number of an achievement, and when it was earned, ms since 1970. */
export type EarnedAt = readonly [no: number, atMs: number]

/** Hourly record of a faction: what it has earned, and kills by the id of its enemies. */
export interface FactionRecord {
  readonly earned: readonly EarnedAt[]
  readonly kills: Readonly<Record<string, readonly [ours: number, theirs: number]>>
}

/** A player, by their number; other sections have where they are and what they have done. */
export type PlayerCard = Pick<
  PlayerBody,
  | 'username'
  | 'empire'
  | 'empire_name'
  | 'clan_tag'
  | 'status_message'
  | 'primary_color'
  | 'secondary_color'
  | 'created_at'
  | 'faction'
>

/** Hourly record of a player. */
export interface PlayerRecord {
  readonly stats: PlayerBody['stats']
  readonly earned: readonly EarnedAt[]
}

/** A leaderboard, best first; its key is `players <name>`, `factions <name>` and so on. */
export interface Board {
  /** Ms since 1970. */
  readonly madeMs: number
  readonly rows: readonly BoardRow[]
}

export interface BoardRow {
  readonly name: string
  /** Empire of a player, tag of a faction. */
  readonly of: string
  readonly value: number
  /** On a board of achievements: how many. */
  readonly earned?: number
}

/** Facts about the world as a whole, by name. */
export interface WorldNotes {
  readonly territory: TerritoryBody
  readonly movers: MoversBody
  /** Id of the system where the mobile capital is; empty without one. */
  readonly mobile_base: string
}

/** The keyed sections. */
export interface PublicDocs {
  readonly stations: StationEntry
  readonly factions: FactionEntry
  readonly factionRecords: FactionRecord
  readonly players: PlayerCard
  readonly playerRecords: PlayerRecord
  readonly boards: Board
  readonly world: WorldNotes[keyof WorldNotes]
}
export type DocSection = keyof PublicDocs
export type DocPatches = { readonly [S in DocSection]?: Patch<PublicDocs[S]> }

/** Public books (an item at a station, by price level) as they are now. */
export interface BookPatch {
  /** True if these are all books. */
  readonly isWhole: boolean
  /** Ids of the stations that `heads` counts by. */
  readonly bases: readonly string[]
  /** The numbers of BOOK_HEAD for each book, in that order. */
  readonly heads: Float64Array
  /** [price, units] for each level: bids of a book, best first, then its asks. */
  readonly levels: Float64Array
}

/** Figures of a book besides its levels. */
export const BOOK_HEAD = [
  /** Index into `bases`. */
  'base',
  /** Index into the goods of the catalogue. */
  'item',
  'bid_quantity',
  'ask_quantity',
  /** Units within 25 % of the best price. */
  'bid_reasonable',
  'ask_reasonable',
  /** Units of the station manager. */
  'bid_manager',
  'ask_manager',
  /** Traded in the last 24 hours: units, and credits per unit. */
  'volume_24h',
  'vwap_24h',
  /** Number of levels that follow. */
  'bids',
  'asks',
] as const

export type ChartSystem = Static<typeof mapSystem> & {
  readonly description: string
  readonly security_status: string
}

export interface ChartPoi {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly class?: string
  /** Index of its system. */
  readonly system: number
  /** AU. */
  readonly x: number
  readonly y: number
  readonly base_id?: string
}

/** Everything charted. */
export interface PublicChart {
  readonly systems: readonly ChartSystem[]
  readonly pois: readonly ChartPoi[]
  readonly empires: readonly {
    readonly id: string
    readonly name: string
    readonly color: string
  }[]
}

/** Who is where, counted for each frame: lists with rows of fixed width. */
export interface Presence {
  /** [poi, players online there whom a stranger can count]. */
  readonly online: Int32Array
  /** [system, players online in it whom a stranger can count]: local flights are among them. */
  readonly onlineBySystem: Int32Array
  /** [2 × poi + 1 if docked, player]: those shown with their names. */
  readonly named: Int32Array
  /** [system, player]: those shown with their names who fly from place to place. */
  readonly namedFlying: Int32Array
  /**
   * Players online who are in neither list, by number: that somebody is online is not secret.
   */
  readonly bound: Int32Array
  /** [system, pirates, ships of empires] on charted places and lanes. */
  readonly npcs: Int32Array
}

/** Flights in groups: [from, to, tick of departure, tick of arrival, ships]. */
export interface Flights {
  /** Between systems. */
  readonly jumps: Int32Array
  /** Between charted places of a system. */
  readonly local: Int32Array
}

/** A turn of a battle; without its ships if they are those of the turn before. */
export type ThinTurn = Omit<Turn, Listed> & Partial<Pick<Turn, Listed>>
type Turn = TopicData['battle']
type Listed = 'ships' | 'zones' | 'damage_types'

/** What strangers may read about one tick. */
export interface PublicFrame {
  readonly tick: number
  /** Wall time of the tick, ms since 1970. */
  readonly wallMs: number
  /** True if it is self-contained; otherwise it builds on the frame before. */
  readonly isFull: boolean
  /** True if it was too large: it counts who is where, without names. */
  readonly isCut?: boolean
  /** Approximate size in memory. */
  readonly bytes: number
  readonly figures: {
    readonly online: number
    readonly players: number
    readonly systems: number
  }
  /** In full frames, and when it has changed. */
  readonly chart?: PublicChart
  readonly presence: Presence
  readonly flights: Flights
  /** [system, 0 to 100]: how much fighting there was in the last 60 ticks. */
  readonly heat: Int32Array
  /** Summaries of battles on the chart; only of those that are sent again. */
  readonly battles: readonly BattleSummary[]
  /** Ids of all battles, in order; absent: `battles` has them all. */
  readonly going?: readonly string[]
  readonly docs: DocPatches
  /** Absent if no book has changed. */
  readonly books?: BookPatch
  /** Events of the feed since the frame before, oldest first. */
  readonly events: readonly FeedMessage[]
  /** The turns of each battle on the chart since the frame before, tick by tick. */
  readonly turns: readonly ThinTurn[]
}

/** Builds public frames. It only reads the world. */
export interface PublicProjection {
  /** Reads the outbox of a batch once it is durable, before the next one runs. */
  observe(view: WorldView, outbox: Outbox): void
  /** Builds a frame in steps; the world must not change between them. */
  build(view: WorldView, isFull: boolean): Generator<void, PublicFrame>
}
