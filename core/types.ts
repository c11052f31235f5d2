/**
 * The types that the parts of the kernel share: rows, worlds, what a batch leaves behind, and how
 * answers are framed. Imports no part that names them.
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

/** Whom an event is for; the domain that owns `kind` resolves it when the batch is published. */
export type Audience =
  | { readonly kind: 'player'; readonly row: Eid }
  | { readonly kind: 'players'; readonly rows: readonly Eid[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'poi' | 'system' | 'base'; readonly row: Row; readonly except?: Eid }

/**
 * A list of a payload that may be long. It is put together entry by entry when the batch is
 * published, with others' work in between, and crosses to main as texts.
 */
export interface LongList {
  /** Field of the payload that holds it, the last one of it. */
  readonly name: string
  /** Id of what the list is about: a queue keeps one list of each, the last word on each key. */
  readonly about: string
  /** Names of the entries, each another. */
  readonly keys: readonly string[]
  /** The entry at a place, as the batch left the world. Asked for once. */
  entry(place: number): Readonly<Record<string, unknown>>
}

export interface Emission {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly audience: Audience
  /** Of a feed: `payload` is what is shared beside its list. */
  readonly feed?: FeedDiff
  /** `payload` is what stands before it. */
  readonly list?: LongList
}

/** What the code of a field stands for, from 0. */
export type FeedField =
  | { readonly kind: 'number'; readonly max: number }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'flag' }

/** A field of a head; `entry` is an entry of the list, told by its key. */
export type HeadField = FeedField | { readonly kind: 'entry' }

/** How the payload of a feed is put together, beside the fields that are told whole each time. */
export interface FeedShape {
  /** Field of the payload that holds the list. */
  readonly list: string
  /** Field of an entry that names it: fixed, as all fields of an entry that are not moving. */
  readonly key: string
  /** Fields of an entry that change while it is in the list: one number holds them all. */
  readonly moving: Readonly<Record<string, FeedField>>
  /** Fields of the payload that differ by recipient. */
  readonly head: Readonly<Record<string, HeadField>>
}

export type GuardDef = Contribution<(view: WorldView, about: unknown) => Failure | undefined>
export type GrantDef = Contribution<(view: WorldView, about: unknown) => boolean>
export type Guards = Contributions<GuardDef['run']>
export type Grants = Contributions<GrantDef['run']>

/** Something that domains above may add to, by its name. */
export interface Opening {
  readonly name: string
  /** Domains that add to it, in this order; without it in the order of the registry. */
  readonly order?: readonly string[]
}

/** What a domain adds to an opening of another. */
export interface Contribution<F> {
  readonly to: Opening
  readonly run: F
}

/** What a domain does on an occurrence. */
export type ObserverDef = Contribution<(world: World, payload: unknown) => void>

/** Contributions by the name of what they add to, in the order in which they run. */
export type Contributions<F> = ReadonlyMap<string, readonly F[]>
export type Observers = Contributions<ObserverDef['run']>

/** How a connection frames its answers; a pending answer goes to the framing that asked. */
const FRAMINGS = ['ws1', 'ws2', 'http1', 'http2', 'mcp1', 'mcp2'] as const
export type Framing = (typeof FRAMINGS)[number]

/** A command as net hands it over: its schema has been checked. */
export interface Submission {
  /** Unique for this process run and every earlier one; names the exchange that waits. */
  readonly ref: number
  /** The player's number; 0 when nobody is logged in. */
  readonly player: number
  /** Key of the definition in the registry. */
  readonly command: string
  readonly params: Readonly<Record<string, unknown>>
  readonly framing: Framing
  readonly requestId?: string
  /**
   * Goes to an archive write of the same batch and nowhere else: never journalled (password
   * hashes).
   */
  readonly secret?: Readonly<Record<string, string>>
}

/** An input of a batch as the journal keeps it. */
export type JournalInput = Omit<Submission, 'secret'>

/** An answer still owed: world state, one a player. */
export interface PendingAnswer extends JournalInput {
  readonly sinceTick: number
  readonly autoDocked?: true
  readonly autoUndocked?: true
}

/**
 * What became of the list of a feed since the tick before (core/wire/feed.ts). Places count from 0;
 * the code of an entry is its moving fields, packed; a head has one code a field.
 */
export interface FeedDiff {
  /** Durable number of what the list is about. */
  readonly feed: number
  /** It follows what was told in the tick before, unless it is full. */
  readonly tick: number
  /** The list was empty before: everything is added. */
  readonly isFull: boolean
  /** Who left and who came; absent when nobody did. */
  readonly moves?: {
    /** Places in the old list of what has left, ascending. */
    readonly gone: Int32Array
    /** Places in the new list of what came, ascending, with codes and fixed fields. */
    readonly added: Int32Array
    readonly codes: Int32Array
    readonly fixed: readonly Readonly<Record<string, unknown>>[]
  }
  /** Places in the new list of what changed, ascending, with codes. */
  readonly changed: Int32Array
  readonly codes: Int32Array
  readonly heads: Int32Array
}

/**
 * A row of an entity, in this process. Never sent, never sorted by: its durable name is its `seq`.
 */
export type Eid = number
/** A row of any table; 0 for none. */
export type Row = number

/** Columns by kind of array: a loop that sees one kind only is ten times as quick. */
export interface Lanes {
  readonly doubles: readonly Float64Array[]
  readonly words: readonly Uint32Array[]
  readonly shorts: readonly Uint16Array[]
  readonly bytes: readonly Uint8Array[]
  readonly others: readonly { readonly array: ColumnArray; readonly width: number }[]
}

