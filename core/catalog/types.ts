/**
 * The shapes of the game data: what a row of each table holds. Rows of the wire catalogue have the
 * wire names, so a row is its own wire entry. There are no values here.
 */
import type { EmpireId } from './map-types.ts'

export type * from './map-types.ts'

export type Rarity = 'common' | 'uncommon' | 'rare' | 'exotic' | 'legendary'

/** Module family that can extract a resource. Source: mining.md section 1. */
export type ExtractedBy = 'mining' | 'ice' | 'gas'

export type DamageType = 'kinetic' | 'energy' | 'explosive' | 'thermal' | 'em' | 'void'

/** Pirates as the wire names them, weakest first. */
export type PirateTier = 'T1' | 'T2' | 'T3' | 'boss'

/** A weapon of an NPC: it needs no module and no ammunition. */
export interface NpcGun {
  readonly name: string
  readonly damage: number
  readonly damageType: DamageType
  /** Ring distance. */
  readonly reach: number
  /** Ticks between two shots. */
  readonly period: number
}

/** Combat figures of an NPC, whatever its ship class. */
export interface NpcFigures {
  readonly hull: number
  readonly shield: number
  /** Shield points regained in a tick without a hit. */
  readonly regen: number
  readonly armor: number
  /** AU per tick. */
  readonly speed: number
  readonly guns: readonly NpcGun[]
}

export type Slot = 'weapon' | 'defense' | 'utility'

export type ItemCategory =
  | 'ore'
  | 'ice'
  | 'gas'
  | 'refined'
  | 'component'
  | 'ammo'
  | 'consumable'
  | 'fuel'
  | 'drone'
  | 'food'
  | 'medical'
  | 'commodity'
  | 'luxury'
  | 'biological'
  | 'salvage'
  | 'contraband'
  | 'infrastructure'
  | 'quest'

/** Fields in percent are whole numbers, 100 = unchanged; `anti_*` are added percentage points. */
export interface AmmoStats {
  damage_mod?: number
  hit_chance_mod?: number
  shield_damage_mod?: number
  hull_damage_mod?: number
  shield_bypass?: number
  armor_bypass?: number
  armor_melt_pct?: number
  armor_melt_ticks?: number
  dot_pct?: number
  dot_ticks?: number
  splash_pct?: number
  disrupt_ticks?: number
  anti_large_mod?: number
  anti_small_mod?: number
  anti_drone_mod?: number
}

/** `type` is one of hull, shield, buff, warp, home_return (missions.md section 8), fuel, ammo. */
export interface ItemEffect {
  type: 'hull' | 'shield' | 'buff' | 'warp' | 'home_return' | 'fuel' | 'ammo'
  /** Points that a unit restores; for a buff, the percent or points added to `stat`. */
  amount?: number
  /** Ticks a buff lasts. */
  duration?: number
  stat?: BuffStat
  /** For ammo: the `ammo_type` of the weapons that take it. */
  subtype?: string
  ammo?: AmmoStats
}

/** What a buff can change: percent, except `scanner` and `cloak`, which add power points. */
export type BuffStat = 'speed' | 'damage' | 'defense' | 'accuracy' | 'scanner' | 'cloak' | 'yield'

export interface ItemRow {
  id: string
  name: string
  description: string
  category: ItemCategory
  /** Cargo space of one unit, at least 1. */
  size: number
  /** Credits. */
  base_value: number
  stackable: boolean
  tradeable: boolean
  rarity?: Rarity
  extracted_by?: ExtractedBy
  hazardous?: boolean
  quest_item?: boolean
  hidden?: boolean
  /** Ids of the only empires in whose systems the deposit occurs; absent: anywhere. */
  region_lock?: readonly EmpireId[]
  food_type?: string
  effect?: ItemEffect
}

