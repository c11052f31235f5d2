/** Wire shapes of the order commands. Source: contract, *OrderCommandResponse, ViewOrders. */
import {
  bools,
  choice,
  ints,
  list,
  named,
  obj,
  opt,
  strings,
  type TSchema,
  Type,
} from '../../core/params.ts'
import { fillSchema } from './views.ts'

const one = <const V extends string>(value: V) => choice(`Always ${value}.`, [value])

const docking = opt(bools('auto_docked', 'auto_undocked'))
const summary = named('BulkOrderSummary', ints('total', 'succeeded', 'failed'))
const inList = {
  ...ints('index'),
  ...bools('success'),
  ...opt(strings('error', 'error_code')),
}

/** Answers of a command that takes one row or a list of them. */
function singleOrBulk<A extends string>(
  action: A,
  single: Record<string, TSchema>,
  row: Record<string, TSchema>,
) {
  return Type.Union([
    obj({ action: one(action), kind: one('single'), ...single, ...docking }),
    obj({
      action: one(action),
      kind: one('bulk'),
      mode: one('bulk'),
      results: list(obj({ ...inList, ...opt(row) })),
      summary,
      ...docking,
    }),
  ])
}

const placed = {
  ...strings('item', 'item_id', 'message'),
  ...ints('listing_fee', 'price_each', 'quantity'),
}
const placedMore = {
  ...strings('order_id'),
  ...ints('quantity_filled', 'quantity_listed', 'self_cleared'),
  ...bools('consolidated'),
  fills: list(fillSchema),
}
const bought = ints(
  'escrow_refunded',
  'quantity_not_listed',
  'remaining_escrowed',
  'self_clear_returned',
  'total_spent',
)
const delivered = ints('delivered_to_cargo', 'delivered_to_storage')
const sold = ints(
  'from_cargo',
  'from_storage',
  'quantity_not_listed',
  'returned_to_storage',
  'self_clear_refund',
  'total_earned',
)
const smuggled = { ...ints('smuggling_xp'), ...bools('smuggling_level_up') }

export const buyOrderSchema = singleOrBulk(
  'create_buy_order',
  { ...placed, ...ints('total_escrowed'), ...opt({ ...placedMore, ...bought, ...delivered }) },
  { ...placed, ...ints('total_escrowed'), ...placedMore, ...bought, ...delivered },
)

export const sellOrderSchema = singleOrBulk(
  'create_sell_order',
  { ...placed, ...opt({ ...placedMore, ...sold, ...smuggled }) },
  { ...placed, ...placedMore, ...sold, ...smuggled },
)

const ofFaction = strings('faction_id', 'faction_tag')
const factionPlaced = {
  ...strings('item', 'item_id', 'message', 'order_id'),
  ...ints('listing_fee', 'price_each', 'quantity'),
}
const factionMore = {
  ...strings('bucket'),
  ...bools('consolidated'),
  ...ints('quantity_filled', 'quantity_listed'),
}
const factionSpent = ints('escrow_refunded', 'total_spent')

export const factionBuySchema = singleOrBulk(
  'faction_create_buy_order',
  {
    ...{ ...ofFaction, ...factionPlaced, ...ints('total_escrowed') },
    ...opt({ ...factionMore, ...factionSpent }),
  },
  { ...factionPlaced, ...factionMore, ...factionSpent, ...ints('total_escrowed') },
)

export const factionSellSchema = singleOrBulk(
  'faction_create_sell_order',
  { ...ofFaction, ...factionPlaced, ...opt({ ...factionMore, ...ints('total_earned') }) },
  { ...factionPlaced, ...factionMore, ...ints('total_earned') },
)

const modified = { ...strings('message', 'order_id'), ...ints('new_price', 'old_price') }

export const modifyOrderSchema = singleOrBulk(
  'modify_order',
  { ...modified, ...opt(ints('listing_fee')) },
  { ...modified, ...ints('listing_fee') },
)

const returned = obj({ ...strings('item_id', 'item_name'), ...ints('quantity') })
const cancelled = strings('message', 'order_id')
const cancelledMore = {
  ...strings('delivered_to'),
  ...ints('returned_credits'),
  returned_items: returned,
}

export const cancelOrderSchema = singleOrBulk(
  'cancel_order',
  { ...cancelled, ...opt({ ...cancelledMore, ...bools('faction_order') }) },
  { ...cancelled, ...cancelledMore },
)

export const orderSchema = named('ExchangeOrder', {
  ...strings('created_at', 'item_id', 'order_id', 'order_type', 'side'),
  ...ints('filled_quantity', 'listing_fee', 'price_each', 'quantity', 'remaining'),
  ...opt({ ...strings('created_by', 'item_name'), ...bools('faction_order') }),
})

export const ordersSchema = obj({
  ...strings('action', 'base', 'hint', 'scope', 'sort_by'),
  ...bools('has_more'),
  ...ints('page', 'page_size', 'total', 'total_pages'),
  ...opt(strings('item_filter', 'order_type', 'search_term')),
  orders: list(orderSchema),
})
