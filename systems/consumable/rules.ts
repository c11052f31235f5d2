/** Buffs of ships: how they start and end. Source: missions.md section 8. */
import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import { addToSet, removeFromSet } from '../../core/groups.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { buffByItem, buffsOf, effectOf } from './model.ts'
import { BUFF_EXPIRIES, BUFF_STATS, BUFFS_OF, Buff, Buffed } from './state.ts'

/** Tables that starting and ending a buff writes. */
export const BUFF_WRITES: readonly TableDef[] = [Buff, Buffed]

function scheduleExpiry(world: World, row: Row): void {
  addToSet(world.index(BUFF_EXPIRIES), world.read(Buff).expireTick[row] + 1, row)
}

function cancelExpiry(world: World, row: Row): void {
  removeFromSet(world.index(BUFF_EXPIRIES), world.read(Buff).expireTick[row] + 1, row)
}

/**
 * Starts the buff of an item on a ship, or sets a new end for it; returns the last tick in which it
 * works, by default after the item's full duration. The caller recomputes the ship.
 */
export function startBuff(
  world: World,
  ship: Eid,
  item: number,
  expireTick = world.tick + (effectOf(item)?.duration ?? 0),
): number {
  const effect = effectOf(item)
  assert(effect?.type === 'buff' && effect.stat, `item ${item} gives no buff`)
  const old = buffByItem(world, ship, item)
  if (old !== 0) {
    cancelExpiry(world, old)
    BUFFS_OF.unlink(world, old)
  }
  const row = old || world.take(Buff)
  const buff = world.write(Buff)
  buff.number[row] = world.nextNumber(Buff.name)
  buff.item[row] = item
  buff.stat[row] = BUFF_STATS.indexOf(effect.stat)
  buff.amount[row] = effect.amount ?? 0
  buff.expireTick[row] = expireTick
  BUFFS_OF.link(world, row, ship)
  scheduleExpiry(world, row)
  return expireTick
}

function endBuff(world: World, row: Row): void {
  cancelExpiry(world, row)
  BUFFS_OF.remove(world, row)
}

/** Ends all buffs of a ship: it is lost, or its pilot switches to another. */
export function dropBuffs(world: World, ship: Eid): void {
  if (world.read(Buffed).first[ship] === 0) return
  for (const row of buffsOf(world, ship)) endBuff(world, row)
}

/** Ends the buffs that expire now; returns their ships, in the order the buffs were started. */
export function endDueBuffs(world: World): Eid[] {
  const due = world.index(BUFF_EXPIRIES).get(world.tick)
  if (!due) return []
  const { number, ship } = world.read(Buff)
  const rows = [...due].sort((a, b) => number[a] - number[b])
  const ships = [...new Set(rows.map((row) => ship[row]))]
  for (const row of rows) endBuff(world, row)
  return ships
}

/** Rebuilds the index of expiries from the table, after a restore. */
export function rebuildBuffs(world: World): void {
  world.index(BUFF_EXPIRIES).clear()
  const { alive } = world.read(Buff)
  for (let row = 1; row <= world.highOf(Buff); row++)
    if (alive[row] === 1) scheduleExpiry(world, row)
}
