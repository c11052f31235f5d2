/** Wire shapes of taxes. Source: contract, TaxEstimateResponse. */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  ints,
  list,
  mapOf,
  named,
  obj,
  opt,
  optional,
  str,
  strings,
  Type,
} from '../../core/params.ts'

/** Sent after each assessment; cannot be muted. ours: market.md section 14 gives no fields. */
export const taxAssessed = defineEvent({
  type: 'tax_assessed',
  summary: 'The week’s tax was assessed and collected.',
  queue: 'system',
  fields: obj({
    ...ints('owed', 'paid', 'bounty'),
    by_empire: mapOf(Type.Integer()),
    message: str('What was paid, and what to do about the rest.', { example: 'Tax of the week.' }),
  }),
})

const bracketSchema = named('TaxEstimateBracketRow', {
  ...ints('income_in_bracket', 'lower_bound', 'rate_bps', 'tax_from_bracket'),
  ...opt(ints('upper_bound')),
})

const statementSchema = named('TaxStatement', {
  ...strings('period_started_at', 'assessed_at'),
  ...ints('total_owed', 'total_unpaid'),
  income_by_category: mapOf(Type.Integer()),
  empires: list(obj({ ...strings('empire'), ...ints('owed', 'paid', 'unpaid') })),
})

export const estimateSchema = named('TaxEstimateResponse', {
  ...strings('action'),
  ...ints('assessed_property_value', 'income_tax_total', 'market_cost_of_goods_deducted'),
  ...ints('market_sales_to_date', 'next_assessment_approx_seconds', 'property_tax_total'),
  ...ints('tax_prepaid', 'taxable_income_to_date', 'taxable_market_income'),
  ...bools('tax_collection_active', 'inactivity_exempt'),
  ...opt(ints('last_assessed_at', 'last_property_assessed_at', 'market_loss_carryforward')),
  ...opt(strings('note', 'payment_guidance')),
  outstanding_bounties: list(obj({ ...strings('empire'), ...ints('amount') })),
  latest_statement: optional(statementSchema),
  assessed_property_by_ship: list(
    named('TaxEstimatePropertyShipRow', { ...strings('ship_id'), ...ints('value') }),
  ),
  income_tax: list(
    named('TaxEstimateIncomeRow', {
      ...strings('empire'),
      ...ints('credit', 'gross', 'owed', 'rate_bps'),
      brackets: optional(list(bracketSchema)),
    }),
  ),
  property_tax: list(
    named('TaxEstimatePropertyRow', {
      ...strings('empire'),
      ...ints('assessed_value', 'owed', 'rate_bps'),
      brackets: optional(list(bracketSchema)),
    }),
  ),
  sales_tax_rates: list(
    named('TaxEstimateSalesRow', { ...strings('empire', 'reason'), ...ints('rate_bps') }),
  ),
  taxable_income_by_source: list(obj({ ...strings('category'), ...ints('amount') })),
})

export const factionEstimateSchema = named('FactionTaxEstimateResponse', {
  ...strings('action', 'domicile', 'faction_id', 'faction_name'),
  ...ints('deductible_expenses_to_date', 'income_tax_total', 'net_taxable_profit'),
  ...ints('next_assessment_approx_seconds', 'tax_prepaid', 'taxable_income_to_date'),
  ...bools('tax_collection_active'),
  ...opt(ints('carried_debt_total', 'last_assessed_at', 'loss_carryforward_applied')),
  ...opt(strings('note')),
  carried_debt: optional(
    list(named('FactionTaxDebtRow', { ...strings('empire'), ...ints('amount') })),
  ),
  income_tax: list(
    named('FactionTaxEstimateRow', {
      ...strings('basis', 'empire'),
      ...ints('gross', 'owed', 'rate_bps', 'taxed_profit'),
      ...opt(ints('credit')),
    }),
  ),
})
