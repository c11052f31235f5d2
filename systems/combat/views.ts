/** What players see of battles. */
import { BATTLE_ANNOUNCED_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { battleId, participantsOf, renderCombatant, renderSides } from './model.ts'
import type { activeBattleSchema } from './schemas.ts'
import { Participant } from './state.ts'

/* The battle of a place, for those who look around */

/** A battle with those who fight in it, as far as a list reaches. */
export function renderActiveBattle(
  view: WorldView,
  battle: Eid,
): Static<typeof activeBattleSchema> {
  const rows = participantsOf(view, battle)
  const { side } = view.read(Participant)
  return {
    battle_id: battleId(view, battle),
    participants: rows
      .slice(0, BATTLE_ANNOUNCED_MAX)
      .map((row) => ({ ...renderCombatant(view, row), side_id: side[row] })),
    sides: renderSides(view, rows),
  }
}
