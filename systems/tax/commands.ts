/**
 * Estimates of the weekly tax, and prepaying it: for oneself and for one's faction. Source:
 * market.md sections 5, 9.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { mutation, query } from '../../core/command.ts'
import { type Failure, fail, invalidFields, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { int, ints, NO_PARAMS, named, obj, strings } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import {
  domicileOf,
  factionIdOf,
  factionName,
  factionOf,
  needPermission,
  recordFactionLog,
  treasuryOf,
} from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { bountyOf } from '../law/model.ts'
import { creditMove } from '../log/rules.ts'
import { shipId } from '../ship/model.ts'
import { debtOf, poolOf, salesTaxIn, taxedIncome, ticksToAssessment } from './model.ts'
import { assess, assessFaction, openPool } from './rules.ts'
import { estimateSchema, factionEstimateSchema } from './schemas.ts'
import { CorporateLedger, INCOME_CATEGORIES, STATEMENTS, TaxLedger } from './state.ts'

const secondsToAssessment = (view: WorldView, row: Row): number =>
  divFloor(ticksToAssessment(view, row) * view.tickMs, 1_000)

const totalOwed = (rows: readonly { readonly owed: number }[]): number =>
  rows.reduce((sum, { owed }) => sum + owed, 0)

const amountParams = obj({ amount: int('Credits to pay ahead.', { min: 1, example: 100 }) })

/** Refuses a prepayment that the pool cannot hold. */
function poolRefusal(view: WorldView, amount: number): Failure<'amount_too_large'> | undefined {
  const pool = poolOf(view)
  return pool === 0 || canReceive(view, pool, amount) ? undefined : fail('amount_too_large')
}

/* Players */

function lastAssessed(view: WorldView, player: Eid): object {
  const ms = view.read(TaxLedger).assessedMs[player]
  const seconds = divFloor(ms, 1_000)
  return ms === 0 ? {} : { last_assessed_at: seconds, last_property_assessed_at: seconds }
}

function renderSalesTax(view: WorldView, player: Eid) {
  return EMPIRES.map(({ id }, empire) => {
    const { bps, reason } = salesTaxIn(view, player, empire)
    return { empire: id, rate_bps: bps, reason }
  })
}

/** Renders the bounties of empires on a player, including those for unpaid tax. */
const renderBounties = (view: WorldView, player: Eid) =>
  EMPIRES.map(({ id }, empire) => ({ empire: id, amount: bountyOf(view, player, empire) })).filter(
    ({ amount }) => amount > 0,
  )

const GUIDANCE = say`{pay_bounty} clears a bounty from anywhere, and so does docking at a base of the empire with the credits for it; {prepay_tax} does not touch it.`

/** Renders the last assessment, if there was anything to assess. Source: newer.md section 8. */
function lastStatement(view: WorldView, player: Eid): object {
  const statement = view.records(STATEMENTS).get(String(view.read(Player).seq[player]))
  if (statement === undefined) return {}
  const empires = statement.empires.map(({ empire, owed, paid }) => ({
    empire: EMPIRES[empire].id,
    owed,
    paid,
    unpaid: owed - paid,
  }))
  return {
    latest_statement: {
      period_started_at: isoTime(statement.startedMs),
      assessed_at: isoTime(statement.assessedMs),
      income_by_category: Object.fromEntries(
        INCOME_CATEGORIES.map((category, i) => [category, statement.income[i]]),
      ),
      empires,
      total_owed: totalOwed(empires),
      total_unpaid: empires.reduce((sum, { unpaid }) => sum + unpaid, 0),
    },
  }
}

function renderEstimate(view: WorldView, player: Eid) {
  const assessment = assess(view, player)
  const bounties = renderBounties(view, player)
  const { incomeTax, propertyTax, ships, assessed, profit, income } = assessment
  const earned = taxedIncome(view, player, profit.taxable)
  const { lossCarry, prepaid } = view.read(TaxLedger)
  const carried = lossCarry[player]
  return {
    taxable_income_to_date: income,
    taxable_income_by_source: INCOME_CATEGORIES.map((category, i) => ({
      category,
      amount: earned[i],
    })),
    market_sales_to_date: assessment.sales,
    market_cost_of_goods_deducted: assessment.bought,
    ...(carried === 0 ? {} : { market_loss_carryforward: carried }),
    taxable_market_income: profit.taxable,
    income_tax: incomeTax.map(({ brackets, ...row }) =>
      brackets.length === 0 ? row : { ...row, brackets: [...brackets] },
    ),
    income_tax_total: totalOwed(incomeTax),
    assessed_property_value: assessed,
    assessed_property_by_ship: ships.map(({ ship, value }) => ({
      ship_id: shipId(view, ship),
      value,
    })),
    property_tax: propertyTax,
    property_tax_total: totalOwed(propertyTax),
    sales_tax_rates: renderSalesTax(view, player),
    tax_prepaid: prepaid[player],
    next_assessment_approx_seconds: secondsToAssessment(view, player),
    ...lastAssessed(view, player),
    tax_collection_active: true,
    // ours: nobody is exempt for being inactive
    inactivity_exempt: false,
    outstanding_bounties: bounties,
    ...(bounties.length === 0 ? {} : { payment_guidance: GUIDANCE }),
    ...lastStatement(view, player),
    note: dueNote(
      assessment.due.reduce((sum, due) => sum + due, 0),
      totalOwed(incomeTax) + totalOwed(propertyTax),
    ),
  }
}

const dueNote = (due: number, owed: number): string =>
  due === 0
    ? `Nothing would be due if the week ended now${owed === 0 ? '' : ': tax is never more than the income, and there is none'}.`
    : `${counted(due, 'credit')} would be due if the week ended now: never more than the income.`

