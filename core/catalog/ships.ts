/**
 * Every ship class, made from the role tables and the name lists. The order must not change:
 * columns hold indexes into it.
 */
import { deepFreeze } from './freeze.ts'
import type { EmpireId } from './map-types.ts'
import { MODULES } from './modules.ts'
import { EARLIER_FITS, FITS } from './ship-fits.ts'
import {
  OPEN_SHIP_LINES,
  PIRATE_SHIP_LINES,
  POLICE_SHIP_LINES,
  SHIP_LINES,
  type ShipLine,
} from './ship-names.ts'
import { LATER_OPEN_SHIP_LINES, LATER_SHIP_LINES } from './ship-names-later.ts'
import {
  BOUNDS,
  BUILD_TICKS,
  CORE,
  capabilities,
  MATERIALS,
  PEOPLE,
  PILOTING,
  PILOTING_CAPITAL,
  REPUTATION,
  ROLES,
  type Role,
  type RoleRow,
  type Stat,
} from './ship-roles.ts'
import type { Capability, MaterialRow, ModuleRow, ShipClassRow } from './types.ts'

const MODULE_BY_ID = new Map(MODULES.map((row) => [row.id, row]))

/**
 * Bonus of an empire's shipyards to a figure, percent; for speed, AU per tick. Source: ships.md
 * section 1.
 */
const EMPIRE_BONUS: Readonly<Partial<Record<EmpireId, Partial<Record<Stat, number>>>>> = {
  solarian: { hull: 3, shield: 3, cargo: 3 },
  voidborn: { shield: 10 },
  nebula: { cargo: 15 },
  outerrim: { speed: 1 },
}

const LORE: Readonly<Record<EmpireId | '', string>> = {
  solarian: 'Built to the Standard of Seven Colonies; every rivet has a file.',
  voidborn: 'Grown dark around a cradle of emitters, in yards that have no windows.',
  crimson: 'Hammered from oathiron; the foreman’s name is cut inside the keel.',
  nebula: 'Financed in shares, launched on schedule, insured twice.',
  outerrim: 'Raised by neighbours from what the last storm left over.',
  '': 'An open design, older than most flags.',
}

const PIRATE_LORE = 'No yard admits to it. No two are alike.'

function stat(name: Stat, role: RoleRow, tier: number, empire: EmpireId | ''): number {
  const [low, median, high] = BOUNDS[tier]![name]
  const bonus = (empire === '' ? undefined : EMPIRE_BONUS[empire]?.[name]) ?? 0
  if (name === 'speed') {
    const extra = tier >= 1 && tier <= 3 ? bonus : 0
    return Math.min(high, Math.max(low, median + role.speed + extra))
  }
  const share = name === 'regen' ? role.shield : role[name]
  const scaled = Math.trunc((Math.trunc((median * share) / 100) * (100 + bonus)) / 100)
  return Math.min(high, Math.max(low, scaled))
}

interface Room {
  weapon: number
  defense: number
  utility: number
  cpu: number
  power: number
}

function takes(room: Room, row: ModuleRow): boolean {
  return room[row.slot] > 0 && room.cpu >= row.cpu_usage && room.power >= row.power_usage
}

function fitModules(role: Role, tier: number, room: Room): string[] {
  const grade = tier <= 1 ? 0 : tier <= 3 ? 1 : 2
  const fitted: string[] = []
  for (const grades of FITS[role]) {
    const row = MODULE_BY_ID.get(grades[grade]!)!
    if (!takes(room, row)) continue
    room[row.slot] -= 1
    room.cpu -= row.cpu_usage
    room.power -= row.power_usage
    fitted.push(row.id)
  }
  return fitted
}

function billOf(role: RoleRow, tier: number): MaterialRow[] {
  const rows = MATERIALS[tier]!.map((row) => ({ ...row }))
  const extra = { item_id: role.extra, quantity: 2 + 2 * tier * tier }
  const same = rows.find((row) => row.item_id === extra.item_id)
  if (same) same.quantity += extra.quantity
  else rows.push(extra)
  return rows
}

function abilities(role: Role, tier: number, empire: EmpireId | ''): Capability[] {
  const list = capabilities(role, tier)
  return empire === 'crimson' ? [...list, { type: 'weapon_damage_bonus', value: 5 }] : list
}

