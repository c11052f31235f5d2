/** Trades between players: offers, answers, and the exchange of goods and credits in one step. */
import type { DomainDef } from '../../core/registry.ts'
import { getTrades, tradeAccept, tradeCancel, tradeDecline, tradeOffer } from './commands.ts'
import { rebuildTrades } from './rules.ts'
import { tradeCancelled, tradeComplete, tradeDeclined, tradeOfferReceived } from './schemas.ts'
import { LAPSED_TRADES, TRADE_DECLINES, TRADES } from './state.ts'
import { lapseTrades, tradesAreSound } from './systems.ts'

export const tradeDomain: DomainDef = {
  name: 'trade',
  records: [TRADES, LAPSED_TRADES, TRADE_DECLINES],
  commands: [tradeOffer, tradeAccept, tradeDecline, tradeCancel, getTrades],
  events: [tradeOfferReceived, tradeComplete, tradeDeclined, tradeCancelled],
  systems: [lapseTrades],
  checks: [tradesAreSound],
  rebuild: rebuildTrades,
}
