/** Station exchanges: books, instant trades, station managers. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/world.ts'
import { rebuildBooks } from './book.ts'
import { booksHold } from './checks.ts'
import {
  Book,
  Exchange,
  Fill,
  Level,
  Lot,
  Managed,
  MarketFeed,
  Order,
  OrderPlace,
  OrderRequest,
  PlayerOrders,
  TradeStanding,
} from './columns.ts'
import { buy, sell } from './commands.ts'
import { tradeFill } from './events.ts'
import { marketUpdate, subscribeMarket, tellFollowers, unsubscribeMarket } from './feed.ts'
import { followersHold, rebuildFollowers } from './feed-rules.ts'
import { foundExchanges } from './genesis.ts'
import { cancelOrder, createBuyOrder, createSellOrder, modifyOrder } from './order-commands.ts'
import { viewOrders } from './order-queries.ts'
import { estimatePurchase, viewMarket } from './queries.ts'
import { settle } from './settle.ts'
import { quote, supply } from './systems.ts'
import { trading } from './trading.ts'

export const marketDomain: DomainDef = {
  name: 'market',
  tables: [
    ...[Exchange, Book, Level, Lot, Order, PlayerOrders, TradeStanding, Managed, MarketFeed],
    ...[OrderRequest, Fill, OrderPlace],
  ],
  commands: [
    ...[buy, sell, createBuyOrder, createSellOrder, modifyOrder, cancelOrder],
    ...[viewMarket, estimatePurchase, viewOrders, subscribeMarket, unsubscribeMarket],
  ],
  events: [tradeFill, marketUpdate],
  systems: [trading, supply, quote, settle, tellFollowers],
  checks: [booksHold, followersHold],
  genesis: foundExchanges,
  rebuild(world: World) {
    rebuildBooks(world)
    rebuildFollowers(world)
  },
}
