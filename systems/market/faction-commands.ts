/** Placing orders of a faction. Source: market.md section 5. */
import { type MutationDef, mutation } from '../../core/command.ts'
import { type ErrorCode, fail } from '../../core/errors.ts'
import { bool, itemId, obj, optional, quantity, str } from '../../core/params.ts'
import type { Eid, World } from '../../core/types.ts'
import { MAY_TRADE } from '../combat/rules.ts'
import { factionOf, needPermission } from '../faction/rules.ts'
import { AT_LIBERTY } from '../law/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { enterRows, rowsGiven } from './bulk.ts'
import { ASK, BID, type Side } from './columns.ts'
import { mayEnter } from './entry.ts'
import { type FactionOrder, factionRow } from './faction-orders.ts'
import { aLimit, LIMIT_ERRORS, limitParams, listOf, PRICE_EACH, price } from './order-commands.ts'
import { factionBuySchema, factionSellSchema } from './order-schemas.ts'

const where = {
  bucket: optional(str('Bucket of the faction here, by name or id; the main store without it.')),
  private: optional(bool('List it in the company store here, for members alone.')),
}

const params = obj({
  ...where,
  ...{ item_id: optional(itemId()), quantity: optional(quantity()) },
  price_each: optional(price(PRICE_EACH)),
  orders: optional(listOf(obj({ ...limitParams, ...where }), aLimit)),
})

interface Creating extends Partial<FactionOrder> {
  readonly orders?: readonly FactionOrder[]
}

/** The order that the parameters themselves describe, if they describe one. */
function aloneOf({ orders: _, item_id, quantity: units, price_each, ...more }: Creating) {
  if (item_id === undefined || units === undefined || price_each === undefined) return undefined
  return { ...more, item_id, quantity: units, price_each }
}

function create(world: World, player: Eid, side: Side, asked: Creating) {
  const given = rowsGiven(asked.orders, aloneOf(asked))
  if (!given.ok) return given
  if (!mayEnter(world, given.result.length)) return fail('limit_reached')
  const member = { player, faction: factionOf(world, player), base: dockedBase(world, player) }
  return enterRows(world, {
    ...{ player, base: member.base },
    action: side === BID ? 'faction_create_buy_order' : 'faction_create_sell_order',
    isBulk: asked.orders !== undefined,
    rows: given.result.map((order) => factionRow(world, member, side, order)),
  })
}

const ERRORS: readonly ErrorCode[] = [
  ...LIMIT_ERRORS.filter((code) => code !== 'no_credits' && code !== 'no_storage_service'),
  'no_faction_market',
  'no_company_store',
  'no_faction_storage',
  'bucket_not_found',
  'bucket_not_allowed',
  'storage_full',
  'faction_no_credits',
]

const shared = {
  category: 'faction',
  order: 'order',
  needs: [needPermission('manage_treasury'), MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: [],
  params,
} as const

export const factionCreateBuyOrder: MutationDef = mutation({
  ...shared,
  name: 'faction_create_buy_order',
  v2: { tool: 'game_faction_commerce', action: 'create_buy_order' },
  summary: 'Buy up to a price for your faction: its treasury pays, its store takes the goods.',
  result: factionBuySchema,
  errors: ERRORS,
  run: (world, player, asked) => create(world, player, BID, asked as Creating),
})

export const factionCreateSellOrder: MutationDef = mutation({
  ...shared,
  name: 'faction_create_sell_order',
  v2: { tool: 'game_faction_commerce', action: 'create_sell_order' },
  summary: 'Sell down to a price out of a store of your faction; its treasury is paid.',
  result: factionSellSchema,
  errors: [...ERRORS, 'insufficient_items', 'quest_item'],
  run: (world, player, asked) => create(world, player, ASK, asked as Creating),
})
