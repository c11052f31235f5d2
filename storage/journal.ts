/**
 * The BatchStore on PostgreSQL: commits of batches and reads of the journal. One writer, one batch
 * at a time; while the database is unavailable a commit waits, and a commit whose answer was lost
 * is read back before it is written again. Snapshots are in snapshots.ts; the packer packs and
 * compresses them.
 */
import { assert } from '../core/assert.ts'
import type { BatchStore, JournalRow } from '../core/ports.ts'
import { type ConnectionOptions, connect, disconnect, type Sql } from './db.ts'
import { RulesVersionError, StorageDamageError } from './errors.ts'
import { checksumOfBatch, journalPage } from './journal-blocks.ts'
import { decodeJournalRow, type EncodedRow, sameBytes } from './journal-row.ts'
import { JournalWriter } from './journal-writer.ts'
import { KEEPING_DEFAULT, type Keeping } from './keeping.ts'
import { type LeaseOptions, takeWorldLock, type WorldLock } from './lock.ts'
import { createPacker } from './packer.ts'
import { loadLatest } from './snapshots.ts'
import { noLog, type StoreLog } from './store-log.ts'

export interface StoreOptions {
  readonly rulesVersion: number
  /** How far back snapshots and journal are kept. */
  readonly keep?: Keeping
  readonly log?: StoreLog
  /** Called if the database does not accept a batch; once until `onAvailable`. */
  readonly onUnavailable?: (error: Error) => void
  readonly onAvailable?: (awayMs: number) => void
  /** How long the start waits for the lock of a server that has just died. */
  readonly lockWaitMs?: number
  /** The lease of a node; absent for a single server. */
  readonly lease?: LeaseOptions
}

export interface PostgresStore extends BatchStore {
  /** Stores the seed of a new world; returns the stored one. */
  ensureSeed(seed: number): Promise<number>
  /** Batch of the last durable row. */
  readonly headBatch: number
  /** Batch up to which the archive is complete. */
  readonly projectedBatch: number
  /**
   * Resolves once no other server can be writing; throws WorldLockedError if one has taken over.
   */
  prove(): Promise<void>
  /** Returns the last committed row, as stored; undefined before the first. */
  lastRow(): EncodedRow | undefined
}

/** Opens the store of a migrated schema and takes the world's lock; throws WorldLockedError. */
export async function createBatchStore(
  connection: ConnectionOptions,
  options: StoreOptions,
): Promise<PostgresStore> {
  const { lockWaitMs: waitMs, lease } = options
  const lock = await takeWorldLock(connection, { waitMs, ...(lease ? { lease } : {}) })
  try {
    const reader = connect(connection, { name: 'world reader' })
    // A release without the projection may have run after the migration.
    await reader`
      update projection set batch = newest.batch
      from (select max(batch) as batch from snapshot where complete) as newest
      where projection.batch < newest.batch`
    const starts = await reader<
      { batch: number; checksum: Uint8Array; projected: number; last: number }[]
    >`
      select head_batch as batch, head_checksum as checksum, projection.batch as projected,
        coalesce((select (extract(epoch from at) * 1000000)::bigint from chat
          order by id desc limit 1), 0) as last
      from world, projection`
    assert(starts.length === 1, 'the table world or projection has no row')
    const [{ batch, checksum, last: lastAtUs, projected }] = starts
    const start = { head: { batch, checksum }, lastAtUs, projected }
    const log = options.log ?? noLog
    const writer = new JournalWriter(connection, { ...options, log }, lock, start)
    return createStore({ connection, options, lock, reader, writer })
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface StoreParts {
  readonly connection: ConnectionOptions
  readonly options: StoreOptions
  readonly lock: WorldLock
  readonly reader: Sql
  readonly writer: JournalWriter
}

function createStore({ connection, options, lock, reader, writer }: StoreParts): PostgresStore {
  const log = options.log ?? noLog
  const packer = createPacker(connection, { keep: options.keep ?? KEEPING_DEFAULT, log })
  return {
    get headBatch() {
      return writer.head.batch
    },
    commit: (row, writes) => writer.commit(row, writes),
    async project(row, writes) {
      await writer.projector.room()
      writer.project(row, writes)
    },
    projected: () => writer.projector.settled(),
    writtenBytes: () => writer.writtenBytes,
    lastSplit: () => writer.lastSplit,
    lastRow: () => writer.lastRow,
    get projectedBatch() {
      return writer.projector.batch
    },
    prove: () => lock.prove(),
    saveSnapshot: (image, sliced) => packer.save(image, sliced),
    latestSnapshot: () => loadLatest(reader, { log, repair: true }),
    journalAfter: (batch) => readJournal(reader, batch, { rulesVersion: options.rulesVersion }),
    async ensureSeed(seed) {
      const rows = await reader<{ seed: number }[]>`
        update world set seed = coalesce(seed, ${seed}) returning seed`
      return rows[0].seed
    },
    async close() {
      await packer.close()
      await writer.close()
      await disconnect(reader)
      await lock.release()
    },
  }
}

interface ReadJournalOptions {
  /** Refuses rows of other rules; absent: accepts any (tools). */
  readonly rulesVersion?: number
  /** True if the reader follows a running server. */
  readonly isReplica?: true
}

/** A row with the checksum of the chain up to it. */
export interface ChainedRow {
  readonly row: JournalRow
  readonly checksum: Uint8Array
}

/**
 * Yields the journal rows after a batch, in order, up to the last durable one, each checked for
 * damage and gaps. A server may write meanwhile; if it may also prune, read in a repeatable-read
 * transaction. Throws StorageDamageError, RulesVersionError.
 */
export async function* readJournal(
  sql: Sql,
  after: number,
  options: ReadJournalOptions = {},
): AsyncGenerator<JournalRow> {
  for await (const { row } of readChain(sql, after, options)) yield row
}

/** Yields the same rows with their checksums, which the next row continues. */
export async function* readChain(
  sql: Sql,
  after: number,
  options: ReadJournalOptions = {},
): AsyncGenerator<ChainedRow> {
  let previous = await checksumOfBatch(sql, after)
  let batch = after
  for (;;) {
    const { rows, head } = await journalPage(sql, batch)
    for (const encoded of rows) {
      const row = decodeJournalRow(encoded, previous)
      const ours = options.rulesVersion
      if (ours !== undefined && row.rulesVersion !== ours) {
        throw new RulesVersionError(row.rulesVersion, ours, row.batch, options.isReplica)
      }
      previous = encoded.checksum
      batch = row.batch
      yield { row, checksum: previous }
    }
    if (rows.length > 0 && head?.batch !== batch) continue
    if (head?.batch === batch && sameBytes(head.checksum, previous)) return
    throw new StorageDamageError(
      'journal',
      batch,
      `the journal ends at batch ${batch}, but batch ${head?.batch} was the last one written`,
    )
  }
}
