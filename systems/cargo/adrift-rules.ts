/**
 * Containers adrift after a jettison: finding them, opening them, and how they end. Anybody may
 * loot them (systems/salvage); what throws goods into them is jettison.ts. They name nobody.
 * Source: trade-storage.md section 4, salvage.md sections 1, 7.
 */
import { seqOfWireId, wireId } from '../../core/entity.ts'
import {
  closeContainer,
  contentsOf,
  moveItems,
  namedContainer,
  openContainer,
} from '../../core/goods.ts'
import { JETTISON_TICKS } from '../../core/limits.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { JettisonContainer } from './columns.ts'

/** Container row by place and player, rows by place, rows by a tick in which they may be due. */
const ADRIFT = defineIndex('cargo.adrift', () => ({
  byKey: new Map<number, Row>(),
  at: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
}))
/** More rows than there are players: keys stay apart and below 2^53. */
const PLAYER_ROWS = 0x1000000
const keyOf = (poi: Eid, player: Eid): number => poi * PLAYER_ROWS + player

/* Finding */

/** The player's container at a place; 0 none. */
export const containerAt = (view: WorldView, poi: Eid, player: Eid): Row =>
  view.index(ADRIFT).byKey.get(keyOf(poi, player)) ?? 0

/** Containers at a place, in the order of their opening. */
export const containersAt = (view: WorldView, poi: Eid): readonly Row[] =>
  view.index(ADRIFT).at.get(poi) ?? []

export const containerId = (view: WorldView, row: Row): string =>
  wireId(view.seed, JettisonContainer.name, view.read(JettisonContainer).number[row])

/** A container at a place by wire id; 0 none. */
export function containerById(view: WorldView, poi: Eid, id: string): Row {
  const wanted = seqOfWireId(view.seed, JettisonContainer.name, id)
  if (wanted === 0) return 0
  const { number } = view.read(JettisonContainer)
  return containersAt(view, poi).find((row) => number[row] === wanted) ?? 0
}

/* Opening and ending */

function enter(world: World, row: Row): void {
  const { poi, player } = world.read(JettisonContainer)
  const { byKey, at } = world.index(ADRIFT)
  byKey.set(keyOf(poi[row], player[row]), row)
  at.set(poi[row], [...containersAt(world, poi[row]), row])
  expectEnd(world, row)
}

function expectEnd(world: World, row: Row): void {
  const { due } = world.index(ADRIFT)
  const tick = world.read(JettisonContainer).expireTick[row]
  const rows = due.get(tick)
  if (rows) rows.push(row)
  else due.set(tick, [row])
}

/** A new container of the player at a place; the caller has seen to room for it. */
export function openAdrift(world: World, poi: Eid, player: Eid): Row {
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
export function sweepAway(world: World, row: Row): void {
  const { poi, player, container } = world.read(JettisonContainer)
  for (const { item, units } of contentsOf(world, container[row])) {
    moveItems(world, container[row], namedContainer('jettison_expired'), item, units)
  }
  closeContainer(world, container[row])
  const { byKey, at } = world.index(ADRIFT)
  byKey.delete(keyOf(poi[row], player[row]))
  const left = containersAt(world, poi[row]).filter((other) => other !== row)
  if (left.length === 0) at.delete(poi[row])
  else at.set(poi[row], left)
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
    if (expireTick[row] <= world.tick) sweepAway(world, row)
    else expectEnd(world, row)
  }
}

/** Fills the index of containers from the table, after a restore. */
export function rebuildAdrift(world: World): void {
  const adrift = world.index(ADRIFT)
  adrift.byKey.clear()
  adrift.at.clear()
  adrift.due.clear()
  const { alive, number } = world.read(JettisonContainer)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(JettisonContainer); row++)
    if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => number[a] - number[b])) enter(world, row)
}
