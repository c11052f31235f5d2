/**
 * The narrow ports: main and world exchange plain data only (DESIGN 1), which could also cross a
 * process boundary, and storage is what the world's batches are written to.
 */
import type { ArchiveRead, ArchiveWrite } from './archive-calls.ts'
import type { Outcome } from './errors.ts'
import type { IdMarks } from './id-marks.ts'
import type { PackedFrame } from './public/crossing.ts'
import type { FeedDiff, Framing, JournalInput, Section, Submission } from './types.ts'
import type { JournalSplit, SlowTicks, TickFigures } from './wire/tick-figures.ts'

/**
 * Ref of a command that ran in a batch: main need not send it again, whatever happens to the world
 * thread.
 */
type RanCommand = number

/** An answer of the world to a command. */
export interface Answer {
  readonly ref: number
  readonly player: number
  readonly command: string
  readonly framing: Framing
  readonly requestId?: string
  /**
   * `accepted`: the acknowledgement of a mutation; `final`: its outcome, or the answer to anything
   * else.
   */
  readonly stage: 'accepted' | 'final'
  readonly tick: number
  readonly outcome: Outcome<unknown>
  readonly autoDocked?: true
  readonly autoUndocked?: true
  /** v2: the sections of state that the command changes. */
  readonly sections?: Partial<Record<Section, unknown>>
  /** Result and sections as JSON, which then replace both (core/wire/packed.ts). */
  readonly packed?: PackedResult
  /**
   * An archive query: main runs this method of the port `Archive` and answers with what it returns.
   */
  readonly archive?: ArchiveRead
}

/** A result as JSON texts. */
export interface PackedResult {
  readonly result: string
  readonly sections?: string
  /** The result's own message, if it has one. */
  readonly message?: string
  /** For v1, of an answer to a query: whether its result has a field `action`. */
  readonly namesAction?: boolean
  /** For v2, of an answer to a query: its text. */
  readonly words?: string
  /** The JSON frame of an outcome, which main assembles before the batch is durable. */
  frame?: string
}

/** An event with its recipients. */
export interface PublishedEmission {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Numbers of the players to whom it is sent; bound ones only. */
  readonly to: readonly number[]
  /** The payload as JSON, which then replaces it (core/wire/packed.ts). */
  readonly text?: string
  /** Set for a feed: what changed in its list, and a head for each of `to`. */
  readonly feed?: FeedDiff
  /** The long list of the payload; `payload` has the fields before it. */
  readonly list?: PackedList
}

/** A long list of a payload (core/event.ts): each entry as JSON, under its key. */
export interface PackedList {
  readonly name: string
  readonly about: string
  readonly keys: readonly string[]
  readonly entries: readonly string[]
}

/** A batch whose journal row is durable: everything that may now leave the server. */
export interface PublishedBatch {
  readonly batch: number
  /** The tick computed, or 0 for a batch of immediates. */
  readonly tick: number
  readonly ran: readonly RanCommand[]
  readonly answers: readonly Answer[]
  readonly emissions: readonly PublishedEmission[]
  /** Logins here that another node has ended; handled before the rest, or after it if `isNewer`. */
  readonly ended?: readonly EndedLogins[]
  /** Commands of players that took effect at once and were sent by other nodes. */
  readonly elsewhere?: readonly RanElsewhere[]
}

/** What a batch sends, or a part of it. */
export type Messages = Pick<PublishedBatch, 'answers' | 'emissions'>

/** A command of a player that another node sent. */
export interface RanElsewhere {
  readonly player: number
  readonly command: string
}

/** Logins of a player that have ended. */
export interface EndedLogins {
  readonly player: number
  /** `socket`: another node has a newer one; `all`: the password was reset. */
  readonly what: 'socket' | 'all'
  /** The login elsewhere came after one here in the same batch, and ends that one too. */
  readonly isNewer?: true
}

