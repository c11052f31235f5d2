/**
 * Commands that buy and sell at once, that place orders of a faction, and that record which
 * exchanges a player has seen.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { immediate, LATER, type MutationDef, mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import {
  bool,
  choice,
  itemId,
  NO_PARAMS,
  obj,
  optional,
  quantity,
  str,
  words,
} from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World } from '../../core/types.ts'
import { findGood, isNearlyFull } from '../cargo/model.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { factionOf, needPermission } from '../faction/model.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { isFuel } from './book-model.ts'
import { type FactionOrder, factionRow } from './faction-order-commands.ts'
import { enterBuy, enterSell } from './instant-trade-commands.ts'
import { enterPrices, requestedRows } from './limit-order-commands.ts'
import { findTradeableItem, hasRequestRoom, lacksMarket } from './model.ts'
import {
  LIMIT_EXAMPLE,
  limitParams,
  ORDER_ERRORS,
  PRICE_EACH,
  priceParam,
  rowList,
} from './order-commands.ts'
import { sellFuel } from './rules.ts'
import { buySchema, factionBuySchema, factionSellSchema, sellSchema } from './schemas.ts'
import { isNewSight, rememberSight } from './sight-model.ts'
import { ASK, BID, type Side, Sight, Sighting, SightQuote } from './state.ts'

export const buy: MutationDef = mutation({
  name: 'buy',
  v2: { tool: 'game', action: 'buy', rename: { item_id: 'id' } },
  summary: 'Buy an item at market price on the exchange of the base you are docked at.',
  category: 'trading',
  order: 'order',
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player', 'ship', 'cargo', 'missions'],
  params: obj({
    item_id: itemId(),
    quantity: quantity('Units to buy.'),
    auto_list: optional(
      bool('List a buy order, at the average price paid, for the units that were not available.'),
    ),
    deliver_to: optional(
      choice('Where the goods go; what does not fit in the hold goes to storage.', [
        'cargo',
        'storage',
      ]),
    ),
  }),
  result: buySchema,
  errors: words(
    'quest_item no_market service_restricted unknown_item not_tradeable contraband_restricted',
    'no_storage_service limit_reached item_not_available no_credits no_cargo_space',
  ),
  run(world, player, params) {
    const base = dockedBase(world, player)
    const found = findTradeableItem(world, base, { player, text: params.item_id, selling: false })
    if (!found.ok) return found
    const entered = enterBuy(world, {
      player,
      base,
      item: found.result,
      units: params.quantity,
      deliverTo: params.deliver_to ?? 'cargo',
      autoList: params.auto_list === true,
    })
    return entered.ok ? LATER : entered
  },
})

/** Sells fuel to the tank of the station: fuel has no order book. */
function runSellFuel(world: World, player: Eid, base: Eid, item: number, units: number) {
  const sold = sellFuel(world, player, base, units)
  if (!sold.ok) return sold
  return ok({
    action: 'sell',
    item: GOODS[item].name,
    item_id: GOODS[item].id,
    fills: [],
    level_up: false,
    ...sold.result,
    message: `Sold ${sold.result.quantity_sold} fuel for ${counted(sold.result.total_earned, 'credit')}.`,
  })
}

export const sell: MutationDef = mutation({
  name: 'sell',
  v2: { tool: 'game', action: 'sell', rename: { item_id: 'id' } },
  summary: 'Sell an item at market price on the exchange of the base you are docked at.',
  category: 'trading',
  order: 'order',
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player', 'ship', 'cargo', 'missions'],
  params: obj({
    item_id: itemId('Item or module id; fuel is taken from the tank of your ship.'),
    quantity: quantity('Units to sell, from the hold first and then from storage here.'),
    auto_list: optional(
      bool('List a sell order, at the average price received, for the unsold units.'),
    ),
  }),
  result: sellSchema,
  errors: words(
    'no_market service_restricted unknown_item not_tradeable quest_item issue_item limit_reached',
    'contraband_restricted insufficient_items no_buyers amount_too_large',
  ),
  run(world, player, params) {
    const base = dockedBase(world, player)
    const named = findGood(params.item_id)
    if (named.ok && isFuel(named.result)) {
      return runSellFuel(world, player, base, named.result, params.quantity)
    }
    const found = findTradeableItem(world, base, { player, text: params.item_id, selling: true })
    if (!found.ok) return found
    const entered = enterSell(world, {
      player,
      base,
      item: found.result,
      units: params.quantity,
      deliverTo: 'cargo',
      autoList: params.auto_list === true,
    })
    return entered.ok ? LATER : entered
  },
})

