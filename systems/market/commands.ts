/** Trading at what the exchange offers now. */
import { GOODS } from '../../core/catalog/index.ts'
import { LATER, type MutationDef, mutation } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { bool, choice, itemId, obj, optional, quantity } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World } from '../../core/types.ts'
import { findGood } from '../cargo/rules.ts'
import { MAY_TRADE } from '../combat/rules.ts'
import { AT_LIBERTY } from '../law/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { isFuel, sellFuel } from './fuel.ts'
import { enterBuy, enterSell } from './instant.ts'
import { tradedItem } from './rules.ts'
import { buySchema, sellSchema } from './views.ts'

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
    'service_restricted',
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
    const found = tradedItem(world, base, { player, text: params.item_id, selling: false })
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
    item_id: itemId('Item or module id; fuel is sold out of the tank.'),
    quantity: quantity('Units to sell, from the hold first and then from storage here.'),
    auto_list: optional(
      bool('List what nobody bought as a sell order at the average price received.'),
    ),
  }),
  result: sellSchema,
  errors: [
    'no_market',
    'service_restricted',
    'unknown_item',
    'not_tradeable',
    'quest_item',
    'issue_item',
    'limit_reached',
    'contraband_restricted',
    'insufficient_items',
    'no_buyers',
    'amount_too_large',
  ],
  run(world, player, params) {
    const base = dockedBase(world, player)
    const named = findGood(params.item_id)
    if (named.ok && isFuel(named.result)) {
      return runSellFuel(world, player, base, named.result, params.quantity)
    }
    const found = tradedItem(world, base, { player, text: params.item_id, selling: true })
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
