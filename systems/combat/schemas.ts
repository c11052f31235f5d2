/** Wire shapes of battles: combatants, sides, boardings. Source: combat.md section 16. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, list, mapOf, obj, opt, optional, strings, Type } from '../../core/params.ts'
import { captureSchema, endedParticipantSchema } from '../../core/public/battle-log.ts'

/** A side of a battle. Source: combat.md section 16. */
export const sideSchema = obj({
  ...ints('side_id', 'player_count'),
  ...opt(strings('faction_id', 'faction_name', 'faction_tag')),
})

export const sidesSchema = list(sideSchema)

/* Events, except for battle_update (feed-systems.ts). Source: combat.md section 16. */

const scene = { ...strings('battle_id', 'system_id'), sides: sidesSchema }

/** A participant of a battle. Source: combat.md section 16. */
export const participantSchema = obj({
  ...strings('player_id', 'username', 'zone', 'stance'),
  ...ints('side_id'),
  ...opt({ ...strings('ship_class', 'kind'), ...ints('hull_pct', 'shield_pct') }),
  ...opt(bools('is_npc')),
})

const participantsSchema = list(participantSchema)

export const battleStarted = defineEvent({
  type: 'battle_started',
  summary: 'A battle has broken out in your system.',
  fields: obj({ ...scene, participants: participantsSchema }),
  queue: 'combat',
  channel: () => 'battle_events',
})

/**
 * Sent to bystanders when a battle starts or they arrive in its system, and to the pilots in a
 * battle when pirates are called to it. Source: combat.md section 16, balance.md section 8; ours:
 * how often.
 */
export const battleAlert = defineEvent({
  type: 'battle_alert',
  summary: 'There is a battle in your system, or pirates are on their way to yours.',
  fields: obj({ ...scene, ...strings('message'), participants: participantsSchema }),
  queue: 'combat',
  channel: () => 'battle_alerts',
})

export const battleJoined = defineEvent({
  type: 'battle_joined',
  summary: 'A ship has joined your battle.',
  fields: obj({ ...strings('player_id', 'username'), ...ints('side_id') }),
  queue: 'combat',
  channel: () => 'battle_events',
})

export const battleDamage = defineEvent({
  type: 'battle_damage',
  summary: 'A volley in your battle, hit or miss.',
  fields: obj({
    ...strings('attacker_id', 'target_id', 'damage_type'),
    ...opt(strings('attacker_name', 'target_name')),
    ...ints('tick', 'total_damage', 'shield_hit', 'hull_hit'),
    ...bools('hit_success'),
    weapons_fired: list(Type.String()),
    xp_gained: optional(mapOf(mapOf(Type.Integer()))),
  }),
  queue: 'combat',
  channel: () => 'battle_ticker',
})

export const battleLeft = defineEvent({
  type: 'battle_left',
  summary: 'A player has left your battle, or you have.',
  fields: obj(strings('player_id', 'username', 'reason')),
  queue: 'combat',
  channel: () => 'battle_events',
})

export const pilotlessShip = defineEvent({
  type: 'pilotless_ship',
  summary: 'A pilot in your system has lost the connection in a fight; the ship waits a while.',
  fields: obj({
    ...strings('player_id', 'player_username', 'ship_id', 'ship_class', 'system_id', 'poi_id'),
    ...ints('expire_tick', 'ticks_remaining'),
  }),
  queue: 'combat',
  channel: () => 'battle_events',
})

export const battleEnded = defineEvent({
  type: 'battle_ended',
  summary: 'A battle in your system, or the last you were in, is over.',
  fields: obj({
    ...strings('battle_id', 'reason'),
    ...ints('winning_side', 'duration', 'total_damage', 'ships_destroyed', 'ships_captured'),
    participants: list(endedParticipantSchema),
    captures: list(captureSchema),
    ...opt(strings('message')),
  }),
  queue: 'combat',
  channel: () => 'battle_events',
})

const wreckPlace = strings(
  'wreck_id',
  'wreck_poi_id',
  'wreck_poi_name',
  'wreck_system_id',
  'wreck_system_name',
)

export const combatLogSchema = obj({
  ...ints('combat_rounds', 'hull_damage', 'shield_damage', 'total_damage'),
  ...strings('death_location', 'death_system', 'message'),
  ...opt(strings('attacker_ship')),
  weapons_used: optional(mapOf(Type.Integer())),
})

export const playerDied = defineEvent({
  type: 'player_died',
  summary: 'Your ship is lost; you respawn at a base in another one.',
  fields: obj({
    ...strings('respawn_base', 'ship_lost'),
    ...ints('clone_cost', 'insurance_payout'),
    ...opt({ ...strings('killer_id', 'killer_name', 'cause'), ...wreckPlace }),
    combat_log: optional(combatLogSchema),
    ...opt(ints('self_destruct_fee')),
    ...opt(bools('wreck_suppressed')),
  }),
  queue: 'combat',
})

export const playerKill = defineEvent({
  type: 'player_kill',
  summary: 'You have destroyed the ship of a player.',
  fields: obj({
    ...strings('victim'),
    ...opt({ ...wreckPlace, ...bools('wreck_has_cargo', 'wreck_has_modules') }),
  }),
  queue: 'combat',
})

/** A boarding as everyone sees it, without numbers of people. Source: combat.md sections 10, 16. */
export const boardingSchema = obj({
  ...strings('operation_id', 'attacker_id', 'target_id', 'phase', 'progress'),
  ...opt(ints('self_destruct_ticks')),
})

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
