/**
 * The arena as other domains see it: who is in a match, who is apart from whom, the figures of the
 * ships of the house, and what becomes of a ship that leaves the ring.
 */
import { FIGHTERS, type FighterRow } from '../../core/catalog/index.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Contest } from './columns.ts'

export { settleMatch, type Verdict, verdictOf } from './matches.ts'
export { leaveRing } from './stakes.ts'

/** The match a ship is in: a row of `Battle`; 0 none. */
export const matchOf = (view: WorldView, ship: Eid): Row => view.read(Contest).match[ship]

/** True for a ship that is in a match while the other is not in the same one. */
export function areApart(view: WorldView, ship: Eid, other: Eid): boolean {
  const { match } = view.read(Contest)
  return match[ship] !== match[other]
}

/** True when a player is in a match and the viewer is not; viewer 0 is whoever watches that. */
export function isAbsentFor(view: WorldView, viewer: Eid, player: Eid): boolean {
  const { ship } = view.read(Player)
  const { match } = view.read(Contest)
  return match[ship[player]] !== 0 && viewer !== 0 && match[ship[player]] !== match[ship[viewer]]
}

/** The catalogue's row of a ship of the house; undefined for others. */
export function fighterOf(view: WorldView, ship: Eid): FighterRow | undefined {
  const fighter = view.read(Contest).fighter[ship]
  return fighter === 0 ? undefined : FIGHTERS[fighter - 1]
}
