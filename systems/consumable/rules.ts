/**
 * Buffs of ships: what they add up to, taking one on, and letting go of all. Source: missions.md
 * section 8.
 */

import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import { exclude, include } from '../../core/groups.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { buffByItem, buffsOf, effectOf } from './model.ts'
import { BUFF_STATS, BUFFS_OF, Buff, Buffed, ENDING } from './state.ts'

/** What beginning and ending buffs writes. */
export const BUFF_WRITES: readonly TableDef[] = [Buff, Buffed]

function scheduleExpiry(world: World, row: Row): void {
  const ending = world.index(ENDING)
  const tick = world.read(Buff).expireTick[row] + 1
  include(ending, tick, row)
}

function unschedule(world: World, row: Row): void {
  const ending = world.index(ENDING)
  const tick = world.read(Buff).expireTick[row] + 1
  exclude(ending, tick, row)
}

/**
 * Takes on the buff of an item, or has it last longer. Figures of the ship are the caller's to
 * work out again. Returns the last tick in which it works.
 */
export function takeBuff(world: World, ship: Eid, item: number): number {
  return applyBuff(world, ship, item, world.tick + (effectOf(item)?.duration ?? 0))
}

/** Gives back the buff of an item that was at work before a match. */
export const restoreBuff = (world: World, ship: Eid, item: number, until: number): number =>
  applyBuff(world, ship, item, until)

function applyBuff(world: World, ship: Eid, item: number, until: number): number {
  const effect = effectOf(item)
  assert(effect?.type === 'buff' && effect.stat, `good ${item} is no booster`)
  const old = buffByItem(world, ship, item)
  if (old !== 0) {
    unschedule(world, old)
    BUFFS_OF.unlink(world, old)
  }
  const row = old || world.take(Buff)
  const buff = world.write(Buff)
  buff.number[row] = world.nextNumber(Buff.name)
  buff.item[row] = item
  buff.stat[row] = BUFF_STATS.indexOf(effect.stat)
  buff.amount[row] = effect.amount ?? 0
  buff.expireTick[row] = until
  BUFFS_OF.link(world, row, ship)
  scheduleExpiry(world, row)
  return buff.expireTick[row]
}

function drop(world: World, row: Row): void {
  unschedule(world, row)
  BUFFS_OF.remove(world, row)
}

/** Ends all buffs of a ship: it is lost, or its pilot flies another. */
export function dropBuffs(world: World, ship: Eid): void {
  if (world.read(Buffed).first[ship] === 0) return
  for (const row of buffsOf(world, ship)) drop(world, row)
}

/** Ends the buffs whose time is over; returns the ships they worked on, by their numbers. */
export function endBuffs(world: World): Eid[] {
  const due = world.index(ENDING).get(world.tick)
  if (!due) return []
  const { number, ship } = world.read(Buff)
  const rows = [...due].sort((a, b) => number[a] - number[b])
  const ships = [...new Set(rows.map((row) => ship[row]))]
  for (const row of rows) drop(world, row)
  return ships
}

/** Fills the index from the table, after a restore. */
export function rebuildBuffs(world: World): void {
  world.index(ENDING).clear()
  const { alive } = world.read(Buff)
  for (let row = 1; row <= world.highOf(Buff); row++)
    if (alive[row] === 1) scheduleExpiry(world, row)
}
