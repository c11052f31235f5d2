/** Insurance of ships, and home bases. */
import type { DomainDef } from '../../core/registry.ts'
import {
  buyInsurance,
  claimInsurance,
  getInsuranceQuote,
  setHomeBase,
  viewInsurance,
} from './commands.ts'
import { rebuildPolicies } from './rules.ts'
import { Cover, INSURANCE_MARKET, Policy, Risk } from './state.ts'
import { expirePoliciesDue, policiesHold } from './systems.ts'

export const insuranceDomain: DomainDef = {
  name: 'insurance',
  tables: [Policy, Cover, Risk],
  records: [INSURANCE_MARKET],
  commands: [getInsuranceQuote, buyInsurance, viewInsurance, claimInsurance, setHomeBase],
  systems: [expirePoliciesDue],
  checks: [policiesHold],
  rebuild: rebuildPolicies,
}
