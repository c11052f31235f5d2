/**
 * Containers adrift after a jettison: finding them, opening them, and how they end. Anybody may
 * loot them (systems/salvage); what throws goods into them is systems.ts. They name nobody.
 * Source: trade-storage.md section 4, salvage.md sections 1, 7.
 */

import {
  closeContainer,
  contentsOf,
  moveItems,
  namedContainer,
  openContainer,
} from '../../core/goods.ts'
import { append, exclude, include } from '../../core/groups.ts'
import { JETTISON_TICKS } from '../../core/limits.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { poiOf } from '../travel/location-model.ts'
import { adriftAt, isNearlyFull, isStoreNearlyFull, keyOf } from './model.ts'
import { destroyPackages } from './rules.ts'
import { ADRIFT, JettisonContainer } from './state.ts'

/* Opening and ending */

function enter(world: World, row: Row): void {
  const { poi, player, number } = world.read(JettisonContainer)
  const { byKey, byNumber, at } = world.index(ADRIFT)
  byKey.set(keyOf(poi[row], player[row]), row)
  byNumber.set(number[row], row)
  include(at, poi[row], row)
  scheduleExpiry(world, row)
}

function scheduleExpiry(world: World, row: Row): void {
  const { due } = world.index(ADRIFT)
  const tick = world.read(JettisonContainer).expireTick[row]
  append(due, tick, row)
}

/** A new container of the player at a place; the caller has seen to room for it. */
function openAdrift(world: World, poi: Eid, player: Eid): Row {
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
  enter(world, row)
  return row
}

/** Takes a container off the map with all that is in it. */
export function removeJettisoned(world: World, row: Row): void {
  const { poi, player, number, container } = world.read(JettisonContainer)
  for (const { item, units } of contentsOf(world, container[row])) {
    moveItems(world, container[row], namedContainer('jettison_expired'), item, units)
  }
  destroyPackages(world, container[row], 'jettison_expired')
  closeContainer(world, container[row])
  const { byKey, byNumber, at } = world.index(ADRIFT)
  byKey.delete(keyOf(poi[row], player[row]))
  byNumber.delete(number[row])
  exclude(at, poi[row], row)
  world.release(JettisonContainer, row)
}

/**
 * Sweeps away what is due; what was added to meanwhile is looked at again when that is due. A row
 * that was looted empty may be another container by now, and be noted twice.
 */
export function sweepDue(world: World): void {
  const { due } = world.index(ADRIFT)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, number, expireTick } = world.read(JettisonContainer)
  const mine = [...new Set(rows)].filter((row) => alive[row] === 1)
  for (const row of mine.sort((a, b) => number[a] - number[b])) {
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
  for (const row of rows.sort((a, b) => number[a] - number[b])) enter(world, row)
}

/**
 * Container row for what a player loses or throws out at a place, kept for a while from now; 0
 * where there is no room for one.
 */
export function adriftFor(world: World, poi: Eid, player: Eid): Row {
  const isFull = isStoreNearlyFull(world) || isNearlyFull(world, JettisonContainer)
  if (poi === 0 || (adriftAt(world, poi, player) === 0 && isFull)) return 0
  return containerFor(world, player, poi)
}

/** The player's container at a place, for a while from now; 0 adrift. */
export function containerFor(world: World, player: Eid, poi = poiOf(world, player)): Row {
  if (poi === 0) return 0
  const row = adriftAt(world, poi, player) || openAdrift(world, poi, player)
  world.write(JettisonContainer).expireTick[row] = world.tick + JETTISON_TICKS
  return row
}
