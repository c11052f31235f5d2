/**
 * The types that the files of core share: rows, worlds, the outbox of a batch, and how answers are
 * framed. Those files import this one, never the reverse.
 */
import type { ArchiveWrite } from './archive-calls.ts'
import type {
  Catalogs,
  ColumnArray,
  ColumnDefs,
  Columns,
  KernelColumns,
  Layout,
  ReadonlyColumns,
  TableDef,
} from './columns.ts'
import type { Failure, Outcome } from './errors.ts'
import type { Membership, Tag } from './query.ts'
import type { ReadonlyRecords, RecordStore, Records, RecordsDef } from './records.ts'
import type { SeqIndex } from './seq-index.ts'
import type { TextTable } from './text.ts'

/** Sections of the v2 state. Source: WIRE.md section 2. */
export const SECTIONS = [
  'player',
  'ship',
  'modules',
  'cargo',
  'location',
  'missions',
  'queue',
  'skills',
] as const
export type Section = (typeof SECTIONS)[number]

/** Recipients of an event; the domain that owns `kind` resolves them at publication. */
export type Audience =
  | { readonly kind: 'player'; readonly row: Eid }
  | { readonly kind: 'players'; readonly rows: readonly Eid[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'poi' | 'system' | 'base'; readonly row: Row; readonly except?: Eid }

/**
 * A list of a payload that may be long. It is written entry by entry when the batch is published,
 * with other work in between, and passed to main as texts.
 */
export interface LongList {
  /** Field of the payload that holds it, its last one. */
  readonly name: string
  /** Id of its subject: a queue keeps one list per subject, with the latest entry of each key. */
  readonly about: string
  /** Unique names of the entries. */
  readonly keys: readonly string[]
  /** Returns the entry at an index, as the batch left the world. Called once. */
  entry(index: number): Readonly<Record<string, unknown>>
}

/** An event in the outbox, before its audience is resolved. */
export interface Emission {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly audience: Audience
  /** Set for a feed: `payload` holds what all recipients share besides the list. */
  readonly feed?: FeedDiff
  /** The long list of the payload; `payload` holds the fields before it. */
  readonly list?: LongList
}

/** What the codes of a field stand for, from 0. */
export type FeedField =
  | { readonly kind: 'number'; readonly max: number }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'flag' }

/** A field of a head; `entry` is an entry of the list, sent as its key. */
export type HeadField = FeedField | { readonly kind: 'entry' }

/** How the payload of a feed is built, besides the fields that are sent whole each time. */
export interface FeedShape {
  /** Field of the payload that holds the list. */
  readonly list: string
  /** Field that is the key of an entry; fixed, like all fields that are not in `moving`. */
  readonly key: string
  /** Fields of an entry that change while it is in the list, packed into one number. */
  readonly moving: Readonly<Record<string, FeedField>>
  /** Fields of the payload that differ by recipient. */
  readonly head: Readonly<Record<string, HeadField>>
}

export type GuardDef = Contribution<(view: WorldView, about: unknown) => Failure | undefined>
export type GrantDef = Contribution<(view: WorldView, about: unknown) => boolean>
export type Guards = Contributions<GuardDef['run']>
export type Grants = Contributions<GrantDef['run']>

/** A point to which domains above may add behaviour, by its name. */
export interface ExtensionPoint {
  readonly name: string
  /** Domains that add to it, in this order; by default the order of the registry. */
  readonly order?: readonly string[]
}

/** What a domain adds to an extension point of another. */
export interface Contribution<F> {
  readonly to: ExtensionPoint
  readonly run: F
}

/** What a domain does on an occurrence. */
export type ObserverDef = Contribution<(world: World, payload: unknown) => void>

/** Contributions by the name of their extension point, in the order in which they run. */
export type Contributions<F> = ReadonlyMap<string, readonly F[]>
export type Observers = Contributions<ObserverDef['run']>

/** How a connection frames its answers; a pending answer keeps the framing of its command. */
export const FRAMINGS = ['ws1', 'ws2', 'http1', 'http2', 'mcp1', 'mcp2'] as const
export type Framing = (typeof FRAMINGS)[number]

