/**
 * Wrecks and their places: listing and removing them, taking goods and modules out, and making room
 * when a place is full. make-rules.ts makes them. Source: salvage.md section 1.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import {
  closeContainer,
  contentsOf,
  type Held,
  moveItems,
  namedContainer,
} from '../../core/goods.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { POOR_WRECKS_PER_POI_MAX, WRECKS_PER_POI_MAX } from '../../core/limits.ts'
import { addPercent, divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { destroyPackages } from '../cargo/rules.ts'
import { Module } from '../ship/state.ts'
import { isLooted, wreckModules, wrecksAt, wreckTypeOf } from './model.ts'
import { WRECKS, Wreck } from './state.ts'

/* Salvage by drones: no tow, no yard. Source: salvage.md section 5, drones.md section 3 */

const METAL = itemIndex('salvage_metal')
/** Share of its initial value that one action takes from a wreck. */
const FIELD_PCT = 10

/**
 * Moves goods from a wreck into a container, and removes the wreck when nothing of it is left. The
 * caller has made sure that they are there and fit.
 */
export function lootInto(world: World, wreck: Row, to: Row, goods: readonly Held[]): void {
  for (const held of goods) takeGoods(world, wreck, to, held)
  removeIfSpent(world, wreck)
}

/**
 * Salvages in the field, once: takes a tenth of the initial value of a wreck as metal, raised by
 * `bonusPct`, at most `roomUnits` of it. Returns the units of metal; changes nothing when there is
 * no room or no value left.
 */
export function salvageInField(
  world: World,
  wreck: Row,
  { to, roomUnits, bonusPct }: { to: Row; roomUnits: number; bonusPct: number },
): number {
  const { value, initialValue } = world.write(Wreck)
  const taken = Math.min(value[wreck], Math.max(1, divFloor(initialValue[wreck] * FIELD_PCT, 100)))
  const units = addPercent(divFloor(taken, GOODS[METAL].base_value), bonusPct)
  if (value[wreck] === 0 || roomUnits === 0) return 0
  const given = Math.min(units, roomUnits)
  moveItems(world, namedContainer('scrap'), to, METAL, given)
  value[wreck] -= taken
  removeIfSpent(world, wreck)
  return given
}

/* Places */

/** Value in credits below which a wreck is poor. */
export const POOR_BELOW_CREDITS = 500

/** Fills the index from the table, after a restore. */
export function rebuildWrecks(world: World): void {
  const { at, due } = world.index(WRECKS)
  for (const map of [at, due]) map.clear()
  const { alive, seq, poi } = world.read(Wreck)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Wreck); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) {
    if (poi[row] !== 0) listWreck(world, row)
    scheduleDecay(world, row)
  }
}

/** Enters a wreck in the list of its place, in order of age. */
export function listWreck(world: World, wreck: Row): void {
  const { poi, seq } = world.read(Wreck)
  assert(poi[wreck] !== 0, `wreck ${wreck} has no place`)
  const { at } = world.index(WRECKS)
  const here = at.get(poi[wreck]) ?? []
  let index = here.length
  while (index > 0 && seq[here[index - 1]] > seq[wreck]) index--
  here.splice(index, 0, wreck)
  at.set(poi[wreck], here)
}

/** Removes a wreck from the list of its place. */
export const delistWreck = (world: World, wreck: Row): void =>
  removeFromList(world.index(WRECKS).at, world.read(Wreck).poi[wreck], wreck)

/* Taking out */

/** Moves goods out of a wreck. The caller has made sure that they are there. */
export function takeGoods(world: World, wreck: Row, to: Row, { item, units }: Held): void {
  moveItems(world, world.read(Wreck).cargo[wreck], to, item, units)
}

/**
 * Takes a module out of a wreck: it becomes a good in another container, and loses what was loaded.
 * Source: salvage.md section 3; ships.md section 3.
 */
export function takeModule(world: World, wreck: Row, module: Row, to: Row): void {
  const { next, type } = world.write(Module)
  const item = type[module]
  const rows = wreckModules(world, wreck)
  const index = rows.indexOf(module)
  assert(index >= 0, `module ${module} is not in wreck ${wreck}`)
  if (index === 0) world.write(Wreck).firstModule[wreck] = next[module]
  else next[rows[index - 1]] = next[module]
  world.release(Module, module)
  moveItems(world, namedContainer('fitted'), to, item, 1)
}

/* Ending */

/** Destroys the goods in a container, except for the units of `kept`. */
export function destroyGoods(world: World, container: Row, kept: readonly Held[] = []): void {
  for (const { item, units } of contentsOf(world, container)) {
    const keptUnits = kept.find((held) => held.item === item)?.units ?? 0
    moveItems(world, container, namedContainer('destroyed'), item, units - keptUnits)
  }
}

/** Removes a wreck with all that is in it. The caller has untied one that was towed. */
export function removeWreck(world: World, wreck: Row): void {
  const { cargo, poi, tug } = world.read(Wreck)
  assert(tug[wreck] === 0, `wreck ${wreck} is removed while it is towed`)
  destroyGoods(world, cargo[wreck])
  destroyPackages(world, cargo[wreck], 'destroyed')
  closeContainer(world, cargo[wreck])
  for (const module of wreckModules(world, wreck)) world.release(Module, module)
  if (poi[wreck] !== 0) delistWreck(world, wreck)
  world.release(Wreck, wreck)
}

/** Removes a wreck, unless it is towed, once nothing of it is left. */
export function removeIfSpent(world: World, wreck: Row): void {
  const { value, tug } = world.read(Wreck)
  if (value[wreck] === 0 && tug[wreck] === 0 && isLooted(world, wreck)) removeWreck(world, wreck)
}

/** Returns the wreck of lowest value and, of equals, the oldest: lists are in order of age. */
function cheapest(view: WorldView, wrecks: readonly Row[]): Row {
  const { value } = view.read(Wreck)
  return wrecks.reduce((lowest, row) => (value[row] < value[lowest] ? row : lowest))
}

/**
 * Keeps a place within its limits by removing its cheapest wrecks. Source: ours; salvage.md section
 * 1.
 */
export function makeRoom(world: World, poi: Eid): void {
  const { value } = world.read(Wreck)
  const isPoor = (row: Row) => wreckTypeOf(world, row) === 'ship' && value[row] < POOR_BELOW_CREDITS
  const poor = wrecksAt(world, poi).filter(isPoor)
  if (poor.length > POOR_WRECKS_PER_POI_MAX) removeWreck(world, cheapest(world, poor))
  const all = wrecksAt(world, poi)
  if (all.length > WRECKS_PER_POI_MAX) removeWreck(world, cheapest(world, all))
}

/* Decay */

/** Schedules the decay of a wreck that does not last. */
export function scheduleDecay(world: World, wreck: Row): void {
  const tick = world.read(Wreck).expireTick[wreck]
  if (tick !== 0) addToList(world.index(WRECKS).due, tick, wreck)
}

/** Removes the wrecks that are due; a row that has been reused for another wreck stays. */
export function expireWrecks(world: World): void {
  const { due } = world.index(WRECKS)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, expireTick, seq } = world.read(Wreck)
  const gone = [...new Set(rows)].filter(
    (row) => alive[row] === 1 && expireTick[row] === world.tick,
  )
  for (const row of gone.sort((a, b) => seq[a] - seq[b])) removeWreck(world, row)
}
