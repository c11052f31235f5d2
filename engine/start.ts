/**
 * Creates worlds: empty, new (genesis) or from a snapshot, and replays the journal on them. A
 * recovery takes the same path as a start (DESIGN 4), and the operators' tools use it too.
 */
import { assert } from '../core/assert.ts'
import { FACILITIES, GOODS, RECIPES, SHIP_CLASSES } from '../core/catalog/index.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import { Container, openNamedContainers, Stack } from '../core/goods.ts'
import { stateHash } from '../core/hash.ts'
import { restoreWorld } from '../core/image.ts'
import { Account, openNamedAccounts } from '../core/ledger.ts'
import { createParallel, type ParallelOptions, type ParallelSection } from '../core/parallel.ts'
import type { JournalRow, PublishedBatch, WorldImage } from '../core/ports.ts'
import type { Registry } from '../core/registry.ts'
import { createSchedule } from '../core/schedule.ts'
import { runSteps } from '../core/steps.ts'
import { runImmediates, tickSteps } from '../core/tick.ts'
import type { World } from '../core/types.ts'
import { RULES_VERSION } from '../core/version.ts'
import { finishBatch } from '../core/wire/describe.ts'
import { forgetFeeds } from '../core/wire/feed.ts'
import { createWorld } from '../core/world.ts'

/** What a world is created with. */
export interface WorldShape {
  readonly registry: Registry
  readonly seed: number
  readonly tickMs: number
  readonly maxEntities: number
  /** See `createWorld`. */
  readonly memory?: (bytes: number) => SharedArrayBuffer
}

/** Tables that no domain owns. */
export const CORE_TABLES = [Account, Container, Stack]

/** Returns a world with the tables of the registry and no rows. */
export function emptyWorld(options: WorldShape): World {
  const { registry, seed, tickMs, maxEntities, memory } = options
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
    memory,
  })
}

/** Returns a new world: the named accounts and containers, then the genesis of every domain. */
export function newWorld(shape: WorldShape): World {
  const { registry } = shape
  const world = emptyWorld(shape)
  openNamedAccounts(world)
  openNamedContainers(world)
  for (const domain of registry.domains) domain.genesis?.(world)
  world.recycle()
  rebuildWorld(world, registry)
  return world
}

function rebuildWorld(world: World, registry: Registry): void {
  for (const domain of registry.domains) domain.rebuild?.(world)
}

type Loading = Omit<WorldShape, 'seed'>

/**
 * Returns the settings to load an image with, so that the journal after it replays as it ran: those
 * in the image; those given, for images of older releases, which have none.
 */
export const asItRan = (given: Loading, { tickMs, maxEntities }: WorldImage): Loading => ({
  registry: given.registry,
  tickMs: tickMs ?? given.tickMs,
  maxEntities: maxEntities ?? given.maxEntities,
})

/**
 * Loads a world from an image. Under other rules (columns, catalogue) the hash differs: then only
 * the storage's checksums verify the image.
 */
export function loadWorld(options: Loading, image: WorldImage, { isVerified = false } = {}): World {
  const world = emptyWorld({ ...options, seed: image.seed })
  restoreWorld(world, image)
  rebuildWorld(world, options.registry)
  const isOlder = image.rulesVersion !== RULES_VERSION
  if (isOlder) for (const domain of options.registry.domains) domain.upgrade?.(world)
  assert(
    isVerified || isOlder || stateHash(world) === image.hash,
    `the snapshot of tick ${image.tick} does not have the hash it was saved with`,
  )
  return world
}

export type SectionOptions = Partial<
  Pick<
    ParallelOptions,
    'workers' | 'threadFile' | 'breakEvenNs' | 'onWaking' | 'extra' | 'heapMbMax' | 'around'
  >
>

/** Opens the parallel section of a world; without kernel threads unless `workers` is set. */
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

/**
 * Opens an engine that runs batches on a world without a loop. By default it makes no full checks
 * and no hashes, but checks that systems write only the tables they declare.
 */
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

/**
 * Runs a journal row like `applyRow` when main may not receive its feeds: the next batch does not
 * build on them.
 */
export function replayRow(engine: Engine, row: JournalRow): PublishedBatch {
  const batch = applyRow(engine, row)
  forgetFeeds(engine.world)
  return batch
}

/** Runs a journal row and compares its tick, inputs and hash. Returns what it published. */
export const applyRow = (engine: Engine, row: JournalRow): PublishedBatch =>
  finishBatch(engine, runSteps(rowSteps(engine, row)), row)

/** Runs a journal row in steps of one command or system, and compares its tick, inputs and hash. */
export function* rowSteps(engine: Engine, row: JournalRow): Generator<void, BatchRun> {
  assert(
    row.rulesVersion === RULES_VERSION,
    `batch ${row.batch} was made by rules ${row.rulesVersion}`,
  )
  const run =
    row.part === 0
      ? yield* tickSteps(engine, row.inputs, row.wallMs)
      : runImmediates(engine, row.inputs, row.wallMs)
  assert(engine.world.tick === row.tick, `batch ${row.batch} belongs to another tick`)
  assert(run.inputs.length === row.inputs.length, `batch ${row.batch}: an input is now refused`)
  if (row.hash !== null) {
    const hash = run.hash ?? stateHash(engine.world)
    assert(hash === row.hash, `batch ${row.batch}: hash ${hash} where the journal has ${row.hash}`)
  }
  return run
}
