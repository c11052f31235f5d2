/**
 * Other ways to rebuild a world: loading its image, and replaying the whole journal from the first
 * snapshot. Both must give the same hash (I5, I14).
 */
import { assert } from '../../core/assert.ts'
import { itemsSumToZero } from '../../core/goods.ts'
import { stateHash } from '../../core/hash.ts'
import { captureWorld, createImageMemory } from '../../core/image.ts'
import { checkInvariants } from '../../core/invariants.ts'
import { creditsSumToZero } from '../../core/ledger.ts'
import type { JournalRow, WorldImage } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { loadWorld, newWorld, openEngine, replayRow } from '../../engine/start.ts'
import { endWorld, worldMemory } from '../world-memory.ts'
import { isSmall } from './small-map.ts'
import { copyImage } from './storage.ts'
import { MAX_ENTITIES, TICK_MS } from './world-life.ts'

interface Shape {
  readonly tickMs: number
  readonly maxEntities: number
}

const SHAPE: Shape = { tickMs: TICK_MS, maxEntities: MAX_ENTITIES }

const images = new Map<string, WorldImage>()

/** Returns the image of a new world; each is made once in a process. */
export function genesis(registry: Registry, seed: number, shape = SHAPE): WorldImage {
  const key = `${seed} ${shape.tickMs} ${shape.maxEntities}`
  const made = images.get(key)
  if (made) return made
  const world = newWorld({ registry, seed, ...shape })
  assert(isSmall(world), 'genesis has not used the small map')
  const image = copyImage(captureWorld(world, createImageMemory()))
  images.set(key, image)
  return image
}

/** Loads the world's image into another world, checks its invariants and returns its hash. */
export function reloadedHash(registry: Registry, world: World): string {
  const image = captureWorld(world, createImageMemory())
  const other = loadWorld({ registry, ...SHAPE, memory: worldMemory }, image)
  checkInvariants(other, registry, [creditsSumToZero, itemsSumToZero], 1)
  const hash = stateHash(other)
  endWorld(other)
  return hash
}

/** Replays the journal from the first snapshot; returns the hash of its end. */
export async function replayedHash(
  registry: Registry,
  first: WorldImage,
  rows: readonly string[],
  shape = SHAPE,
): Promise<string> {
  const world = loadWorld({ registry, ...shape, memory: worldMemory }, first)
  const engine = await openEngine(world, registry)
  for (const text of rows) replayRow(engine, JSON.parse(text) as JournalRow)
  const hash = stateHash(world)
  endWorld(world)
  return hash
}
