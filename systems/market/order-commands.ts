/** Commands to place, change and cancel a player's own orders. Source: market.md section 5. */
import { type MutationDef, mutation } from '../../core/command.ts'
import { LIST_ROWS_MAX, PRICE_CREDITS_MAX } from '../../core/limits.ts'
import {
  choice,
  int,
  itemId,
  obj,
  optional,
  quantity,
  str,
  type TObject,
  Type,
  words,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, World } from '../../core/types.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import {
  enterPrices,
  enterRows,
  type LimitOrder,
  limitRow,
  requestedRows,
} from './limit-order-commands.ts'
import {
  cancelOrderRow,
  cancelRow,
  meansAll,
  modifyRow,
  ownOrdersAt,
} from './order-change-commands.ts'
import { buyOrderSchema, cancelOrderSchema, modifyOrderSchema, sellOrderSchema } from './schemas.ts'
import { ASK, BID, type Side } from './state.ts'

export const priceParam = (description: string) => int(description, { min: 1, example: 25 })
const orderIdParam = (description = say`Id of the order, as listed by {view_orders}.`) =>
  str(description, { min: 1 })
const deliverToParam = () =>
  choice('Where goods bought at once go; those bought later go to storage.', ['cargo', 'storage'])

/** Describes the list parameter of an order command. */
export const rowList = (row: TObject, example: object) =>
  Type.Array(row, {
    description: `At most ${LIST_ROWS_MAX} rows, in this order; each succeeds or fails on its own.`,
    minItems: 1,
    maxItems: LIST_ROWS_MAX,
    examples: [[example]],
  })

export const PRICE_EACH = `Credits a unit, at most ${PRICE_CREDITS_MAX}.`
export const limitParams = {
  item_id: itemId(),
  quantity: quantity(),
  price_each: priceParam(PRICE_EACH),
}
export const LIMIT_EXAMPLE = { item_id: 'iron_ore', quantity: 10, price_each: 25 }

/** Codes that every limit order may be refused with. */
export const ORDER_ERRORS = [
  'invalid_payload',
  'no_market',
  'service_restricted',
  'unknown_item',
  'quest_item',
  'not_tradeable',
  'contraband_restricted',
  'price_too_high',
  'order_too_large',
  'listing_limit_reached',
  'limit_reached',
] as const
const LIMIT_ERRORS = [...ORDER_ERRORS, 'no_credits', 'no_storage_service'] as const

interface CreateParams {
  readonly item_id?: string
  readonly quantity?: number
  readonly price_each?: number
  readonly deliver_to?: 'cargo' | 'storage'
  readonly orders?: readonly LimitOrder[]
}

/** Returns the single order that the parameters describe; undefined if they describe none. */
function singleOrder({ item_id, quantity: units, price_each, deliver_to }: CreateParams) {
  if (item_id === undefined || units === undefined || price_each === undefined) return undefined
  return { item_id, quantity: units, price_each, deliver_to }
}

function create<A extends string>(
  world: World,
  player: Eid,
  { side, action }: { readonly side: Side; readonly action: A },
  params: CreateParams,
) {
  const { item_id, quantity: units, price_each } = params
  const own = { item_id, quantity: units, price_each }
  const given = requestedRows(['orders', params.orders], singleOrder(params), own)
  if (!given.ok) return given
  const trader = { player, base: dockedBase(world, player) }
  return enterPrices(world, {
    ...trader,
    action,
    isBulk: params.orders !== undefined,
    rows: given.result.map((order) => limitRow(world, trader, side, order)),
  })
}

const BUYING = { side: BID, action: 'create_buy_order' } as const
const SELLING = { side: ASK, action: 'create_sell_order' } as const

export const createBuyOrder: MutationDef = mutation({
  name: 'create_buy_order',
  v2: { tool: 'game_market', action: 'create_buy_order' },
  summary: 'Buy up to a price: take what is offered at that price or below, bid for the rest.',
  category: 'trading',
  order: 'order',
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player', 'cargo', 'missions'],
  params: obj({
    item_id: optional(itemId()),
    quantity: optional(quantity()),
    price_each: optional(priceParam(PRICE_EACH)),
    deliver_to: optional(deliverToParam()),
    orders: optional(
      rowList(obj({ ...limitParams, deliver_to: optional(deliverToParam()) }), LIMIT_EXAMPLE),
    ),
  }),
  result: buyOrderSchema,
  errors: LIMIT_ERRORS,
  run: (world, player, params) => create(world, player, BUYING, params as CreateParams),
})

