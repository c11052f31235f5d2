/**
 * Instant trades: buy and sell at what the book offers now, and what `auto_list` brings to rest
 * afterwards.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf } from '../../core/ledger.ts'
import { divFloor, MAX_SAFE } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { addStat, walletOf } from '../account/rules.ts'
import { hasService } from '../base/rules.ts'
import { isStoreNearlyFull } from '../cargo/rules.ts'
import { bookOf, playerCode } from './book.ts'
import { ASK, BID, BY_PLAYER, Lot, Order, type Side } from './columns.ts'
import { type DeliverTo, deliver, deliveryRoom, sellable, takeGoods } from './delivery.ts'
import { affordable, type Plan, planTake, type TakeRequest } from './match.ts'
import { placeOrder } from './orders.ts'
import { awardStanding } from './reputation.ts'
import { orderId, salesTaxBps } from './rules.ts'
import { executePlan } from './trade.ts'
import { type FillView, renderFills } from './views.ts'
import { awardTradingXp, isSmuggling, type TradeXp } from './xp.ts'

export interface InstantOrder {
  readonly player: Eid
  readonly base: Eid
  readonly item: number
  readonly units: number
  readonly deliverTo: DeliverTo
  readonly autoList: boolean
}

interface AutoListed {
  auto_listed?: {
    order_id: string
    price_each: number
    quantity: number
    escrow?: number
    listing_fee?: number
  }
  message?: string
}

/** The plan of an instant trade: any price, own lots passed over, as far as purse and room go. */
function planInstant(view: WorldView, order: InstantOrder, side: Side, book: Row): Plan {
  const { player, base, item, units, deliverTo } = order
  const wallet = balanceOf(view, walletOf(view, player))
  const room = deliverTo === 'storage' ? MAX_SAFE : deliveryRoom(view, player, base, item)
  return planTake(view, {
    book,
    side,
    owner: playerCode(player),
    units,
    taxBps: side === BID ? salesTaxBps(view, player, base) : 0,
    credits: side === BID ? wallet : MAX_SAFE - wallet,
    room: side === BID ? room : undefined,
  })
}

/** Credits of a plan's trades with other players. Called before it is executed. */
function withPlayers(view: WorldView, plan: Plan): number {
  const { order } = view.read(Lot)
  const { ownerKind } = view.read(Order)
  let credits = 0
  for (const { lot, units, price, own } of plan.fills) {
    if (!own && ownerKind[order[lot]] === BY_PLAYER) credits += units * price
  }
  return credits
}

/**
 * Lists what an instant trade left over, at the average price paid, rounded down. Source: market.md
 * section 5.
 */
function autoList(world: World, order: InstantOrder, side: Side, plan: Plan): AutoListed {
  const units = order.units - plan.filled
  if (!order.autoList || units === 0 || plan.filled === 0) return {}
  // Stopped short of the end of the book: at the average price the rest would trade on, not rest.
  if (plan.end !== 'book') return { message: 'The rest was not listed.' }
  const { player, base, item, deliverTo } = order
  const price = Math.max(1, divFloor(plan.subtotal, plan.filled))
  const placed = placeOrder(world, { player, base, item, side, price, units, deliverTo })
  if (!placed.ok) return { message: `The rest was not listed: ${placed.message}` }
  const { order: row, listed, escrowed, fee } = placed.result
  if (row === 0) return { message: 'The rest was not listed.' }
  return {
    auto_listed: {
      order_id: orderId(world, row),
      price_each: price,
      quantity: listed,
      ...(side === BID ? { escrow: escrowed } : {}),
      listing_fee: fee,
    },
  }
}

export interface Bought extends AutoListed {
  fills: FillView[]
  quantity: number
  total_cost: number
  unfilled: number
  delivered_to_cargo: number
  delivered_to_storage: number
  xp_gained: number
  level_up: boolean
}

/** Why nothing at all was bought, or nothing. */
function refuseBuy(view: WorldView, order: InstantOrder, plan: Plan): Failure | undefined {
  if (plan.filled > 0) return undefined
  if (plan.best === 0) return fail('item_not_available', { item_id: GOODS[order.item].id })
  const bps = salesTaxBps(view, order.player, order.base)
  const have = balanceOf(view, walletOf(view, order.player))
  if (affordable(have, plan.best, bps) === 0) {
    return fail('no_credits', { have, price_each: plan.best, sales_tax_rate_bps: bps })
  }
  return fail('no_cargo_space', { item_id: GOODS[order.item].id })
}

/**
 * Buys what the asks offer, as far as purse and room go. Refusals: no_storage_service,
 * limit_reached, item_not_available, no_credits, no_cargo_space. Source: market.md sections 4, 5.
 */
