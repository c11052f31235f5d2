/**
 * What a replica of the world reads: the newest snapshot and the journal behind it, beside the
 * server that writes them. It writes nothing and takes no lock.
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
   * Resolves with the newest snapshot up to a batch, or the newest where none is so old; undefined:
   * no server has made the world yet.
   */
  latestSnapshot(upTo?: number): Promise<WorldImage | undefined>
  /** Returns the checksum from which the chain goes on behind a batch. */
  checksumAt(batch: number): Promise<Uint8Array>
  rowsAfter(batch: number): AsyncIterable<ChainedRow>
  /** Returns true once there is a snapshot to begin with. */
  hasWorld(): Promise<boolean>
  lease(): Promise<LeaseView>
  /** Numbers the thread that reads. */
  takeIncarnation(): Promise<number>
  close(): Promise<void>
}

interface ReplicaOptions {
  readonly rulesVersion: number
  readonly log: StoreLog
}

export function openReplica(
  connection: ConnectionOptions,
  { rulesVersion, log }: ReplicaOptions,
): ReplicaStore {
  const sql = connect(connection, { name: 'replica' })
  return {
    // In one view: the server may prune what is being read.
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
