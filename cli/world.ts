/** Worlds in the hands of a tool: from a snapshot, and onwards by the journal, on one thread. */
import { ConfigError } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import type { JournalRow, PublishedBatch, WorldImage } from '../core/ports.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import type { World } from '../core/types.ts'
import { RULES_VERSION } from '../core/version.ts'
import { asItRan, loadWorld, openEngine, replayRow } from '../engine/start.ts'
import type { Sql } from '../storage/db.ts'
import { readJournal } from '../storage/journal.ts'
import { loadLatest } from '../storage/snapshots.ts'
import { type Tool, ToolError } from './tool.ts'

/**
 * Returns the game; loaded by the tools that need it, since that takes longer than many tools run.
 */
export async function loadGame(): Promise<Registry> {
  const { DOMAINS } = await import('../systems/registry.ts')
  return createRegistry(DOMAINS)
}

/**
 * Makes an engine of a world loaded from an image, ready to continue as it ran, whatever the
 * settings of this process. The image's own hash has been compared. Replayed rows were checked when
 * they first ran, and hashes of the journal are compared: full checks run only where requested.
 */
export async function engineOf(
  tool: Tool,
  image: WorldImage,
  more: Partial<Pick<Engine, 'phaseOver' | 'checkEvery'>> = {},
): Promise<Engine> {
  const registry = await loadGame()
  const { tickMs, maxEntities } = tool.config
  const shape = asItRan({ registry, tickMs, maxEntities }, image)
  const world = load(() => loadWorld(shape, image))
  // Where the journal has a hash, the replay computes it anyway.
  const engine = await openEngine(world, registry, { checksWrites: false })
  return { ...engine, ...more }
}

function load(make: () => World): World {
  try {
    return make()
  } catch (error) {
    const isTooSmall = error instanceof Error && error.message.includes('raise MAX_ENTITIES')
    throw isTooSmall ? new ConfigError(`This world does not fit: ${error.message}.`) : error
  }
}

/** What is said of a world that goes another way than the one which wrote the journal. */
const OTHER_WAY = /where the journal has|is now refused/

/** Runs one journal row; returns what it published. Throws ToolError when it goes another way. */
export async function replay(engine: Engine, row: JournalRow): Promise<PublishedBatch> {
  try {
    const batch = replayRow(engine, row)
    await engine.section.settled()
    return batch
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    // Rules read both, and a start that finds them changed stores a snapshot: engine/resettle.ts.
    const hint = OTHER_WAY.test(what)
      ? ' If TICK_MS or MAX_ENTITIES have changed since the snapshot that it began with, begin ' +
        'with a tick behind that change.'
      : ''
    throw new ToolError(
      `The replay of batch ${row.batch} (tick ${row.tick}) fails: ${what}.${hint}`,
    )
  }
}

/** Returns the journal rows behind a batch that these rules can run. */
export const rowsBehind = (sql: Sql, batch: number): AsyncGenerator<JournalRow> =>
  readJournal(sql, batch, { rulesVersion: RULES_VERSION })

/**
 * Returns the number of the last batch up to a tick: that of the newest, where none is named. A
 * tick in the midst of compressed rows counts to their end: good enough for progress.
 */
export async function lastBatch(sql: Sql, tick = Number.MAX_SAFE_INTEGER): Promise<number> {
  const rows = await sql<{ batch: number | null }[]>`
    select greatest(
      (select max(batch) from journal where tick <= ${tick}),
      (select max(last_batch) from journal_block where first_tick <= ${tick})) as batch`
  return rows[0].batch ?? 0
}

/** Called before each batch runs, and at the phases of ticks. */
type Watch = Required<Pick<Engine, 'phaseOver'>> & { begin(): void }

/** Returns the world as a start of the server would have it; nothing is written. */
export async function recover(tool: Tool, sql: Sql, watch?: Watch): Promise<Engine> {
  const image = await loadLatest(sql, {
    log: (_, __, text) => tool.note(text),
    onProgress: (done, all) => tool.progress('chunks of the snapshot read', done, all),
  })
  if (!image) throw new ToolError('There is no snapshot yet: start the server once (npm start).')
  const { checkEvery } = tool.config
  const more = watch && { phaseOver: watch.phaseOver, checkEvery }
  const engine = await engineOf(tool, image, more)
  const end = await lastBatch(sql)
  let rows = 0
  for await (const row of rowsBehind(sql, image.batch)) {
    watch?.begin()
    await replay(engine, row)
    tool.progress('batches replayed', ++rows, end - image.batch)
  }
  return engine
}
