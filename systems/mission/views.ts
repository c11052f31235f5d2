/**
 * The section `missions` of the v2 state. A player has no missions yet: nothing in this server
 * offers any.
 */
import { MISSIONS_MAX } from '../../core/limits.ts'
import { bools, ints, list, mapOf, numbers, obj, opt, strings, Type } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/world.ts'

const objective = obj(
  opt({
    ...strings('description', 'item_id', 'item_name', 'system_id', 'system_name'),
    ...strings('target_base', 'target_base_name', 'type'),
    ...ints('current', 'required', 'in_cargo', 'in_storage'),
    ...bools('completed'),
    eligible_players: list(Type.String()),
    participants: list(Type.String()),
  }),
)

const mission = obj(
  opt({
    ...strings('mission_id', 'template_id', 'title', 'type', 'description', 'accepted_at'),
    ...strings('issuing_base', 'issuing_base_id', 'issuing_system_id', 'issuing_system_name'),
    ...ints('difficulty', 'expires_in_ticks', 'percent_complete'),
    ...bools('community'),
    ...numbers('community_percent'),
    community_progress: mapOf(Type.Integer()),
    giver: obj(strings('name', 'title')),
    objectives: list(objective),
    rewards: obj(
      opt({
        ...ints('credits', 'pirate_rep', 'reputation'),
        items: mapOf(Type.Integer()),
        skill_xp: mapOf(Type.Integer()),
      }),
    ),
  }),
)

export const missionsSection = obj({ active: list(mission), ...ints('max_missions') })

export function renderMissions(_view: WorldView, _player: Eid) {
  return { active: [], max_missions: MISSIONS_MAX }
}
