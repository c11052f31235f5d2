/**
 * The shape of what the galaxy generator returns: systems, POIs, deposits, bases and their stocked
 * goods. Plain data, which the world copies into columns once.
 */

export type PoiType =
  | 'planet'
  | 'moon'
  | 'sun'
  | 'asteroid_belt'
  | 'asteroid'
  | 'nebula'
  | 'gas_cloud'
  | 'relic'
  | 'station'

/** `class` of a POI, if rules read it; other values are flavour. */
type PoiClass = 'ice_field' | 'deep_core' | 'arena' | 'debris' | (string & {})

export type ServiceName =
  | 'refuel'
  | 'repair'
  | 'market'
  | 'storage'
  | 'shipyard'
  | 'missions'
  | 'cloning'
  | 'crafting'
  | 'insurance'
  | 'salvage_yard'
  | 'personnel'

export interface DepositPlan {
  /** Goods id of an item with `extracted_by`. */
  item: string
  /** 1-100. */
  richness: number
  /** Units; -1 = unlimited. */
  capacity: number
}

export interface ManagedPlan {
  /** Goods id: item or module. */
  item: string
  /** Target stock T in units, at least 20. */
  target: number
  /** Initial units: plenty of what is made here, few of what is not. */
  stock: number
  /** True if the stock grows by 1 % of T per 100 ticks while below T (market.md section 7). */
  supply: boolean
  /** What the station does with it besides keeping it (balance.md section 5). */
  part: GoodsPart
  /** What it is worth here, percent of the base value (balance.md section 5). */
  value_pct: number
}

/** Whether a good is exported, imported, or neither. */
export type GoodsPart = 'plain' | 'export' | 'import'

export interface BasePlan {
  id: string
  name: string
  description: string
  /** Shown in the dock briefing. */
  story: string
  /** null: independent or pirate. */
  empire: EmpireId | null
  kind: 'empire' | 'independent' | 'pirate'
  capital: boolean
  /** 1-5: yard level, pools, size of the stock. */
  level: number
  services: readonly ServiceName[]
  fuel_max: number
  /** Highest ship tier the yard builds; 0 without shipyard. */
  shipyard_tier: number
  hull: number
  shield: number
  armor: number
  weapon_damage: number
  weapon_reach: number
  /** Credits the manager's account starts with; at capitals also what the stipend refills to. */
  account_target: number
  /** Pirate standing needed to dock; 0 elsewhere. */
  pirate_rep_required: number
  managed: readonly ManagedPlan[]
}

export interface PoiPlan {
  /** Unique in the galaxy, also against system and base ids. */
  id: string
  type: PoiType
  class?: PoiClass
  name: string
  description: string
  /** milli-AU. */
  x: number
  y: number
  hidden: boolean
  /** Survey power that reveals it; 0 when not hidden. */
  difficulty: number
  deposits: readonly DepositPlan[]
  base?: BasePlan
}

export interface SystemPlan {
  id: string
  name: string
  description: string
  /** Key into REGIONS. */
  region: string
  empire: EmpireId | null
  /** 0-100. */
  police_level: number
  is_stronghold: boolean
  /** GU. */
  x: number
  y: number
  /** Lane jumps to the capital of its empire; in lawless space to the nearest empire system. */
  depth: number
  /** Indices of neighbours, ascending, symmetric. */
  lanes: readonly number[]
  /** Index into `pois`. */
  entry_poi: number
  pois: readonly PoiPlan[]
}

/** A named part of space: an empire's territory, or a lawless tract with its own pirates. */
export interface RegionRow {
  id: string
  name: string
  empire: EmpireId | null
  description: string
  /** The crew of the tract: the faction of its pirates and its radio. Absent in empires. */
  pirates?: { key: string; name: string; primary_color: string; secondary_color: string }
}

interface EmpireSeat {
  empire: EmpireId
  /** Indices into `systems` and into its `pois`: where new players start. */
  capital_system: number
  start_poi: number
  start_base: string
}

export interface GalaxyPlan {
  seed: number
  systems: readonly SystemPlan[]
  /** In the order of EMPIRE_IDS. */
  empires: readonly EmpireSeat[]
}

export type EmpireId = 'solarian' | 'voidborn' | 'crimson' | 'nebula' | 'outerrim'
