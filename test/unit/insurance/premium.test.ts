/** The arithmetic of insurance. Source: ships.md section 9. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  coverageOf,
  marketPct,
  payoutOf,
  quote,
  type RiskInputs,
  riskPpm,
} from '../../../systems/insurance/model.ts'

const calm: RiskInputs = {
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
  test('begins with that of its tier', () => {
    const ppm = [0, 1, 2, 3, 4, 5].map((tier) => riskPpm({ ...calm, tier }).ppm)
    expect(ppm).toEqual([60_000, 40_000, 30_000, 20_000, 12_000, 8_000])
  })

  test('grows with deaths, losses, kills, war and claims, and falls for the careful', () => {
    const with_ = (more: Partial<RiskInputs>) => riskPpm({ ...calm, ...more }).ppm
    expect(with_({ recent_deaths: 1 })).toBe(54_000)
    expect(with_({ lifetime_losses: 10 })).toBe(36_000)
    expect(with_({ lifetime_losses: 500 })).toBe(60_000)
    expect(with_({ player_kills: 20 })).toBe(45_000)
    expect(with_({ pirate_kills: 10 })).toBe(30_000)
    expect(with_({ pirate_kills: 1_010 })).toBe(45_000)
    expect(with_({ war: 1 })).toBe(37_500)
    expect(with_({ claims: 2 })).toBe(36_000)
    expect(with_({ calm: 1 })).toBe(25_500)
  })

  test('is truncated after each factor and kept between 3,000 and 600,000', () => {
    // 30,000 · 1.02 = 30,600, · 1.02 = 31,212, · 0.85 = 26,530.2
    const inputs = { ...calm, lifetime_losses: 1, player_kills: 1, calm: 1 }
    expect(riskPpm(inputs).ppm).toBe(26_530)
    expect(riskPpm({ ...calm, recent_deaths: 250, claims: 4_000_000_000 }).ppm).toBe(600_000)
    expect(riskPpm({ ...calm, tier: 5, calm: 1 }).ppm).toBe(6_800)
  })
})

describe('a quote', () => {
  test('covers 80 % of the value and costs the risk and a quarter more', () => {
    const found = quote(100_000, calm, false)
    expect(found).toEqual({
      fittedValue: 100_000,
      coverage: 80_000,
      premium: 3_000,
      riskPpm: 30_000,
      refused: false,
    })
    expect(quote(100_000, { ...calm, market: 80 }, false).premium).toBe(2_400)
  })

  test('costs 50 credits at least, rounded up', () => {
    expect(quote(1_000, calm, false).premium).toBe(50)
    expect(quote(100_001, calm, false).premium).toBe(3_000)
    expect(quote(100_003, calm, false).premium).toBe(3_001)
  })

  test('is refused for issue, past the highest risk, and where it costs what it pays', () => {
    expect(quote(100_000, calm, true).refused).toBe(true)
    expect(quote(60, calm, false).refused).toBe(true)
    expect(quote(100_000, { ...calm, recent_deaths: 200 }, false).refused).toBe(true)
    const dear = { ...calm, recent_deaths: 9, market: 500 }
    expect(quote(100_000, dear, false).refused).toBe(true)
  })

  test('the market factor follows what was paid of what came in, 80 to 500', () => {
    expect([marketPct(0, 0), marketPct(0, 9), marketPct(1_000, 0)]).toEqual([100, 100, 80])
    expect([marketPct(1_000, 1_500), marketPct(1, 1_000)]).toEqual([150, 500])
  })
})

describe('a payout', () => {
  test('is 80 % of hull and lost modules, and a share of the cargo destroyed', () => {
    expect(payoutOf(80_000, 100_000, 0)).toBe(80_000)
    expect(payoutOf(80_000, 60_000, 0)).toBe(48_000)
    expect(payoutOf(80_000, 60_000, 1_000)).toBe(48_250)
    expect(payoutOf(80_000, 60_000, 10_000_000)).toBe(64_000)
  })

  test('never makes a loss worth while', () => {
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
