/**
 * Creates worlds: empty, new (genesis) or from a snapshot, and replays the journal on them. The
 * recovery path is the start path (DESIGN 4); the operators' tools use the same functions.
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
 * Returns how to load an image so that the journal behind it replays as it ran; images of older
 * releases do not say, and take the settings given.
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

/** Opens the parallel section of a world; without kernel threads unless `workers` asks for them. */
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
 * Opens an engine that runs batches on a world without a loop; no full checks and no hashes unless
 * asked for, but systems are checked to write only the tables they declare.
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

/** Does as `applyRow`, where main may not get what it publishes: the next one does not build on it. */
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
  assert(engine.world.tick === row.tick, `batch ${row.batch} is of another tick`)
  assert(run.inputs.length === row.inputs.length, `batch ${row.batch}: an input is now refused`)
  if (row.hash !== null) {
    const hash = run.hash ?? stateHash(engine.world)
    assert(hash === row.hash, `batch ${row.batch}: hash ${hash} where the journal has ${row.hash}`)
  }
  return run
}
