/** Nobody gains by trading back and forth with one manager. Source: market.md section 7. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { levelsOf, type Quote, quoteOf } from '../../systems/market/quote-model.ts'
import { ASK, BID } from '../../systems/market/state.ts'

interface Desk {
  readonly target: number
  readonly value: number
  readonly capital: boolean
}

const anyDesk: fc.Arbitrary<Desk> = fc.record({
  target: fc.integer({ min: 20, max: 4_000 }),
  value: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 100_000 })),
  capital: fc.boolean(),
})
const BUDGET = Number.MAX_SAFE_INTEGER

const quote = (desk: Desk, stock: number): Quote => quoteOf({ ...desk, stock, budget: BUDGET })

/** Trades with the levels of one tick; returns the credits and the units that traded. */
function trade(desk: Desk, stock: number, units: number): { units: number; credits: number } {
  const now = quote(desk, stock)
  const levels =
    units > 0 ? levelsOf(ASK, now.ask, now.askUnits) : levelsOf(BID, now.bid, now.bidUnits)
  let left = Math.abs(units)
  let credits = 0
  for (const level of levels) {
    const taken = Math.min(left, level.units)
    credits += taken * level.price
    left -= taken
  }
  const traded = Math.abs(units) - left
  return units > 0 ? { units: traded, credits: -credits } : { units: -traded, credits }
}

describe('one manager', () => {
  test('asks more than it bids, and lowers both as its stock grows', () => {
    fc.assert(
      fc.property(anyDesk, fc.nat(10_000), fc.nat(1_000), (desk, stock, added) => {
        const before = quote(desk, stock)
        const after = quote(desk, stock + added)
        expect(before.ask).toBeGreaterThan(before.bid)
        expect(after.bid).toBeLessThanOrEqual(before.bid)
        expect(after.ask).toBeLessThanOrEqual(before.ask)
      }),
      { numRuns: 2_000 },
    )
  })

  test('loses nothing to any sequence of purchases and sales', () => {
    const steps = fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(anyDesk, fc.nat(8_000), steps, (desk, start, amounts) => {
        let stock = start
        let held = 0
        let credits = 0
        const step = (wanted: number): number => {
          const done = trade(desk, stock, wanted)
          held += done.units
          credits += done.credits
          stock -= done.units
          return done.units
        }
        for (const wanted of amounts) {
          // Only what was bought here is sold here: the goods of others would be income, not gain.
          const allowed = wanted < 0 ? Math.max(wanted, -held) : wanted
          if (allowed !== 0) step(allowed)
        }
        for (let i = 0; i < 20_000 && held > 0; i++) if (step(-held) === 0) break
        if (held === 0) expect(credits).toBeLessThanOrEqual(0)
      }),
      { numRuns: 2_000 },
    )
  })
})