function shipClass(line: ShipLine, empire: EmpireId | '', pirate: boolean): ShipClassRow {
  const [id, name, roleName, tier, description] = line
  const role = ROLES[roleName]
  const [weapon, defense, utility] = role.slots[tier]!
  const cpu = Math.trunc((CORE[tier]![0] * role.core) / 100)
  const power = Math.trunc((CORE[tier]![1] * role.core) / 100)
  const [crew, minimum, marines] = PEOPLE[tier]!
  const assault = role.category === 'assault'
  return {
    id,
    name,
    class: role.label[tier]!,
    category: pirate ? 'pirate' : role.category,
    description,
    lore: pirate ? PIRATE_LORE : LORE[empire],
    faction: empire,
    tier,
    scale: Math.max(1, tier),
    base_hull: stat('hull', role, tier, empire),
    base_armor: stat('armor', role, tier, empire),
    base_shield: stat('shield', role, tier, empire),
    base_shield_recharge: stat('regen', role, tier, empire),
    base_speed: stat('speed', role, tier, empire),
    base_fuel: stat('fuel', role, tier, empire),
    cargo_capacity: stat('cargo', role, tier, empire),
    cpu_capacity: cpu,
    power_capacity: power,
    weapon_slots: weapon,
    defense_slots: defense,
    utility_slots: utility,
    default_modules: fitModules(roleName, tier, { weapon, defense, utility, cpu, power }),
    default_loadout_version: 1 + (EARLIER_FITS[id]?.length ?? 0),
    inherent_capabilities: abilities(roleName, tier, empire),
    piloting_required: role.category === 'capital' ? PILOTING_CAPITAL : PILOTING[tier]!,
    required_reputation: empire === '' ? 0 : REPUTATION[tier]!,
    required_items: [],
    shipyard_tier: Math.max(1, tier),
    build_time: BUILD_TICKS[tier]!,
    build_materials: billOf(role, tier),
    tow_speed_bonus: roleName === 'salvager' ? 15 + 5 * tier : 0,
    passive_recipes: [],
    flavor_tags: [empire === '' ? (pirate ? 'pirate' : 'open') : empire, roleName],
    starter_ship: roleName === 'starter',
    hidden: pirate,
    legacy: false,
    crew_capacity: crew,
    minimum_crew: minimum,
    marine_capacity: assault ? marines * 4 : marines,
    latch_resistance: tier,
    boarding_defense_bonus_pct: assault ? 20 : 0,
    capture_policy: 'normal',
  }
}

/**
 * The class of a station in a battle. Its figures come from the station; one person aboard keeps
 * its guns manned until it is destroyed.
 */
const STATION: ShipClassRow = {
  ...shipClass(['station', 'Station', 'fighter', 5, 'Docks, lamps and guns.'], '', true),
  class: 'station',
  category: 'capital',
  lore: 'It was here before the lane was charted, and means to stay.',
  inherent_capabilities: [],
  flavor_tags: ['station'],
  crew_capacity: 1,
  minimum_crew: 1,
  marine_capacity: 0,
  capture_policy: 'forbidden',
}

/** Returns a class of police drones: one berth for maintenance, and they cannot be captured. */
const droneClass = (line: ShipLine): ShipClassRow => ({
  ...shipClass(line, '', false),
  lore: 'Every system pays for its own; the number says how many it has buried.',
  hidden: true,
  crew_capacity: 1,
  minimum_crew: 1,
  marine_capacity: 0,
  capture_policy: 'forbidden',
})

export const SHIP_CLASSES: readonly ShipClassRow[] = deepFreeze([
  ...SHIP_LINES.flatMap(([empire, lines]) => lines.map((line) => shipClass(line, empire, false))),
  ...OPEN_SHIP_LINES.map((line) => shipClass(line, '', false)),
  ...PIRATE_SHIP_LINES.map((line) => shipClass(line, '', true)),
  STATION,
  ...POLICE_SHIP_LINES.map(droneClass),
  ...LATER_SHIP_LINES.flatMap(([empire, lines]) =>
    lines.map((line) => shipClass(line, empire, false)),
  ),
  ...LATER_OPEN_SHIP_LINES.map((line) => shipClass(line, '', false)),
])

/** Returns the modules of a version of the class's loadout. */
export const loadoutOf = (row: ShipClassRow, version: number): readonly string[] =>
  EARLIER_FITS[row.id]?.[version - 1] ?? row.default_modules
