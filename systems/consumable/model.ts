/** Lookups of consumables and of the buffs they leave. */
import {
  type BuffStat,
  GOODS,
  type ItemEffect,
  type ItemRow,
  isModule,
} from '../../core/catalog/index.ts'
import { BUFFS_PER_SHIP_MAX } from '../../core/limits.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { BUFF_STATS, BUFFS_OF, Buff, Buffed } from './state.ts'

/** Most that the buffs of a ship add to one stat, percent or points. */
const STAT_MAX = 50

/** Returns the effect of using a unit of a good; undefined if it cannot be used. */
export function effectOf(item: number): ItemEffect | undefined {
  const good = GOODS[item]
  return isModule(good) ? undefined : (good as ItemRow).effect
}

/** Returns the buffs of a ship, by expiry. */
export const buffsOf: (view: WorldView, ship: Eid) => Row[] = BUFFS_OF.rows

/** Returns what the buffs of a ship add to a stat, percent or points. */
export function buffOf(view: WorldView, ship: Eid, stat: BuffStat): number {
  if (view.read(Buffed).first[ship] === 0) return 0
  const { stat: stats, amount } = view.read(Buff)
  const index = BUFF_STATS.indexOf(stat)
  const sum = buffsOf(view, ship).reduce(
    (total, row) => (stats[row] === index ? total + amount[row] : total),
    0,
  )
  return Math.min(STAT_MAX, sum)
}

/** Returns the buff of an item on a ship; 0 none. */
export const buffByItem = (view: WorldView, ship: Eid, item: number): Row =>
  buffsOf(view, ship).find((row) => view.read(Buff).item[row] === item) ?? 0

/** Returns whether a ship may take on the buff of an item. */
export function hasRoomForBuff(view: WorldView, ship: Eid, item: number): boolean {
  return buffByItem(view, ship, item) !== 0 || buffsOf(view, ship).length < BUFFS_PER_SHIP_MAX
}

/** Renders the buffs of a ship for its owner. */
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
