/** Taxes on income and property, week by week, and what is paid ahead. */
import type { DomainDef } from '../../core/registry.ts'
import { poolHolds } from './checks.ts'
import { collect } from './collect.ts'
import { CorporateLedger, STATEMENTS, TaxLedger, TaxOffice } from './columns.ts'
import { getTaxEstimate, prepayTax } from './commands.ts'
import { collectCorporate } from './corporate.ts'
import { factionPrepayTax, getFactionTaxEstimate } from './corporate-commands.ts'
import { taxAssessed } from './events.ts'
import { settleLastTaxes } from './observers.ts'

export const taxDomain: DomainDef = {
  name: 'tax',
  tables: [TaxLedger, CorporateLedger, TaxOffice],
  records: [STATEMENTS],
  commands: [getTaxEstimate, prepayTax, getFactionTaxEstimate, factionPrepayTax],
  events: [taxAssessed],
  systems: [collect, collectCorporate],
  checks: [poolHolds],
  observers: [settleLastTaxes],
}
