/**
 * Makes wrecks: of a lost ship, a killed creature or a wrecked base, and derelicts. Source:
 * salvage.md sections 1, 2.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import {
  contentsOf,
  type Held,
  moveItems,
  type NamedContainer,
  namedContainer,
  openContainer,
} from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { packagesIn } from '../cargo/model.ts'
import { destroyPackage, destroyPackages, leavePackagesInWreck } from '../cargo/rules.ts'
import { Package } from '../cargo/state.ts'
import { policyIdOf } from '../insurance/model.ts'
import { modulesOf, rebuildValue } from '../ship/model.ts'
import { MODULES_OF, Module, Ship } from '../ship/state.ts'
import { destroyGoods, listWreck, makeRoom, scheduleDecay } from './rules.ts'
import { WRECK_TYPES, Wreck, type WreckType } from './state.ts'

/** Share of the cargo, and of the modules, that drops. */
const CARGO_PCT_MIN = 50
const CARGO_PCT_MAX = 80
const MODULE_PCT = 70
/** Share of its replacement cost that a hulk is worth. */
const SALVAGE_PCT = 10
const CARCASS_TICKS = 8_640
const DEBRIS_TICKS = 17_280

const CARGO = hashText('wreck cargo')
const MODULES = hashText('wreck module')
const PACKAGES = hashText('wreck package')

/** A ship that is lost, with its hold and modules still aboard. */
interface Loss {
  readonly ship: Eid
  readonly poi: Eid
  readonly victimId: string
  readonly victimName: string
  /** Empty when no one destroyed it. */
  readonly killerId: string
  readonly killerName: string
  /** An NPC drops all of its cargo: its hold was filled for that. */
  readonly isNpc: boolean
  /** The drones of its bays that drop, still in the container `drones`. */
  readonly bays?: readonly Held[]
}

/* What drops */

/** Draws the share of the hold that drops, %. */
function droppedPct(view: WorldView, { ship, isNpc }: Loss): number {
  if (isNpc) return 100
  const random = hash32(view.seed, view.tick, CARGO, view.read(Ship).seq[ship])
  return CARGO_PCT_MIN + drawBelow(CARGO_PCT_MAX - CARGO_PCT_MIN + 1, random)
}

/** Returns the packages of the hold that are lost with the ship, drawn separately for each. */
function lostPackages(view: WorldView, loss: Loss): Row[] {
  const { hold, seq } = view.read(Ship)
  const pct = droppedPct(view, loss)
  return packagesIn(view, hold[loss.ship]).filter((pkg) => {
    const number = view.read(Package).seq[pkg]
    const random = hash32(view.seed, view.tick, PACKAGES, seq[loss.ship], number)
    return drawBelow(100, random) >= pct
  })
}

/** Returns the part of the hold that drops; quest items never do. */
function droppedCargo(view: WorldView, loss: Loss): Held[] {
  const { hold } = view.read(Ship)
  const pct = droppedPct(view, loss)
  return contentsOf(view, hold[loss.ship])
    .filter(({ item }) => GOODS[item].quest_item !== true)
    .map(({ item, units }) => ({ item, units: divFloor(units * pct, 100) }))
}

/** Returns whether a module of a lost ship drops; issue modules never do. */
function isDropped(view: WorldView, ship: Eid, module: Row): boolean {
  const { issue, number } = view.read(Module)
  const { seq } = view.read(Ship)
  const random = hash32(view.seed, view.tick, MODULES, seq[ship], number[module])
  return issue[module] === 0 && drawBelow(100, random) < MODULE_PCT
}

/** Returns the value of the hulk: a share of what hull and lost modules cost; 0 for issue hulls. */
function salvageValue(view: WorldView, ship: Eid, lost: readonly Row[]): number {
  if (view.read(Ship).issue[ship] === 1) return 0
  return divFloor(rebuildValue(view, ship, lost) * SALVAGE_PCT, 100)
}

/* Ships */

const isFull = (view: WorldView): boolean => view.roomIn(Wreck) === 0

/**
 * Makes the wreck of a lost ship, which keeps neither hold nor modules. Returns 0 where nothing is
 * left, where the world has no room for more (what would have dropped is then lost too), or where
 * making room at the place removed the new wreck itself.
 */
export function makeWreck(world: World, loss: Loss): Row {
  const { ship } = loss
  const modules = modulesOf(world, ship)
  const kept = modules.filter((module) => isDropped(world, ship, module))
  const lost = modules.filter((module) => !kept.includes(module))
  const value = salvageValue(world, ship, lost)
  const cargo = droppedCargo(world, loss).filter(({ units }) => units > 0)
  const bays = loss.bays ?? []
  const hold = world.read(Ship).hold[ship]
  for (const pkg of lostPackages(world, loss)) destroyPackage(world, pkg, 'destroyed')
  const packages = packagesIn(world, hold)
  const isEmpty = value === 0 && [cargo, kept, bays, packages].every(({ length }) => length === 0)
  const isLost = isEmpty || isFull(world)
  destroyGoods(world, hold, isLost ? [] : cargo)
  if (isLost) {
    destroyPackages(world, hold, 'destroyed')
    dropBays(world, bays, namedContainer('destroyed'))
    return 0
  }
  const wreck = openWreck(world, 'ship', loss)
  describeShip(world, wreck, loss)
  fillWreck(world, wreck, ship, kept)
  dropBays(world, bays, world.read(Wreck).cargo[wreck])
  const columns = world.write(Wreck)
  columns.initialValue[wreck] = value
  columns.value[wreck] = value
  makeRoom(world, loss.poi)
  return columns.alive[wreck] === 1 ? wreck : 0
}

