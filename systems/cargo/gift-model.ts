/** Lookups of the notices of gifts that their recipients have not seen yet. */
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { BOXES, GIFTS, type Gift } from './state.ts'

/** Returns the key of a player's box of notices at a base. */
export const boxOf = (view: WorldView, player: Eid, base: Eid): string =>
  `${view.read(Player).seq[player]}:${view.read(Base).seq[base]}`

/** Returns the unseen gifts of a player at a base, the oldest first. */
export function giftsAt(view: WorldView, player: Eid, base: Eid): Gift[] {
  const numbers = view.index(BOXES).get(boxOf(view, player, base)) ?? []
  return numbers.flatMap((number) => view.records(GIFTS).get(String(number)) ?? [])
}
