/**
 * Other ways to the same world: its image loaded again, its derived state rebuilt, and the whole
 * journal replayed from the first snapshot. All must hash alike (I5, I14).
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

/** Makes a new world of a seed, as an image; once a process. */
export function genesis(registry: Registry, seed: number, shape = SHAPE): WorldImage {
  const key = `${seed} ${shape.tickMs} ${shape.maxEntities}`
  const made = images.get(key)
  if (made) return made
  const world = newWorld({ registry, seed, ...shape })
  assert(isSmall(world), 'the small map is not what genesis reads')
  const image = copyImage(captureWorld(world, createImageMemory()))
  images.set(key, image)
  return image
}

/** Loads the world's image into another world: it must hash alike and pass every check. */
export function reloadedHash(registry: Registry, world: World): string {
  const image = captureWorld(world, createImageMemory())
  const other = loadWorld({ registry, ...SHAPE, memory: worldMemory }, image)
  checkInvariants(other, registry, [creditsSumToZero, itemsSumToZero], 1)
  const hash = stateHash(other)
  endWorld(other)
  return hash
}

/** Replays the journal from the first snapshot. */
export async function replayedHash(
  registry: Registry,
  first: WorldImage,
  rows: readonly string[],
  shape = SHAPE,
): Promise<string> {
  const world = loadWorld({ registry, ...shape }, first)
  const engine = await openEngine(world, registry)
  for (const text of rows) replayRow(engine, JSON.parse(text) as JournalRow)
  return stateHash(world)
}
