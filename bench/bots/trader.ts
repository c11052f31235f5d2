/**
 * Traders stay at home and earn the spread with limit orders. They bid a credit more than the best
 * bid, offer what they bought a credit below the best ask, adjust the price when outbid, and cancel
 * old orders.
 */
import type { Params } from '../client.ts'
import { rows } from './atlas.ts'
import { act, ask, type Bot, rest, type Strategy, updateStatus } from './bot.ts'
import { dockAt, holdOf, isDocked, service } from './moves.ts'

const ORDERS_MAX = 6
const UNITS_MAX = 5
/** The share of bids that are for ore. */
const ORE_SHARE = 0.7
/** Percentage of the credits that one order may lock. */
const STAKE_PCT = 20
/** How often a trader checks the market in a round, at whose end the oldest order is cancelled. */
const CHECKS = 6
const TICKS_BETWEEN = 2

const priceOf = (value: unknown): number => Number(value ?? 0)

/** Returns the items with enough spread, at a price that the bot can afford. */
function wares(bot: Bot, market: readonly Params[]): Params[] {
  const stake = (bot.status.credits * STAKE_PCT) / 100
  return market.filter(({ best_buy, best_sell }) => {
    const [bid, ask] = [priceOf(best_buy), priceOf(best_sell)]
    return bid > 0 && ask - bid > 2 && bid < stake
  })
}

async function bid(bot: Bot, market: readonly Params[]): Promise<void> {
  const all = wares(bot, market)
  // Other bots mostly sell ore; bids for anything else are filled rarely.
  const ores = all.filter(({ category }) => category === 'ore')
  const choice = ores.length > 0 && Math.random() < ORE_SHARE ? ores : all
  const ware = choice[(bot.index + Math.floor(Math.random() * 5)) % Math.max(1, choice.length)]
  if (!ware) return
  const price_each = priceOf(ware.best_buy) + 1
  const stake = (bot.status.credits * STAKE_PCT) / 100
  const quantity = Math.max(1, Math.min(UNITS_MAX, Math.floor(stake / price_each)))
  await act(bot, 'create_buy_order', { item_id: ware.item_id, quantity, price_each })
}

/** Offers what was bought, from the hold or else from storage. */
async function offer(bot: Bot, market: readonly Params[]): Promise<void> {
  const stored = rows((await ask(bot, 'view_storage')).items)
  const [ware] = [...(await holdOf(bot)), ...stored]
  if (!ware) return
  const { item_id, quantity } = ware
  const listed = market.find((row) => row.item_id === item_id)
  const price_each = Math.max(1, priceOf(listed?.best_sell) - 1)
  await act(bot, 'create_sell_order', { item_id, quantity, price_each })
}

/** Reprices the first outbid order that can still be filled at a profit. */
async function follow(bot: Bot, orders: readonly Params[], market: readonly Params[]) {
  for (const { order_id, order_type, side, item_id, price_each } of orders) {
    const listed = market.find((row) => row.item_id === item_id)
    if (!listed) continue
    const [best, other] = [priceOf(listed.best_buy), priceOf(listed.best_sell)]
    const mine = priceOf(price_each)
    const isBid = (side ?? order_type) === 'buy'
    const new_price = isBid ? best + 1 : other - 1
    const isBeaten = isBid ? best > mine && new_price < other : other < mine && new_price > best
    if (!isBeaten) continue
    await act(bot, 'modify_order', { order_id, new_price })
    return
  }
}

export const trader: Strategy = {
  role: 'trader',
  async round(bot) {
    if (!isDocked(bot) && !(await dockAt(bot, bot.home.systemId, bot.home.poiId))) return
    await service(bot)
    let orders: readonly Params[] = []
    for (let check = 0; check < CHECKS; check++) {
      await updateStatus(bot)
      const market = rows((await ask(bot, 'view_market')).items)
      orders = rows((await ask(bot, 'view_orders')).orders)
      if (orders.length < ORDERS_MAX) await bid(bot, market)
      await offer(bot, market)
      await follow(bot, orders, market)
      await rest(bot, TICKS_BETWEEN)
    }
    const oldest = [...orders].sort((a, b) =>
      String(a.created_at) < String(b.created_at) ? -1 : 1,
    )
    if (oldest.length >= ORDERS_MAX)
      await act(bot, 'cancel_order', { order_id: oldest[0].order_id })
  },
}
