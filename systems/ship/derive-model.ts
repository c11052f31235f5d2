/**
 * The figures of a ship that follow from hull, fit, skills and personnel, as pure arithmetic.
 * Source: ships.md 2.
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
import { PlayerSkills, SKILLS_WIDTH } from '../skill/state.ts'
import { FAMILIES, Module, Ship } from './state.ts'

const SPEED_MAX = 8
/** Engineering saves at most half. */
const USAGE_SAVING_MAX_PCT = 50
/** Scanner power of a bare hull. Source: travel.md section 8. */
const SCANNER_BASE = 5
/** Beam precision ×1000 never falls below. Source: mining.md section 2. */
const PRECISION_MIN_MILLI = 250
const COMPRESSION_MIN_PCT = 25
/** Rarity ranks a filter can exclude; what is left is always minable. */
const FILTER_RANKS_MAX = 4

const SLOTS = ['weapon', 'defense', 'utility'] as const
const YIELD_CAPABILITY = ['ore_yield_bonus', 'ice_yield_bonus', 'gas_yield_bonus'] as const
const SPACE_CAPABILITY = [
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

/** Columns of `Ship` by name; `perSlot` and `perFamily` hold those with a value each. */
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

/** Fields of a module that simply add up. */
type Additive = {
  [K in keyof ModuleRow]-?: NonNullable<ModuleRow[K]> extends number ? K : never
}[keyof ModuleRow]

const ARMOR = skillIndex('armor')
const SHIELDS = skillIndex('shields')
const ENGINEERING = skillIndex('engineering')
const SCANNING = skillIndex('scanning')
const STEALTH = skillIndex('stealth')
const VOIDBORN_MASTERY = skillIndex('voidborn_mastery')

/** Types of the modules on a ship, in the order of fitting. */
export function fitOf(view: WorldView, ship: Eid): ModuleRow[] {
  const { next, type } = view.read(Module)
  const fit: ModuleRow[] = []
  for (let row = view.read(Ship).firstModule[ship]; row !== 0; row = next[row]) {
    fit.push(GOODS[type[row]] as ModuleRow)
  }
  return fit
}

/**
 * Power of the rig of one family, and its weighted precision ×1000. Source: mining.md section 2.
 */
function rigOf(fit: readonly ModuleRow[], family: string): { power: number; fine: number } {
  const rig = fit.filter(
    (row) => (row.mining_power ?? 0) > 0 && (row.mining_family ?? 'mining') === family,
  )
  const power = rig.reduce((sum, row) => sum + (row.mining_power ?? 0), 0)
  if (power === 0) return { power: 0, fine: 0 }
  const weighted = rig.reduce((sum, row) => sum + (row.mining_power ?? 0) * precisionMilli(row), 0)
  const adapters = fit
    .filter((row) => row.mining_power === 0)
    .reduce((sum, row) => sum + precisionMilli(row), 0)
  return { power, fine: Math.max(PRECISION_MIN_MILLI, Math.trunc(weighted / power) + adapters) }
}

/**
 * Each extraction filter excludes one rarity rank more, the commonest first. ours: nothing sets one
 * by choice.
 */
function filterMask(fit: readonly ModuleRow[]): number {
  const filters = fit.filter((row) => row.special === 'extraction_filter').length
  return (1 << Math.min(filters, FILTER_RANKS_MAX)) - 1
}

/** Creatures have neither crew nor hold. */
export const NO_SHIP = { crewCap: 0, crewMin: 0, marineCap: 0, cargoCap: 0 }

const boostedSpeed = (speed: number, boostPct: number): number =>
  clamp(addPercent(speed, boostPct), 1, SPEED_MAX)

/** Own capability of a hull, by the catalogue. */
const capabilityOf = (base: ShipClassRow, type: string): number =>
  base.inherent_capabilities.reduce((total, row) => total + (row.type === type ? row.value : 0), 0)

/** How figures add up: over modules, over what the hull has by itself, and by skill. */
interface Sums {
  sum(field: Additive): number
  own(type: string): number
  level(skill: number): number
}

/** What a ship sees with, and hides by: buffs add points. Source: travel.md section 8. */
function sensingOf(view: WorldView, ship: Eid, { sum, own, level }: Sums) {
  const cloak = sum('cloak_strength') + own('integrated_cloak')
  const scanner = SCANNER_BASE + sum('scanner_power') + own('integrated_scanner')
  const stealth = level(STEALTH) + level(VOIDBORN_MASTERY)
  const hidden = addPercent(cloak + own('scan_resistance'), stealth)
  return {
    scanPower: addPercent(scanner, level(SCANNING)) + buffOf(view, ship, 'scanner'),
    surveyPower: addPercent(
      sum('survey_power') + own('integrated_survey_scanner'),
      level(SCANNING),
    ),
    cloakPower: hidden + buffOf(view, ship, 'cloak'),
    cloakDevice: cloak > 0 ? 1 : 0,
  }
}

export function figuresOfFit(view: WorldView, ship: Eid, fit: readonly ModuleRow[]): Figures {
  const columns = view.read(Ship)
  const base = SHIP_CLASSES[columns.class[ship]]
  const levels = view.read(PlayerSkills).level
  const level = (skill: number) => levels[columns.owner[ship] * SKILLS_WIDTH + skill]
  const sum = (field: Additive) => fit.reduce((total, row) => total + (row[field] ?? 0), 0)
  const own = (type: string) => capabilityOf(base, type)
  const asked = 100 - Math.min(USAGE_SAVING_MAX_PCT, level(ENGINEERING))
  const usage = (field: 'cpu_usage' | 'power_usage') =>
    fit.reduce((total, row) => total + divCeil(row[field] * asked, 100), 0)
  const rigs = FAMILIES.map((family) => rigOf(fit, family))
  const speed = base.base_speed + sum('speed_bonus') - sum('speed_penalty')
  return {
    hullMax: Math.max(
      1,
      addPercent(base.base_hull + sum('hull_bonus') - sum('hull_penalty'), level(ARMOR)),
    ),
    shieldMax: Math.max(1, addPercent(base.base_shield + sum('shield_bonus'), level(SHIELDS))),
    shieldRegen: Math.max(
      0,
      addPercent(base.base_shield_recharge + sum('shield_recharge_bonus'), level(SHIELDS)),
    ),
    armor: Math.max(0, addPercent(base.base_armor + sum('armor_bonus'), level(ARMOR))),
    baseSpeed: boostedSpeed(speed, buffOf(view, ship, 'speed')),
    scale: base.scale,
    fuelMax: Math.max(1, base.base_fuel + sum('max_fuel_bonus')),
    fuelEfficiencyPct: sum('fuel_efficiency') + own('fuel_efficiency_bonus'),
    cargoCap: Math.max(0, base.cargo_capacity + sum('cargo_bonus')),
    cpuUsed: usage('cpu_usage'),
    cpuCap: Math.max(0, base.cpu_capacity + sum('cpu_bonus')),
    powerUsed: usage('power_usage'),
    powerCap: Math.max(0, base.power_capacity + sum('power_bonus')),
    filterMask: filterMask(fit),
    deepCore: fit.some((row) => row.special === 'deep_core_access') ? 1 : 0,
    ...sensingOf(view, ship, { sum, own, level }),
    crewCap: base.crew_capacity + sum('crew_capacity_bonus'),
    crewMin: Math.max(1, base.minimum_crew),
    marineCap: base.marine_capacity + sum('marine_capacity_bonus'),
    perSlot: {
      slotsUsed: SLOTS.map((slot) => fit.filter((row) => row.slot === slot).length),
      slotsCap: [base.weapon_slots, base.defense_slots, base.utility_slots],
    },
    perFamily: {
      minePower: rigs.map((rig) => rig.power),
      mineFine: rigs.map((rig) => rig.fine),
      yieldBonusPct: YIELD_CAPABILITY.map((type) => own(type) + buffOf(view, ship, 'yield')),
      compressionPct: SPACE_CAPABILITY.map((type) =>
        own(type) === 0 ? 100 : clamp(own(type), COMPRESSION_MIN_PCT, 100),
      ),
    },
  }
}
