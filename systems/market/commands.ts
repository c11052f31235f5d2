/** Trading at what the exchange offers now. */
import { GOODS } from '../../core/catalog/index.ts'
import { type MutationDef, mutation } from '../../core/command.ts'
import { type Outcome, ok } from '../../core/errors.ts'
import { bool, choice, itemId, obj, optional, quantity } from '../../core/params.ts'
import type { Eid, World } from '../../core/world.ts'
import { findGood } from '../cargo/rules.ts'
import { MAY_TRADE } from '../combat/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { isFuel, sellFuel } from './fuel.ts'
import { buyNow, sellNow } from './instant.ts'
import { tradedItem } from './rules.ts'
import { buySchema, sellSchema } from './views.ts'

const said = (verb: string, units: number, item: number, credits: number): string =>
  `${verb} ${units} ${GOODS[item].name} for ${credits} credits.`

export const buy: MutationDef = mutation({
  name: 'buy',
  v2: { tool: 'game', action: 'buy', rename: { item_id: 'id' } },
  summary: 'Buy an item at market price on the exchange of the base you are docked at.',
  category: 'trading',
  order: 'order',
  needs: [MAY_TRADE, DOCKED],
  changes: ['player', 'ship', 'cargo'],
  params: obj({
    item_id: itemId(),
    quantity: quantity('Units to buy.'),
    auto_list: optional(
      bool('List what was not available as a buy order at the average price paid.'),
    ),
    deliver_to: optional(
      choice('Where the goods go; what the hold cannot take goes to storage.', [
        'cargo',
        'storage',
      ]),
    ),
  }),
  result: buySchema,
  errors: [
    'no_market',
    'unknown_item',
    'not_tradeable',
    'contraband_restricted',
    'no_storage_service',
    'limit_reached',
    'item_not_available',
    'no_credits',
    'no_cargo_space',
  ],
  run(world, player, params) {
    const base = dockedBase(world, player)
    const found = tradedItem(world, base, params.item_id, false)
    if (!found.ok) return found
    const item = found.result
    const bought = buyNow(world, {
      player,
      base,
      item,
      units: params.quantity,
      deliverTo: params.deliver_to ?? 'cargo',
      autoList: params.auto_list === true,
    })
    if (!bought.ok) return bought
    const { message, ...fields } = bought.result
    const told = said('Bought', fields.quantity, item, fields.total_cost)
    return ok({
      action: 'buy',
      item: GOODS[item].name,
      item_id: GOODS[item].id,
      ...fields,
      message: message === undefined ? told : `${told} ${message}`,
    })
  },
})

/** Fuel is no good of the books: the station's tank takes it. */
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
    message: said('Sold', sold.result.quantity_sold, item, sold.result.total_earned),
  })
}

export const sell: MutationDef = mutation({
  name: 'sell',
  v2: { tool: 'game', action: 'sell', rename: { item_id: 'id' } },
  summary: 'Sell an item at market price on the exchange of the base you are docked at.',
  category: 'trading',
  order: 'order',
  needs: [MAY_TRADE, DOCKED],
  changes: ['player', 'ship', 'cargo'],
  params: obj({
    item_id: itemId('Item or module id; fuel is sold out of the tank.'),
    quantity: quantity('Units to sell, from the hold first and then from storage here.'),
    auto_list: optional(
      bool('List what nobody bought as a sell order at the average price received.'),
    ),
  }),
  result: sellSchema,
  errors: [
    'no_market',
    'unknown_item',
    'not_tradeable',
    'quest_item',
    'issue_item',
    'contraband_restricted',
    'insufficient_items',
    'no_buyers',
    'amount_too_large',
  ],
  run(world, player, params): Outcome<unknown> {
    const base = dockedBase(world, player)
    const named = findGood(params.item_id)
    if (named.ok && isFuel(named.result)) {
      return runSellFuel(world, player, base, named.result, params.quantity)
    }
    const found = tradedItem(world, base, params.item_id, true)
    if (!found.ok) return found
    const item = found.result
    const sold = sellNow(world, {
      player,
      base,
      item,
      units: params.quantity,
      deliverTo: 'cargo',
      autoList: params.auto_list === true,
    })
    if (!sold.ok) return sold
    const { message, ...fields } = sold.result
    const told = said('Sold', fields.quantity_sold, item, fields.total_earned)
    return ok({
      action: 'sell',
      item: GOODS[item].name,
      item_id: GOODS[item].id,
      ...fields,
      message: message === undefined ? told : `${told} ${message}`,
    })
  },
})
