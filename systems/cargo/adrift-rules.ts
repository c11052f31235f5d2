/**
 * Containers adrift after a jettison: creating, finding and removing them. Anybody may loot them
 * (systems/salvage); a jettison (systems.ts) fills them. They do not show their owner.
 * Source: trade-storage.md section 4, salvage.md sections 1, 7.
 */
import {
  closeContainer,
  contentsOf,
  moveItems,
  namedContainer,
  openContainer,
} from '../../core/goods.ts'
import { addToList, addToSet, removeFromSet } from '../../core/groups.ts'
import { JETTISON_TICKS } from '../../core/limits.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { poiOf } from '../travel/location-model.ts'
import { adriftKey, isNearlyFull, isStorageNearlyFull, jettisonContainerAt } from './model.ts'
import { destroyPackages } from './rules.ts'
import { ADRIFT, JettisonContainer } from './state.ts'

/* Creating and removing */

function indexContainer(world: World, row: Row): void {
  const { poi, player, number } = world.read(JettisonContainer)
  const { byKey, byNumber, at } = world.index(ADRIFT)
  byKey.set(adriftKey(poi[row], player[row]), row)
  byNumber.set(number[row], row)
  addToSet(at, poi[row], row)
  scheduleExpiry(world, row)
}

function scheduleExpiry(world: World, row: Row): void {
  const { due } = world.index(ADRIFT)
  const tick = world.read(JettisonContainer).expireTick[row]
  addToList(due, tick, row)
}

/** Creates a container of the player at a place; the caller has checked that there is room. */
function createContainer(world: World, poi: Eid, player: Eid): Row {
  const container = openContainer(world)
  const row = world.take(JettisonContainer)
  const columns = world.write(JettisonContainer)
  columns.number[row] = world.nextNumber(JettisonContainer.name)
  columns.poi[row] = poi
  columns.player[row] = player
  columns.container[row] = container
  columns.createdMs[row] = world.wallMs
  columns.createdTick[row] = world.tick
  columns.expireTick[row] = world.tick + JETTISON_TICKS
  indexContainer(world, row)
  return row
}

/** Removes a container from the map and destroys its contents. */
export function removeJettisoned(world: World, row: Row): void {
  const { poi, player, number, container } = world.read(JettisonContainer)
  for (const { item, units } of contentsOf(world, container[row])) {
    moveItems(world, container[row], namedContainer('jettison_expired'), item, units)
  }
  destroyPackages(world, container[row], 'jettison_expired')
  closeContainer(world, container[row])
  const { byKey, byNumber, at } = world.index(ADRIFT)
  byKey.delete(adriftKey(poi[row], player[row]))
  byNumber.delete(number[row])
  removeFromSet(at, poi[row], row)
  world.release(JettisonContainer, row)
}

/**
 * Removes containers that have expired, and reschedules those that were added to meanwhile. A row
 * that was looted empty may have become another container, and so be scheduled twice.
 */
export function removeExpired(world: World): void {
  const { due } = world.index(ADRIFT)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, number, expireTick } = world.read(JettisonContainer)
  const live = [...new Set(rows)].filter((row) => alive[row] === 1)
  for (const row of live.sort((a, b) => number[a] - number[b])) {
    if (expireTick[row] <= world.tick) removeJettisoned(world, row)
    else scheduleExpiry(world, row)
  }
}

/** Fills the index of containers from the table, after a restore. */
export function rebuildAdrift(world: World): void {
  const adrift = world.index(ADRIFT)
  adrift.byKey.clear()
  adrift.byNumber.clear()
  adrift.at.clear()
  adrift.due.clear()
  const { alive, number } = world.read(JettisonContainer)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(JettisonContainer); row++)
    if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => number[a] - number[b])) indexContainer(world, row)
}

/**
 * Returns the row of the container that takes what a player loses at a place, and restarts its
 * expiry; 0 where there is no room for one.
 */
export function openJettisonContainerIfRoom(world: World, player: Eid, poi: Eid): Row {
  const isFull = isStorageNearlyFull(world) || isNearlyFull(world, JettisonContainer)
  if (poi === 0 || (jettisonContainerAt(world, poi, player) === 0 && isFull)) return 0
  return openJettisonContainer(world, player, poi)
}

/**
 * Returns the player's container at a place, creating it if needed, and restarts its expiry; 0
 * between systems, where nothing can be left.
 */
export function openJettisonContainer(world: World, player: Eid, poi = poiOf(world, player)): Row {
  if (poi === 0) return 0
  const row = jettisonContainerAt(world, poi, player) || createContainer(world, poi, player)
  world.write(JettisonContainer).expireTick[row] = world.tick + JETTISON_TICKS
  return row
}
