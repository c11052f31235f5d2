/** Wire forms of pending trades. Source: contract, GetTradeEntry, Trade. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { isoTime, tickTime } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { kindOfId } from '../cargo/model.ts'
import { packageById, packageName } from '../cargo/rules.ts'
import { isPackageId } from '../cargo/state.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { poiId } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { offersOf, offersTo, tradeId } from './model.ts'
import type { Trade, TradeLine } from './state.ts'

function nameOf(view: WorldView, id: string): string {
  if (!isPackageId(id)) return GOODS[itemIndex(id)].name
  const pkg = packageById(view, id)
  return pkg === 0 ? kindOfId(id) : packageName(view, pkg)
}

const renderLines = (view: WorldView, lines: readonly TradeLine[]) =>
  lines.map(({ item_id, quantity }) => ({ item_id, name: nameOf(view, item_id), quantity }))

/** Renders what both parties see of an offer. */
export function renderOffer(view: WorldView, trade: Trade) {
  return {
    trade_id: tradeId(view, trade),
    offer_items: renderLines(view, trade.offerItems),
    offer_credits: trade.offerCredits,
    request_items: renderLines(view, trade.requestItems),
    request_credits: trade.requestCredits,
    expires_at: tickTime(view, trade.expireTick),
  }
}

function renderEntry(view: WorldView, trade: Trade) {
  return {
    ...renderOffer(view, trade),
    offerer_name: counterpartyIdentity(view, view.rowOf(Player, trade.offerer)).name,
    target_name: counterpartyIdentity(view, view.rowOf(Player, trade.target)).name,
  }
}

/** Renders the answer of get_trades. */
export const renderTrades = (view: WorldView, player: Eid) => ({
  incoming: offersTo(view, player).map((trade) => renderEntry(view, trade)),
  outgoing: offersOf(view, player).map((trade) => renderEntry(view, trade)),
})

/** Renders the pending trades of both directions for login. Source: contract, Trade. */
export function pendingTrades(view: WorldView, player: Eid) {
  return [...offersTo(view, player), ...offersOf(view, player)].map((trade) => ({
    id: tradeId(view, trade),
    offerer_id: counterpartyIdentity(view, view.rowOf(Player, trade.offerer)).id,
    target_id: counterpartyIdentity(view, view.rowOf(Player, trade.target)).id,
    poi_id: poiId(view, view.rowOf(Poi, trade.poi)),
    status: 'pending',
    created_at: isoTime(trade.madeMs),
    expires_at: tickTime(view, trade.expireTick),
    offer_credits: trade.offerCredits,
    request_credits: trade.requestCredits,
    offer_items: trade.offerItems.map((line) => ({ ...line })),
    request_items: trade.requestItems.map((line) => ({ ...line })),
  }))
}
