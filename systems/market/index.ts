/** Station exchanges: books, orders, instant trades, station managers, feeds. */
import { countGauge, type DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { rebuildBooks } from './book-rules.ts'
import { booksHold, followersHold, sightsHold } from './checks.ts'
import { buy, factionCreateBuyOrder, factionCreateSellOrder, marketSeen, sell } from './commands.ts'
import { foundExchanges } from './genesis.ts'
import { notifyFollowers, subscribeMarket, unsubscribeMarket } from './order-change-commands.ts'
import { cancelOrder, createBuyOrder, createSellOrder, modifyOrder } from './order-commands.ts'
import { viewOrders } from './order-queries.ts'
import { analyzeMarket, estimatePurchase, viewMarket } from './queries.ts'
import { rebuildFollowers } from './rules.ts'
import { marketUpdate, tradeFill } from './schemas.ts'
import {
  Book,
  Exchange,
  Fill,
  LastSight,
  Level,
  Lot,
  MANAGED_AT,
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
} from './state.ts'
import {
  closeOrders,
  quote,
  recordFills,
  recordPrices,
  settle,
  storeConvoy,
  storesClose,
  supply,
  trading,
} from './systems.ts'

export const marketDomain: DomainDef = {
  name: 'market',
  tables: [
    Exchange,
    Book,
    Level,
    Lot,
    Order,
    PlayerOrders,
    TradeStanding,
    Managed,
    MarketFeed,
    OrderRequest,
    Fill,
    OrderPlace,
    Sight,
    SightQuote,
    Sighting,
    Sightings,
    LastSight,
    TradedDays,
  ],
  relations: [MANAGED_AT],
  commands: [
    buy,
    sell,
    createBuyOrder,
    createSellOrder,
    modifyOrder,
    cancelOrder,
    viewMarket,
    estimatePurchase,
    viewOrders,
    analyzeMarket,
    marketSeen,
    subscribeMarket,
    unsubscribeMarket,
    factionCreateBuyOrder,
    factionCreateSellOrder,
  ],
  events: [tradeFill, marketUpdate],
  systems: [
    trading,
    supply,
    storesClose,
    quote,
    settle,
    recordFills,
    recordPrices,
    notifyFollowers,
  ],
  checks: [booksHold, sightsHold, followersHold],
  gauges: [countGauge('market_orders', Order, 'Limit orders on all exchanges.')],
  observers: [closeOrders, storeConvoy],
  genesis: foundExchanges,
  rebuild(world: World) {
    rebuildBooks(world)
    rebuildFollowers(world)
  },
}
