/** Credits into and out of the treasury of a faction. Source: trade-storage.md section 4. */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { notePeak } from '../achievement/counter-rules.ts'
import { refusesTrade } from '../combat/rules.ts'
import { creditMove } from '../log/rules.ts'
import { noteStoreMove, tellWithdrawal } from './activity-rules.ts'
import { factionIdOf, factionName, factionOf, refusesPermission, treasuryOf } from './rules.ts'

const figures = (view: WorldView, player: Eid, faction: Row) => ({
  player_credits: balanceOf(view, walletOf(view, player)),
  faction_credits: balanceOf(view, treasuryOf(view, faction)),
})

function refusesPaying(
  view: WorldView,
  from: Row,
  to: Row,
  { amount, code }: { amount: number; code: 'no_credits' | 'faction_no_credits' },
): Failure | undefined {
  const have = balanceOf(view, from)
  if (have < amount) return fail(code, { need: amount, have })
  return canReceive(view, to, amount) ? undefined : fail('amount_too_large')
}

/**
 * Pays from a wallet into the treasury of a faction; the player's own unless said. Refusals:
 * not_in_faction, trading_restricted, no_credits, amount_too_large.
 */
export function payIn(
  world: World,
  player: Eid,
  amount: number,
  faction: Row = factionOf(world, player),
): Outcome<Record<string, unknown> & { action: string }> {
  if (faction === 0) return fail('not_in_faction')
  const [wallet, treasury] = [walletOf(world, player), treasuryOf(world, faction)]
  const refused =
    refusesTrade(world, player) ??
    refusesPaying(world, wallet, treasury, { amount, code: 'no_credits' })
  if (refused) return refused
  const summary = `Paid ${counted(amount, 'credit')} into the treasury of ${factionName(world, faction)}.`
  creditMove(world, player, wallet, treasury, amount, 'faction', 'deposit_credits', summary)
  noteStoreMove(world, { faction, player, action: 'deposit_credits', summary, credits: amount })
  notePeak(world, faction, 'treasury', balanceOf(world, treasury))
  if (faction === factionOf(world, player)) {
    return ok({ action: 'faction_deposit_credits', amount, ...figures(world, player, faction) })
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
 * Pays out of the treasury of the player's faction into his wallet. Refusals: not_in_faction,
 * no_permission, faction_no_credits, amount_too_large.
 */
export function payOut(
  world: World,
  player: Eid,
  amount: number,
): Outcome<Record<string, unknown> & { action: string }> {
  const denied = refusesPermission(world, player, 'manage_treasury')
  if (denied) return denied
  const faction = factionOf(world, player)
  const [wallet, treasury] = [walletOf(world, player), treasuryOf(world, faction)]
  const refused = refusesPaying(world, treasury, wallet, { amount, code: 'faction_no_credits' })
  if (refused) return refused
  const summary = `Took ${counted(amount, 'credit')} out of the treasury of ${factionName(world, faction)}.`
  creditMove(world, player, treasury, wallet, amount, 'faction', 'withdraw_credits', summary)
  const noted = { faction, player, action: 'withdraw_credits', summary, credits: amount }
  noteStoreMove(world, noted)
  tellWithdrawal(world, noted)
  return ok({ action: 'faction_withdraw_credits', amount, ...figures(world, player, faction) })
}
