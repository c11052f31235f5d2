/** Commands of buy orders for ships. Source: ships.md sections 8, 10. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { mutation, query } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import { NO_PARAMS, obj, ref, type Static, str, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, giftPart, recordGiving } from '../account/giving-model.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { recordFact } from '../intel/rules.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { creditMove, logCredits } from '../log/rules.ts'
import { salesTaxBps } from '../market/model.ts'
import { hullValue, ownShipById, shipClassOf, shipId, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { recordIncome } from '../tax/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { priceParam, shipParam, worthOf } from './listing-commands.ts'
import {
  escrowOf,
  findClass,
  isFleetFull,
  listingId,
  listingsAt,
  ordersAt,
  ordersOf,
  shipOrderById,
  shipOrderId,
} from './model.ts'
import { saleRefusal, yardRefusal } from './needs.ts'
import {
  closeOrder,
  fillOrder,
  type NewOrder,
  openEscrow,
  openOrder,
  transferShip,
} from './rules.ts'
import { orderCancelledSchema, orderedSchema, ordersSchema, soldSchema } from './schemas.ts'
import {
  SHIP_ORDERS_PER_BASE_MAX,
  SHIP_ORDERS_PER_PLAYER_MAX,
  ShipListing,
  ShipOrder,
} from './state.ts'
import { renderOrder } from './views.ts'

const shared = { category: 'shipyard' } as const

const orderParam = () =>
  ref(
    'ship_order',
    str(say`Id of a buy order for a ship; {browse_ships} lists those at a base.`, { min: 1 }),
  )

export const viewShipBuyOrders = query({
  ...shared,
  name: 'view_ship_buy_orders',
  v2: { tool: 'game_ship', action: 'view_ship_buy_orders' },
  summary: 'Your open buy orders for ships, at all bases.',
  params: NO_PARAMS,
  result: ordersSchema,
  needs: [],
  errors: [],
  run(view, player) {
    const orders = ordersOf(view, player).map((row) => renderOrder(view, row))
    return ok({ count: orders.length, orders })
  },
})

/* Placing */

/** Returns a listing of another seller that fits the order, and could be bought; 0 none. */
function availableFor(view: WorldView, order: NewOrder): Row {
  const { ship, player, price } = view.read(ShipListing)
  const { class: classOf } = view.read(Ship)
  const listing = listingsAt(view, order.base).find(
    (row) =>
      player[row] !== order.player &&
      classOf[ship[row]] === order.shipClass &&
      price[row] <= order.price,
  )
  return listing ?? 0
}

/** Returns the part of an order's price that counts as a gift to the seller, credits. */
const giftOf = ({ shipClass, price }: NewOrder): number =>
  giftPart(price, hullValue(SHIP_CLASSES[shipClass]))

/**
 * Refuses an order that may not be placed. Refusals: duplicate_order, listing_available,
 * limit_reached, trading_restricted, no_credits, amount_too_large.
 */
function orderRefusal(view: WorldView, order: NewOrder) {
  const { player, base, shipClass, price, tax } = order
  const columns = view.read(ShipOrder)
  const own = ordersOf(view, player)
  const same = own.find((row) => columns.base[row] === base && columns.class[row] === shipClass)
  if (same !== undefined) return fail('duplicate_order', { order_id: shipOrderId(view, same) })
  const listing = availableFor(view, order)
  if (listing !== 0) {
    const details = {
      listing_id: listingId(view, listing),
      price: view.read(ShipListing).price[listing],
    }
    return fail('listing_available', details)
  }
  if (own.length >= SHIP_ORDERS_PER_PLAYER_MAX) {
    return fail('limit_reached', { max: SHIP_ORDERS_PER_PLAYER_MAX, of: 'orders for ships' })
  }
  if (ordersAt(view, base).length >= SHIP_ORDERS_PER_BASE_MAX || isNearlyFull(view, ShipOrder)) {
    return fail('limit_reached')
  }
  const giftRefused = allowanceRefusal(view, player, giftOf(order))
  if (giftRefused) return giftRefused
  const have = balanceOf(view, walletOf(view, player))
  if (have < price + tax) return fail('no_credits', { need: price + tax, have })
  const escrow = escrowOf(view, base)
  const fits = escrow === 0 || canReceive(view, escrow, price + tax)
  return fits ? undefined : fail('amount_too_large')
}

export const placeShipBuyOrder = mutation({
  ...shared,
  name: 'place_ship_buy_order',
  v2: { tool: 'game_ship', action: 'place_ship_buy_order', rename: { class_id: 'id' } },
  summary: 'Offer a price for a ship of a class; price and sales tax are held until it is filled.',
  order: 'plain',
  params: obj({
    class_id: ref(
      'ship_class',
      str('Id or name of a ship class.', { min: 1, example: 'footnote' }),
    ),
    price: priceParam(),
  }),
  result: orderedSchema,
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player'],
  errors: words(
    'no_shipyard unknown_class duplicate_order listing_available limit_reached no_credits',
    'amount_too_large service_restricted',
  ),
  run(world, player, { class_id, price }) {
    const base = dockedBase(world, player)
    const noYard = yardRefusal(world, player, base)
    if (noYard) return noYard
    const found = findClass(class_id)
    if (!found.ok) return found
    const tax = mulDivFloor(price, salesTaxBps(world, player, base), 10_000)
    const order = { player, base, shipClass: found.result, price, tax }
    const refused = orderRefusal(world, order)
    if (refused) return refused
    const { id, name } = SHIP_CLASSES[found.result]
    const message = `Offered ${counted(price, 'credit')} for ${name} at ${baseName(world, base)}.`
    const wallet = walletOf(world, player)
    const data = { class_id: id, price, tax }
    const escrow = openEscrow(world, base)
    creditMove(world, player, wallet, escrow, price + tax, 'ship', 'buy_order', message, data)
    // The gift counts when the order is placed; withdrawing the order does not undo that.
    recordGiving(world, player, giftOf(order))
    const row = openOrder(world, order)
    recordFact(world, { base, kind: 'ship_order', player, what: name, credits: price })
    return ok({
      class_id: id,
      order_id: shipOrderId(world, row),
      price,
      tax_escrow: tax,
      message,
      credits_left: balanceOf(world, wallet),
    })
  },
})

