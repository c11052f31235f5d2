/** The arithmetic of mining: the worked examples of mining.md section 10, and its properties. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DepositState,
  fractionAt,
  isTooSparse,
  lockMinimumStock,
  pickWeight,
  remainingAt,
  shareOf,
  supportedPower,
  yieldOf,
} from '../../../systems/mining/kernels.ts'
import { depletionPercent, remainingDisplay } from '../../../systems/mining/model.ts'

const rig = (power: number, fine = 1000) => ({ power, fine })

describe('power and lock', () => {
  test('of two rigs at a deposit of 1,000 the strong one is locked out below 250', () => {
    expect(isTooSparse(rig(200), 260, 1000, false)).toBe(false)
    expect(isTooSparse(rig(200), 240, 1000, false)).toBe(true)
    expect(isTooSparse(rig(5), 240, 1000, false)).toBe(false)
    expect(isTooSparse(rig(5), 1, 1000, false)).toBe(false)
    expect(lockMinimumStock(200, 1000)).toBe(1000)
  })

  test('a rig of power 20 at plain precision always finishes a deposit', () => {
    expect(lockMinimumStock(20, 1000)).toBe(0)
    expect(lockMinimumStock(21, 1000)).toBe(105)
    expect(isTooSparse(rig(20), 1, 1000, false)).toBe(false)
  })

  test('74 of 300 is too sparse for an extractor III at a belt, never at a deep-core place', () => {
    expect(isTooSparse(rig(40), 74, 300, false)).toBe(true)
    expect(isTooSparse(rig(40), 74, 300, true)).toBe(false)
    expect(isTooSparse(rig(40), 75, 300, false)).toBe(false)
  })

  test('finer beams sustain more power', () => {
    expect(supportedPower(1000, 1000)).toBe(50)
    expect(supportedPower(1000, 250)).toBe(200)
    expect(supportedPower(1, 1000)).toBe(1)
    expect(supportedPower(0, 1000)).toBe(0)
  })
})

describe('the draw', () => {
  test('raises the share of a legendary ore of richness 10 with skill: 10, 50, 73, 82 %', () => {
    const pct = [0, 20, 60, 100].map((mining) => {
      const rare = pickWeight(10, mining, 4)
      return Math.trunc((100 * rare) / (rare + pickWeight(90, mining, 0)))
    })
    expect(pct).toEqual([10, 50, 73, 82])
  })
})

describe('yield', () => {
  const pull = { power: 5, richness: 60, mining: 0, deepCoreMining: 0, bonusPct: 0, crewPct: 100 }

  test('a starter laser brings 5 a tick', () => {
    expect(yieldOf(pull)).toBe(5)
    expect(yieldOf({ ...pull, power: 1, richness: 1, crewPct: 25 })).toBe(1)
  })

  test('is exact where the product passes 2^53', () => {
    const all = fc.record({
      power: fc.integer({ min: 1, max: 65_535 }),
      richness: fc.integer({ min: 1, max: 100 }),
      mining: fc.nat(100),
      deepCoreMining: fc.nat(100),
      bonusPct: fc.nat(65_535),
      crewPct: fc.integer({ min: 25, max: 100 }),
    })
    fc.assert(
      fc.property(all, (given) => {
        const product =
          BigInt(given.power) *
          BigInt(50 + given.richness) *
          BigInt(100 + given.mining + 5 * given.deepCoreMining) *
          BigInt(100 + given.bonusPct) *
          BigInt(given.crewPct)
        expect(yieldOf(given)).toBe(Math.max(1, Number(product / 100_000_000n)))
      }),
    )
  })
})

describe('regrowth', () => {
  const deposits = fc.record({
    max: fc.integer({ min: 1, max: 40_000 }),
    window: fc.constantFrom(8640, 17_280, 43_200, 86_400, 172_800),
  })

  test('a deposit is full again after a window, whatever its size', () => {
    fc.assert(
      fc.property(deposits, fc.nat(1_000_000), ({ max, window }, late) => {
        const empty = { max, base: 0, baseTick: 100, frac: 0, window }
        expect(remainingAt(empty, 100 + window)).toBe(max)
        expect(remainingAt(empty, 100 + window + late)).toBe(max)
        expect(remainingAt(empty, 100 + window - 1)).toBeLessThan(max)
      }),
    )
  })

  test('pulling at any ticks regrows exactly as much as leaving it alone', () => {
    const pulls = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat(3)), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(deposits, pulls, ({ max, window }, steps) => {
        let state: DepositState = { max: 2 * max, base: max, baseTick: 0, frac: 0, window }
        const alone = { ...state, base: 0 }
        let tick = 0
        let pulled = 0
        for (const [wait, wanted] of steps) {
          tick += wait
          const left = remainingAt(state, tick)
          fc.pre(left < state.max)
          const units = Math.min(wanted, left)
          pulled += units
          const frac = fractionAt(state, tick)
          state = { ...state, base: left - units, baseTick: tick, frac }
        }
        expect(remainingAt(state, tick) + pulled - max).toBe(remainingAt(alone, tick))
      }),
    )
  })

  test('a full deposit keeps no part-unit', () => {
    const full = { max: 10, base: 10, baseTick: 0, frac: 0, window: 8640 }
    expect(remainingAt(full, 5000)).toBe(10)
    expect(fractionAt(full, 5000)).toBe(0)
  })
})

describe('sharing', () => {
  test('gives everyone what they asked for if it suffices, else a proportional part', () => {
    expect(shareOf(5, 500, 500)).toBe(5)
    expect(shareOf(5, 37, 500)).toBe(0)
    expect(shareOf(50, 37, 100)).toBe(18)
  })
})

describe('wire forms', () => {
  test('show depletion with one decimal, and amounts in words', () => {
    expect(depletionPercent(1000, 1000)).toBe(0)
    expect(depletionPercent(667, 1000)).toBe(33.3)
    expect([-1, 0, 12].map(remainingDisplay)).toEqual(['unlimited', 'depleted', '12 units'])
  })
})
