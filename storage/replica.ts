/**
 * Reads for a replica of the world: the newest snapshot and the journal after it, while a server
 * writes them. Writes nothing and takes no lock.
 */
import type { WorldImage } from '../core/ports.ts'
import { type ConnectionOptions, connect, disconnect, type Sql } from './db.ts'
import { StorageDamageError } from './errors.ts'
import { takeIncarnation } from './incarnation.ts'
import { type ChainedRow, readChain } from './journal.ts'
import { chainAt } from './journal-blocks.ts'
import { type LeaseView, readLease } from './lease.ts'
import { loadLatest } from './snapshots.ts'
import type { StoreLog } from './store-log.ts'

export interface ReplicaStore {
  /**
   * Resolves with the newest snapshot up to a batch, or the newest one if none is that old;
   * undefined if no server has created the world yet.
   */
  latestSnapshot(upTo?: number): Promise<WorldImage | undefined>
  /** Resolves with the checksum from which the chain continues after a batch. */
  checksumAt(batch: number): Promise<Uint8Array>
  rowsAfter(batch: number): AsyncIterable<ChainedRow>
  /** Resolves with true once there is a snapshot to start from. */
  hasWorld(): Promise<boolean>
  lease(): Promise<LeaseView>
  /** Takes an incarnation for the reading thread. */
  takeIncarnation(): Promise<number>
  close(): Promise<void>
}

interface ReplicaOptions {
  readonly rulesVersion: number
  readonly log: StoreLog
}

/** Opens a read-only store for a replica. */
export function openReplica(
  connection: ConnectionOptions,
  { rulesVersion, log }: ReplicaOptions,
): ReplicaStore {
  const sql = connect(connection, { name: 'replica' })
  return {
    // In one transaction: the server may prune the rows that are being read.
    latestSnapshot: (upTo) =>
      sql.begin('isolation level repeatable read read only', (tx) =>
        loadLatest(tx as unknown as Sql, { log, ...(upTo === undefined ? {} : { upTo }) }),
      ) as Promise<WorldImage | undefined>,
    async checksumAt(batch) {
      const checksum = await chainAt(sql, batch)
      if (checksum) return checksum
      throw new StorageDamageError('journal', batch, `the journal does not know batch ${batch}`)
    },
    rowsAfter: (batch) => readChain(sql, batch, { rulesVersion, isReplica: true }),
    async hasWorld() {
      const [{ isThere }] = await sql<{ isThere: boolean }[]>`
        select exists (select from snapshot where complete) as "isThere"`
      return isThere
    },
    lease: () => readLease(sql),
    takeIncarnation: () => takeIncarnation(sql),
    close: () => disconnect(sql),
  }
}
