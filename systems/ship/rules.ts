/**
 * Ships: making them, fitting modules, and the figures derived from hull, fit, skills and
 * personnel. Where a ship is belongs to travel, what is in its hold to cargo, what mends it to
 * repair.ts.
 */
import { assert } from '../../core/assert.ts'
import {
  GOODS,
  itemIndex,
  type ModuleRow,
  SHIP_CLASSES,
  type ShipClassRow,
} from '../../core/catalog/index.ts'
import { idOf, rowOfId, seqOfWireId, wireId } from '../../core/entity.ts'
import { closeContainer, openContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { dropBuffs } from '../consumable/rules.ts'
import { Module, Recovering, Ship } from './columns.ts'
import { deriveFigures, type Figures } from './derive.ts'
import { unnameShip } from './names.ts'
import { setOwner } from './owners.ts'

export { deriveFigures, type Figures, fitOf, SHIP_SKILLS } from './derive.ts'
export { nameShip, shipNamed, unnameShip } from './names.ts'
export { setOwner, shipsOf } from './owners.ts'

/** Personnel aboard below which nobody steers. Source: ships.md section 4. */
const CREW_EFFICIENCY_MIN_PCT = 25

/* Finding ships */

/** The ship a player flies; 0 none. */
export const activeShip = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]

/** The UUID of a ship on the wire. */
export const shipId = (view: WorldView, ship: Eid): string => idOf(view, Ship, ship)

/** A ship by wire id; 0 none. */
export const shipById = (view: WorldView, id: string): Eid => rowOfId(view, Ship, id)

/** A ship of the player by wire id; 0 for anything else. */
export function ownShipById(view: WorldView, player: Eid, id: string): Eid {
  const ship = shipById(view, id)
  return ship !== 0 && view.read(Ship).owner[ship] === player ? ship : 0
}

export const shipClassOf = (view: WorldView, ship: Eid): ShipClassRow =>
  SHIP_CLASSES[view.read(Ship).class[ship]]

/** Given name, or that of the class. */
export function shipName(view: WorldView, ship: Eid): string {
  return view.texts.get(view.read(Ship).name[ship]) || shipClassOf(view, ship).name
}

/* Modules */

