/**
 * The rows of the journal as a replica takes them: from the bus, where they fit the one before, and
 * from the database, where one is missing. Each comes once, in order. Source: SCALE 4.
 */
import type { Bus, LeaderBeat } from '../core/bus.ts'
import { ROWS_POLL_MS, ROWS_QUEUED_MAX } from '../core/limits-cluster.ts'
import type { JournalRow } from '../core/ports.ts'
import { createRowJoiner } from '../storage/bus-messages.ts'
import { isTransient } from '../storage/db.ts'
import { StorageDamageError } from '../storage/errors.ts'
import { decodeJournalRow, type EncodedRow } from '../storage/journal-row.ts'
import type { ReplicaStore } from '../storage/replica.ts'

interface RowFeedOptions {
  readonly bus: Bus
  readonly subject: string
  readonly store: Pick<ReplicaStore, 'rowsAfter'>
  /** The last row that the replica has. */
  readonly batch: number
  readonly checksum: Uint8Array
  /** A row may be taken. */
  readonly arrived: () => void
  /** The journal does not lead on from what the replica has. */
  readonly failed: (error: unknown) => void
  readonly warn: (text: string) => void
}

/** A row that follows. */
interface FedRow extends JournalRow {
  /** When it became durable, by the leader's clock; of one that the bus brought. */
  readonly durableMs?: number
}

export interface RowFeed {
  /** Takes the next row, where there is one. */
  next(): FedRow | undefined
  /** Returns true while there is a row to take. */
  hasNext(): boolean
  /** Reads what the leader has and the bus has not brought. */
  follow(beat: LeaderBeat): void
  /** Rows that were read from the database since the start. */
  filled(): number
  close(): Promise<void>
}

/** Returns how long after a row was durable it was applied, less the replay. */
export const delayOf = (durableMs: number | undefined, nowMs: number, replayMs: number) =>
  durableMs === undefined ? {} : { delayMs: Math.max(0, nowMs - durableMs - replayMs) }

export function createRowFeed(options: RowFeedOptions): RowFeed {
  const { bus, store, arrived, failed, warn } = options
  let { batch, checksum } = options
  const queue: FedRow[] = []
  let filling: Promise<void> | undefined
  let rowsFilled = 0
  let isClosed = false

  const add = (row: FedRow, sum: Uint8Array): void => {
    batch = row.batch
    checksum = sum
    queue.push(row)
    arrived()
  }
  const fill = async (): Promise<void> => {
    try {
      for await (const { row, checksum: sum } of store.rowsAfter(batch)) {
        if (isClosed || queue.length >= ROWS_QUEUED_MAX) return
        rowsFilled += 1
        add(row, sum)
      }
    } catch (error) {
      if (!isTransient(error)) failed(error)
      else warn(`rows of the journal could not be read: ${String(error)}`)
    }
  }
  const fillOnce = (): void => {
    if (isClosed || queue.length >= ROWS_QUEUED_MAX) return
    filling ??= fill().finally(() => {
      filling = undefined
    })
  }
  const takeRow = (encoded: EncodedRow & Pick<FedRow, 'durableMs'>): void => {
    // What the database is read for includes it, or the next beat says that it is missing.
    if (filling || encoded.batch <= batch || queue.length >= ROWS_QUEUED_MAX) return
    if (encoded.batch !== batch + 1) {
      fillOnce()
      return
    }
    try {
      const row = decodeJournalRow(encoded, checksum)
      add({ ...row, durableMs: encoded.durableMs }, encoded.checksum)
    } catch (error) {
      if (!(error instanceof StorageDamageError)) throw error
      // Not the row that follows: the database knows the one that does.
      fillOnce()
    }
  }
  // Without the bus the world goes on: its players see it in time, and little is left to catch up.
  const polling = setInterval(() => bus.isUp() || fillOnce(), ROWS_POLL_MS)
  const join = createRowJoiner()
  const end = bus.subscribe(options.subject, (bytes) => {
    const encoded = join(bytes)
    if (encoded) takeRow(encoded)
  })
  return {
    next: () => queue.shift(),
    hasNext: () => queue.length > 0,
    follow({ head }) {
      if (head > batch) fillOnce()
    },
    filled: () => rowsFilled,
    async close() {
      isClosed = true
      clearInterval(polling)
      end()
      await filling
    },
  }
}
