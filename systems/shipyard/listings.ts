/**
 * Hulls for sale: putting them on the exchange, taking them off, selling them. Hulls of the
 * station's own are in no place until they are sold. Source: ships.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { mulDivCeil } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { empireOfBase } from '../base/rules.ts'
import { storeHold } from '../fitting/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { Ship } from '../ship/columns.ts'
import { recompute, setOwner } from '../ship/rules.ts'
import { isHost } from '../station/access-rules.ts'
import { dockShip, isPlaced } from '../travel/rules.ts'
import { Commission, ForSale, ShipListing } from './columns.ts'
import { commissionsAt, enterListing, listingsAt, removeListing } from './store.ts'

/** Fee where no empire sets one. Source: ships.md section 8. */
const FEE_BPS_DEFAULT = 100

/** Fee for listing a ship, credits; none at a station of one's own faction. ships.md section 8. */
export function listingFeeOf(view: WorldView, player: Eid, base: Eid, price: number): number {
  if (isHost(view, player, base)) return 0
  const empire = empireOfBase(view, base)
  const bps = empire < 0 ? FEE_BPS_DEFAULT : EMPIRES[empire].policy.ship_listing_fee_bps
  return Math.max(1, mulDivCeil(price, bps, 10_000))
}

/** Puts a hull on the exchange; of nobody: into the showroom. */
export function openListing(world: World, ship: Eid, base: Eid, price: number): Row {
  assert(world.read(ForSale).listing[ship] === 0, `ship ${ship} is listed twice`)
  const row = world.take(ShipListing)
  const columns = world.write(ShipListing)
  columns.ship[row] = ship
  columns.base[row] = base
  columns.player[row] = world.read(Ship).owner[ship]
  columns.price[row] = price
  columns.createdMs[row] = world.wallMs
  world.write(ForSale).listing[ship] = row
  enterListing(world, row)
  return row
}

/** Takes a hull off the exchange. */
export function closeListing(world: World, row: Row): void {
  world.write(ForSale).listing[world.read(ShipListing).ship[row]] = 0
  removeListing(world, row)
  world.release(ShipListing, row)
}

/** Gives a hull a new owner: uninsured, docked at the base, its cargo in the seller's storage. */
export function passOn(world: World, ship: Eid, to: Eid, base: Eid): void {
  if (world.read(Ship).owner[ship] !== 0) storeHold(world, ship, base)
  endPolicy(world, ship)
  setOwner(world, ship, to)
  if (!isPlaced(world, ship)) dockShip(world, ship, base)
  recompute(world, ship)
}

/** Hulls that a station has for sale or builds for itself. */
export function ownHullsAt(view: WorldView, base: Eid): number {
  const { player } = view.read(ShipListing)
  const { player: builder } = view.read(Commission)
  const shown = listingsAt(view, base).filter((row) => player[row] === 0).length
  return shown + commissionsAt(view, base).filter((row) => builder[row] === 0).length
}
