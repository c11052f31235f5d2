/** Refusals that commands share: no yard here, a ship that cannot be sold. */
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { hasService } from '../base/model.ts'
import { disposalRefusal } from '../drone/model.ts'
import { storingRefusal } from '../fitting/model.ts'
import { hasPassengers } from '../passenger/list-model.ts'
import { isTowed } from '../salvage/model.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { serviceRefusal } from '../station/model.ts'
import { Location } from '../travel/state.ts'
import { isListed } from './model.ts'

/**
 * Refuses where the base has no yard, or none that serves the player. Refusals: no_shipyard,
 * service_restricted.
 */
export const yardRefusal = (
  view: WorldView,
  player: Eid,
  base: Eid,
): Failure<'no_shipyard' | 'service_restricted'> | undefined =>
  hasService(view, base, 'shipyard')
    ? serviceRefusal(view, player, base, 'shipyard')
    : fail('no_shipyard')

/**
 * Refuses the sale of a player's ship at a base; `ship` is 0 if they have no such ship. Refusals:
 * ship_not_found, active_ship, already_listed, ship_occupied, not_stored_here, issue_item,
 * drones_in_bay, storage_full, limit_reached.
 */
export function saleRefusal(view: WorldView, player: Eid, ship: Eid, base: Eid) {
  if (ship === 0) return fail('ship_not_found')
  if (activeShip(view, player) === ship) return fail('active_ship')
  if (isListed(view, ship)) return fail('already_listed')
  if (isTowed(view, ship) || hasPassengers(view, ship)) return fail('ship_occupied')
  if (view.read(Location).base[ship] !== base) return fail('not_stored_here')
  if (view.read(Ship).issue[ship] === 1) return fail('issue_item')
  return disposalRefusal(view, ship) ?? storingRefusal(view, ship, base)
}
