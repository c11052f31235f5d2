/** What salvage drones do to wrecks. Source: drones.md section 3.6, salvage.md section 5. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Wreck } from '../salvage/columns.ts'
import {
  goodsOf,
  hasCargo,
  lootInto,
  salvageInField,
  wreckById,
  wrecksAt,
} from '../salvage/rules.ts'
import { type Do, roomOf } from './actions.ts'
import { Drone, Thought } from './columns.ts'
import { controlOf } from './scene.ts'
import { textOf } from './words.ts'

const METAL = itemIndex('salvage_metal')

/**
 * The wreck that a script names, of those here that serve; `nearest` is the oldest. 0 none: one in
 * tow is at no place.
 */
function wreckFor(view: WorldView, drone: Row, serves: (wreck: Row) => boolean): Row {
  const poi = view.read(Drone).poi[drone]
  const text = textOf(view, view.read(Thought).word[drone])
  if (text === 'nearest') return wrecksAt(view, poi).find(serves) ?? 0
  const wreck = wreckById(view, text)
  return wreck !== 0 && view.read(Wreck).poi[wreck] === poi && serves(wreck) ? wreck : 0
}

/** As much of these goods, in their order, as a space takes. */
function asFits(goods: readonly Held[], room: number): Held[] {
  let left = room
  return goods
    .map(({ item, units }) => {
      const taken = Math.min(units, divFloor(left, GOODS[item].size))
      left -= taken * GOODS[item].size
      return { item, units: taken }
    })
    .filter(({ units }) => units > 0)
}

/** Counts what has come into the hold. */
function noteLoaded(world: World, drone: Row, goods: readonly Held[]): void {
  const { holdUsed } = world.write(Drone)
  for (const { item, units } of goods) holdUsed[drone] += units * GOODS[item].size
}

export const loot: Do = (world, drone) => {
  const wreck = wreckFor(world, drone, (row) => hasCargo(world, row))
  if (wreck === 0) return false
  const goods = asFits(goodsOf(world, wreck), roomOf(world, drone))
  if (goods.length === 0) return false
  lootInto(world, wreck, world.read(Drone).hold[drone], goods)
  noteLoaded(world, drone, goods)
  return true
}

export const salvage: Do = (world, drone) => {
  const { value } = world.read(Wreck)
  const { hold, owner } = world.read(Drone)
  const wreck = wreckFor(world, drone, (row) => value[row] > 0)
  const roomUnits = divFloor(roomOf(world, drone), GOODS[METAL].size)
  if (wreck === 0 || roomUnits === 0) return false
  const bonusPct = controlOf(world, owner[drone])
  const units = salvageInField(world, wreck, { to: hold[drone], roomUnits, bonusPct })
  noteLoaded(world, drone, [{ item: METAL, units }])
  return true
}