export const createSellOrder: MutationDef = mutation({
  name: 'create_sell_order',
  v2: { tool: 'game_market', action: 'create_sell_order' },
  summary: 'Sell down to a price: fill bids at that price or above, offer the rest.',
  category: 'trading',
  order: 'order',
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player', 'cargo', 'missions'],
  params: obj({
    item_id: optional(itemId()),
    quantity: optional(quantity()),
    price_each: optional(priceParam(PRICE_EACH)),
    orders: optional(rowList(obj(limitParams), LIMIT_EXAMPLE)),
  }),
  result: sellOrderSchema,
  errors: [...LIMIT_ERRORS, 'insufficient_items'],
  run: (world, player, params) => create(world, player, SELLING, params as CreateParams),
})

interface ModifyRow {
  readonly order_id: string
  readonly new_price: number
}

export const modifyOrder: MutationDef = mutation({
  name: 'modify_order',
  v2: { tool: 'game_market', action: 'modify_order', rename: { new_price: 'price_each' } },
  summary: 'Give an order another price; it goes to the end of the queue at that price.',
  category: 'trading',
  order: 'order',
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player'],
  params: obj({
    order_id: optional(orderIdParam()),
    new_price: optional(priceParam('The new price, credits a unit.')),
    orders: optional(
      rowList(
        obj({ order_id: orderIdParam(), new_price: priceParam('The new price, credits a unit.') }),
        {
          order_id: 'x',
          new_price: 25,
        },
      ),
    ),
  }),
  result: modifyOrderSchema,
  errors: words(
    'invalid_payload order_not_found not_your_order not_in_faction no_permission price_too_high',
    'order_too_large no_credits faction_no_credits limit_reached no_market service_restricted',
  ),
  run(world, player, { order_id, new_price, ...params }) {
    const single =
      order_id === undefined || new_price === undefined ? undefined : { order_id, new_price }
    const rows = params.orders as readonly ModifyRow[] | undefined
    const given = requestedRows(['orders', rows], single, { order_id, new_price })
    if (!given.ok) return given
    const trader = { player, base: dockedBase(world, player) }
    return enterPrices(world, {
      ...trader,
      action: 'modify_order',
      isBulk: params.orders !== undefined,
      rows: given.result.map((row) => modifyRow(world, trader, row.order_id, row.new_price)),
    })
  },
})

export const cancelOrder: MutationDef = mutation({
  name: 'cancel_order',
  v2: { tool: 'game_market', action: 'cancel_order' as const },
  summary: 'Cancel orders: goods go to storage here, credits are returned.',
  category: 'trading',
  order: 'order',
  needs: [DOCKED],
  changes: ['player', 'cargo'],
  params: obj({
    order_id: optional(orderIdParam('Id of the order; all or * for all your orders at this base.')),
    order_ids: optional(
      Type.Array(orderIdParam(), {
        description: `Several orders, at most ${LIST_ROWS_MAX}.`,
        minItems: 1,
        maxItems: LIST_ROWS_MAX,
        examples: [['x']],
      }),
    ),
  }),
  result: cancelOrderSchema,
  errors: words(
    'invalid_payload order_not_found not_your_order not_in_faction no_permission limit_reached',
  ),
  run(world, player, { order_id, order_ids }) {
    const trader = { player, base: dockedBase(world, player) }
    const command = { ...trader, action: 'cancel_order' as const }
    if (order_ids === undefined && order_id !== undefined && meansAll(order_id)) {
      const rows = ownOrdersAt(world, trader).map((row) => cancelOrderRow(world, row))
      return enterRows(world, { ...command, isBulk: true, rows })
    }
    const given = requestedRows(['order_ids', order_ids], order_id, { order_id })
    if (!given.ok) return given
    return enterRows(world, {
      ...command,
      isBulk: order_ids !== undefined,
      rows: given.result.map((id) => cancelRow(world, trader, id)),
    })
  },
})
