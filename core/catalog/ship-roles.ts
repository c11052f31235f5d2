/**
 * What a hull gets from its tier and role: base figures, slots, people and materials.
 * Bounds are the observed ranges of ships.md section 1; `ships.ts` turns these and the name
 * lists into rows.
 */
import { deepFreeze } from './freeze.ts'
import type { Capability, MaterialRow, ShipCategory } from './types.ts'

export type Role =
  | 'starter'
  | 'miner'
  | 'gasser'
  | 'icer'
  | 'hauler'
  | 'scout'
  | 'shade'
  | 'fighter'
  | 'assault'
  | 'support'
  | 'salvager'
  | 'liner'
  | 'carrier'
  | 'flagship'

export type Stat = 'hull' | 'armor' | 'shield' | 'regen' | 'speed' | 'fuel' | 'cargo'

type Bounds = Readonly<Record<Stat, readonly [min: number, median: number, max: number]>>

/** Observed ranges by tier. Source: ships.md section 1. */
export const BOUNDS: readonly Bounds[] = deepFreeze([
  {
    hull: [75, 95, 110],
    armor: [3, 4, 8],
    shield: [35, 50, 80],
    regen: [1, 1, 2],
    speed: [1, 2, 2],
    fuel: [90, 100, 130],
    cargo: [60, 65, 70],
  },
  {
    hull: [40, 85, 140],
    armor: [0, 4, 12],
    shield: [0, 45, 95],
    regen: [0, 1, 3],
    speed: [2, 3, 6],
    fuel: [60, 125, 200],
    cargo: [15, 65, 540],
  },
  {
    hull: [130, 165, 280],
    armor: [4, 7, 22],
    shield: [35, 80, 180],
    regen: [1, 2, 5],
    speed: [2, 3, 6],
    fuel: [100, 170, 1500],
    cargo: [30, 125, 540],
  },
  {
    hull: [280, 400, 550],
    armor: [8, 18, 40],
    shield: [120, 200, 450],
    regen: [2, 4, 10],
    speed: [1, 2, 5],
    fuel: [150, 290, 4000],
    cargo: [35, 265, 780],
  },
  {
    hull: [600, 880, 1400],
    armor: [16, 32, 65],
    shield: [250, 460, 1000],
    regen: [3, 8, 18],
    speed: [1, 2, 3],
    fuel: [280, 400, 800],
    cargo: [70, 600, 2640],
  },
  {
    hull: [1400, 2350, 3500],
    armor: [40, 80, 150],
    shield: [600, 1200, 2500],
    regen: [8, 18, 35],
    speed: [1, 1, 3],
    fuel: [500, 725, 1200],
    cargo: [240, 750, 3600],
  },
])

/** [cpu, power] by tier, before the factors of the role. */
export const CORE: readonly (readonly [number, number])[] = [
  [14, 30],
  [22, 48],
  [38, 84],
  [66, 146],
  [112, 250],
  [190, 430],
]

/** [crew, minimum crew, marines] by tier. Source: ships.md section 4. */
export const PEOPLE: readonly (readonly [number, number, number])[] = [
  [4, 1, 0],
  [8, 2, 1],
  [20, 6, 2],
  [60, 18, 6],
  [100, 30, 12],
  [240, 72, 30],
]

export const PILOTING: readonly number[] = [0, 0, 10, 20, 30, 50]
export const PILOTING_CAPITAL = 70
export const REPUTATION: readonly number[] = [0, 0, 0, 0, 20, 40]
export const BUILD_TICKS: readonly number[] = [30, 60, 180, 480, 1_200, 3_000]

/** Slots [weapon, defense, utility] by tier; a role has no hull where the list is empty. */
type Slots = readonly (readonly [number, number, number])[]

export interface RoleRow {
  label: readonly string[]
  category: ShipCategory
  /** Factors in percent of the tier's median; only `speed` is added to it. */
  hull: number
  armor: number
  shield: number
  speed: number
  fuel: number
  cargo: number
  core: number
  slots: Slots
  extra: string
  tow?: number
}

const COMBAT_SLOTS: Slots = [
  [1, 1, 1],
  [2, 1, 1],
  [3, 2, 1],
  [4, 3, 2],
  [6, 4, 4],
  [8, 6, 5],
]
const WORK_SLOTS: Slots = [
  [1, 1, 3],
  [0, 1, 3],
  [1, 2, 4],
  [1, 2, 6],
  [1, 3, 8],
  [2, 4, 10],
]
const MIXED_SLOTS: Slots = [
  [1, 1, 2],
  [1, 1, 3],
  [2, 2, 4],
  [2, 3, 5],
  [4, 4, 6],
  [4, 6, 9],
]

