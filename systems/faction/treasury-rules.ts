/** Credits into and out of the treasury of a faction. Source: trade-storage.md section 4. */
import { type Failure, fail, ok } from '../../core/errors.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { recordPeak } from '../achievement/rules.ts'
import { tradeRefusal } from '../combat/model.ts'
import { creditMove } from '../log/rules.ts'
import { factionGiftRefusal, recordFactionGift } from './giving-model.ts'
import { factionIdOf, factionName, factionOf, permissionRefusal, treasuryOf } from './model.ts'
import { notifyWithdrawal, recordStoreMove } from './rules.ts'

const balances = (view: WorldView, player: Eid, faction: Row) => ({
  player_credits: balanceOf(view, walletOf(view, player)),
  faction_credits: balanceOf(view, treasuryOf(view, faction)),
})

/** Refuses a payment that the payer cannot afford, or the payee's account cannot receive. */
function paymentRefusal(
  view: WorldView,
  from: Row,
  to: Row,
  { amount, code }: { amount: number; code: 'no_credits' | 'faction_no_credits' },
): Failure<'amount_too_large' | 'faction_no_credits' | 'no_credits'> | undefined {
  const have = balanceOf(view, from)
  if (have < amount) return fail(code, { need: amount, have })
  return canReceive(view, to, amount) ? undefined : fail('amount_too_large')
}

/**
 * Pays from a wallet into the treasury of a faction, by default the player's own. Refusals:
 * not_in_faction, trading_restricted, no_credits, amount_too_large.
 */
export function payIn(
  world: World,
  player: Eid,
  amount: number,
  faction: Row = factionOf(world, player),
) {
  if (faction === 0) return fail('not_in_faction')
  const [wallet, treasury] = [walletOf(world, player), treasuryOf(world, faction)]
  const refused =
    tradeRefusal(world, player) ??
    paymentRefusal(world, wallet, treasury, { amount, code: 'no_credits' }) ??
    factionGiftRefusal(world, player, faction, amount)
  if (refused) return refused
  recordFactionGift(world, player, faction, amount)
  const summary = `Paid ${counted(amount, 'credit')} into the treasury of ${factionName(world, faction)}.`
  creditMove(world, player, wallet, treasury, amount, 'faction', 'deposit_credits', summary)
  recordStoreMove(world, { faction, player, action: 'deposit_credits', summary, credits: amount })
  recordPeak(world, faction, 'treasury', balanceOf(world, treasury))
  if (faction === factionOf(world, player)) {
    return ok({ action: 'faction_deposit_credits', amount, ...balances(world, player, faction) })
  }
  return ok({
    action: 'faction_gift',
    faction_id: factionIdOf(world, faction),
    faction_name: factionName(world, faction),
    credits_sent: amount,
    items_sent: 0,
    message: summary,
  })
}

/**
 * Pays out of the treasury of the player's faction into their wallet. Refusals: not_in_faction,
 * no_permission, faction_no_credits, amount_too_large.
 */
export function payOut(world: World, player: Eid, amount: number) {
  const denied = permissionRefusal(world, player, 'manage_treasury')
  if (denied) return denied
  const faction = factionOf(world, player)
  const [wallet, treasury] = [walletOf(world, player), treasuryOf(world, faction)]
  const refused = paymentRefusal(world, treasury, wallet, { amount, code: 'faction_no_credits' })
  if (refused) return refused
  const summary = `Took ${counted(amount, 'credit')} out of the treasury of ${factionName(world, faction)}.`
  creditMove(world, player, treasury, wallet, amount, 'faction', 'withdraw_credits', summary)
  const move = { faction, player, action: 'withdraw_credits', summary, credits: amount }
  recordStoreMove(world, move)
  notifyWithdrawal(world, move)
  return ok({ action: 'faction_withdraw_credits', amount, ...balances(world, player, faction) })
}
