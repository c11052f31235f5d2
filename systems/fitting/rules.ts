/**
 * Refusals of fitting, the effects of a change, dismantling of hulls, and garages. Commands check
 * the refusals, which only read, before they change anything. Source: ships.md sections 2, 3.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, isModule, type ModuleRow } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { contentsOf, type Held, moveItems, namedContainer } from '../../core/goods.ts'
import { SHIPS_PER_PLAYER_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { isStorageNearlyFull, openLocker, packagesIn } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { stowBays } from '../drone/lifecycle-rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { cabinsRefusal } from '../passenger/model.ts'
import { scrapHold } from '../salvage/make-rules.ts'
import { isTowing } from '../salvage/model.ts'
import { retieTow } from '../salvage/tow-rules.ts'
import { markAppearance } from '../sensing/model.ts'
import { setCloak } from '../sensing/rules.ts'
import { type Figures, fitOf } from '../ship/derive-model.ts'
import { activeShip, modulesOf, moduleTypeOf, shipsOf, unloadCargo } from '../ship/model.ts'
import { deriveFigures, recompute, releaseShip, setOwner, unfitModule } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { isFleetFull } from '../shipyard/model.ts'
import { removeFromMap } from '../travel/rules.ts'
import { Location } from '../travel/state.ts'
import {
  cpuPowerRefusal,
  garageCapacity,
  garagedShips,
  garageOf,
  hasCloakDevice,
  isParked,
  peopleRefusal,
} from './model.ts'
import { GARAGES, Garaged } from './state.ts'

/*
 * Storing the hold and modules of a hull in the owner's locker at a base, and dismantling a hull.
 * Source: ships.md sections 1, 8.
 */

/** Contents of a hold. */
export interface HoldContents {
  readonly goods: readonly Held[]
  readonly packages: readonly Row[]
}

/** Moves all contents of a hold into the owner's locker at the base, and returns them. */
export function storeHold(world: World, ship: Eid, base: Eid): HoldContents {
  const { hold, owner } = world.read(Ship)
  const [player, goods] = [owner[ship], contentsOf(world, hold[ship])]
  for (const { item, units } of goods) {
    unloadCargo(world, ship, openLocker(world, player, base), item, units)
  }
  const packages = packagesIn(world, hold[ship])
  for (const pkg of packages) movePackage(world, pkg, { kind: 'locker', player, base })
  return { goods, packages }
}

/** Moves modules into the owner's locker at the base; returns the goods. Issue is destroyed. */
export function storeModules(
  world: World,
  ship: Eid,
  base: Eid,
  modules: readonly Row[],
): number[] {
  const { type, issue } = world.read(Module)
  const owner = world.read(Ship).owner[ship]
  const stored = modules.filter((module) => issue[module] === 0).map((module) => type[module])
  for (const module of modules) stripModule(world, module, () => openLocker(world, owner, base))
  recompute(world, ship)
  return stored
}

interface Dismantled extends HoldContents {
  /** Its modules, as indices into GOODS. */
  readonly modules: readonly number[]
}

/**
 * Dismantles a parked ship: hold, modules and drones go into the owner's locker there, the policy
 * ends, the people leave, the name is released. Source: ships.md section 8, scrap_ship.
 */
export function dismantle(world: World, ship: Eid): Dismantled {
  assert(isParked(world, ship), `ship ${ship} is dismantled but not parked`)
  assert(!isTowing(world, ship), `ship ${ship} is parked and tows something`)
  const base = world.read(Location).base[ship]
  const owner = world.read(Ship).owner[ship]
  stowBays(world, ship, () => openLocker(world, owner, base))
  const stored = storeHold(world, ship, base)
  const modules = storeModules(world, ship, base, modulesOf(world, ship))
  endPolicy(world, ship)
  removeFromMap(world, ship)
  releaseShip(world, ship)
  return { ...stored, modules }
}

/**
 * Dismantles the parked issue hulls of a player who receives a new one. Source: ships.md section 1,
 * one issue hull a player.
 */
export function replaceIssue(world: World, player: Eid): void {
  const { issue } = world.read(Ship)
  for (const ship of shipsOf(world, player)) {
    if (issue[ship] === 1 && isParked(world, ship)) dismantle(world, ship)
  }
}

const SLOTS = ['weapon', 'defense', 'utility'] as const

