/** The arithmetic of insurance. Source: ships.md section 9. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  coverageOf,
  marketFactorPct,
  payoutOf,
  quotePolicy,
  type RiskInputs,
  riskOf,
} from '../../../systems/insurance/model.ts'

const ORDINARY: RiskInputs = {
  tier: 2,
  recent_deaths: 0,
  lifetime_losses: 0,
  player_kills: 0,
  pirate_kills: 0,
  war: 0,
  claims: 0,
  calm: 0,
  market: 100,
}

describe('the risk of a ship', () => {
  test('starts from the base risk of its tier', () => {
    const ppm = [0, 1, 2, 3, 4, 5].map((tier) => riskOf({ ...ORDINARY, tier }).ppm)
    expect(ppm).toEqual([60_000, 40_000, 30_000, 20_000, 12_000, 8_000])
  })

  test('grows with deaths, losses, kills, war and claims, and falls after a calm month', () => {
    const riskWith = (changed: Partial<RiskInputs>) => riskOf({ ...ORDINARY, ...changed }).ppm
    expect(riskWith({ recent_deaths: 1 })).toBe(54_000)
    expect(riskWith({ lifetime_losses: 10 })).toBe(36_000)
    expect(riskWith({ lifetime_losses: 500 })).toBe(60_000)
    expect(riskWith({ player_kills: 20 })).toBe(45_000)
    expect(riskWith({ pirate_kills: 10 })).toBe(30_000)
    expect(riskWith({ pirate_kills: 1_010 })).toBe(45_000)
    expect(riskWith({ war: 1 })).toBe(37_500)
    expect(riskWith({ claims: 2 })).toBe(36_000)
    expect(riskWith({ calm: 1 })).toBe(25_500)
  })

  test('is truncated after each factor and kept between 3,000 and 600,000', () => {
    // 30,000 · 1.02 = 30,600, · 1.02 = 31,212, · 0.85 = 26,530.2
    const inputs = { ...ORDINARY, lifetime_losses: 1, player_kills: 1, calm: 1 }
    expect(riskOf(inputs).ppm).toBe(26_530)
    expect(riskOf({ ...ORDINARY, recent_deaths: 250, claims: 4_000_000_000 }).ppm).toBe(600_000)
    expect(riskOf({ ...ORDINARY, tier: 5, calm: 1 }).ppm).toBe(6_800)
  })
})

describe('a quote', () => {
  test('covers 80 % of the value and costs 125 % of the expected loss', () => {
    const found = quotePolicy(100_000, ORDINARY, false)
    expect(found).toEqual({
      fittedValue: 100_000,
      coverage: 80_000,
      premium: 3_000,
      riskPpm: 30_000,
      refused: false,
    })
    expect(quotePolicy(100_000, { ...ORDINARY, market: 80 }, false).premium).toBe(2_400)
  })

  test('costs at least 50 credits, and is rounded up', () => {
    expect(quotePolicy(1_000, ORDINARY, false).premium).toBe(50)
    expect(quotePolicy(100_001, ORDINARY, false).premium).toBe(3_000)
    expect(quotePolicy(100_003, ORDINARY, false).premium).toBe(3_001)
  })

  test('is refused for issued ships, at the highest risk, and if it costs what it pays', () => {
    expect(quotePolicy(100_000, ORDINARY, true).refused).toBe(true)
    expect(quotePolicy(60, ORDINARY, false).refused).toBe(true)
    expect(quotePolicy(100_000, { ...ORDINARY, recent_deaths: 200 }, false).refused).toBe(true)
    const costly = { ...ORDINARY, recent_deaths: 9, market: 500 }
    expect(quotePolicy(100_000, costly, false).refused).toBe(true)
  })

  test('has a market factor of payouts over premiums, from 80 to 500 %', () => {
    expect([marketFactorPct(0, 0), marketFactorPct(0, 9), marketFactorPct(1_000, 0)]).toEqual([
      100, 100, 80,
    ])
    expect([marketFactorPct(1_000, 1_500), marketFactorPct(1, 1_000)]).toEqual([150, 500])
  })
})

describe('a payout', () => {
  test('is 80 % of hull and lost modules, and a share of the cargo destroyed', () => {
    expect(payoutOf(80_000, 100_000, 0)).toBe(80_000)
    expect(payoutOf(80_000, 60_000, 0)).toBe(48_000)
    expect(payoutOf(80_000, 60_000, 1_000)).toBe(48_250)
    expect(payoutOf(80_000, 60_000, 10_000_000)).toBe(64_000)
  })

  test('never pays more than was lost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000_000 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        (value, lostPct, cargo) => {
          const lost = Math.floor((value * lostPct) / 100)
          const paid = payoutOf(coverageOf(value), lost, cargo)
          expect(paid).toBeLessThanOrEqual(lost + cargo)
        },
      ),
    )
  })
})
