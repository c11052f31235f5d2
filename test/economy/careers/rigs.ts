/**
 * What a pilot of a cell begins with: hull, fit, skills, credits, and drones or a production line
 * where the career needs them. All of it is given once; gains are counted from there.
 */
import {
  FACILITIES,
  GOODS,
  goodOf,
  itemIndex,
  type ModuleRow,
  SHIP_CLASSES,
  shipClassIndex,
  XP_PER_LEVEL,
} from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { recordLevel } from '../../../systems/achievement/rules.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { OF_PLAYER, ONLINE } from '../../../systems/facility/state.ts'
import { activateShip } from '../../../systems/fitting/activation-rules.ts'
import { activeShip, loadCargo, modulesOf, rebuildValue } from '../../../systems/ship/model.ts'
import { createShip, fitModule, recompute } from '../../../systems/ship/rules.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { skillIndex, slotOf } from '../../../systems/skill/model.ts'
import { PlayerSkills } from '../../../systems/skill/state.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { type CareerName, type Cell, MEDIANS } from './bands.ts'

interface Rig {
  /** Category of the hulls; without one, the empire's starter hull serves at any tier. */
  readonly hull?: string
  /** Modules added to the default fit, as often as the hull can carry them. */
  readonly fill: readonly string[]
  /** Part of the id of a default module by which the right hulls of a category are known. */
  readonly mark?: string
  /** Nothing but the fill is fitted. */
  readonly isBare?: true
  readonly skills?: (tier: number) => Readonly<Record<string, number>>
}

const MINER: Rig = {
  hull: 'mining',
  fill: ['mining_laser', 'cargo_expander'],
  mark: 'mining_laser',
}
const HAULER: Rig = { hull: 'hauling', fill: ['cargo_expander'] }
const BENCH_LEVEL = 8
const DRONE = 'mining_drone'
/** Levels of drone control that let the bay of each tier run all its drones. */
const DRONE_LEVELS = [1, 1, 5, 15, 15]

const RIGS: Readonly<Record<CareerName, Rig>> = {
  mining: MINER,
  lawless: MINER,
  trade: HAULER,
  courier: HAULER,
  passenger: { hull: 'passenger', fill: ['economy_cabins'] },
  craft: {
    fill: [],
    skills: (tier) => {
      const level = tier === 0 ? 0 : BENCH_LEVEL
      return { crafting: level, refining: level }
    },
  },
  bounty: { hull: 'combat', fill: [] },
  salvage: { hull: 'salvage', fill: ['salvager', 'cargo_expander'] },
  exploration: { hull: 'exploration', fill: ['survey_scanner', 'fuel_tank'], mark: 'survey' },
  drones: {
    hull: 'mining',
    fill: ['drone_bay'],
    isBare: true,
    mark: 'mining_laser',
    skills: (tier) => ({ engineering: 2, drone_control: DRONE_LEVELS[tier] }),
  },
}

/** Level of piloting that a tier requires. */
const PILOTING = [0, 0, 10, 20, 30]
export const STAKE_HOURS = 3
/** Production lines of crafters by tier; a line's level is one below its tier. */
const LINES: Readonly<Record<number, string>> = {
  2: 'fabricator',
  3: 'component_plant',
  4: 'autonomous_works',
}
const BAYS = [
  'light_drone_bay',
  'light_drone_bay',
  'combat_drone_bay',
  'advanced_drone_bay',
  'advanced_drone_bay',
]
/** Suffixes of the modules of a family, the best first, and the first one that a tier may have. */
const GRADES = ['_iii', '_ii', '_i', '']
const GRADE_OF_TIER = [2, 2, 1, 1, 0]

/**
 * Returns the hull of a career and tier, or of the next lower tier; one of the pilot's empire if
 * possible.
 */
function classFor({ career, tier }: Cell, empire: string): number {
  const { hull, mark = '' } = RIGS[career]
  const top = hull === undefined ? 0 : tier
  const fit = SHIP_CLASSES.filter((row) =>
    top === 0
      ? row.starter_ship
      : row.category === hull && (row.default_modules ?? []).some((id) => id.includes(mark)),
  )
  for (let level = top; level >= 0; level--) {
    const rows = fit.filter((row) => row.tier === level)
    const own = rows.find((row) => row.faction === empire)
    const found = own ?? rows.find((row) => !row.faction) ?? rows[0]
    if (found) return shipClassIndex(found.id)
  }
  throw new Error(`no hull for ${career} of tier ${tier}`)
}

const moduleOf = (id: string): ModuleRow => goodOf(id) as ModuleRow

/**
 * Returns the default modules, and those of the career that slots, CPU and power leave room for.
 */
