/**
 * Matching: which lots a request would trade with, and at which prices. A match is computed without
 * changing the book and carried out as a whole afterwards (exchange-kernels.ts), so that a refusal
 * changes nothing and estimates run the same code. Source: market.md section 4.
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
 * Arithmetic of the exchange on plain numbers: tax, fee, how many units credits pay for, which
 * price is better, who owns a lot. Shared by the kernel and the world thread.
 */

const BPS = 10_000
/** Number of owner codes for each kind of owner. */
export const KIND_ROWS = 0x40000000

/**
 * Returns the sales tax of a purchase: whole credits, rounded down. Source: market.md section 3.
 */
export const salesTax = (subtotal: number, taxBps: number): number =>
  taxBps === 0 ? 0 : mulDivFloor(subtotal, taxBps, BPS)

/**
 * Returns the fee for units worth `credits` that come to rest, rounded up. Source: market.md
 * section 3.
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

/** Returns whether a price comes before another one on a side. */
export const isBetter = (side: number, price: number, than: number): boolean =>
  side === ASK ? price < than : price > than

/** Returns whether an order of `side` at `limit` trades with a resting price on the other side. */
const crosses = (side: number, limit: number, resting: number): boolean =>
  side === BID ? resting <= limit : resting >= limit

/** Returns whether an owner code is that of a station manager. */
export const isStationCode = (code: number): boolean => code >= BY_STATION * KIND_ROWS

/** Indexes into MATCH_ENDS by name. */
export const END = {
  filled: MATCH_ENDS.indexOf('filled'),
  book: MATCH_ENDS.indexOf('book'),
  credits: MATCH_ENDS.indexOf('credits'),
  room: MATCH_ENDS.indexOf('room'),
  bound: MATCH_ENDS.indexOf('bound'),
} as const

/**
 * Returns how many of these units a buyer can pay for from `left` credits, or a seller can be paid
 * for before their balance exceeds the largest one possible.
 */
const payable = (side: number, left: number, price: number, units: number, taxBps: number) => {
  if (side !== BID) return price * units <= left ? units : divFloor(left, price)
  const cost = units * price
  return cost + salesTax(cost, taxBps) <= left ? units : affordable(left, price, taxBps)
}

/** Position of a match in one book: a lot and its level; both are 0 at the end. */
interface Cursor {
  level: number
  lot: number
}

/** Merges the lots of two books into one queue: by price, then by time. */
function mergedQueue(columns: KernelColumns) {
  const { best } = columns.of(Book)
  const { price, worse, first } = columns.of(Level)
  const { next, seq } = columns.of(Lot)
  const left: Cursor = { level: 0, lot: 0 }
  const right: Cursor = { level: 0, lot: 0 }

  const open = (cursor: Cursor, book: number, side: number): void => {
    cursor.level = book === 0 ? 0 : best[book * 2 + side]
    cursor.lot = first[cursor.level]
  }

  /** Returns whether the right cursor comes before the left one; neither may be at its end. */
  const isRightFirst = (side: number): boolean => {
    const [leftPrice, rightPrice] = [price[left.level], price[right.level]]
    if (leftPrice === rightPrice) return seq[right.lot] < seq[left.lot]
    return isBetter(side, rightPrice, leftPrice)
  }

  return {
    /** Starts at the best lots of a side of two books; `other` may be 0. */
    begin(book: number, other: number, side: number): void {
      open(left, book, side)
      open(right, other, side)
    },

    /** Returns the cursor of the next lot; it is at its end if there is no lot left. */
    peek(side: number): Cursor {
      if (right.level === 0) return left
      return left.level === 0 || isRightFirst(side) ? right : left
    },

    /** Moves a cursor to the next lot of its book. */
    advance(cursor: Cursor): void {
      const lot = next[cursor.lot]
      if (lot === 0) cursor.level = worse[cursor.level]
      cursor.lot = lot === 0 ? first[cursor.level] : lot
    },
  }
}

/**
 * Makes `match(row, units, limit)`, which iterates over the other side from its best price and
 * appends trades to the fills of request `row`. `limit` is the price of a limit order; 0 is for a
 * take, which the worst price of the request may limit instead. A take skips own lots, and its
 * match ends when credits or room run out. For a limit order own lots are netted out, and the
 * caller checks the cost.
 */
export const matcher = overColumns((columns) => {
  const { price: levelPrice } = columns.of(Level)
  const { units: lotUnits, owner: lotOwner } = columns.of(Lot)
  const fill = columns.of(Fill)
  const request = columns.of(OrderRequest)
  const queue = mergedQueue(columns)

  const appendFill = (
    fillRow: number,
    lot: number,
    units: number,
    price: number,
    own: 0 | 1,
  ): void => {
    fill.lot[fillRow] = lot
    fill.units[fillRow] = units
    fill.price[fillRow] = price
    fill.own[fillRow] = own
  }

  /** Returns the credits that limit a match; the cost of a buyer with a limit is checked later. */
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
    let fillRow = from
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
      const cursor = queue.peek(resting)
      if (cursor.level === 0) break
      const price = levelPrice[cursor.level]
      if (limit !== 0 && !crosses(side, limit, price)) break
      if (worst !== 0 && !crosses(side, worst, price)) break
      if (++seen > LOTS_PER_FILL_MAX || fillRow >= full) {
        end = END.bound
        break
      }
      const lot = cursor.lot
      queue.advance(cursor)
      let traded = Math.min(left, lotUnits[lot])
      if (lotOwner[lot] === owner) {
        if (limit === 0) continue
        appendFill(fillRow++, lot, traded, price, 1)
        cleared += traded
        left -= traded
        continue
      }
      if (best === 0) best = price
      if (traded > room - filled) {
        traded = room - filled
        end = END.room
      }
      const payableUnits = payable(side, budget - subtotal - tax, price, traded, bps)
      if (payableUnits < traded) {
        traded = payableUnits
        end = END.credits
      }
      if (traded === 0) break
      appendFill(fillRow++, lot, traded, price, 0)
      filled += traded
      left -= traded
      subtotal += traded * price
      tax += salesTax(traded * price, bps)
    }
    assert(subtotal + tax <= MAX_SAFE, 'a match exceeds 2^53-1 credits')
    request.end[row] = left === 0 ? END.filled : end
    request.fills[row] += fillRow - from
    request.best[row] = best
    request.filled[row] += filled
    request.cleared[row] += cleared
    request.subtotal[row] += subtotal
    request.tax[row] += tax
  }
})
