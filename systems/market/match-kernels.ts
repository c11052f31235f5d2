/**
 * Matching: which lots a request would trade with, and at what. A match is worked out without
 * touching the book and carried out whole afterwards (exchange-kernels.ts), so that a refusal
 * changes nothing and an estimate is the same code. Source: market.md section 4.
 */
import { assert } from '../../core/assert.ts'
import { type KernelColumns, overColumns } from '../../core/columns.ts'
import { FILLS_PER_ROW_MAX, LOTS_PER_FILL_MAX } from '../../core/limits.ts'
import { divFloor, MAX_SAFE, mulDivCeil, mulDivFloor, toSafe } from '../../core/math.ts'
import {
  ASK,
  BID,
  Book,
  BY_STATION,
  Fill,
  Level,
  Lot,
  MATCH_ENDS,
  OrderRequest,
  type Side,
} from './state.ts'

/*
 * Arithmetic of the exchange on plain numbers: tax, fee, what credits pay for, which price is
 * better, who owns a lot. Shared by the kernel and the world thread.
 */

const BPS = 10_000
/** Number of owner codes a kind of owner has. */
export const KIND_ROWS = 0x40000000

/**
 * Returns the sales tax of a purchase: whole credits, rounded down. Source: market.md section 3.
 */
export const salesTax = (subtotal: number, taxBps: number): number =>
  taxBps === 0 ? 0 : mulDivFloor(subtotal, taxBps, BPS)

/**
 * Returns the fee for units worth `credits` that come to rest: rounded up, so at least 1. Source:
 * market.md section 3.
 */
export const listingFee = (credits: number, feeBps: number): number =>
  feeBps === 0 ? 0 : mulDivCeil(credits, feeBps, BPS)

/**
 * Returns how many units `credits` pay for, tax included: the largest n with n·p +
 * floor(n·p·rate/10000) ≤ credits. Exact for any safe integers. Source: market.md section 4,
 * affordable.
 */
export function affordable(credits: number, price: number, taxBps: number): number {
  assert(credits >= 0 && price >= 1, 'credits are not negative and a price is at least 1')
  if (taxBps === 0) return divFloor(credits, price)
  // n·p·(10000+rate)/10000 < credits+1, so n is the largest integer strictly below the quotient.
  const dividend = credits * BPS + BPS
  const divisor = price * (BPS + taxBps)
  if (dividend <= MAX_SAFE && divisor <= MAX_SAFE) return divFloor(dividend - 1, divisor)
  const exact = BigInt(credits) * 10_000n + 10_000n
  return toSafe((exact - 1n) / (BigInt(price) * BigInt(BPS + taxBps)))
}

const otherSide = (side: number): Side => (side === ASK ? BID : ASK)

/** Returns whether a price of this side goes before another one. */
export const isBetter = (side: number, price: number, than: number): boolean =>
  side === ASK ? price < than : price > than

/** Returns whether an order of `side` at `limit` trades with a resting price of the other side. */
const crosses = (side: number, limit: number, resting: number): boolean =>
  side === BID ? resting <= limit : resting >= limit

/** Returns whether an owner code is that of a station manager. */
export const isStationCode = (code: number): boolean => code >= BY_STATION * KIND_ROWS

export const END = {
  filled: MATCH_ENDS.indexOf('filled'),
  book: MATCH_ENDS.indexOf('book'),
  credits: MATCH_ENDS.indexOf('credits'),
  room: MATCH_ENDS.indexOf('room'),
  bound: MATCH_ENDS.indexOf('bound'),
} as const

/** Returns how many units a buyer can pay for, or a seller's wallet can be credited for. */
const payable = (side: number, left: number, price: number, units: number, taxBps: number) => {
  if (side !== BID) return price * units <= left ? units : divFloor(left, price)
  const cost = units * price
  return cost + salesTax(cost, taxBps) <= left ? units : affordable(left, price, taxBps)
}

/** Position of a match in one book: a lot and its level, 0 at the end. */
interface Cursor {
  level: number
  lot: number
}

