/**
 * Wrecks: how one comes to be from a ship that is lost, where they are, and which give way when a
 * place is full of them. What is looted, towed and sold is another matter.
 * Source: salvage.md sections 1, 2.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { idOf } from '../../core/entity.ts'
import {
  Container,
  closeContainer,
  contentsOf,
  type Held,
  moveItems,
  namedContainer,
} from '../../core/goods.ts'
import { POOR_WRECKS_PER_POI_MAX, WRECKS_PER_POI_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { Module, Ship } from '../ship/columns.ts'
import { modulesOf } from '../ship/rules.ts'
import { WRECK_TYPES, Wreck } from './columns.ts'

/** A poor wreck is worth less, in credits. */
export const POOR_BELOW_CREDITS = 500
const CARGO_LEAST_PCT = 50
const CARGO_MOST_PCT = 80
const MODULE_PCT = 70
/** Of what the hull would cost anew. */
const SALVAGE_PCT = 10

const CARGO = hashText('wreck cargo')
const MODULES = hashText('wreck module')

/* Finding */

const WRECKS = defineIndex('salvage.wrecks', () => new Map<Eid, Row[]>())

/** Wrecks at a place in the order of their making. */
export const wrecksAt = (view: WorldView, poi: Eid): readonly Row[] =>
  view.index(WRECKS).get(poi) ?? []

export const wreckId = (view: WorldView, wreck: Row): string => idOf(view, Wreck, wreck)

export const hasCargo = (view: WorldView, wreck: Row): boolean =>
  view.read(Container).first[view.read(Wreck).cargo[wreck]] !== 0

export const hasModules = (view: WorldView, wreck: Row): boolean =>
  view.read(Wreck).firstModule[wreck] !== 0

/** Fills the index from the table, after a restore. */
export function rebuildWrecks(world: World): void {
  const wrecks = world.index(WRECKS)
  wrecks.clear()
  const { alive, poi, seq } = world.read(Wreck)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Wreck); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) list(world, poi[row], row)
}

function list(world: World, poi: Eid, wreck: Row): void {
  const wrecks = world.index(WRECKS)
  const here = wrecks.get(poi)
  if (here) here.push(wreck)
  else wrecks.set(poi, [wreck])
}

function delist(world: World, poi: Eid, wreck: Row): void {
  const wrecks = world.index(WRECKS)
  const left = wrecksAt(world, poi).filter((row) => row !== wreck)
  if (left.length === 0) wrecks.delete(poi)
  else wrecks.set(poi, left)
}

/* Making */

/** A ship that is lost, with its hold and modules still aboard. */
export interface Loss {
  readonly ship: Eid
  readonly poi: Eid
  readonly victimId: string
  readonly victimName: string
  /** Empty when nobody destroyed it. */
  readonly killerId: string
  readonly killerName: string
  /** What an NPC carried drops whole: its hold was filled for that. */
  readonly isNpc: boolean
}

/** What of a hold drops; bound goods never do. */
function droppedCargo(view: WorldView, { ship, isNpc }: Loss): Held[] {
  const { hold, seq } = view.read(Ship)
  const random = hash32(view.seed, view.tick, CARGO, seq[ship])
  const share = CARGO_LEAST_PCT + drawBelow(CARGO_MOST_PCT - CARGO_LEAST_PCT + 1, random)
  const pct = isNpc ? 100 : share
  return contentsOf(view, hold[ship])
    .filter(({ item }) => GOODS[item].quest_item !== true)
    .map(({ item, units }) => ({ item, units: divFloor(units * pct, 100) }))
}

const isIssue = (view: WorldView, module: Row): boolean => view.read(Module).issue[module] === 1

function drops(view: WorldView, ship: Eid, module: Row): boolean {
  const random = hash32(
    view.seed,
    view.tick,
    MODULES,
    view.read(Ship).seq[ship],
    view.read(Module).number[module],
  )
  return !isIssue(view, module) && drawBelow(100, random) < MODULE_PCT
}

/** Credits of the hulk: a share of what hull and lost modules would cost anew; issue has none. */
function salvageValue(view: WorldView, ship: Eid, lost: readonly Row[]): number {
  const { issue, class: shipClass } = view.read(Ship)
  if (issue[ship] === 1) return 0
  const { type } = view.read(Module)
  const hull = SHIP_CLASSES[shipClass[ship]].build_materials.reduce(
    (sum, { item_id, quantity }) => sum + GOODS[itemIndex(item_id)].base_value * quantity,
    0,
  )
  const fit = lost
    .filter((module) => !isIssue(view, module))
    .reduce((sum, module) => sum + GOODS[type[module]].base_value, 0)
  return divFloor((hull + fit) * SALVAGE_PCT, 100)
}

