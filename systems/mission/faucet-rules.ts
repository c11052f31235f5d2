/** Pay for exploration, from the same faucet as missions and within the same daily limit. */
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, World } from '../../core/types.ts'
import { recordGranted } from '../account/giving-model.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { creditMove } from '../log/rules.ts'
import { recordIncome } from '../tax/rules.ts'
import { FAUCET, saveRecord } from './community-rules.ts'
import { creditsLeft, paidToday, recordOf } from './model.ts'

/**
 * Pays a player for exploring, up to what is left of their daily limit; returns the credits paid.
 * Source: balance.md section 8.
 */
export function payExploration(world: World, player: Eid, due: number, summary: string): number {
  const wallet = walletOf(world, player)
  const paid = Math.min(due, creditsLeft(world, player))
  if (paid <= 0 || !canReceive(world, wallet, paid)) return 0
  const from = namedAccount(FAUCET)
  creditMove(world, player, from, wallet, paid, 'navigation', 'survey_pay', summary)
  recordIncome(world, player, 'mission', paid)
  addStat(world, player, 'credits_earned', paid)
  // Recorded so that a new account cannot pass its first pay on to another.
  recordGranted(world, player, paid)
  const record = recordOf(world, player)
  const sum = paidToday(world, record) + paid
  saveRecord(world, player, { ...record, day: dayOfTick(world.tick), paid: sum })
  return paid
}
