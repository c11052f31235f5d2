/**
 * Derives the figures of a ship from hull, fit, skills and personnel, as pure arithmetic. Source:
 * ships.md section 2.
 */
import {
  GOODS,
  type ModuleRow,
  precisionMilli,
  SHIP_CLASSES,
  type ShipClassRow,
  skillIndex,
} from '../../core/catalog/index.ts'
import { addPercent, clamp, divCeil } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { buffOf } from '../consumable/model.ts'
import { Buffed } from '../consumable/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../skill/state.ts'
import { FAMILIES, Module, Ship } from './state.ts'

const SPEED_MAX = 8
/** Largest share of CPU and power usage that the skill engineering saves, %. */
const USAGE_SAVING_MAX_PCT = 50
/** Scanner power of a bare hull. Source: travel.md section 8. */
const SCANNER_BASE = 5
/** Lowest precision of a rig, ×1000. Source: mining.md section 2. */
const PRECISION_MIN_MILLI = 250
const COMPRESSION_MIN_PCT = 25
/** Rarity ranks a filter can exclude; what is left is always minable. */
const FILTER_RANKS_MAX = 4

const SLOTS = ['weapon', 'defense', 'utility'] as const
const YIELD_CAPABILITY = ['ore_yield_bonus', 'ice_yield_bonus', 'gas_yield_bonus'] as const
const COMPRESSION_CAPABILITY = [
  'ore_cargo_efficiency',
  'ice_cargo_efficiency',
  'gas_cargo_efficiency',
] as const

/** Skills whose level changes a ship's figures. */
export const SHIP_SKILLS: ReadonlySet<string> = new Set([
  'armor',
  'shields',
  'engineering',
  'scanning',
  'stealth',
  'voidborn_mastery',
])

/** Columns of `Ship` by name; `perSlot`, `perFamily`: those with one value per slot or family. */
export interface Figures {
  readonly hullMax: number
  readonly shieldMax: number
  readonly shieldRegen: number
  readonly armor: number
  readonly baseSpeed: number
  readonly scale: number
  readonly fuelMax: number
  readonly fuelEfficiencyPct: number
  readonly cargoCap: number
  readonly cpuUsed: number
  readonly cpuCap: number
  readonly powerUsed: number
  readonly powerCap: number
  readonly filterMask: number
  readonly deepCore: number
  readonly scanPower: number
  readonly surveyPower: number
  readonly cloakPower: number
  readonly cloakDevice: number
  readonly crewCap: number
  readonly crewMin: number
  readonly marineCap: number
  readonly perSlot: { readonly slotsUsed: readonly number[]; readonly slotsCap: readonly number[] }
  readonly perFamily: {
    readonly minePower: readonly number[]
    readonly mineFine: readonly number[]
    readonly yieldBonusPct: readonly number[]
    readonly compressionPct: readonly number[]
  }
}

/** Columns of `Ship` that hold one figure. */
type SingleFigure = Exclude<keyof Figures, 'perSlot' | 'perFamily'>

/** The names of the single figures; `satisfies` keeps them complete. */
const SINGLE = {
  hullMax: 1,
  shieldMax: 1,
  shieldRegen: 1,
  armor: 1,
  baseSpeed: 1,
  scale: 1,
  fuelMax: 1,
  fuelEfficiencyPct: 1,
  cargoCap: 1,
  cpuUsed: 1,
  cpuCap: 1,
  powerUsed: 1,
  powerCap: 1,
  filterMask: 1,
  deepCore: 1,
  scanPower: 1,
  surveyPower: 1,
  cloakPower: 1,
  cloakDevice: 1,
  crewCap: 1,
  crewMin: 1,
  marineCap: 1,
} satisfies Record<SingleFigure, 1>

export const SINGLE_FIGURES = Object.keys(SINGLE) as readonly SingleFigure[]

/** Fields of a module that add up over a fit. */
type Additive = {
  [K in keyof ModuleRow]-?: NonNullable<ModuleRow[K]> extends number ? K : never
}[keyof ModuleRow]

