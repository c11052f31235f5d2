/** Paying a bounty from any place. Source: newer.md section 8. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { fail, invalidFields, ok } from '../../core/errors.ts'
import { balanceOf } from '../../core/ledger.ts'
import { ints, obj, optional, ref, str, strings } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import { reputationOf, walletOf } from '../account/model.ts'
import { bountyOf } from './model.ts'
import { collectBounty } from './rules.ts'

const ids = EMPIRES.map(({ id }) => id).join(', ')
const empireParam = () =>
  optional(ref('empire', str(`The empire: ${ids}.`, { min: 1, example: EMPIRES[0].id })))

export const payBounty = mutation({
  name: 'pay_bounty',
  v2: { tool: 'game', action: 'pay_bounty', rename: { empire: 'id' } },
  summary: 'Pay the whole bounty that an empire has on you from your wallet, at any place.',
  category: 'trading',
  order: 'plain',
  params: obj({ empire: empireParam(), empire_id: empireParam() }),
  result: obj({
    ...strings('action', 'empire', 'message'),
    ...ints('amount', 'credits', 'reputation', 'reputation_change'),
  }),
  needs: [],
  changes: ['player'],
  errors: ['invalid_payload', 'invalid_empire', 'no_bounty', 'no_credits'],
  run(world, player, params) {
    const given = params.empire ?? params.empire_id
    if (given === undefined) return invalidFields({ field: 'empire', expected: `one of ${ids}` })
    const empire = EMPIRES.findIndex(({ id }) => id === given.toLowerCase())
    if (empire < 0) return fail('invalid_empire', { empire: given })
    const { id, name } = EMPIRES[empire]
    const amount = bountyOf(world, player, empire)
    const none = say`You owe ${name} no bounty; {get_tax_estimate} lists the empires you owe one.`
    if (amount === 0) return fail('no_bounty', { empire: id }, none)
    const have = balanceOf(world, walletOf(world, player))
    if (have < amount) return fail('no_credits', { need: amount, have })
    const before = reputationOf(world, player, empire)
    collectBounty(world, player, empire)
    const reputation = reputationOf(world, player, empire)
    return ok({
      action: 'pay_bounty',
      empire: id,
      amount,
      credits: have - amount,
      reputation,
      // Reputation stops at its maximum, so that paying may restore less than the policy allows.
      reputation_change: reputation - before,
      message: `Paid ${counted(amount, 'credit')} to ${name}, which has no bounty on you now.`,
    })
  },
})
