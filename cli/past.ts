/** A world as it was: the nearest snapshot before a tick, and the journal from there. */
import type { Engine } from '../core/engine.ts'
import type { JournalRow } from '../core/ports.ts'
import type { World } from '../core/types.ts'
import { RULES_RELEASES, RULES_VERSION } from '../core/version.ts'
import type { Sql } from '../storage/db.ts'
import { StorageDamageError } from '../storage/errors.ts'
import { readTickMs } from '../storage/keeping.ts'
import { isArchived, type Reach, readReach } from '../storage/reach.ts'
import { listSnapshots, loadSnapshot, type SnapshotRow } from '../storage/snapshots.ts'
import { duration } from './format.ts'
import { type Tool, ToolError } from './tool.ts'
import { engineOf, replay, rowsBehind } from './world.ts'

/** Says which ticks can be replayed, and by which release. */
export function reachText({ rulesVersion, fromTick, toTick }: Reach, tickMs: number): string {
  const span = `ticks ${fromTick} to ${toTick} (${duration((toTick - fromTick) * tickMs)})`
  if (rulesVersion === RULES_VERSION) return `Within reach of replay: ${span}.`
  const release = RULES_RELEASES[rulesVersion]
  const by = release === undefined ? 'another release' : `release ${release}`
  return `Within reach of ${by} (rules ${rulesVersion}): ${span}.`
}

/** Throws ToolError, with what is within reach, unless this release can replay to a tick. */
export async function requireReach(sql: Sql, tick: number): Promise<void> {
  const reach = await readReach(sql)
  const isWithin = ({ rulesVersion, fromTick, toTick }: Reach): boolean =>
    rulesVersion === RULES_VERSION && tick >= fromTick && tick <= toTick
  if (reach.some(isWithin)) return
  const tickMs = await readTickMs(sql)
  const spans = reach.map((one) => reachText(one, tickMs)).join(' ')
  throw new ToolError(
    `Tick ${tick} is out of reach of this release (rules ${RULES_VERSION}). ` +
      `${spans || 'There is no snapshot yet.'} SNAPSHOT_KEEP_DAILY and its like say what is kept.`,
  )
}

/** Waits until the archive has what followed from a tick; says so where it never will. */
export async function settleArchive(tool: Tool, sql: Sql, tick: number): Promise<void> {
  if (await isArchived(sql, tick)) return
  tool.note(
    'The archive lacks what came of the last batches (chat, logs): a server that starts writes it.',
  )
}

/** Yields the journal rows behind a world up to the end of a tick; the caller replays each. */
export async function* rowsTo(
  sql: Sql,
  world: Pick<World, 'batch'>,
  tick: number,
): AsyncGenerator<JournalRow> {
  for await (const row of rowsBehind(sql, world.batch)) {
    if (row.tick > tick) return
    yield row
  }
}

async function openSnapshot(tool: Tool, sql: Sql, { id }: SnapshotRow): Promise<Engine> {
  const image = await loadSnapshot(sql, id, {
    onProgress: (done, all) => tool.progress('chunks of the snapshot read', done, all),
  })
  return engineOf(tool, image)
}

/** Opens the first sound one of some snapshots, of which there is one; tells of damaged ones. */
async function openFirst(tool: Tool, sql: Sql, rows: readonly SnapshotRow[]): Promise<Engine> {
  for (const [index, row] of rows.entries()) {
    try {
      return await openSnapshot(tool, sql, row)
    } catch (error) {
      const isLast = index === rows.length - 1
      if (!(error instanceof StorageDamageError) || isLast) throw error
      tool.note(`${error.message}. The one before it is taken, with the journal from there.`)
    }
  }
  throw new Error('a tick is within reach, but no snapshot is before it')
}

/** Called behind each row that is replayed. */
type Seen = (world: World, row: JournalRow) => void

/** Runs the rows of the journal behind a world, up to the end of a tick. */
export async function walkTo(
  tool: Tool,
  sql: Sql,
  engine: Engine,
  tick: number,
  seen?: Seen,
): Promise<void> {
  const { world } = engine
  const from = world.tick
  for await (const row of rowsTo(sql, world, tick)) {
    await replay(engine, row)
    seen?.(world, row)
    tool.progress('ticks replayed', row.tick - from, tick - from)
  }
}

/**
 * Returns a world as it was at the end of a tick; throws ToolError when that is out of reach. With
 * `seen` the replay begins before the tick, where a snapshot is.
 */
export async function worldAt(tool: Tool, sql: Sql, tick: number, seen?: Seen): Promise<Engine> {
  await requireReach(sql, tick)
  const rows = await snapshotsOfReach(sql)
  const before = seen ? rows.filter((row) => row.tick < tick) : []
  const starts = before.length > 0 ? before : rows.filter((row) => row.tick <= tick)
  const engine = await openFirst(tool, sql, starts)
  await walkTo(tool, sql, engine, tick, seen)
  return engine
}

/** Lists the snapshots from which this release can replay, newest first. */
async function snapshotsOfReach(sql: Sql): Promise<SnapshotRow[]> {
  const ours = (await readReach(sql)).find(({ rulesVersion }) => rulesVersion === RULES_VERSION)
  return (await listSnapshots(sql)).filter(({ batch }) => batch >= (ours?.fromBatch ?? 0))
}

/**
 * Returns a world from which a span of ticks can be followed, and its last tick: as it was when the
 * tick before the first had ended; where no snapshot is before that, at the oldest one, which has
 * some of the first (`isCut`). Throws ToolError when the span is out of reach.
 */
export async function worldBefore(
  tool: Tool,
  sql: Sql,
  from: number,
  last: number | undefined,
): Promise<{ engine: Engine; to: number; isCut: boolean }> {
  await requireReach(sql, from)
  const ours = (await readReach(sql)).find(({ rulesVersion }) => rulesVersion === RULES_VERSION)
  const to = last ?? Math.max(from, ours?.toTick ?? from)
  await requireReach(sql, to)
  const rows = await snapshotsOfReach(sql)
  const before = rows.filter((row) => row.tick < from)
  const starts = before.length > 0 ? before : rows.filter((row) => row.tick === from).slice(-1)
  const engine = await openFirst(tool, sql, starts)
  if (before.length > 0) await walkTo(tool, sql, engine, from - 1)
  return { engine, to, isCut: before.length === 0 && from > 0 }
}
