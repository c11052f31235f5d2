/** Lookups of ships and modules, and moving goods into and out of holds. */
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
 * Returns the space that a number of units of a good takes in the ship's hold. Source:
 * trade-storage.md section 7.
 */
export function spaceOf(view: WorldView, ship: Eid, item: number, units: number): number {
  return divCeil(GOODS[item].size * units * cargoFamilyPct(view, ship, item), 100)
}

/** Returns the space left in the hold; 0 when a refit left it overfull. */
export function freeSpace(view: WorldView, ship: Eid): number {
  const { cargoCap, cargoUsed } = view.read(Ship)
  return Math.max(0, cargoCap[ship] - cargoUsed[ship])
}

/**
 * Returns how many more units of the good fit into the hold, with the rounding of the stack aboard
 * taken into account. Source: mining.md section 3.5.
 */
export function unitsThatFit(view: WorldView, ship: Eid, item: number): number {
  const { cargoCap, cargoUsed, hold } = view.read(Ship)
  const held = unitsIn(view, hold[ship], item)
  const others = cargoUsed[ship] - spaceOf(view, ship, item, held)
  const unitSpace = GOODS[item].size * cargoFamilyPct(view, ship, item)
  assert(unitSpace >= 1, `good ${item} takes no space`)
  const room = cargoCap[ship] - others
  return room <= 0 ? 0 : Math.max(0, divFloor(room * 100, unitSpace) - held)
}

/** Returns the units of a good in the ship's hold. */
export function cargoUnits(view: WorldView, ship: Eid, item: number): number {
  return unitsIn(view, view.read(Ship).hold[ship], item)
}

function adjustCargoUsed(
  world: World,
  ship: Eid,
  item: number,
  before: number,
  after: number,
): void {
  const columns = world.write(Ship)
  const used =
    columns.cargoUsed[ship] + spaceOf(world, ship, item, after) - spaceOf(world, ship, item, before)
  assert(used >= 0, `ship ${ship} uses ${used} of its hold`)
  columns.cargoUsed[ship] = used
}

/** Takes goods aboard from another container. The caller has made sure that they fit. */
export function loadCargo(world: World, ship: Eid, from: Row, item: number, units: number): void {
  assert(units <= unitsThatFit(world, ship, item), `${units} of good ${item} do not fit`)
  const hold = world.read(Ship).hold[ship]
  const before = unitsIn(world, hold, item)
  moveItems(world, from, hold, item, units)
  adjustCargoUsed(world, ship, item, before, before + units)
}

/**
 * Moves goods from the hold into another container. The caller has made sure that they are aboard.
 */
export function unloadCargo(world: World, ship: Eid, to: Row, item: number, units: number): void {
  const hold = world.read(Ship).hold[ship]
  const before = unitsIn(world, hold, item)
  assert(units <= before, `${units} of good ${item} are not aboard`)
  moveItems(world, hold, to, item, units)
  adjustCargoUsed(world, ship, item, before, before - units)
}

/**
 * Sums the space that the contents of the hold take. Source: trade-storage.md section 7, invariant.
 */
export function spaceUsed(view: WorldView, ship: Eid): number {
  const hold = view.read(Ship).hold[ship]
  let used = view.read(Container).packageSpace[hold]
  for (const held of contentsOf(view, hold)) used += spaceOf(view, ship, held.item, held.units)
  return used
}

/** Recounts cargoUsed, after the ship's compression has changed. */
export function recountCargo(world: World, ship: Eid): void {
  const used = spaceUsed(world, ship)
  world.write(Ship).cargoUsed[ship] = used
}

/**
 * Returns whether a ship is fitted for the good: only hazardous ones need a module. Source:
 * trade-storage.md section 1.
 */
export function canCarry(view: WorldView, ship: Eid, item: number): boolean {
  if ((GOODS[item] as ItemRow).hazardous !== true) return true
  const { next, type } = view.read(Module)
  for (let row = view.read(Ship).firstModule[ship]; row !== 0; row = next[row]) {
    const good = GOODS[type[row]]
    if (isModule(good) && good.special === 'hazard_handling') return true
  }
  return false
}

/** Finds the ship of this name, whatever its case; 0 none. */
export function shipNamed(view: WorldView, name: string): Eid {
  const seq = view.records(SHIP_NAMES).get(usernameKey(name))
  return seq === undefined ? 0 : view.rowOf(Ship, seq)
}

