/** What of a price on an exchange is a gift to the seller. Source: balance.md section 10. */
import { GOODS } from '../../core/catalog/index.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { overpaid, priceLimit } from '../account/giving-model.ts'
import { bookOf } from './book-model.ts'
import { BID, Book, Managed, Order, QUOTE_LEVELS, type Side } from './state.ts'

/** Returns what a unit is worth where it is traded: its base value, or what the station asks. */
function worthAt(view: WorldView, base: Eid, item: number): number {
  const managed = view.read(Book).managed[bookOf(view, base, item)]
  const ask = managed === 0 ? 0 : view.read(Managed).orders[managed * QUOTE_LEVELS * 2]
  return Math.max(1, GOODS[item].base_value, view.read(Order).price[ask])
}

interface Trade {
  readonly base: Eid
  readonly item: number
  readonly price: number
  readonly units: number
}

/** Returns what a buyer gives away by paying such a price. */
export const giftInPrice = (view: WorldView, { base, item, price, units }: Trade): number =>
  units * overpaid(price, worthAt(view, base, item))

/** Returns the highest price of a unit at which a player may buy this many of others. */
export const buyLimit = (
  view: WorldView,
  player: Eid,
  { base, item, units }: Omit<Trade, 'price'>,
) => priceLimit(view, player, worthAt(view, base, item), units)

/** Of what an order asks: `order`, the one that it modifies. */
interface Bid {
  readonly side: Side
  readonly item: number
  readonly units: number
  readonly price?: number
  readonly order?: Row
}

/** Returns what an order gives away; sales and cancellations give nothing. */
export function giftInOrder(view: WorldView, base: Eid, order: Bid): number {
  const { side, item, units, price = 0, order: modified = 0 } = order
  if (side !== BID) return 0
  const bought = modified === 0 ? units : view.read(Order).remaining[modified]
  return giftInPrice(view, { base, item, price, units: bought })
}
