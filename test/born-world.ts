/**
 * New worlds for tests. Genesis takes longer than most tests, so it runs once in each thread for
 * each kind of world; later calls load a world from the image of the first.
 */
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { WorldImage } from '../core/ports.ts'
import { createRegistry } from '../core/registry.ts'
import type { World } from '../core/types.ts'
import { loadWorld, newWorld, type WorldShape } from '../engine/start.ts'
import { smallMapDomain } from './sim/small-map.ts'

/** Images kept: each takes several MiB. */
const KEPT_MAX = 24
const BORN = new Map<string, WorldImage>()

/** Returns a new world of this shape. */
export function bornWorld(shape: WorldShape): World {
  const { registry, seed, tickMs, maxEntities } = shape
  const domains = registry.domains.map(({ name }) => name)
  const key = [seed, tickMs, maxEntities, ...domains].join()
  const born = BORN.get(key)
  // The image has been seen to load as it was saved.
  if (born) return loadWorld(shape, born, { isVerified: true })
  const world = newWorld(shape)
  if (BORN.size < KEPT_MAX) BORN.set(key, captureWorld(world, createImageMemory()))
  return world
}

/** Makes a world as `bornWorld` does, with few systems and goods: ticks and tools cost little. */
export const smallBornWorld = (shape: WorldShape): World =>
  bornWorld({ ...shape, registry: createRegistry([smallMapDomain, ...shape.registry.domains]) })
