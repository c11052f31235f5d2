/** Missions: boards, active missions, completed ones. */
import type { DomainDef } from '../../core/registry.ts'
import {
  abandonMission,
  acceptMission,
  completedMissions,
  declineMission,
  getActiveMissions,
  getActiveMissionsV2,
  getMissions,
  viewCompletedMission,
} from './commands.ts'
import { completeMissionCommand } from './completion-commands.ts'
import { haveMoved } from './model.ts'
import { start } from './rules.ts'
import { missionsSection, missionUpdate } from './schemas.ts'
import { MISSION_RECORDS, Mission, POOLS, SHARES } from './state.ts'
import { collect, collectionsHold, expire, missionsHold, notifyOfProgress } from './systems.ts'
import { renderMissions } from './views.ts'

export const missionDomain: DomainDef = {
  name: 'mission',
  tables: [Mission],
  records: [MISSION_RECORDS, POOLS, SHARES],
  commands: [
    ...[getMissions, acceptMission, declineMission, getActiveMissions, getActiveMissionsV2],
    ...[completeMissionCommand, abandonMission, completedMissions, viewCompletedMission],
  ],
  events: [missionUpdate],
  systems: [expire, collect, notifyOfProgress],
  checks: [missionsHold, collectionsHold],
  rebuild: start,
  sections: { missions: renderMissions },
  moved: { missions: haveMoved },
  sectionSchemas: { missions: missionsSection },
}