/** Moves the drones that drop out of the bays, as items. Source: salvage.md section 2. */
function dropBays(world: World, bays: readonly Held[], to: Row): void {
  for (const { item, units } of bays) moveItems(world, namedContainer('drones'), to, item, units)
}

/** Destroys what a ship carries. */
export function scrapHold(world: World, ship: Eid): void {
  const hold = world.read(Ship).hold[ship]
  destroyGoods(world, hold)
  destroyPackages(world, hold, 'destroyed')
}

type Identity = Pick<Loss, 'poi' | 'victimId' | 'victimName' | 'killerId' | 'killerName'>

/** Makes a wreck at its place, with nothing in it yet. */
function openWreck(world: World, type: WreckType, identity: Identity): Row {
  const wreck = world.take(Wreck)
  const columns = world.write(Wreck)
  columns.type[wreck] = WRECK_TYPES.indexOf(type)
  columns.poi[wreck] = identity.poi
  columns.createdMs[wreck] = world.wallMs
  columns.createdTick[wreck] = world.tick
  world.setText(Wreck, 'victimId', wreck, identity.victimId)
  world.setText(Wreck, 'victimName', wreck, identity.victimName)
  world.setText(Wreck, 'killerId', wreck, identity.killerId)
  world.setText(Wreck, 'killerName', wreck, identity.killerName)
  listWreck(world, wreck)
  return wreck
}

function describeShip(world: World, wreck: Row, { ship, victimName }: Loss): void {
  const columns = world.write(Wreck)
  const { class: shipClass, name, issue } = world.read(Ship)
  columns.class[wreck] = shipClass[ship]
  // An issue hull costs nothing, so looting its wreck gives no experience.
  columns.trained[wreck] = issue[ship]
  // A given name would reveal whose ship it was.
  if (victimName !== '') world.setText(Wreck, 'name', wreck, world.texts.get(name[ship]))
  world.setText(Wreck, 'policyId', wreck, policyIdOf(world, ship))
}

/** Moves the ship's hold and the modules that drop to the wreck, in the order of fitting. */
function fillWreck(world: World, wreck: Row, ship: Eid, kept: readonly Row[]): void {
  const ships = world.write(Ship)
  const modules = world.write(Module)
  const columns = world.write(Wreck)
  leavePackagesInWreck(world, ships.hold[ship])
  columns.cargo[wreck] = ships.hold[ship]
  ships.hold[ship] = 0
  ships.cargoUsed[ship] = 0
  for (const module of kept) MODULES_OF.unlink(world, module)
  for (const module of [...kept].reverse()) {
    modules.next[module] = columns.firstModule[wreck]
    columns.firstModule[wreck] = module
  }
}

/* Creatures and bases */

interface Remains extends Identity {
  /** Name of the species or base. */
  readonly name: string
}

/**
 * Makes the carcass of a creature with what it drops, taken from `source`. Returns 0 where nothing
 * drops, or where the world or the place has no room for it. Source: salvage.md section 1.
 */
export function makeCarcass(
  world: World,
  remains: Remains,
  source: NamedContainer,
  drops: readonly Held[],
): Row {
  const goods = drops.filter(({ units }) => units > 0)
  if (goods.length === 0 || isFull(world)) return 0
  const wreck = openRemains(world, 'carcass', remains, CARCASS_TICKS)
  const { cargo, alive } = world.read(Wreck)
  for (const { item, units } of goods) {
    moveItems(world, namedContainer(source), cargo[wreck], item, units)
  }
  makeRoom(world, remains.poi)
  return alive[wreck] === 1 ? wreck : 0
}

interface Derelict {
  readonly poi: Eid
  /** Index into SHIP_CLASSES. */
  readonly shipClass: number
  /** Value of the hulk, credits. */
  readonly value: number
  readonly cargo: readonly Held[]
}

/**
 * Makes a hulk that never had a pilot, with cargo out of the source of supplies. Returns 0 where
 * the world or the place has no room for it. Source: balance.md section 8.
 */
export function makeDerelict(world: World, { poi, shipClass, value, cargo }: Derelict): Row {
  if (isFull(world) || value === 0) return 0
  const nobody = { victimId: '', victimName: '', killerId: '', killerName: '' }
  const wreck = openWreck(world, 'ship', { poi, ...nobody })
  const columns = world.write(Wreck)
  columns.class[wreck] = shipClass
  columns.cargo[wreck] = openContainer(world)
  columns.initialValue[wreck] = value
  columns.value[wreck] = value
  for (const { item, units } of cargo) {
    moveItems(world, namedContainer('supply'), columns.cargo[wreck], item, units)
  }
  makeRoom(world, poi)
  return columns.alive[wreck] === 1 ? wreck : 0
}

/**
 * Makes the debris of a wrecked base, worth `value` credits to drones that salvage it. Returns 0
 * for debris worth nothing, or where the world or the place has no room for it. Source: salvage.md
 * section 1.
 */
export function makeDebris(world: World, remains: Remains, value: number): Row {
  assert(Number.isSafeInteger(value) && value >= 0, `debris worth ${value} credits`)
  if (value === 0 || isFull(world)) return 0
  const wreck = openRemains(world, 'debris', remains, DEBRIS_TICKS)
  const columns = world.write(Wreck)
  columns.initialValue[wreck] = value
  columns.value[wreck] = value
  columns.trained[wreck] = 1
  makeRoom(world, remains.poi)
  return columns.alive[wreck] === 1 ? wreck : 0
}

function openRemains(world: World, type: WreckType, remains: Remains, ticks: number): Row {
  const wreck = openWreck(world, type, remains)
  const columns = world.write(Wreck)
  columns.cargo[wreck] = openContainer(world)
  columns.expireTick[wreck] = world.tick + ticks
  world.setText(Wreck, 'name', wreck, remains.name)
  scheduleDecay(world, wreck)
  return wreck
}
