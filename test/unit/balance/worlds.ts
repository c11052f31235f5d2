/** New galaxies by seed, made once a file. */
import type { World } from '../../../core/types.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

const worldOf = ({ world }: SmallWorld): World => world

const worlds = new Map<number, Promise<World>>()

/** Returns the world of a seed as it is on its first day. */
export function galaxyWorld(seed: number): Promise<World> {
  const made = worlds.get(seed) ?? smallWorld({ seed, outlivesTest: true }).then(worldOf)
  worlds.set(seed, made)
  return made
}
