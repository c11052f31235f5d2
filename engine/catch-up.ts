/** How a replica begins: from a snapshot, and through the rows that are behind it. */
import type { Engine } from '../core/engine.ts'
import type { WorldImage } from '../core/ports.ts'
import { createSchedule } from '../core/schedule.ts'
import { RULES_VERSION } from '../core/version.ts'
import { packBatch } from '../core/wire/packed.ts'
import { PENDING } from '../core/world.ts'
import { RulesVersionError } from '../storage/errors.ts'
import type { ReplicaStore } from '../storage/replica.ts'
import { endedLogins } from './ended-logins.ts'
import type { KeptWrites } from './kept-writes.ts'
import type { Knowledge } from './knowledge.ts'
import { isLeaving } from './leader-nodes.ts'
import type { LoopOptions } from './options.ts'
import { asItRan, loadWorld, replayRow } from './start.ts'

const WORLD_POLL_MS = 500

interface CatchUpOptions extends Omit<LoopOptions, 'store' | 'seed'> {
  readonly store: ReplicaStore
  /** Incarnation of this process. */
  readonly node: number
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Resolves with a snapshot, once there is a world: the newest, but none beyond what main has
 * published, whose answers and events no player of this node would get.
 */
export async function firstImage({
  store,
  post,
  lastPublished,
}: CatchUpOptions): Promise<WorldImage> {
  for (let isTold = false; ; isTold = true) {
    const image = await store.latestSnapshot(lastPublished)
    if (image && image.batch > (lastPublished ?? image.batch)) {
      throw new Error(
        `no snapshot is as old as batch ${lastPublished}, the last one that players here were sent: ` +
          'this node ends, and they log in anew',
      )
    }
    if (image && image.rulesVersion > RULES_VERSION) {
      throw new RulesVersionError(image.rulesVersion, RULES_VERSION, image.batch, true)
    }
    if (image) return image
    const text = 'there is no world yet: start a server with ROLE=world'
    if (!isTold) post({ kind: 'log', level: 'warn', fields: {}, text })
    await sleep(WORLD_POLL_MS)
  }
}

export async function newEngine(options: CatchUpOptions, image: WorldImage): Promise<Engine> {
  const { registry, hashEvery, heartbeat } = options
  const world = loadWorld(asItRan(options, image), image)
  return {
    world,
    registry,
    schedule: createSchedule(registry),
    section: await options.section(world),
    // What is replayed has been checked when it ran, and the hashes are compared.
    checkEvery: Number.MAX_SAFE_INTEGER,
    hashEvery,
    checksWrites: false,
    heartbeat,
  }
}

interface Recovered {
  /** Refs that the journal or the world has. */
  readonly held: readonly number[]
  /** Of the last row. */
  readonly checksum: Uint8Array
  /** The leader took this node for gone in one of the rows. */
  readonly wasUnbound: boolean
}

/** Runs what is behind the snapshot. */
export async function recover(
  options: CatchUpOptions,
  engine: Engine,
  { kept, knows }: { readonly kept: KeptWrites; readonly knows: Knowledge },
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
    knows.part = row.part
    await engine.section.settled()
    checksum = sum
    held.push(...batch.ran)
    wasUnbound ||= row.inputs.some((input) => isLeaving(input, node))
    const isUnseen = lastPublished !== undefined && row.batch > lastPublished
    if (!isUnseen) continue
    const ended = endedLogins(row.inputs, node)
    post({ kind: 'batch', batch: packBatch({ ...batch, ended }) })
  }
  for (const [, pending] of world.records(PENDING).entries()) held.push(pending.ref)
  return { held, checksum, wasUnbound }
}
