/**
 * Insights into exchanges, more of them with the trading skill: into the one here as it is, into
 * others as the player last saw them. Exchanges that the player has never seen are not used.
 * Source: market.md section 8.
 */
import { FACILITIES, GOODS, itemIndex, RECIPES } from '../../core/catalog/index.ts'
import { INSIGHTS_MAX, INSIGHTS_OF_KIND_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { bandPrice, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { facilitiesAt, isRunning } from '../facility/model.ts'
import { Facility, OF_STATION, PUBLIC } from '../facility/state.ts'
import { flightOf, fuelPerJump } from '../travel/flight-model.ts'
import { shipOf } from '../travel/location-model.ts'
import { routeBetween } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { bookOf } from './book-model.ts'
import { isBetter, salesTax } from './match-kernels.ts'
import { holdRoom, salesTaxBps } from './model.ts'
import type { ExchangeSnapshot, ItemQuote } from './schemas.ts'
import { rememberedExchanges, snapshotExchange } from './sight-model.ts'
import { ASK, BID } from './state.ts'
import { hourlyVwap } from './vwap-model.ts'

/** Minimum trading level of each kind, and its priority in the list: higher ones come first. */
export const INSIGHT_KINDS = {
  spread: { level: 0, priority: 30 },
  one_sided: { level: 0, priority: 40 },
  imbalance: { level: 5, priority: 50 },
  trend: { level: 10, priority: 60 },
  best_price: { level: 20, priority: 70 },
  arbitrage: { level: 35, priority: 90 },
  shortage: { level: 50, priority: 80 },
} as const
type Kind = keyof typeof INSIGHT_KINDS

/** Minimum spread and change of price for an insight, percent; units below which a book is thin. */
const SPREAD_PCT_MIN = 10
const TREND_PCT_MIN = 3
const THIN_UNITS = 10
/** Minimum ratio of demand and supply, either way round, for an imbalance. */
const IMBALANCE_TIMES = 2
/** Hours whose average price a trend compares with that of the rest of the day. */
const RECENT_HOURS = 6
/** Limit of jumps to exchanges whose prices are compared with those here. */
const JUMPS_NEAR = 3

interface Insight {
  readonly kind: Kind
  readonly item: number
  readonly message: string
  /** Sorts the insights of a kind; larger ones come first. */
  readonly weight: number
}

interface InsightInput {
  readonly view: WorldView
  readonly player: Eid
  readonly here: ExchangeSnapshot
  /** Other exchanges that the player remembers. */
  readonly others: readonly ExchangeSnapshot[]
}

const nameOf = (item: number): string => GOODS[item].name
const systemOf = (view: WorldView, base: Eid): Eid =>
  view.read(Poi).system[view.read(Base).poi[base]]

/** Counts the jumps between two bases; returns undefined if no lanes connect them. */
function jumpsTo(view: WorldView, from: Eid, to: Eid): number | undefined {
  const route = routeBetween(view, systemOf(view, from), systemOf(view, to))
  return route === undefined ? undefined : route.length - 1
}

function spreads({ here }: InsightInput): Insight[] {
  return here.items.flatMap(({ item, price: [ask, bid] }): Insight[] => {
    if (ask === 0 || bid === 0) return []
    const pct = divFloor((ask - bid) * 100, ask)
    if (pct < SPREAD_PCT_MIN) return []
    const message = `${nameOf(item)}: asked ${ask}, bid ${bid}, ${pct} % apart.`
    return [{ kind: 'spread', item, message, weight: pct }]
  })
}

function oneSided({ here }: InsightInput): Insight[] {
  return here.items.flatMap(({ item, units: [asked, wanted] }): Insight[] => {
    const name = nameOf(item)
    const insight = (message: string, weight: number): Insight[] => [
      { kind: 'one_sided', item, message, weight },
    ]
    if (asked === 0) return insight(`${name}: ${wanted} wanted, nobody sells.`, wanted)
    if (wanted === 0) return insight(`${name}: ${asked} on offer, nobody buys.`, asked)
    const thin = Math.min(asked, wanted)
    if (thin >= THIN_UNITS) return []
    return insight(`${name}: a thin book, ${asked} on offer and ${wanted} wanted.`, 0)
  })
}

/** Sums up the units on each side at other exchanges in the system, by item. */
function elsewhere({ view, here, others }: InsightInput): Map<number, [number, number]> {
  const system = systemOf(view, here.base)
  const sums = new Map<number, [number, number]>()
  for (const { base, items } of others) {
    if (systemOf(view, base) !== system) continue
    for (const { item, units } of items) {
      const [asked, wanted] = sums.get(item) ?? [0, 0]
      sums.set(item, [asked + units[ASK], wanted + units[BID]])
    }
  }
  return sums
}

function imbalances(input: InsightInput): Insight[] {
  const sums = elsewhere(input)
  return input.here.items.flatMap(({ item, units: [asked, wanted] }): Insight[] => {
    const [alsoAsked, alsoWanted] = sums.get(item) ?? [0, 0]
    const name = nameOf(item)
    const isShort = wanted >= asked * IMBALANCE_TIMES && wanted > 0
    const isGlut = asked >= wanted * IMBALANCE_TIMES && asked > 0
    if (isShort && alsoAsked > alsoWanted) {
      const message = `${name}: short here (${wanted} wanted, ${asked} on offer); ${alsoAsked} on offer elsewhere in the system.`
      return [{ kind: 'imbalance', item, message, weight: wanted - asked }]
    }
    if (isGlut && alsoWanted > alsoAsked) {
      const message = `${name}: plenty here (${asked} on offer, ${wanted} wanted); ${alsoWanted} wanted elsewhere in the system.`
      return [{ kind: 'imbalance', item, message, weight: asked - wanted }]
    }
    return []
  })
}

function trends({ view, here }: InsightInput): Insight[] {
  return here.items.flatMap(({ item }): Insight[] => {
    const book = bookOf(view, here.base, item)
    const recent = hourlyVwap(view, book, 0, RECENT_HOURS - 1)
    const before = hourlyVwap(view, book, RECENT_HOURS, Number.POSITIVE_INFINITY)
    if (recent === 0 || before === 0) return []
    const pct = divFloor(Math.abs(recent - before) * 100, before)
    if (pct < TREND_PCT_MIN) return []
    const direction = recent > before ? 'up' : 'down'
    const message = `${nameOf(item)}: ${direction} ${pct} %, from ${before} to ${recent} a unit within the day.`
    return [{ kind: 'trend', item, message, weight: pct }]
  })
}

interface Offer {
  readonly exchange: ExchangeSnapshot
  readonly seen: ItemQuote
}

/** Finds the best offers of each item by side; among equal ones the first. */
function bestOffers(exchanges: readonly ExchangeSnapshot[]): Map<number, [Offer?, Offer?]> {
  const best = new Map<number, [Offer?, Offer?]>()
  for (const exchange of exchanges) {
    for (const seen of exchange.items) {
      const offers = best.get(seen.item) ?? []
      for (const side of [ASK, BID] as const) {
        const price = seen.price[side]
        const before = offers[side]?.seen.price[side]
        if (price === 0 || (before !== undefined && !isBetter(side, price, before))) continue
        offers[side] = { exchange, seen }
      }
      best.set(seen.item, offers)
    }
  }
  return best
}

function bestPrices({ view, here, others }: InsightInput): Insight[] {
  const near = others.filter(({ base }) => {
    const jumps = jumpsTo(view, here.base, base)
    return jumps !== undefined && jumps <= JUMPS_NEAR
  })
  const offers = bestOffers(near)
  return here.items.flatMap(({ item, price: [ask, bid] }): Insight[] => {
    const name = nameOf(item)
    const [cheap, dear] = offers.get(item) ?? []
    const found: Insight[] = []
    if (cheap && ask > cheap.seen.price[ASK]) {
      const price = cheap.seen.price[ASK]
      const message = `${name}: asked ${price} at ${baseName(view, cheap.exchange.base)}, ${ask} here.`
      const weight = divFloor((ask - price) * 100, ask)
      found.push({ kind: 'best_price', item, message, weight })
    }
    if (dear && bid < dear.seen.price[BID]) {
      const price = dear.seen.price[BID]
      const local = bid === 0 ? 'nobody buys' : bid
      const message = `${name}: bid ${price} at ${baseName(view, dear.exchange.base)}, ${local} here.`
      found.push({
        kind: 'best_price',
        item,
        message,
        weight: divFloor((price - bid) * 100, price),
      })
    }
    return found
  })
}

/** Returns the cost of the fuel for a trip at the fuel price here, credits. */
function fuelCost({ view, player, here }: InsightInput, from: Eid, to: Eid): number | undefined {
  const jumps = jumpsTo(view, from, to)
  if (jumps === undefined) return undefined
  return jumps * fuelPerJump(flightOf(view, shipOf(view, player))) * bandPrice(view, here.base)
}

/**
 * Computes the profit on a hold full of an item that is bought at one exchange and sold at another.
 */
function profitOf(
  input: InsightInput,
  from: ExchangeSnapshot,
  to: ExchangeSnapshot,
  asked: ItemQuote,
  wanted: ItemQuote,
) {
  const { view, player } = input
  const { item } = asked
  const units = Math.min(asked.bestUnits[ASK], wanted.bestUnits[BID], holdRoom(view, player, item))
  const margin = wanted.price[BID] - asked.price[ASK]
  if (units === 0 || margin <= 0) return undefined
  const fuel = fuelCost(input, from.base, to.base)
  if (fuel === undefined) return undefined
  const tax = salesTax(units * asked.price[ASK], salesTaxBps(view, player, from.base))
  return { units, profit: units * margin - tax - fuel }
}

function arbitrages(input: InsightInput): Insight[] {
  const { view, here, others } = input
  return [...bestOffers([here, ...others])].flatMap(([item, [cheap, dear]]): Insight[] => {
    if (!cheap || !dear || cheap.exchange === dear.exchange) return []
    const trip = profitOf(input, cheap.exchange, dear.exchange, cheap.seen, dear.seen)
    if (!trip || trip.profit <= 0) return []
    const [from, to] = [baseName(view, cheap.exchange.base), baseName(view, dear.exchange.base)]
    const message = `${nameOf(item)}: ${trip.units} from ${from} at ${cheap.seen.price[ASK]} to ${to} at ${dear.seen.price[BID]} bring about ${trip.profit} after tax and fuel.`
    return [{ kind: 'arbitrage', item, message, weight: trip.profit }]
  })
}

const READERS: Readonly<Record<Kind, (input: InsightInput) => Insight[]>> = {
  spread: spreads,
  one_sided: oneSided,
  imbalance: imbalances,
  trend: trends,
  best_price: bestPrices,
  arbitrage: arbitrages,
  shortage: ({ view, here, others }) =>
    shortages(view, [here, ...others]).map((found) => ({ kind: 'shortage', ...found })),
}

/** Returns the insights of a player with a trading level at a base, most important first. */
export function insightsAt(view: WorldView, player: Eid, base: Eid, level: number): Insight[] {
  const others = rememberedExchanges(view, player).filter((seen) => seen.base !== base)
  const input: InsightInput = { view, player, here: snapshotExchange(view, base), others }
  const kinds = (Object.keys(INSIGHT_KINDS) as Kind[])
    .filter((kind) => INSIGHT_KINDS[kind].level <= level)
    .sort((a, b) => INSIGHT_KINDS[b].priority - INSIGHT_KINDS[a].priority)
  return kinds
    .flatMap((kind) =>
      READERS[kind](input)
        .sort((a, b) => b.weight - a.weight || a.item - b.item)
        .slice(0, INSIGHTS_OF_KIND_MAX),
    )
    .slice(0, INSIGHTS_MAX)
}

/*
 * Shortages at bases whose exchanges the player remembers: goods that facilities there use and that
 * the exchange hardly offered when last seen. Source: market.md section 8, level 50.
 */

/** An exchange should offer a good for this many runs of the recipe that needs the most of it. */
const RUNS_STOCKED = 10

interface Shortage {
  readonly item: number
  readonly message: string
  readonly weight: number
}

/** Goods that runs at facilities need, by type, computed on first use from the catalogue. */
const NEEDS = new Map<number, ReadonlyMap<number, number>>()

/** Returns the most units of each good that a run at a type of facility can use. */
function needsOf(type: number): ReadonlyMap<number, number> {
  const needs = NEEDS.get(type) ?? listNeeds(FACILITIES[type])
  NEEDS.set(type, needs)
  return needs
}

function listNeeds(type: (typeof FACILITIES)[number]): ReadonlyMap<number, number> {
  const { recipe_ids = [], recipe_categories = [], is_recycler = false } = type
  const needs = new Map<number, number>()
  if (is_recycler) return needs
  for (const { id, category, hidden = false, inputs } of RECIPES) {
    if (hidden || !(recipe_ids.includes(id) || recipe_categories.includes(category))) continue
    for (const { item_id, quantity } of inputs) {
      const item = itemIndex(item_id)
      needs.set(item, Math.max(needs.get(item) ?? 0, quantity))
    }
  }
  return needs
}

/** Sums up what publicly known, running facilities at a base need, by item. */
function neededAt(view: WorldView, base: Eid): Map<number, { count: number; units: number }> {
  const { type, access, ownerKind } = view.read(Facility)
  const needed = new Map<number, { count: number; units: number }>()
  for (const row of facilitiesAt(view, base)) {
    const isOpen = ownerKind[row] === OF_STATION || access[row] === PUBLIC
    if (!isOpen || !isRunning(view, row)) continue
    for (const [item, units] of needsOf(type[row])) {
      const { count, units: max } = needed.get(item) ?? { count: 0, units: 0 }
      needed.set(item, { count: count + 1, units: Math.max(max, units * RUNS_STOCKED) })
    }
  }
  return needed
}

/** Finds shortages at exchanges as they were seen; goods that more facilities use weigh more. */
export function shortages(view: WorldView, exchanges: readonly ExchangeSnapshot[]): Shortage[] {
  return exchanges.flatMap(({ base, items }) => {
    const offered = new Map(items.map(({ item, units }) => [item, units[ASK]]))
    const needed = [...neededAt(view, base)].sort(([a], [b]) => a - b)
    return needed.flatMap(([item, { count, units }]): Shortage[] => {
      const there = offered.get(item) ?? 0
      if (there >= units) return []
      const users = count === 1 ? 'a facility uses it' : `${count} facilities use it`
      const message = `${GOODS[item].name}: ${users} at ${baseName(view, base)}, ${there} on offer there.`
      return [{ item, message, weight: count * units - there }]
    })
  })
}
