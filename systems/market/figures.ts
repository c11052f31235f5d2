/**
 * Arithmetic of the exchange on plain numbers: tax, fee, what a purse pays for, which price is
 * better, who owns a lot. Shared by the kernel and the world thread.
 */
import { assert } from '../../core/assert.ts'
import { divFloor, MAX_SAFE, mulDivCeil, mulDivFloor, toSafe } from '../../core/math.ts'
import { ASK, BID, BY_FACTION, BY_PLAYER, BY_STATION, type Side } from './columns.ts'

const BPS = 10_000
/** Owner codes of one kind. */
const KIND_ROWS = 0x40000000

/** Sales tax of a purchase: whole credits, rounded down. Source: market.md section 3. */
export const salesTax = (subtotal: number, taxBps: number): number =>
  taxBps === 0 ? 0 : mulDivFloor(subtotal, taxBps, BPS)

/**
 * Fee for bringing credits' worth of units to rest: rounded up, so at least 1. Source: market.md
 * section 3.
 */
export const listingFee = (credits: number, feeBps: number): number =>
  feeBps === 0 ? 0 : mulDivCeil(credits, feeBps, BPS)

/**
 * Most units a purse pays for, tax included: the largest n with n·p + floor(n·p·rate/10000) ≤
 * credits. Exact for any safe integers. Source: market.md section 4, affordable.
 */
export function affordable(credits: number, price: number, taxBps: number): number {
  assert(credits >= 0 && price >= 1, 'a purse is not negative and a price is at least 1')
  if (taxBps === 0) return divFloor(credits, price)
  // n·p·(10000+rate)/10000 < credits+1, so n is the largest integer strictly below the quotient.
  const dividend = credits * BPS + BPS
  const divisor = price * (BPS + taxBps)
  if (dividend <= MAX_SAFE && divisor <= MAX_SAFE) return divFloor(dividend - 1, divisor)
  const exact = BigInt(credits) * 10_000n + 10_000n
  return toSafe((exact - 1n) / (BigInt(price) * BigInt(BPS + taxBps)))
}

export const otherSide = (side: number): Side => (side === ASK ? BID : ASK)

/** True if a price of this side goes before another one. */
export const isBetter = (side: number, price: number, than: number): boolean =>
  side === ASK ? price < than : price > than

/** True if an order of `side` at `limit` trades with a resting price of the other side. */
export const crosses = (side: number, limit: number, resting: number): boolean =>
  side === BID ? resting <= limit : resting >= limit

/** One number for whoever owns orders: kinds never collide. */
export const ownerCode = (kind: number, row: number): number => kind * KIND_ROWS + row
export const playerCode = (player: number): number => ownerCode(BY_PLAYER, player)
export const factionCode = (faction: number): number => ownerCode(BY_FACTION, faction)
export const stationCode = (base: number): number => ownerCode(BY_STATION, base)
/** True of the code of a station manager. */
export const isStationCode = (code: number): boolean => code >= BY_STATION * KIND_ROWS
