/** The list of open orders of a player or their faction. Source: market.md section 5. */
import { GOODS } from '../../core/catalog/index.ts'
import { type QueryDef, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { LIST_PAGE } from '../../core/limits.ts'
import { pageOf } from '../../core/paging.ts'
import { choice, itemId, obj, optional, page, pageSize, ref, str } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseById, baseName } from '../base/model.ts'
import { findGood } from '../cargo/model.ts'
import { factionOf } from '../faction/model.ts'
import { dockedBase, notDocked } from '../travel/location-model.ts'
import { factionOrders, ordersOf } from './book-model.ts'
import { orderId } from './model.ts'
import { ordersSchema } from './schemas.ts'
import { BID, Book, Order } from './state.ts'

const SORTS = ['newest', 'oldest', 'price_asc', 'price_desc'] as const
type Sort = (typeof SORTS)[number]

const typeOf = (view: WorldView, order: Row): 'buy' | 'sell' =>
  view.read(Order).side[order] === BID ? 'buy' : 'sell'

function renderOrder(view: WorldView, order: Row) {
  const row = view.read(Order)
  const { id, name } = GOODS[view.read(Book).item[row.book[order]]]
  const type = typeOf(view, order)
  return {
    order_id: orderId(view, order),
    item_id: id,
    item_name: name,
    order_type: type,
    side: type,
    price_each: row.price[order],
    quantity: row.listed[order],
    remaining: row.remaining[order],
    filled_quantity: row.listed[order] - row.remaining[order],
    listing_fee: row.feePaid[order],
    created_at: isoTime(row.createdMs[order]),
    created_by: usernameOf(view, row.player[order] || row.placedBy[order]),
    faction_order: row.faction[order] !== 0,
  }
}

interface OrderFilter {
  readonly item?: number
  readonly type?: 'buy' | 'sell'
  readonly search?: string
}

/** Returns those of the orders that are at a base and pass the filter, in the same sequence. */
function ordersAt(view: WorldView, own: readonly Row[], base: Eid, filter: OrderFilter): Row[] {
  const { book } = view.read(Order)
  const { base: baseOf, item } = view.read(Book)
  const search = filter.search?.trim().toLowerCase()
  return own.filter((order) => {
    const good = GOODS[item[book[order]]]
    return (
      baseOf[book[order]] === base &&
      (filter.item === undefined || item[book[order]] === filter.item) &&
      (filter.type === undefined || typeOf(view, order) === filter.type) &&
      (!search || good.name.toLowerCase().includes(search) || good.id.includes(search))
    )
  })
}

/** Sorts orders that are given newest first; at equal prices the newest comes first. */
function sorted(view: WorldView, orders: Row[], by: Sort): Row[] {
  const { price } = view.read(Order)
  if (by === 'oldest') return orders.reverse()
  if (by === 'price_asc') return orders.sort((a, b) => price[a] - price[b])
  return by === 'price_desc' ? orders.sort((a, b) => price[b] - price[a]) : orders
}

export const viewOrders: QueryDef = query({
  name: 'view_orders',
  v2: { tool: 'game_market', action: 'view_orders' },
  summary: 'List your open orders at a base, or those of your faction.',
  category: 'trading',
  needs: [],
  params: obj({
    item_id: optional(itemId('Only orders of this item.')),
    order_type: optional(choice('Only orders to buy, or to sell.', ['buy', 'sell'])),
    page: optional(page()),
    page_size: optional(pageSize(LIST_PAGE.max)),
    scope: optional(choice('Your own orders, or those of your faction.', ['personal', 'faction'])),
    search: optional(str('Only items whose name or id contains this.', { example: 'ore' })),
    sort_by: optional(choice('How to sort; newest first by default.', SORTS)),
    station_id: optional(
      ref(
        'base',
        str('Base of the orders; absent: the one you are docked at.', { min: 1, example: 'base' }),
      ),
    ),
  }),
  result: ordersSchema,
  errors: ['station_not_found', 'not_docked', 'not_in_faction', 'unknown_item'],
  run(view, player, params) {
    const {
      station_id,
      item_id,
      order_type,
      search,
      scope = 'personal',
      sort_by = 'newest',
    } = params
    const faction = scope === 'faction' ? factionOf(view, player) : 0
    if (scope === 'faction' && faction === 0) return fail('not_in_faction')
    const base = station_id === undefined ? dockedBase(view, player) : baseById(view, station_id)
    if (base === 0) {
      return station_id === undefined
        ? notDocked(view, player)
        : fail('station_not_found', { station_id })
    }
    const found = item_id === undefined ? undefined : findGood(item_id)
    if (found && !found.ok) return found
    const own = faction === 0 ? ordersOf(view, player) : factionOrders(view, faction)
    const filter = { item: found?.result, type: order_type, search }
    const orders = sorted(view, ordersAt(view, own, base, filter), sort_by)
    const { items, ...page } = pageOf(orders, params, LIST_PAGE)
    return ok({
      action: 'view_orders',
      base: baseName(view, base),
      orders: items.map((order) => renderOrder(view, order)),
      ...page,
      has_more: page.page < page.total_pages,
      scope,
      sort_by,
      ...(found ? { item_filter: GOODS[found.result].id } : {}),
      ...(order_type ? { order_type } : {}),
      ...(search ? { search_term: search } : {}),
      hint:
        page.total === 0
          ? say`No open orders here; place one with {create_buy_order} or {create_sell_order}.`
          : say`Use the order_id with {modify_order} and {cancel_order}.`,
    })
  },
})
