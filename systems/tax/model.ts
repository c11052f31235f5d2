/**
 * Arithmetic of the weekly tax on plain numbers: income of the week, what each citizenship asks of
 * it, credits between them, the cap. Writes nothing. Source: market.md section 9.
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

/** Sums stop at 2^53-1. */
export const plus = (a: number, b: number): number => Math.min(MAX_SAFE, a + b)

/** Profit of trade: goods bought and old losses come off; what they exceed sales by is carried. */
export function profitOf(sales: number, bought: number, lossCarry: number) {
  const costs = plus(bought, lossCarry)
  return { taxable: Math.max(0, sales - costs), lossCarry: Math.max(0, costs - sales) }
}

/** The figures of an empire's policy that a tax is worked out from. */
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

interface IncomeTax {
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

interface PropertyTax {
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

/**
 * Ticks of a week, and of its last day, on which players are assessed in turn: the first time is
 * after six days of a new world.
 */
export const WEEK_TICKS = 60_480
export const TURNS = 8_640

/* Sales tax */

/** Highest sales tax an order may freeze. Source: market.md section 2. */
const SALES_TAX_BPS_MAX = 5_000

interface SalesTax {
  readonly bps: number
  readonly reason: 'citizen' | 'foreign' | 'stateless'
}

/**
 * What an empire takes of a purchase: a citizen's rate, else the lowest rate of the own empires,
 * else that of the stateless. Source: market.md section 3.
 */
export function salesTaxIn(view: WorldView, player: Eid, empire: number): SalesTax {
  return salesTaxOf(empire, citizenshipsOf(view, player))
}

/** As `salesTaxIn`, for whoever holds these citizenships. */
export function salesTaxOf(empire: number, citizenships: readonly number[]): SalesTax {
  const { policy } = EMPIRES[empire]
  const most = (bps: number): number => Math.min(SALES_TAX_BPS_MAX, bps)
  if (citizenships.includes(empire)) return { bps: most(policy.sales_tax_bps), reason: 'citizen' }
  if (citizenships.length === 0) {
    return { bps: most(policy.stateless_sales_tax_bps), reason: 'stateless' }
  }
  const rates = citizenships.map(
    (own) => policy.foreign_sales_tax_bps[EMPIRES[own].id] ?? policy.default_foreign_sales_tax_bps,
  )
  return { bps: most(Math.min(...rates)), reason: 'foreign' }
}

/** Citizenships of a player, as indexes into EMPIRES: that of the origin first, then by id. */
export function citizenshipsOf(view: WorldView, player: Eid): number[] {
  const origin = view.read(Player).empire[player]
  const rank = (empire: number): string => (empire === origin ? '' : EMPIRES[empire].id)
  return EMPIRES.map((_, empire) => empire)
    .filter((empire) => isCitizen(view, player, empire))
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Income of a category since the last assessment. */
export function incomeOf(view: WorldView, player: Eid, category: IncomeCategory): number {
  const { earned, earnedBefore } = view.read(TaxLedger)
  const at = player * INCOME_WIDTH + INCOME_CATEGORIES.indexOf(category)
  return earned[at] - earnedBefore[at]
}

/** Taxable income since the last assessment by INCOME_CATEGORIES; of the market its profit. */
export const taxedIncome = (view: WorldView, player: Eid, marketProfit: number): number[] =>
  INCOME_CATEGORIES.map((category) =>
    category === 'market' ? marketProfit : incomeOf(view, player, category),
  )

/** Ticks until a player, by row, is assessed next. */
export function ticksToAssessment(view: WorldView, row: Row): number {
  const turn = WEEK_TICKS - TURNS + (row % TURNS)
  const ticks = (turn - (view.tick % WEEK_TICKS) + WEEK_TICKS) % WEEK_TICKS
  return ticks === 0 ? WEEK_TICKS : ticks
}

/** Rows whose turn it is, of `high` rows: each once a week. O(rows due). */
export function dueRows(tick: number, high: number): Row[] {
  const turn = (tick % WEEK_TICKS) - (WEEK_TICKS - TURNS)
  const due: Row[] = []
  if (turn < 0) return due
  for (let row = turn === 0 ? TURNS : turn; row <= high; row += TURNS) due.push(row)
  return due
}

/* The pool */

/** The account of what was paid ahead; 0 before anybody did. */
export const poolOf = (view: WorldView): Row => view.read(TaxOffice).pool[1]

/** Tax of earlier weeks that a faction owes an empire still. */
export const debtOf = (view: WorldView, faction: Row, empire: number): number =>
  view.read(CorporateLedger).debt[faction * EMPIRES_WIDTH + empire]

/* Counters */

/** Income by category, of a lifetime and of what is assessed of it, as counters show it. */
export function incomeCounters(view: WorldView, player: Eid) {
  const { earned, earnedBefore } = view.read(TaxLedger)
  const by = (column: { readonly [at: number]: number }): Record<string, number> =>
    Object.fromEntries(
      INCOME_CATEGORIES.map((name, i) => [name, column[player * INCOME_WIDTH + i]]),
    )
  return { earned: by(earned), before: by(earnedBefore) }
}
