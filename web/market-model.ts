/**
 * Computes what the exchange shows from the bodies of the public market: the item table by empire,
 * the ladder and the depth curve of a book, the price history. Pure functions without the page.
 */
import type { VwapHistoryBody } from '../core/public/past.ts'
import type { DepthBody, MarketBody } from '../core/public/world.ts'

export type Quote = MarketBody['items'][number]
type Level = DepthBody['bids'][number]
export type Day = VwapHistoryBody['history'][number]

/* The item table */

/** An item with its best prices over all empires; 0 if there is no order. */
export interface ItemRow {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly base: number
  readonly bid: number
  readonly bidEmpire: string
  readonly ask: number
  readonly askEmpire: string
  readonly bidQuantity: number
  readonly askQuantity: number
  /** Best bid minus best ask, which hauling a unit would earn; 0 if either is missing. */
  readonly gain: number
  /** The quotes of each empire, by its id. */
  readonly quotes: ReadonlyMap<string, Quote>
}

function rowOf(quotes: readonly Quote[]): ItemRow {
  const [first] = quotes
  const buyers = quotes.filter(({ best_bid }) => best_bid > 0)
  const sellers = quotes.filter(({ best_ask }) => best_ask > 0)
  const top = buyers.reduce<Quote | undefined>(
    (best, quote) => (best && best.best_bid >= quote.best_bid ? best : quote),
    undefined,
  )
  const low = sellers.reduce<Quote | undefined>(
    (best, quote) => (best && best.best_ask <= quote.best_ask ? best : quote),
    undefined,
  )
  return {
    id: first.item_id,
    name: first.item_name,
    category: first.category,
    base: first.base_value,
    bid: top?.best_bid ?? 0,
    bidEmpire: top?.empire ?? '',
    ask: low?.best_ask ?? 0,
    askEmpire: low?.empire ?? '',
    bidQuantity: quotes.reduce((sum, quote) => sum + quote.bid_quantity, 0),
    askQuantity: quotes.reduce((sum, quote) => sum + quote.ask_quantity, 0),
    gain: top && low ? top.best_bid - low.best_ask : 0,
    quotes: new Map(quotes.map((quote) => [quote.empire, quote])),
  }
}

/** Groups the quotes of the market by item, in the order of the body. */
export function itemRows(quotes: readonly Quote[]): ItemRow[] {
  const byItem = new Map<string, Quote[]>()
  for (const quote of quotes) {
    const known = byItem.get(quote.item_id)
    if (known) known.push(quote)
    else byItem.set(quote.item_id, [quote])
  }
  return [...byItem.values()].map(rowOf)
}

export interface Filter {
  readonly text: string
  readonly category: string
  readonly empire: string
  /** Only what can be bought or sold now. */
  readonly isOpen: boolean
}

/** Returns the rows that match a filter; with an empire, only items that it trades. */
export function filterRows(rows: readonly ItemRow[], filter: Filter): ItemRow[] {
  const text = filter.text.trim().toLowerCase()
  return rows.filter((row) => {
    if (filter.category && row.category !== filter.category) return false
    if (text && !row.name.toLowerCase().includes(text) && !row.id.includes(text)) return false
    if (filter.empire && !row.quotes.has(filter.empire)) return false
    return !filter.isOpen || row.bid > 0 || row.ask > 0
  })
}

/* The book */

/** A line of the ladder; `share` is its quantity relative to the largest shown, from 0 to 1. */
export interface Rung extends Level {
  readonly share: number
}

interface Ladder {
  /** Highest price first, so that the best is next to the spread. */
  readonly asks: readonly Rung[]
  readonly bids: readonly Rung[]
  readonly spread: number
  /** The mid price, or the only best price; 0 for an empty book. */
  readonly middle: number
}

/** Returns the ladder of a book: the best `depth` levels of each side. */
export function ladderOf({ bids, asks }: Pick<DepthBody, 'bids' | 'asks'>, depth: number): Ladder {
  const nearBids = bids.slice(0, depth)
  const nearAsks = asks.slice(0, depth)
  const quantityMax = Math.max(1, ...[...nearBids, ...nearAsks].map(({ quantity }) => quantity))
  const rung = (level: Level): Rung => ({ ...level, share: level.quantity / quantityMax })
  const bid = bids[0]?.price ?? 0
  const ask = asks[0]?.price ?? 0
  return {
    asks: nearAsks.map(rung).reverse(),
    bids: nearBids.map(rung),
    spread: bid > 0 && ask > 0 ? ask - bid : 0,
    middle: bid > 0 && ask > 0 ? (bid + ask) / 2 : bid || ask,
  }
}

