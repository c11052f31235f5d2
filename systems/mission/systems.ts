/** The end of missions whose time is over, and news of objectives that moved on. */
import { OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import type { SystemDef } from '../../core/system.ts'
import type { World } from '../../core/types.ts'
import { Mission } from './columns.ts'
import { settlePools } from './community-rules.ts'
import { missionUpdate } from './events.ts'
import { closeMission, lapseDue, MISSIONS_OF, missionId, templateOf } from './rules.ts'
import { describeObjective } from './views.ts'

/** After act: what is completed in its last tick is completed. Source: missions.md section 9. */
export const expire: SystemDef = {
  name: 'mission.expire',
  phase: 'produce',
  reads: [],
  writes: [Mission],
  run: lapseDue,
}

/** Full collections are paid, and the missions that led to them end. */
export const collect: SystemDef = {
  name: 'mission.collect',
  phase: 'produce',
  reads: [],
  writes: [Mission],
  run: (world) => settlePools(world, (mission) => closeMission(world, mission)),
}

/** One frame a mission and tick: of the objective that moved last. */
function tellProgress(world: World): void {
  const { moved } = world.index(MISSIONS_OF)
  if (moved.size === 0) return
  const { alive, player, progress, seq } = world.read(Mission)
  const news = [...moved].filter(([mission]) => alive[mission] === 1)
  moved.clear()
  for (const [mission, index] of news.sort(([a], [b]) => seq[a] - seq[b])) {
    const payload = {
      mission_id: missionId(world, mission),
      objective: describeObjective(world, mission, index),
      current: progress[mission * OBJECTIVES_MAX + index],
      required: templateOf(world, mission).objectives[index].quantity,
    }
    emit(world, missionUpdate, payload, toPlayer(player[mission]))
  }
}

export const tell: SystemDef = {
  name: 'mission.tell',
  phase: 'settle',
  reads: [Mission],
  writes: [],
  run: tellProgress,
}