const role = (
  label: readonly string[],
  category: ShipCategory,
  stats: readonly [number, number, number, number, number, number, number],
  slots: Slots,
  extra: string,
): RoleRow => {
  const [hull, armor, shield, speed, fuel, cargo, core] = stats
  return { label, category, hull, armor, shield, speed, fuel, cargo, core, slots, extra }
}

const names = (...by: string[]) => by

export const ROLES: Readonly<Record<Role, RoleRow>> = deepFreeze({
  starter: role(
    names('Starter'),
    'starter',
    [100, 100, 100, 0, 100, 100, 100],
    WORK_SLOTS,
    'circuit_board',
  ),
  miner: role(
    names('', 'Prospector', 'Miner', 'Heavy Miner', 'Strip Barge'),
    'mining',
    [110, 120, 90, -1, 95, 170, 115],
    WORK_SLOTS,
    'mining_head',
  ),
  gasser: role(
    names('', 'Scooper', 'Gas Harvester', 'Cloud Skimmer'),
    'mining',
    [90, 80, 120, 0, 115, 180, 110],
    WORK_SLOTS,
    'mining_head',
  ),
  icer: role(
    names('', 'Ice Picker', 'Ice Harvester', 'Comet Mill'),
    'mining',
    [120, 110, 90, 0, 120, 175, 110],
    WORK_SLOTS,
    'mining_head',
  ),
  hauler: role(
    names('', 'Courier', 'Freighter', 'Heavy Freighter', 'Bulk Freighter', 'Superfreighter'),
    'hauling',
    [115, 90, 90, -1, 120, 360, 75],
    WORK_SLOTS,
    'cargo_frame',
  ),
  scout: role(
    names('', 'Scout', 'Pathfinder', 'Explorer', 'Expedition Ship'),
    'exploration',
    [75, 60, 110, 2, 150, 70, 105],
    MIXED_SLOTS,
    'sensor_array',
  ),
  shade: role(
    names('', 'Shade', 'Stalker', 'Ghost Cruiser'),
    'exploration',
    [80, 70, 125, 1, 120, 60, 110],
    MIXED_SLOTS,
    'phase_capacitor',
  ),
  fighter: role(
    names('', 'Interceptor', 'Frigate', 'Destroyer', 'Cruiser', 'Dreadnought'),
    'combat',
    [120, 140, 115, 1, 95, 40, 110],
    COMBAT_SLOTS,
    'weapon_housing',
  ),
  assault: role(
    names('', 'Boarder', 'Assault Frigate', 'Assault Transport', 'Assault Cruiser'),
    'assault',
    [135, 160, 100, 1, 100, 60, 100],
    COMBAT_SLOTS,
    'hull_plating',
  ),
  support: role(
    names('', 'Tender', 'Support Ship', 'Hospital Ship', 'Fleet Tender'),
    'support',
    [105, 90, 125, 0, 125, 110, 115],
    MIXED_SLOTS,
    'life_support_unit',
  ),
  salvager: role(
    names('', 'Scavenger', 'Salvager', 'Breaker', 'Salvage Platform'),
    'salvage',
    [120, 110, 85, 0, 115, 170, 100],
    MIXED_SLOTS,
    'servo_motor',
  ),
  liner: role(
    names('', 'Shuttle', 'Liner', 'Cruise Ship', 'Grand Liner'),
    'passenger',
    [100, 70, 115, 1, 120, 80, 100],
    WORK_SLOTS,
    'gravity_plate',
  ),
  carrier: role(
    names('', '', '', '', 'Escort Carrier', 'Carrier'),
    'capital',
    [125, 110, 125, 0, 115, 120, 115],
    MIXED_SLOTS,
    'drone_chassis',
  ),
  flagship: role(
    names('', '', '', '', '', 'Battleship'),
    'capital',
    [140, 150, 150, 0, 110, 50, 120],
    COMBAT_SLOTS,
    'targeting_processor',
  ),
})

const bill = (...pairs: readonly (readonly [string, number])[]): MaterialRow[] =>
  pairs.map(([item_id, quantity]) => ({ item_id, quantity }))