export const cancelShipBuyOrder = mutation({
  ...shared,
  name: 'cancel_ship_buy_order',
  v2: { tool: 'game_ship', action: 'cancel_ship_buy_order', rename: { order_id: 'id' } },
  summary: 'Withdraw a buy order of yours; all it held comes back.',
  order: 'plain',
  params: obj({ order_id: orderParam() }),
  result: orderCancelledSchema,
  needs: [],
  changes: ['player'],
  errors: ['order_not_found', 'amount_too_large'],
  run(
    world,
    player,
    { order_id },
  ): Outcome<Static<typeof orderCancelledSchema>, 'amount_too_large' | 'order_not_found'> {
    const row = shipOrderById(world, order_id)
    const { player: buyer, base, price, tax, class: shipClass } = world.read(ShipOrder)
    if (row === 0 || buyer[row] !== player) return fail('order_not_found', { order_id })
    const refund = price[row] + tax[row]
    const { name } = SHIP_CLASSES[shipClass[row]]
    const wallet = walletOf(world, player)
    if (!canReceive(world, wallet, refund)) return fail('amount_too_large')
    const message = `Withdrew the order for ${name}; ${counted(refund, 'credit')} came back.`
    const escrow = openEscrow(world, base[row])
    const data = { order_id }
    creditMove(world, player, escrow, wallet, refund, 'ship', 'buy_order_cancelled', message, data)
    closeOrder(world, row)
    return ok({ order_id, refund, credits_left: balanceOf(world, wallet), message })
  },
})

/* Selling to an order */

/**
 * Returns an order that the player may sell to. Refusals: order_not_found, wrong_station,
 * own_order, ship_limit.
 */
function findOpenOrder(
  view: WorldView,
  player: Eid,
  order_id: string,
): Outcome<Row, 'order_not_found' | 'own_order' | 'ship_limit' | 'wrong_station'> {
  const row = shipOrderById(view, order_id)
  if (row === 0) return fail('order_not_found', { order_id })
  const { player: buyer, base } = view.read(ShipOrder)
  if (base[row] !== dockedBase(view, player)) {
    return fail('wrong_station', { base_id: baseId(view, base[row]) })
  }
  if (buyer[row] === player) return fail('own_order')
  if (!isFleetFull(view, buyer[row])) return ok(row)
  return fail('ship_limit', undefined, 'The buyer already owns as many ships as a player may own.')
}

function judgeSale(view: WorldView, player: Eid, order_id: string, ship: Eid) {
  const found = findOpenOrder(view, player, order_id)
  if (!found.ok) return found
  const row = found.result
  const refused = saleRefusal(view, player, ship, dockedBase(view, player))
  if (refused) return refused
  const { class: shipClass, price } = view.read(ShipOrder)
  if (view.read(Ship).class[ship] !== shipClass[row]) {
    return fail('class_mismatch', { class_id: SHIP_CLASSES[shipClass[row]].id })
  }
  const unearned = allowanceRefusal(view, player, giftPart(worthOf(view, ship), price[row]))
  if (unearned) return unearned
  return canReceive(view, walletOf(view, player), price[row]) ? found : fail('amount_too_large')
}

function sell(world: World, player: Eid, row: Row, ship: Eid): void {
  const columns = world.read(ShipOrder)
  const base = columns.base[row]
  const price = columns.price[row]
  const data = { ship_id: shipId(world, ship), price }
  post(world, escrowOf(world, base), walletOf(world, player), price)
  const summary = `Sold ${shipName(world, ship)} to an order for ${counted(price, 'credit')}.`
  logCredits(world, player, price, 'ship', 'sold', summary, data)
  recordGiving(world, player, giftPart(worthOf(world, ship), price))
  addStat(world, player, 'credits_earned', price)
  recordIncome(world, player, 'ship_sale', price)
  transferShip(world, ship, columns.player[row], base)
  fillOrder(world, row, ship, price)
}

export const sellShipToOrder = mutation({
  ...shared,
  name: 'sell_ship_to_order',
  v2: { tool: 'game_ship', action: 'sell_ship_to_order', rename: { order_id: 'id' } },
  summary: 'Sell a ship that is stored here to a buy order; the price is paid at once.',
  order: 'plain',
  params: obj({ order_id: orderParam(), ship_id: shipParam() }),
  result: soldSchema,
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player'],
  errors: words(
    'order_not_found wrong_station own_order ship_not_found active_ship already_listed',
    'not_stored_here issue_item ship_occupied storage_full limit_reached drones_in_bay',
    'class_mismatch ship_limit amount_too_large',
  ),
  run(world, player, { order_id, ship_id }) {
    const ship = ownShipById(world, player, ship_id)
    const judged = judgeSale(world, player, order_id, ship)
    if (!judged.ok) return judged
    const row = judged.result
    const price = world.read(ShipOrder).price[row]
    sell(world, player, row, ship)
    return ok({
      class_id: shipClassOf(world, ship).id,
      ship_id: shipId(world, ship),
      price,
      credits_left: balanceOf(world, walletOf(world, player)),
      message: `Sold ${shipClassOf(world, ship).name} for ${counted(price, 'credit')}.`,
    })
  },
})
