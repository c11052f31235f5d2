/** Invariants of policies, and their expiry. Source: ships.md section 9. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { Ship } from '../ship/state.ts'
import { policiesOf } from './model.ts'
import { expirePolicies } from './rules.ts'
import { Cover, Policy } from './state.ts'

export const policiesHold: CheckDef = {
  name: 'policies: one a ship, held by its owner, listed under them, and not expired',
  run(view, full) {
    if (!full || view.countOf(Policy) === 0) return
    const { alive, ship, player, coverage, premium, expireTick } = view.read(Policy)
    const { owner } = view.read(Ship)
    const { policy: covers } = view.read(Cover)
    for (let policy = 1; policy <= view.highOf(Policy); policy++) {
      if (alive[policy] === 0) continue
      assert(covers[ship[policy]] === policy, `the ship of policy ${policy} has another policy`)
      assert(owner[ship[policy]] === player[policy], `policy ${policy} is not of its ship's owner`)
      assert(premium[policy] < coverage[policy], `policy ${policy} costs more than it pays`)
      assert(expireTick[policy] > view.tick, `policy ${policy} has expired`)
      assert(policiesOf(view, player[policy]).includes(policy), `policy ${policy} is not listed`)
    }
  },
}

export const expirePoliciesDue: SystemDef = {
  name: 'insurance.expire',
  phase: 'arrive',
  writes: [Cover, Policy],
  run: expirePolicies,
}
