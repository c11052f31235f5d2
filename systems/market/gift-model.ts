/** Which part of a price on an exchange counts as a gift to the seller. Source: balance.md 10. */
import { GOODS } from '../../core/catalog/index.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { overpaid, priceLimit } from '../account/giving-model.ts'
import { bookOf } from './book-model.ts'
import { BID, Book, Managed, Order, QUOTE_LEVELS, type Side } from './state.ts'

/** Returns the value of a unit at a base: its base value or the station's ask, if that is more. */
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

/** Returns the credits that a buyer gives away by paying a price. */
export const giftInPrice = (view: WorldView, { base, item, price, units }: Trade): number =>
  units * overpaid(price, worthAt(view, base, item))

/** Returns the highest price at which a player may buy units from others, credits a unit. */
export const buyLimit = (
  view: WorldView,
  player: Eid,
  { base, item, units }: Omit<Trade, 'price'>,
) => priceLimit(view, player, worthAt(view, base, item), units)

/** The part of a request that decides whether it gives something away. */
interface OrderTerms {
  readonly side: Side
  readonly item: number
  readonly units: number
  readonly price?: number
  /** The order that the request modifies. */
  readonly order?: Row
}

/** Returns the credits that an order gives away; 0 for sales and cancellations. */
export function giftInOrder(view: WorldView, base: Eid, order: OrderTerms): number {
  const { side, item, units, price = 0, order: modified = 0 } = order
  if (side !== BID) return 0
  const bought = modified === 0 ? units : view.read(Order).remaining[modified]
  return giftInPrice(view, { base, item, price, units: bought })
}
