/** The player's own two places at a base: the hold of the ship flown, and his locker there. */
import type { Eid, WorldView } from '../../core/types.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip } from '../ship/rules.ts'
import { cargoUnits, lockerOf, storedUnits } from './rules.ts'

export type Place = 'cargo' | 'storage'

/** Words for them. A map: of an object any player could ask for `constructor`. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['cargo', 'cargo'],
  ['storage', 'storage'],
  ['self', 'storage'],
])

/** The place that a word means, in any case; undefined where it means none. */
export const placeNamed = (word: string): Place | undefined => PLACES.get(word.toLowerCase())

/** Units of a good at a place. */
export const unitsAt = (
  view: WorldView,
  player: Eid,
  base: Eid,
  place: Place,
  item: number,
): number =>
  place === 'cargo'
    ? cargoUnits(view, activeShip(view, player), item)
    : storedUnits(view, player, base, item)

/** Container of a place; 0 for a locker that is not open. */
export const containerAt = (view: WorldView, player: Eid, base: Eid, place: Place) =>
  place === 'cargo' ? view.read(Ship).hold[activeShip(view, player)] : lockerOf(view, player, base)
