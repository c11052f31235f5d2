/**
 * What makers are told of fills: one note an order and price, and past the bound of a tick one an
 * item and side. Source: market.md sections 6, 14.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { TRADE_NOTES_PER_TICK_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { baseId, baseName } from '../base/rules.ts'
import { tellFaction } from '../faction/news-rules.ts'
import { membersWith } from '../faction/rules.ts'
import { noteCorporateExpense, noteCorporateIncome } from '../tax/rules.ts'
import { ASK } from './columns.ts'
import { tradeFill } from './events.ts'
import type { MakerFill } from './settle.ts'

interface Note {
  readonly fill: MakerFill
  units: number
  total: number
}

function notesOf(fills: readonly MakerFill[]): Note[] {
  const notes: Note[] = []
  const summed = new Map<string, Note>()
  for (const fill of fills) {
    const total = fill.units * fill.price
    const key = `${fill.item}/${fill.side}`
    const sum = summed.get(key)
    if (notes.length < TRADE_NOTES_PER_TICK_MAX) notes.push({ fill, units: fill.units, total })
    else if (sum) {
      sum.units += fill.units
      sum.total += total
    } else summed.set(key, { fill, units: fill.units, total })
  }
  return [...notes, ...summed.values()]
}

export function tellFills(world: World, player: Eid, fills: readonly MakerFill[]): void {
  for (const { fill, units, total } of notesOf(fills)) {
    const payload = {
      type: fill.side === ASK ? 'sell_filled' : 'buy_filled',
      item_id: GOODS[fill.item].id,
      item_name: GOODS[fill.item].name,
      price_each: divFloor(total, units),
      quantity: units,
      total,
      timestamp: isoTime(world.wallMs),
    }
    emit(world, tradeFill, payload, toPlayer(player))
  }
}

/** The same of a faction's orders, to those who may use its treasury; and its books. */
export function tellFactionFills(world: World, faction: Row, fills: readonly MakerFill[]): void {
  for (const { base, side, units, price } of fills) {
    const note = side === ASK ? noteCorporateIncome : noteCorporateExpense
    note(world, faction, base, units * price)
  }
  const to = membersWith(world, faction, 'manage_treasury')
  for (const { fill, units, total } of notesOf(fills)) {
    const { base, item, side, player } = fill
    const { id: item_id, name } = GOODS[item]
    const what = `${units} ${name} at ${baseName(world, base)} for ${counted(total, 'credit')}`
    tellFaction(world, faction, {
      event: 'order_filled',
      actor: player,
      message: side === ASK ? `Sold ${what}.` : `Bought ${what}.`,
      to,
      more: { base_id: baseId(world, base), item_id, quantity: units, credits: total },
    })
  }
}