/** Destroys what is in a container, but for as many units as `kept` says. */
function burn(world: World, container: Row, kept: readonly Held[]): void {
  for (const { item, units } of contentsOf(world, container)) {
    const stays = kept.find((held) => held.item === item)?.units ?? 0
    moveItems(world, container, namedContainer('destroyed'), item, units - stays)
  }
}

/**
 * Makes the wreck of a lost ship, which keeps neither hold nor modules. Returns 0 where nothing is
 * left, or the world has no room for more; what would have dropped is lost too then.
 */
export function makeWreck(world: World, loss: Loss): Row {
  const { ship } = loss
  const modules = modulesOf(world, ship)
  const kept = modules.filter((module) => drops(world, ship, module))
  const lost = modules.filter((module) => !kept.includes(module))
  const value = salvageValue(world, ship, lost)
  const cargo = droppedCargo(world, loss).filter(({ units }) => units > 0)
  const isEmpty = value === 0 && cargo.length === 0 && kept.length === 0
  const isFull = world.countOf(Wreck) >= rowsOf(Wreck, world.maxEntities)
  burn(world, world.read(Ship).hold[ship], isEmpty || isFull ? [] : cargo)
  if (isEmpty || isFull) return 0
  const wreck = world.take(Wreck)
  describe(world, wreck, loss)
  stow(world, wreck, ship, kept)
  const columns = world.write(Wreck)
  columns.initialValue[wreck] = value
  columns.value[wreck] = value
  list(world, loss.poi, wreck)
  makeRoom(world, loss.poi)
  return columns.alive[wreck] === 1 ? wreck : 0
}

/** Destroys what a ship carries. */
export const scrapHold = (world: World, ship: Eid): void =>
  burn(world, world.read(Ship).hold[ship], [])

function describe(world: World, wreck: Row, loss: Loss): void {
  const columns = world.write(Wreck)
  const { class: shipClass, name } = world.read(Ship)
  columns.type[wreck] = WRECK_TYPES.indexOf('ship')
  columns.poi[wreck] = loss.poi
  columns.class[wreck] = shipClass[loss.ship]
  columns.createdMs[wreck] = world.wallMs
  columns.createdTick[wreck] = world.tick
  world.setText(Wreck, 'name', wreck, world.texts.get(name[loss.ship]))
  world.setText(Wreck, 'victimId', wreck, loss.victimId)
  world.setText(Wreck, 'victimName', wreck, loss.victimName)
  world.setText(Wreck, 'killerId', wreck, loss.killerId)
  world.setText(Wreck, 'killerName', wreck, loss.killerName)
}

/** Hands the ship's hold and the modules that drop to the wreck, in the order of fitting. */
function stow(world: World, wreck: Row, ship: Eid, kept: readonly Row[]): void {
  const ships = world.write(Ship)
  const modules = world.write(Module)
  const columns = world.write(Wreck)
  columns.cargo[wreck] = ships.hold[ship]
  ships.hold[ship] = 0
  ships.cargoUsed[ship] = 0
  for (const module of kept) takeOff(world, module)
  for (const module of [...kept].reverse()) {
    modules.ship[module] = 0
    modules.next[module] = columns.firstModule[wreck]
    columns.firstModule[wreck] = module
  }
}

/** Takes a module off the list of its ship; the row stays. */
function takeOff(world: World, module: Row): void {
  const { ship, next } = world.write(Module)
  const { firstModule } = world.write(Ship)
  const rows = modulesOf(world, ship[module])
  const at = rows.indexOf(module)
  assert(at >= 0, `module ${module} is not in the list of its ship`)
  if (at === 0) firstModule[ship[module]] = next[module]
  else next[rows[at - 1]] = next[module]
}

/* Ending */

/** Takes a wreck off the map with all that is in it. */
export function removeWreck(world: World, wreck: Row): void {
  const { cargo, poi, firstModule } = world.read(Wreck)
  const { next } = world.read(Module)
  burn(world, cargo[wreck], [])
  closeContainer(world, cargo[wreck])
  for (let module = firstModule[wreck]; module !== 0; ) {
    const after = next[module]
    world.release(Module, module)
    module = after
  }
  delist(world, poi[wreck], wreck)
  world.release(Wreck, wreck)
}

/** The one of lowest value and, of those, the oldest: lists are in order of age. */
function cheapest(view: WorldView, wrecks: readonly Row[]): Row {
  const { value } = view.read(Wreck)
  return wrecks.reduce((least, row) => (value[row] < value[least] ? row : least))
}

/** Keeps a place below its bounds. Source: salvage.md section 1, ours. */
function makeRoom(world: World, poi: Eid): void {
  const { value } = world.read(Wreck)
  const poor = wrecksAt(world, poi).filter((row) => value[row] < POOR_BELOW_CREDITS)
  if (poor.length > POOR_WRECKS_PER_POI_MAX) removeWreck(world, cheapest(world, poor))
  const all = wrecksAt(world, poi)
  if (all.length > WRECKS_PER_POI_MAX) removeWreck(world, cheapest(world, all))
}
