/**
 * The escrow of a base, its listings and its buy orders: opening, settling, closing. Source:
 * ships.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { canReceive, openAccount, post } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, baseTreasury, empireOfBase, empireTreasury } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { storeHold } from '../fitting/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import type { LogData } from '../log/state.ts'
import { shipId, shipName } from '../ship/model.ts'
import { recompute, setOwner } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { isOnMap } from '../travel/model.ts'
import { dockShip } from '../travel/rules.ts'
import { escrowOf, shipOrderId } from './model.ts'
import { shipCommissionComplete } from './schemas.ts'
import {
  COMMISSIONS_AT,
  COMMISSIONS_OF,
  Commission,
  DUE,
  ForSale,
  LISTINGS_AT,
  ORDERS_AT,
  ORDERS_OF,
  ShipListing,
  ShipOrder,
  Yard,
} from './state.ts'

/* Escrow */

/** Returns the escrow account of a base; opens one if there is none. */
export function openEscrow(world: World, base: Eid): Row {
  const yard = world.write(Yard)
  if (yard.escrow[base] === 0) yard.escrow[base] = openAccount(world)
  return yard.escrow[base]
}

/** Pays sales tax out of the escrow to the empire of the base. */
export function payTax(world: World, base: Eid, credits: number): void {
  if (credits === 0) return
  const empire = empireOfBase(world, base)
  assert(empire >= 0, 'sales tax in lawless space')
  post(world, escrowOf(world, base), empireTreasury(world, empire), credits)
}

/** Pays the station what it has earned, out of the escrow. */
export const payStation = (world: World, base: Eid, credits: number): void =>
  post(world, openEscrow(world, base), baseTreasury(world, base), credits)

/** Who paid credits into the escrow of a base; player 0 is the station. */
interface Payer {
  readonly player: Eid
  readonly base: Eid
}

/** Refunds credits out of the escrow; the station gets them if the wallet cannot take them. */
export function refund(
  world: World,
  { player, base }: Payer,
  credits: number,
  summary: string,
  data: LogData,
): void {
  const escrow = openEscrow(world, base)
  const wallet = player === 0 ? 0 : walletOf(world, player)
  if (wallet === 0 || !canReceive(world, wallet, credits)) {
    post(world, escrow, world.read(Base).manager[base], credits)
    return
  }
  creditMove(world, player, escrow, wallet, credits, 'ship', 'escrow_returned', summary, data)
}

/* Listings: the station's own hulls have no place until they are sold */

/** Puts a hull on the exchange; a hull without an owner goes to the showroom. */
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
  indexListing(world, row)
  return row
}

/** Takes a hull off the exchange. */
export function closeListing(world: World, row: Row): void {
  const { ship, base } = world.read(ShipListing)
  world.write(ForSale).listing[ship[row]] = 0
  removeFromList(world.index(LISTINGS_AT), base[row], row)
  world.release(ShipListing, row)
}

/** Gives a hull a new owner: uninsured, docked at the base, its cargo in the seller's storage. */
export function transferShip(world: World, ship: Eid, owner: Eid, base: Eid): void {
  if (world.read(Ship).owner[ship] !== 0) storeHold(world, ship, base)
  endPolicy(world, ship)
  setOwner(world, ship, owner)
  if (!isOnMap(world, ship)) dockShip(world, ship, base)
  recompute(world, ship)
}

/* Buy orders */

export interface NewOrder {
  readonly player: Eid
  readonly base: Eid
  readonly shipClass: number
  readonly price: number
  readonly tax: number
}

/** Opens an order whose price and tax are in the escrow. */
export function openOrder(world: World, order: NewOrder): Row {
  const row = world.take(ShipOrder)
  const columns = world.write(ShipOrder)
  columns.player[row] = order.player
  columns.base[row] = order.base
  columns.class[row] = order.shipClass
  columns.price[row] = order.price
  columns.tax[row] = order.tax
  columns.createdMs[row] = world.wallMs
  indexOrder(world, row)
  return row
}

