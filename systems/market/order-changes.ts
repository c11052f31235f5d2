/**
 * Changing and cancelling orders: what modify_order and cancel_order ask of the exchange, and what
 * they answer. Source: market.md section 5.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { seqOfWireId } from '../../core/entity.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { counted } from '../../core/say.ts'
import type { Row, World } from '../../core/types.ts'
import { factionOf, refusesPermission } from '../faction/rules.ts'
import type { OrderRow } from './bulk.ts'
import { ASK, BID, Book, Order, OrderRequest, type Side } from './columns.ts'
import { reserveModification } from './faction-orders.ts'
import { checkPrice, type Trader } from './limit-orders.ts'
import { orderByNumber, ordersOf } from './order-list.ts'
import { isModified, statusOf } from './outcome.ts'
import { refusalOf } from './refusals.ts'
import { orderId } from './rules.ts'
import type { Done } from './settle-request.ts'

/** Order ids that stand for every own order at the base. */
const ALL = new Set(['all', '*'])
export const meansAll = (id: string): boolean => ALL.has(id.toLowerCase())

/**
 * An open order of the player at the base. Refusals: order_not_found (also at another base),
 * not_your_order, no_permission (of the faction, without the treasury).
 */
function ownOrder(world: World, { player, base }: Trader, id: string): Outcome<Row> {
  const number = seqOfWireId(world.seed, 'order', id)
  const row = number === 0 ? 0 : orderByNumber(world, number)
  const order = world.read(Order)
  if (row === 0 || world.read(Book).base[order.book[row]] !== base) {
    return fail('order_not_found', { order_id: id })
  }
  if (order.player[row] === player) return ok(row)
  const faction = order.faction[row]
  if (faction === 0 || factionOf(world, player) !== faction) {
    return fail('not_your_order', { order_id: id })
  }
  return refusesPermission(world, player, 'manage_treasury') ?? ok(row)
}

/** Every own order at the base, oldest first. */
export function ownOrdersAt(world: World, { player, base }: Trader): Row[] {
  const { book } = world.read(Order)
  const { base: at } = world.read(Book)
  return ordersOf(world, player)
    .filter((row) => at[book[row]] === base)
    .reverse()
}

const heading = (world: World, row: Row) => {
  const { book, side, faction, bucket } = world.read(Order)
  const head = { order: row, side: side[row] as Side, item: world.read(Book).item[book[row]] }
  return faction[row] === 0 ? head : { ...head, faction: faction[row], bucket: bucket[row] }
}

/**
 * A row of a modification. Refusals: invalid_payload, price_too_high, order_not_found,
 * not_your_order; later order_not_found, order_too_large, no_credits.
 */
export function modifyRow(world: World, trader: Trader, id: string, price: number): OrderRow {
  const priced = checkPrice(price)
  if (!priced.ok) return priced
  const found = ownOrder(world, trader, id)
  if (!found.ok) return found
  const row = found.result
  const reserved = reservedFor(world, trader, row, price)
  if (reserved && !reserved.ok) return reserved
  const order_id = orderId(world, row)
  return {
    ok: true,
    ...(reserved ? { reserved: reserved.result } : {}),
    asked: { kind: 'modify', ...heading(world, row), units: 0, price, deliverTo: 'storage' },
    answer: (at, done) => modifiedAnswer(at, order_id, done),
  }
}

/** What a faction's order may come to at the new price; nothing of a player's. */
function reservedFor(world: World, { player, base }: Trader, row: Row, price: number) {
  const faction = world.read(Order).faction[row]
  if (faction === 0) return undefined
  return reserveModification(world, { player, faction, base }, row, price)
}

function modifiedAnswer(world: World, order_id: string, { row }: Done): Outcome<object> {
  const status = statusOf(world, row)
  if (status !== 'ok') return refusalOf(world, row, status)
  const { oldPrice, price, fee } = world.read(OrderRequest)
  return ok({
    order_id,
    old_price: oldPrice[row],
    new_price: price[row],
    listing_fee: fee[row],
    message: modifiedSaid(world, row),
  })
}

function modifiedSaid(world: World, row: Row): string {
  const { price, filled, returnedUnits, listed } = world.read(OrderRequest)
  if (!isModified(world, row)) return 'The order has this price already.'
  const parts = [`The price is ${price[row]} now.`]
  if (filled[row] > 0) parts.push(`${counted(filled[row], 'unit')} traded at once.`)
  if (returnedUnits[row] > 0)
    parts.push(`Taken off the book: ${counted(returnedUnits[row], 'unit')}.`)
  if (listed[row] === 0) parts.push('Nothing of the order is left.')
  return parts.join(' ')
}

/** A row of a cancellation. Refusals: order_not_found, not_your_order. */
export function cancelRow(world: World, trader: Trader, id: string): OrderRow {
  const found = ownOrder(world, trader, id)
  return found.ok ? cancelOrderRow(world, found.result) : found
}

export function cancelOrderRow(world: World, row: Row): OrderRow {
  const order_id = orderId(world, row)
  const head = heading(world, row)
  return {
    ok: true,
    asked: { kind: 'cancel', ...head, units: 0 },
    answer: (at, done) => cancelledAnswer(at, order_id, head.item, done),
  }
}

function cancelledAnswer(
  world: World,
  order_id: string,
  item: number,
  { row }: Done,
): Outcome<object> {
  const status = statusOf(world, row)
  if (status !== 'ok') return refusalOf(world, row, status)
  const { returnedUnits, returnedCredits, side, faction } = world.read(OrderRequest)
  const isFactions = faction[row] !== 0
  const to = isFactions ? 'the store of the faction here' : 'your storage here'
  const { id: item_id, name: item_name } = GOODS[item]
  const units = returnedUnits[row]
  const credits = returnedCredits[row]
  return ok({
    order_id,
    ...(side[row] === ASK
      ? {
          returned_items: { item_id, item_name, quantity: units },
          delivered_to: isFactions ? 'faction' : 'storage',
        }
      : { returned_credits: credits }),
    ...(isFactions ? { faction_order: true } : {}),
    message:
      side[row] === BID
        ? `Cancelled; ${counted(credits, 'credit')} came back.`
        : `Cancelled; ${units} ${item_name} went to ${to}.`,
  })
}