/** Refuses to fit a module: no_slot, cpu_exceeded, power_exceeded, limit_reached. */
export function installRefusal(
  view: WorldView,
  ship: Eid,
  good: number,
): Failure<'cpu_exceeded' | 'limit_reached' | 'no_slot' | 'power_exceeded'> | undefined {
  const row = GOODS[good] as ModuleRow
  const fit = fitOf(view, ship)
  const { slotsCap } = view.read(Ship)
  const cap = slotsCap[ship * SLOTS.length + SLOTS.indexOf(row.slot)]
  const used = fit.filter(({ slot }) => slot === row.slot).length
  if (used >= cap) return fail('no_slot', { slot: row.slot, used, slots: cap })
  const refused = cpuPowerRefusal(deriveFigures(view, ship, [...fit, row]))
  if (refused) return refused
  return isStorageNearlyFull(view) ? fail('limit_reached') : undefined
}

const handlesHazards = (row: ModuleRow): boolean => row.special === 'hazard_handling'

/** Refuses to remove the last module that handles hazardous goods while any are aboard. */
function hazardRefusal(
  view: WorldView,
  ship: Eid,
  module: Row,
): Failure<'hazard_not_supported'> | undefined {
  if (!handlesHazards(moduleTypeOf(view, module))) return undefined
  const remaining = modulesOf(view, ship).filter((row) => row !== module)
  if (remaining.some((row) => handlesHazards(moduleTypeOf(view, row)))) return undefined
  const held = contentsOf(view, view.read(Ship).hold[ship])
  const hazard = held.find(({ item }) => isHazardous(item))
  return hazard && fail('hazard_not_supported', { item_id: GOODS[hazard.item].id })
}

const isHazardous = (item: number): boolean => {
  const good = GOODS[item]
  return !isModule(good) && (good as { hazardous?: boolean }).hazardous === true
}

/** Refuses a hold that would be too small for its contents, or also for the removed module. */
function holdRefusal(
  view: WorldView,
  ship: Eid,
  module: Row,
  { cargoCap: capacity }: Figures,
): Failure<'cargo_capacity_exceeded' | 'no_cargo_space'> | undefined {
  const { cargoUsed, cargoCap } = view.read(Ship)
  const { type, issue } = view.read(Module)
  const size = issue[module] === 1 ? 0 : GOODS[type[module]].size
  const need = cargoUsed[ship] + size
  if (need <= capacity) return undefined
  if (capacity < cargoCap[ship]) return fail('cargo_capacity_exceeded', { need, capacity })
  return fail('no_cargo_space', { need: size, free: Math.max(0, capacity - cargoUsed[ship]) })
}

/**
 * Refuses to remove a module: cpu_exceeded, power_exceeded, no_berths, hazard_not_supported,
 * cargo_capacity_exceeded, no_cargo_space, limit_reached.
 */
export function removalRefusal(view: WorldView, ship: Eid, module: Row) {
  const remaining = modulesOf(view, ship).filter((row) => row !== module)
  const fit = remaining.map((row) => moduleTypeOf(view, row))
  const figures = deriveFigures(view, ship, fit)
  const refused =
    cpuPowerRefusal(figures) ??
    peopleRefusal(view, ship, figures) ??
    cabinsRefusal(view, ship, fit) ??
    hazardRefusal(view, ship, module) ??
    holdRefusal(view, ship, module, figures)
  if (refused) return refused
  return isStorageNearlyFull(view) ? fail('limit_reached') : undefined
}

/* Changing */

/**
 * Removes a module from its ship: it becomes a good in `to` and loses its ammunition; an issue
 * module is destroyed. The caller recomputes the ship. Source: ships.md sections 1, 3.
 */
function stripModule(world: World, module: Row, to: () => Row): void {
  const { type, issue } = world.read(Module)
  const [item, isIssue] = [type[module], issue[module] === 1]
  unfitModule(world, module)
  if (!isIssue) moveItems(world, namedContainer('fitted'), to(), item, 1)
}

/**
 * Applies the effects of a new fit of the active ship, after it was recomputed: what the remaining
 * rigs can tow, the end of a cloak without a device (`hadCloak`: there was one before), and what
 * watchers see.
 */