/** Materials of a hull by tier, before those of the role. */
export const MATERIALS: readonly (readonly MaterialRow[])[] = deepFreeze([
  bill(['steel_plate', 12], ['hull_frame', 2], ['thruster_assembly', 1], ['circuit_board', 4]),
  bill(
    ['steel_plate', 20],
    ['hull_frame', 4],
    ['thruster_assembly', 1],
    ['circuit_board', 6],
    ['power_cell', 2],
    ['life_support_unit', 1],
  ),
  bill(
    ['steel_plate', 50],
    ['titanium_ingot', 30],
    ['hull_frame', 10],
    ['thruster_assembly', 3],
    ['circuit_board', 20],
    ['reactor_core', 1],
    ['jump_coil', 1],
    ['life_support_unit', 2],
  ),
  bill(
    ['titanium_ingot', 120],
    ['hull_plating', 60],
    ['hull_frame', 30],
    ['thruster_assembly', 8],
    ['reactor_core', 4],
    ['jump_coil', 3],
    ['navigation_core', 2],
    ['shield_emitter', 6],
    ['gravity_plate', 6],
  ),
  bill(
    ['vanadium_steel', 300],
    ['hull_plating', 250],
    ['hull_frame', 120],
    ['thruster_assembly', 24],
    ['reactor_core', 14],
    ['jump_coil', 10],
    ['superconductor', 20],
    ['adaptive_weave', 10],
    ['quantum_processor', 6],
    ['shield_emitter', 24],
  ),
  bill(
    ['osmium_core', 60],
    ['hull_plating', 900],
    ['hull_frame', 500],
    ['thruster_assembly', 80],
    ['reactor_core', 50],
    ['jump_coil', 40],
    ['superconductor', 80],
    ['adaptive_weave', 60],
    ['quantum_processor', 40],
    ['shield_emitter', 80],
    ['antimatter_bottle', 20],
  ),
])

const cap = (type: string, value: number, flag?: string): Capability =>
  flag === undefined ? { type, value } : { type, value, flag }

const BERTH_FIGURES = [
  'passenger_economy_berths',
  'passenger_business_berths',
  'passenger_first_berths',
] as const

/**
 * Mining bonus of a miner by tier, percent [ours]: small hulls have neither the hold nor the lasers
 * of large ones, which need no bonus. At 20, tier 1 earned too little where police are few.
 */
const ORE_YIELDS: readonly number[] = [0, 50, 0, 5, 0, 0, 0]

/**
 * Berths of a liner by tier: economy, business, first class. ours: the largest has room for two
 * households in first class; with four berths, as section 6 of balance.md has it, it earned less
 * than a cruise ship.
 */
const BERTHS: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [4, 1, 0],
  [6, 2, 1],
  [8, 5, 1],
  [10, 8, 16],
]

/** Returns what a hull of this role can do without modules. */
export function capabilities(name: Role, tier: number): Capability[] {
  switch (name) {
    case 'miner':
      return ORE_YIELDS[tier] > 0 ? [cap('ore_yield_bonus', ORE_YIELDS[tier])] : []
    case 'gasser':
      return [cap('gas_yield_bonus', 8 * tier), cap('ice_yield_bonus', 4 * tier)]
    case 'icer':
      return [cap('ice_yield_bonus', 8 * tier)]
    case 'scout':
      return [cap('integrated_scanner', 6 * tier), cap('integrated_survey_scanner', 10 * tier)]
    case 'shade':
      return [cap('integrated_cloak', 12 * tier), cap('scan_resistance', 4 * tier)]
    case 'assault':
      return [cap('special_flag', 1, 'boarding_capability'), cap('latch_strength', tier)]
    case 'support':
      return [cap('special_flag', 1, 'remote_medical_treatment'), cap('fuel_efficiency_bonus', 5)]
    case 'salvager':
      return [cap('salvage_bonus', 5 * tier)]
    case 'liner':
      return [
        ...BERTH_FIGURES.flatMap((figure, i) => {
          const berths = BERTHS[tier][i]
          return berths === 0 ? [] : [cap(figure, berths)]
        }),
        cap('passenger_comfort', 10 * tier),
      ]
    case 'carrier':
      return [cap('ship_bay_capacity', tier - 2), cap('drone_bay', tier)]
    case 'flagship':
      return [cap('capital_weapon_bonus', 10)]
    default:
      return []
  }
}
