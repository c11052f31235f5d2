/**
 * Writes the journal: one batch at a time, retried while the database is unavailable, read back if
 * the answer to a commit was lost, never written twice (RELIABILITY 7, lesson 12).
 */
import { type ArchiveWrite, isProjected as isProjectedWrite } from '../core/archive-calls.ts'
import { assert } from '../core/assert.ts'
import type { JournalRow } from '../core/ports.ts'
import type { JournalSplit } from '../core/wire/tick-figures.ts'
import { commitBatch, type LastAt, LostHeadError } from './commit.ts'
import type { ConnectionOptions, Sql } from './db.ts'
import { ForeignWriterError, StorageDamageError } from './errors.ts'
import {
  decodeJournalRow,
  type EncodedRow,
  encodedOf,
  encodeJournalRow,
  type StoredRow,
  sameBytes,
} from './journal-row.ts'
import { JournalSession } from './journal-session.ts'
import type { WorldLock } from './lock.ts'
import { persist } from './persist.ts'
import { Projector } from './projector.ts'
import type { StoreLog } from './store-log.ts'

interface WriterOptions {
  readonly log: StoreLog
  readonly onUnavailable?: (error: Error) => void
  readonly onAvailable?: (awayMs: number) => void
}

/** The last durable row. */
interface Head {
  readonly batch: number
  readonly checksum: Uint8Array
}

interface CommittedRow {
  readonly row: JournalRow
  readonly encoded: EncodedRow
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

/** The state that the last server of the world left. */
interface WriterStart {
  readonly head: Head
  /** The last assigned archive time, microseconds since 1970. */
  readonly lastAtUs: number
  readonly projected: number
}

/** Commits batches one at a time and hands their projected writes to the projector. */
export class JournalWriter {
  head: Head
  readonly projector: Projector
  writtenBytes = 0
  /** Durations of the last commit; undefined if it was read back instead of answered. */
  lastSplit: JournalSplit | undefined
  /** The last committed row, as stored. */
  lastRow: EncodedRow | undefined
  readonly #lastAt: LastAt
  readonly #session: JournalSession
  readonly #options: WriterOptions
  readonly #lock: WorldLock
  #busy = false
  #closed = false
  #unavailableSince: number | undefined
  #requestedMs = 0

  constructor(
    connection: ConnectionOptions,
    options: WriterOptions,
    lock: WorldLock,
    { head, lastAtUs, projected }: WriterStart,
  ) {
    this.#session = new JournalSession(connection, 'world')
    this.#options = options
    this.#lock = lock
    this.head = head
    this.#lastAt = { us: lastAtUs }
    this.projector = new Projector(connection, lock, options.log, projected)
  }

  async commit(row: JournalRow, writes: readonly ArchiveWrite[]): Promise<JournalRow> {
    assert(!this.#busy, 'two batches are in flight')
    assert(row.batch > this.head.batch, `batch ${row.batch} does not follow the last one`)
    this.#busy = true
    this.#requestedMs = performance.now()
    this.lastSplit = undefined
    try {
      await this.projector.room()
      const done = await this.#persist(row, writes)
      this.#markAvailable()
      this.head = done.encoded
      this.lastRow = done.encoded
      return done.row
    } finally {
      this.#busy = false
    }
  }

  /** Hands the projected writes of a durable batch to the projection. */
  project({ batch, tick, wallMs }: JournalRow, writes: readonly ArchiveWrite[]): void {
    this.projector.add({ batch, tick, wallMs, writes: writes.filter(isProjectedWrite) })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.projector.close()
    await this.#session.close()
  }

  async #persist(row: JournalRow, writes: readonly ArchiveWrite[]): Promise<CommittedRow> {
    const options = {
      session: this.#session,
      lock: this.#lock,
      isClosed: () => this.#closed,
      onAway: (error: unknown) => this.#markUnavailable(error),
    }
    // True for a batch without projected writes, unless earlier ones are still being written.
    const isProjected = this.projector.isIdle && !writes.some(isProjectedWrite)
    const inside = writes.filter((write) => !isProjectedWrite(write))
    const done = await persist(options, async (sql, { isUncertain, savepoints }) => {
      const found = isUncertain ? await readBack(sql, row, this.head) : undefined
      return found ?? this.#attempt(sql, row, inside, { savepoints, isProjected })
    })
    if (isProjected) this.projector.batch = row.batch
    else this.project(row, writes)
    return done
  }

  async #attempt(
    sql: Sql,
    row: JournalRow,
    writes: readonly ArchiveWrite[],
    how: { readonly savepoints: boolean; readonly isProjected: boolean },
  ): Promise<CommittedRow> {
    const { head } = this
    const { log } = this.#options
    const sentMs = performance.now()
    try {
      const options = { ...how, writer: this.#lock.writer, head, lastAt: this.#lastAt, log }
      const done = await commitBatch(sql, row, writes, options)
      this.writtenBytes += done.encoded.body.length
      this.lastSplit = {
        encode: done.encodeMs,
        queue: sentMs - this.#requestedMs,
        roundTrip: performance.now() - sentMs - done.encodeMs,
      }
      return { row: done.row, encoded: done.encoded }
    } catch (error) {
      if (!(error instanceof LostHeadError)) throw error
      // Either our own lost commit succeeded after all, or another server wrote.
      const found = await readBack(sql, row, head)
      if (found) return found
      throw new ForeignWriterError(
        `batch ${row.batch} cannot follow ${head.batch}: another server wrote to this world`,
      )
    }
  }

  #markUnavailable(cause: unknown): void {
    if (this.#unavailableSince !== undefined) return
    this.#unavailableSince = performance.now()
    const error = asError(cause)
    const { code } = error as { code?: string }
    this.#options.log('error', { code }, `database away: ${error.message}`)
    this.#options.onUnavailable?.(error)
  }

  #markAvailable(): void {
    if (this.#unavailableSince === undefined) return
    const awayMs = Math.round(performance.now() - this.#unavailableSince)
    this.#unavailableSince = undefined
    this.#options.log('info', { awayMs }, 'database is back')
    this.#options.onAvailable?.(awayMs)
  }
}

/**
 * Returns the row of a batch, if a commit whose answer was lost has succeeded. The row is ours if
 * it has our inputs, whatever the outcomes of the archive; any other is from a foreign writer.
 */
async function readBack(sql: Sql, row: JournalRow, head: Head): Promise<CommittedRow | undefined> {
  const rows = await sql<StoredRow[]>`
    select batch, tick, part, rules_version, wall_ms, body, hash, checksum
    from journal where batch = ${row.batch}`
  if (rows.length === 0) return undefined
  let same = false
  const stored = encodedOf(rows[0])
  try {
    const decoded = decodeJournalRow(stored, head.checksum)
    const again = encodeJournalRow({ ...row, archived: decoded.archived }, head.checksum)
    same = sameBytes(again.checksum, stored.checksum)
    if (same) return { row: decoded, encoded: stored }
  } catch (error) {
    if (!(error instanceof StorageDamageError)) throw error
  }
  throw new ForeignWriterError(`batch ${row.batch} was written by another server`)
}
