/** Arithmetic of the weekly tax. Source: market.md section 9. */
import { describe, expect, test } from 'vitest'
import { MAX_SAFE } from '../../../core/math.ts'
import {
  ASSESSMENT_TICKS,
  bracketsOf,
  capToIncome,
  dueRows,
  incomeTaxes,
  profitOf,
  propertyTaxes,
  type TaxingEmpire,
  WEEK_TICKS,
} from '../../../systems/tax/model.ts'

const empire = (id: string, bps: number, policy: Partial<TaxingEmpire['policy']> = {}) => ({
  id,
  policy: {
    income_tax_bps: bps,
    property_tax_bps: 0,
    foreign_income_tax_deduction: {},
    tax_delinquency_bounty_per_credit: 10_000,
    ...policy,
  },
})

describe('profit of trade', () => {
  test('deducts costs and old losses and carries an excess over sales', () => {
    expect(profitOf(1_000, 300, 200)).toEqual({ taxable: 500, lossCarry: 0 })
    expect(profitOf(1_000, 900, 200)).toEqual({ taxable: 0, lossCarry: 100 })
  })

  test('caps its sums at the largest exact integer', () => {
    expect(profitOf(0, MAX_SAFE, MAX_SAFE)).toEqual({ taxable: 0, lossCarry: MAX_SAFE })
  })
})

describe('income tax', () => {
  test('at a single rate is rounded down', () => {
    expect(incomeTaxes(999, [empire('a', 500)])[0]).toMatchObject({ gross: 49, owed: 49 })
  })

  test('taxes the income in each bracket at its own rate', () => {
    const income_tax_brackets = [
      { lower_bound: 0, rate_bps: 100 },
      { lower_bound: 1_000, rate_bps: 1_000 },
    ]
    const [tax] = incomeTaxes(1_500, [empire('a', 9_999, { income_tax_brackets })])
    expect(tax.gross).toBe(10 + 50)
    const rows = bracketsOf(1_500, empire('a', 0, { income_tax_brackets }).policy)
    expect(rows).toEqual([
      {
        lower_bound: 0,
        upper_bound: 1_000,
        rate_bps: 100,
        income_in_bracket: 1_000,
        tax_from_bracket: 10,
      },
      { lower_bound: 1_000, rate_bps: 1_000, income_in_bracket: 500, tax_from_bracket: 50 },
    ])
  })

  test('of a later citizenship is reduced by that of an earlier one, never below zero', () => {
    const credits = { foreign_income_tax_deduction: { solarian: 5_000 } }
    const [first, second] = incomeTaxes(10_000, [
      empire('solarian', 500),
      empire('crimson', 300, credits),
    ])
    expect(first).toMatchObject({ gross: 500, credit: 0, owed: 500 })
    expect(second).toMatchObject({ gross: 300, credit: 250, owed: 50 })
    const [, small] = incomeTaxes(10_000, [
      empire('solarian', 5_000),
      empire('crimson', 300, credits),
    ])
    expect(small).toMatchObject({ gross: 300, credit: 300, owed: 0 })
  })
})

describe('the tax that is owed', () => {
  test('never exceeds the income, with property tax included', () => {
    const empires = [
      empire('a', 5_000, { property_tax_bps: 50 }),
      empire('b', 4_000, { property_tax_bps: 50 }),
    ]
    const income = incomeTaxes(100, empires)
    const property = propertyTaxes(4_000, empires)
    expect(property.map(({ owed }) => owed)).toEqual([20, 20])
    expect(capToIncome(100, income, property)).toEqual([70, 30])
    expect(capToIncome(0, incomeTaxes(0, empires), property)).toEqual([0, 0])
  })
})

describe('assessment turns', () => {
  test('come once a week for every row, a few rows a tick', () => {
    const turns = new Map<number, number>()
    const high = ASSESSMENT_TICKS + 5
    for (let tick = 0; tick < WEEK_TICKS; tick++) {
      const due = dueRows(tick, high)
      expect(due.length).toBeLessThan(3)
      for (const row of due) turns.set(row, (turns.get(row) ?? 0) + 1)
    }
    expect(turns.size).toBe(high)
    expect([...turns.values()].every((count) => count === 1)).toBe(true)
  })
})
