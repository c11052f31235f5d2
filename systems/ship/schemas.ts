/** Wire shapes of ships. */
import { defineEvent } from '../../core/event.ts'
import {
  anyObject,
  bools,
  ints,
  list,
  mapOf,
  named,
  numbers,
  obj,
  opt,
  optional,
  strings,
  Type,
} from '../../core/params.ts'

/** Sent to the player whose ship another one has repaired. Source: spec, Combat and ships. */
export const repairedBy = defineEvent({
  type: 'repaired_by',
  summary: 'Another player has repaired your ship.',
  fields: obj({
    ...strings('source_player_id', 'source_username'),
    ...ints('repaired', 'hull', 'max_hull'),
  }),
  queue: 'system',
  channel: () => 'support',
})

/* Schemas */

const material = obj({ ...strings('item_id'), ...ints('quantity') })

/** A hull class of the catalogue. */
export const shipClassSchema = named('ShipClass', {
  ...strings('id', 'name', 'class'),
  ...opt(strings('category', 'description', 'lore', 'faction', 'special', 'based_on')),
  ...opt(strings('prestige_lock', 'required_achievement', 'required_faction_achievement')),
  ...opt(ints('tier', 'scale', 'base_hull', 'base_armor', 'base_shield', 'base_shield_recharge')),
  ...opt(ints('base_speed', 'base_fuel', 'cargo_capacity', 'cpu_capacity', 'power_capacity')),
  ...opt(ints('weapon_slots', 'defense_slots', 'utility_slots', 'default_loadout_version')),
  ...opt(ints('piloting_required', 'required_reputation', 'shipyard_tier', 'build_time')),
  ...opt(ints('tow_speed_bonus', 'crew_capacity', 'minimum_crew', 'marine_capacity')),
  ...opt(ints('latch_resistance', 'boarding_defense_bonus_pct')),
  ...opt(strings('capture_policy')),
  ...opt(bools('starter_ship', 'hidden', 'legacy', 'required_faction_leader')),
  default_modules: optional(list(Type.String())),
  flavor_tags: optional(list(Type.String())),
  passive_recipes: optional(list(Type.String())),
  build_materials: optional(list(material)),
  required_items: optional(list(material)),
  inherent_capabilities: optional(
    list(obj({ ...strings('type'), ...ints('value'), ...opt(strings('flag')) })),
  ),
})

/** A fitted module, v1. */
export const moduleSchema = named('FittedModule', {
  ...strings('id', 'type_id', 'name', 'type', 'slot', 'wear_status'),
  ...ints('size', 'cpu_usage', 'power_usage'),
  ...numbers('wear'),
  ...opt(strings('special', 'damage_type', 'ammo_type', 'loaded_ammo_id', 'loaded_ammo_name')),
  ...opt(ints('current_ammo', 'magazine_size', 'mining_power', 'damage', 'reach', 'cooldown')),
  ...opt(ints('accuracy_bonus', 'tracking_bonus', 'armor_bonus', 'armor_repair_rate')),
  ...opt(ints('hull_bonus', 'hull_penalty', 'damage_reduction', 'shield_bonus')),
  ...opt(ints('shield_recharge_bonus', 'speed_bonus', 'speed_penalty', 'fuel_efficiency')),
  ...opt(ints('max_fuel_bonus', 'tow_speed_penalty', 'cargo_bonus', 'cpu_bonus', 'power_bonus')),
  ...opt(ints('drone_capacity', 'drone_bandwidth', 'scanner_power', 'survey_power')),
  ...opt(ints('cloak_strength', 'signature_bonus', 'salvage_bonus')),
  ...opt(numbers('shield_bypass_bonus', 'armor_bypass_bonus', 'precision_factor')),
  resistance_bonus: optional(mapOf(Type.Integer())),
})

const count = obj(ints('total', 'free'))
const berthsSchema = named('Berths', { economy: count, business: count, first: count })

/** Battle effects and buffs; absent while there is none. */
const afflictions = {
  ...opt(numbers('armor_melt_pct', 'damage_penalty', 'speed_penalty')),
  ...opt(ints('armor_melt_ticks_remaining', 'burn_damage_per_tick', 'burn_ticks_remaining')),
  ...opt(ints('disruption_ticks_remaining')),
  ...opt(strings('burn_source_id')),
  active_buffs: optional(
    list(
      obj({
        ...strings('item_id', 'stat'),
        ...ints('amount', 'expires_at'),
        ...opt(ints('ticks_left')),
      }),
    ),
  ),
}

const figures = {
  ...strings('id', 'class_id', 'name'),
  ...ints('hull', 'max_hull', 'fuel', 'max_fuel', 'cargo_used', 'cargo_capacity'),
  ...opt(ints('shield', 'max_shield', 'shield_recharge', 'armor', 'speed')),
  ...opt(ints('cpu_used', 'cpu_capacity', 'power_used', 'power_capacity')),
  ...opt(ints('weapon_slots', 'defense_slots', 'utility_slots')),
  ...opt(ints('ore_cargo_efficiency', 'ice_cargo_efficiency', 'gas_cargo_efficiency')),
  ...opt(strings('custom_name', 'class_name')),
  ...afflictions,
}

const personnelSchema = named('Personnel', {
  ...ints('fit_crew', 'fit_marines', 'injured_crew', 'injured_marines', 'version'),
  ...opt(ints('crew_capacity', 'minimum_crew', 'marine_capacity')),
})

/** Capacities and efficiency of the crew; for the owner alone. Source: newer.md section 5. */
const manning = {
  ...opt(ints('crew_capacity', 'marine_capacity', 'minimum_crew')),
  ...opt(ints('effective_crew_capacity', 'effective_marine_capacity', 'operational_speed')),
  ...opt(numbers('crew_efficiency')),
  ...opt(bools('incapacitated')),
  ...opt(ints('personnel_recovery_tick', 'personnel_recovery_ticks_remaining')),
}

/** v1 Ship. */
export const shipSchema = named('Ship', {
  ...figures,
  ...opt(strings('owner_id', 'created_at', 'docked_at_base', 'in_faction_garage')),
  ...opt(strings('loaded_on_carrier_id')),
  ...opt(ints('loadout_version', 'last_process_tick')),
  modules: optional(list(Type.String())),
  cargo: optional(
    list(
      obj({
        ...strings('item_id'),
        ...ints('quantity'),
        ...opt(strings('name')),
        ...opt(ints('size')),
      }),
    ),
  ),
  personnel: optional(personnelSchema),
  ...manning,
})

/** v2 section `ship`. */
export const shipSection = named('ShipSection', {
  ...figures,
  berths: optional(berthsSchema),
  personnel: optional(personnelSchema),
  ...manning,
})

/** v2 section `modules`. */
export const modulesSection = list(
  named('ModuleSection', {
    ...strings('module_id', 'type_id', 'name', 'type', 'slot', 'wear_status'),
    ...ints('size', 'cpu_usage', 'power_usage'),
    ...numbers('wear'),
    stats: anyObject(),
    ...opt(strings('ammo_type', 'loaded_ammo_id', 'loaded_ammo_name')),
    ...opt(ints('current_ammo', 'magazine_size')),
  }),
)

/** Answer of get_ship, v1. */
export const getShipSchema = obj({
  ship: shipSchema,
  class: optional(shipClassSchema),
  modules: list(moduleSchema),
  ...ints('cargo_used', 'cargo_max'),
  berths: optional(berthsSchema),
})