/** Merges the lots of two books into one queue: by price, then by time. */
function merged(columns: KernelColumns) {
  const { best } = columns.of(Book)
  const { price, worse, first } = columns.of(Level)
  const { next, seq } = columns.of(Lot)
  const left: Cursor = { level: 0, lot: 0 }
  const right: Cursor = { level: 0, lot: 0 }

  const open = (cursor: Cursor, book: number, side: number): void => {
    cursor.level = book === 0 ? 0 : best[book * 2 + side]
    cursor.lot = first[cursor.level]
  }

  /** Returns true if the right one goes before the left one; neither is at its end. */
  const isRightFirst = (side: number): boolean => {
    const [a, b] = [price[left.level], price[right.level]]
    return a === b ? seq[right.lot] < seq[left.lot] : isBetter(side, b, a)
  }

  return {
    begin(book: number, other: number, side: number): void {
      open(left, book, side)
      open(right, other, side)
    },

    /** Returns the cursor whose lot is next; one at its end when there is none. */
    ahead(side: number): Cursor {
      if (right.level === 0) return left
      return left.level === 0 || isRightFirst(side) ? right : left
    },

    pass(cursor: Cursor): void {
      const lot = next[cursor.lot]
      if (lot === 0) cursor.level = worse[cursor.level]
      cursor.lot = lot === 0 ? first[cursor.level] : lot
    },
  }
}

/**
 * `match(row, units, limit)` walks the other side from its best price and appends what it meets to
 * the fills of request `row`. Without a limit (0) own lots are passed over, and credits and room
 * bound it; with one own lots are netted out, and the caller checks what it costs.
 */
export const matcher = overColumns((columns) => {
  const { price: levelPrice } = columns.of(Level)
  const { units: lotUnits, owner: lotOwner } = columns.of(Lot)
  const fill = columns.of(Fill)
  const request = columns.of(OrderRequest)
  const queue = merged(columns)

  const appendFill = (at: number, lot: number, units: number, price: number, own: 0 | 1): void => {
    fill.lot[at] = lot
    fill.units[at] = units
    fill.price[at] = price
    fill.own[at] = own
  }

  /** Returns the credits that bound a match; a buyer with a limit is checked as a whole later. */
  const budgetOf = (row: number, limit: number): number => {
    if (request.side[row] !== BID) return MAX_SAFE - request.credits[row]
    return limit === 0 ? request.credits[row] : MAX_SAFE
  }

  return function match(row: number, units: number, limit: number): void {
    const side = request.side[row]
    const owner = request.owner[row]
    const worst = request.limit[row]
    const bps = side === BID ? request.taxBps[row] : 0
    const room = side === BID && limit === 0 ? request.room[row] : MAX_SAFE
    const budget = budgetOf(row, limit)
    const from = request.firstFill[row] + request.fills[row]
    const full = Math.min(from + FILLS_PER_ROW_MAX, request.fillsEnd[row])
    const resting = otherSide(side)
    let at = from
    let left = units
    let filled = 0
    let cleared = 0
    let subtotal = 0
    let tax = 0
    let best = 0
    let seen = 0
    let end: number = END.book
    queue.begin(request.book[row], request.otherBook[row], resting)
    while (left > 0 && end === END.book) {
      const cursor = queue.ahead(resting)
      if (cursor.level === 0) break
      const price = levelPrice[cursor.level]
      if (limit !== 0 && !crosses(side, limit, price)) break
      if (worst !== 0 && !crosses(side, worst, price)) break
      if (++seen > LOTS_PER_FILL_MAX || at >= full) {
        end = END.bound
        break
      }
      const lot = cursor.lot
      queue.pass(cursor)
      let n = Math.min(left, lotUnits[lot])
      if (lotOwner[lot] === owner) {
        if (limit === 0) continue
        appendFill(at++, lot, n, price, 1)
        cleared += n
        left -= n
        continue
      }
      if (best === 0) best = price
      if (n > room - filled) {
        n = room - filled
        end = END.room
      }
      const most = payable(side, budget - subtotal - tax, price, n, bps)
      if (most < n) {
        n = most
        end = END.credits
      }
      if (n === 0) break
      appendFill(at++, lot, n, price, 0)
      filled += n
      left -= n
      subtotal += n * price
      tax += salesTax(n * price, bps)
    }
    assert(subtotal + tax <= MAX_SAFE, 'a match passes 2^53-1 credits')
    request.end[row] = left === 0 ? END.filled : end
    request.fills[row] += at - from
    request.best[row] = best
    request.filled[row] += filled
    request.cleared[row] += cleared
    request.subtotal[row] += subtotal
    request.tax[row] += tax
  }
})
