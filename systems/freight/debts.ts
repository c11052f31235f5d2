/** Paying what was lost. Source: crafting.md section 10, pay_debt. */
import { type Failure, fail } from '../../core/errors.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { type Actor, charge, creditsOf } from './actor-rules.ts'
import type { Debt } from './columns.ts'
import { debtsOf, noteRecovery, outstandingOf, saveDebts } from './profile.ts'

/** Refusals: no_debt, no_credits, faction_no_credits, amount_too_large. */
export function refusesPaying(
  view: WorldView,
  carrier: Actor,
  amount: number,
): Failure | undefined {
  if (outstandingOf(view, carrier) === 0) return fail('no_debt')
  const have = creditsOf(view, carrier)
  if (have < amount) {
    const code = carrier.kind === 'faction' ? 'faction_no_credits' : 'no_credits'
    return fail(code, { need: amount, have })
  }
  const insurer = namedAccount('freight_insurance')
  return canReceive(view, insurer, amount) ? undefined : fail('amount_too_large')
}

/** Pays debts, the oldest first; returns those that changed, as they stand now. */
export function payDebts(world: World, carrier: Actor, amount: number, player: Eid): Debt[] {
  charge(world, carrier, namedAccount('freight_insurance'), amount, {
    ...{
      verb: 'debt',
      said: `Paid ${counted(amount, 'credit')} of what was owed for lost packages.`,
    },
    agent: player,
  })
  let left = amount
  const changed: Debt[] = []
  const after = debtsOf(world, carrier).map((debt) => {
    const paid = Math.min(left, debt.outstanding)
    left -= paid
    if (paid === 0) return debt
    const now = { ...debt, outstanding: debt.outstanding - paid }
    changed.push(now)
    return now
  })
  const open = after.filter(({ outstanding }) => outstanding > 0)
  saveDebts(world, carrier, open)
  if (open.length === 0) noteRecovery(world, carrier)
  return changed
}