export interface Curve {
  /** Steps from the middle outwards, as pairs of price and cumulative quantity. */
  readonly bids: readonly (readonly [number, number])[]
  readonly asks: readonly (readonly [number, number])[]
  readonly low: number
  readonly high: number
  readonly most: number
}

const steps = (levels: readonly Level[]): (readonly [number, number])[] =>
  levels.flatMap(({ price, cumulative }, index) => [
    [price, index === 0 ? 0 : levels[index - 1].cumulative] as const,
    [price, cumulative] as const,
  ])

/** Returns the depth curve, without orders above twice or below half the mid price. */
export function curveOf(book: Pick<DepthBody, 'bids' | 'asks'>): Curve | undefined {
  const { middle } = ladderOf(book, 1)
  if (middle === 0) return undefined
  const bids = book.bids.filter(({ price }) => price >= middle / 2)
  const asks = book.asks.filter(({ price }) => price <= middle * 2)
  const prices = [...bids, ...asks].map(({ price }) => price)
  const low = Math.min(...prices)
  const high = Math.max(...prices)
  const margin = Math.max(1, (high - low) * 0.05)
  return {
    bids: steps(bids),
    asks: steps(asks),
    low: low - margin,
    high: high + margin,
    most: Math.max(1, ...[...bids, ...asks].map(({ cumulative }) => cumulative)),
  }
}

/* Days */

export const RANGES = [30, 90, 365, 0] as const
type Range = (typeof RANGES)[number]
export const rangeName = (days: number): string =>
  days === 0 ? 'all' : days === 365 ? '1 year' : `${days} days`

/** Returns the range after this one; after the last, the first. */
export function nextRange(days: number): Range {
  const index = RANGES.indexOf(days as Range)
  return RANGES[(index + 1) % RANGES.length]
}

/** Fewer days than this are drawn as points, since a line would suggest values in between. */
const LINE_DAYS_MIN = 5
const DAY_SECONDS = 86_400
/** Days without a fill are gaps in the chart, except in spans longer than this. */
const DAYS_MAX = 4_000

export interface Series {
  /** Unix times in seconds, one for each day. */
  readonly days: readonly number[]
  readonly prices: readonly (number | null)[]
  readonly volumes: readonly (number | null)[]
  readonly isThin: boolean
}

/** Returns the history day by day; days without a fill are null. */
export function seriesOf(history: readonly Day[]): Series {
  const known = new Map(
    history.flatMap((day) => {
      const at = Date.parse(`${day.date}T00:00:00Z`) / 1000
      return Number.isFinite(at) ? [[at, day] as const] : []
    }),
  )
  const stamps = [...known.keys()].sort((a, b) => a - b)
  const first = stamps[0]
  const last = stamps.at(-1)
  if (first === undefined || last === undefined) {
    return { days: [], prices: [], volumes: [], isThin: true }
  }
  const count = Math.round((last - first) / DAY_SECONDS) + 1
  const isFilled = count <= DAYS_MAX
  const days = isFilled
    ? Array.from({ length: count }, (_, index) => first + index * DAY_SECONDS)
    : stamps
  return {
    days,
    prices: days.map((day) => known.get(day)?.vwap ?? null),
    volumes: days.map((day) => known.get(day)?.volume ?? null),
    isThin: stamps.length < LINE_DAYS_MIN,
  }
}

interface Summary {
  readonly last: number
  readonly changePct: number
  readonly low: number
  readonly high: number
  readonly volume: number
  readonly fills: number
}

/** Summarizes a history; undefined if it is empty. */
export function summaryOf(history: readonly Day[]): Summary | undefined {
  const first = history[0]
  const last = history.at(-1)
  if (!first || !last) return undefined
  const prices = history.map(({ vwap }) => vwap)
  return {
    last: last.vwap,
    changePct: first.vwap > 0 ? (100 * (last.vwap - first.vwap)) / first.vwap : 0,
    low: Math.min(...prices),
    high: Math.max(...prices),
    volume: history.reduce((sum, { volume }) => sum + volume, 0),
    fills: history.reduce((sum, { fill_count }) => sum + fill_count, 0),
  }
}
