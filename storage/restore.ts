/**
 * Restores a world to one of its snapshots, for the operators' tools: one transaction, under the
 * world's lock.
 */
import { type IdMarks, mergeMarks } from '../core/id-marks.ts'
import { NO_REPLY } from '../core/inbox.ts'
import { FORUM_REPLIES_PER_THREAD_MAX } from '../core/limits.ts'
import type { JournalInput } from '../core/types.ts'
import { RULES_VERSION } from '../core/version.ts'
import { resumFills } from './archive/fills.ts'
import { type ConnectionOptions, connect, disconnect, type Sql, type Tx } from './db.ts'
import { encodeJournalRow } from './journal-row.ts'
import { takeWorldLock } from './lock.ts'
import { unpackManifest } from './snapshot-format.ts'
import { findSnapshot, loadSnapshot, readSnapshotHead } from './snapshots.ts'
import type { Progress } from './store-log.ts'

/** Tables whose rows have a batch: a restore deletes those of later batches. */
const BATCH_TABLES = [
  'chat',
  'action_log',
  'captains_log',
  'battle_log',
  'battle',
  'closed_books',
  'price_hour',
  'fill',
  'battle_name',
  'petition',
  'forum_vote',
  'forum_reply',
  'forum_thread',
  'player',
  'note_text',
] as const

/** Runs one transaction while no server holds the world. Throws WorldLockedError. */
export async function withWorldLock<T>(
  connection: ConnectionOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const lock = await takeWorldLock(connection, { waitMs: 500 })
  const sql = connect(connection, { name: 'transfer' })
  try {
    return (await sql.begin(work)) as T
  } finally {
    await disconnect(sql)
    await lock.release()
  }
}

