/** The price of fuel as the tank of a base drains: travel.md section 7. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandPriceOf, quoteFuel } from '../../../systems/base/model.ts'

const PLENTY = Number.MAX_SAFE_INTEGER

describe('band price', () => {
  test('is 2 at 90 % and above, a credit more for each tenth below, 20 below a tenth', () => {
    const prices = [100, 95, 90, 89, 80, 79, 70, 60, 50, 40, 30, 20, 19, 10, 9, 1, 0]
    expect(prices.map((fuel) => bandPriceOf(fuel, 100))).toEqual([
      2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 10, 20, 20, 20,
    ])
  })
})

describe('a quote', () => {
  test('bills unit by unit across a band', () => {
    // Units 92 to 90 cost 2 each, 89 and 88 cost 3.
    const tank = { fuel: 92, fuelMax: 100, taxPerUnit: 1 }
    expect(quoteFuel(tank, 5, PLENTY)).toEqual({ units: 5, credits: 12, taxCredits: 5 })
  })

  test('is limited by the fuel in the tank', () => {
    const tank = { fuel: 3, fuelMax: 100, taxPerUnit: 0 }
    expect(quoteFuel(tank, 10, PLENTY)).toEqual({ units: 3, credits: 60, taxCredits: 0 })
  })

  test('buys what is affordable, tax included', () => {
    const tank = { fuel: 91, fuelMax: 100, taxPerUnit: 1 }
    // Units 91 and 90 cost 2 + 1 each, 89 costs 3 + 1: 6 for two, 10 for three.
    expect(quoteFuel(tank, 50, 9)).toEqual({ units: 2, credits: 4, taxCredits: 2 })
    expect(quoteFuel(tank, 50, 10)).toEqual({ units: 3, credits: 7, taxCredits: 3 })
    expect(quoteFuel(tank, 50, 2)).toEqual({ units: 0, credits: 0, taxCredits: 0 })
  })

  test('equals the sum of the prices of its units, however large the tank', () => {
    const cases = fc.record({
      fuelMax: fc.integer({ min: 1, max: 700 }),
      emptied: fc.nat(700),
      wanted: fc.nat(900),
      credits: fc.nat(9000),
      taxPerUnit: fc.nat(4),
    })
    fc.assert(
      fc.property(cases, ({ fuelMax, emptied, wanted, credits, taxPerUnit }) => {
        const tank = { fuel: Math.max(0, fuelMax - emptied), fuelMax, taxPerUnit }
        let units = 0
        let sum = 0
        while (units < Math.min(wanted, tank.fuel)) {
          const price = bandPriceOf(tank.fuel - units, fuelMax)
          if (sum + price + (units + 1) * taxPerUnit > credits) break
          sum += price
          units++
        }
        const exact = { units, credits: sum, taxCredits: units * taxPerUnit }
        expect(quoteFuel(tank, wanted, credits)).toEqual(exact)
      }),
    )
  })
})
