/**
 * The writing side of the journal: one batch at a time, retried while the database is unavailable,
 * read back when the answer to a commit was lost, never written twice (RELIABILITY 7, lesson 12).
 */

import type { ArchiveWrite } from '../core/archive-calls.ts'
import { assert } from '../core/assert.ts'
import type { JournalRow } from '../core/ports.ts'
import { commitBatch, type LastAt, LostHeadError } from './commit.ts'
import { type ConnectionOptions, isDataError, isTransient, type Sql, sleep } from './db.ts'
import { ForeignWriterError, StorageDamageError } from './errors.ts'
import {
  CHAIN_START,
  decodeJournalRow,
  encodedOf,
  encodeJournalRow,
  type StoredRow,
  sameBytes,
} from './journal-row.ts'
import { JournalSession } from './journal-session.ts'
import type { WorldLock } from './lock.ts'
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
  readonly head: Head
}

const BACKOFF_MS_MAX = 1_000

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

const backoffMs = (attempts: number): number =>
  Math.min(20 * 2 ** Math.min(attempts, 8), BACKOFF_MS_MAX)

export class JournalWriter {
  head: Head = { batch: 0, checksum: CHAIN_START }
  readonly lastAt: LastAt = { us: 0 }
  writtenBytes = 0
  readonly #session: JournalSession
  readonly #options: WriterOptions
  readonly #lock: WorldLock
  #busy = false
  #closed = false
  #unavailableSince: number | undefined

  constructor(connection: ConnectionOptions, options: WriterOptions, lock: WorldLock) {
    this.#session = new JournalSession(connection)
    this.#options = options
    this.#lock = lock
  }

  async commit(row: JournalRow, writes: readonly ArchiveWrite[]): Promise<JournalRow> {
    assert(!this.#busy, 'two batches are in flight')
    assert(row.batch > this.head.batch, `batch ${row.batch} is not behind the last one`)
    this.#busy = true
    try {
      const done = await this.#persist(row, writes)
      this.#markAvailable()
      this.head = done.head
      return done.row
    } finally {
      this.#busy = false
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#session.close()
  }

  async #persist(row: JournalRow, writes: readonly ArchiveWrite[]): Promise<CommittedRow> {
    let savepoints = false
    let isUncertain = false
    for (let attempts = 0; ; attempts++) {
      try {
        if (this.#closed) throw new Error('the store is closed')
        await this.#lock.ensure()
        const isKnown = !isUncertain
        return await this.#session.run(async (sql) => {
          const found = isKnown ? undefined : await readBack(sql, row, this.head)
          return found ?? this.#attempt(sql, row, writes, savepoints)
        }, attempts)
      } catch (error) {
        if (isDataError(error) && !savepoints) {
          savepoints = true
          continue
        }
        if (!isTransient(error)) throw error
        isUncertain = true
        this.#markUnavailable(error)
        await sleep(backoffMs(attempts))
        await this.#session.renew()
      }
    }
  }

  async #attempt(
    sql: Sql,
    row: JournalRow,
    writes: readonly ArchiveWrite[],
    savepoints: boolean,
  ): Promise<CommittedRow> {
    const { head, lastAt } = this
    const { log } = this.#options
    try {
      const options = { writer: this.#lock.writer, head, lastAt, savepoints, log }
      const done = await commitBatch(sql, row, writes, options)
      this.writtenBytes += done.bytes
      return { row: done.row, head: { batch: row.batch, checksum: done.checksum } }
    } catch (error) {
      if (!(error instanceof LostHeadError)) throw error
      // Either our own lost commit came through after all, or another server wrote.
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
 * Returns the row of a batch, if a commit whose answer was lost did happen. Ours is the one that
 * has our inputs, under whatever outcomes the archive gave; any other is a foreign writer's.
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
    if (same) return { row: decoded, head: { batch: row.batch, checksum: stored.checksum } }
  } catch (error) {
    if (!(error instanceof StorageDamageError)) throw error
  }
  throw new ForeignWriterError(`batch ${row.batch} was written by another server`)
}
