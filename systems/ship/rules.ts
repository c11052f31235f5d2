/**
 * Ships: making and releasing them, names and owners, fitting modules, and the figures derived from
 * hull, fit, skills and personnel. The place of a ship belongs to travel, its cargo to cargo.
 */
import { assert } from '../../core/assert.ts'
import { type ModuleRow, SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { TableDef } from '../../core/columns.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { Container, closeContainer, openContainer } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { npcFiguresOf } from '../combat/model.ts'
import { dropBuffs } from '../consumable/rules.ts'
import { creatureOf } from '../creature/model.ts'
import { evacuate } from '../passenger/list-model.ts'
import { Cabin, Lounge, Passenger, Terminal } from '../passenger/state.ts'
import { playerMeant, sightOf } from '../sensing/model.ts'
import { dockedBase, poiOf } from '../travel/location-model.ts'
import {
  CREATURE_CAPACITIES,
  type Figures,
  figuresOfFit,
  fitOf,
  SINGLE_FIGURES,
} from './derive-model.ts'
import { isRecovering, moduleGood, modulesOf } from './model.ts'
import { MODULES_OF, Module, Recovering, SHIP_NAMES, SHIPS_OF, Ship } from './state.ts'

/** Tables written when ships are made, handed over or released, including their passengers'. */
export const SHIP_WRITES: readonly TableDef[] = [
  Account,
  Cabin,
  Container,
  Lounge,
  Module,
  Passenger,
  Player,
  Ship,
  Terminal,
]

/**
 * Derives the figures of a ship, except speed and crew efficiency, which follow from them. NPCs,
 * creatures and stations have the figures of their kind, whatever their hull. With `fit`, returns
 * what the figures would be with other modules.
 */
export function deriveFigures(
  view: WorldView,
  ship: Eid,
  fit: readonly ModuleRow[] = fitOf(view, ship),
): Figures {
  const figures = figuresOfFit(view, ship, fit)
  const npcFigures = npcFiguresOf(view, ship)
  if (!npcFigures) return figures
  const { hull, shield, regen, armor, speed } = npcFigures
  const creature = creatureOf(view, ship)
  return {
    ...figures,
    ...(creature ? { ...CREATURE_CAPACITIES, scale: creature.scale } : {}),
    hullMax: hull,
    shieldMax: shield,
    shieldRegen: regen,
    armor,
    baseSpeed: speed,
  }
}

/** Recomputes the figures of all ships: those of their classes and crews may have changed. */
export function recomputeAll(world: World): void {
  const { alive } = world.read(Ship)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1) recompute(world, ship)
  }
}

/** Tags the ships whose shields regrow, after a restore. */
export function rebuildTags(world: World): void {
  const { alive } = world.read(Ship)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1) trackShield(world, ship)
  }
}

/*
 * Names that pilots give their ships: no two are the same, whatever the case. Creatures and house
 * fighters may share names, and so are not in SHIP_NAMES. Source: ships.md section 8.
 */

/** Clears the name of a ship, so that another may have it. */
export function clearShipName(world: World, ship: Eid): void {
  const { name, seq } = world.read(Ship)
  const given = world.texts.get(name[ship])
  if (given === '') return
  const key = usernameKey(given)
  if (world.records(SHIP_NAMES).get(key) === seq[ship]) world.records(SHIP_NAMES).delete(key)
  world.setText(Ship, 'name', ship, '')
}

/** Names a ship; the caller has made sure that no other ship has the name. */
export function nameShip(world: World, ship: Eid, name: string): void {
  assert(name !== '', 'a ship is given an empty name')
  clearShipName(world, ship)
  const names = world.records(SHIP_NAMES)
  assert(!names.has(usernameKey(name)), `two ships are called ${name}`)
  names.set(usernameKey(name), world.read(Ship).seq[ship])
  world.setText(Ship, 'name', ship, name)
}

/**
 * Gives a ship to a player; with player 0 it has no owner. Its passengers leave. O(ships of its
 * last owner).
 */
export function setOwner(world: World, ship: Eid, player: Eid): void {
  const { alive, owner } = world.read(Ship)
  assert(alive[ship] === 1, `ship ${ship} is gone`)
  if (owner[ship] === player) return
  evacuate(world, ship)
  if (owner[ship] !== 0) SHIPS_OF.unlink(world, ship)
  if (player !== 0) SHIPS_OF.link(world, ship, player)
}

/**
 * Finds the player whose ship is to be repaired: seen at the same place, docked together or both in
 * space. Refusal: invalid_target.
 */
export function findRepairTarget(
  view: WorldView,
  player: Eid,
  target: string,
): Outcome<Eid, 'invalid_target'> {
  const other = playerMeant(view, player, target)
  const isHere =
    other !== 0 &&
    other !== player &&
    poiOf(view, other) !== 0 &&
    poiOf(view, other) === poiOf(view, player) &&
    dockedBase(view, other) === dockedBase(view, player) &&
    sightOf(view, player, other) !== 'nothing'
  return isHere ? ok(other) : fail('invalid_target', { target })
}

