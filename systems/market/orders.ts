/**
 * Limit orders of players: match up to a price, bring the rest to rest with its escrow and fee. The
 * whole plan is made first; if the wallet cannot carry it nothing changes. Source: market.md
 * sections 1-4.
 */
import { assert } from '../../core/assert.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf } from '../../core/ledger.ts'
import {
  LOTS_PER_ORDER_MAX,
  LOTS_PER_SIDE_MAX,
  NOTIONAL_CREDITS_MAX,
  ORDER_UNITS_MAX,
  ORDERS_PER_BASE_MAX,
  ORDERS_PER_PLAYER_MAX,
  PRICE_CREDITS_MAX,
} from '../../core/limits.ts'
import { divFloor, MAX_SAFE } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { walletOf } from '../account/rules.ts'
import { baseName } from '../base/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { creditMove } from '../log/rules.ts'
import { bookOf, openBook, openOrder, ordersOf, playerCode, restUnits } from './book.ts'
import { ASK, BID, Book, Exchange, Level, Lot, Order, PlayerOrders, type Side } from './columns.ts'
import { type DeliverTo, deliver, sellable, type Taken, takeGoods } from './delivery.ts'
import { type Plan, planTake, salesTax, type TakeRequest } from './match.ts'
import { listingFee, listingFeeBps, salesTaxBps } from './rules.ts'
import { oweFee } from './settle.ts'
import { executePlan } from './trade.ts'

export interface LimitOrder {
  readonly player: Eid
  readonly base: Eid
  readonly item: number
  readonly side: Side
  /** Credits a unit, 1 … 1e12. */
  readonly price: number
  readonly units: number
  /** Where what is bought at once goes; what comes later goes to storage. */
  readonly deliverTo: DeliverTo
}

export interface Placed {
  /** The order that rests; 0 if nothing came to rest. */
  readonly order: Row
  readonly plan: Plan
  readonly listed: number
  /** Units that neither traded nor came to rest: a cap was reached. */
  readonly notListed: number
  readonly fee: number
  /** Credits taken into escrow for what came to rest, tax included. */
  readonly escrowed: number
  /** An open order of the same kind took the units. */
  readonly consolidated: boolean
  readonly taken: Taken
}

/**
 * Bounds of price and quantity. Refusals: price_too_high, order_too_large, invalid_payload. Source:
 * market.md 1.
 */
export function checkSize(price: number, units: number): Outcome<null> {
  if (price > PRICE_CREDITS_MAX) return fail('price_too_high', { max: PRICE_CREDITS_MAX })
  if (price < 1 || units < 1) return fail('invalid_payload')
  if (units > ORDER_UNITS_MAX) return fail('order_too_large', { max_quantity: ORDER_UNITS_MAX })
  if (price > divFloor(NOTIONAL_CREDITS_MAX, units)) {
    return fail('order_too_large', { max_value: NOTIONAL_CREDITS_MAX })
  }
  return ok(null)
}

/**
 * An open order of the player that takes further units of the same kind; 0 none. Source: market.md
 * section 4.
 */
function sameOrder(view: WorldView, order: LimitOrder, taxBps: number): Row {
  const { base, item } = view.read(Book)
  const open = view.read(Order)
  for (const row of ordersOf(view, order.player)) {
    const book = open.book[row]
    if (base[book] !== order.base || item[book] !== order.item) continue
    if (open.side[row] !== order.side || open.price[row] !== order.price) continue
    if (open.taxBps[row] === taxBps) return row
  }
  return 0
}

/** True if a new order of the player may come to rest at the base. Source: market.md section 1. */
function mayList(view: WorldView, order: LimitOrder, book: Row): boolean {
  const { count } = view.read(PlayerOrders)
  if (count[order.player] >= ORDERS_PER_PLAYER_MAX) return false
  if (book !== 0 && view.read(Book).lots[book * 2 + order.side] >= LOTS_PER_SIDE_MAX) return false
  if ([Order, Lot, Level, Book].some((table) => isNearlyFull(view, table))) return false
  const open = view.read(Order)
  const bases = view.read(Book).base
  let here = 0
  for (const row of ordersOf(view, order.player)) {
    if (bases[open.book[row]] === order.base) here++
  }
  return here < ORDERS_PER_BASE_MAX
}

/**
 * Tax escrow for bringing units to rest: kept per lot, so a lot that grows adds the difference of
 * two floors.
 */
function restTax(
  view: WorldView,
  into: Row,
  order: LimitOrder,
  units: number,
  bps: number,
): number {
  if (order.side === ASK) return 0
  const { lots, lastLot } = view.read(Order)
  if (into === 0 || lots[into] < LOTS_PER_ORDER_MAX) return salesTax(units * order.price, bps)
  const held = view.read(Lot).units[lastLot[into]]
  return salesTax((held + units) * order.price, bps) - salesTax(held * order.price, bps)
}

