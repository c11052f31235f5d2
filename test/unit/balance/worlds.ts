/** New galaxies by seed, made once a file. */
import type { World } from '../../../core/types.ts'
import { atEnd } from '../../after-tests.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

const worldOf = ({ world }: SmallWorld): World => world

const worlds = new Map<number, Promise<World>>()

/** Returns the world of a seed as it is on its first day; it ends with the file. */
export function galaxyWorld(seed: number): Promise<World> {
  const known = worlds.get(seed)
  if (known) return known
  const made = smallWorld({ seed, outlivesTest: true }).then(worldOf)
  worlds.set(seed, made)
  atEnd(() => worlds.delete(seed), true)
  return made
}
