/** Wire shapes of catalogue entries, shared by all answers that show them. */
import {
  bools,
  choice,
  ints,
  list,
  mapOf,
  numbers,
  obj,
  opt,
  strings,
  Type,
} from '../../core/params.ts'
import { chartedPoiSchema, chartedSystemSchema } from '../../core/public/intel-map.ts'
import { getBaseSchema } from '../base/schemas.ts'
import { getPoiResult, mapSystemSchema, placeSchema } from '../travel/schemas.ts'

const texts = list(Type.String())
const amount = obj({ ...strings('item_id'), ...ints('quantity') })
const amounts = list(amount)

const ammo = obj(
  opt({
    ...numbers('anti_drone_mod', 'anti_large_mod', 'anti_small_mod', 'armor_bypass'),
    ...numbers('armor_melt_pct', 'damage_mod', 'disrupt_bonus_speed', 'disrupt_damage'),
    ...numbers('disrupt_speed', 'dot_pct', 'hull_damage_mod', 'shield_bypass'),
    ...numbers('shield_damage_mod', 'splash_pct', 'wear_per_shot'),
    ...ints('armor_melt_ticks', 'disrupt_bonus_ticks', 'disrupt_ticks', 'dot_ticks'),
    ...ints('hit_chance_mod'),
    ...bools('untraceable'),
  }),
)

const item = obj({
  ...strings('id', 'name', 'description', 'category'),
  ...ints('base_value', 'size'),
  ...bools('stackable', 'tradeable'),
  ...opt({
    ...strings('rarity', 'extracted_by', 'food_type'),
    ...bools('hazardous', 'hidden', 'quest_item'),
    region_lock: texts,
    effect: obj({
      ...strings('type'),
      ...opt({ ...strings('subtype', 'stat'), ...ints('amount', 'duration'), ammo }),
    }),
  }),
})

const moduleEntry = obj({
  ...strings('id', 'type_id', 'name', 'description', 'type', 'slot'),
  ...ints('base_value', 'size', 'cpu_usage', 'power_usage'),
  ...opt({
    ...strings('rarity', 'extracted_by', 'special', 'ammo_type', 'damage_type', 'passive_recipe'),
    ...bools('hidden', 'quest_item'),
    ...numbers('armor_bypass_bonus', 'precision_factor', 'shield_bypass_bonus'),
    ...ints('accuracy_bonus', 'armor_bonus', 'armor_repair_rate', 'cargo_bonus'),
    ...ints('cloak_strength', 'cooldown', 'cpu_bonus', 'current_cool', 'damage'),
    ...ints('damage_reduction', 'dining_points', 'disruptor_power', 'drone_bandwidth'),
    ...ints('drone_capacity', 'fuel_efficiency', 'hull_bonus', 'hull_penalty'),
    ...ints('leisure_points', 'magazine_size', 'max_fuel_bonus', 'mining_power'),
    ...ints('passenger_business_berths', 'passenger_comfort', 'passenger_economy_berths'),
    ...ints('passenger_first_berths', 'power_bonus', 'reach', 'remote_repair_power'),
    ...ints('salvage_bonus', 'scanner_power', 'scramble_power', 'shield_bonus'),
    ...ints('shield_recharge_bonus', 'signature_bonus', 'speed_bonus', 'speed_penalty'),
    ...ints('survey_power', 'tow_speed_penalty', 'tracking_bonus', 'warp_stabilization'),
    ...ints('webify_strength'),
    required_skills: mapOf(Type.Integer()),
    resistance_bonus: mapOf(Type.Integer()),
  }),
})

const shipClass = obj({
  ...strings('id', 'name', 'class'),
  ...opt({
    ...strings('category', 'description', 'lore', 'faction', 'based_on', 'special'),
    ...strings('prestige_lock', 'required_achievement', 'required_faction_achievement'),
    ...strings('capture_policy'),
    ...bools('hidden', 'legacy', 'starter_ship', 'required_faction_leader'),
    ...ints('tier', 'scale', 'base_hull', 'base_armor', 'base_shield', 'base_shield_recharge'),
    ...ints('base_speed', 'base_fuel', 'cargo_capacity', 'cpu_capacity', 'power_capacity'),
    ...ints('weapon_slots', 'defense_slots', 'utility_slots', 'default_loadout_version'),
    ...ints('piloting_required', 'required_reputation', 'shipyard_tier', 'build_time'),
    ...ints('tow_speed_bonus', 'crew_capacity', 'minimum_crew', 'marine_capacity'),
    ...ints('latch_resistance', 'boarding_defense_bonus_pct'),
    build_materials: amounts,
    required_items: amounts,
    default_modules: texts,
    flavor_tags: texts,
    passive_recipes: texts,
    inherent_capabilities: list(
      obj({ ...strings('type'), ...ints('value'), ...opt(strings('flag')) }),
    ),
  }),
})

const skill = obj({
  ...strings('id', 'name', 'category', 'description'),
  ...ints('max_level'),
  xp_per_level: list(Type.Integer()),
  ...opt({
    ...strings('empire_restriction', 'training_source'),
    bonus_per_level: mapOf(Type.Integer()),
  }),
})

