/** Loads of traders: the goods that fill a hold best between two ports whose prices are known. */
import { GOODS, goodOf, isModule } from '../../../core/catalog/index.ts'
import { type Pilot, type Price, roomOf, type Status } from './pilot.ts'

/** Added to the ask for tax and price moves, percent. */
const MARGIN_PCT = 3
/** Prices of the next quote, percent of the current ones. */
const NEXT_ASK_PCT = 103
const NEXT_BID_PCT = 97
/** Kept for fuel and repairs. */
const KEPT_CREDITS = 1_000

/** Goods that need no special module in the hold. */
const CARRIED = new Set(GOODS.filter((row) => isModule(row) || !row.hazardous).map(({ id }) => id))

export interface Line {
  readonly item: string
  readonly units: number
  readonly gain: number
}

interface Leg {
  readonly from: string
  readonly to: string
}

type Levels = Price['asks']

/** Returns the orders of a book, followed by those that appear once they are filled. */
const deepen = (levels: Levels, nextPct: number): Levels =>
  [100, nextPct].flatMap((pct) =>
    levels.map((row) => ({ ...row, price_each: (row.price_each * pct) / 100 })),
  )

const costOf = (ask: number): number => (ask * (100 + MARGIN_PCT)) / 100

/** Tells whether the best orders of two books gain: most pairs do not, and need no closer look. */
const gains = ([ask]: Levels, [bid]: Levels): boolean =>
  ask !== undefined && bid !== undefined && bid.price_each > costOf(ask.price_each)

/**
 * Walks two books level by level; returns the units that gain, and what they cost and gain in all.
 */
function walk(here: Levels, there: Levels, unitsMax = Number.MAX_SAFE_INTEGER) {
  const asks = here.map((level) => ({ ...level })).sort((a, b) => a.price_each - b.price_each)
  const bids = there.map((level) => ({ ...level })).sort((a, b) => b.price_each - a.price_each)
  const sum = { units: 0, cost: 0, gain: 0 }
  while (asks.length > 0 && bids.length > 0 && sum.units < unitsMax) {
    const price = costOf(asks[0].price_each)
    const each = bids[0].price_each - price
    if (each <= 0) break
    const units = Math.min(asks[0].quantity, bids[0].quantity, unitsMax - sum.units)
    sum.units += units
    sum.cost += units * price
    sum.gain += units * each
    for (const side of [asks, bids]) {
      side[0].quantity -= units
      if (side[0].quantity === 0) side.shift()
    }
  }
  return sum
}

/** Returns the goods that best fill the hold between two ports. */
export function load(me: Pilot, { from, to }: Leg, { ship, player }: Status): Line[] {
  const [here, there] = [me.prices.get(from), me.prices.get(to)]
  if (!here || !there) return []
  let [room, credits] = [roomOf(ship), player.credits - KEPT_CREDITS]
  const offers = [...here.goods].flatMap(([item, price]) => {
    const goal = CARRIED.has(item) ? there.goods.get(item) : undefined
    if (!goal || !gains(price.asks, goal.bids)) return []
    const [asks, bids] = [deepen(price.asks, NEXT_ASK_PCT), deepen(goal.bids, NEXT_BID_PCT)]
    const { size } = goodOf(item)
    const all = walk(asks, bids, Math.floor(room / size))
    return all.units > 0 ? [{ item, size, asks, bids, worth: all.gain / (all.units * size) }] : []
  })
  offers.sort((a, b) => b.worth - a.worth || (a.item < b.item ? -1 : 1))
  const lines: Line[] = []
  for (const { item, size, asks, bids } of offers) {
    const unitsMax = Math.min(Math.floor(room / size), Math.floor(credits / asks[0].price_each))
    const { units, cost, gain } = walk(asks, bids, unitsMax)
    if (units < 1 || cost > credits) continue
    room -= units * size
    credits -= cost
    lines.push({ item, units, gain })
  }
  return lines
}

/** Returns the units that gain between these asks and the bids at the destination. */
export const unitsBetween = (asks: Levels, bids: Levels): number =>
  walk(asks, deepen(bids, NEXT_BID_PCT)).units
