/**
 * The projection: archive rows that follow from the journal alone (action log, battle log, prices,
 * closed books) are written after the commit over a separate connection, so that no answer waits
 * for them. Each batch is written once: the table `projection` has the batch up to which the
 * archive is complete, updated in the transaction that writes the rows. Rows lost in a crash are
 * written when the journal is replayed, since no snapshot is complete before its batch is
 * projected.
 */
import type { ArchiveWrite } from '../core/archive-calls.ts'
import type { JournalRow } from '../core/ports.ts'
import { groupByMethod, runGroup } from './commit.ts'
import type { ConnectionOptions, Sql } from './db.ts'
import { ForeignWriterError } from './errors.ts'
import { JournalSession } from './journal-session.ts'
import type { WorldLock } from './lock.ts'
import { type Attempt, persist } from './persist.ts'
import type { StoreLog } from './store-log.ts'

interface Entry extends Pick<JournalRow, 'batch' | 'tick' | 'wallMs'> {
  readonly writes: readonly ArchiveWrite[]
}

/** ours: rows that may be queued before commits wait: some seconds of a full world. */
const WAITING_ROWS_MAX = 50_000

/** Returns the number of rows of a write. */
export const rowsOf = ({ args }: ArchiveWrite): number =>
  'rows' in args ? args.rows.length : 'bases' in args ? args.bases.length : 1

/**
 * Returns the size of a batch: its rows, plus one for the batch itself, since batches without rows
 * are queued too.
 */
const sizeOf = ({ writes }: Entry): number => writes.reduce((sum, write) => sum + rowsOf(write), 1)

/** The marker has been moved by another connection. */
class LostPlaceError extends Error {
  override name = 'LostPlaceError'
}

const lostPlace = (): LostPlaceError =>
  new LostPlaceError('another connection has moved the marker of the projection')

/** Writes projected rows of durable batches, in order. */
export class Projector {
  /** The archive is complete up to this batch. */
  batch: number
  readonly #session: JournalSession
  readonly #lock: WorldLock
  readonly #log: StoreLog
  readonly #waiters: (() => void)[] = []
  #queue: Entry[] = []
  #rows = 0
  #busy = false
  #closed = false
  #isAway = false
  #failure: unknown

  constructor(connection: ConnectionOptions, lock: WorldLock, log: StoreLog, batch: number) {
    this.#session = new JournalSession(connection, 'world archive')
    this.#lock = lock
    this.#log = log
    this.batch = batch
  }

  /**
   * True if everything is written: a batch without projected rows may then move the marker itself.
   */
  get isIdle(): boolean {
    return !this.#busy && this.#queue.length === 0 && this.#failure === undefined
  }

  /**
   * Takes a batch whose journal row is durable; ignores one that the archive already has. After a
   * failure it takes none: the marker would pass the batches that failed, and no replay write them.
   */
  add(entry: Entry): void {
    if (entry.batch <= this.batch || this.#failure !== undefined) return
    this.#queue.push(entry)
    this.#rows += sizeOf(entry)
    if (!this.#busy) void this.#run()
  }

  /** Resolves once there is room for more; rejects with the error that ended the projection. */
  room(): Promise<void> {
    return this.#until(() => this.#rows <= WAITING_ROWS_MAX)
  }

  /** Resolves once everything is written; rejects with the error that ended the projection. */
  settled(): Promise<void> {
    return this.#until(() => this.isIdle)
  }

  /** Stops the projection: queued batches are written after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#session.close()
    this.#wake()
  }

  async #until(isDone: () => boolean): Promise<void> {
    while (!isDone() && !this.#closed && this.#failure === undefined) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  #wake(): void {
    for (const done of this.#waiters.splice(0)) done()
  }

  async #run(): Promise<void> {
    this.#busy = true
    try {
      while (this.#queue.length > 0) {
        const entries = this.#queue
        this.#queue = []
        this.#rows = 0
        await this.#write(entries)
        this.#wake()
      }
    } catch (error) {
      if (!this.#closed) this.#failure = error
    }
    this.#busy = false
    this.#wake()
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    const options = {
      session: this.#session,
      lock: this.#lock,
      isClosed: () => this.#closed,
      onAway: (error: unknown) => this.#markAway(error),
    }
    for (;;) {
      // A previous server that was still writing may have written the first of them.
      const left = entries.filter(({ batch }) => batch > this.batch)
      if (left.length === 0) return
      const last = left[left.length - 1].batch
      try {
        await persist(options, (sql, how) => this.#attempt(sql, left, how))
        this.batch = last
      } catch (error) {
        if (!(error instanceof LostPlaceError)) throw error
        this.batch = await persist(options, (sql) => this.#readMarker(sql))
      }
      this.#isAway = false
    }
  }

  /** Logs the first of consecutive failures: commits continue, so they would go unnoticed. */
  #markAway(error: unknown): void {
    if (this.#isAway || this.#closed) return
    this.#isAway = true
    this.#log('error', {}, `the archive waits: ${error instanceof Error ? error.message : error}`)
  }

  /** Writes all entries in one round trip, or one by one after data was refused. */
  async #attempt(
    sql: Sql,
    entries: readonly Entry[],
    { isUncertain, savepoints }: Attempt,
  ): Promise<void> {
    const last = entries[entries.length - 1].batch
    if (isUncertain && (await this.#readMarker(sql)) >= last) return
    const options = { lastAt: { us: 0 }, savepoints, log: this.#log }
    const groups = entries.flatMap((entry) =>
      groupByMethod(entry.writes, savepoints).map((group) => ({ entry, group })),
    )
    await sql.begin(async (tx) => {
      const moved = tx`
        update projection set batch = ${last}
        where batch = ${this.batch}
          and exists (select from world where writer = ${this.#lock.writer}::uuid)
        returning 1`.execute()
      // Awaited below, unless a write fails first.
      moved.catch(() => {})
      if (savepoints) {
        // Refusals are logged as they occur: check the marker before any write that might be rolled
        // back.
        if ((await moved).length === 0) throw lostPlace()
        for (const { entry, group } of groups) await runGroup(tx, entry, group, options)
      } else {
        await Promise.all([
          moved,
          ...groups.map(({ entry, group }) => runGroup(tx, entry, group, options)),
        ])
      }
      if ((await moved).length === 0) throw lostPlace()
    })
  }

  /**
   * Returns the batch up to which the archive is complete; throws if another server has taken over
   * the world.
   */
  async #readMarker(sql: Sql): Promise<number> {
    const rows = await sql<{ batch: number; isMine: boolean }[]>`
      select projection.batch, coalesce(writer = ${this.#lock.writer}::uuid, false) as "isMine"
      from projection, world`
    const [{ batch, isMine }] = rows
    if (!isMine) throw new ForeignWriterError('another server writes the archive of this world')
    return batch
  }
}
