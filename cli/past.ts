/** A world as it was: the nearest snapshot before a tick, and the journal from there. */
import type { Engine } from '../core/engine.ts'
import type { JournalRow } from '../core/ports.ts'
import type { World } from '../core/types.ts'
import { RULES_RELEASES, RULES_VERSION } from '../core/version.ts'
import type { Sql } from '../storage/db.ts'
import { readTickMs } from '../storage/keeping.ts'
import { type Reach, readReach } from '../storage/reach.ts'
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
  const start =
    (seen && rows.find((row) => row.tick < tick)) ?? rows.find((row) => row.tick <= tick)
  if (!start) throw new Error(`tick ${tick} is within reach, but no snapshot is before it`)
  const engine = await openSnapshot(tool, sql, start)
  await walkTo(tool, sql, engine, tick, seen)
  return engine
}

/** Lists the snapshots from which this release can replay, newest first. */
async function snapshotsOfReach(sql: Sql): Promise<SnapshotRow[]> {
  const ours = (await readReach(sql)).find(({ rulesVersion }) => rulesVersion === RULES_VERSION)
  return (await listSnapshots(sql)).filter(({ tick }) => tick >= (ours?.fromTick ?? 0))
}

/**
 * Returns a world from which a span of ticks can be followed, and its last tick: as it was when the
 * tick before the first had ended; where no snapshot is before that, at the oldest one. Throws
 * ToolError when the span is out of reach.
 */
export async function worldBefore(
  tool: Tool,
  sql: Sql,
  from: number,
  last: number | undefined,
): Promise<{ engine: Engine; to: number }> {
  await requireReach(sql, from)
  const ours = (await readReach(sql)).find(({ rulesVersion }) => rulesVersion === RULES_VERSION)
  const to = last ?? Math.max(from, ours?.toTick ?? from)
  await requireReach(sql, to)
  const rows = await snapshotsOfReach(sql)
  const start = rows.find((row) => row.tick < from) ?? rows.findLast((row) => row.tick === from)
  if (!start) throw new Error(`tick ${from} is within reach, but no snapshot is before it`)
  const engine = await openSnapshot(tool, sql, start)
  if (start.tick < from) await walkTo(tool, sql, engine, from - 1)
  return { engine, to }
}
