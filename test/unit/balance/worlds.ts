/** New galaxies by seed, made once a file. */
import type { World } from '../../../core/types.ts'
import { smallWorld } from '../../small-world.ts'

const worlds = new Map<number, Promise<World>>()

/** Returns the world of a seed as it is on its first day. */
export function galaxyWorld(seed: number): Promise<World> {
  const world = worlds.get(seed) ?? smallWorld({ seed }).then((small) => small.world)
  worlds.set(seed, world)
  return world
}