const recipe = obj({
  ...strings('id', 'name', 'category', 'description'),
  ...numbers('crafting_time'),
  inputs: amounts,
  outputs: amounts,
  ...bools('hand_craftable'),
  produced_by_facility_ids: texts,
  ...opt({
    ...strings('package_operation'),
    ...bools('facility_only', 'hidden', 'no_recycle'),
    ...ints('fuel_output'),
  }),
})

const facility = obj({
  ...strings('id', 'name', 'category', 'description'),
  ...bools('always_on'),
  ...ints('build_cost', 'build_time', 'labor_cost', 'level'),
  ...opt({
    ...strings('ammo_item', 'degraded_description', 'empire', 'expansion_of', 'lore'),
    ...strings('faction_service_type', 'personal_bonus_type', 'personal_service_type'),
    ...strings('recipe_id', 'repair_item', 'requires_service_type', 'satisfied_description'),
    ...strings('service_type', 'upgrades_from', 'weapon_damage_type'),
    ...bools('allows_contraband', 'deposit_to_empire_reserves', 'disguised', 'fleet_upkeep'),
    ...bools('fuel_output', 'is_recycler', 'logistics', 'pirate_base_only'),
    ...bools('player_station_buildable', 'station_or_faction_only', 'tourism_upkeep', 'unique'),
    ...numbers('expansion_scale', 'personal_bonus_value'),
    ...ints('battery_capacity', 'dining_points', 'faction_cap', 'fuel_capacity'),
    ...ints('leisure_points', 'life_support_draw', 'life_support_supply', 'maintenance_fuel'),
    ...ints('max_cull_per_cycle', 'max_species_tier', 'power_draw', 'power_supply'),
    ...ints('ranch_capacity', 'repair_hull_per_item', 'required_xenobiology', 'scan_falloff'),
    ...ints('scan_power', 'self_repair_rate', 'station_armor', 'station_hull_hp'),
    ...ints('station_shield_hp', 'transit_deadline_bonus', 'weapon_cooldown', 'weapon_damage'),
    ...ints('weapon_reach'),
    build_materials: amounts,
    maintenance_inputs: amounts,
  }),
})

const achievement = obj({
  ...strings('id', 'name', 'description', 'category', 'criteria'),
  ...ints('points'),
  ...opt({
    ...strings('series', 'after', 'title', 'emblem'),
    ...ints('credits'),
    ...bools('faction'),
    skill_xp: mapOf(Type.Integer()),
  }),
})

const analysis = obj({
  raw_materials: list(obj({ ...strings('category', 'item_id', 'name'), ...ints('quantity') })),
  steps: list(
    obj({
      ...strings('recipe_id', 'name', 'output'),
      ...ints('batches', 'output_qty'),
      inputs: list(obj({ ...strings('item_id', 'name'), ...ints('quantity') })),
    }),
  ),
  ...opt({ alternates: mapOf(list(obj(strings('efficiency', 'name', 'recipe_id')))) }),
})

/** The bulk file without its version. Source: spec, Catalog bulk download; newer.md section 3. */
export const catalogFile = obj({
  ships: list(shipClass),
  skills: list(skill),
  recipes: list(recipe),
  items: list(Type.Union([item, moduleEntry])),
  facilities: list(facility),
  achievements: list(achievement),
  hidden_achievement_count: Type.Integer(),
  faction_achievements: list(achievement),
  hidden_faction_achievement_count: Type.Integer(),
  mining: obj(numbers('precision_k', 'overkill_ratio', 'depletion_floor')),
})

/** A page of the catalogue; for a single entry requested by its id, also its context. */
export const catalogPage = obj({
  ...strings('type', 'message'),
  ...ints('page', 'page_size', 'total', 'total_pages'),
  items: list(Type.Union([item, moduleEntry, shipClass, skill, recipe, facility, achievement])),
  ...opt({
    ...ints('estimated_material_cost'),
    analysis,
    recipes: list(recipe),
    passive_recipe_details: list(recipe),
    produced_by_facilities: list(obj({ ...strings('definition_id', 'name'), ...ints('level') })),
  }),
})

/* Answers of `inspect`, by kind. Source: contract, InspectResponse. */

export const INSPECT_KINDS = [
  'package',
  'item',
  'module',
  'ship_class',
  'system',
  'poi',
  'base',
] as const

const packageInfo = obj({
  ...strings('package_id', 'label', 'created_at'),
  ...ints('size'),
  contents: list(
    obj({
      ...strings('item_id'),
      ...ints('quantity'),
      ...opt({ ...strings('name'), ...ints('size') }),
    }),
  ),
  creator: obj({
    ...strings('player_id'),
    ...opt({
      ...strings('username'),
      faction: obj({ ...strings('id', 'type'), ...opt(strings('name', 'tag')) }),
    }),
  }),
  owner: obj({ ...strings('id', 'type'), ...opt(strings('name', 'tag')) }),
})

export const inspectResult = obj({
  ...strings('id', 'source'),
  kind: choice('What the id names.', INSPECT_KINDS),
  ...opt({
    catalog: catalogPage,
    system: mapSystemSchema,
    poi: obj(opt({ summary: placeSchema, detail: getPoiResult })),
    base: getBaseSchema,
    package: packageInfo,
    faction_poi_intel: chartedPoiSchema,
    faction_system_intel: chartedSystemSchema,
  }),
})
