/**
 * Matching: which lots a taker would trade with, and at what. A plan is computed without writing
 * and then executed whole (trade.ts), so that a refusal changes nothing and a preview is the same
 * code. Source: market.md section 4.
 */
import { assert } from '../../core/assert.ts'
import { FILLS_PER_ROW_MAX, LOTS_PER_FILL_MAX } from '../../core/limits.ts'
import { divFloor, MAX_SAFE, mulDivFloor, toSafe } from '../../core/math.ts'
import type { Row, WorldView } from '../../core/world.ts'
import { bestLevel, crosses, otherSide } from './book.ts'
import { BID, Level, Lot, type Side } from './columns.ts'

const BPS = 10_000

/** Sales tax of a purchase: whole credits, rounded down. Source: market.md section 3. */
export const salesTax = (subtotal: number, taxBps: number): number =>
  taxBps === 0 ? 0 : mulDivFloor(subtotal, taxBps, BPS)

/**
 * Most units a purse pays for, tax included: the largest n with n·p + floor(n·p·rate/10000) ≤
 * credits. Exact for any safe integers. Source: market.md section 4, affordable.
 */
export function affordable(credits: number, price: number, taxBps: number): number {
  assert(credits >= 0 && price >= 1, 'a purse is not negative and a price is at least 1')
  if (taxBps === 0) return divFloor(credits, price)
  // n·p·(10000+rate)/10000 < credits+1, so n is the largest integer strictly below the quotient.
  const dividend = BigInt(credits) * 10_000n + 10_000n
  const divisor = BigInt(price) * BigInt(BPS + taxBps)
  return toSafe((dividend - 1n) / divisor)
}

export interface TakeRequest {
  readonly book: Row
  /** The taker's side: BID takes asks. */
  readonly side: Side
  /** Owner code of the taker: own lots are not hit. */
  readonly owner: number
  readonly units: number
  /** Worst price accepted; absent: any. */
  readonly limit?: number
  /** The taker's sales tax, when buying. */
  readonly taxBps: number
  /** What the taker has, when buying, or what his account still takes, when selling. */
  readonly credits: number
  /** Units the taker can take delivery of; absent: no bound. */
  readonly room?: number
  /** Limit orders net out own lots instead of passing over them. */
  readonly clearOwn?: boolean
}

export interface PlannedFill {
  readonly lot: Row
  readonly units: number
  readonly price: number
  /** The taker's own lot: netted out, no trade. */
  readonly own: boolean
}

/** What ended a plan before the units asked for were reached. */
export type PlanEnd = 'filled' | 'book' | 'credits' | 'room' | 'bound'

export interface Plan {
  readonly fills: readonly PlannedFill[]
  /** Units traded. */
  readonly filled: number
  /** Units netted out against own lots. */
  readonly cleared: number
  /** Sum of units × price of the trades. */
  readonly subtotal: number
  /** Sum over the fills of their tax, each rounded down. */
  readonly tax: number
  readonly end: PlanEnd
  /** Price of the best lot of somebody else that crosses; 0 when there is none. */
  readonly best: number
}

interface Draft {
  fills: PlannedFill[]
  left: number
  filled: number
  cleared: number
  subtotal: number
  tax: number
  end: PlanEnd
  best: number
}

/** Units of one lot the taker takes, and what bounds them. */
function unitsOf(request: TakeRequest, draft: Draft, price: number, lotUnits: number): number {
  let units = Math.min(draft.left, lotUnits)
  if (request.room !== undefined && units > request.room - draft.filled) {
    units = request.room - draft.filled
    draft.end = 'room'
  }
  const left = request.credits - draft.subtotal - draft.tax
  const most =
    request.side === BID ? affordable(left, price, request.taxBps) : divFloor(left, price)
  if (most < units) draft.end = 'credits'
  return Math.min(units, most)
}

/** Takes from one lot; false ends the plan. */
function takeLot(view: WorldView, request: TakeRequest, draft: Draft, lot: Row): boolean {
  const { owner, units: lotUnits, price: lotPrice } = view.read(Lot)
  const price = lotPrice[lot]
  if (owner[lot] === request.owner) {
    if (!request.clearOwn) return true
    const units = Math.min(draft.left, lotUnits[lot])
    draft.fills.push({ lot, units, price, own: true })
    draft.cleared += units
    draft.left -= units
    return true
  }
  if (draft.best === 0) draft.best = price
  const units = unitsOf(request, draft, price, lotUnits[lot])
  if (units > 0) {
    draft.fills.push({ lot, units, price, own: false })
    draft.filled += units
    draft.left -= units
    draft.subtotal += units * price
    if (request.side === BID) draft.tax += salesTax(units * price, request.taxBps)
    assert(draft.subtotal <= MAX_SAFE, 'a plan passes 2^53-1 credits')
  }
  return draft.end === 'book'
}

/** Walks the other side from its best price; looks, never writes. Source: market.md section 4. */
export function planTake(view: WorldView, request: TakeRequest): Plan {
  const { worse, price, first } = view.read(Level)
  const { next } = view.read(Lot)
  const draft: Draft = {
    fills: [],
    left: request.units,
    filled: 0,
    cleared: 0,
    subtotal: 0,
    tax: 0,
    end: 'book',
    best: 0,
  }
  let seen = 0
  let level = request.book === 0 ? 0 : bestLevel(view, request.book, otherSide(request.side))
  walk: for (; level !== 0 && draft.left > 0; level = worse[level]) {
    if (request.limit !== undefined && !crosses(request.side, request.limit, price[level])) break
    for (let lot = first[level]; lot !== 0 && draft.left > 0; lot = next[lot]) {
      if (++seen > LOTS_PER_FILL_MAX || draft.fills.length >= FILLS_PER_ROW_MAX) {
        draft.end = 'bound'
        break walk
      }
      if (!takeLot(view, request, draft, lot)) break walk
    }
  }
  if (draft.left === 0) draft.end = 'filled'
  const { fills, filled, cleared, subtotal, tax, end, best } = draft
  return { fills, filled, cleared, subtotal, tax, end, best }
}
