/** Postings: missions that factions offer at their bases. Source: factions.md section 7. */
import type { DomainDef } from '../../core/registry.ts'
import { factionCancelMission, factionListMissions, factionPostMission } from './commands.ts'
import { rebuildPostings } from './rules.ts'
import { POSTING_TEXTS, Posting } from './state.ts'
import { endPostings, lapse, postingsHold, rewardsFit } from './systems.ts'

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
