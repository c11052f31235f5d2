/** Missions: boards, active and completed missions, collections. */
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
import { haveMissionsChanged } from './model.ts'
import { advertise } from './pay-model.ts'
import { rebuildMissionIndexes } from './rules.ts'
import { missionsSection, missionUpdate } from './schemas.ts'
import { Advertised, ERRANDS_TAKEN, MISSION_RECORDS, Mission, POOLS, SHARES } from './state.ts'
import {
  collect,
  collectionsHold,
  expire,
  missionsHold,
  notifyOfProgress,
  survey,
} from './systems.ts'
import { renderMissions } from './views.ts'

export const missionDomain: DomainDef = {
  name: 'mission',
  tables: [Mission, Advertised],
  records: [MISSION_RECORDS, POOLS, SHARES, ERRANDS_TAKEN],
  commands: [
    getMissions,
    acceptMission,
    declineMission,
    getActiveMissions,
    getActiveMissionsV2,
    completeMissionCommand,
    abandonMission,
    completedMissions,
    viewCompletedMission,
  ],
  events: [missionUpdate],
  systems: [survey, expire, collect, notifyOfProgress],
  checks: [missionsHold, collectionsHold],
  genesis: advertise,
  rebuild: rebuildMissionIndexes,
  sections: { missions: renderMissions },
  moved: { missions: haveMissionsChanged },
  sectionSchemas: { missions: missionsSection },
}