function fitFor({ career, tier }: Cell, shipClass: number): string[] {
  const row = SHIP_CLASSES[shipClass]
  const { isBare, fill } = RIGS[career]
  const fit = isBare ? [] : [...(row.default_modules ?? [])]
  const sum = (read: (module: ModuleRow) => number): number =>
    fit.reduce((all, id) => all + read(moduleOf(id)), 0)
  const canCarry = (id: string): boolean => {
    const { slot, cpu_usage, power_usage } = moduleOf(id)
    const slots = {
      weapon: row.weapon_slots,
      defense: row.defense_slots,
      utility: row.utility_slots,
    }
    const used = sum((module) => (module.slot === slot ? 1 : 0))
    return (
      used < (slots[slot as keyof typeof slots] ?? 0) &&
      sum((module) => module.cpu_usage) + cpu_usage <= (row.cpu_capacity ?? 0) &&
      sum((module) => module.power_usage) + power_usage <= (row.power_capacity ?? 0)
    )
  }
  for (const family of fill) {
    const names = GRADES.slice(GRADE_OF_TIER[tier]).map((grade) => `${family}${grade}`)
    const id = family === 'drone_bay' ? BAYS[tier] : names.find((name) => itemIndex(name) >= 0)
    if (id === undefined) throw new Error(`no module ${family}`)
    while (canCarry(id)) fit.push(id)
  }
  return fit
}

/** Returns the base value of a ship with its modules; an issue hull is worth nothing. */
export function shipWorth(world: World, ship: Eid): number {
  if (ship === 0) return 0
  const modules = modulesOf(world, ship)
  if (world.read(Ship).issue[ship] === 0) return rebuildValue(world, ship, modules)
  const { issue, type } = world.read(Module)
  return modules
    .filter((module) => issue[module] === 0)
    .reduce((sum, module) => sum + GOODS[type[module]].base_value, 0)
}

/** Puts a docked player into the ship of the cell. */
export function giveShip(world: World, player: Eid, base: Eid, cell: Cell, empire: string): void {
  const shipClass = classFor(cell, empire)
  const fit = fitFor(cell, shipClass)
  let ship = activeShip(world, player)
  const isStarter = SHIP_CLASSES[shipClass].starter_ship
  if (isStarter && !RIGS[cell.career].isBare) {
    const added = fit.slice((SHIP_CLASSES[shipClass].default_modules ?? []).length)
    for (const id of added) fitModule(world, ship, itemIndex(id))
    recompute(world, ship)
  } else {
    ship = createShip(world, { owner: player, shipClass, modules: fit.map(itemIndex) })
    dockShip(world, ship, base)
    activateShip(world, player, ship)
  }
  if (cell.career !== 'drones') return
  const drones = fit.reduce((sum, id) => sum + (moduleOf(id).drone_capacity ?? 0), 0)
  loadCargo(world, ship, namedContainer('supply'), itemIndex(DRONE), drones)
}

function setLevel(world: World, player: Eid, skill: string, after: number): void {
  const { level } = world.write(PlayerSkills)
  const slot = slotOf(player, skillIndex(skill))
  const before = level[slot]
  level[slot] = after
  if (after > before) recordLevel(world, player, skillIndex(skill), { before, after })
}

/** Gives a new player what the cell begins with. */
export function equip(world: World, player: Eid, base: Eid, cell: Cell, empire: string): void {
  const { career, tier } = cell
  const skills = { piloting: PILOTING[tier], ...RIGS[career].skills?.(tier) }
  for (const [skill, level] of Object.entries(skills)) setLevel(world, player, skill, level)
  giveShip(world, player, base, cell, empire)
  const wallet = walletOf(world, player)
  const stake = STAKE_HOURS * MEDIANS[tier] - balanceOf(world, wallet)
  const grant = namedAccount('starting_grant')
  if (stake >= 0) post(world, grant, wallet, stake)
  else post(world, wallet, grant, -stake)
  const line = career === 'craft' ? LINES[tier] : undefined
  if (line === undefined) return
  const type = FACILITIES.findIndex(({ id }) => id === line)
  addFacility(world, { type, base, owner: { kind: OF_PLAYER, player, faction: 0 }, status: ONLINE })
}

/** Returns the experience in all skills, and in piloting alone. */
export function experienceOf(world: World, player: Eid): { all: number; piloting: number } {
  const { level, xp } = world.read(PlayerSkills)
  const [from, to] = [slotOf(player, 0), slotOf(player + 1, 0)]
  const total = (slot: number): number =>
    XP_PER_LEVEL.slice(0, level[slot]).reduce((sum, step) => sum + step, xp[slot])
  let all = 0
  for (let slot = from; slot < to; slot++) all += total(slot)
  return { all, piloting: total(slotOf(player, skillIndex('piloting'))) }
}
