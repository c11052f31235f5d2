/**
 * Taxes as other domains meet them: what counts as income and as goods bought, sales tax by
 * citizenship, what a player owes by now. Source: market.md sections 3, 9.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { balanceOf, openAccount } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { EMPIRES_WIDTH, Player } from '../account/columns.ts'
import { addStat, isCitizen, statOf } from '../account/rules.ts'
import { notePeak } from '../achievement/counter-rules.ts'
import { empireOfBase } from '../base/rules.ts'
import { Facility } from '../facility/columns.ts'
import { factionFacilities } from '../facility/rules.ts'
import { domicileOf, treasuryOf } from '../faction/rules.ts'
import { Ship } from '../ship/columns.ts'
import { modulesOf, rebuildValue, shipsOf } from '../ship/rules.ts'
import {
  capped,
  corporateTaxes,
  incomeTaxes,
  plus,
  profitOf,
  propertyTaxes,
  type Sourced,
} from './assess.ts'
import {
  CorporateLedger,
  INCOME_CATEGORIES,
  INCOME_WIDTH,
  type IncomeCategory,
  NO_EMPIRE,
  TaxLedger,
  TaxOffice,
} from './columns.ts'

/**
 * Ticks of a week, and of its last day, on which players are assessed in turn: the first time is
 * after six days of a new world.
 */
export const WEEK_TICKS = 60_480
export const TURNS = 8_640

/* Sales tax */

/** Highest sales tax an order may freeze. Source: market.md section 2. */
const SALES_TAX_BPS_MAX = 5_000

export interface SalesTax {
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

/* Income */

/** Counts taxable income. Source: market.md section 9, income categories. */
export function noteIncome(
  world: World,
  player: Eid,
  category: IncomeCategory,
  credits: number,
): void {
  const { earned } = world.write(TaxLedger)
  const at = player * INCOME_WIDTH + INCOME_CATEGORIES.indexOf(category)
  earned[at] = plus(earned[at], credits)
  addStat(world, player, 'credits_earned_taxable', credits)
}

/** Counts goods bought on an exchange: they come off what sales there earn. */
export function noteGoodsBought(world: World, player: Eid, credits: number): void {
  addStat(world, player, 'market_purchases_deductible', credits)
}

/** Income of a category since the last assessment. */
export function incomeOf(view: WorldView, player: Eid, category: IncomeCategory): number {
  const { earned, earnedBefore } = view.read(TaxLedger)
  const at = player * INCOME_WIDTH + INCOME_CATEGORIES.indexOf(category)
  return earned[at] - earnedBefore[at]
}

/* What is owed */

/**
 * What the property tax is levied on: the ships a player owns, each at what its hull and modules
 * would cost anew; hulls given at a respawn are worth nothing. Source: ours, market.md section 9
 * names an assessed value without saying of what.
 */
export function assessedShips(view: WorldView, player: Eid) {
  const { issue } = view.read(Ship)
  return shipsOf(view, player)
    .filter((ship) => issue[ship] === 0)
    .map((ship) => ({ ship, value: rebuildValue(view, ship, modulesOf(view, ship)) }))
}

/** Everything a player would owe if the week ended now. */
export function assess(view: WorldView, player: Eid) {
  const { lossCarry, boughtBefore } = view.read(TaxLedger)
  const sales = incomeOf(view, player, 'market')
  const bought = statOf(view, player, 'market_purchases_deductible') - boughtBefore[player]
  const profit = profitOf(sales, bought, lossCarry[player])
  const income = INCOME_CATEGORIES.filter((category) => category !== 'market').reduce(
    (sum, category) => plus(sum, incomeOf(view, player, category)),
    profit.taxable,
  )
  const empires = citizenshipsOf(view, player)
  const taxing = empires.map((empire) => EMPIRES[empire])
  const ships = assessedShips(view, player)
  const assessed = ships.reduce((sum, { value }) => plus(sum, value), 0)
  const incomeTax = incomeTaxes(income, taxing)
  const propertyTax = propertyTaxes(assessed, taxing)
  return {
    ...{ sales, bought, profit, income, empires, ships, assessed, incomeTax, propertyTax },
    due: capped(income, incomeTax, propertyTax),
  }
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

/** As `poolOf`, opening it where there is none. */
export function openPool(world: World): Row {
  const found = poolOf(world)
  if (found !== 0) return found
  const row = world.take(TaxOffice)
  assert(row === 1, 'there is one tax office')
  const pool = openAccount(world)
  world.write(TaxOffice).pool[row] = pool
  return pool
}

/* Factions */

const sourceOf = (view: WorldView, faction: Row, base: Eid): number => {
  const empire = empireOfBase(view, base)
  return faction * EMPIRES_WIDTH + (empire < 0 ? NO_EMPIRE : empire)
}

/** Counts taxable income of a faction: what it sold at a base. */
export function noteCorporateIncome(world: World, faction: Row, base: Eid, credits: number): void {
  const { earned } = world.write(CorporateLedger)
  const at = sourceOf(world, faction, base)
  earned[at] = plus(earned[at], credits)
  notePeak(world, faction, 'treasury', balanceOf(world, treasuryOf(world, faction)))
}

/** Counts an expense of a faction: goods and fuel bought, building, upgrades, rent. */
export function noteCorporateExpense(world: World, faction: Row, base: Eid, credits: number): void {
  const { spent } = world.write(CorporateLedger)
  const at = sourceOf(world, faction, base)
  spent[at] = plus(spent[at], credits)
}

/** Empires in which a faction has a facility, as indexes into EMPIRES. */
function seatsOf(view: WorldView, faction: Row): Set<number> {
  const { base } = view.read(Facility)
  return new Set(factionFacilities(view, faction).map((row) => empireOfBase(view, base[row])))
}

/** Everything a faction would owe for this week if it ended now, debts of earlier ones apart. */
export function assessFaction(view: WorldView, faction: Row) {
  const { earned, spent, lossCarry } = view.read(CorporateLedger)
  const seats = seatsOf(view, faction)
  const domicile = domicileOf(view, faction)
  const figures = (column: number) => ({
    earned: earned[faction * EMPIRES_WIDTH + column],
    spent: spent[faction * EMPIRES_WIDTH + column],
  })
  const sources: Sourced[] = EMPIRES.map(({ id, policy }, empire) => ({
    empire: id,
    rate: policy.faction_income_tax_bps,
    ...figures(empire),
    isTaxing: seats.has(empire),
    isDomicile: empire === domicile,
  }))
  const lawless = { empire: '', rate: 0, isTaxing: false, isDomicile: false }
  sources.push({ ...lawless, ...figures(NO_EMPIRE) })
  return corporateTaxes(sources, lossCarry[faction])
}

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