/** A batch as the journal keeps it. */
export interface JournalRow {
  readonly batch: number
  readonly tick: number
  /** 0 for a tick's row, else the number of this batch of immediates after that tick, from 1. */
  readonly part: number
  readonly rulesVersion: number
  readonly wallMs: number
  readonly inputs: readonly JournalInput[]
  /** Outcomes of archive writes that a command waited for, by ref. */
  readonly archived: Readonly<Record<string, Outcome<unknown>>>
  readonly hash: string | null
  /** Stored beside the row when they have risen; not part of it. */
  readonly idMarks?: IdMarks
}

export type ToWorld =
  | { readonly kind: 'submit'; readonly commands: readonly Submission[] }
  /**
   * The batch has been handed to the sockets; the next one may be published. `isLost`: a part of it
   * was lost, so later ones must not build on it. `busyMs`: how long main worked on it.
   */
  | {
      readonly kind: 'published'
      readonly batch: number
      readonly isLost?: boolean
      readonly busyMs?: number
    }
  /** Steps the clock by hand (tests): runs that many ticks. */
  | { readonly kind: 'step'; readonly ticks: number }
  | { readonly kind: 'snapshot'; readonly token: number }
  | { readonly kind: 'slow_ticks'; readonly token: number }
  /** The next public frame must be self-contained: main has lost the earlier ones. */
  | { readonly kind: 'public_again' }
  /**
   * Runs a last tick, takes a snapshot, ends. `handsOver`: another node has the world in memory, so
   * there is no snapshot.
   */
  | { readonly kind: 'stop'; readonly handsOver?: boolean }

/** How a commit went. */
export interface CommitFigures {
  readonly ms: number
  /** Bytes of the row as stored. */
  readonly bytes: number
  /** Absent: the store does not measure it. */
  readonly split?: JournalSplit
}

export type ToMain =
  | {
      readonly kind: 'ready'
      readonly tick: number
      readonly batch: number
      readonly seed: number
      readonly tickMs: number
      /** Refs of commands that batches hold, answered or still pending. */
      readonly held: readonly number[]
      /** The file with the processor time of the world thread; absent: there is none. */
      readonly cpuFigures?: string
    }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  /**
   * Messages of a tick, its events before its answers; the batch has the last ones. Main sends none
   * before it knows that the tick is durable, and drops them if the thread ends before that.
   */
  | ({ readonly kind: 'ahead'; readonly batch: number } & Messages)
  /** A tick is durable, but some of its messages are still to come. */
  | ({ readonly kind: 'durable' } & Omit<PublishedBatch, keyof Messages>)
  /**
   * `commit`: how its journal row was written; absent if the row was read. `delayMs`: for a row
   * from the bus, the time from durable to applied, without the replay.
   */
  | {
      readonly kind: 'batch'
      readonly batch: PublishedBatch
      readonly commit?: CommitFigures
      readonly delayMs?: number
    }
  | { readonly kind: 'stepped'; readonly tick: number; readonly hash: string }
  | { readonly kind: 'snapshotted'; readonly token: number; readonly error?: string }
  | { readonly kind: 'slow_ticks'; readonly token: number; readonly report: SlowTicks }
  | { readonly kind: 'stopped' }
  /** The leader has unbound all players of this node, who may still be connected. */
  | { readonly kind: 'unbound' }
  /** This node has the lease with that epoch, which main remembers. */
  | { readonly kind: 'leads'; readonly epoch: number }
  /** An operator has requested that this node, which leads, hands over. */
  | { readonly kind: 'step_down' }
  | { readonly kind: 'cluster'; readonly figures: ClusterFigures }
  | { readonly kind: 'log'; readonly level: string; readonly fields: object; readonly text: string }
  | { readonly kind: 'tick_over'; readonly figures: TickFigures }
  /** `wallMs`: wall time of the world in the snapshot. `tookMs`: time until it was stored. */
  | {
      readonly kind: 'snapshot'
      readonly result: 'loaded' | 'stored' | 'failed'
      readonly wallMs: number
      readonly tookMs: number
    }
  /** What strangers may read about a tick; the first frame is a full one. */
  | { readonly kind: 'public'; readonly frame: PackedFrame }
  | { readonly kind: 'fatal'; readonly text: string }

