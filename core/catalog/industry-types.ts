/** The shapes of recipes and facility types. Rows have the wire names. There are no values here. */
import type { EmpireId } from './map-types.ts'
import type { MaterialRow } from './types.ts'

export type RecipeCategory =
  | 'refining'
  | 'components'
  | 'modules'
  | 'weapons'
  | 'ammunition'
  | 'drones'
  | 'consumables'
  | 'food'
  | 'medical'
  | 'luxury'
  | 'salvage'
  | 'infrastructure'
  | 'logistics'

/** Source: crafting.md section 1. */
export interface RecipeRow {
  id: string
  name: string
  description: string
  category: RecipeCategory
  inputs: readonly MaterialRow[]
  /** A player's order counts units of the first one. */
  outputs: readonly MaterialRow[]
  /** Ticks of a run at speed 1, possibly fractional on the wire. Rules use `recipeMilliTicks()`. */
  crafting_time: number
  /** The workshop cannot run it. */
  facility_only?: boolean
  no_recycle?: boolean
  hidden?: boolean
  /** The output is fuel and fills a tank instead of a store. */
  fuel_output?: boolean
  package_operation?: 'pack' | 'unpack'
}

export type FacilityCategory =
  | 'infrastructure'
  | 'service'
  | 'production'
  | 'faction'
  | 'personal'
  | 'sales'

/** Source: crafting.md section 6; faction services of factions.md section 4. */
export interface FacilityRow {
  id: string
  name: string
  description: string
  category: FacilityCategory
  /** Tier, 1 to 4 (5 for faction recruitment). */
  level: number
  /** Credits. */
  build_cost: number
  build_materials: readonly MaterialRow[]
  /** Ticks. */
  build_time: number
  /** Credits per run for production, credits per cycle of 100 ticks for services. */
  labor_cost: number
  power_draw: number
  power_supply: number
  battery_capacity: number
  life_support_draw: number
  life_support_supply: number
  /** Goods per cycle at a faction's own station. */
  maintenance_inputs: readonly MaterialRow[]
  /** Type that it is an upgrade of; absent: it is built new. */
  upgrades_from?: string
  /** Recipes it runs: by category, or named one by one. */
  recipe_categories?: readonly RecipeCategory[]
  recipe_ids?: readonly string[]
  is_recycler?: boolean
  /** Packs and unpacks packages. */
  logistics?: boolean
  /** Service that it provides to its base: one of SERVICES of systems/base. */
  service?: string
  faction_service_type?: string
  personal_service_type?: string
  /** What the tier holds: units, members, orders, ships or seats. */
  capacity?: number
  /** Keeps a herd of `capacity` heads. */
  ranch?: boolean
  /** How many a faction may have at one base; absent: one. */
  faction_cap?: number
  /** A faction's first store: one per faction, taken over by the first full storage. */
  is_shelf?: true
  /** Power of a sensor, and its loss for each step of distance. Source: factions.md section 6. */
  scan_power?: number
  scan_falloff?: number
  /** Ticks a lounge adds to a passenger's deadline. Source: crafting.md section 9. */
  transit_deadline_bonus?: number
  /** Shown to outsiders under another name. */
  disguised?: boolean
  dining_points?: number
  leisure_points?: number
  /** Only one of its kind at a base. */
  unique?: boolean
  station_or_faction_only?: boolean
  player_station_buildable?: boolean
  always_on?: boolean
  empire?: EmpireId
}
