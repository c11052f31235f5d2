/**
 * Wire shapes of market commands and events. Source: contract, *OrderCommandResponse, ViewOrders.
 */
import { defineEvent } from '../../core/event.ts'
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
import type { Eid } from '../../core/types.ts'
import { convoySchema } from '../npc/schemas.ts'

/* Events */

/** Sent to the owner of a filled order. Source: market.md section 6. */
export const tradeFill = defineEvent({
  type: 'trade_fill',
  summary: 'An order of yours was filled, in whole or in part.',
  queue: 'trade',
  fields: obj({
    ...strings('type', 'item_id', 'item_name', 'timestamp'),
    ...ints('price_each', 'quantity', 'total'),
  }),
})

const feedLevelSchema = named('MarketLevel', {
  ...ints('price_each', 'quantity'),
  ...opt(strings('source')),
})

export const bookSchema = named('MarketItemBook', {
  ...strings('item_id', 'category'),
  ...opt(strings('item_name')),
  buy_orders: list(feedLevelSchema),
  sell_orders: list(feedLevelSchema),
})

/** Sent to the followers of an exchange. Source: spec; market.md section 6. */
export const marketUpdate = defineEvent({
  type: 'market_update',
  summary: 'Items have changed in the exchange you follow; each is sent with its full depth.',
  queue: 'market',
  fields: obj({
    ...strings('base_id'),
    ...opt(strings('base_name')),
    ...ints('tick'),
    items: list(bookSchema),
  }),
})

const one = <const V extends string>(value: V) => choice(`Always ${value}.`, [value])

const docking = opt(bools('auto_docked', 'auto_undocked'))
const summary = named('BulkOrderSummary', ints('total', 'succeeded', 'failed'))
const inList = {
  ...ints('index'),
  ...bools('success'),
  ...opt(strings('error', 'error_code')),
}

/** Builds the schema of the answers of a command that takes either one row or a list of rows. */
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

const fillSchema = obj({
  ...ints('price_each', 'quantity', 'subtotal'),
  ...opt(strings('counterparty', 'source')),
})

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
    ...ofFaction,
    ...factionPlaced,
    ...ints('total_escrowed'),
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

const orderSchema = named('ExchangeOrder', {
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

/** Prices and units of one item, by side. */
export interface ItemQuote {
  readonly item: number
  readonly price: readonly [number, number]
  readonly bestUnits: readonly [number, number]
  readonly units: readonly [number, number]
}

/** An exchange as it was at one tick. */
export interface ExchangeSnapshot {
  readonly base: Eid
  readonly tick: number
  readonly items: readonly ItemQuote[]
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
  ...opt({ convoys: list(convoySchema) }),
})

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

/** Volume of trades in a span of time. */
export interface TradeVolume {
  readonly units: number
  readonly credits: number
  /** Number of trades. */
  readonly fills: number
}

/** A span up to now, including the current hour or day: up to 24 hours, or up to 30 days. */
export type VolumeSpan = { readonly hours: number } | { readonly days: number }