/** What a fitted module lets a ship do beyond its numbers. */
type ModuleSpecial =
  | 'ammo_from_cargo'
  | 'boarding_capability'
  | 'boarding_contact_defense'
  | 'cargo_scanner'
  | 'deep_core_access'
  | 'emergency_cloak'
  | 'emergency_warp_stabilizer'
  | 'extraction_filter'
  | 'hazard_handling'
  | 'pathfinder_drive'
  | 'pirate_radio'
  | 'refueling_pump'
  | 'remote_medical_treatment'
  | 'repair_arm'

export interface ModuleRow {
  id: string
  /** Equals `id`: the wire has both. */
  type_id: string
  name: string
  description: string
  /** Family: mining, weapon, shield, armor, engine, scanner, cloak, ... */
  type: string
  slot: Slot
  size: number
  base_value: number
  cpu_usage: number
  power_usage: number
  rarity?: Rarity
  required_skills?: Readonly<Record<string, number>>
  special?: ModuleSpecial
  hidden?: boolean
  quest_item?: boolean
  // mining
  mining_power?: number
  /** As on the wire, 1 = default; rules use `precisionMilli()`. */
  precision_factor?: number
  /** Family for which `mining_power` counts. Not on the wire. */
  mining_family?: ExtractedBy
  // weapons
  damage?: number
  damage_type?: DamageType
  /** Rings, 1-6. */
  reach?: number
  /** Ticks between two shots. */
  cooldown?: number
  ammo_type?: string
  magazine_size?: number
  accuracy_bonus?: number
  tracking_bonus?: number
  shield_bypass_bonus?: number
  armor_bypass_bonus?: number
  // defence
  shield_bonus?: number
  shield_recharge_bonus?: number
  armor_bonus?: number
  armor_repair_rate?: number
  hull_bonus?: number
  hull_penalty?: number
  damage_reduction?: number
  /** Shares a stacking group with `damage_reduction`. */
  adaptive_resistance?: number
  resistance_bonus?: Readonly<Partial<Record<DamageType, number>>>
  // movement, tackle
  speed_bonus?: number
  speed_penalty?: number
  fuel_efficiency?: number
  max_fuel_bonus?: number
  disruptor_power?: number
  scramble_power?: number
  webify_strength?: number
  warp_stabilization?: number
  tow_speed_penalty?: number
  // capacity
  cargo_bonus?: number
  cpu_bonus?: number
  power_bonus?: number
  drone_capacity?: number
  drone_bandwidth?: number
  // sensing
  scanner_power?: number
  survey_power?: number
  cloak_strength?: number
  signature_bonus?: number
  // Support and people.
  remote_repair_power?: number
  salvage_bonus?: number
  passenger_economy_berths?: number
  passenger_business_berths?: number
  passenger_first_berths?: number
  passenger_comfort?: number
  dining_points?: number
  leisure_points?: number
  crew_capacity_bonus?: number
  marine_capacity_bonus?: number
  marine_combat_bonus?: number
  crew_combat_bonus?: number
  latch_strength?: number
  latch_resistance_bonus?: number
  boarding_defense_bonus?: number
  fleet_triage_pct?: number
}

/** A good is anything a market, hold or store can count: an item or an unfitted module. */
export type GoodRow = ItemRow | ModuleRow

export interface MaterialRow {
  item_id: string
  quantity: number
}

export interface Capability {
  type: string
  value: number
  flag?: string
}

export interface ShipClassRow {
  id: string
  name: string
  /** The role in words: Prospector, Freighter, ... */
  class: string
  category: ShipCategory
  description: string
  lore: string
  /** Empire whose yards build it; '' = built everywhere. */
  faction: EmpireId | ''
  tier: number
  scale: number
  base_hull: number
  base_armor: number
  base_shield: number
  base_shield_recharge: number
  base_speed: number
  base_fuel: number
  cargo_capacity: number
  cpu_capacity: number
  power_capacity: number
  weapon_slots: number
  defense_slots: number
  utility_slots: number
  default_modules: readonly string[]
  default_loadout_version: number
  inherent_capabilities: readonly Capability[]
  piloting_required: number
  required_reputation: number
  required_items: readonly MaterialRow[]
  shipyard_tier: number
  /** Ticks at yard level 1. */
  build_time: number
  build_materials: readonly MaterialRow[]
  tow_speed_bonus: number
  passive_recipes: readonly string[]
  flavor_tags: readonly string[]
  starter_ship: boolean
  hidden: boolean
  legacy: boolean
  crew_capacity: number
  minimum_crew: number
  marine_capacity: number
  latch_resistance: number
  boarding_defense_bonus_pct: number
  capture_policy: 'normal' | 'forbidden'
}