const ARMOR = skillIndex('armor')
const SHIELDS = skillIndex('shields')
const ENGINEERING = skillIndex('engineering')
const SCANNING = skillIndex('scanning')
const STEALTH = skillIndex('stealth')
const VOIDBORN_MASTERY = skillIndex('voidborn_mastery')

/** Returns the catalogue rows of the modules on a ship, in the order of fitting. */
export function fitOf(view: WorldView, ship: Eid): ModuleRow[] {
  const { next, type } = view.read(Module)
  const fit: ModuleRow[] = []
  for (let row = view.read(Ship).firstModule[ship]; row !== 0; row = next[row]) {
    fit.push(GOODS[type[row]] as ModuleRow)
  }
  return fit
}

/**
 * Returns the power of the modules that extract one family, and their weighted precision ×1000.
 * Source: mining.md section 2.
 */
function rigFigures(
  fit: readonly ModuleRow[],
  family: string,
): { power: number; precision: number } {
  const rig = fit.filter(
    (row) => (row.mining_power ?? 0) > 0 && (row.mining_family ?? 'mining') === family,
  )
  const power = rig.reduce((sum, row) => sum + (row.mining_power ?? 0), 0)
  if (power === 0) return { power: 0, precision: 0 }
  const weighted = rig.reduce((sum, row) => sum + (row.mining_power ?? 0) * precisionMilli(row), 0)
  const adapters = fit
    .filter((row) => row.mining_power === 0)
    .reduce((sum, row) => sum + precisionMilli(row), 0)
  return {
    power,
    precision: Math.max(PRECISION_MIN_MILLI, Math.trunc(weighted / power) + adapters),
  }
}

/**
 * Returns the rarity ranks that are not extracted, as bits: each filter excludes one more, the
 * commonest first. ours: no command chooses what a filter excludes.
 */
function filterMask(fit: readonly ModuleRow[]): number {
  const filters = fit.filter((row) => row.special === 'extraction_filter').length
  return (1 << Math.min(filters, FILTER_RANKS_MAX)) - 1
}

/** Creatures have neither crew nor hold. */
export const CREATURE_CAPACITIES = { crewCap: 0, crewMin: 0, marineCap: 0, cargoCap: 0 }

const boostedSpeed = (speed: number, boostPct: number): number =>
  clamp(addPercent(speed, boostPct), 1, SPEED_MAX)

/** Returns a built-in capability of a hull, by the catalogue; 0 without it. */
const capabilityOf = (hull: ShipClassRow, type: string): number =>
  hull.inherent_capabilities.reduce((total, row) => total + (row.type === type ? row.value : 0), 0)

interface FigureSums {
  /** Sums a field over the modules. */
  sum(field: Additive): number
  /** Returns a built-in capability of the hull. */
  builtIn(type: string): number
  /** Returns the owner's level of a skill. */
  level(skill: number): number
}

/** Returns the strengths of scanners and cloak: buffs add points. Source: travel.md section 8. */
function sensingOf(view: WorldView, ship: Eid, { sum, builtIn, level }: FigureSums) {
  const cloak = sum('cloak_strength') + builtIn('integrated_cloak')
  const scanner = SCANNER_BASE + sum('scanner_power') + builtIn('integrated_scanner')
  const stealth = level(STEALTH) + level(VOIDBORN_MASTERY)
  const concealment = addPercent(cloak + builtIn('scan_resistance'), stealth)
  return {
    scanPower: addPercent(scanner, level(SCANNING)) + buffOf(view, ship, 'scanner'),
    surveyPower: addPercent(
      sum('survey_power') + builtIn('integrated_survey_scanner'),
      level(SCANNING),
    ),
    cloakPower: concealment + buffOf(view, ship, 'cloak'),
    cloakDevice: cloak > 0 ? 1 : 0,
  }
}

/**
 * Figures of hulls without modules that nobody owns, by class: those of nearly all ships of a new
 * world. They depend on the catalogue alone.
 */
