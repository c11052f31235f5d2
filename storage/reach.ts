/**
 * Reads how far back a world can be replayed, and the size of its kept past, for the operators'
 * tools.
 */
import { type Sql, sleep } from './db.ts'
import { listSnapshots, type SnapshotRow } from './snapshots.ts'

/** Ticks that one release can replay. */
export interface Reach {
  readonly rulesVersion: number
  readonly fromTick: number
  /** Batch of the snapshot at `fromTick`. */
  readonly fromBatch: number
  readonly toTick: number
}

interface RulesSpan {
  readonly rulesVersion: number
  readonly firstBatch: number
  readonly lastBatch: number
  readonly lastTick: number
}

/**
 * Returns the ticks that can be replayed from a snapshot, by version of the rules, newest first.
 * Ticks before the first snapshot of a version are out of reach.
 */
export async function readReach(sql: Sql): Promise<Reach[]> {
  const snapshots = await listSnapshots(sql)
  const spans = await sql<RulesSpan[]>`
    select rules_version as "rulesVersion", min(first_batch) as "firstBatch",
      max(last_batch) as "lastBatch", max(last_tick) as "lastTick"
    from (
      select rules_version, first_batch, last_batch, last_tick from journal_block
      union all
      select rules_version, batch, batch, tick from journal
    ) as part group by rules_version order by rules_version desc`
  const found = spans.flatMap(({ rulesVersion, firstBatch, lastBatch, lastTick }): Reach[] => {
    const from = snapshots.findLast(({ batch }) => batch >= firstBatch - 1 && batch <= lastBatch)
    return from
      ? [{ rulesVersion, fromTick: from.tick, fromBatch: from.batch, toTick: lastTick }]
      : []
  })
  const [newest] = snapshots
  if (!newest || found.length > 0) return found
  const { rulesVersion, tick, batch } = newest
  return [{ rulesVersion, fromTick: tick, fromBatch: batch, toTick: tick }]
}

/** ours: a server writes the archive some batches after the journal. */
const ARCHIVE_WAIT_MS = 5_000
const ARCHIVE_POLL_MS = 50

/** Waits until the archive is complete up to a tick; returns false if that takes too long. */
export async function waitForArchive(sql: Sql, tick: number): Promise<boolean> {
  const end = performance.now() + ARCHIVE_WAIT_MS
  for (;;) {
    const [{ isComplete }] = await sql<{ isComplete: boolean }[]>`
      select projection.batch >= coalesce((
        select max(batch) from journal where tick <= ${tick}), 0) as "isComplete"
      from projection`
    if (isComplete || performance.now() > end) return isComplete
    await sleep(ARCHIVE_POLL_MS)
  }
}

/** Returns the batch of the oldest snapshot, before which no row is kept; 0 if there is none. */
export async function oldestBatch(sql: Sql): Promise<number> {
  const [{ batch }] = await sql<{ batch: number | null }[]>`
    select min(batch) as batch from snapshot where complete`
  return batch ?? 0
}

interface Costed extends SnapshotRow {
  /** Stored bytes that only this snapshot needs, freed with it. */
  readonly aloneBytes: number
  /** Stored bytes that other snapshots need as well. */
  readonly sharedBytes: number
}

/** Lists complete snapshots, newest first, with their sizes. */
export async function listCosts(sql: Sql): Promise<Costed[]> {
  const costs = await sql<{ id: number; alone: number; shared: number }[]>`
    with used as (
      select distinct snapshot_id, sha256 from snapshot_part
      where snapshot_id in (select id from snapshot where complete)
    ), cost as (
      select snapshot_id, length(bytes) as bytes, count(*) over (partition by sha256) as users
      from used join snapshot_chunk using (sha256))
    select snapshot_id as id,
      coalesce(sum(bytes) filter (where users = 1), 0)::bigint as alone,
      coalesce(sum(bytes) filter (where users > 1), 0)::bigint as shared
    from cost group by snapshot_id`
  const layouts = await sql<{ id: number; bytes: number }[]>`
    select id, pg_column_size(layout) as bytes from snapshot where complete`
  const costOf = new Map(costs.map((cost) => [cost.id, cost]))
  const layoutOf = new Map(layouts.map(({ id, bytes }) => [id, bytes]))
  return (await listSnapshots(sql)).map((row) => ({
    ...row,
    aloneBytes: (costOf.get(row.id)?.alone ?? 0) + (layoutOf.get(row.id) ?? 0),
    sharedBytes: costOf.get(row.id)?.shared ?? 0,
  }))
}

interface JournalSize {
  /** Last batch of the journal, and its tick. */
  readonly batch: number
  readonly tick: number | null
  readonly rows: number
  readonly bytes: number
  readonly compressedRows: number
  readonly compressedBytes: number
  /** Length of the compressed rows before compression. */
  readonly uncompressedBytes: number
}

/** Returns the size of the kept journal, by its two parts. */
export async function readJournalSize(sql: Sql): Promise<JournalSize> {
  const rows = await sql<JournalSize[]>`
    select world.head_batch as batch, greatest(hot.tick, cold.tick) as tick, hot.rows, hot.bytes,
      cold.rows as "compressedRows", cold.bytes as "compressedBytes",
      cold.raw as "uncompressedBytes"
    from world, (
      select max(tick) as tick, count(*) as rows,
        coalesce(sum(pg_column_size(body)), 0)::bigint as bytes
      from journal) as hot, (
      select max(last_tick) as tick,
        coalesce(sum(last_batch - first_batch + 1), 0)::bigint as rows,
        coalesce(sum(length(body)), 0)::bigint as bytes,
        coalesce(sum(raw_bytes), 0)::bigint as raw
      from journal_block) as cold`
  return rows[0]
}
