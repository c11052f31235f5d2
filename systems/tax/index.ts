/** Taxes on income and property, week by week, and what is paid ahead. */
import type { DomainDef } from '../../core/registry.ts'
import { onDisband } from '../faction/rules.ts'
import { poolHolds } from './checks.ts'
import { collect } from './collect.ts'
import { CorporateLedger, STATEMENTS, TaxLedger, TaxOffice } from './columns.ts'
import { getTaxEstimate, prepayTax } from './commands.ts'
import { collectCorporate, settleTaxes } from './corporate.ts'
import { factionPrepayTax, getFactionTaxEstimate } from './corporate-commands.ts'
import { taxAssessed } from './events.ts'

export const taxDomain: DomainDef = {
  name: 'tax',
  tables: [TaxLedger, CorporateLedger, TaxOffice],
  records: [STATEMENTS],
  commands: [getTaxEstimate, prepayTax, getFactionTaxEstimate, factionPrepayTax],
  events: [taxAssessed],
  systems: [collect, collectCorporate],
  checks: [poolHolds],
  rebuild(world) {
    onDisband(world, { run: settleTaxes })
  },
}
