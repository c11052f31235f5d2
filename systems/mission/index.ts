/** Missions: boards, what players are at, and what they have done. */
import { assert } from '../../core/assert.ts'
import { missionFaults } from '../../core/catalog/index.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { collectionsHold, missionsHold } from './checks.ts'
import { MISSION_RECORDS, Mission, POOLS, SHARES } from './columns.ts'
import { abandonMission, acceptMission, completeMissionCommand } from './commands.ts'
import { rebuildPools } from './community-rules.ts'
import { missionUpdate } from './events.ts'
import { haveMoved } from './progress-rules.ts'
import {
  completedMissions,
  declineMission,
  getActiveMissions,
  getActiveMissionsV2,
  getMissions,
  viewCompletedMission,
} from './queries.ts'
import { rebuildMissions } from './rules.ts'
import { missionsSection } from './schemas.ts'
import { collect, expire, tell } from './systems.ts'
import { renderMissions } from './views.ts'

/** The server does not start with templates that promise what they must not. */
function start(world: World): void {
  const faults = missionFaults()
  assert(faults.length === 0, `missions are not sound: ${faults.join('; ')}`)
  rebuildMissions(world)
  rebuildPools(world)
}

export const missionDomain: DomainDef = {
  name: 'mission',
  tables: [Mission],
  records: [MISSION_RECORDS, POOLS, SHARES],
  commands: [
    ...[getMissions, acceptMission, declineMission, getActiveMissions, getActiveMissionsV2],
    ...[completeMissionCommand, abandonMission, completedMissions, viewCompletedMission],
  ],
  events: [missionUpdate],
  systems: [expire, collect, tell],
  checks: [missionsHold, collectionsHold],
  rebuild: start,
  sections: { missions: renderMissions },
  moved: { missions: haveMoved },
  sectionSchemas: { missions: missionsSection },
}