const BARE_HULLS = new Map<number, Figures>()

/** Returns the figures a ship would have with these modules, by hull and skills of its owner. */
export function figuresOfFit(view: WorldView, ship: Eid, fit: readonly ModuleRow[]): Figures {
  const { owner, class: kind } = view.read(Ship)
  const isBare = fit.length === 0 && owner[ship] === 0 && view.read(Buffed).first[ship] === 0
  if (!isBare) return computeFigures(view, ship, fit)
  const known = BARE_HULLS.get(kind[ship]) ?? computeFigures(view, ship, fit)
  BARE_HULLS.set(kind[ship], known)
  return known
}

function computeFigures(view: WorldView, ship: Eid, fit: readonly ModuleRow[]): Figures {
  const columns = view.read(Ship)
  const hull = SHIP_CLASSES[columns.class[ship]]
  const levels = view.read(PlayerSkills).level
  const level = (skill: number) => levels[columns.owner[ship] * SKILLS_WIDTH + skill]
  const sum = (field: Additive) => fit.reduce((total, row) => total + (row[field] ?? 0), 0)
  const builtIn = (type: string) => capabilityOf(hull, type)
  const usagePct = 100 - Math.min(USAGE_SAVING_MAX_PCT, level(ENGINEERING))
  const usage = (field: 'cpu_usage' | 'power_usage') =>
    fit.reduce((total, row) => total + divCeil(row[field] * usagePct, 100), 0)
  const rigs = FAMILIES.map((family) => rigFigures(fit, family))
  const speed = hull.base_speed + sum('speed_bonus') - sum('speed_penalty')
  return {
    hullMax: Math.max(
      1,
      addPercent(hull.base_hull + sum('hull_bonus') - sum('hull_penalty'), level(ARMOR)),
    ),
    shieldMax: Math.max(1, addPercent(hull.base_shield + sum('shield_bonus'), level(SHIELDS))),
    shieldRegen: Math.max(
      0,
      addPercent(hull.base_shield_recharge + sum('shield_recharge_bonus'), level(SHIELDS)),
    ),
    armor: Math.max(0, addPercent(hull.base_armor + sum('armor_bonus'), level(ARMOR))),
    baseSpeed: boostedSpeed(speed, buffOf(view, ship, 'speed')),
    scale: hull.scale,
    fuelMax: Math.max(1, hull.base_fuel + sum('max_fuel_bonus')),
    fuelEfficiencyPct: sum('fuel_efficiency') + builtIn('fuel_efficiency_bonus'),
    cargoCap: Math.max(0, hull.cargo_capacity + sum('cargo_bonus')),
    cpuUsed: usage('cpu_usage'),
    cpuCap: Math.max(0, hull.cpu_capacity + sum('cpu_bonus')),
    powerUsed: usage('power_usage'),
    powerCap: Math.max(0, hull.power_capacity + sum('power_bonus')),
    filterMask: filterMask(fit),
    deepCore: fit.some((row) => row.special === 'deep_core_access') ? 1 : 0,
    ...sensingOf(view, ship, { sum, builtIn, level }),
    crewCap: hull.crew_capacity + sum('crew_capacity_bonus'),
    crewMin: Math.max(1, hull.minimum_crew),
    marineCap: hull.marine_capacity + sum('marine_capacity_bonus'),
    perSlot: {
      slotsUsed: SLOTS.map((slot) => fit.filter((row) => row.slot === slot).length),
      slotsCap: [hull.weapon_slots, hull.defense_slots, hull.utility_slots],
    },
    perFamily: {
      minePower: rigs.map((rig) => rig.power),
      mineFine: rigs.map((rig) => rig.precision),
      yieldBonusPct: YIELD_CAPABILITY.map((type) => builtIn(type) + buffOf(view, ship, 'yield')),
      compressionPct: COMPRESSION_CAPABILITY.map((type) =>
        builtIn(type) === 0 ? 100 : clamp(builtIn(type), COMPRESSION_MIN_PCT, 100),
      ),
    },
  }
}
