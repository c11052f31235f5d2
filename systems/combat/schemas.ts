/** Wire shapes of battles: combatants, sides, boardings. Source: combat.md section 16. */
import { bools, ints, list, obj, opt, strings } from '../../core/params.ts'

/** Source: combat.md section 16. */
export const participantSchema = obj({
  ...strings('player_id', 'username', 'zone', 'stance'),
  ...ints('side_id'),
  ...opt({ ...strings('ship_class', 'kind'), ...ints('hull_pct', 'shield_pct') }),
  ...opt(bools('is_npc')),
})

/** Source: combat.md section 16. */
export const sideSchema = obj({
  ...ints('side_id', 'player_count'),
  ...opt(strings('faction_id', 'faction_name', 'faction_tag')),
})

/** A boarding as everybody sees it: never counts of people. Source: combat.md sections 10, 16. */
export const boardingSchema = obj({
  ...strings('operation_id', 'attacker_id', 'target_id', 'phase', 'progress'),
  ...opt(ints('self_destruct_ticks')),
})

export const sidesSchema = list(sideSchema)
export const participantsSchema = list(participantSchema)

export const activeBattleSchema = obj({
  ...strings('battle_id'),
  participants: list(
    obj({
      ...strings('player_id', 'username'),
      ...ints('side_id'),
      ...opt(strings('faction_id', 'kind', 'ship_class')),
      ...opt(bools('is_npc')),
    }),
  ),
  sides: sidesSchema,
})