/**
 * Fits a new instance of a module; the caller has checked slot, CPU and power, and calls
 * `recompute` afterwards.
 */
export function fitModule(world: World, ship: Eid, good: number): Row {
  moduleGood(good) // asserts that the good is a module
  const module = world.write(Module)
  const row = world.take(Module)
  module.number[row] = world.nextNumber('module')
  module.type[row] = good
  MODULES_OF.link(world, row, ship)
  return row
}

/**
 * Takes a fitted module off its ship; the caller decides where the good goes, and calls `recompute`
 * afterwards.
 */
export function unfitModule(world: World, module: Row): void {
  MODULES_OF.remove(world, module)
}

/* Making ships */

interface NewShip {
  /** Player row; 0 for NPCs. */
  readonly owner: Eid
  /** Index into SHIP_CLASSES. */
  readonly shipClass: number
  /** Indices into GOODS. */
  readonly modules: readonly number[]
  /** Given at a respawn: its hull cannot become goods, and its first tank is issue fuel. */
  readonly issue?: boolean
}

/**
 * Makes an undamaged ship with full tanks and crew and an empty hold, not yet at any place. Source:
 * ships.md sections 1, 4.
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
  applyFigures(world, ship, figures)
  columns.hull[ship] = columns.hullMax[ship]
  columns.shield[ship] = columns.shieldMax[ship]
  columns.fuel[ship] = columns.fuelMax[ship]
  columns.issueFuel[ship] = plan.issue ? columns.fuelMax[ship] : 0
  trackShield(world, ship)
  return ship
}

/**
 * Removes a ship from the world, with the modules still on it. The caller has made sure that it is
 * off the map, that nobody flies it, and that its hold is empty or has passed to another owner.
 */
export function releaseShip(world: World, ship: Eid): void {
  const { owner, hold } = world.read(Ship)
  assert(world.read(Player).ship[owner[ship]] !== ship, `ship ${ship} is flown`)
  dropBuffs(world, ship)
  clearShipName(world, ship)
  for (const module of modulesOf(world, ship)) world.release(Module, module)
  if (hold[ship] !== 0) closeContainer(world, hold[ship])
  setOwner(world, ship, 0)
  world.release(Ship, ship)
}

/* Derived figures */

/** Lowest efficiency of a crew, however small. Source: ships.md section 4. */
const CREW_EFFICIENCY_MIN_PCT = 25

/** Returns the crew efficiency, 25-100 %. Source: ships.md section 4. */
function crewEfficiencyPct(fit: number, minimum: number): number {
  if (fit >= minimum) return 100
  return Math.max(CREW_EFFICIENCY_MIN_PCT, Math.trunc((100 * fit) / minimum))
}

function writeFigures(world: World, ship: Eid, figures: Figures): void {
  const columns = world.write(Ship)
  for (const name of SINGLE_FIGURES) columns[name][ship] = figures[name]
  const { slotsUsed, slotsCap } = figures.perSlot
  columns.slotsUsed.set(slotsUsed, ship * slotsUsed.length)
  columns.slotsCap.set(slotsCap, ship * slotsCap.length)
  const { minePower, mineFine, yieldBonusPct, compressionPct } = figures.perFamily
  columns.minePower.set(minePower, ship * minePower.length)
  columns.mineFine.set(mineFine, ship * mineFine.length)
  columns.yieldBonusPct.set(yieldBonusPct, ship * yieldBonusPct.length)
  columns.compressionPct.set(compressionPct, ship * compressionPct.length)
}

/**
 * Recomputes everything derived from the parts of a ship; call it after a change of fit, of
 * personnel, or of a skill in SHIP_SKILLS. Cuts values that are above a lowered maximum. Source:
 * ships.md section 2.
 */
export function recompute(world: World, ship: Eid): void {
  if (world.read(Ship).alive[ship] !== 1) assert(false, `ship ${ship} is gone`)
  applyFigures(world, ship, deriveFigures(world, ship))
}

/** Writes the figures of a ship, and the columns that depend on them. */
function applyFigures(world: World, ship: Eid, figures: Figures): void {
  writeFigures(world, ship, figures)
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

/**
 * Tags or untags a ship by whether its shield regrows. Call it after a shield was lowered, and when
 * a ship enters or leaves a battle.
 */
export function trackShield(world: World, ship: Eid): void {
  if (isRecovering(world, ship)) world.tag(Ship, ship, Recovering)
  else world.untag(Ship, ship, Recovering)
}

/** Repairs the hull by up to `points`; returns the points repaired. */
export function mendHull(world: World, ship: Eid, points: number): number {
  const columns = world.write(Ship)
  const mended = Math.min(points, columns.hullMax[ship] - columns.hull[ship])
  assert(mended >= 0, `hull of ship ${ship} is above its maximum`)
  columns.hull[ship] += mended
  return mended
}