/** Closes an order; a hull that the yard builds for it becomes the yard's own. */
export function closeOrder(world: World, row: Row): void {
  const { base, player, commission } = world.read(ShipOrder)
  if (commission[row] !== 0) world.write(Commission).order[commission[row]] = 0
  removeFromList(world.index(ORDERS_AT), base[row], row)
  removeFromList(world.index(ORDERS_OF), player[row], row)
  world.release(ShipOrder, row)
}

/**
 * Fills an order with a hull that already belongs to the buyer. `price` credits have left the
 * escrow for it: the tax on them goes to the empire, and the rest that the order held is refunded.
 */
export function fillOrder(world: World, row: Row, ship: Eid, price: number): void {
  const columns = world.read(ShipOrder)
  const buyer = { player: columns.player[row], base: columns.base[row] }
  const id = shipOrderId(world, row)
  const name = shipName(world, ship)
  const tax = mulDivFloor(columns.tax[row], price, columns.price[row])
  const rest = columns.price[row] - price + columns.tax[row] - tax
  payTax(world, buyer.base, tax)
  refund(world, buyer, rest, `${name} cost less than your order held.`, { order_id: id })
  closeOrder(world, row)
  dockNewShip(world, ship, buyer, id)
  addStat(world, buyer.player, 'ships_purchased', 1)
  addStat(world, buyer.player, 'credits_spent', price + tax)
  const place = baseName(world, buyer.base)
  const summary = `Your order bought ${name} for ${counted(price, 'credit')}; it is docked at ${place}.`
  const data = { order_id: id, ship_id: shipId(world, ship), price, tax }
  logAction(world, buyer.player, 'ship', 'ship.buy_order_filled', summary, data)
}

/** Docks a hull that was built or bought for a player, and notifies them. */
export function dockNewShip(
  world: World,
  ship: Eid,
  { player, base }: { player: Eid; base: Eid },
  commission_id: string,
): void {
  dockShip(world, ship, base)
  const payload = {
    tick: world.tick,
    commission_id,
    ship_id: shipId(world, ship),
    ship_class: SHIP_CLASSES[world.read(Ship).class[ship]].id,
    ship_name: shipName(world, ship),
    base_id: baseId(world, base),
    base_name: baseName(world, base),
  }
  emit(world, shipCommissionComplete, payload, toPlayer(player))
}

/* Indexes */

/** Enters a commission in the lists of its base and of its player. */
export function indexCommission(world: World, row: Row): void {
  const { base, player } = world.read(Commission)
  addToList(world.index(COMMISSIONS_AT), base[row], row)
  addToList(world.index(COMMISSIONS_OF), player[row], row)
}

const indexListing = (world: World, row: Row): void =>
  addToList(world.index(LISTINGS_AT), world.read(ShipListing).base[row], row)

function indexOrder(world: World, row: Row): void {
  const { base, player } = world.read(ShipOrder)
  addToList(world.index(ORDERS_AT), base[row], row)
  addToList(world.index(ORDERS_OF), player[row], row)
}

/** Schedules the delivery of a commission in the tick in which it is done. */
export const scheduleDelivery = (world: World, row: Row): void =>
  addToList(world.index(DUE), world.read(Commission).doneTick[row], row)

/** Returns the rows of a table in the order of creation. */
function inOrder(
  view: WorldView,
  table: typeof Commission | typeof ShipListing | typeof ShipOrder,
): Row[] {
  const { alive, seq } = view.read(table as typeof ShipListing)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(table); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

/** Fills the indexes from the tables, after a restore. */
export function rebuildShipyards(world: World): void {
  for (const index of [COMMISSIONS_AT, COMMISSIONS_OF, LISTINGS_AT, ORDERS_AT, ORDERS_OF, DUE]) {
    world.index(index).clear()
  }
  for (const row of inOrder(world, Commission)) {
    indexCommission(world, row)
    if (world.read(Commission).doneTick[row] !== 0) scheduleDelivery(world, row)
  }
  for (const row of inOrder(world, ShipListing)) indexListing(world, row)
  for (const row of inOrder(world, ShipOrder)) indexOrder(world, row)
}
