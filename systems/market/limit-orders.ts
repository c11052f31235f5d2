/**
 * Limit orders: what create_buy_order and create_sell_order ask of the exchange, and what they
 * answer. Source: market.md sections 1-5.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { badFields, fail, type Outcome, ok } from '../../core/errors.ts'
import { NOTIONAL_CREDITS_MAX, ORDER_UNITS_MAX, PRICE_CREDITS_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { hasService } from '../base/rules.ts'
import { isStoreNearlyFull } from '../cargo/rules.ts'
import type { OrderRow } from './bulk.ts'
import { ASK, BID, OrderRequest, type Side } from './columns.ts'
import { type DeliverTo, sellable } from './delivery.ts'
import { salesTax } from './figures.ts'
import { listStatusOf } from './outcome.ts'
import { refusalOf } from './refusals.ts'
import { orderId, tradedItem } from './rules.ts'
import type { Done } from './settle-request.ts'

/** Who places it, and where. */
export interface Trader {
  readonly player: Eid
  readonly base: Eid
}

export interface LimitOrder {
  readonly item_id: string
  readonly quantity: number
  readonly price_each: number
  readonly deliver_to?: DeliverTo
}

/** Bound of prices. Refusals: invalid_payload, price_too_high. Source: market.md section 1. */
export function checkPrice(price: number): Outcome<null> {
  if (price > PRICE_CREDITS_MAX) return fail('price_too_high', { max: PRICE_CREDITS_MAX })
  return price < 1 ? badFields({ field: 'price_each', expected: '1 or more' }) : ok(null)
}

/** Bounds of price and quantity; with a refusal order_too_large. Source: market.md section 1. */
export function checkSize(price: number, units: number): Outcome<null> {
  const priced = checkPrice(price)
  if (!priced.ok) return priced
  if (units < 1) return badFields({ field: 'quantity', expected: '1 or more' })
  if (units > ORDER_UNITS_MAX) return fail('order_too_large', { max_quantity: ORDER_UNITS_MAX })
  if (price > divFloor(NOTIONAL_CREDITS_MAX, units)) {
    return fail('order_too_large', { max_value: NOTIONAL_CREDITS_MAX })
  }
  return ok(null)
}

/**
 * A row of a limit order. Refusals at once: no_market, unknown_item, quest_item, not_tradeable,
 * contraband_restricted, invalid_payload, price_too_high, order_too_large, no_storage_service,
 * limit_reached; later no_credits, insufficient_items, listing_limit_reached.
 */
export function limitRow(view: WorldView, trader: Trader, side: Side, order: LimitOrder): OrderRow {
  const { player, base } = trader
  const { quantity: units, price_each: price, deliver_to: deliverTo } = order
  const found = tradedItem(view, base, { player, text: order.item_id, selling: side === ASK })
  if (!found.ok) return found
  const sized = checkSize(price, units)
  if (!sized.ok) return sized
  if (deliverTo === 'storage' && !hasService(view, base, 'storage')) {
    return fail('no_storage_service')
  }
  if (isStoreNearlyFull(view)) return fail('limit_reached')
  const item = found.result
  const goods = side === ASK ? sellable(view, player, base, item) : 0
  return {
    ok: true,
    asked: { kind: 'limit', side, item, units, price, goods, deliverTo },
    answer: (world, done) => limitAnswer(world, { item, units, price, side }, done),
  }
}

interface Placing {
  readonly item: number
  readonly units: number
  readonly price: number
  readonly side: Side
}

function limitAnswer(world: World, placing: Placing, done: Done): Outcome<object> {
  const status = listStatusOf(world, done.row)
  if (status !== 'ok') return refusalOf(world, done.row, status)
  const { item, units, price, side } = placing
  const { into, filled, listed, cleared, fee, consolidated } = world.read(OrderRequest)
  const { row, fills } = done
  const left = units - filled[row] - cleared[row] - listed[row]
  return ok({
    item: GOODS[item].name,
    item_id: GOODS[item].id,
    quantity: units,
    price_each: price,
    ...(into[row] === 0 ? {} : { order_id: orderId(world, into[row]) }),
    quantity_filled: filled[row],
    quantity_listed: listed[row],
    ...(left > 0 ? { quantity_not_listed: left } : {}),
    listing_fee: fee[row],
    ...(consolidated[row] === 1 ? { consolidated: true } : {}),
    ...(cleared[row] > 0 ? { self_cleared: cleared[row] } : {}),
    fills,
    ...(side === BID ? boughtFields(world, placing, done) : soldFields(world, done)),
    message: placedSaid(world, placing, row),
  })
}

/** Credits of a buyer: at its limit the whole order would have cost `total_escrowed`. */
function boughtFields(world: World, { units, price }: Placing, { row, delivered }: Done): object {
  const { subtotal, tax, listed, restTax, taxBps, cleared, filled } = world.read(OrderRequest)
  const worth = units * price
  const total = worth + salesTax(worth, taxBps[row])
  const spent = subtotal[row] + tax[row]
  const remaining = listed[row] * price + restTax[row]
  const refunded = Math.max(0, total - spent - remaining)
  return {
    total_escrowed: total,
    remaining_escrowed: remaining,
    escrow_refunded: refunded,
    total_spent: spent,
    ...(filled[row] > 0
      ? { delivered_to_cargo: delivered.toCargo, delivered_to_storage: delivered.toStorage }
      : {}),
    ...(cleared[row] > 0 ? { self_clear_returned: cleared[row] } : {}),
  }
}

function soldFields(world: World, { row, taken, xp }: Done): object {
  const { subtotal, cleared, clearedCredits } = world.read(OrderRequest)
  return {
    total_earned: subtotal[row],
    from_cargo: taken.fromCargo,
    from_storage: taken.fromStorage,
    ...(cleared[row] > 0
      ? { returned_to_storage: cleared[row], self_clear_refund: clearedCredits[row] }
      : {}),
    ...(xp?.isSmuggling
      ? { smuggling_xp: xp.smuggling, smuggling_level_up: xp.smugglingLevelUp }
      : {}),
  }
}

function placedSaid(world: World, { item, side, price }: Placing, row: number): string {
  const { filled, listed } = world.read(OrderRequest)
  const name = GOODS[item].name
  const parts: string[] = []
  if (filled[row] > 0) parts.push(`${side === BID ? 'Bought' : 'Sold'} ${filled[row]} ${name}.`)
  if (listed[row] > 0) parts.push(`Listed ${listed[row]} ${name} at ${price} each.`)
  if (parts.length === 0) parts.push('Your own orders met; nothing was traded.')
  return parts.join(' ')
}
