/**
 * How a world comes to be: empty, new (genesis) or from a snapshot, and how the journal brings it
 * up to date. The recovery path is the start path (DESIGN 4); the operators' tools use the same
 * functions.
 */

import { assert } from '../core/assert.ts'
import { FACILITIES, GOODS, RECIPES, SHIP_CLASSES } from '../core/catalog/index.ts'
import type { Engine } from '../core/engine.ts'
import { Container, openNamedContainers, Stack } from '../core/goods.ts'
import { stateHash } from '../core/hash.ts'
import { restoreWorld } from '../core/image.ts'
import { Account, openNamedAccounts } from '../core/ledger.ts'
import { createParallel, type ParallelOptions, type ParallelSection } from '../core/parallel.ts'
import type { JournalRow, PublishedBatch, WorldImage } from '../core/ports.ts'
import type { Registry } from '../core/registry.ts'
import { createSchedule } from '../core/schedule.ts'
import { runImmediates, runTick } from '../core/tick.ts'
import type { World } from '../core/types.ts'
import { RULES_VERSION } from '../core/version.ts'
import { finishBatch } from '../core/wire/describe.ts'
import { forgetFeeds } from '../core/wire/feed.ts'
import { createWorld } from '../core/world.ts'

interface WorldShape {
  readonly registry: Registry
  readonly seed: number
  readonly tickMs: number
  readonly maxEntities: number
}

/** Tables that no domain owns. */
export const CORE_TABLES = [Account, Container, Stack]

export function emptyWorld(options: WorldShape): World {
  const { registry, seed, tickMs, maxEntities } = options
  return createWorld({
    players: registry.players.table,
    tables: [...CORE_TABLES, ...registry.tables],
    records: registry.records,
    catalogs: { goods: GOODS, shipClasses: SHIP_CLASSES, recipes: RECIPES, facilities: FACILITIES },
    sections: registry.sections,
    observers: registry.observers,
    guards: registry.guards,
    grants: registry.grants,
    seed,
    tickMs,
    maxEntities,
  })
}

/** A new world of a seed: the named accounts and containers, then every domain's part. */
export function beginWorld(world: World, registry: Registry): void {
  openNamedAccounts(world)
  openNamedContainers(world)
  for (const domain of registry.domains) domain.genesis?.(world)
  world.recycle()
  rebuildWorld(world, registry)
}

function rebuildWorld(world: World, registry: Registry): void {
  for (const domain of registry.domains) domain.rebuild?.(world)
}

/**
 * A world as an image has it. Under other rules the hash is another one (columns, catalogue): there
 * the storage's own checksums vouch for it alone.
 */
export function loadWorld(
  options: Omit<WorldShape, 'seed'>,
  image: WorldImage,
  { isVerified = false } = {},
): World {
  const world = emptyWorld({ ...options, seed: image.seed })
  restoreWorld(world, image)
  rebuildWorld(world, options.registry)
  assert(
    isVerified || image.rulesVersion !== RULES_VERSION || stateHash(world) === image.hash,
    `the snapshot of tick ${image.tick} does not hash as saved`,
  )
  return world
}

export type SectionOptions = Partial<
  Pick<
    ParallelOptions,
    'workers' | 'threadFile' | 'breakEvenNs' | 'onWaking' | 'extra' | 'heapMbMax' | 'around'
  >
>

/** The parallel section of a world; without kernel threads unless they are asked for. */
export const openSection = (
  world: World,
  registry: Registry,
  options: SectionOptions = {},
): Promise<ParallelSection> =>
  createParallel({
    layout: world.layout,
    buffer: world.buffer,
    columns: world.kernelColumns,
    systems: registry.systems,
    workers: 0,
    threadFile: '',
    ...options,
  })

type EngineOptions = SectionOptions &
  Partial<Pick<Engine, 'checkEvery' | 'hashEvery' | 'checksWrites'>>

/** What runs batches on a world that no loop drives; no full checks, no hashes unless asked for,
 * but systems are held to the tables they declare. */
export async function openEngine(
  world: World,
  registry: Registry,
  options: EngineOptions = {},
): Promise<Engine> {
  const { checkEvery, hashEvery, checksWrites = true, ...section } = options
  return {
    world,
    registry,
    schedule: createSchedule(registry),
    section: await openSection(world, registry, section),
    checkEvery: checkEvery ?? Number.MAX_SAFE_INTEGER,
    hashEvery: hashEvery ?? Number.MAX_SAFE_INTEGER,
    checksWrites,
    heartbeat: () => {},
  }
}

/** Runs a journal row again and compares what it says. Returns what it published. */
export function replayRow(engine: Engine, row: JournalRow): PublishedBatch {
  assert(
    row.rulesVersion === RULES_VERSION,
    `batch ${row.batch} was made by rules ${row.rulesVersion}`,
  )
  const run =
    row.part === 0
      ? runTick(engine, row.inputs, row.wallMs)
      : runImmediates(engine, row.inputs, row.wallMs)
  assert(engine.world.tick === row.tick, `batch ${row.batch} is of another tick`)
  assert(run.inputs.length === row.inputs.length, `batch ${row.batch}: an input is now refused`)
  if (row.hash !== null) {
    const hash = run.hash ?? stateHash(engine.world)
    assert(hash === row.hash, `batch ${row.batch}: hash ${hash} where the journal has ${row.hash}`)
  }
  const batch = finishBatch(engine, run, row)
  // Main may not have got this; whoever gets the next must not need it.
  forgetFeeds(engine.world)
  return batch
}
