/** Integer arithmetic, compared with BigInt, which is exact. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divCeil, divFloor, isqrt, mulDivCeil, mulDivFloor } from '../../../core/math.ts'
import { drawBelow, hash32 } from '../../../core/rng.ts'

const safe = fc.maxSafeInteger()
const positive = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const floorOf = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n ? a / b - 1n : a / b)

describe('division', () => {
  test('floor and ceil are exact for all safe integers', () => {
    fc.assert(
      fc.property(safe, positive, (a, b) => {
        expect(divFloor(a, b)).toBe(Number(floorOf(BigInt(a), BigInt(b))))
        expect(divCeil(a, b)).toBe(Number(-floorOf(-BigInt(a), BigInt(b))))
      }),
    )
  })

  test('a product beyond 2^53 is divided exactly', () => {
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 1_000_000 }), positive, (a, b, c) => {
        const exact = floorOf(BigInt(a) * BigInt(b), BigInt(c))
        fc.pre(
          exact <= BigInt(Number.MAX_SAFE_INTEGER) && exact >= -BigInt(Number.MAX_SAFE_INTEGER),
        )
        expect(mulDivFloor(a, b, c)).toBe(Number(exact))
        const up = -floorOf(-(BigInt(a) * BigInt(b)), BigInt(c))
        fc.pre(up <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(mulDivCeil(a, b, c)).toBe(Number(up))
      }),
    )
  })

  test('a result beyond 2^53 - 1 throws', () => {
    expect(() => mulDivFloor(Number.MAX_SAFE_INTEGER, 2, 1)).toThrow()
  })
})

test('isqrt is the largest root that fits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (n) => {
      const r = BigInt(isqrt(n))
      expect(r * r <= BigInt(n) && (r + 1n) * (r + 1n) > BigInt(n)).toBe(true)
    }),
  )
})

test('draws stay below their bound and spread evenly', () => {
  const counts = new Array<number>(10).fill(0)
  for (let i = 0; i < 20_000; i++) counts[drawBelow(10, hash32(1, 2, i))]++
  for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(250)
})
