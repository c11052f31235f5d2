/**
 * Arithmetic of the weekly tax on plain numbers: income of the week, what each citizenship asks of
 * it, credits between them, the cap. Writes nothing. Source: market.md section 9.
 */
import type { EmpirePolicy } from '../../core/catalog/types.ts'
import { MAX_SAFE, mulDivFloor } from '../../core/math.ts'

const BPS = 10_000

/** Sums stop at 2^53-1. */
export const plus = (a: number, b: number): number => Math.min(MAX_SAFE, a + b)

/** Profit of trade: goods bought and old losses come off; what they exceed sales by is carried. */
export function profitOf(sales: number, bought: number, lossCarry: number) {
  const costs = plus(bought, lossCarry)
  return { taxable: Math.max(0, sales - costs), lossCarry: Math.max(0, costs - sales) }
}

/** The figures of an empire's policy that a tax is worked out from. */
export type TaxPolicy = Pick<
  EmpirePolicy,
  | 'income_tax_bps'
  | 'income_tax_brackets'
  | 'property_tax_bps'
  | 'foreign_income_tax_deduction'
  | 'tax_delinquency_bounty_per_credit'
>

export interface TaxingEmpire {
  readonly id: string
  readonly policy: TaxPolicy
}

export interface BracketRow {
  readonly lower_bound: number
  readonly upper_bound?: number
  readonly rate_bps: number
  readonly income_in_bracket: number
  readonly tax_from_bracket: number
}

/** What each bracket takes; none where the policy has one rate for all. */
export function bracketsOf(income: number, { income_tax_brackets }: TaxPolicy): BracketRow[] {
  const brackets = income_tax_brackets ?? []
  return brackets.map(({ lower_bound, rate_bps }, i) => {
    const upper = brackets[i + 1]?.lower_bound
    const within = Math.max(0, Math.min(income, upper ?? MAX_SAFE) - lower_bound)
    return {
      lower_bound,
      ...(upper === undefined ? {} : { upper_bound: upper }),
      rate_bps,
      income_in_bracket: within,
      tax_from_bracket: mulDivFloor(within, rate_bps, BPS),
    }
  })
}

export interface IncomeTax {
  readonly empire: string
  readonly rate_bps: number
  readonly gross: number
  readonly credit: number
  readonly owed: number
  readonly brackets: readonly BracketRow[]
}

/** Income tax of each citizenship in turn: later ones credit what earlier ones take. */
export function incomeTaxes(income: number, empires: readonly TaxingEmpire[]): IncomeTax[] {
  const taxes: IncomeTax[] = []
  for (const { id, policy } of empires) {
    const brackets = bracketsOf(income, policy)
    const gross =
      brackets.length === 0
        ? mulDivFloor(income, policy.income_tax_bps, BPS)
        : brackets.reduce((sum, row) => sum + row.tax_from_bracket, 0)
    const deductions: Readonly<Record<string, number | undefined>> =
      policy.foreign_income_tax_deduction
    const credits = taxes.reduce(
      (sum, { empire, owed }) => sum + mulDivFloor(owed, deductions[empire] ?? 0, BPS),
      0,
    )
    const credit = Math.min(gross, credits)
    const { income_tax_bps: rate_bps } = policy
    taxes.push({ empire: id, rate_bps, gross, credit, owed: gross - credit, brackets })
  }
  return taxes
}

export interface PropertyTax {
  readonly empire: string
  readonly rate_bps: number
  readonly assessed_value: number
  readonly owed: number
}

/** Property tax of each citizenship; none credits another's. */
export const propertyTaxes = (value: number, empires: readonly TaxingEmpire[]): PropertyTax[] =>
  empires.map(({ id, policy }) => ({
    empire: id,
    rate_bps: policy.property_tax_bps,
    assessed_value: value,
    owed: mulDivFloor(value, policy.property_tax_bps, BPS),
  }))

/**
 * What is owed to each empire in the order given, income tax and property tax together: no more in
 * all than the income, so the last ones go short.
 */
export function capped(
  income: number,
  taxes: readonly IncomeTax[],
  property: readonly PropertyTax[],
): number[] {
  let left = income
  return taxes.map(({ owed }, i) => {
    const due = Math.min(left, plus(owed, property[i]?.owed ?? 0))
    left -= due
    return due
  })
}

/** What a faction earned and spent in an empire, or in lawless space. */
export interface Sourced {
  readonly empire: string
  readonly rate: number
  readonly earned: number
  readonly spent: number
  /** The faction has a facility there. */
  readonly isTaxing: boolean
  readonly isDomicile: boolean
}

export interface CorporateTax {
  readonly empire: string
  readonly basis: 'source' | 'domicile'
  readonly rate_bps: number
  readonly taxed_profit: number
  readonly gross: number
  readonly credit: number
  readonly owed: number
}

/**
 * Tax on the profit of a faction: where it has facilities on the profit made there, at home on all
 * of it, less what the others take. Losses are carried forward.
 */
export function corporateTaxes(sources: readonly Sourced[], lossCarry: number) {
  const earned = sources.reduce((sum, row) => plus(sum, row.earned), 0)
  const spent = sources.reduce((sum, row) => plus(sum, row.spent), 0)
  const profit = profitOf(earned, spent, lossCarry)
  const taxes: CorporateTax[] = []
  let taken = 0
  for (const { empire, rate, isTaxing, isDomicile, ...row } of sources) {
    if (!isTaxing || isDomicile) continue
    const taxed = Math.min(profit.taxable, Math.max(0, row.earned - row.spent))
    const gross = mulDivFloor(taxed, rate, BPS)
    taken = plus(taken, gross)
    const base = { empire, basis: 'source', rate_bps: rate, taxed_profit: taxed } as const
    taxes.push({ ...base, gross, credit: 0, owed: gross })
  }
  for (const { empire, rate, isDomicile } of sources) {
    if (!isDomicile) continue
    const gross = mulDivFloor(profit.taxable, rate, BPS)
    const credit = Math.min(gross, taken)
    const base = {
      empire,
      basis: 'domicile',
      rate_bps: rate,
      taxed_profit: profit.taxable,
    } as const
    taxes.push({ ...base, gross, credit, owed: gross - credit })
  }
  return { earned, spent, profit, taxes }
}