/** A command as net hands it over: its parameters match its schema. */
export interface Submission {
  /** Identifies the exchange that waits; unique over all runs of the process. */
  readonly ref: number
  /** The player's number; 0 when nobody is logged in. */
  readonly player: number
  /** Key of the definition in the registry. */
  readonly command: string
  readonly params: Readonly<Record<string, unknown>>
  readonly framing: Framing
  readonly requestId?: string
  /**
   * Password hashes and the like: passed only to an archive write of the same batch, and never
   * journalled.
   */
  readonly secret?: Readonly<Record<string, string>>
}

/** An input of a batch as the journal keeps it. */
export type JournalInput = Omit<Submission, 'secret'>

/** A mutation whose answer is pending: world state, one per player. */
export interface PendingAnswer extends JournalInput {
  readonly sinceTick: number
  readonly autoDocked?: true
  readonly autoUndocked?: true
}

/**
 * The changes in the list of a feed since the tick before (core/wire/feed.ts). Places count from 0;
 * the code of an entry holds its moving fields; a head has one code per field.
 */
export interface FeedDiff {
  /** Durable number of the list's subject. */
  readonly feed: number
  /** The tick of this diff; unless full, it follows the diff of the tick before. */
  readonly tick: number
  /** The list was empty before: everything is added. */
  readonly isFull: boolean
  /** Entries that left and entries that came; absent if there are none. */
  readonly moves?: {
    /** Places in the old list of entries that left, ascending. */
    readonly gone: Int32Array
    /** Places in the new list of entries that came, ascending, with codes and fixed fields. */
    readonly added: Int32Array
    readonly codes: Int32Array
    readonly fixed: readonly Readonly<Record<string, unknown>>[]
  }
  /** Places in the new list of entries that changed, ascending, with codes. */
  readonly changed: Int32Array
  readonly codes: Int32Array
  readonly heads: Int32Array
}

/**
 * A row of an entity, in this process. It is never sent, and nothing is sorted by it: the durable
 * name of an entity is its `seq`.
 */
export type Eid = number
/** A row of any table; 0 for none. */
export type Row = number

/** Columns by type of array: a loop over a single type is ten times as fast. */
export interface Lanes {
  readonly doubles: readonly Float64Array[]
  readonly words: readonly Uint32Array[]
  readonly shorts: readonly Uint16Array[]
  readonly bytes: readonly Uint8Array[]
  readonly others: readonly { readonly array: ColumnArray; readonly width: number }[]
}

/** How often tables of a world were taken for writing, and which may be. */
export interface Writes {
  count: number
  /** The running system and the tables it declares; undefined: every table may be written. */
  declared: DeclaredWrites | undefined
}

/** The tables that a system declares to write. */
export interface DeclaredWrites {
  readonly by: string
  readonly tables: ReadonlySet<string>
}

/** A table in memory. */
export interface Store {
  readonly def: TableDef
  readonly writes: Writes
  readonly columns: Record<string, ColumnArray>
  readonly rowsMax: number
  /** Columns that a new row clears, and those that own texts. */
  readonly lanes: Lanes
  readonly textColumns: readonly ColumnArray[]
  /** Components of this kind: cleared with its rows. */
  readonly components: Store[]
  /** Highest row ever used; that of a component is that of its kind. */
  high: number
  /** Rows to reuse, the last one first. */
  free: number[]
  /** Rows released in this tick: available from the next one on. */
  freed: number[]
  count: number
  /** Entities only. */
  readonly membership: Membership | undefined
  nextSeq: number
  /** For entities: rows by durable number. */
  readonly bySeq: SeqIndex
  /** True when the cached hash is out of date. */
  dirty: boolean
  /** True when its references may have changed since they were checked. */
  unchecked: boolean
  hash: readonly [number, number]
}

