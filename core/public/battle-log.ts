/**
 * The log of a battle as everyone may read it, players by `get_battle_log` and strangers by
 * `/api/battle/log`. Source: combat.md sections 6, 16; WEB 1.3.
 */
import {
  bools,
  ints,
  list,
  numbers,
  obj,
  opt,
  optional,
  type Static,
  strings,
  Type,
} from '../params.ts'

/** How the battle went for one participant. */
export const endedParticipantSchema = obj({
  ...strings('player_id', 'username'),
  ...ints('side_id', 'damage_dealt', 'damage_taken', 'kill_count'),
  ...bools('survived'),
  ...opt({ ...strings('kind'), ...bools('is_boss') }),
})
export type EndedParticipant = Static<typeof endedParticipantSchema>

/** A hull that was taken, as everyone may see it. Source: spec, Battle rules 5. */
export const captureSchema = obj({
  ...strings('boarding_operation_id', 'captor_id', 'captor_username', 'ship_id', 'ship_class'),
  ...strings('former_owner_id', 'former_owner_username'),
  ...ints('tick'),
  ...opt(strings('captor_kind', 'prize_id')),
})
export type Capture = Static<typeof captureSchema>

/*
 * The battle log: one row per tick, with a list for each kind of thing that happened in it. Lists
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

/** Leaves out numbers of people. */
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
export type LogRow = Static<typeof logRowSchema>
