/**
 * Feeds a replica the rows of the journal: from the bus while each follows the one before, and from
 * the database when one is missing. Each comes once, in order. Source: SCALE 4.
 */
import type { Bus, LeaderBeat } from '../core/bus.ts'
import { LEADER_SILENCE_MS, ROWS_POLL_MS, ROWS_QUEUED_MAX } from '../core/limits-cluster.ts'
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
  /** Called when a row may be taken. */
  readonly arrived: () => void
  /** Called when the journal does not continue from the replica's last row. */
  readonly failed: (error: unknown) => void
  readonly warn: (text: string) => void
}

interface FedRow extends JournalRow {
  /** When the row became durable, by the leader's clock; absent if read from the database. */
  readonly durableMs?: number
}

export interface RowFeed {
  /** Takes the next row, if there is one. */
  next(): FedRow | undefined
  /** Returns whether there is a row to take. */
  hasNext(): boolean
  /** Reads from the database the rows that the leader has and the bus has not delivered. */
  follow(beat: LeaderBeat): void
  /** Returns the number of rows read from the database so far. */
  filled(): number
  close(): Promise<void>
}

/** Returns how long after a row became durable it was applied, without the replay itself. */
export const delayOf = (durableMs: number | undefined, nowMs: number, replayMs: number) =>
  durableMs === undefined ? {} : { delayMs: Math.max(0, nowMs - durableMs - replayMs) }

/**
 * Reads rows while the bus is away or nothing is heard from the leader, who may be cut off from it
 * alone: the world goes on, players here still see it, and there is less to catch up.
 */
function pollInSilence(bus: Bus, read: () => void) {
  let heardMs = performance.now()
  const timer = setInterval(() => {
    const isSilent = performance.now() - heardMs > LEADER_SILENCE_MS
    if (isSilent || !bus.isUp()) read()
  }, ROWS_POLL_MS)
  return {
    heard(): void {
      heardMs = performance.now()
    },
    end: () => clearInterval(timer),
  }
}

/** Creates a feed that continues after the replica's last row. */
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
    // A read in progress includes this row, or the next heartbeat shows that it is missing.
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
      // This row does not continue the journal: the database has the one that does.
      fillOnce()
    }
  }
  const polling = pollInSilence(bus, fillOnce)
  const join = createRowJoiner()
  const end = bus.subscribe(options.subject, (bytes) => {
    const encoded = join(bytes)
    if (encoded) takeRow(encoded)
  })
  return {
    next: () => queue.shift(),
    hasNext: () => queue.length > 0,
    follow({ head }) {
      polling.heard()
      if (head > batch) fillOnce()
    },
    filled: () => rowsFilled,
    async close() {
      isClosed = true
      polling.end()
      end()
      await filling
    },
  }
}
