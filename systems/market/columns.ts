/**
 * The exchanges: books of one item at one base, their price levels, the lots in them, the orders
 * the lots belong to, and what station managers stock. Credits and goods at rest stand in the
 * ledger (Exchange.escrow) and in Base.escrow.
 */
import { defineComponent, defineTable, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS, ROWS_LEAST } from '../../core/limits.ts'
import { EMPIRES_WIDTH, Player } from '../account/columns.ts'
import { Base } from '../base/columns.ts'

/**
 * Sides of a book, as stored. Asks are sorted upwards, bids downwards: the best price is first on
 * both.
 */
export const ASK = 0
export const BID = 1
export type Side = typeof ASK | typeof BID

/** Who owns an order, as stored. Source: market.md section 2. */
export const BY_PLAYER = 0
export const BY_FACTION = 1
export const BY_STATION = 2

export const Exchange = defineComponent(Base, 'exchange', {
  escrow: ref('account', 'credits and taxes of buy orders here, and of fills not yet settled'),
  lotSeq: f64('sequence number given last to a lot here'),
  firstBook: ref('book', 'head of its books, ascending by item'),
  firstManaged: ref('managed', 'head of what its manager stocks, ascending by item'),
})

/** All lots of one item at one base. Made with the first order, never given up. */
export const Book = defineTable(
  'book',
  ROWS.books,
  {
    base: ref('base', 'where'),
    item: u16('index into GOODS', { catalog: 'goods' }),
    next: ref('book', 'next book of the base'),
    best: ref('level', 'best level by side', { width: 2 }),
    lots: u16('number of lots by side', { width: 2 }),
    changedTick: u32('last tick in which a level changed'),
    managed: ref('managed', 'what the manager does here'),
  },
  { rowsMin: ROWS_LEAST.books },
)

/** One price on one side of a book: lots in order of their sequence numbers. */
export const Level = defineTable(
  'level',
  ROWS.levels,
  {
    book: ref('book', 'of which book'),
    side: u8('ASK or BID'),
    price: f64('credits a unit'),
    first: ref('lot', 'oldest lot'),
    last: ref('lot', 'newest lot'),
    better: ref('level', 'next better price'),
    worse: ref('level', 'next worse price'),
    units: f64('units of players and factions'),
    stationUnits: f64('units of the station manager'),
  },
  { rowsMin: ROWS_LEAST.orders },
)

/**
 * What the book sorts: a part of an order that took its place at one time. Source: market.md
 * section 2.
 */
export const Lot = defineTable(
  'lot',
  ROWS.lots,
  {
    order: ref('order', 'of which order'),
    level: ref('level', 'where it stands'),
    price: f64('credits a unit; that of the level'),
    units: f64('not yet filled; never 0'),
    seq: f64('place in time: per base, ascending'),
    owner: u32('owner code: kind and row, see ownerCode'),
    next: ref('lot', 'next newer lot of the level'),
    previous: ref('lot', 'next older lot of the level'),
    nextOfOrder: ref('lot', 'next newer lot of the order'),
  },
  { rowsMin: ROWS_LEAST.orders },
)

/**
 * An order at rest. Its credits at rest are remaining × price, held in the exchange's escrow, plus
 * `escrowTax`.
 */
export const Order = defineTable(
  'order',
  ROWS.orders,
  {
    number: f64('durable number: its wire id is a function of it'),
    book: ref('book', 'item and base'),
    side: u8('ASK or BID'),
    ownerKind: u8('BY_PLAYER, BY_FACTION or BY_STATION'),
    player: ref('player', 'owner, of a player order'),
    price: f64('credits a unit'),
    listed: f64('units that ever came to rest in it'),
    remaining: f64('units at rest: the sum of its lots'),
    taxBps: u16('sales tax frozen at placement, of a buy order'),
    escrowTax: f64('credits held for sales tax, of a buy order'),
    feePaid: f64('listing fees paid, credits'),
    createdMs: f64('wall time of placement, ms since 1970'),
    createdTick: u32('tick of placement'),
    lots: u8('number of its lots'),
    firstLot: ref('lot', 'oldest lot'),
    lastLot: ref('lot', 'newest lot'),
    nextOfOwner: ref('order', 'next order of the player'),
    previousOfOwner: ref('order', 'previous order of the player'),
  },
  { rowsMin: ROWS_LEAST.orders },
)

export const PlayerOrders = defineComponent(Player, 'player_orders', {
  first: ref('order', 'head of the list of open orders, newest first'),
  count: u16('open orders at all bases'),
})

export const TradeStanding = defineComponent(Player, 'trade_standing', {
  dayStartTick: u32('first tick of the day the counters are for'),
  gained: u8('standing that sales brought today, by EMPIRES', { width: EMPIRES_WIDTH }),
})

/** Price levels the manager quotes a side. Source: market.md section 7. */
export const QUOTE_LEVELS = 3

/** An item a station manager stocks. Source: market.md section 7. */
export const Managed = defineTable(
  'managed',
  ROWS.managed,
  {
    base: ref('base', 'where'),
    book: ref('book', 'what'),
    next: ref('managed', 'next one of the base'),
    target: f64('target stock T, units'),
    stock: f64('stock S, units: in Base.stock and in its own asks'),
    supply: u8('1 where the item grows back below its target'),
    orders: ref('order', 'its resting orders: asks, then bids, from the best', {
      width: QUOTE_LEVELS * 2,
    }),
  },
  { fixed: true },
)

/** The feed of an exchange that a player follows. Source: market.md section 6. */
export const MarketFeed = defineComponent(Player, 'market_feed', {
  base: ref('base', 'whose exchange it follows; 0 = none'),
  channel: u8('channel it was asked for on: one bit of BOUND'),
})