/** Returns the number of compressed journal rows after a batch. */
async function compressedAfter(tx: Tx, batch: number): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    select coalesce(sum(last_batch - first_batch + 1), 0)::int as count
    from journal_block where last_batch > ${batch}`
  return rows[0].count
}

/** Recounts the replies and votes of threads and replies from the remaining rows. */
async function recountForum(tx: Tx): Promise<void> {
  await tx`
    update forum_reply r set upvotes = (
      select count(*) from forum_vote v where v.thread = r.thread and v.reply = r.id)`
  await tx`
    update forum_thread t set
      -- unlocks what was only full: operators and authors lock threads that have room
      locked = t.locked and (t.deleted or t.reply_count < ${FORUM_REPLIES_PER_THREAD_MAX}
        or (select count(*) from forum_reply r where r.thread = t.id)
          >= ${FORUM_REPLIES_PER_THREAD_MAX}),
      reply_count = (select count(*) from forum_reply r where r.thread = t.id),
      upvotes = (select count(*) from forum_vote v where v.thread = t.id and v.reply = 0),
      updated_at = (
        select greatest(t.at, max(r.at)) from forum_reply r where r.thread = t.id)`
}

interface BatchPosition {
  readonly batch: number
  readonly tick: number
  readonly wallMs: number
}

/**
 * Truncates or recomputes aggregates, after the rows of batches after the position have been
 * deleted.
 */
export async function cutSums(tx: Tx, { batch, tick, wallMs }: BatchPosition): Promise<void> {
  await recountForum(tx)
  await resumFills(tx, tick)
  await tx`delete from public_frame where tick > ${tick}`
  await tx`delete from public_step where tick > ${tick}`
  // Days are recomputed from their hours.
  await tx`
    delete from price_day
    where day >= (${new Date(wallMs)}::timestamptz at time zone 'UTC')::date`
  await tx`update note_text set until_batch = null where until_batch > ${batch}`
}

/** Returns the highest assigned ids, of the world and of its snapshots from a batch on. */
async function readIdMarks(tx: Tx, batch: number): Promise<IdMarks> {
  const worlds = await tx<{ marks: IdMarks | null }[]>`select id_marks as marks from world`
  const snapshots = await tx<
    { layout: Uint8Array }[]
  >`select layout from snapshot where complete and batch >= ${batch}`
  return mergeMarks(
    worlds[0]?.marks ?? {},
    ...snapshots.map(({ layout }) =>
      Object.fromEntries(unpackManifest(layout).tables.map(({ name, nextSeq }) => [name, nextSeq])),
    ),
  )
}

/**
 * Appends a journal row with one input that makes ids continue where they were before the restore.
 * It is replayed like any other, so hashes and later snapshots stay valid.
 */
async function appendIdMarks(tx: Tx, position: BatchPosition, marks: IdMarks): Promise<void> {
  const parts = await tx<{ part: number }[]>`
    select coalesce(max(part), 0) + 1 as part from journal where tick = ${position.tick}`
  const heads = await tx<{ checksum: Uint8Array }[]>`select head_checksum as checksum from world`
  const input: JournalInput = {
    ref: NO_REPLY,
    player: 0,
    framing: 'ws2',
    command: 'internal:raise_ids',
    params: { marks },
  }
  const row = encodeJournalRow(
    {
      ...position,
      batch: position.batch + 1,
      part: parts[0].part,
      rulesVersion: RULES_VERSION,
      inputs: [input],
      archived: {},
      hash: null,
    },
    heads[0].checksum,
  )
  await tx`
    insert into journal (batch, tick, part, rules_version, wall_ms, body, hash, checksum)
    values (${row.batch}, ${row.tick}, ${row.part}, ${row.rulesVersion}, ${row.wallMs},
      ${row.body}, ${row.hash}, ${row.checksum})`
  await tx`
    update world set head_batch = ${row.batch}, head_checksum = ${row.checksum},
      id_marks = ${JSON.stringify(marks)}::text::json`
  await tx`update projection set batch = ${row.batch}`
}

interface RestoreOptions {
  /** True: only counts the rows that would be deleted. */
  readonly dryRun?: boolean
  readonly onProgress?: Progress
}

interface RestoreResult {
  readonly batch: number
  readonly tick: number
  /** Number of deleted rows by table. */
  readonly cut: Readonly<Record<string, number>>
}

/**
 * Restores a world to a snapshot: journal rows, newer snapshots, archive rows and registrations of
 * later batches are deleted. Rows that were deleted since (a log entry, chat beyond its limits)
 * stay deleted, and no id is assigned twice: ids continue after the last one. No server may run.
 */
export async function restoreWorld(
  connection: ConnectionOptions,
  batch: number,
  { dryRun = false, onProgress }: RestoreOptions = {},
): Promise<RestoreResult> {
  return withWorldLock(connection, async (tx) => {
    const sql = tx as unknown as Sql
    const target = await findSnapshot(sql, batch)
    // A damaged snapshot must not be the only one left.
    await loadSnapshot(sql, target.id, {
      onProgress: (done, all) => onProgress?.('chunks of the snapshot read', done, all),
    })
    const head = await readSnapshotHead(sql, target.id)
    const marks = await readIdMarks(tx, batch)
    const cut: Record<string, number> = {}
    const tables = ['journal', 'snapshot', ...BATCH_TABLES]
    for (const [done, table] of tables.entries()) {
      onProgress?.(dryRun ? 'tables counted' : 'tables cut', done, tables.length)
      const counted = await tx<{ count: number }[]>`
        select count(*)::int as count from ${tx(table)} where batch > ${batch}`
      cut[table] = counted[0].count
      if (table === 'journal') cut[table] += await compressedAfter(tx, batch)
      if (!dryRun) await tx`delete from ${tx(table)} where batch > ${batch}`
    }
    if (!dryRun) {
      // A block ends at a snapshot, so none has rows on both sides of this one.
      await tx`delete from journal_block where last_batch > ${batch}`
      const { wallMs } = head.manifest
      await cutSums(tx, { batch, tick: target.tick, wallMs })
      await tx`
        update world set head_batch = ${batch}, head_checksum = ${head.chain}, epoch = default`
      await appendIdMarks(tx, { batch, tick: target.tick, wallMs }, marks)
    }
    return { batch, tick: target.tick, cut }
  })
}