/** Rows of a ship's fitted modules, in order of fitting. */
export function modulesOf(view: WorldView, ship: Eid): Row[] {
  const { next } = view.read(Module)
  const rows: Row[] = []
  for (let row = view.read(Ship).firstModule[ship]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

export function moduleTypeOf(view: WorldView, module: Row): ModuleRow {
  return moduleGood(view.read(Module).type[module])
}

/** The catalogue row of a good that is a module. */
export function moduleGood(good: number): ModuleRow {
  const row = GOODS[good]
  assert(row !== undefined && 'slot' in row, `good ${good} is no module`)
  return row
}

/** The UUID of a fitted module on the wire. */
export const moduleId = (view: WorldView, module: Row): string =>
  wireId(view.seed, Module.name, view.read(Module).number[module])

/** A module fitted to the ship by wire id; 0 none. */
export function moduleById(view: WorldView, ship: Eid, id: string): Row {
  const number = seqOfWireId(view.seed, Module.name, id)
  if (number === 0) return 0
  return modulesOf(view, ship).find((row) => view.read(Module).number[row] === number) ?? 0
}

/** True if a fitted module has the special, or the hull has it by itself. */
export function hasSpecial(view: WorldView, ship: Eid, special: string): boolean {
  const byHull = shipClassOf(view, ship).inherent_capabilities.some(
    (own) => own.type === 'special_flag' && own.flag === special,
  )
  return byHull || modulesOf(view, ship).some((row) => moduleTypeOf(view, row).special === special)
}

/**
 * Fits a new instance of a module; the caller has seen to slot, CPU and power, and calls
 * `recompute` after.
 */
export function fitModule(world: World, ship: Eid, good: number): Row {
  moduleGood(good)
  const module = world.write(Module)
  const row = world.take(Module)
  module.number[row] = world.nextNumber('module')
  module.ship[row] = ship
  module.type[row] = good
  const last = modulesOf(world, ship).at(-1) ?? 0
  if (last === 0) world.write(Ship).firstModule[ship] = row
  else module.next[last] = row
  return row
}

/**
 * Takes a fitted module off its ship; the caller has seen to where the good goes, and calls
 * `recompute` after.
 */
export function unfitModule(world: World, module: Row): void {
  const columns = world.write(Module)
  const ship = columns.ship[module]
  const rows = modulesOf(world, ship)
  const at = rows.indexOf(module)
  assert(at >= 0, `module ${module} is not in the list of its ship`)
  if (at === 0) world.write(Ship).firstModule[ship] = columns.next[module]
  else columns.next[rows[at - 1]] = columns.next[module]
  world.release(Module, module)
}

/* Making ships */

export interface NewShip {
  /** Player row; 0 for NPCs. */
  readonly owner: Eid
  /** Index into SHIP_CLASSES. */
  readonly shipClass: number
  /** Indices into GOODS. */
  readonly modules: readonly number[]
  /** Given at a respawn: may not become goods, and its first tank is issue fuel. */
  readonly issue?: boolean
}

/**
 * A whole ship with full tanks and crew and an empty hold, not yet anywhere. Source: ships.md
 * sections 1, 4.
 */
export function createShip(world: World, plan: NewShip): Eid {
  const row = SHIP_CLASSES[plan.shipClass]
  assert(row, `there is no ship class ${plan.shipClass}`)
  const ship = world.take(Ship)
  const columns = world.write(Ship)
  setOwner(world, ship, plan.owner)
  columns.class[ship] = plan.shipClass
  columns.createdMs[ship] = world.wallMs
  columns.issue[ship] = plan.issue ? 1 : 0
  columns.loadoutVersion[ship] = row.default_loadout_version
  columns.hold[ship] = openContainer(world)
  for (const good of plan.modules) {
    const module = fitModule(world, ship, good)
    world.write(Module).issue[module] = plan.issue ? 1 : 0
  }
  const figures = deriveFigures(world, ship)
  columns.crewFit[ship] = figures.crewCap
  recompute(world, ship)
  columns.hull[ship] = columns.hullMax[ship]
  columns.shield[ship] = columns.shieldMax[ship]
  columns.fuel[ship] = columns.fuelMax[ship]
  columns.issueFuel[ship] = plan.issue ? columns.fuelMax[ship] : 0
  trackShield(world, ship)
  return ship
}

/**
 * Takes a ship out of the world, with the modules still on it. It stands nowhere any more, nobody
 * flies it, and its hold is empty or another's.
 */
export function releaseShip(world: World, ship: Eid): void {
  const { owner, hold } = world.read(Ship)
  assert(world.read(Player).ship[owner[ship]] !== ship, `ship ${ship} is flown`)
  dropBuffs(world, ship)
  unnameShip(world, ship)
  for (const module of modulesOf(world, ship)) world.release(Module, module)
  if (hold[ship] !== 0) closeContainer(world, hold[ship])
  setOwner(world, ship, 0)
  world.release(Ship, ship)
}

/**
 * Credits that a hull would cost anew: its materials at base value, and those of the modules given
 * that are no issue. Source: ships.md section 9, salvage.md section 2.
 */
export function rebuildValue(view: WorldView, ship: Eid, modules: readonly Row[]): number {
  const { type, issue } = view.read(Module)
  const hull = shipClassOf(view, ship).build_materials.reduce(
    (sum, { item_id, quantity }) => sum + GOODS[itemIndex(item_id)].base_value * quantity,
    0,
  )
  return modules
    .filter((module) => issue[module] === 0)
    .reduce((sum, module) => sum + GOODS[type[module]].base_value, hull)
}

/* Derived figures */

/** Crew efficiency, 25-100 %. Source: ships.md section 4. */
function crewEfficiencyPct(fit: number, minimum: number): number {
  if (fit >= minimum) return 100
  return Math.max(CREW_EFFICIENCY_MIN_PCT, Math.trunc((100 * fit) / minimum))
}

function writeFigures(world: World, ship: Eid, figures: Figures): void {
  const columns = world.write(Ship)
  const { perSlot, perFamily, ...single } = figures
  for (const [name, value] of Object.entries(single)) {
    columns[name as keyof typeof single][ship] = value
  }
  for (const [name, values] of Object.entries(perSlot)) {
    columns[name as keyof typeof perSlot].set(values, ship * values.length)
  }
  for (const [name, values] of Object.entries(perFamily)) {
    columns[name as keyof typeof perFamily].set(values, ship * values.length)
  }
}

/**
 * Computes everything derived of a ship again; call it after a change of fit, of personnel, or of a
 * skill in SHIP_SKILLS. Values above a lowered maximum are cut. Source: ships.md section 2.
 */
export function recompute(world: World, ship: Eid): void {
  assert(world.read(Ship).alive[ship] === 1, `ship ${ship} is gone`)
  writeFigures(world, ship, deriveFigures(world, ship))
  const columns = world.write(Ship)
  const efficiency = crewEfficiencyPct(columns.crewFit[ship], columns.crewMin[ship])
  columns.crewEffPct[ship] = efficiency
  columns.speed[ship] = Math.max(1, Math.trunc((columns.baseSpeed[ship] * efficiency) / 100))
  columns.hull[ship] = Math.min(columns.hull[ship], columns.hullMax[ship])
  columns.shield[ship] = Math.min(columns.shield[ship], columns.shieldMax[ship])
  columns.fuel[ship] = Math.min(columns.fuel[ship], columns.fuelMax[ship])
  columns.issueFuel[ship] = Math.min(columns.issueFuel[ship], columns.fuel[ship])
  trackShield(world, ship)
}

/** True if the shield regrows by itself. In a battle phase fight sees to it. */
export function isRecovering(view: WorldView, ship: Eid): boolean {
  const { shield, shieldMax, shieldRegen } = view.read(Ship)
  if (view.read(Fighting).participant[ship] !== 0) return false
  return shield[ship] < shieldMax[ship] && shieldRegen[ship] > 0
}

/**
 * Keeps the tag of ships whose shield regrows; whoever lowers a shield calls it, and whoever takes
 * a ship into a battle or out of it.
 */
export function trackShield(world: World, ship: Eid): void {
  if (isRecovering(world, ship)) world.tag(Ship, ship, Recovering)
  else world.untag(Ship, ship, Recovering)
}

/** Makes the hull whole by up to `points`; returns what was mended. */
export function mendHull(world: World, ship: Eid, points: number): number {
  const columns = world.write(Ship)
  const mended = Math.min(points, columns.hullMax[ship] - columns.hull[ship])
  assert(mended >= 0, `hull of ship ${ship} is above its maximum`)
  columns.hull[ship] += mended
  return mended
}
