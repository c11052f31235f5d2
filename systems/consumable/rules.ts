/**
 * Buffs of ships: what they add up to, taking one on, and letting go of all. Source: missions.md
 * section 8.
 */
import { assert } from '../../core/assert.ts'
import {
  type BuffStat,
  GOODS,
  type ItemEffect,
  type ItemRow,
  isModule,
} from '../../core/catalog/index.ts'
import { BUFFS_PER_SHIP_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { BUFF_STATS, Buff, Buffed } from './columns.ts'

/** Different items on one stat add up to this at most. */
const STAT_MAX = 50

/** Buffs by the first tick in which they work no more. */
const ENDING = defineIndex('consumable.ending', () => new Map<number, Set<Row>>())

/** What using a unit of a good does; undefined for what cannot be used. */
export function effectOf(item: number): ItemEffect | undefined {
  const good = GOODS[item]
  return isModule(good) ? undefined : (good as ItemRow).effect
}

/** Buffs of a ship, by expiry. */
export function buffsOf(view: WorldView, ship: Eid): Row[] {
  const { next } = view.read(Buff)
  const rows: Row[] = []
  for (let row = view.read(Buffed).first[ship]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** What the buffs of a ship add to a stat, percent or points. */
export function buffOf(view: WorldView, ship: Eid, stat: BuffStat): number {
  if (view.read(Buffed).first[ship] === 0) return 0
  const { stat: of, amount } = view.read(Buff)
  const index = BUFF_STATS.indexOf(stat)
  const sum = buffsOf(view, ship).reduce(
    (total, row) => (of[row] === index ? total + amount[row] : total),
    0,
  )
  return Math.min(STAT_MAX, sum)
}

/** The buff that an item has left on a ship; 0 none. */
export const buffByItem = (view: WorldView, ship: Eid, item: number): Row =>
  buffsOf(view, ship).find((row) => view.read(Buff).item[row] === item) ?? 0

function expect(world: World, row: Row): void {
  const ending = world.index(ENDING)
  const tick = world.read(Buff).expireTick[row] + 1
  const due = ending.get(tick)
  if (due) due.add(row)
  else ending.set(tick, new Set([row]))
}

function forget(world: World, row: Row): void {
  const ending = world.index(ENDING)
  const tick = world.read(Buff).expireTick[row] + 1
  const due = ending.get(tick)
  due?.delete(row)
  if (due?.size === 0) ending.delete(tick)
}

/** Puts a buff into the list of its ship, behind those that end before it. */
function link(world: World, row: Row): void {
  const buff = world.write(Buff)
  const { first } = world.write(Buffed)
  const ship = buff.ship[row]
  let before = 0
  for (let at = first[ship]; at !== 0 && buff.expireTick[at] <= buff.expireTick[row]; ) {
    before = at
    at = buff.next[at]
  }
  buff.next[row] = before === 0 ? first[ship] : buff.next[before]
  if (before === 0) first[ship] = row
  else buff.next[before] = row
}

function unlink(world: World, row: Row): void {
  const buff = world.write(Buff)
  const { first } = world.write(Buffed)
  const ship = buff.ship[row]
  const rows = buffsOf(world, ship)
  const at = rows.indexOf(row)
  assert(at >= 0, `buff ${row} is not in the list of its ship`)
  if (at === 0) first[ship] = buff.next[row]
  else buff.next[rows[at - 1]] = buff.next[row]
  buff.next[row] = 0
}

/** True while a ship may take on the buff of an item. */
export function hasRoomFor(view: WorldView, ship: Eid, item: number): boolean {
  return buffByItem(view, ship, item) !== 0 || buffsOf(view, ship).length < BUFFS_PER_SHIP_MAX
}

/**
 * Takes on the buff of an item, or has it last longer. Figures of the ship are the caller's to
 * work out again. Returns the last tick in which it works.
 */
export function takeBuff(world: World, ship: Eid, item: number): number {
  return put(world, ship, item, world.tick + (effectOf(item)?.duration ?? 0))
}

/** Gives back the buff of an item that was at work before a match. */
export const restoreBuff = (world: World, ship: Eid, item: number, until: number): number =>
  put(world, ship, item, until)

function put(world: World, ship: Eid, item: number, until: number): number {
  const effect = effectOf(item)
  assert(effect?.type === 'buff' && effect.stat, `good ${item} is no booster`)
  const old = buffByItem(world, ship, item)
  if (old !== 0) {
    forget(world, old)
    unlink(world, old)
  }
  const row = old || world.take(Buff)
  const buff = world.write(Buff)
  buff.number[row] = world.nextNumber(Buff.name)
  buff.ship[row] = ship
  buff.item[row] = item
  buff.stat[row] = BUFF_STATS.indexOf(effect.stat)
  buff.amount[row] = effect.amount ?? 0
  buff.expireTick[row] = until
  link(world, row)
  expect(world, row)
  return buff.expireTick[row]
}

function drop(world: World, row: Row): void {
  forget(world, row)
  unlink(world, row)
  world.release(Buff, row)
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

/** What the owner sees of them. */
export const renderBuffs = (view: WorldView, ship: Eid) =>
  buffsOf(view, ship).map((row) => {
    const { item, stat, amount, expireTick } = view.read(Buff)
    return {
      item_id: GOODS[item[row]].id,
      stat: BUFF_STATS[stat[row]],
      amount: amount[row],
      expires_at: expireTick[row],
      ticks_left: Math.max(0, expireTick[row] - view.tick),
    }
  })

/** Fills the index from the table, after a restore. */
export function rebuildBuffs(world: World): void {
  world.index(ENDING).clear()
  const { alive } = world.read(Buff)
  for (let row = 1; row <= world.highOf(Buff); row++) if (alive[row] === 1) expect(world, row)
}
