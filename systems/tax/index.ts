/** Weekly taxes of players and factions, and the credits they prepay. */
import type { DomainDef } from '../../core/registry.ts'
import { factionPrepayTax, getFactionTaxEstimate, getTaxEstimate, prepayTax } from './commands.ts'
import { taxAssessed } from './schemas.ts'
import { CorporateLedger, STATEMENTS, TaxLedger, TaxOffice } from './state.ts'
import { collect, collectCorporate, poolHolds, settleLastTaxes } from './systems.ts'

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