interface Rest {
  /** Order that takes the units; 0: a new one. */
  readonly into: Row
  readonly units: number
  readonly tax: number
  readonly fee: number
}

/** What of an order comes to rest after its plan. */
function planRest(
  view: WorldView,
  order: LimitOrder,
  book: Row,
  plan: Plan,
  bps: number,
): Outcome<Rest> {
  const units = order.units - plan.filled - plan.cleared
  const none: Rest = { into: 0, units: 0, tax: 0, fee: 0 }
  if (plan.end !== 'book') return ok(none)
  const into = sameOrder(view, order, bps)
  if (into === 0 && !mayList(view, order, book)) {
    return plan.fills.length > 0 ? ok(none) : fail('listing_limit_reached')
  }
  if (into !== 0) {
    const grown = checkSize(order.price, view.read(Order).remaining[into] + units)
    if (!grown.ok) return grown
  }
  const fee = listingFee(units, order.price, listingFeeBps(view, order.base))
  return ok({ into, units, tax: restTax(view, into, order, units, bps), fee })
}

function takeRequest(view: WorldView, order: LimitOrder, book: Row, bps: number): TakeRequest {
  const { player, side, price, units } = order
  const balance = balanceOf(view, walletOf(view, player))
  return {
    book,
    side,
    owner: playerCode(player),
    units,
    limit: price,
    taxBps: bps,
    credits: side === BID ? MAX_SAFE : MAX_SAFE - balance,
    clearOwn: true,
  }
}

/**
 * Places a limit order of a player who is docked at the base; the item has passed the gates.
 * Matches at resting prices, takes escrow and fee for the rest. Refusals: price_too_high,
 * order_too_large, no_credits, insufficient_items, listing_limit_reached (nothing filled). Source:
 * market.md sections 2-4.
 */
export function placeOrder(world: World, order: LimitOrder): Outcome<Placed> {
  const { player, base, item, side, price, units } = order
  const sized = checkSize(price, units)
  if (!sized.ok) return sized
  const bps = side === BID ? salesTaxBps(world, player, base) : 0
  const known = bookOf(world, base, item)
  const plan = planTake(world, takeRequest(world, order, known, bps))
  const planned = planRest(world, order, known, plan, bps)
  if (!planned.ok) return planned
  const rest = planned.result
  const short = cannotCarry(world, order, plan, rest)
  if (short) return short
  const book = openBook(world, base, item)
  const toTake = side === ASK ? plan.filled + plan.cleared + rest.units : 0
  const taken = takeGoods(world, player, base, item, toTake)
  executePlan(world, { book, side, player }, plan)
  if (side === BID && plan.filled > 0) {
    deliver(world, player, { base, item, units: plan.filled }, order.deliverTo)
  }
  const into = rest.units === 0 ? 0 : bringToRest(world, order, { book, rest, bps })
  return ok({
    order: into,
    plan,
    listed: rest.units,
    notListed: units - plan.filled - plan.cleared - rest.units,
    fee: rest.fee,
    escrowed: side === BID ? rest.units * price + rest.tax : 0,
    consolidated: rest.into !== 0 && rest.units > 0,
    taken,
  })
}

/** Refuses what the wallet or the stores cannot carry. */
function cannotCarry(view: WorldView, order: LimitOrder, plan: Plan, rest: Rest) {
  const { player, base, item, side, price } = order
  const wallet = balanceOf(view, walletOf(view, player))
  if (side === ASK) {
    const have = sellable(view, player, base, item)
    const need = plan.filled + plan.cleared + rest.units
    if (have < need) return fail('insufficient_items', { need, have })
    return rest.fee > wallet + plan.subtotal ? fail('no_credits', { need: rest.fee }) : undefined
  }
  const need = plan.subtotal + plan.tax + rest.units * price + rest.tax + rest.fee
  return need > wallet ? fail('no_credits', { need, have: wallet }) : undefined
}

interface Resting {
  readonly book: Row
  readonly rest: Rest
  readonly bps: number
}

function bringToRest(world: World, order: LimitOrder, resting: Resting): Row {
  const { player, base, side, price } = order
  const { book, rest, bps } = resting
  const into =
    rest.into !== 0 ? rest.into : openOrder(world, { book, side, player, price, taxBps: bps })
  assert(world.read(Order).price[into] === price, 'units come to rest at another price')
  restUnits(world, into, rest.units)
  const open = world.write(Order)
  open.escrowTax[into] += rest.tax
  open.feePaid[into] += rest.fee
  const credits = rest.fee + (side === BID ? rest.units * price + rest.tax : 0)
  const said = `Listed ${rest.units} at ${price} each at ${baseName(world, base)}.`
  const data = { quantity: rest.units, price_each: price, listing_fee: rest.fee }
  const escrow = world.read(Exchange).escrow[base]
  creditMove(
    world,
    player,
    walletOf(world, player),
    escrow,
    credits,
    'trading',
    'order',
    said,
    data,
  )
  oweFee(world, base, rest.fee)
  return into
}
