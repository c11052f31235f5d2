/**
 * Arithmetic of the weekly tax: income, the tax of each citizenship, credits between them, the cap;
 * sales tax; lookups of the tax tables. Source: market.md sections 3, 9.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { EmpirePolicy } from '../../core/catalog/types.ts'
import { MAX_SAFE, mulDivFloor } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isCitizen } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import {
  CorporateLedger,
  INCOME_CATEGORIES,
  INCOME_WIDTH,
  type IncomeCategory,
  TaxLedger,
  TaxOffice,
} from './state.ts'

const BPS = 10_000

/** Adds two amounts; the sum is at most 2^53-1. */
export const saturatingAdd = (a: number, b: number): number => Math.min(MAX_SAFE, a + b)

/** Returns the profit of trade after costs and earlier losses, and the loss to carry forward. */
export function profitOf(sales: number, bought: number, lossCarry: number) {
  const costs = saturatingAdd(bought, lossCarry)
  return { taxable: Math.max(0, sales - costs), lossCarry: Math.max(0, costs - sales) }
}

/** The figures of an empire's policy that taxes depend on. */
type TaxPolicy = Pick<
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

interface BracketRow {
  readonly lower_bound: number
  readonly upper_bound?: number
  readonly rate_bps: number
  readonly income_in_bracket: number
  readonly tax_from_bracket: number
}

/** Returns the tax in each bracket; none where the policy has a flat rate. */
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

interface IncomeTax {
  readonly empire: string
  readonly rate_bps: number
  readonly gross: number
  readonly credit: number
  readonly owed: number
  readonly brackets: readonly BracketRow[]
}

/** Returns the income tax of each citizenship; later ones give credit for that of earlier ones. */
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

interface PropertyTax {
  readonly empire: string
  readonly rate_bps: number
  readonly assessed_value: number
  readonly owed: number
}

/** Returns the property tax of each citizenship; none gives credit for another's. */
export const propertyTaxes = (value: number, empires: readonly TaxingEmpire[]): PropertyTax[] =>
  empires.map(({ id, policy }) => ({
    empire: id,
    rate_bps: policy.property_tax_bps,
    assessed_value: value,
    owed: mulDivFloor(value, policy.property_tax_bps, BPS),
  }))

/**
 * Returns what is owed to each empire in the order given, income and property tax together. The
 * total is at most the income, so the last ones may get less.
 */
export function capToIncome(
  income: number,
  taxes: readonly IncomeTax[],
  property: readonly PropertyTax[],
): number[] {
  let left = income
  return taxes.map(({ owed }, i) => {
    const due = Math.min(left, saturatingAdd(owed, property[i]?.owed ?? 0))
    left -= due
    return due
  })
}

/** What a faction earned and spent in one empire, or in lawless space. */
export interface CorporateSource {
  readonly empire: string
  /** Tax rate, basis points. */
  readonly rate: number
  readonly earned: number
  readonly spent: number
  /** Whether the faction has a facility there. */
  readonly isTaxing: boolean
  readonly isDomicile: boolean
}

interface CorporateTax {
  readonly empire: string
  readonly basis: 'source' | 'domicile'
  readonly rate_bps: number
  readonly taxed_profit: number
  readonly gross: number
  readonly credit: number
  readonly owed: number
}

/**
 * Returns the tax on the profit of a faction: each empire with a facility taxes the profit made
 * there, the domicile all of it with a credit for the others. Losses are carried forward.
 */
export function corporateTaxes(sources: readonly CorporateSource[], lossCarry: number) {
  const earned = sources.reduce((sum, row) => saturatingAdd(sum, row.earned), 0)
  const spent = sources.reduce((sum, row) => saturatingAdd(sum, row.spent), 0)
  const profit = profitOf(earned, spent, lossCarry)
  const taxes: CorporateTax[] = []
  let taken = 0
  for (const { empire, rate, isTaxing, isDomicile, ...row } of sources) {
    if (!isTaxing || isDomicile) continue
    const taxed = Math.min(profit.taxable, Math.max(0, row.earned - row.spent))
    const gross = mulDivFloor(taxed, rate, BPS)
    taken = saturatingAdd(taken, gross)
    const shared = { empire, basis: 'source', rate_bps: rate, taxed_profit: taxed } as const
    taxes.push({ ...shared, gross, credit: 0, owed: gross })
  }
  for (const { empire, rate, isDomicile } of sources) {
    if (!isDomicile) continue
    const gross = mulDivFloor(profit.taxable, rate, BPS)
    const credit = Math.min(gross, taken)
    const shared = {
      empire,
      basis: 'domicile',
      rate_bps: rate,
      taxed_profit: profit.taxable,
    } as const
    taxes.push({ ...shared, gross, credit, owed: gross - credit })
  }
  return { earned, spent, profit, taxes }
}

