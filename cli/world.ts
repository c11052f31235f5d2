/** Loads a world for a tool from a snapshot, and replays the journal, on one thread. */
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
import { messageOf, type Tool, ToolError } from './tool.ts'

/**
 * Loads the definitions of the game. Imported on demand, since that takes longer than most tools
 * run.
 */
export async function loadGame(): Promise<Registry> {
  const { DOMAINS } = await import('../systems/registry.ts')
  return createRegistry(DOMAINS)
}

/**
 * Creates an engine for the world in an image, ready to continue with the settings it ran with,
 * whatever those of this process are. The hash of the image has been compared. Full checks run only
 * on request: replayed rows were checked when they first ran, and the journal has hashes.
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

/** Matches the messages about a replay that diverges from the run that wrote the journal. */
const DIVERGENCE = /where the journal has|is now refused/

/** Replays one journal row; returns what it published. Throws ToolError if it diverges. */
export async function replay(engine: Engine, row: JournalRow): Promise<PublishedBatch> {
  try {
    const batch = replayRow(engine, row)
    await engine.section.settled()
    return batch
  } catch (error) {
    const what = messageOf(error)
    // The rules depend on both; a start with other values stores a snapshot: engine/resettle.ts.
    const hint = DIVERGENCE.test(what)
      ? ' If TICK_MS or MAX_ENTITIES have changed since the first snapshot of the replay, begin ' +
        'with a tick after that change.'
      : ''
    throw new ToolError(
      `The replay of batch ${row.batch} (tick ${row.tick}) fails: ${what}.${hint}`,
    )
  }
}

/** Returns the journal rows after a batch that the rules of this release can run. */
export const journalRowsAfter = (sql: Sql, batch: number): AsyncGenerator<JournalRow> =>
  readJournal(sql, batch, { rulesVersion: RULES_VERSION })

/**
 * Returns the number of the last batch up to a tick, by default the newest tick. For a tick within
 * a block of compressed rows it is that of the end of the block: good enough for progress.
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

/** Recovers the world as a start of the server would, but writes nothing. */
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
  for await (const row of journalRowsAfter(sql, image.batch)) {
    watch?.begin()
    await replay(engine, row)
    tool.progress('batches replayed', ++rows, end - image.batch)
  }
  return engine
}
