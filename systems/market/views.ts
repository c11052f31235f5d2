/** Wire forms of the exchange: fills, price levels, listings of a base's market. */
import { GOODS } from '../../core/catalog/index.ts'
import { LEVELS_LISTED_MAX, LEVELS_SHOWN_MAX } from '../../core/limits.ts'
import { bools, ints, list, named, obj, opt, strings } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseName } from '../base/rules.ts'
import { bestLevel } from './book.ts'
import { ASK, BID, Book, Fill, Level, Lot, Order, OrderRequest, type Side } from './columns.ts'
import { isStationCode } from './figures.ts'
import { ordersOf } from './order-list.ts'
import { categoryOf } from './rules.ts'

/**
 * Said of levels and fills of the station manager; absent: players. Source: spec, market_update.
 */
const STATION = 'station'

export const fillSchema = obj({
  ...ints('price_each', 'quantity', 'subtotal'),
  ...opt(strings('counterparty', 'source')),
})

export interface FillView {
  price_each: number
  quantity: number
  subtotal: number
  counterparty?: string
  source?: string
}

/**
 * Trades of a request, neighbours of one price and kind as one. Players trade unnamed; the station
 * is named. Own lots netted out are no trades.
 */
export function renderFills(view: WorldView, row: Row): FillView[] {
  const { base, firstFill, fills: count } = view.read(OrderRequest)
  const { lot, units, price, own } = view.read(Fill)
  const { owner } = view.read(Lot)
  const fills: FillView[] = []
  for (let at = firstFill[row]; at < firstFill[row] + count[row]; at++) {
    if (own[at] === 1) continue
    const station = isStationCode(owner[lot[at]])
    const last = fills.at(-1)
    if (last && last.price_each === price[at] && (last.source === STATION) === station) {
      last.quantity += units[at]
      last.subtotal += units[at] * price[at]
      continue
    }
    const fill: FillView = {
      price_each: price[at],
      quantity: units[at],
      subtotal: units[at] * price[at],
    }
    if (station) {
      fill.source = STATION
      fill.counterparty = baseName(view, base[row])
    }
    fills.push(fill)
  }
  return fills
}

const levelSchema = obj({
  ...ints('price_each', 'quantity'),
  ...opt({ ...ints('my_quantity'), ...strings('source') }),
})

const listingSchema = obj({
  ...strings('item_id', 'item_name', 'category'),
  ...ints('best_buy', 'best_buy_qty', 'best_sell', 'best_sell_qty'),
  ...ints('buy_price', 'buy_quantity', 'sell_price', 'sell_quantity'),
  ...opt(ints('spread')),
  buy_orders: list(levelSchema),
  sell_orders: list(levelSchema),
})

export const marketSchema = obj({
  ...strings('action', 'base', 'base_id'),
  ...ints('current_tick'),
  ...opt({ ...bools('incremental'), ...strings('message') }),
  ...opt({ categories: list(strings('category').category) }),
  items: list(listingSchema),
})

interface LevelView {
  price_each: number
  quantity: number
  my_quantity?: number
  source?: string
}

/** Units of the viewer's own orders in a book, by side and price. */
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

/** Levels of a side from the best; the station's share of a price is a level of its own. */
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
 * One item of a market: best prices (0 for none) and depth; `alone` shows more of it. buy_* is what
 * buyers offer, sell_* what sellers ask; *_quantity counts all levels.
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

/** True if nothing rests in a book. */
export function isEmptyBook(view: WorldView, book: Row): boolean {
  return bestLevel(view, book, ASK) === 0 && bestLevel(view, book, BID) === 0
}

const autoListedSchema = obj({
  ...strings('order_id'),
  ...ints('price_each', 'quantity'),
  ...opt(ints('escrow', 'listing_fee')),
})

const tradeFields = {
  ...strings('action', 'item', 'item_id'),
  ...bools('level_up'),
  fills: list(fillSchema),
  ...opt({ ...bools('auto_docked', 'auto_undocked'), auto_listed: autoListedSchema }),
  ...opt({ ...strings('message'), ...ints('xp_gained') }),
}

export const buySchema = obj({
  ...tradeFields,
  ...ints('quantity', 'total_cost'),
  ...opt(ints('delivered_to_cargo', 'delivered_to_storage', 'unfilled')),
  ...opt(strings('stopped_by')),
})

export const sellSchema = obj({
  ...tradeFields,
  ...ints('quantity_sold', 'total_earned'),
  ...opt({ ...ints('skill_level', 'smuggling_xp', 'unsold'), ...bools('smuggling_level_up') }),
})

export const estimateSchema = obj({
  ...strings('action', 'item', 'message'),
  ...ints('available', 'quantity_requested', 'sales_tax', 'sales_tax_rate_bps', 'subtotal'),
  ...ints('total_cost', 'unfilled'),
  fills: list(fillSchema),
})

export const insightsSchema = obj({
  ...strings('message', 'station'),
  ...ints('skill_level'),
  ...opt(bools('auto_docked', 'auto_undocked')),
  insights: list(
    named('MarketInsight', {
      ...strings('category', 'item', 'item_id', 'message'),
      ...ints('priority'),
    }),
  ),
})
