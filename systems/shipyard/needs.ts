/** What the commands of this domain have in common: a yard, a pilot's own parked ship. */
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/world.ts'
import { hasService } from '../base/rules.ts'
import { refusesDisposal } from '../drone/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip, shipById } from '../ship/rules.ts'
import { Location } from '../travel/columns.ts'
import { isListed } from './rules.ts'

/** Refusal: no_shipyard. */
export const noYard = (view: WorldView, base: Eid): Failure | undefined =>
  hasService(view, base, 'shipyard') ? undefined : fail('no_shipyard')

/** A ship of the player by wire id; 0 for anything else. */
export function ownShip(view: WorldView, player: Eid, id: string): Eid {
  const ship = shipById(view, id)
  return ship !== 0 && view.read(Ship).owner[ship] === player ? ship : 0
}

/**
 * Why a ship of the player, found by `ownShip`, cannot be sold at a base. Refusals: ship_not_found,
 * active_ship, already_listed, not_stored_here, issue_item, drones_in_bay.
 */
export function refusesSale(
  view: WorldView,
  player: Eid,
  ship: Eid,
  base: Eid,
): Failure | undefined {
  if (ship === 0) return fail('ship_not_found')
  if (activeShip(view, player) === ship) return fail('active_ship')
  if (isListed(view, ship)) return fail('already_listed')
  if (view.read(Location).base[ship] !== base) return fail('not_stored_here')
  if (view.read(Ship).issue[ship] === 1) return fail('issue_item')
  return refusesDisposal(view, ship)
}
