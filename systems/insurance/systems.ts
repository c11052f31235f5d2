/** The end of policies nobody was paid for. Source: ships.md section 9. */
import type { SystemDef } from '../../core/system.ts'
import { Cover, Policy } from './columns.ts'
import { expirePolicies } from './rules.ts'

export const expirePoliciesDue: SystemDef = {
  name: 'insurance.expire',
  phase: 'arrive',
  reads: [],
  writes: [Policy, Cover],
  run: expirePolicies,
}
