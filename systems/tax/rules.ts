/**
 * Recording income and expenses, and assessing the tax on them: of players and of factions.
 * Source: market.md section 9.
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
  type CorporateSource,
  capToIncome,
  citizenshipsOf,
  corporateTaxes,
  incomeOf,
  incomeTaxes,
  poolOf,
  profitOf,
  propertyTaxes,
  saturatingAdd,
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

/* Players */

/** Records taxable income. Source: market.md section 9, income categories. */
export function recordIncome(
  world: World,
  player: Eid,
  category: IncomeCategory,
  credits: number,
): void {
  const { earned } = world.write(TaxLedger)
  const index = player * INCOME_WIDTH + INCOME_CATEGORIES.indexOf(category)
  earned[index] = saturatingAdd(earned[index], credits)
  addStat(world, player, 'credits_earned_taxable', credits)
}

/** Records goods bought on an exchange: their cost is deducted from sales there. */
export function recordGoodsBought(world: World, player: Eid, credits: number): void {
  addStat(world, player, 'market_purchases_deductible', credits)
}

/**
 * Returns what property tax is levied on: the ships a player owns, each at the cost of building its
 * hull and modules as new; hulls issued at a respawn are worth nothing. ours: market.md section 9
 * names an assessed value, but does not say of what.
 */
function assessedShips(view: WorldView, player: Eid) {
  const { issue } = view.read(Ship)
  return shipsOf(view, player)
    .filter((ship) => issue[ship] === 0)
    .map((ship) => ({ ship, value: rebuildValue(view, ship, modulesOf(view, ship)) }))
}

/** Assesses what a player would owe if the week ended now. */
export function assess(view: WorldView, player: Eid) {
  const { lossCarry, boughtBefore } = view.read(TaxLedger)
  const sales = incomeOf(view, player, 'market')
  const bought = statOf(view, player, 'market_purchases_deductible') - boughtBefore[player]
  const profit = profitOf(sales, bought, lossCarry[player])
  const income = INCOME_CATEGORIES.filter((category) => category !== 'market').reduce(
    (sum, category) => saturatingAdd(sum, incomeOf(view, player, category)),
    profit.taxable,
  )
  const empires = citizenshipsOf(view, player)
  const taxing = empires.map((empire) => EMPIRES[empire])
  const ships = assessedShips(view, player)
  const assessed = ships.reduce((sum, { value }) => saturatingAdd(sum, value), 0)
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
    due: capToIncome(income, incomeTax, propertyTax),
  }
}

/** Returns the account of prepaid taxes; opens it if there is none. */
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

/** Returns the index in the columns of CorporateLedger for what is earned or spent at a base. */
function ledgerIndex(view: WorldView, faction: Row, base: Eid): number {
  const empire = empireOfBase(view, base)
  return faction * EMPIRES_WIDTH + (empire < 0 ? NO_EMPIRE : empire)
}

/** Records taxable income of a faction: what it sold at a base. */
export function recordCorporateIncome(
  world: World,
  faction: Row,
  base: Eid,
  credits: number,
): void {
  const { earned } = world.write(CorporateLedger)
  const index = ledgerIndex(world, faction, base)
  earned[index] = saturatingAdd(earned[index], credits)
  recordPeak(world, faction, 'treasury', balanceOf(world, treasuryOf(world, faction)))
}

/** Records an expense of a faction: goods and fuel, building, upgrades, rent. */
export function recordCorporateExpense(
  world: World,
  faction: Row,
  base: Eid,
  credits: number,
): void {
  const { spent } = world.write(CorporateLedger)
  const index = ledgerIndex(world, faction, base)
  spent[index] = saturatingAdd(spent[index], credits)
}

/** Returns the empires in which a faction has a facility, as indexes into EMPIRES. */
function empiresWithFacility(view: WorldView, faction: Row): Set<number> {
  const { base } = view.read(Facility)
  return new Set(factionFacilities(view, faction).map((row) => empireOfBase(view, base[row])))
}

/** Assesses what a faction would owe for this week if it ended now, without earlier debts. */
export function assessFaction(view: WorldView, faction: Row) {
  const { earned, spent, lossCarry } = view.read(CorporateLedger)
  const taxing = empiresWithFacility(view, faction)
  const domicile = domicileOf(view, faction)
  const figures = (column: number) => ({
    earned: earned[faction * EMPIRES_WIDTH + column],
    spent: spent[faction * EMPIRES_WIDTH + column],
  })
  const sources: CorporateSource[] = EMPIRES.map(({ id, policy }, empire) => ({
    empire: id,
    rate: policy.faction_income_tax_bps,
    ...figures(empire),
    isTaxing: taxing.has(empire),
    isDomicile: empire === domicile,
  }))
  const lawless = { empire: '', rate: 0, isTaxing: false, isDomicile: false }
  sources.push({ ...lawless, ...figures(NO_EMPIRE) })
  return corporateTaxes(sources, lossCarry[faction])
}