/** Lists the ships that belong to a player, the latest first. Source: ships.md section 1. */
export const shipsOf: (view: WorldView, player: Eid) => Eid[] = SHIPS_OF.rows

/** Resolves the id or the name of one of the player's ships. */
export const ownShips: ReferenceDef = {
  kind: 'own_ship',
  // Accepts the id of any ship: those in a garage of the faction have no owner.
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

/** Returns the ship a player flies; 0 none. */
export const activeShip = (view: WorldView, player: Eid): Eid => view.read(Player).ship[player]

/** Returns the UUID of a ship on the wire. */
export const shipId = (view: WorldView, ship: Eid): string => idOf(view, Ship, ship)

/** Finds a ship by wire id; 0 none. */
export const shipById = (view: WorldView, id: string): Eid => rowOfId(view, Ship, id)

/** Finds a ship of the player by wire id; 0 for anything else. */
export function ownShipById(view: WorldView, player: Eid, id: string): Eid {
  const ship = shipById(view, id)
  return ship !== 0 && view.read(Ship).owner[ship] === player ? ship : 0
}

/** Returns the catalogue row of a ship's class. */
export const shipClassOf = (view: WorldView, ship: Eid): ShipClassRow =>
  SHIP_CLASSES[view.read(Ship).class[ship]]

/** Returns the name that its pilot gave a ship, or else the name of its class. */
export function shipName(view: WorldView, ship: Eid): string {
  return view.texts.get(view.read(Ship).name[ship]) || shipClassOf(view, ship).name
}

/* Modules */

/** Lists the rows of a ship's fitted modules, in order of fitting. */
export const modulesOf: (view: WorldView, ship: Eid) => Row[] = MODULES_OF.rows

/** Returns the catalogue row of a fitted module. */
export function moduleTypeOf(view: WorldView, module: Row): ModuleRow {
  return moduleGood(view.read(Module).type[module])
}

/** Returns the catalogue row of a good that is a module. */
export function moduleGood(good: number): ModuleRow {
  const row = GOODS[good]
  assert(row !== undefined && 'slot' in row, `good ${good} is not a module`)
  return row
}

/** Returns the UUID of a fitted module on the wire. */
export const moduleId = (view: WorldView, module: Row): string =>
  wireId(view.seed, Module.name, view.read(Module).number[module])

/** Finds a module fitted to the ship by wire id; 0 none. */
export function moduleById(view: WorldView, ship: Eid, id: string): Row {
  const number = seqOfWireId(view.seed, Module.name, id)
  if (number === 0) return 0
  return modulesOf(view, ship).find((row) => view.read(Module).number[row] === number) ?? 0
}

/** Returns whether a ship has a special ability, by a fitted module or built into its hull. */
export function hasSpecial(view: WorldView, ship: Eid, special: string): boolean {
  const isBuiltIn = shipClassOf(view, ship).inherent_capabilities.some(
    (capability) => capability.type === 'special_flag' && capability.flag === special,
  )
  return (
    isBuiltIn || modulesOf(view, ship).some((row) => moduleTypeOf(view, row).special === special)
  )
}

/** Returns what a bare hull of a class is worth: the goods it is built of, at base value. */
export const hullValue = ({ build_materials }: Pick<ShipClassRow, 'build_materials'>): number =>
  build_materials.reduce(
    (sum, { item_id, quantity }) => sum + GOODS[itemIndex(item_id)].base_value * quantity,
    0,
  )

/**
 * Returns the credits that a hull would cost to rebuild: its materials at base value, and the given
 * modules that are not issue. Source: ships.md section 9, salvage.md section 2.
 */
export function rebuildValue(view: WorldView, ship: Eid, modules: readonly Row[]): number {
  const { type, issue } = view.read(Module)
  return modules
    .filter((module) => issue[module] === 0)
    .reduce(
      (sum, module) => sum + GOODS[type[module]].base_value,
      hullValue(shipClassOf(view, ship)),
    )
}

/** Returns whether the shield regrows in phase produce; in a battle it regrows in phase fight. */
export function isRecovering(view: WorldView, ship: Eid): boolean {
  const { shield, shieldMax, shieldRegen } = view.read(Ship)
  if (view.read(ShipCombat).participant[ship] !== 0) return false
  return shield[ship] < shieldMax[ship] && shieldRegen[ship] > 0
}
