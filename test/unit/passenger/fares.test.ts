/** Figures of fares, deadlines, tourism and the market. Source: crafting.md section 9. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  activityPct,
  bonusMax,
  bonusOf,
  escrowCredits,
  eveningPrice,
  fareOf,
  guaranteedTicks,
  isShortOfShips,
  mealPrice,
  nextMarket,
  remoteFarePct,
  surgeAfter,
  surgeMax,
  tierFitPct,
  tourismSpend,
} from '../../../systems/passenger/fare-model.ts'

const usual = { jumps: 3, classIndex: 0, remoteFarePct: 100, surgePct: 100 }

describe('a fare', () => {
  it('is 200 credits and 150 a jump, times class, place and surge', () => {
    expect(fareOf(usual)).toBe(650)
    expect(fareOf({ ...usual, jumps: 0 })).toBe(200)
    expect(fareOf({ ...usual, classIndex: 1 })).toBe(1_625)
    expect(fareOf({ ...usual, classIndex: 2 })).toBe(3_900)
    expect(fareOf({ ...usual, remoteFarePct: 85, surgePct: 70 })).toBe(386)
  })

  it('is higher where few ships are docked, and fewer people travel there', () => {
    expect([0, 1, 2, 5, 6, 15, 16, 900].map(remoteFarePct)).toEqual([
      150, 150, 125, 125, 100, 100, 85, 85,
    ])
    expect([1, 5, 15, 16].map(activityPct)).toEqual([75, 100, 125, 150])
  })

  it('has a bonus of up to half of it, which falls with the time used', () => {
    expect(escrowCredits(651)).toBe(976)
    expect(bonusOf(651, 1_000, 1_000)).toBe(bonusMax(651))
    expect(bonusOf(651, 500, 1_000)).toBe(162)
    expect([0, -5].map((left) => bonusOf(651, left, 1_000))).toEqual([0, 0])
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: -100, max: 40_000 }),
        (fare, guarantee, left) => {
          const bonus = bonusOf(fare, left, guarantee)
          expect(bonus).toBeGreaterThanOrEqual(0)
          expect(fare + bonus).toBeLessThanOrEqual(escrowCredits(fare))
          expect(bonusOf(fare, left + 1, guarantee)).toBeGreaterThanOrEqual(bonus)
        },
      ),
    )
  })
})

describe('a guarantee', () => {
  it('grows with jumps and comfort, at most threefold', () => {
    expect(guaranteedTicks(0, 0)).toBe(540)
    expect(guaranteedTicks(3, 0)).toBe(1_080)
    expect(guaranteedTicks(3, 55)).toBe(1_674)
    expect(guaranteedTicks(3, 900)).toBe(3_240)
  })
})

describe('visitors', () => {
  const points = { dining: 140 * 100, leisure: 60 * 100 }
  const tastes = { dining: 100, leisure: 100 }

  it('spend by the houses there are, their taste and their class', () => {
    expect(tourismSpend(points, tastes, 0, 100)).toBe(2_300)
    expect(tourismSpend(points, tastes, 2, 100)).toBe(13_800)
    expect(tourismSpend(points, { dining: 50, leisure: 150 }, 0, 100)).toBe(2_050)
    expect(tourismSpend(points, tastes, 0, 25)).toBe(575)
    expect(tourismSpend({ dining: 0, leisure: 0 }, tastes, 2, 100)).toBe(0)
  })

  it('prefer houses of a tier that fits their class', () => {
    expect([1, 2, 3, 4].map((tier) => tierFitPct(2, tier))).toEqual([40, 70, 100, 100])
    expect(tierFitPct(0, 9)).toBe(tierFitPct(0, 4))
  })

  it('pay for meals and evenings aboard', () => {
    expect(mealPrice(60, 150, 1)).toBe(450)
    expect(eveningPrice(25, 50, 0)).toBe(37)
  })
})

describe('the market', () => {
  it('is short of ships when five wait, or one waits for long', () => {
    expect([
      isShortOfShips(4, 299),
      isShortOfShips(5, 0),
      isShortOfShips(1, 300),
      isShortOfShips(0, 0),
    ]).toEqual([false, true, true, false])
  })

  it('moves fares and travel in opposite directions, within bounds', () => {
    expect(nextMarket({ surge: 100, trips: 100 }, true)).toEqual({ surge: 110, trips: 90 })
    expect(nextMarket({ surge: 195, trips: 55 }, true)).toEqual({ surge: 200, trips: 50 })
    expect(nextMarket({ surge: 65, trips: 195 }, false)).toEqual({ surge: 60, trips: 200 })
    expect(nextMarket({ surge: 150, trips: 100 }, true, 130)).toEqual({ surge: 130, trips: 90 })
  })

  it('caps the surge of fares by the wealth of the citizens', () => {
    const ceilings = [0, 50_000, 60_000, 85_000, 120_000, 900_000]
    expect(ceilings.map((pool) => surgeMax(pool, 120_000))).toEqual([60, 60, 80, 130, 200, 200])
  })

  it('lowers fares with each passenger who boards', () => {
    expect([0, 1, 4, 9].map((boarded) => surgeAfter(100, boarded))).toEqual([100, 90, 60, 60])
  })
})
