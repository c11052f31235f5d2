/**
 * Retention of a world's past: snapshots in tiers that get wider with age, and the journal from the
 * oldest of them on, so that every tick since can be replayed. Ages are measured in world time,
 * ticks times the length of a tick: neither a wrong clock nor a stopped server makes anything old.
 */
import { arrayLiteral, type Sql, type Tx } from './db.ts'
import { StorageDamageError } from './errors.ts'
import { compressJournal } from './journal-blocks.ts'
import { unpackManifest } from './snapshot-format.ts'
import { lockSnapshots } from './snapshots.ts'

export interface Keeping {
  /**
   * Number of newest snapshots that are always kept; the journal after the oldest of them is not
   * compressed.
   */
  readonly newest: number
  /** Hours before the newest snapshot for which every snapshot is kept. */
  readonly allHours: number
  /** Days for which one snapshot per hour is kept. */
  readonly hourlyDays: number
  /** Days for which one snapshot per day is kept. */
  readonly dailyDays: number
  /** Limit of snapshots and journal together; the oldest are dropped first. */
  readonly bytesMax: number
}

const MIB = 1024 * 1024

export const KEEPING_DEFAULT: Keeping = {
  newest: 3,
  allHours: 1,
  hourlyDays: 7,
  dailyDays: 365,
  bytesMax: 4096 * MIB,
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Tick length of images from releases that did not store it. */
const TICK_MS_DEFAULT = 10_000

type Tier = 'newest' | 'all' | 'hourly' | 'daily' | 'turn'

interface Placed {
  readonly batch: number
  readonly tick: number
}

interface KeptRow extends Placed {
  readonly id: number
  readonly rulesVersion: number
}

/**
 * Returns the tier that keeps each snapshot of a list, newest first; undefined if none does. The
 * first snapshot of an hour or a day is kept, so that an hourly one can serve as the daily one.
 */
export function tiersOf(
  snapshots: readonly Placed[],
  keep: Keeping,
  tickMs: number,
): (Tier | undefined)[] {
  const timeOf = (index: number): number => snapshots[index].tick * tickMs
  const isFirstOf = (index: number, spanMs: number): boolean =>
    index === snapshots.length - 1 ||
    Math.floor(timeOf(index + 1) / spanMs) < Math.floor(timeOf(index) / spanMs)
  let distinct = 0
  return snapshots.map(({ batch }, index) => {
    // Two snapshots of one batch: the newer row is kept.
    if (index > 0 && snapshots[index - 1].batch === batch) return undefined
    if (distinct++ < keep.newest) return 'newest'
    const ageMs = timeOf(0) - timeOf(index)
    if (ageMs < keep.allHours * HOUR_MS) return 'all'
    if (ageMs < keep.hourlyDays * DAY_MS && isFirstOf(index, HOUR_MS)) return 'hourly'
    return ageMs < keep.dailyDays * DAY_MS && isFirstOf(index, DAY_MS) ? 'daily' : undefined
  })
}

/** Returns the complete snapshots, newest first. */
const snapshotRows = (sql: Sql): Promise<KeptRow[]> =>
  sql<KeptRow[]>`
    select id, batch, tick, rules_version as "rulesVersion" from snapshot where complete
    order by batch desc, id desc`

/** Returns the settings of a world at a snapshot, as one text. */
async function settingsOf(sql: Sql, { id }: KeptRow): Promise<string> {
  const rows = await sql<{ layout: Buffer }[]>`select layout from snapshot where id = ${id}`
  const { tickMs, maxEntities } = unpackManifest(rows[0].layout)
  return `${tickMs} ${maxEntities}`
}

/**
 * Returns whether no replay crosses a snapshot: it is the first with other rules or settings than
 * the one before, or the last before other rules.
 */
async function isTurn(sql: Sql, rows: readonly KeptRow[], index: number): Promise<boolean> {
  const row = rows[index]
  const [newer, older] = [rows[index - 1], rows[index + 1]]
  if (!older) return false
  if (newer?.rulesVersion !== row.rulesVersion || older.rulesVersion !== row.rulesVersion)
    return true
  return (await settingsOf(sql, row)) !== (await settingsOf(sql, older))
}

/** Returns the first snapshot after a world whose settings are not the world's, up to a tick. */
export async function settingsTurn(
  sql: Sql,
  { batch, tickMs, maxEntities }: { batch: number; tickMs: number; maxEntities: number },
  tick: number,
): Promise<Pick<KeptRow, 'batch' | 'tick'> | undefined> {
  const later = (await snapshotRows(sql)).filter((row) => row.batch > batch && row.tick <= tick)
  for (const row of later.reverse()) {
    if ((await settingsOf(sql, row)) !== `${tickMs} ${maxEntities}`) return row
  }
  return undefined
}

/** Returns the length of a tick in milliseconds, from the newest snapshot. */
export async function readTickMs(sql: Sql): Promise<number> {
  const rows = await sql<{ layout: Buffer }[]>`
    select layout from snapshot where complete order by batch desc, id desc limit 1`
  const tickMs = rows.length === 0 ? undefined : unpackManifest(rows[0].layout).tickMs
  return tickMs ?? TICK_MS_DEFAULT
}

/**
 * Returns, for each of a list of snapshots, newest first, the bytes of it, all newer ones, and the
 * journal after it.
 */
async function bytesFrom(sql: Sql, kept: readonly KeptRow[]): Promise<number[]> {
  const ids = arrayLiteral(kept.map(({ id }) => id))
  // A chunk counts for the newest snapshot that has it, a row for the newest snapshot before it.
  const owned = await sql<{ batch: number; bytes: number }[]>`
    with used as (
      select p.sha256, max(s.batch) as batch
      from snapshot_part p join snapshot s on s.id = p.snapshot_id
      where s.id = any(${ids}::bigint[]) group by p.sha256)
    select batch, sum(length(bytes))::bigint as bytes
    from used join snapshot_chunk using (sha256) group by batch
    union all
    select batch, pg_column_size(layout)::bigint from snapshot where id = any(${ids}::bigint[])`
  const batches = arrayLiteral(kept.map(({ batch }) => batch).reverse())
  const journal = await sql<{ place: number; bytes: number }[]>`
    select place, sum(bytes)::bigint as bytes from (
      select width_bucket(last_batch - 1, ${batches}::bigint[]) as place, length(body) as bytes
      from journal_block
      union all
      select width_bucket(batch - 1, ${batches}::bigint[]), pg_column_size(body) from journal
    ) as part group by place`
  const own = new Map<number, number>()
  const count = (batch: number, bytes: number): void =>
    void own.set(batch, (own.get(batch) ?? 0) + bytes)
  for (const { batch, bytes } of owned) count(batch, bytes)
  for (const { place, bytes } of journal) {
    if (place > 0) count(kept[kept.length - place].batch, bytes)
  }
  let sum = 0
  return kept.map(({ batch }) => {
    sum += own.get(batch) ?? 0
    return sum
  })
}

interface Kept {
  /** By index in the list; undefined: the next prune deletes the snapshot. */
  readonly tiers: readonly (Tier | undefined)[]
  /** Bytes of the kept snapshots and the journal after them. */
  readonly bytes: number
}

/**
 * Returns which snapshots of a list, newest first, are kept: by tiers, within the limit of bytes. A
 * snapshot at a change of rules or settings is kept as long as an older one, because no replay from
 * that one continues after it.
 */
export async function readKept(sql: Sql, rows: readonly KeptRow[], keep: Keeping): Promise<Kept> {
  const tiers = tiersOf(rows, keep, await readTickMs(sql))
  const oldest = tiers.findLastIndex((tier) => tier !== undefined)
  for (let index = 1; index < oldest; index++) {
    const isSecond = rows[index - 1].batch === rows[index].batch
    if (tiers[index] !== undefined || isSecond) continue
    if (await isTurn(sql, rows, index)) tiers[index] = 'turn'
  }
  const wanted = rows.flatMap((row, index) => (tiers[index] === undefined ? [] : { row, index }))
  const sums = await bytesFrom(
    sql,
    wanted.map(({ row }) => row),
  )
  let bytes = 0
  for (const [place, { index }] of wanted.entries()) {
    if (place < keep.newest || sums[place] <= keep.bytesMax) bytes = sums[place]
    else tiers[index] = undefined
  }
  return { tiers, bytes }
}

interface PruneResult {
  readonly snapshots: number
  /** Deleted journal rows; compressed ones are counted by block. */
  readonly journalRows: number
  readonly journalBlocks: number
  readonly chunks: number
  /** Why older journal rows could not be compressed. */
  readonly damage?: string
}

/**
 * Deletes the snapshots that no tier keeps and the journal before the oldest remaining one, and
 * compresses the journal before the newest. Each step is one transaction; a server may run
 * meanwhile.
 */
export async function pruneWorld(sql: Sql, keep: Keeping): Promise<PruneResult> {
  const rows = await snapshotRows(sql)
  const newest = Math.max(keep.newest, 1)
  let damage: string | undefined
  if (rows.length >= newest) {
    try {
      const batches = rows.map(({ batch }) => batch)
      await compressJournal(sql, rows[newest - 1].batch, batches)
    } catch (error) {
      // The damaged rows cannot be replayed; later ones still can.
      if (!(error instanceof StorageDamageError)) throw error
      damage = error.message
    }
  }
  const pruned = await sql.begin((tx) => pruneInside(tx, { ...keep, newest }))
  return { ...pruned, ...(damage === undefined ? {} : { damage }) }
}

async function pruneInside(tx: Tx, keep: Keeping): Promise<PruneResult> {
  await lockSnapshots(tx)
  const sql = tx as unknown as Sql
  const rows = await snapshotRows(sql)
  const { tiers } = await readKept(sql, rows, keep)
  const kept = rows.filter((_, index) => tiers[index] !== undefined)
  const snapshots = await tx`
    delete from snapshot where
      (complete and not id = any(${arrayLiteral(kept.map(({ id }) => id))}::bigint[]))
      or (not complete and created_at < now() - interval '1 hour')`
  const oldest = kept.at(-1)?.batch ?? 0
  const journal = await tx`delete from journal where batch <= ${oldest}`
  const blocks = await tx`delete from journal_block where last_batch <= ${oldest}`
  const chunks = await tx`
    delete from snapshot_chunk c where not exists (
      select 1 from snapshot_part p where p.sha256 = c.sha256)`
  return {
    snapshots: snapshots.count,
    journalRows: journal.count,
    journalBlocks: blocks.count,
    chunks: chunks.count,
  }
}
