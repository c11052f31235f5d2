/** Postings: missions that factions offer at their bases. Source: factions.md section 7. */

import { fail } from '../../core/errors.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { World } from '../../core/world.ts'
import { walletOf } from '../account/rules.ts'
import { isStoreNearlyFull } from '../cargo/rules.ts'
import { onDisband, treasuryOf } from '../faction/rules.ts'
import { dropMission } from '../mission/rules.ts'
import { postingsHold } from './checks.ts'
import { POSTING_TEXTS, Posting } from './columns.ts'
import { factionCancelMission, factionListMissions, factionPostMission } from './commands.ts'
import {
  allPostingsOf,
  closePosting,
  lapsePostings,
  rebuildPostings,
  refundPosting,
} from './rules.ts'

/** After act, as missions expire: what is taken in its last tick is taken. */
const lapse: SystemDef = {
  name: 'posting.lapse',
  phase: 'produce',
  reads: [],
  writes: [Posting],
  run: lapsePostings,
}

/** The end of a faction gives its rewards back, and ends what others are at for it. */
function endPostings(world: World): void {
  onDisband(world, {
    refuses(view, faction, heir) {
      const { credits, goods } = view.read(Posting)
      const open = allPostingsOf(view, faction)
      const held = balanceOf(view, treasuryOf(view, faction))
      const sum = open.reduce((all, row) => all + credits[row], held)
      if (!canReceive(view, walletOf(view, heir), sum)) return fail('amount_too_large')
      const spreads = open.some((row) => goods[row] !== 0) && isStoreNearlyFull(view)
      return spreads ? fail('limit_reached') : undefined
    },
    run(_world, faction, heir) {
      for (const posting of allPostingsOf(world, faction)) {
        const mission = world.read(Posting).mission[posting]
        if (mission !== 0) dropMission(world, mission)
        refundPosting(world, posting, heir, 'mission_lapsed')
        closePosting(world, posting)
      }
    },
  })
}

export const postingDomain: DomainDef = {
  name: 'posting',
  tables: [Posting],
  records: [POSTING_TEXTS],
  commands: [factionPostMission, factionCancelMission, factionListMissions],
  systems: [lapse],
  checks: [postingsHold],
  rebuild(world) {
    rebuildPostings(world)
    endPostings(world)
  },
}
