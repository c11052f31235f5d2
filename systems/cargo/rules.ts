/**
 * Space in holds and personal lockers: how much room goods take, loading, unloading, and whose
 * locker is where. Permission is the caller's business; what a command refuses is decided before
 * anything here is called.
 */
import { assert } from '../../core/assert.ts'
import { findGoods, GOODS, type GoodRow, type ItemRow, isModule } from '../../core/catalog/index.ts'
import { rowsOf, type TableDef } from '../../core/columns.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import {
  Container,
  closeContainer,
  contentsOf,
  isBare,
  moveItems,
  openContainer,
  Stack,
  unitsIn,
} from '../../core/goods.ts'
import { TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { FAMILIES, Module, Ship } from '../ship/columns.ts'
import { Locker } from './columns.ts'

/** Family a good is extracted by, as index into FAMILIES; -1 for all that is made. */
const FAMILY_OF_GOOD: readonly number[] = GOODS.map((good) => {
  const family = (good as ItemRow).extracted_by
  return family === undefined ? -1 : FAMILIES.indexOf(family)
})

/**
 * Space a unit of the good takes on this ship, in percent of its size: compressed by some hulls.
 * Source: mining.md 3.
 */
export function cargoFamilyPct(view: WorldView, ship: Eid, item: number): number {
  const family = FAMILY_OF_GOOD[item]
  assert(family !== undefined, `good ${item} is unknown`)
  if (family < 0) return 100
  const pct = view.read(Ship).compressionPct[ship * FAMILIES.length + family]
  assert(pct >= 25 && pct <= 100, `ship ${ship} compresses to ${pct} %`)
  return pct
}

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

/** Container row of a locker by owner and base. */
const LOCKERS = defineIndex('cargo.lockers', () => new Map<number, Row>())

/** More rows than there are bases: keys stay apart and below 2^53. */
const BASE_ROWS = 0x10000
const lockerKey = (player: Eid, base: Row): number => player * BASE_ROWS + base

/** Row of the player's locker at the base; 0 if it is not open. */
export const lockerRowOf = (view: WorldView, player: Eid, base: Row): Row =>
  view.index(LOCKERS).get(lockerKey(player, base)) ?? 0

/** Container of the player's locker at the base; 0 if nothing of his is stored there. */
export function lockerOf(view: WorldView, player: Eid, base: Row): Row {
  const locker = lockerRowOf(view, player, base)
  return locker === 0 ? 0 : view.read(Locker).container[locker]
}

/** As lockerOf, making the locker when there is none. */
export function openLocker(world: World, player: Eid, base: Row): Row {
  assert(player !== 0 && base !== 0 && base < BASE_ROWS, 'a locker needs a player and a base')
  const found = lockerOf(world, player, base)
  if (found !== 0) return found
  const container = openContainer(world)
  const row = world.take(Locker)
  const locker = world.write(Locker)
  locker.player[row] = player
  locker.base[row] = base
  locker.container[row] = container
  world.index(LOCKERS).set(lockerKey(player, base), row)
  return container
}

/**
 * Gives an emptied locker back, so that their number follows what is stored and not who ever was
 * where.
 */
export function closeEmptyLocker(world: World, player: Eid, base: Row): void {
  const lockers = world.index(LOCKERS)
  const row = lockers.get(lockerKey(player, base)) ?? 0
  if (row === 0) return
  const container = world.read(Locker).container[row]
  if (!isBare(world, container) || world.read(Locker).reserved[row] > 0) return
  closeContainer(world, container)
  world.release(Locker, row)
  lockers.delete(lockerKey(player, base))
}

/** Units of a good in the player's locker at the base. */
export function storedUnits(view: WorldView, player: Eid, base: Row, item: number): number {
  const locker = lockerOf(view, player, base)
  return locker === 0 ? 0 : unitsIn(view, locker, item)
}

/** Fills the locker index from the table, after a restore. */
export function rebuildLockers(world: World): void {
  const lockers = world.index(LOCKERS)
  lockers.clear()
  const { alive, player, base } = world.read(Locker)
  for (let row = 1; row <= world.highOf(Locker); row++) {
    if (alive[row] === 1) lockers.set(lockerKey(player[row], base[row]), row)
  }
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

/** Refuses what may not leave its owner. Source: trade-storage.md section 1, item flags. */
export const refusesGiving = (item: number): Failure | undefined => refusesGood(GOODS[item])

/** The same by a row of the catalogue. */
export function refusesGood(good: GoodRow): Failure | undefined {
  if (good.quest_item === true) return fail('quest_item', { item_id: good.id })
  const isTraded = isModule(good) || (good as ItemRow).tradeable
  return isTraded ? undefined : fail('not_tradeable', { item_id: good.id })
}

/**
 * Index of a good by id or display name. Refusal: unknown_item, with the matches of an ambiguous
 * name.
 */
export function findGood(text: string): Outcome<number> {
  const found = findGoods(text)
  if (found.length === 1) return ok(found[0])
  if (found.length === 0) return fail('unknown_item', { item_id: text })
  return fail('unknown_item', { item_id: text, matches: found.map((index) => GOODS[index].id) })
}

/**
 * True when commands may add no more rows to a table: what must not fail keeps the rest. Rows given
 * back in this tick count as used: they cannot be taken yet.
 */
export function isNearlyFull(view: WorldView, table: TableDef): boolean {
  const rows = rowsOf(table, view.maxEntities)
  return rows - view.roomIn(table) >= divFloor(rows * TABLE_FILL_MAX_PCT, 100)
}

/**
 * True when commands may spread goods over no more lockers, containers and stacks: mining and
 * settling, which must not fail, keep the rest.
 */
export const isStoreNearlyFull = (view: WorldView): boolean =>
  isNearlyFull(view, Locker) || isNearlyFull(view, Container) || isNearlyFull(view, Stack)
