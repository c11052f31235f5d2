/** Station exchanges: books, instant trades, station managers. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { rebuildBooks } from './book.ts'
import { booksHold, sightsHold } from './checks.ts'
import {
  Book,
  Exchange,
  Fill,
  LastSight,
  Level,
  Lot,
  Managed,
  MarketFeed,
  Order,
  OrderPlace,
  OrderRequest,
  PlayerOrders,
  Sight,
  Sighting,
  Sightings,
  SightQuote,
  TradedDays,
  TradeStanding,
} from './columns.ts'
import { buy, sell } from './commands.ts'
import { tradeFill } from './events.ts'
import { factionCreateBuyOrder, factionCreateSellOrder } from './faction-commands.ts'
import { marketUpdate, subscribeMarket, tellFollowers, unsubscribeMarket } from './feed.ts'
import { followersHold, rebuildFollowers } from './feed-rules.ts'
import { foundExchanges } from './genesis.ts'
import { closeOrders } from './observers.ts'
import { cancelOrder, createBuyOrder, createSellOrder, modifyOrder } from './order-commands.ts'
import { viewOrders } from './order-queries.ts'
import { itemQuotes } from './public.ts'
import { analyzeMarket, estimatePurchase, viewMarket } from './queries.ts'
import { settle } from './settle.ts'
import { marketSeen } from './sights.ts'
import { notePrices, quote, storesClose, supply, trading } from './systems.ts'

export const marketDomain: DomainDef = {
  name: 'market',
  tables: [
    ...[Exchange, Book, Level, Lot, Order, PlayerOrders, TradeStanding, Managed, MarketFeed],
    ...[OrderRequest, Fill, OrderPlace, Sight, SightQuote, Sighting, Sightings, LastSight],
    TradedDays,
  ],
  commands: [
    ...[buy, sell, createBuyOrder, createSellOrder, modifyOrder, cancelOrder],
    ...[viewMarket, estimatePurchase, viewOrders, analyzeMarket, marketSeen, itemQuotes],
    ...[subscribeMarket, unsubscribeMarket, factionCreateBuyOrder, factionCreateSellOrder],
  ],
  events: [tradeFill, marketUpdate],
  systems: [trading, supply, storesClose, quote, settle, notePrices, tellFollowers],
  checks: [booksHold, sightsHold, followersHold],
  observers: [closeOrders],
  genesis: foundExchanges,
  rebuild(world: World) {
    rebuildBooks(world)
    rebuildFollowers(world)
  },
}