export const WEEK_TICKS = 60_480
/** The last day of each week, on which players and factions are assessed in turn. */
export const ASSESSMENT_TICKS = 8_640

/* Sales tax */

/** Highest sales tax that an order records. Source: market.md section 2. */
const SALES_TAX_BPS_MAX = 5_000

interface SalesTax {
  readonly bps: number
  readonly reason: 'citizen' | 'foreign' | 'stateless'
}

/**
 * Returns an empire's sales tax for a buyer: the rate of citizens, else the lowest foreign rate
 * among their citizenships, else that of the stateless. Source: market.md section 3.
 */
export function salesTaxIn(view: WorldView, player: Eid, empire: number): SalesTax {
  return salesTaxOf(empire, citizenshipsOf(view, player))
}

/** Returns an empire's sales tax for a buyer with these citizenships, as `salesTaxIn` does. */
export function salesTaxOf(empire: number, citizenships: readonly number[]): SalesTax {
  const { policy } = EMPIRES[empire]
  const capped = (bps: number): number => Math.min(SALES_TAX_BPS_MAX, bps)
  if (citizenships.includes(empire)) return { bps: capped(policy.sales_tax_bps), reason: 'citizen' }
  if (citizenships.length === 0) {
    return { bps: capped(policy.stateless_sales_tax_bps), reason: 'stateless' }
  }
  const rates = citizenships.map(
    (own) => policy.foreign_sales_tax_bps[EMPIRES[own].id] ?? policy.default_foreign_sales_tax_bps,
  )
  return { bps: capped(Math.min(...rates)), reason: 'foreign' }
}

/** Returns a player's citizenships as indexes into EMPIRES: their origin first, then by id. */
export function citizenshipsOf(view: WorldView, player: Eid): number[] {
  const origin = view.read(Player).empire[player]
  const rank = (empire: number): string => (empire === origin ? '' : EMPIRES[empire].id)
  return EMPIRES.map((_, empire) => empire)
    .filter((empire) => isCitizen(view, player, empire))
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/* Lookups */

/** Returns the income in a category since the last assessment, credits. */
export function incomeOf(view: WorldView, player: Eid, category: IncomeCategory): number {
  const { earned, earnedBefore } = view.read(TaxLedger)
  const index = player * INCOME_WIDTH + INCOME_CATEGORIES.indexOf(category)
  return earned[index] - earnedBefore[index]
}

/** Returns the taxable income of the week by INCOME_CATEGORIES; of the market, the profit. */
export const taxedIncome = (view: WorldView, player: Eid, marketProfit: number): number[] =>
  INCOME_CATEGORIES.map((category) =>
    category === 'market' ? marketProfit : incomeOf(view, player, category),
  )

/** Returns the ticks until the next assessment of a player or faction, by row. */
export function ticksToAssessment(view: WorldView, row: Row): number {
  const turn = WEEK_TICKS - ASSESSMENT_TICKS + (row % ASSESSMENT_TICKS)
  const ticks = (turn - (view.tick % WEEK_TICKS) + WEEK_TICKS) % WEEK_TICKS
  return ticks === 0 ? WEEK_TICKS : ticks
}

/** Returns the rows to assess in a tick, of `high` rows: each once a week. O(rows due). */
export function dueRows(tick: number, high: number): Row[] {
  const turn = (tick % WEEK_TICKS) - (WEEK_TICKS - ASSESSMENT_TICKS)
  const due: Row[] = []
  if (turn < 0) return due
  for (let row = turn === 0 ? ASSESSMENT_TICKS : turn; row <= high; row += ASSESSMENT_TICKS)
    due.push(row)
  return due
}

/** Returns the account of prepaid taxes; 0 before the first prepayment. */
export const poolOf = (view: WorldView): Row => view.read(TaxOffice).pool[1]

/** Returns the tax of earlier weeks that a faction still owes an empire. */
export const debtOf = (view: WorldView, faction: Row, empire: number): number =>
  view.read(CorporateLedger).debt[faction * EMPIRES_WIDTH + empire]

/** Returns lifetime income by category, and how much of it has been assessed. */
export function incomeCounters(view: WorldView, player: Eid) {
  const { earned, earnedBefore } = view.read(TaxLedger)
  const byCategory = (column: { readonly [index: number]: number }): Record<string, number> => {
    const sums: Record<string, number> = {}
    INCOME_CATEGORIES.forEach((name, i) => {
      sums[name] = column[player * INCOME_WIDTH + i]
    })
    return sums
  }
  return { earned: byCategory(earned), before: byCategory(earnedBefore) }
}
