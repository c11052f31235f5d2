/** Traders buy where an item is cheap and sell it where it is expensive, a few jumps away. */
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
/** What a jump costs in fuel and time, in credits. */
const JUMP_COST = 25
const GAIN_MIN = 40
/** How many of the best deals a bot chooses from, so that not all bots take the same. */
const CANDIDATES = 6
const REST_TICKS = 12

const MARKETS_IN_RANGE = new WeakMap<World, Map<Eid, Eid[]>>()

/** Returns the exchanges in range of a base; kept, since jump lanes do not change. */
function marketsInRange(world: World, base: Eid): Eid[] {
  const byBase = MARKETS_IN_RANGE.get(world) ?? new Map<Eid, Eid[]>()
  MARKETS_IN_RANGE.set(world, byBase)
  const markets = byBase.get(base) ?? marketsNear(world, systemOfBase(world, base), RANGE_JUMPS)
  byBase.set(base, markets)
  return markets
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
    const unitsMax = Math.min(
      ask.units,
      Math.floor(credits / cost),
      Math.floor(room / GOODS[item].size),
    )
    return markets.flatMap((to) => {
      if (to === from || !isWare(world, to, item)) return []
      const bid = bestOffer(world, to, item, BID)
      const units = bid ? Math.min(unitsMax, bid.units * 2) : 0
      const jumps = jumpsBetween(world, systemOfBase(world, from), systemOfBase(world, to))
      const gain = bid ? units * (bid.price - cost) - JUMP_COST * (1 + jumps) : 0
      return units > 0 && gain >= GAIN_MIN ? [{ item, from, to, units, gain }] : []
    })
  })
}

/** Chooses among the best deals that begin here; if there are none, at the nearest exchange. */
function choose(world: World, bot: Bot): Deal | undefined {
  const here = dockedBase(world, bot.player)
  const markets = marketsInRange(world, here)
  for (const start of [here, ...markets.filter((base) => base !== here)]) {
    const deals = dealsFrom(world, bot, start, markets)
    deals.sort((a, b) => b.gain - a.gain || a.item - b.item || a.to - b.to)
    if (deals.length > 0) return bot.dice.pick(deals.slice(0, CANDIDATES))
  }
  return undefined
}

/** Carries out a deal step by step: fly to the seller, buy, fly to the buyer, sell. */
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