/** How often a table of a world was taken for writing, and which may be. */
export interface Writes {
  count: number
  /** What runs, and the names of the tables it declares; undefined: every table may be written. */
  declared: DeclaredWrites | undefined
}

export interface DeclaredWrites {
  readonly by: string
  readonly tables: ReadonlySet<string>
}

export interface Store {
  readonly def: TableDef
  readonly writes: Writes
  readonly columns: Record<string, ColumnArray>
  readonly rowsMax: number
  /** Its columns as a new row clears them, and those that own texts: listed once. */
  readonly lanes: Lanes
  readonly textColumns: readonly ColumnArray[]
  /** Components of this kind: cleared with its rows. */
  readonly components: Store[]
  /** Highest row ever used; a component's is that of its kind. */
  high: number
  /** Rows to use again, the last one first. */
  free: number[]
  /** Rows given back in this tick: usable from the next on. */
  freed: number[]
  count: number
  /** Entities only. */
  readonly membership: Membership | undefined
  nextSeq: number
  /** Of entities: rows by durable number. */
  readonly bySeq: SeqIndex
  /** True while the cached hash does not hold. */
  dirty: boolean
  /** True while its references have changed, or may have, since they were checked. */
  unchecked: boolean
  hash: readonly [number, number]
}

/** What a query may do: look. The types keep it from writing. */
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
  /** For functions that kernels share; what these write is scratch. */
  readonly kernelColumns: KernelColumns
  read<C extends ColumnDefs>(table: TableDef<C>): ReadonlyColumns<C>
  /** The row of an entity's durable number; 0 if it is gone or never was. */
  rowOf(table: TableDef, seq: number): Eid
  records<T>(def: RecordsDef<T>): ReadonlyRecords<T>
  /** Highest row in use or used before: the bound of a scan. */
  highOf(table: TableDef): number
  countOf(table: TableDef): number
  /** Rows that can still be taken in this tick: those given back in it cannot. */
  roomIn(table: TableDef): number
  /** Rows with all the tags, in durable-id order. Source: STYLE B, Data. */
  byId(table: TableDef, tags: readonly Tag[]): Eid[]
  has(table: TableDef, row: Eid, tag: Tag): boolean
  /** What domains add to occurrences, guards and grants of others. */
  readonly observers: Observers
  readonly guards: Guards
  readonly grants: Grants
  /** A section of the v2 state as its domain renders it. */
  section(name: Section, player: Eid): unknown
  /**
   * Grows whenever a table is taken for writing: between batches, what was worked out at one number
   * holds while it stands.
   */
  readonly writes: number
  /** A domain's own index, made once a world; derived state, emptied by `rebuild`. */
  index<T>(key: IndexKey<T>): T
}

export interface IndexKey<T> {
  readonly name: string
  make(): T
}

export interface World extends WorldView {
  seed: number
  tick: number
  wallMs: number
  /** Number of the last batch that ran. */
  batch: number
  /** Lists that columns hold indexes into: images name their ids. */
  readonly catalogs: Catalogs
  readonly layout: Layout
  readonly buffer: SharedArrayBuffer
  readonly texts: TextTable
  readonly stores: ReadonlyMap<string, Store>
  readonly recordStores: ReadonlyMap<string, RecordStore>
  write<C extends ColumnDefs>(table: TableDef<C>): Columns<C>
  /** From now on a write to any other table is a failed assertion; undefined lifts that. */
  declareWrites(declared: DeclaredWrites | undefined): void
  records<T>(def: RecordsDef<T>): Records<T>
  take(table: TableDef): Row
  /** The next of a named sequence, from 1. */
  nextNumber(name: string): number
  release(table: TableDef, row: Row): void
  /** The row in which a kernel makes what row `row` of `table.stagedFor` asks for. */
  stagedRow(table: TableDef, row: Row): Row
  isStaged(table: TableDef, row: Row): boolean
  /** The row of `table.stagedFor` that a staged row belongs to. */
  stagedFor(table: TableDef, staged: Row): Row
  /**
   * Takes a row and copies a staged one into it; references to it are the caller's to mend. Rows
   * are given out only now, so that what was refused leaves no gap (I12).
   */
  adopt(table: TableDef, staged: Row): Row
  /** Clears a row that is not taken: a staged one, or one of a scratch table. */
  clearRow(table: TableDef, row: Row): void
  tag(table: TableDef, row: Eid, tag: Tag): void
  untag(table: TableDef, row: Eid, tag: Tag): void
  /** Replaces the text a column of the row owns. */
  setText(table: TableDef, column: string, row: Row, text: string): void
  /** Makes the rows released so far usable again: the end of a tick. */
  recycle(): void
  /** Everything the running batch tells; taken when it ends. */
  outbox: Outbox
  /** The command that runs: its ref names the waiting exchange, and how that is framed. */
  readonly running: { ref: number; framing: Framing }
  dropIndexes(): void
}

/** What a batch leaves behind besides the world: told after its journal row is durable. */
export interface Outbox {
  readonly emissions: Emission[]
  readonly writes: ArchiveWrite[]
  readonly settled: SettledAnswer[]
}

/** The outcome of a mutation, in the order in which they came about. */
interface SettledAnswer {
  readonly pending: PendingAnswer
  readonly outcome: Outcome<unknown>
}