export type ShipCategory =
  | 'starter'
  | 'mining'
  | 'hauling'
  | 'exploration'
  | 'combat'
  | 'support'
  | 'salvage'
  | 'assault'
  | 'passenger'
  | 'capital'
  | 'pirate'

export interface SkillRow {
  id: string
  name: string
  category: SkillCategory
  description: string
  max_level: number
  /** Percent (or points) added per level, by the name of what it changes. */
  bonus_per_level?: Readonly<Record<string, number>>
  /** Skill id -> level; all must be met before the skill gains XP. */
  prerequisites: Readonly<Record<string, number>>
  training_source: string
  /** Empire whose players may train it; absent: everyone. */
  empire_restriction?: EmpireId
  /** XP from level L to L+1 at index L. */
  xp_per_level: readonly number[]
}

export type SkillCategory =
  | 'Combat'
  | 'Navigation'
  | 'Mining'
  | 'Trading'
  | 'Crafting'
  | 'Salvaging'
  | 'Support'
  | 'Engineering'
  | 'Drones'
  | 'Exploration'
  | 'Ships'
  | 'Faction'

/** EmpirePolicySnapshot of the wire, without the id. Source: factions.md section 10. */
export interface EmpirePolicy {
  starting_credits: number
  sales_tax_bps: number
  default_foreign_sales_tax_bps: number
  foreign_sales_tax_bps: Readonly<Partial<Record<EmpireId, number>>>
  stateless_sales_tax_bps: number
  income_tax_bps: number
  /** Replace the single rate: each bracket goes from its bound up to the next, ascending from 0. */
  income_tax_brackets?: readonly { readonly lower_bound: number; readonly rate_bps: number }[]
  faction_income_tax_bps: number
  property_tax_bps: number
  foreign_income_tax_deduction: Readonly<Partial<Record<EmpireId, number>>>
  listing_fee_bps: number
  ship_listing_fee_bps: number
  fuel_tax_per_unit: number
  repair_cost_per_hull: number
  citizenship_open: boolean
  citizenship_fee: number
  citizenship_min_balance: number
  citizenship_min_reputation: number
  citizenship_auto_approve: boolean
  citizenship_exclusive: boolean
  contraband_items: readonly string[]
  customs_fine_multiplier_bps: number
  jail_duration_hours: number
  shoot_on_sight_threshold: number
  eviction_grace_cycles: number
  bounty_attack: number
  bounty_kill: number
  bounty_rep_restoration_bps: number
  bounty_rep_restoration_cap: number
  rep_penalty_attack: number
  rep_penalty_kill: number
  rep_decay_amount: number
  rep_baseline_citizen: number
  rep_baseline_outsider: number
  rep_trade_fill_divisor: number
  rep_trade_fill_cap: number
  tax_delinquency_bounty_per_credit: number
}

export interface EmpireRow {
  id: EmpireId
  name: string
  short_name: string
  adjective: string
  motto: string
  description: string
  bonus: string
  capital_name: string
  leader_title: string
  leader_name: string
  primary_color: string
  secondary_color: string
  policy: EmpirePolicy
}

/** What a new player of an empire gets. Credits come from `policy.starting_credits`. */
export interface StarterKit {
  empire: EmpireId
  ship_class: string
  /** Fitted modules: the class's default_modules. */
  modules: readonly string[]
  credits: number
  cargo: readonly MaterialRow[]
}
