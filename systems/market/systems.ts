/**
 * The managers' part of each tick. Bases take turns, so an idle exchange costs nothing between its
 * turns.
 */
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import { CYCLE_TICKS, HOUR_TICKS } from '../../core/time.ts'
import type { World } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { Facility } from '../facility/columns.ts'
import { FactionStore } from '../faction/columns.ts'
import { closeLostStores } from './closing-rules.ts'
import { Book, Exchange, Level, Lot, Managed, Order, PlayerOrders } from './columns.ts'
import { grow, liveOn, managedAt, payManager, requote, takeTraded, useUp } from './manager.ts'
import { TRADE } from './trading.ts'
import { hourPrices } from './vwap-rules.ts'

/**
 * Ticks between two turns of a base: use with all quotes, and income with growth. Source: market.md
 * section 7.
 */
const QUOTE_TICKS = 30

/** Calls `visit` for the bases b with (tick + b) % every == 0. */
function takeTurns(world: World, every: number, visit: (base: number) => void): void {
  const alive = world.read(Base).alive
  const first = every - (world.tick % every)
  for (let base = first; base <= world.highOf(Base); base += every) {
    if (alive[base] === 1) visit(base)
  }
}

/** Income and growth at the bases whose turn it is; after it the quotes see the new stock. */
export const trading: SystemDef = { name: 'market.trade', phase: 'act', ...TRADE }

export const supply: SystemDef = {
  name: 'market.supply',
  phase: 'produce',
  reads: [Base, Book, Exchange],
  writes: [Account, Container, Stack, Managed],
  run(world) {
    takeTurns(world, CYCLE_TICKS, (base) => {
      payManager(world, base)
      for (const row of managedAt(world, base)) {
        grow(world, row)
        liveOn(world, row)
      }
    })
  },
}

/** Company stores that were lost: rent is judged before, in the same phase. */
export const storesClose: SystemDef = {
  name: 'market.stores',
  phase: 'produce',
  reads: [Base, Facility],
  writes: [
    ...[Account, Container, Stack, Book, Exchange, Level, Lot, Order, PlayerOrders],
    FactionStore,
  ],
  run: closeLostStores,
}

/** The trade of an hour goes to the archive with its last tick. Source: ours, a price history. */
export const notePrices: SystemDef = {
  name: 'market.note_prices',
  phase: 'settle',
  reads: [Base, Book],
  writes: [],
  run(world) {
    if ((world.tick + 1) % HOUR_TICKS !== 0) return
    const prices = hourPrices(world)
    if (prices.items.length > 0) {
      world.outbox.writes.push({ method: 'notePrices', args: { ...prices } })
    }
  },
}

/**
 * Quotes: what was traded in this tick; at the bases whose turn it is, use and all items. Source:
 * market.md section 7.
 */
export const quote: SystemDef = {
  name: 'market.quote',
  phase: 'produce',
  reads: TRADE.reads,
  writes: [...TRADE.writes, Managed],
  run(world) {
    const due = new Set(takeTraded(world))
    takeTurns(world, QUOTE_TICKS, (base) => {
      for (const row of managedAt(world, base)) {
        useUp(world, row)
        due.add(row)
      }
    })
    requote(world, [...due])
  },
  split: TRADE.split,
}
