/** Postings: missions that factions offer at their bases. Source: factions.md section 7. */
import type { DomainDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { postingsHold } from './checks.ts'
import { POSTING_TEXTS, Posting } from './columns.ts'
import { factionCancelMission, factionListMissions, factionPostMission } from './commands.ts'
import { endPostings, rewardsFit } from './observers.ts'
import { lapsePostings, rebuildPostings } from './rules.ts'

/** After act, as missions expire: what is taken in its last tick is taken. */
const lapse: SystemDef = {
  name: 'posting.lapse',
  phase: 'produce',
  reads: [],
  writes: [Posting],
  run: lapsePostings,
}

export const postingDomain: DomainDef = {
  name: 'posting',
  tables: [Posting],
  records: [POSTING_TEXTS],
  commands: [factionPostMission, factionCancelMission, factionListMissions],
  systems: [lapse],
  checks: [postingsHold],
  observers: [endPostings],
  guards: [rewardsFit],
  rebuild: rebuildPostings,
}
