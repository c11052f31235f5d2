/** Traders: buy where a good is cheap and sell where it is expensive, a few jumps apart. */
import { GOODS } from '../../core/catalog/index.ts'
import type { Eid, World } from '../../core/types.ts'
import { booksAt } from '../../systems/market/book-model.ts'
import { salesTaxBps } from '../../systems/market/model.ts'
import { ASK, BID, Book } from '../../systems/market/state.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import {
  type Bot,
  bestOffer,
  creditsOf,
  dockAt,
  holdOf,
  isWare,
  jumpsBetween,
  marketsNear,
  refuel,
  roomOf,
  sellSome,
  storedAt,
  systemOfBase,
  type Wish,
  wish,
} from './moves.ts'

interface Deal {
  readonly item: number
  readonly from: Eid
  readonly to: Eid
  readonly units: number
  readonly gain: number
}

const RANGE_JUMPS = 3
/** What a jump costs in fuel and time, credits. */
const JUMP_COST = 25
const GAIN_LEAST = 40
/** Deals of which one is taken: not everybody runs after the best. */
const CHOICE = 6
const REST_TICKS = 12

const NEAR = new WeakMap<World, Map<Eid, Eid[]>>()

/** Exchanges around a base; lanes do not change. */
function around(world: World, base: Eid): Eid[] {
  const found = NEAR.get(world) ?? new Map<Eid, Eid[]>()
  NEAR.set(world, found)
  const near = found.get(base) ?? marketsNear(world, systemOfBase(world, base), RANGE_JUMPS)
  found.set(base, near)
  return near
}

function dealsFrom(world: World, bot: Bot, from: Eid, markets: readonly Eid[]): Deal[] {
  const credits = creditsOf(world, bot)
  const room = roomOf(world, bot)
  const tax = 1 + salesTaxBps(world, bot.player, from) / 10_000
  const { item: itemOf } = world.read(Book)
  return booksAt(world, from).flatMap((book) => {
    const item = itemOf[book]
    const ask = bestOffer(world, from, item, ASK)
    if (!ask || !isWare(world, from, item)) return []
    const cost = ask.price * tax
    const most = Math.min(
      ask.units,
      Math.floor(credits / cost),
      Math.floor(room / GOODS[item].size),
    )
    return markets.flatMap((to) => {
      if (to === from || !isWare(world, to, item)) return []
      const bid = bestOffer(world, to, item, BID)
      const units = bid ? Math.min(most, bid.units * 2) : 0
      const jumps = jumpsBetween(world, systemOfBase(world, from), systemOfBase(world, to))
      const gain = bid ? units * (bid.price - cost) - JUMP_COST * (1 + jumps) : 0
      return units > 0 && gain >= GAIN_LEAST ? [{ item, from, to, units, gain }] : []
    })
  })
}

/** Returns the deals that begin here, else those that begin nearby, best first. */
function choose(world: World, bot: Bot): Deal | undefined {
  const here = dockedBase(world, bot.player)
  const markets = around(world, here)
  for (const start of [here, ...markets.filter((base) => base !== here)]) {
    const deals = dealsFrom(world, bot, start, markets)
    deals.sort((a, b) => b.gain - a.gain || a.item - b.item || a.to - b.to)
    if (deals.length > 0) return bot.dice.pick(deals.slice(0, CHOICE))
  }
  return undefined
}

/** Flies the plan: to the seller, buys, to the buyer, sells. */
export function trade(world: World, bot: Bot): Wish | undefined {
  const deal = bot.plan as Deal | undefined
  const here = dockedBase(world, bot.player)
  if (!deal) {
    if (here === 0) return dockAt(world, bot, bot.home)
    const done = refuel(world, bot) ?? sellSome(world, bot, holdOf(world, bot))
    if (done) return done
    const left = sellSome(world, bot, storedAt(world, bot, here))
    if (left) return left
    bot.plan = choose(world, bot)
    if (!bot.plan) bot.restTick = world.tick + REST_TICKS + bot.dice.below(REST_TICKS)
    return undefined
  }
  const isLoaded = holdOf(world, bot).some(({ item }) => item === deal.item)
  if (isLoaded) {
    const next = dockAt(world, bot, deal.to)
    if (next) return next
    bot.plan = undefined
    return sellSome(world, bot, holdOf(world, bot))
  }
  const next = dockAt(world, bot, deal.from)
  if (next) return next
  const fuel = refuel(world, bot)
  if (fuel) return fuel
  const ask = bestOffer(world, here, deal.item, ASK)
  const units = ask
    ? Math.min(deal.units, Math.floor(creditsOf(world, bot) / (ask.price * 1.2)))
    : 0
  const bid = bestOffer(world, deal.to, deal.item, BID)
  if (units < 1 || !bid || !ask || bid.price <= ask.price) {
    bot.plan = undefined
    return undefined
  }
  return wish(bot, 'buy', { item_id: GOODS[deal.item].id, quantity: units })
}
