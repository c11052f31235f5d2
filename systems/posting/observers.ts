/** What becomes of postings when a faction ends. Source: factions.md section 3. */
import { fail } from '../../core/errors.ts'
import { guard } from '../../core/guard.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { observe } from '../../core/occurrence.ts'
import { walletOf } from '../account/rules.ts'
import { isStoreNearlyFull } from '../cargo/rules.ts'
import { disbanded, disbanding } from '../faction/columns.ts'
import { treasuryOf } from '../faction/rules.ts'
import { dropMission } from '../mission/rules.ts'
import { Posting } from './columns.ts'
import { allPostingsOf, closePosting, refundPosting } from './rules.ts'

/** Refuses while what comes back would not fit into the wallet of the heir, or into the stores. */
export const rewardsFit = guard(disbanding, (view, { faction, heir }) => {
  const { credits, goods } = view.read(Posting)
  const open = allPostingsOf(view, faction)
  const held = balanceOf(view, treasuryOf(view, faction))
  const sum = open.reduce((all, row) => all + credits[row], held)
  if (!canReceive(view, walletOf(view, heir), sum)) return fail('amount_too_large')
  const spreads = open.some((row) => goods[row] !== 0) && isStoreNearlyFull(view)
  return spreads ? fail('limit_reached') : undefined
})

/** Gives the rewards back, and ends what others are at for the faction. */
export const endPostings = observe(disbanded, (world, { faction, heir }) => {
  for (const posting of allPostingsOf(world, faction)) {
    const mission = world.read(Posting).mission[posting]
    if (mission !== 0) dropMission(world, mission)
    refundPosting(world, posting, heir, 'mission_lapsed')
    closePosting(world, posting)
  }
})
