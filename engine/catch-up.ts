/** Starts a replica: loads a snapshot, then replays the journal rows that follow it. */
import type { Engine } from '../core/engine.ts'
import type { WorldImage } from '../core/ports.ts'
import { createSchedule } from '../core/schedule.ts'
import { RULES_VERSION } from '../core/version.ts'
import { packBatch } from '../core/wire/packed.ts'
import { PENDING } from '../core/world.ts'
import { sleep } from '../storage/db.ts'
import { RulesVersionError } from '../storage/errors.ts'
import type { ReplicaStore } from '../storage/replica.ts'
import { endedLogins } from './ended-logins.ts'
import type { KeptWrites } from './kept-writes.ts'
import type { Knowledge } from './knowledge.ts'
import { isUnbindOf } from './leader-nodes.ts'
import type { LoopOptions } from './options.ts'
import { asItRan, loadWorld, replayRow } from './start.ts'

const WORLD_POLL_MS = 500

interface CatchUpOptions extends Omit<LoopOptions, 'store' | 'seed'> {
  readonly store: ReplicaStore
  /** Incarnation of this process. */
  readonly node: number
}

/**
 * Waits until there is a world, and resolves with its newest snapshot that is no later than the
 * last batch main has published: with a later one, players of this node would miss the answers and
 * events in between.
 */
export async function firstImage({
  store,
  post,
  lastPublished,
}: CatchUpOptions): Promise<WorldImage> {
  for (let hasWarned = false; ; hasWarned = true) {
    const image = await store.latestSnapshot(lastPublished)
    if (image && image.batch > (lastPublished ?? image.batch)) {
      throw new Error(
        `every snapshot is newer than batch ${lastPublished}, the last one sent to the players ` +
          'of this node: the node stops, and its players must log in again',
      )
    }
    if (image && image.rulesVersion > RULES_VERSION) {
      throw new RulesVersionError(image.rulesVersion, RULES_VERSION, image.batch, true)
    }
    if (image) return image
    const text = 'there is no world yet: start a server with ROLE=world'
    if (!hasWarned) post({ kind: 'log', level: 'warn', fields: {}, text })
    await sleep(WORLD_POLL_MS)
  }
}

/** Loads a snapshot into a new engine that replays the journal. */
export async function newEngine(options: CatchUpOptions, image: WorldImage): Promise<Engine> {
  const { registry, hashEvery, heartbeat } = options
  const world = loadWorld(asItRan(options, image), image)
  return {
    world,
    registry,
    schedule: createSchedule(registry),
    section: await options.section(world),
    // The leader checked these batches when it ran them; here their hashes are compared.
    checkEvery: Number.MAX_SAFE_INTEGER,
    hashEvery,
    checksWrites: false,
    heartbeat,
  }
}

interface Recovered {
  /** Refs of commands that are in the journal, or pending in the world. */
  readonly held: readonly number[]
  /** Checksum of the last row. */
  readonly checksum: Uint8Array
  /** In one of the rows the leader considered this node gone and unbound its players. */
  readonly wasUnbound: boolean
}

/** Replays the journal rows that follow the snapshot; posts the batches that main has not seen. */
export async function recover(
  options: CatchUpOptions,
  engine: Engine,
  { kept, knowledge }: { readonly kept: KeptWrites; readonly knowledge: Knowledge },
): Promise<Recovered> {
  const { store, busy, lastPublished, post, node } = options
  const { world } = engine
  let checksum = await store.checksumAt(world.batch)
  let wasUnbound = false
  const held: number[] = []
  for await (const { row, checksum: sum } of store.rowsAfter(world.batch)) {
    busy(true)
    const batch = replayRow(engine, row)
    busy(false)
    kept.add(row, world.outbox.writes)
    knowledge.part = row.part
    await engine.section.settled()
    checksum = sum
    held.push(...batch.ran)
    wasUnbound ||= row.inputs.some((input) => isUnbindOf(input, node))
    const isUnseen = lastPublished !== undefined && row.batch > lastPublished
    if (!isUnseen) continue
    const ended = endedLogins(row.inputs, node)
    post({ kind: 'batch', batch: packBatch({ ...batch, ended }) })
  }
  for (const [, pending] of world.records(PENDING).entries()) held.push(pending.ref)
  return { held, checksum, wasUnbound }
}
