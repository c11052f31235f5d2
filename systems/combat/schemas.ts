/** Wire shapes of battles: combatants, sides, boardings. Source: combat.md section 16. */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  ints,
  list,
  mapOf,
  numbers,
  obj,
  opt,
  optional,
  strings,
  Type,
} from '../../core/params.ts'
import { captureSchema, endedParticipantSchema } from './report-state.ts'

/** Source: combat.md section 16. */
export const sideSchema = obj({
  ...ints('side_id', 'player_count'),
  ...opt(strings('faction_id', 'faction_name', 'faction_tag')),
})

export const sidesSchema = list(sideSchema)

/* Events, except for battle_update (feed-systems.ts). Source: combat.md section 16. */

const scene = { ...strings('battle_id', 'system_id'), sides: sidesSchema }

/** Source: combat.md section 16. */
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
 * Sent at the start of a battle and on arrival, and to those in it when pirates are called. Source:
 * combat.md section 16, balance.md section 8; ours: how often.
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
  summary: 'A player is out of your battle; or you are.',
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
  summary: 'Your ship is lost; you wake at a base in another one.',
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

/*
 * The battle log: a row a tick with a list for each sort of thing that happened in it. Lists
 * without entries are absent, except for `snapshots`. Source: combat.md sections 6, 16, contract.
 */

/** An order of the pilot or the AI that was carried out. */
const command = obj({
  ...strings('player_id', 'command'),
  ...opt(strings('stance', 'target_id')),
})

const join = obj({ ...strings('player_id', 'username'), ...ints('side_id') })

const autopilot = obj({ ...strings('player_id', 'reason'), ...opt(strings('chosen_target')) })

const zoneMove = obj(strings('player_id', 'old_zone', 'new_zone', 'reason'))

/** Stages 1 to 4 of a weapon. Chances and rolls in percent; it hits if the roll is lower. */
const weapon = obj({
  ...strings('instance_id', 'name', 'damage_type'),
  ...numbers('hit_chance', 'hit_roll', 'crit_chance', 'crit_roll'),
  ...bools('hit_success', 'crit_fired'),
  ...ints('base_damage', 'type_bonus_pct', 'after_type', 'after_ammo', 'crew_efficiency_pct'),
  ...ints('after_disruption', 'damage'),
  ...opt({ ...strings('ammo_used'), ...numbers('ammo_mod') }),
})

/** Stages 5 to 13: one attacker, one target, one type of damage. */
const attack = obj({
  ...strings('attacker_id', 'target_id', 'damage_type'),
  ...numbers('hit_chance', 'hit_roll'),
  ...bools('hit_success'),
  ...ints('zone_distance', 'raw_damage', 'weapon_skill_pct', 'pre_hit_damage', 'final_damage'),
  ...ints('shield_damage', 'hull_damage'),
  weapons: list(weapon),
  ...opt({
    ...bools('splash', 'disrupted', 'self_destruct', 'killed'),
    ...numbers('base_hit_chance', 'stance_mult'),
    ...ints('after_weapon_skill', 'off_buff_pct', 'capital_bonus_pct', 'ammo_target_pct'),
    ...ints('after_stance', 'def_buff_pct', 'after_def_buff'),
    ...ints('shield_resist_pct', 'after_shield_resist', 'type_resist_pct', 'after_type_resist'),
    ...ints('flat_reduction_pct', 'shield_bypass_pct', 'bypass_damage', 'shield_effect_pct'),
    ...ints('damage_to_shield', 'damage_to_hull', 'armor', 'armor_bypass_pct', 'hull_effect_pct'),
    ...ints('disruption_ticks', 'burn_damage_per_tick', 'burn_ticks', 'armor_melt_pct'),
    ...ints('armor_melt_ticks', 'splash_damage'),
  }),
})

const burn = obj({
  ...strings('target_id'),
  ...ints('damage', 'ticks_remaining'),
  ...opt({ ...strings('attacker_id'), ...bools('destroyed') }),
})

const regrowth = obj({
  ...strings('player_id'),
  ...ints('hull_before', 'hull_after', 'armor_repair'),
  ...ints('shield_before', 'shield_after', 'shield_regen'),
  ...opt(ints('remote_repair')),
})

const flight = obj({
  ...strings('player_id'),
  ...ints('flee_counter', 'flee_required'),
  ...bools('escaped'),
  ...opt({ ...bools('tackled'), ...ints('tackle_points') }),
})

const fuel = obj({
  ...strings('player_id'),
  ...ints('fuel_before', 'fuel_after', 'fuel_burned'),
  ...bools('forced_fire'),
})

/** Without numbers of people. */
const boarding = obj({
  ...strings('event', 'attacker_id', 'target_id'),
  ...opt(strings('operation_id', 'reason', 'outcome')),
})

const kill = obj(strings('killer_id', 'killer_username', 'victim_id', 'victim_username', 'cause'))

const magazine = obj({
  ...strings('name', 'category'),
  ...opt({ ...ints('current_ammo', 'magazine_size'), ...strings('loaded_ammo') }),
})

/** State of a ship after the tick. */
const snapshot = obj({
  ...strings('player_id', 'username', 'stance'),
  ...bools('auto_pilot'),
  ...ints('side_id', 'hull', 'max_hull', 'shield', 'max_shield', 'fuel', 'max_fuel'),
  ...ints('flee_counter', 'damage_dealt', 'damage_taken', 'kill_count'),
  /** In AU; zeros for a place off the chart. */
  ...numbers('x', 'y'),
  ...opt({
    ...strings('kind', 'ship_class', 'zone', 'target_id', 'faction_id'),
    ...ints('speed_penalty_pct', 'damage_penalty_pct', 'disruption_ticks'),
    ...ints('burn_ticks', 'burn_damage_per_tick', 'armor_melt_ticks', 'armor_melt_pct'),
    ...ints('self_destruct_ticks'),
  }),
  modules: optional(list(magazine)),
})

const ended = obj({
  ...strings('category', 'outcome'),
  ...ints('duration', 'ships_destroyed', 'ships_captured', 'total_damage', 'winning_side'),
  participant_names: list(Type.String()),
  participants: list(endedParticipantSchema),
  captures: list(captureSchema),
})

/** One tick of a battle. */
export const logRowSchema = obj({
  ...strings('battle_id', 'system_id'),
  ...ints('tick'),
  ...opt({
    commands: list(command),
    joins: list(join),
    autopilot: list(autopilot),
    zone_moves: list(zoneMove),
    attacks: list(attack),
    burns: list(burn),
    regen: list(regrowth),
    flee: list(flight),
    fuel: list(fuel),
    boarding: list(boarding),
    captures: list(captureSchema),
    kills: list(kill),
    battle_ended: ended,
  }),
  snapshots: list(snapshot),
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