/* Placing orders of a faction. Source: market.md section 5. */

const STORE_PARAMS = {
  bucket: optional(str('Bucket of the faction here, by name or id; the main store without it.')),
  private: optional(bool('List it in the company store here, for members only.')),
}

const FACTION_ORDER_PARAMS = obj({
  ...STORE_PARAMS,
  item_id: optional(itemId()),
  quantity: optional(quantity()),
  price_each: optional(priceParam(PRICE_EACH)),
  orders: optional(rowList(obj({ ...limitParams, ...STORE_PARAMS }), LIMIT_EXAMPLE)),
})

interface CreateParams extends Partial<FactionOrder> {
  readonly orders?: readonly FactionOrder[]
}

/** Returns the order given by single parameters; undefined if one of them is missing. */
function singleOrder({ orders: _, item_id, quantity: units, price_each, ...rest }: CreateParams) {
  if (item_id === undefined || units === undefined || price_each === undefined) return undefined
  return { ...rest, item_id, quantity: units, price_each }
}

/** Places the orders of a command for the player's faction. Refusal: limit_reached. */
function createFactionOrders<A extends string>(
  world: World,
  player: Eid,
  { side, action }: { readonly side: Side; readonly action: A },
  params: CreateParams,
) {
  const { item_id, quantity: units, price_each } = params
  const own = { item_id, quantity: units, price_each }
  const given = requestedRows(['orders', params.orders], singleOrder(params), own)
  if (!given.ok) return given
  if (!hasRequestRoom(world, given.result.length)) return fail('limit_reached')
  const member = { player, faction: factionOf(world, player), base: dockedBase(world, player) }
  return enterPrices(world, {
    player,
    base: member.base,
    action,
    isBulk: params.orders !== undefined,
    rows: given.result.map((order) => factionRow(world, member, side, order)),
  })
}

const FACTION_ORDER_ERRORS = [
  ...ORDER_ERRORS,
  'insufficient_items',
  'no_faction_market',
  'no_company_store',
  'no_faction_storage',
  'bucket_not_found',
  'bucket_not_allowed',
  'storage_full',
  'faction_no_credits',
] as const

const FACTION_ORDER = {
  category: 'faction',
  order: 'order',
  needs: [needPermission('manage_treasury'), MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: [],
  params: FACTION_ORDER_PARAMS,
} as const

const BUYING = { side: BID, action: 'faction_create_buy_order' } as const
const SELLING = { side: ASK, action: 'faction_create_sell_order' } as const

export const factionCreateBuyOrder: MutationDef = mutation({
  ...FACTION_ORDER,
  name: 'faction_create_buy_order',
  v2: { tool: 'game_faction_commerce', action: 'create_buy_order' },
  summary: 'Buy up to a price for your faction: its treasury pays, its store gets the goods.',
  result: factionBuySchema,
  errors: FACTION_ORDER_ERRORS,
  run: (world, player, params) =>
    createFactionOrders(world, player, BUYING, params as CreateParams),
})

export const factionCreateSellOrder: MutationDef = mutation({
  ...FACTION_ORDER,
  name: 'faction_create_sell_order',
  v2: { tool: 'game_faction_commerce', action: 'create_sell_order' },
  summary: 'Sell down to a price from a store of your faction; its treasury is paid.',
  result: factionSellSchema,
  errors: FACTION_ORDER_ERRORS,
  run: (world, player, params) =>
    createFactionOrders(world, player, SELLING, params as CreateParams),
})

/**
 * Runs after a player's view_market, to record what they saw; refused while the tables are full.
 */
export const marketSeen = immediate({
  name: 'internal:market_seen',
  summary: 'Record that a player has seen the exchange of the base where they are docked.',
  category: 'internal',
  params: NO_PARAMS,
  result: NO_PARAMS,
  needs: [],
  errors: ['no_market', 'limit_reached'],
  run(world, player) {
    const base = dockedBase(world, player)
    if (base === 0 || lacksMarket(world, base)) return fail('no_market')
    const isFull = [Sight, SightQuote, Sighting].some((table) => isNearlyFull(world, table))
    if (isFull || !isNewSight(world, player, base)) return fail('limit_reached')
    rememberSight(world, player, base)
    return ok({})
  },
})
