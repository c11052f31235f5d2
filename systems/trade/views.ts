/** Wire forms of pending trades. Source: contract, GetTradeEntry, Trade. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { ints, list, obj, opt, strings } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isPackageId, kindOfId, packageById, packageName } from '../package/rules.ts'
import { partyOf } from '../sensing/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiId } from '../travel/rules.ts'
import { offersOf, offersTo, tradeId } from './book.ts'
import type { Trade, TradeLine } from './columns.ts'

const lineSchema = obj({ ...strings('item_id'), ...ints('quantity'), ...opt(strings('name')) })

const entrySchema = obj({
  ...strings('trade_id', 'expires_at'),
  offer_items: list(lineSchema),
  request_items: list(lineSchema),
  ...opt(ints('offer_credits', 'request_credits')),
  ...opt(strings('offerer_name', 'target_name')),
})

export const tradesSchema = obj({ incoming: list(entrySchema), outgoing: list(entrySchema) })

export const offerSchema = obj(strings('message', 'trade_id'))

export const acceptSchema = obj({
  ...strings('message', 'trade_id'),
  ...opt(ints('your_credits')),
})

export const messageSchema = obj(strings('message'))

function nameOf(view: WorldView, id: string): string {
  if (!isPackageId(id)) return GOODS[itemIndex(id)].name
  const pkg = packageById(view, id)
  return pkg === 0 ? kindOfId(id) : packageName(view, pkg)
}

const renderLines = (view: WorldView, lines: readonly TradeLine[]) =>
  lines.map(({ item_id, quantity }) => ({ item_id, name: nameOf(view, item_id), quantity }))

/** When an offer lapses, if ticks keep their length. */
const expiry = (view: WorldView, { expireTick }: Trade): string =>
  isoTime(view.wallMs + (expireTick - view.tick) * view.tickMs)

/** What both parties are shown of an offer. */
export function renderOffer(view: WorldView, trade: Trade) {
  return {
    trade_id: tradeId(view, trade),
    offer_items: renderLines(view, trade.offerItems),
    offer_credits: trade.offerCredits,
    request_items: renderLines(view, trade.requestItems),
    request_credits: trade.requestCredits,
    expires_at: expiry(view, trade),
  }
}

function renderEntry(view: WorldView, trade: Trade) {
  return {
    ...renderOffer(view, trade),
    offerer_name: partyOf(view, view.rowOf(Player, trade.offerer)).name,
    target_name: partyOf(view, view.rowOf(Player, trade.target)).name,
  }
}

/** Answer of get_trades. */
export const renderTrades = (view: WorldView, player: Eid) => ({
  incoming: offersTo(view, player).map((trade) => renderEntry(view, trade)),
  outgoing: offersOf(view, player).map((trade) => renderEntry(view, trade)),
})

/** Pending trades of both directions as they are handed over at login. Source: contract, Trade. */
export function pendingTrades(view: WorldView, player: Eid) {
  return [...offersTo(view, player), ...offersOf(view, player)].map((trade) => ({
    id: tradeId(view, trade),
    offerer_id: partyOf(view, view.rowOf(Player, trade.offerer)).id,
    target_id: partyOf(view, view.rowOf(Player, trade.target)).id,
    poi_id: poiId(view, view.rowOf(Poi, trade.poi)),
    status: 'pending',
    created_at: isoTime(trade.madeMs),
    expires_at: expiry(view, trade),
    offer_credits: trade.offerCredits,
    request_credits: trade.requestCredits,
    offer_items: trade.offerItems.map((line) => ({ ...line })),
    request_items: trade.requestItems.map((line) => ({ ...line })),
  }))
}
