/** Taxes on income and property, week by week, and what is paid ahead. */
import type { DomainDef } from '../../core/registry.ts'
import { poolHolds } from './checks.ts'
import { collect } from './collect.ts'
import { TaxLedger, TaxOffice } from './columns.ts'
import { getTaxEstimate, prepayTax } from './commands.ts'
import { taxAssessed } from './events.ts'

export const taxDomain: DomainDef = {
  name: 'tax',
  tables: [TaxLedger, TaxOffice],
  commands: [getTaxEstimate, prepayTax],
  events: [taxAssessed],
  systems: [collect],
  checks: [poolHolds],
}
