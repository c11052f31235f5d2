/**
 * Taxes as other domains meet them: what counts as income and as goods bought, sales tax by
 * citizenship, what a player owes by now. Source: market.md sections 3, 9.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { balanceOf, openAccount } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { statOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { EMPIRES_WIDTH } from '../account/state.ts'
import { recordPeak } from '../achievement/rules.ts'
import { empireOfBase } from '../base/model.ts'
import { factionFacilities } from '../facility/model.ts'
import { Facility } from '../facility/state.ts'
import { domicileOf, treasuryOf } from '../faction/model.ts'
import { modulesOf, rebuildValue, shipsOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import {
  capped,
  citizenshipsOf,
  corporateTaxes,
  incomeOf,
  incomeTaxes,
  plus,
  poolOf,
  profitOf,
  propertyTaxes,
  type Sourced,
} from './model.ts'
import {
  CorporateLedger,
  INCOME_CATEGORIES,
  INCOME_WIDTH,
  type IncomeCategory,
  NO_EMPIRE,
  TaxLedger,
  TaxOffice,
} from './state.ts'

/* Income */

/** Counts taxable income. Source: market.md section 9, income categories. */
export function recordIncome(
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
export function recordGoodsBought(world: World, player: Eid, credits: number): void {
  addStat(world, player, 'market_purchases_deductible', credits)
}

/* What is owed */

/**
 * What the property tax is levied on: the ships a player owns, each at what its hull and modules
 * would cost anew; hulls given at a respawn are worth nothing. Source: ours, market.md section 9
 * names an assessed value without saying of what.
 */
function assessedShips(view: WorldView, player: Eid) {
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
    sales,
    bought,
    profit,
    income,
    empires,
    ships,
    assessed,
    incomeTax,
    propertyTax,
    due: capped(income, incomeTax, propertyTax),
  }
}

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
export function recordCorporateIncome(
  world: World,
  faction: Row,
  base: Eid,
  credits: number,
): void {
  const { earned } = world.write(CorporateLedger)
  const at = sourceOf(world, faction, base)
  earned[at] = plus(earned[at], credits)
  recordPeak(world, faction, 'treasury', balanceOf(world, treasuryOf(world, faction)))
}

/** Counts an expense of a faction: goods and fuel bought, building, upgrades, rent. */
export function recordCorporateExpense(
  world: World,
  faction: Row,
  base: Eid,
  credits: number,
): void {
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
