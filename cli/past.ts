/** A world as it was: the nearest snapshot before a tick, and the journal from there. */
import type { Engine } from '../core/engine.ts'
import { RULES_RELEASES, RULES_VERSION } from '../core/version.ts'
import type { Sql } from '../storage/db.ts'
import { readTickMs } from '../storage/keeping.ts'
import { type Reach, readReach } from '../storage/reach.ts'
import { listSnapshots, loadSnapshot } from '../storage/snapshots.ts'
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

/** Returns a world as it was at the end of a tick; throws ToolError when that is out of reach. */
export async function worldAt(tool: Tool, sql: Sql, tick: number): Promise<Engine> {
  await requireReach(sql, tick)
  const start = (await listSnapshots(sql)).find((row) => row.tick <= tick)
  if (!start) throw new Error(`tick ${tick} is within reach, but no snapshot is before it`)
  const image = await loadSnapshot(sql, start.id, {
    onProgress: (done, all) => tool.progress('chunks of the snapshot read', done, all),
  })
  const engine = await engineOf(tool, image)
  await walkTo(tool, sql, engine, tick)
  return engine
}

/** Runs the rows of the journal behind a world, up to the end of a tick. */
export async function walkTo(tool: Tool, sql: Sql, engine: Engine, tick: number): Promise<void> {
  const { world } = engine
  const from = world.tick
  for await (const row of rowsBehind(sql, world.batch)) {
    if (row.tick > tick) break
    await replay(engine, row)
    tool.progress('ticks replayed', row.tick - from, tick - from)
  }
}
