/**
 * Stations of factions: the list of each faction's bases, their names, and their guest lists.
 * Source: crafting.md section 8.
 */
import { type Failure, fail } from '../../core/errors.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { USERNAMES } from '../account/state.ts'
import { isStationName, nameProblem, storedUsername } from '../account/usernames-model.ts'
import { baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { ownerOfBase } from './model.ts'
import { GUESTS, type Guests, OWNED, STATION_NAME_CHARACTERS_MAX } from './state.ts'

/** Adds a new base to the list of its faction. */
export const listBase = (world: World, base: Eid): void =>
  addToList(world.index(OWNED), ownerOfBase(world, base), base)

/** Takes a base off the list of its faction. */
export const unlistBase = (world: World, base: Eid): void =>
  removeFromList(world.index(OWNED), ownerOfBase(world, base), base)

/** Fills the lists from the columns, after a restore. */
export function rebuildStations(world: World): void {
  world.index(OWNED).clear()
  const { alive, seq } = world.read(Base)
  const rows: Eid[] = []
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 1 && ownerOfBase(world, base) !== 0) rows.push(base)
  }
  for (const base of rows.sort((a, b) => seq[a] - seq[b])) listBase(world, base)
}

/* Names */

/**
 * Returns the name as it is stored; `own` is the base to rename, if any. Refusals: invalid_name,
 * name_taken. Source: crafting.md section 8: 3 to 60 characters, unique, no user name; ours: the
 * characters of user names.
 */
export function nameFor(
  view: WorldView,
  given: string,
  own: Eid = 0,
): string | Failure<'invalid_name' | 'name_taken'> {
  const name = storedUsername(given.trim())
  const broken = nameProblem(name, STATION_NAME_CHARACTERS_MAX)
  if (broken) return fail('invalid_name', undefined, broken)
  const key = usernameKey(name)
  const isOwn = own !== 0 && usernameKey(baseName(view, own)) === key
  const isTaken = isStationName(view, key) || view.records(USERNAMES).has(key)
  return isTaken && !isOwn ? fail('name_taken', { name }) : name
}

/* Guests */

/** Writes the guest lists of a base; the record is deleted while all are empty. */
export function setGuests(world: World, base: Eid, guests: Guests): void {
  const key = String(world.read(Base).seq[base])
  const isEmpty = Object.values(guests).every((list: readonly number[]) => list.length === 0)
  if (isEmpty) world.records(GUESTS).delete(key)
  else world.records(GUESTS).set(key, guests)
}