/** What the world thread of a cluster node reports to its main, every NODE_BEAT_MS. */
export interface ClusterFigures {
  readonly leads: boolean
  /** The leadership that it holds or follows; 0: it knows none. */
  readonly leadership: number
  readonly isBusUp: boolean
  /** Time since it was last known to be at the head of the world, or (leader) on the bus, ms. */
  readonly staleMs: number
  /** Durable batches that it knows of and has not applied. */
  readonly lagBatches: number
  /** Since the thread started: rows applied, rows read from the database, commands forwarded. */
  readonly rowsApplied: number
  readonly rowsFilled: number
  readonly forwarded: number
  /** Bytes of the slices in which those were sent. */
  readonly forwardedBytes: number
  /** What it has sent as leader: bytes of rows before compression, and inputs in them. */
  readonly sentRowBytes: number
  readonly sentInputs: number
  /** Bytes of the largest message that it has sent. */
  readonly largestMessage: number
  /** How long it took this thread to lead, from the lease to the first batch it could run, ms. */
  readonly takeoverMs?: number
}

/** The figures of a node as main uses them. */
export interface NodeFigures extends ClusterFigures {
  /** How often this process has begun to lead. */
  readonly takeovers: number
}

/** Name of the error with which a world thread ends because one of its kernel threads did. */
export const KERNEL_THREAD_ERROR = 'KernelThreadError'

/** Called with a slice of work, in times of `performance.now()`. */
export type TakeSlice = (startMs: number, ms: number) => void

/** The store of batches: PostgreSQL, or in tests memory with faults. */
export interface BatchStore {
  /**
   * Writes the journal row and, in the same transaction, the archive rows that do not follow from
   * it. Resolves once both are durable, with the row as stored, which has the outcomes of these
   * writes.
   */
  commit(row: JournalRow, writes: readonly ArchiveWrite[]): Promise<JournalRow>
  /**
   * Takes the archive writes of a replayed batch: those that a crash kept from the archive are
   * written now. Absent: `commit` writes everything in its transaction.
   */
  project?(row: JournalRow, writes: readonly ArchiveWrite[]): Promise<void>
  /** Resolves when the archive has everything it was given. */
  projected?(): Promise<void>
  /** Returns the bytes of all rows written; absent: the store does not count them. */
  writtenBytes?(): number
  /** Returns how long the last commit took, by part; absent: the store does not measure it. */
  lastSplit?(): JournalSplit | undefined
  /** Stores an image; calls `sliced` with each slice of work that blocked this thread. */
  saveSnapshot(image: WorldImage, sliced?: TakeSlice): Promise<void>
  latestSnapshot(): Promise<WorldImage | undefined>
  /** Returns the journal rows after a batch, in order, up to the last durable one. */
  journalAfter(batch: number): AsyncIterable<JournalRow>
  close(): Promise<void>
}

/** A column in an image. */
export interface ColumnImage {
  readonly name: string
  readonly kind: string
  readonly width: number
  /** Rows 0 … high. */
  readonly bytes: Uint8Array
}

/** A table in an image. */
export interface TableImage {
  readonly name: string
  readonly high: number
  readonly nextSeq: number
  readonly free: readonly number[]
  /** Rows released since the last tick: not available before the next. */
  readonly freed: readonly number[]
  readonly columns: readonly ColumnImage[]
}

/** A whole world at a batch boundary, as plain data. */
export interface WorldImage {
  readonly rulesVersion: number
  readonly seed: number
  readonly tick: number
  readonly batch: number
  readonly wallMs: number
  readonly hash: string
  readonly tables: readonly TableImage[]
  readonly records: readonly {
    readonly name: string
    readonly entries: readonly (readonly [string, string])[]
  }[]
  readonly texts: readonly string[]
  readonly freeTexts: readonly number[]
  /** Catalogue ids by index, so that a later catalogue can renumber. */
  readonly goods: readonly string[]
  readonly shipClasses: readonly string[]
  /** Absent from images taken before these lists were stored. */
  readonly recipes?: readonly string[]
  readonly facilities?: readonly string[]
  /** Settings that rules read: batches after the image ran with these. Absent from older images. */
  readonly tickMs?: number
  readonly maxEntities?: number
}
