/**
 * The projection: archive rows that follow from the journal alone (action log, battle log, prices,
 * closed books) are written behind the commit, over a connection of their own, so that no answer
 * waits for them. Each batch is written once: the table `projection` has the batch up to which the
 * archive is complete, and it moves in the transaction that writes the rows. What a crash left out
 * is written again when the journal is replayed, since no snapshot is complete before its batch is.
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

/** ours: rows that may wait before commits do: some seconds of a full world. */
const WAITING_ROWS_MAX = 50_000

/** Returns the rows that a write makes. */
export const rowsOf = ({ args }: ArchiveWrite): number =>
  'rows' in args ? args.rows.length : 'bases' in args ? args.bases.length : 1

/**
 * Returns the size of a batch: its rows, plus one for the batch itself, since those without rows
 * wait too.
 */
const sizeOf = ({ writes }: Entry): number => writes.reduce((sum, write) => sum + rowsOf(write), 1)

/** The marker has been moved by another connection. */
class LostPlaceError extends Error {
  override name = 'LostPlaceError'
}

const lostPlace = (): LostPlaceError =>
  new LostPlaceError('another connection has moved the marker of the projection')

export class Projector {
  /** The archive has all that follows from the batches up to this one. */
  batch: number
  readonly #session: JournalSession
  readonly #lock: WorldLock
  readonly #log: StoreLog
  readonly #waiters: (() => void)[] = []
  #waiting: Entry[] = []
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

  /** True when all is written: a batch that writes nothing may move the marker itself. */
  get isIdle(): boolean {
    return !this.#busy && this.#waiting.length === 0 && this.#failure === undefined
  }

  /** Takes a batch whose journal row is durable; one that the archive has is left out. */
  add(entry: Entry): void {
    if (entry.batch <= this.batch) return
    this.#waiting.push(entry)
    this.#rows += sizeOf(entry)
    if (!this.#busy) void this.#run()
  }

  /** Resolves when there is room for more; throws what ended the projection. */
  room(): Promise<void> {
    return this.#until(() => this.#rows <= WAITING_ROWS_MAX)
  }

  /** Resolves when everything is written; throws what ended the projection. */
  settled(): Promise<void> {
    return this.#until(() => this.isIdle)
  }

  /** Ends it: what waits is written after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#session.close()
    this.#wake()
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo() && !this.#closed && this.#failure === undefined) {
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
      while (this.#waiting.length > 0) {
        const entries = this.#waiting
        this.#waiting = []
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
      // A predecessor that was still writing may have written the first of them.
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

  /** Logs the first of failures in a row: commits go on, and nobody else would notice. */
  #markAway(error: unknown): void {
    if (this.#isAway || this.#closed) return
    this.#isAway = true
    this.#log('error', {}, `the archive waits: ${error instanceof Error ? error.message : error}`)
  }

  /** Writes all of it in one round trip; one by one where data of it is refused. */
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

  /** Returns how far the archive goes; throws when another server has taken the world over. */
  async #readMarker(sql: Sql): Promise<number> {
    const rows = await sql<{ batch: number; isMine: boolean }[]>`
      select projection.batch, coalesce(writer = ${this.#lock.writer}::uuid, false) as "isMine"
      from projection, world`
    const [{ batch, isMine }] = rows
    if (!isMine) throw new ForeignWriterError('another server writes the archive of this world')
    return batch
  }
}