export const getTaxEstimate = query({
  name: 'get_tax_estimate',
  v2: { tool: 'game', action: 'get_tax_estimate' },
  summary: 'Your income since the last assessment, and the tax on it if the week ended now.',
  category: 'info',
  params: NO_PARAMS,
  result: estimateSchema,
  needs: [],
  errors: [],
  run: (view, player) => ok({ action: 'get_tax_estimate', ...renderEstimate(view, player) }),
})

export const prepayTax = mutation({
  name: 'prepay_tax',
  v2: { tool: 'game', action: 'prepay_tax', rename: { amount: 'quantity' } },
  summary: 'Pay tax ahead: it is used at the next assessment, and the rest comes back then.',
  category: 'trading',
  order: 'plain',
  params: amountParams,
  result: named('PrepayTaxResponse', {
    ...strings('action', 'message'),
    ...ints('amount_prepaid', 'credits', 'tax_prepaid_balance'),
  }),
  needs: [],
  changes: ['player'],
  errors: ['invalid_payload', 'no_credits', 'amount_too_large'],
  run(world, player, { amount }) {
    if (amount < 1) return invalidFields({ field: 'amount', expected: '1 or more' })
    const wallet = walletOf(world, player)
    const have = balanceOf(world, wallet)
    if (have < amount) return fail('no_credits', { need: amount, have })
    const refused = poolRefusal(world, amount)
    if (refused) return refused
    const pool = openPool(world)
    const message = `Prepaid ${counted(amount, 'credit')} of tax.`
    creditMove(world, player, wallet, pool, amount, 'other', 'tax.prepaid', message)
    const { prepaid } = world.write(TaxLedger)
    prepaid[player] += amount
    addStat(world, player, 'tax_prepaid', amount)
    return ok({
      action: 'prepay_tax',
      amount_prepaid: amount,
      credits: balanceOf(world, wallet),
      tax_prepaid_balance: prepaid[player],
      message,
    })
  },
})

/* Factions */

const renderDebts = (view: WorldView, faction: Row) =>
  EMPIRES.map(({ id }, empire) => ({ empire: id, amount: debtOf(view, faction, empire) })).filter(
    ({ amount }) => amount > 0,
  )

function renderCorporateEstimate(view: WorldView, faction: Row) {
  const { earned, spent, profit, taxes } = assessFaction(view, faction)
  const { lossCarry, prepaid, assessedMs } = view.read(CorporateLedger)
  const total = totalOwed(taxes)
  const debts = renderDebts(view, faction)
  const debt = debts.reduce((sum, { amount }) => sum + amount, 0)
  const carried = lossCarry[faction] - profit.lossCarry
  const ms = assessedMs[faction]
  return {
    faction_id: factionIdOf(view, faction),
    faction_name: factionName(view, faction),
    domicile: EMPIRES[domicileOf(view, faction)].id,
    taxable_income_to_date: earned,
    deductible_expenses_to_date: spent,
    net_taxable_profit: profit.taxable,
    ...(carried > 0 ? { loss_carryforward_applied: carried } : {}),
    income_tax: taxes,
    income_tax_total: total,
    ...(debt > 0 ? { carried_debt: debts, carried_debt_total: debt } : {}),
    tax_prepaid: prepaid[faction],
    next_assessment_approx_seconds: secondsToAssessment(view, faction),
    ...(ms === 0 ? {} : { last_assessed_at: divFloor(ms, 1_000) }),
    tax_collection_active: true,
    note: `${counted(total + debt, 'credit')} would be due if the week ended now.`,
  }
}

export const getFactionTaxEstimate = query({
  name: 'get_faction_tax_estimate',
  v2: { tool: 'game_faction', action: 'tax_estimate' },
  summary: 'Profit of your faction since the last assessment, and the tax on it.',
  category: 'faction',
  params: NO_PARAMS,
  result: factionEstimateSchema,
  needs: [IN_FACTION],
  errors: [],
  run: (view, player) =>
    ok({
      action: 'get_faction_tax_estimate',
      ...renderCorporateEstimate(view, factionOf(view, player)),
    }),
})

export const factionPrepayTax = mutation({
  name: 'faction_prepay_tax',
  v2: { tool: 'game_faction', action: 'prepay_tax' },
  summary: 'Pay tax of your faction ahead, out of its treasury.',
  category: 'faction',
  order: 'plain',
  params: amountParams,
  result: named('FactionPrepayTaxResponse', {
    ...strings('action', 'message'),
    ...ints('amount_prepaid', 'faction_credits', 'tax_prepaid_balance'),
  }),
  needs: [needPermission('manage_treasury')],
  changes: [],
  errors: ['invalid_payload', 'faction_no_credits', 'amount_too_large'],
  run(world, player, { amount }) {
    if (amount < 1) return invalidFields({ field: 'amount', expected: '1 or more' })
    const faction = factionOf(world, player)
    const treasury = treasuryOf(world, faction)
    const have = balanceOf(world, treasury)
    if (have < amount) return fail('faction_no_credits', { need: amount, have })
    const refused = poolRefusal(world, amount)
    if (refused) return refused
    post(world, treasury, openPool(world), amount)
    const { prepaid } = world.write(CorporateLedger)
    prepaid[faction] += amount
    const summary = `Prepaid ${counted(amount, 'credit')} of tax.`
    const data = { credits: -amount }
    recordFactionLog(world, faction, player, { verb: 'tax_prepaid', summary, data })
    return ok({
      action: 'faction_prepay_tax',
      amount_prepaid: amount,
      faction_credits: balanceOf(world, treasury),
      tax_prepaid_balance: prepaid[faction],
      message: summary,
    })
  },
})