/** The world as queries see it: its type has no writes. */
export interface WorldView {
  readonly seed: number
  /** The tick being computed, or, between ticks, the last one computed. */
  readonly tick: number
  readonly tickMs: number
  /** Wall time of the batch that ran last, from the journal; milliseconds since 1970. */
  readonly wallMs: number
  readonly maxEntities: number
  /** The kind of entity that players are. */
  readonly players: TableDef
  readonly texts: Pick<TextTable, 'get'>
  /** For functions shared with kernels; they write only scratch columns. */
  readonly kernelColumns: KernelColumns
  read<C extends ColumnDefs>(table: TableDef<C>): ReadonlyColumns<C>
  /** Returns the row of an entity's durable number; 0 if there is none (any more). */
  rowOf(table: TableDef, seq: number): Eid
  records<T>(def: RecordsDef<T>): ReadonlyRecords<T>
  /** Returns the highest row ever used: the bound of a scan. */
  highOf(table: TableDef): number
  countOf(table: TableDef): number
  /** Returns how many rows can still be taken in this tick: those released in it cannot. */
  roomIn(table: TableDef): number
  /** Returns the rows with all the tags, in order of durable numbers. Source: STYLE B, Data. */
  byId(table: TableDef, tags: readonly Tag[]): Eid[]
  has(table: TableDef, row: Eid, tag: Tag): boolean
  /** What domains contribute to occurrences, guards and grants of others. */
  readonly observers: Observers
  readonly guards: Guards
  readonly grants: Grants
  /** Renders a section of the v2 state. */
  section(name: Section, player: Eid): unknown
  /**
   * Grows whenever a table is taken for writing: while no command or system runs, a cached value
   * holds as long as this stays the same.
   */
  readonly writes: number
  /** Returns an index of a domain, created once per world: derived state, dropped by a restore. */
  index<T>(key: IndexKey<T>): T
}

/** A declared index (`defineIndex`). */
export interface IndexKey<T> {
  readonly name: string
  /** Its position among the indexes of a world. */
  readonly place: number
  make(): T
}

/** The world as commands and systems see it. */
export interface World extends WorldView {
  seed: number
  tick: number
  wallMs: number
  /** Number of the last batch that ran. */
  batch: number
  /** Lists that columns hold indexes into: an image keeps their ids. */
  readonly catalogs: Catalogs
  readonly layout: Layout
  readonly buffer: SharedArrayBuffer
  readonly texts: TextTable
  readonly stores: ReadonlyMap<string, Store>
  readonly recordStores: ReadonlyMap<string, RecordStore>
  write<C extends ColumnDefs>(table: TableDef<C>): Columns<C>
  /** Makes writes to other tables fail an assertion from now on; undefined lifts that. */
  declareWrites(declared: DeclaredWrites | undefined): void
  records<T>(def: RecordsDef<T>): Records<T>
  take(table: TableDef): Row
  /** Returns the next number of a named sequence, from 1. */
  nextNumber(name: string): number
  release(table: TableDef, row: Row): void
  /** Returns the row in which a kernel stages what row `row` of `table.stagedFor` requests. */
  stagedRow(table: TableDef, row: Row): Row
  isStaged(table: TableDef, row: Row): boolean
  /** Returns the row of `table.stagedFor` that a staged row belongs to. */
  stagedFor(table: TableDef, staged: Row): Row
  /**
   * Takes a row and copies a staged one into it; the caller updates references to it. Rows are only
   * taken now, so that a refused request leaves no gap (I12).
   */
  adopt(table: TableDef, staged: Row): Row
  /** Clears a row that is not taken: a staged one, or one of a scratch table. */
  clearRow(table: TableDef, row: Row): void
  tag(table: TableDef, row: Eid, tag: Tag): void
  untag(table: TableDef, row: Eid, tag: Tag): void
  /** Replaces the text that a column of the row owns. */
  setText(table: TableDef, column: string, row: Row, text: string): void
  /** Makes the rows released so far usable again, at the end of a tick. */
  recycle(): void
  /** Events, archive writes and answers of the running batch; taken when it ends. */
  outbox: Outbox
  /** The running command: the ref of the exchange that waits, and its framing. */
  readonly running: { ref: number; framing: Framing }
  dropIndexes(): void
}

/** What a batch produces besides the world; published once its journal row is durable. */
export interface Outbox {
  readonly emissions: Emission[]
  readonly writes: ArchiveWrite[]
  readonly settled: SettledAnswer[]
}

/** The outcome of a mutation. */
interface SettledAnswer {
  readonly pending: PendingAnswer
  readonly outcome: Outcome<unknown>
}