export function buyNow(world: World, order: InstantOrder): Outcome<Bought> {
  const { player, base, item, units, deliverTo } = order
  if (deliverTo === 'storage' && !hasService(world, base, 'storage')) {
    return fail('no_storage_service')
  }
  if (isStoreNearlyFull(world)) return fail('limit_reached')
  const book = bookOf(world, base, item)
  const plan = planInstant(world, order, BID, book)
  const refused = refuseBuy(world, order, plan)
  if (refused) return refused
  const fills = renderFills(world, base, plan)
  const traded = { credits: plan.subtotal, withPlayers: withPlayers(world, plan), smuggled: 0 }
  executePlan(world, { book, side: BID, player }, plan)
  const delivered = deliver(world, player, { base, item, units: plan.filled }, deliverTo)
  const cost = plan.subtotal + plan.tax
  addStat(world, player, 'exchange_items_bought', plan.filled)
  addStat(world, player, 'credits_spent', cost)
  addStat(world, player, 'market_purchases_deductible', cost)
  const xp = awardTradingXp(world, player, traded)
  const listed = autoList(world, order, BID, plan)
  return ok({
    fills,
    quantity: plan.filled,
    total_cost: cost,
    unfilled: units - plan.filled,
    delivered_to_cargo: delivered.toCargo,
    delivered_to_storage: delivered.toStorage,
    xp_gained: xp.trading,
    level_up: xp.levelUp,
    ...listed,
  })
}

export interface Sold extends AutoListed {
  fills: FillView[]
  quantity_sold: number
  total_earned: number
  unsold: number
  xp_gained: number
  level_up: boolean
  skill_level: number
  smuggling_xp?: number
  smuggling_level_up?: boolean
}

/**
 * Sells into the bids, from the hold first and then from storage. Refusals: insufficient_items,
 * no_buyers, amount_too_large. Source: market.md sections 4, 5.
 */
export function sellNow(world: World, order: InstantOrder): Outcome<Sold> {
  const { player, base, item, units } = order
  const have = sellable(world, player, base, item)
  if (have < units) return fail('insufficient_items', { need: units, have })
  const book = bookOf(world, base, item)
  const plan = planInstant(world, order, ASK, book)
  if (plan.best === 0) return fail('no_buyers', { item_id: GOODS[item].id })
  if (plan.filled === 0) return fail('amount_too_large')
  const fills = renderFills(world, base, plan)
  const smuggled = isSmuggling(world, base, item) ? plan.subtotal : 0
  const traded = { credits: plan.subtotal, withPlayers: withPlayers(world, plan), smuggled }
  takeGoods(world, player, base, item, plan.filled)
  executePlan(world, { book, side: ASK, player }, plan)
  countSale(world, player, plan, smuggled > 0)
  awardStanding(world, player, { base, item, subtotal: plan.subtotal })
  const xp = awardTradingXp(world, player, traded)
  const listed = autoList(world, order, ASK, plan)
  return ok({
    fills,
    quantity_sold: plan.filled,
    total_earned: plan.subtotal,
    unsold: units - plan.filled,
    xp_gained: xp.trading,
    level_up: xp.levelUp,
    skill_level: xp.tradingLevel,
    ...(smuggled > 0 ? smugglingFields(xp) : {}),
    ...listed,
  })
}

function countSale(world: World, player: Eid, plan: Plan, smuggled: boolean): void {
  addStat(world, player, 'exchange_items_sold', plan.filled)
  addStat(world, player, 'exchange_credits_earned', plan.subtotal)
  addStat(world, player, 'credits_earned', plan.subtotal)
  addStat(world, player, 'credits_earned_taxable', plan.subtotal)
  if (smuggled) addStat(world, player, 'contraband_sold', plan.filled)
}

const smugglingFields = (xp: TradeXp) => ({
  smuggling_xp: xp.smuggling,
  smuggling_level_up: xp.smugglingLevelUp,
})

export interface Estimate {
  readonly available: number
  readonly fills: FillView[]
  readonly subtotal: number
  readonly tax: number
  readonly bps: number
  readonly unfilled: number
}

/** What so many units would cost now, own asks passed over; purse and room are not asked. */
export function estimateBuy(
  view: WorldView,
  player: Eid,
  base: Eid,
  item: number,
  units: number,
): Estimate {
  const book = bookOf(view, base, item)
  const bps = salesTaxBps(view, player, base)
  const request: TakeRequest = {
    book,
    side: BID,
    owner: playerCode(player),
    units,
    taxBps: bps,
    credits: MAX_SAFE,
  }
  const plan = planTake(view, request)
  const all = planTake(view, { ...request, units: MAX_SAFE })
  return {
    available: all.filled,
    fills: renderFills(view, base, plan),
    subtotal: plan.subtotal,
    tax: plan.tax,
    bps,
    unfilled: units - plan.filled,
  }
}
