/**
 * Integer arithmetic that every rule uses: division with a named rounding, exact products, integer
 * square root. Nothing here loses precision: a value beyond 2^53-1 fails an assertion, and is never
 * rounded.
 */
import { assert } from './assert.ts'

export const MAX_SAFE = Number.MAX_SAFE_INTEGER

/** Returns floor(a/b); `b` ≥ 1. */
export function divFloor(a: number, b: number): number {
  assert(b > 0, 'divFloor: divisor must be positive')
  const quotient = Math.floor(a / b)
  return (quotient * b > a ? quotient - 1 : quotient) + 0
}

/** Returns ceil(a/b); `b` ≥ 1. */
export function divCeil(a: number, b: number): number {
  return -divFloor(-a, b) + 0
}

/**
 * Returns floor(a*b/c), exact for any safe integers; `c` ≥ 1. Source: travel.md section 0, Numbers.
 */
export function mulDivFloor(a: number, b: number, c: number): number {
  assert(c >= 1, 'mulDivFloor: divisor must be at least 1')
  const product = a * b
  if (Number.isSafeInteger(product)) return divFloor(product, c)
  const big = BigInt(a) * BigInt(b)
  const divisor = BigInt(c)
  const quotient = big / divisor
  return toSafe(big % divisor !== 0n && big < 0n ? quotient - 1n : quotient)
}

/** Returns ceil(a*b/c), exact; `c` ≥ 1. */
export function mulDivCeil(a: number, b: number, c: number): number {
  return -mulDivFloor(-a, b, c) + 0
}

/** Converts a bigint to a number; asserts that it is a safe integer. */
export function toSafe(n: bigint): number {
  const value = Number(n)
  assert(Number.isSafeInteger(value), 'integer result exceeds 2^53-1')
  return value
}

/** Returns the largest integer r with r*r ≤ n, for 0 ≤ n ≤ 2^53-1. */
export function isqrt(n: number): number {
  assert(n >= 0 && Number.isSafeInteger(n), 'isqrt: needs a safe integer of at least 0')
  if (n < 2) return n
  let low = 1
  let high = 94_906_265
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2)
    if (middle * middle <= n) low = middle
    else high = middle - 1
  }
  return low
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high))
}

/** Returns trunc(value × (100 + percent) / 100): one truncation per named stage. */
export function addPercent(value: number, percent: number): number {
  return Math.trunc((value * (100 + percent)) / 100)
}
