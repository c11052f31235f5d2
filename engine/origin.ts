/**
 * Opens a world that is to be led: a new one, the newest snapshot, or the replica of a standby; and
 * replays the journal rows that follow it.
 */
import type { Engine } from '../core/engine.ts'
import type { ParallelSection } from '../core/parallel.ts'
import type { World } from '../core/types.ts'
import { RULES_VERSION } from '../core/version.ts'
import { forgetFeeds } from '../core/wire/feed.ts'
import { packBatch } from '../core/wire/packed.ts'
import { PENDING } from '../core/world.ts'
import { RulesVersionError } from '../storage/errors.ts'
import type { KeptBatch } from './kept-writes.ts'
import type { LoopOptions } from './options.ts'
import { resettle } from './resettle.ts'
import { loadWorld, newWorld, replayRow } from './start.ts'

/** A world in memory, ready to be led from its last batch on. */
export interface Origin {
  readonly world: World
  readonly section: ParallelSection
  /** Batches of immediates since its last tick. */
  readonly part: number
  /** Archive writes of its last batches, which may not be written yet. */
  readonly kept: readonly KeptBatch[]
  /** No snapshot of this world exists yet. */
  readonly isNew: boolean
}

function generateWorld(options: LoopOptions): World {
  const fields = { seed: options.seed }
  options.post({ kind: 'log', level: 'info', fields, text: 'generating the world' })
  return (options.newWorld ?? newWorld)(options)
}

/** Loads the world from its newest snapshot, or creates it (genesis). */
export async function openOrigin(options: LoopOptions): Promise<Origin> {
  const { store } = options
  const stored = await store.latestSnapshot()
  // This release would drop what it does not know, and store the rest as its own.
  if (stored && stored.rulesVersion > RULES_VERSION) {
    throw new RulesVersionError(stored.rulesVersion, RULES_VERSION, stored.batch)
  }
  const image = stored && (await resettle(options, stored))
  const world = image ? loadWorld(options, image) : generateWorld(options)
  // Stored only once it has loaded without a failed assertion.
  if (image && image !== stored) await store.saveSnapshot(image)
  if (image) options.post({ kind: 'snapshot', result: 'loaded', wallMs: image.wallMs, tookMs: 0 })
  return { world, section: await options.section(world), part: 0, kept: [], isNew: !image }
}

interface Recovered {
  /** Refs of all commands that the journal or the world already has. */
  readonly held: readonly number[]
  readonly part: number
}

/**
 * Hands the archive the writes that a replica kept, then replays the journal rows that follow a
 * world; posts the batches that main has not seen.
 */
export async function recover(
  options: LoopOptions,
  engine: Engine,
  { part: before, kept }: Origin,
): Promise<Recovered> {
  const { store, busy, post, lastPublished } = options
  for (const { row, writes } of kept) await store.project?.(row, writes)
  const held: number[] = []
  let part = before
  forgetFeeds(engine.world)
  for await (const row of store.journalAfter(engine.world.batch)) {
    // Time spent waiting for the database must not look like a stalled world.
    busy(true)
    const batch = replayRow(engine, row)
    busy(false)
    await store.project?.(row, engine.world.outbox.writes)
    await engine.section.settled()
    part = row.part
    held.push(...batch.ran)
    const unseen = lastPublished !== undefined && row.batch > lastPublished
    if (unseen) post({ kind: 'batch', batch: packBatch(batch) })
  }
  await store.projected?.()
  for (const [, pending] of engine.world.records(PENDING).entries()) held.push(pending.ref)
  return { held, part }
}
