/** What a faction will owe, and paying ahead for it. Source: market.md sections 5, 9. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { mutation, query } from '../../core/command.ts'
import { badFields, fail, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { int, ints, NO_PARAMS, named, obj, strings } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Row, WorldView } from '../../core/types.ts'
import {
  domicileOf,
  factionIdOf,
  factionName,
  factionOf,
  IN_FACTION,
  needPermission,
  noteFactionLog,
  treasuryOf,
} from '../faction/rules.ts'
import { CorporateLedger } from './columns.ts'
import { secondsOf } from './commands.ts'
import { assessFaction, debtOf, openPool, poolOf, ticksToAssessment } from './rules.ts'
import { factionEstimateSchema } from './views.ts'

const debtsOf = (view: WorldView, faction: Row) =>
  EMPIRES.map(({ id }, empire) => ({ empire: id, amount: debtOf(view, faction, empire) })).filter(
    ({ amount }) => amount > 0,
  )

function renderCorporateEstimate(view: WorldView, faction: Row) {
  const { earned, spent, profit, taxes } = assessFaction(view, faction)
  const { lossCarry, prepaid, assessedMs } = view.read(CorporateLedger)
  const total = taxes.reduce((sum, { owed }) => sum + owed, 0)
  const debts = debtsOf(view, faction)
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
    next_assessment_approx_seconds: secondsOf(view, ticksToAssessment(view, faction)),
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
  params: obj({ amount: int('Credits to pay ahead.', { min: 1, example: 100 }) }),
  result: named('FactionPrepayTaxResponse', {
    ...strings('action', 'message'),
    ...ints('amount_prepaid', 'faction_credits', 'tax_prepaid_balance'),
  }),
  needs: [needPermission('manage_treasury')],
  changes: [],
  errors: ['invalid_payload', 'faction_no_credits', 'amount_too_large'],
  run(world, player, { amount }) {
    if (amount < 1) return badFields({ field: 'amount', expected: '1 or more' })
    const faction = factionOf(world, player)
    const treasury = treasuryOf(world, faction)
    const have = balanceOf(world, treasury)
    if (have < amount) return fail('faction_no_credits', { need: amount, have })
    const found = poolOf(world)
    if (found !== 0 && !canReceive(world, found, amount)) return fail('amount_too_large')
    post(world, treasury, openPool(world), amount)
    const { prepaid } = world.write(CorporateLedger)
    prepaid[faction] += amount
    const summary = `Paid ${counted(amount, 'credit')} of tax ahead.`
    const data = { credits: -amount }
    noteFactionLog(world, faction, player, { verb: 'tax_prepaid', summary, data })
    return ok({
      action: 'faction_prepay_tax',
      amount_prepaid: amount,
      faction_credits: balanceOf(world, treasury),
      tax_prepaid_balance: prepaid[faction],
      message: summary,
    })
  },
})
