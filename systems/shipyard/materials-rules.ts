/** Moves the materials of a commission: from and to players, stations and hulls. */
import { assert } from '../../core/assert.ts'
import {
  closeContainer,
  type Held,
  moveItems,
  namedContainer,
  openContainer,
} from '../../core/goods.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { closeEmptyLocker, lockerOf, openLocker } from '../cargo/model.ts'
import { bookOf } from '../market/book-model.ts'
import { Book, Managed } from '../market/state.ts'
import { cargoUnits, unloadCargo } from '../ship/model.ts'
import { fittedOf, materialsOf, missingOf, slotOf, storeOf } from './materials-model.ts'
import { Commission, MATERIAL_SOURCES, type MaterialSource } from './state.ts'

/** Returns the container of the materials of a source; opens one if there is none. */
export function openStore(world: World, row: Row, source: MaterialSource): Row {
  const columns = world.write(Commission)
  const slot = slotOf(row, source)
  if (columns.goods[slot] === 0) columns.goods[slot] = openContainer(world)
  return columns.goods[slot]
}

/** Takes goods from a player at the yard: out of the hold first, then out of storage. */
export function takeMaterials(
  world: World,
  row: Row,
  goods: readonly Held[],
  { player, source }: { readonly player: Eid; readonly source: MaterialSource },
): void {
  if (goods.length === 0) return
  const base = world.read(Commission).base[row]
  const ship = world.read(Player).ship[player]
  const store = openStore(world, row, source)
  for (const { item, units } of goods) {
    const aboard = Math.min(units, cargoUnits(world, ship, item))
    if (aboard > 0) unloadCargo(world, ship, store, item, aboard)
    if (units > aboard) moveItems(world, lockerOf(world, player, base), store, item, units - aboard)
  }
  closeEmptyLocker(world, player, base)
}

/** Moves the materials of a source into the owner's storage at the yard; returns them. */
export function returnMaterials(world: World, row: Row, source: MaterialSource): Held[] {
  const { player, base } = world.read(Commission)
  const goods = materialsOf(world, row, source)
  if (goods.length === 0) return goods
  const locker = openLocker(world, player[row], base[row])
  const store = storeOf(world, row, source)
  for (const { item, units } of goods) moveItems(world, store, locker, item, units)
  return goods
}

/** Leaves materials with the station: in its stock where it trades that good, else used up. */
export function leaveMaterials(world: World, row: Row, source: MaterialSource): void {
  const base = world.read(Commission).base[row]
  const store = storeOf(world, row, source)
  for (const { item, units } of materialsOf(world, row, source)) {
    const book = bookOf(world, base, item)
    const managed = book === 0 ? 0 : world.read(Book).managed[book]
    if (managed !== 0) world.write(Managed).stock[managed] += units
    const to = managed !== 0 ? world.read(Base).stock[base] : namedContainer('shipyards')
    moveItems(world, store, to, item, units)
  }
}

/** Uses up the materials: modules are fitted, the rest becomes the hull. */
export function useMaterials(world: World, row: Row): void {
  const columns = world.read(Commission)
  assert(missingOf(world, row).length === 0, `commission ${row} lacks materials`)
  const fitted = new Map<number, number>()
  for (const item of fittedOf(columns.class[row], columns.bare[row] === 1)) {
    fitted.set(item, (fitted.get(item) ?? 0) + 1)
  }
  for (const source of MATERIAL_SOURCES) {
    const store = storeOf(world, row, source)
    for (const { item, units } of materialsOf(world, row, source)) {
      const modules = Math.min(units, fitted.get(item) ?? 0)
      fitted.set(item, (fitted.get(item) ?? 0) - modules)
      moveItems(world, store, namedContainer('fitted'), item, modules)
      moveItems(world, store, namedContainer('shipyards'), item, units - modules)
    }
  }
}

/** Closes the containers of a commission, which are empty by now. */
export function closeStores(world: World, row: Row): void {
  for (const source of MATERIAL_SOURCES) {
    const store = storeOf(world, row, source)
    if (store !== 0) closeContainer(world, store)
  }
}