export function settleFit(world: World, player: Eid, hadCloak: boolean): void {
  const ship = activeShip(world, player)
  retieTow(world, ship)
  const hasLostCloak = hadCloak && !hasCloakDevice(world, ship)
  if (hasLostCloak && world.read(Player).cloaked[player] === 1) {
    setCloak(world, player, false)
  }
  assertFits(world, ship)
  markAppearance(world, player)
}

/** Asserts what the refusals above have checked. */
function assertFits(view: WorldView, ship: Eid): void {
  const { cpuUsed, cpuCap, powerUsed, powerCap, cargoUsed, cargoCap } = view.read(Ship)
  assert(cpuUsed[ship] <= cpuCap[ship], `ship ${ship} lacks CPU`)
  assert(powerUsed[ship] <= powerCap[ship], `ship ${ship} lacks power`)
  assert(cargoUsed[ship] <= cargoCap[ship], `ship ${ship} is overfull`)
}

/*
 * Garages of factions: hulls that members have given to the faction. They are docked at the base of
 * the garage and have no owner until a member claims one. Source: factions.md section 7.
 */

/**
 * Gives a parked hull to the garage of a faction at its base: the contents of its hold go into the
 * owner's locker, its policy ends. The caller has checked `garageRefusal` and the other refusals of
 * a gift.
 */
export function storeInGarage(world: World, ship: Eid, faction: Row): void {
  assert(isParked(world, ship), `ship ${ship} goes to a garage but is not parked`)
  const owner = world.read(Ship).owner[ship]
  storeHold(world, ship, world.read(Location).base[ship])
  endPolicy(world, ship)
  setOwner(world, ship, 0)
  recompute(world, ship)
  const columns = world.write(Garaged)
  columns.faction[ship] = faction
  columns.depositor[ship] = owner
  columns.depositTick[ship] = world.tick
  addToGarage(world, ship)
}

function addToGarage(world: World, ship: Eid): void {
  const { faction, depositTick } = world.read(Garaged)
  const { seq } = world.read(Ship)
  const ships = [...garagedShips(world, faction[ship]), ship]
  ships.sort((a, b) => depositTick[a] - depositTick[b] || seq[a] - seq[b])
  world.index(GARAGES).set(faction[ship], ships)
}

function removeFromGarage(world: World, ship: Eid): void {
  const columns = world.write(Garaged)
  const faction = columns.faction[ship]
  const remaining = garagedShips(world, faction).filter((other) => other !== ship)
  if (remaining.length === 0) world.index(GARAGES).delete(faction)
  else world.index(GARAGES).set(faction, remaining)
  columns.faction[ship] = 0
  columns.depositor[ship] = 0
  columns.depositTick[ship] = 0
}

/** Refuses to claim a hull: no_faction_garage (repossessed or in repair), ship_limit. */
export function claimRefusal(
  view: WorldView,
  player: Eid,
  ship: Eid,
): Failure<'no_faction_garage' | 'ship_limit'> | undefined {
  const base = view.read(Location).base[ship]
  if (garageCapacity(view, garageOf(view, ship), base) === 0) return fail('no_faction_garage')
  return isFleetFull(view, player) ? fail('ship_limit', { max: SHIPS_PER_PLAYER_MAX }) : undefined
}

/** Gives a hull in a garage to a member; it stays parked there. */
export function claimGaraged(world: World, player: Eid, ship: Eid): void {
  assert(garageOf(world, ship) !== 0, `ship ${ship} is claimed but in no garage`)
  removeFromGarage(world, ship)
  setOwner(world, ship, player)
  recompute(world, ship)
}

/** Gives the hulls of a disbanded faction to the heir; those beyond their limit are scrapped. */
export function emptyGarages(world: World, faction: Row, heir: Eid): void {
  for (const ship of garagedShips(world, faction)) {
    if (!isFleetFull(world, heir)) {
      claimGaraged(world, heir, ship)
      continue
    }
    removeFromGarage(world, ship)
    scrapHold(world, ship)
    removeFromMap(world, ship)
    releaseShip(world, ship)
  }
}

/** Fills the index from the columns, after a restore. */
export function rebuildGarages(world: World): void {
  world.index(GARAGES).clear()
  const { alive } = world.read(Ship)
  const { faction } = world.read(Garaged)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1 && faction[ship] !== 0) addToGarage(world, ship)
  }
}
