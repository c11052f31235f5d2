/** Lapses unanswered offers, after the mutations of the tick, and checks trades. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { Player } from '../account/state.ts'
import { offersOf, offersTo } from './model.ts'
import { sweepTrades } from './rules.ts'
import {
  LAPSED_TRADES,
  TRADE_DECLINES,
  TRADE_DECLINES_MAX,
  TRADES,
  TRADES_IN_MAX,
  TRADES_OUT_MAX,
  TRADES_PER_PAIR_MAX,
} from './state.ts'

export const tradesAreSound: CheckDef = {
  name: 'pending trades are listed with both parties, within bounds and in time',
  run(view, full) {
    if (!full) return
    for (const [, trade] of view.records(TRADES).entries()) {
      const [offerer, target] = [trade.offerer, trade.target].map((number) =>
        view.rowOf(Player, number),
      )
      assert(offerer !== 0 && target !== 0, `trade ${trade.number} lacks a party`)
      const [out, incoming] = [offersOf(view, offerer), offersTo(view, target)]
      assert(out.includes(trade) && incoming.includes(trade), `trade ${trade.number} is not listed`)
      const pair = out.filter((other) => other.target === trade.target).length
      assert(pair <= TRADES_PER_PAIR_MAX, `player ${offerer} offers ${pair} trades to one player`)
      assert(out.length <= TRADES_OUT_MAX, `player ${offerer} offers ${out.length} trades`)
      assert(incoming.length <= TRADES_IN_MAX, `player ${target} has ${incoming.length} offers`)
      assert(trade.expireTick > view.tick, `trade ${trade.number} is overdue`)
      assert(
        !view.records(LAPSED_TRADES).has(String(trade.number)),
        `trade ${trade.number} has lapsed`,
      )
    }
    for (const [pair, ticks] of view.records(TRADE_DECLINES).entries()) {
      assert(ticks.length <= TRADE_DECLINES_MAX, `${pair} remembers ${ticks.length} declines`)
    }
  },
}

export const lapseTrades: SystemDef = {
  name: 'trade.lapse',
  phase: 'produce',
  writes: [],
  run: sweepTrades,
}
