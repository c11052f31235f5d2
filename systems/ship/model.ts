/** Lookups of ships; writes only to its own columns. */
import { assert } from '../../core/assert.ts'
import {
  GOODS,
  type ItemRow,
  isModule,
  itemIndex,
  type ModuleRow,
  SHIP_CLASSES,
  type ShipClassRow,
} from '../../core/catalog/index.ts'
import { idOf, rowOfId, seqOfWireId, wireId } from '../../core/entity.ts'
import { Container, contentsOf, moveItems, unitsIn } from '../../core/goods.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { type ReferenceDef, sortNames } from '../../core/reference.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { cargoFamilyPct } from '../cargo/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { MODULES_OF, Module, SHIP_NAMES, SHIPS_OF, Ship } from './state.ts'

/**
 * Space that a stack of so many units takes in the ship's hold. Source: trade-storage.md section 7.
 */
export function spaceOf(view: WorldView, ship: Eid, item: number, units: number): number {
  return divCeil(GOODS[item].size * units * cargoFamilyPct(view, ship, item), 100)
}

/** Space left in the hold; 0 when a refit left it overfull. */
export function freeSpace(view: WorldView, ship: Eid): number {
  const { cargoCap, cargoUsed } = view.read(Ship)
  return Math.max(0, cargoCap[ship] - cargoUsed[ship])
}

/**
 * Most units of the good that still fit. Exact: it knows how the stack aboard is rounded. Source:
 * mining.md 3.5.
 */
export function fitting(view: WorldView, ship: Eid, item: number): number {
  const { cargoCap, cargoUsed, hold } = view.read(Ship)
  const held = unitsIn(view, hold[ship], item)
  const others = cargoUsed[ship] - spaceOf(view, ship, item, held)
  const unitSpace = GOODS[item].size * cargoFamilyPct(view, ship, item)
  assert(unitSpace >= 1, `good ${item} takes no space`)
  const room = cargoCap[ship] - others
  return room <= 0 ? 0 : Math.max(0, divFloor(room * 100, unitSpace) - held)
}

/** Units of a good in the ship's hold. */
export function cargoUnits(view: WorldView, ship: Eid, item: number): number {
  return unitsIn(view, view.read(Ship).hold[ship], item)
}

function addUsed(world: World, ship: Eid, item: number, before: number, after: number): void {
  const columns = world.write(Ship)
  const used =
    columns.cargoUsed[ship] + spaceOf(world, ship, item, after) - spaceOf(world, ship, item, before)
  assert(used >= 0, `ship ${ship} uses ${used} of its hold`)
  columns.cargoUsed[ship] = used
}

/** Takes goods aboard from another container. The caller has made sure that they fit. */
export function loadCargo(world: World, ship: Eid, from: Row, item: number, units: number): void {
  assert(units <= fitting(world, ship, item), `${units} of good ${item} do not fit`)
  const hold = world.read(Ship).hold[ship]
  const before = unitsIn(world, hold, item)
  moveItems(world, from, hold, item, units)
  addUsed(world, ship, item, before, before + units)
}

/**
 * Moves goods from the hold into another container. The caller has made sure that they are aboard.
 */
export function unloadCargo(world: World, ship: Eid, to: Row, item: number, units: number): void {
  const hold = world.read(Ship).hold[ship]
  const before = unitsIn(world, hold, item)
  assert(units <= before, `${units} of good ${item} are not aboard`)
  moveItems(world, hold, to, item, units)
  addUsed(world, ship, item, before, before - units)
}

/** What the hold's contents take, summed anew. Source: trade-storage.md section 7, invariant. */
export function spaceUsed(view: WorldView, ship: Eid): number {
  const hold = view.read(Ship).hold[ship]
  let used = view.read(Container).packageSpace[hold]
  for (const held of contentsOf(view, hold)) used += spaceOf(view, ship, held.item, held.units)
  return used
}

/** Sets cargoUsed anew: after the ship's compression changed. */
export function recountCargo(world: World, ship: Eid): void {
  const used = spaceUsed(world, ship)
  world.write(Ship).cargoUsed[ship] = used
}

/**
 * True if a ship carries what hazardous goods need, or the good is none. Source: trade-storage.md
 * section 1.
 */
export function mayCarry(view: WorldView, ship: Eid, item: number): boolean {
  if ((GOODS[item] as ItemRow).hazardous !== true) return true
  const { next, type } = view.read(Module)
  for (let row = view.read(Ship).firstModule[ship]; row !== 0; row = next[row]) {
    const good = GOODS[type[row]]
    if (isModule(good) && good.special === 'hazard_handling') return true
  }
  return false
}

/** The ship that bears a name, in whatever case; 0 none. */
export function shipNamed(view: WorldView, name: string): Eid {
  const number = view.records(SHIP_NAMES).get(usernameKey(name))
  return number === undefined ? 0 : view.rowOf(Ship, number)
}

/** Ships that belong to a player, the latest first. Source: ships.md section 1. */
export const shipsOf: (view: WorldView, player: Eid) => Eid[] = SHIPS_OF.rows

export const ownShips: ReferenceDef = {
  kind: 'own_ship',
  // any ship: those in a garage of the faction are nobody's own
  byId: (view, _player, text) => (shipById(view, text) === 0 ? undefined : text),
  names: (view, player) =>
    sortNames(
      shipsOf(view, player).map((row) => ({
        id: shipId(view, row),
        name: shipName(view, row),
        row,
      })),
    ),
  unknown: ['ship_not_found'],
}

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
export const modulesOf: (view: WorldView, ship: Eid) => Row[] = MODULES_OF.rows

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

/** True if the shield regrows by itself. In a battle phase fight sees to it. */
export function isRecovering(view: WorldView, ship: Eid): boolean {
  const { shield, shieldMax, shieldRegen } = view.read(Ship)
  if (view.read(ShipCombat).participant[ship] !== 0) return false
  return shield[ship] < shieldMax[ship] && shieldRegen[ship] > 0
}
