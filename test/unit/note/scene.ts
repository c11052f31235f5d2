/** Two writers docked at one base, with room in their holds, for tests. */
import { namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { activeShip, freeSpace, unitsThatFit, unloadCargo } from '../../../systems/ship/model.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { done, load, ORE, trader } from '../trade/stage.ts'

interface Desk {
  readonly small: SmallWorld
  readonly ada: Eid
  readonly ben: Eid
  readonly base: Eid
}

export async function desk(): Promise<Desk> {
  const small = await smallWorld()
  const [ada, ben] = [trader(small, 'Ada'), trader(small, 'Ben')]
  small.takeEmissions()
  return { small, ada, ben, base: dockedBase(small.world, ada) }
}

/** Fills the hold of a player with ore until only this much space is left. */
export function fill({ world }: SmallWorld, player: Eid, left: number): void {
  const ship = activeShip(world, player)
  load(world, player, ORE, unitsThatFit(world, ship, ORE) - left)
  if (freeSpace(world, ship) !== left) throw new Error('a unit of ore is not a unit of space')
}

/** Takes this much ore out of the hold of a player. */
export function unload({ world }: SmallWorld, player: Eid, units: number): void {
  unloadCargo(world, activeShip(world, player), namedContainer('burned'), ORE, units)
}

/** Writes a note; returns its id. */
export const writeNote = (
  small: SmallWorld,
  player: Eid,
  title = 'Lanes',
  content = 'Trust the drift.',
): string => done(small, player, 'create_note', { title, content }, 'ask').note_id as string

/** Returns the ids of the notes that a player holds, as get_notes lists them. */
export const noteIdsOf = (small: SmallWorld, player: Eid): string[] =>
  (done(small, player, 'get_notes', {}, 'ask').notes as { note_id: string }[]).map(
    ({ note_id }) => note_id,
  )

/** Returns the arguments of all requests to the archive by a method. */
export const archivedArgs = (small: SmallWorld, method: string) =>
  (small.store.archive.rows.get(method) ?? []).map(({ args }) => args)
