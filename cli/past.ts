/** Loads a past world: the nearest snapshot before a tick, then the journal from there. */
import type { Engine } from '../core/engine.ts'
import type { JournalRow } from '../core/ports.ts'
import type { World } from '../core/types.ts'
import { RULES_RELEASES, RULES_VERSION } from '../core/version.ts'
import type { Sql } from '../storage/db.ts'
import { StorageDamageError } from '../storage/errors.ts'
import { readTickMs } from '../storage/keeping.ts'
import { type Reach, readReach, waitForArchive } from '../storage/reach.ts'
import { listSnapshots, loadSnapshot, type SnapshotRow } from '../storage/snapshots.ts'
import { duration } from './format.ts'
import { type Tool, ToolError } from './tool.ts'
import { engineOf, journalRowsAfter, replay } from './world.ts'

/** The most ticks per second at which a past world is run for its clients. */
export const SPEED_MAX = 1_000

/** Describes which ticks can be replayed, and by which release. */
export function reachText({ rulesVersion, fromTick, toTick }: Reach, tickMs: number): string {
  const span = `ticks ${fromTick} to ${toTick} (${duration((toTick - fromTick) * tickMs)})`
  if (rulesVersion === RULES_VERSION) return `Within reach of replay: ${span}.`
  const release = RULES_RELEASES[rulesVersion]
  const by = release === undefined ? 'another release' : `release ${release}`
  return `Within reach of ${by} (rules ${rulesVersion}): ${span}.`
}

/** Throws ToolError with the ticks within reach, unless this release can replay to the tick. */
export async function requireReach(sql: Sql, tick: number): Promise<void> {
  const reach = await readReach(sql)
  const isWithin = ({ rulesVersion, fromTick, toTick }: Reach): boolean =>
    rulesVersion === RULES_VERSION && tick >= fromTick && tick <= toTick
  if (reach.some(isWithin)) return
  const tickMs = await readTickMs(sql)
  const spans = reach.map((one) => reachText(one, tickMs)).join(' ')
  throw new ToolError(
    `Tick ${tick} is out of reach of this release (rules ${RULES_VERSION}). ` +
      `${spans || 'There is no snapshot yet.'} The SNAPSHOT_KEEP settings control what is kept.`,
  )
}

/** Waits until the archive has everything up to a tick; prints a note if that takes too long. */
export async function settleArchive(tool: Tool, sql: Sql, tick: number): Promise<void> {
  if (await waitForArchive(sql, tick)) return
  tool.note(
    'The archive lacks the results of the last batches (chat, logs); the next server start adds them.',
  )
}

/** Yields the journal rows after the state of a world, up to the end of a tick, for replay. */
export async function* rowsTo(
  sql: Sql,
  world: Pick<World, 'batch'>,
  tick: number,
): AsyncGenerator<JournalRow> {
  for await (const row of journalRowsAfter(sql, world.batch)) {
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

/** Opens the first intact snapshot of a list that is not empty; prints a note on damaged ones. */
async function openFirst(tool: Tool, sql: Sql, rows: readonly SnapshotRow[]): Promise<Engine> {
  for (const [index, row] of rows.entries()) {
    try {
      return await openSnapshot(tool, sql, row)
    } catch (error) {
      const isLast = index === rows.length - 1
      if (!(error instanceof StorageDamageError) || isLast) throw error
      tool.note(`${error.message}. Using the snapshot before it, with the journal from there.`)
    }
  }
  throw new Error('a tick is within reach, but no snapshot is before it')
}

/** Called after each row is replayed. */
type OnRow = (world: World, row: JournalRow) => void

/** Replays the journal from the state of a world up to the end of a tick. */
export async function walkTo(
  tool: Tool,
  sql: Sql,
  engine: Engine,
  tick: number,
  onRow?: OnRow,
): Promise<void> {
  const { world } = engine
  const from = world.tick
  for await (const row of rowsTo(sql, world, tick)) {
    await replay(engine, row)
    onRow?.(world, row)
    tool.progress('ticks replayed', row.tick - from, tick - from)
  }
}

/**
 * Returns a world as it was at the end of a tick; throws ToolError if that is out of reach. With
 * `onRow` the replay begins before the tick if there is a snapshot, so that its rows are reported.
 */
export async function worldAt(tool: Tool, sql: Sql, tick: number, onRow?: OnRow): Promise<Engine> {
  await requireReach(sql, tick)
  const rows = await snapshotsOfReach(sql)
  const before = onRow ? rows.filter((row) => row.tick < tick) : []
  const starts = before.length > 0 ? before : rows.filter((row) => row.tick <= tick)
  const engine = await openFirst(tool, sql, starts)
  await walkTo(tool, sql, engine, tick, onRow)
  return engine
}

/** Lists the snapshots from which this release can replay, newest first. */
async function snapshotsOfReach(sql: Sql): Promise<SnapshotRow[]> {
  const ours = (await readReach(sql)).find(({ rulesVersion }) => rulesVersion === RULES_VERSION)
  return (await listSnapshots(sql)).filter(({ batch }) => batch >= (ours?.fromBatch ?? 0))
}

/**
 * Returns the world from which a range of ticks can be replayed, as it was before the first tick,
 * and the last tick. Without a snapshot before the range, the world is that of the oldest snapshot,
 * taken in the first tick, part of which is then missing (`isCut`). Throws ToolError if the range is
 * out of reach.
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
