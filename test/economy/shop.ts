/**
 * A station's manager as a newcomer meets it: what buying or selling a lot costs in credits and in
 * ticks, worked out with the exchange's own functions, from the first day's stock.
 */
import { goodOf } from '../../core/catalog/index.ts'
import type { BasePlan, ManagedPlan } from '../../core/catalog/types.ts'
import { divFloor } from '../../core/math.ts'
import { salesTax } from '../../systems/market/match-kernels.ts'
import { levelsOf, quoteOf } from '../../systems/market/quote-model.ts'
import { ASK, BID } from '../../systems/market/state.ts'

/** The manager's funds that bids for one item may hold: a quarter, as in manager.ts. */
const BUDGET_DIVISOR = 4
/** A lot that takes longer to place than this is not a trade. */
const TICKS_MAX = 20

export interface Shop {
  readonly base: BasePlan
  readonly system: number
  readonly stock: ReadonlyMap<string, ManagedPlan>
  /** Credits of the manager, where they are not those of the first day. */
  readonly funds?: number
  /** Sales tax a newcomer pays here, basis points. */
  readonly taxBps: number
}

export interface Deal {
  readonly credits: number
  readonly ticks: number
}

function quoteAt(shop: Shop, item: string, stock: number) {
  const managed = shop.stock.get(item)
  if (!managed) return undefined
  return quoteOf({
    stock,
    target: managed.target,
    value: Math.max(1, divFloor(goodOf(item).base_value * managed.value_pct, 100)),
    capital: shop.base.capital,
    budget: divFloor(shop.funds ?? shop.base.account_target, BUDGET_DIVISOR),
  })
}

/**
 * Returns what `units` of an item bring; undefined if the bids are too few. `taken` units were
 * bought from this shop before.
 */
export function sell(shop: Shop, item: string, units: number, taken = 0): Deal | undefined {
  let [left, credits, ticks] = [units, 0, 0]
  let stock = (shop.stock.get(item)?.stock ?? 0) - taken
  while (left > 0) {
    const quote = quoteAt(shop, item, stock)
    if (!quote || quote.bidUnits < 1 || ticks >= TICKS_MAX) return undefined
    for (const { price, units: wanted } of levelsOf(BID, quote.bid, quote.bidUnits)) {
      const sold = Math.min(left, wanted)
      left -= sold
      stock += sold
      credits += sold * price
    }
    ticks++
  }
  return { credits, ticks }
}

/** Returns what `units` of an item cost with tax; undefined if too few are on offer. */
export function buy(shop: Shop, item: string, units: number): Deal | undefined {
  let [left, credits, ticks] = [units, 0, 0]
  let stock = shop.stock.get(item)?.stock ?? 0
  while (left > 0) {
    const quote = quoteAt(shop, item, stock)
    if (!quote || quote.askUnits < 1 || ticks >= TICKS_MAX) return undefined
    for (const { price, units: offered } of levelsOf(ASK, quote.ask, quote.askUnits)) {
      const bought = Math.min(left, offered)
      left -= bought
      stock -= bought
      credits += bought * price + salesTax(bought * price, shop.taxBps)
    }
    ticks++
  }
  return { credits, ticks }
}
