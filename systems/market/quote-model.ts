/**
 * Quotes of station managers: prices, units and levels, computed only from stock and funds. Source:
 * market.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { clamp, divCeil, divFloor } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { BID, Book, MANAGED_AT, Managed, QUOTE_LEVELS, type Side } from './state.ts'

/** Minimum target stock of a managed item, units. */
export const TARGET_MIN = 20
/** Divisor of the target: this part of it is never offered in asks. */
export const RESERVE_DIVISOR = 5
/** Half the spread, percent of the middle price. */
const SPREAD_PCT = 12
const CAPITAL_SPREAD_PCT = 8
/**
 * Shares of the units for the levels after the best one, percent of all; prices of the levels,
 * percent of the best.
 */
const DEEPER_SHARE_PCT = [30, 20] as const
const BID_PRICE_PCT = [100, 95, 90] as const
const ASK_PRICE_PCT = [100, 105, 110] as const

interface QuoteInput {
  /** Stock, units. */
  readonly stock: number
  /** Target stock, units, at least TARGET_MIN. */
  readonly target: number
  /** Value of a unit, credits, at least 1. */
  readonly value: number
  /** True at a capital, which has a smaller spread. */
  readonly capital: boolean
  /** Credits that the bids may hold. */
  readonly budget: number
}

/** Best prices of a manager for an item, and how many units it bids for and offers. */
export interface Quote {
  readonly mid: number
  readonly bid: number
  readonly ask: number
  readonly bidUnits: number
  readonly askUnits: number
}

/** Returns the stock as a percentage of the target. */
export const fillPct = (stock: number, target: number): number => divFloor(100 * stock, target)

/** Computes the middle price, which falls as the stock rises. Source: market.md section 7. */
export function midOf({ stock, target, value }: Omit<QuoteInput, 'budget' | 'capital'>): number {
  assert(target >= TARGET_MIN && value >= 1 && stock >= 0, 'a quote needs a target and a value')
  const fill = Math.min(400, fillPct(stock, target))
  const curve = divFloor(value * (16_000 - 60 * fill), 10_000)
  return Math.max(1, clamp(curve, divFloor(4 * value, 10), divFloor(25 * value, 10)))
}

/** Computes the middle price, the best prices and the units of each side. Source: market.md 7. */
export function quoteOf(input: QuoteInput): Quote {
  const { stock, target, budget } = input
  const mid = midOf(input)
  const half = input.capital ? CAPITAL_SPREAD_PCT : SPREAD_PCT
  const bid = Math.max(1, divFloor(mid * (100 - half), 100))
  const ask = Math.max(bid + 1, divCeil(mid * (100 + half), 100))
  const step = Math.max(1, divFloor(target, 20))
  const bidUnits = Math.min(Math.max(0, 2 * target - stock), step, divFloor(budget, bid))
  const reserve = divFloor(target, RESERVE_DIVISOR)
  const askUnits = Math.min(Math.max(0, stock - reserve), step)
  return { mid, bid, ask, bidUnits, askUnits }
}

/** A price level of a quote. */
export interface QuoteLevel {
  readonly price: number
  readonly units: number
}

/**
 * Returns the levels of one side, best first. Levels with equal prices are merged, empty ones left
 * out. Source: market.md section 7.
 */
export function levelsOf(side: Side, best: number, units: number): QuoteLevel[] {
  const deeper = DEEPER_SHARE_PCT.map((pct) => divFloor(units * pct, 100))
  const shares = [units - deeper[0] - deeper[1], ...deeper]
  const levels: { price: number; units: number }[] = []
  for (let i = 0; i < QUOTE_LEVELS; i++) {
    const price =
      side === BID
        ? Math.max(1, divFloor(best * BID_PRICE_PCT[i], 100))
        : divCeil(best * ASK_PRICE_PCT[i], 100)
    const last = levels.at(-1)
    if (last && last.price === price) last.units += shares[i]
    else if (shares[i] > 0) levels.push({ price, units: shares[i] })
  }
  return levels
}

/** Returns the value of a good at the station that stocks it, credits. */
export function managedValue(view: WorldView, managed: Row): number {
  const { book, valuePct } = view.read(Managed)
  const { base_value } = GOODS[view.read(Book).item[book[managed]]]
  return Math.max(1, divFloor(base_value * (valuePct[managed] || 100), 100))
}

/** Returns the items that a base's manager stocks, ascending by item. */
export const managedAt: (view: WorldView, base: Eid) => Row[] = MANAGED_AT.rows
