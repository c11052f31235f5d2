/** Wire forms of books: levels, depth and best prices. */
import { GOODS } from '../../core/catalog/index.ts'
import { LEVELS_LISTED_MAX, LEVELS_SHOWN_MAX } from '../../core/limits.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { bestLevel, ordersOf } from './book-model.ts'
import { categoryOf, STATION } from './model.ts'
import { ASK, BID, Book, Level, Order, type Side } from './state.ts'

interface LevelView {
  price_each: number
  quantity: number
  my_quantity?: number
  source?: string
}

/** Sums up the units of the viewer's own orders in a book, by side and price. */
export function ownUnits(view: WorldView, viewer: Eid, book: Row): Map<string, number> {
  const { book: home, side, price, remaining } = view.read(Order)
  const own = new Map<string, number>()
  for (const order of ordersOf(view, viewer)) {
    if (home[order] !== book) continue
    const key = `${side[order]}@${price[order]}`
    own.set(key, (own.get(key) ?? 0) + remaining[order])
  }
  return own
}

interface Depth {
  readonly levels: LevelView[]
  /** Units on all levels, shown or not. */
  readonly units: number
}

/** Renders the levels of a side, best first; units of the station are an entry of their own. */
export function depthOf(
  view: WorldView,
  book: Row,
  side: Side,
  own: ReadonlyMap<string, number>,
  shown: number,
): Depth {
  const { price, worse, units, stationUnits } = view.read(Level)
  const levels: LevelView[] = []
  let sum = 0
  for (let level = bestLevel(view, book, side); level !== 0; level = worse[level]) {
    sum += units[level] + stationUnits[level]
    if (units[level] > 0 && levels.length < shown) {
      const entry: LevelView = { price_each: price[level], quantity: units[level] }
      const mine = own.get(`${side}@${price[level]}`)
      if (mine !== undefined) entry.my_quantity = mine
      levels.push(entry)
    }
    if (stationUnits[level] > 0 && levels.length < shown) {
      levels.push({ price_each: price[level], quantity: stationUnits[level], source: STATION })
    }
  }
  return { levels, units: sum }
}

interface Best {
  readonly price: number
  readonly units: number
}

function bestOf(view: WorldView, book: Row, side: Side): Best {
  const level = bestLevel(view, book, side)
  const { price, units, stationUnits } = view.read(Level)
  if (level === 0) return { price: 0, units: 0 }
  return { price: price[level], units: units[level] + stationUnits[level] }
}

/**
 * Renders one item of a market: best prices (0 for none) and depth, with more levels if `alone`.
 * buy_* fields are bids, sell_* fields are asks; *_quantity counts all levels.
 */
export function renderListing(
  view: WorldView,
  book: Row,
  own: ReadonlyMap<string, number>,
  alone: boolean,
) {
  const item = view.read(Book).item[book]
  const shown = alone ? LEVELS_SHOWN_MAX : LEVELS_LISTED_MAX
  const buyers = bestOf(view, book, BID)
  const sellers = bestOf(view, book, ASK)
  const bids = depthOf(view, book, BID, own, shown)
  const asks = depthOf(view, book, ASK, own, shown)
  return {
    item_id: GOODS[item].id,
    item_name: GOODS[item].name,
    category: categoryOf(item),
    best_buy: buyers.price,
    best_buy_qty: buyers.units,
    best_sell: sellers.price,
    best_sell_qty: sellers.units,
    buy_price: buyers.price,
    buy_quantity: bids.units,
    sell_price: sellers.price,
    sell_quantity: asks.units,
    ...(buyers.price > 0 && sellers.price > 0 ? { spread: sellers.price - buyers.price } : {}),
    buy_orders: bids.levels,
    sell_orders: asks.levels,
  }
}

/** Returns whether a book has no orders. */
export function isEmptyBook(view: WorldView, book: Row): boolean {
  return bestLevel(view, book, ASK) === 0 && bestLevel(view, book, BID) === 0
}
