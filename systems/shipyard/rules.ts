/**
 * What other domains may ask of shipyards: whether a hull is for sale, and which hulls a player is
 * about to get. Source: ships.md sections 7, 8.
 */
import { SHIPS_PER_PLAYER_MAX } from '../../core/limits.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseId } from '../base/rules.ts'
import { Flotilla } from '../prize/columns.ts'
import { shipsOf } from '../ship/rules.ts'
import { ShipListing } from './columns.ts'
import { commissionsOf, listingId, listingOf, ordersOf } from './store.ts'

export { listingId, listingOf } from './store.ts'

/** True for a ship on the exchange: neither flown, scrapped, given, towed nor moved. */
export const isListed = (view: WorldView, ship: Eid): boolean => listingOf(view, ship) !== 0

/** The listing of a ship as list_ships shows it; nothing where it is not for sale. */
export function renderSale(view: WorldView, ship: Eid) {
  const row = listingOf(view, ship)
  if (row === 0) return {}
  const { price, base } = view.read(ShipListing)
  return {
    listing_id: listingId(view, row),
    listing_price: price[row],
    listing_base_id: baseId(view, base[row]),
  }
}

/** Hulls that a player owns or has claimed as prizes. */
const hullsOf = (view: WorldView, player: Eid): number =>
  shipsOf(view, player).length + view.read(Flotilla).claimed[player]

/** True when one hull more would be too many now. Source: ships.md section 1, ship_limit. */
export const isFleetFull = (view: WorldView, player: Eid): boolean =>
  hullsOf(view, player) >= SHIPS_PER_PLAYER_MAX

/** As `isFleetFull`, with the hulls counted that are ordered and not there yet. */
export function mayOrderHull(view: WorldView, player: Eid): boolean {
  const coming = commissionsOf(view, player).length + ordersOf(view, player).length
  return hullsOf(view, player) + coming < SHIPS_PER_PLAYER_MAX
}
