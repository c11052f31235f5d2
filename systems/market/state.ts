/**
 * The exchanges: books of one item at one base, their price levels, the lots in them, the orders
 * that the lots belong to, and what station managers stock. Credits of orders are in the ledger
 * account Exchange.escrow, their goods in the container Base.escrow.
 */
import {
  defineComponent,
  defineScratch,
  defineTable,
  f64,
  ref,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { ROWS, ROWS_MIN } from '../../core/limits.ts'
import { relation } from '../../core/relation.ts'
import { ROW_INDEX_COLUMNS } from '../../core/row-index.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { Base } from '../base/state.ts'

/** Share of the rows of sights that factions may use, percent; the rest is for players. */
export const INTEL_SIGHTS_FILL_PCT = 60

/**
 * Sides of a book, as stored. Asks are sorted by ascending, bids by descending price: the best
 * price is first on both.
 */
export const ASK = 0
export const BID = 1
export type Side = typeof ASK | typeof BID

/** Kinds of owners of orders, as stored. Source: market.md section 2. */
export const BY_PLAYER = 0
export const BY_FACTION = 1
export const BY_STATION = 2

/** Kinds of requests to an exchange. */
export const REQUEST_KINDS = ['take', 'limit', 'modify', 'cancel'] as const

/** Outcomes of a request, or of one of its two stages. */
export const REQUEST_STATUS = [
  'ok',
  'nothing_offered',
  'no_credits',
  'no_cargo_space',
  'amount_too_large',
  'insufficient_items',
  'order_too_large',
  'listing_limit_reached',
  'order_not_found',
] as const

/** What ended a match: `filled` if all units traded, otherwise what ran out first. */
export const MATCH_ENDS = ['filled', 'book', 'credits', 'room', 'bound'] as const

/**
 * One row of an order command, processed by the kernel of its base. The first columns are set by
 * the world thread, those from `status` on by the kernel.
 */
export const OrderRequest = defineScratch(
  'order_request',
  ROWS.orderRequests,
  {
    kind: u8('index into REQUEST_KINDS'),
    command: u32('first request of the same command'),
    player: ref('player', 'player who sends it; 0 = the manager of the base'),
    faction: u32('row of the faction whose order it is; 0 = of the player or the manager'),
    bucket: f64('number of the store that its goods come from and go to; 0 = the main store'),
    base: ref('base', 'base of the exchange'),
    book: ref('book', 'book of its item and base; staged if there is none yet'),
    otherBook: ref('book', 'the other book that the taker sees: company store or public; 0 = none'),
    side: u8('side of the taker'),
    owner: u32('owner code of the taker'),
    price: f64('price of a limit order or a modification, credits a unit'),
    units: f64('units requested'),
    limit: f64('worst price that a take trades at, credits a unit; 0 = any'),
    fillsMax: u16('limit of fills of the command, in its first request'),
    order: ref('order', 'order to modify or cancel'),
    toStorage: u8('1: goods bought at once go to storage, not into the hold'),
    autoList: u8('1: units that a take leaves over are listed at the average price'),
    taxBps: u16('sales tax of the taker when buying, basis points'),
    feeBps: u16('listing fee, basis points'),
    credits: f64('credits that may be spent, before this request'),
    goods: f64('units that the seller has, before this request'),
    room: f64('units that the buyer has room for'),
    ordersHere: u16('open orders of the player at the base, before this request'),
    orders: u16('open orders of the player at all bases, before this request'),
    ordersHereMax: u16('limit of open orders of the owner at the base'),
    mayGrow: u8('1: there are rows for another order'),
    newOrder: ref('order', 'staged row for an order'),
    newLot: ref('lot', 'staged row for a lot'),
    newLevel: ref('level', 'staged row for a level'),
    fillsEnd: u32('end of the fills of the part, in its first request'),
    status: u8('index into REQUEST_STATUS: of the take, modification or cancellation'),
    listStatus: u8('index into REQUEST_STATUS: of the limit order'),
    end: u8('index into MATCH_ENDS'),
    listUnits: f64('units of the limit order'),
    listPrice: f64('price of the limit order, credits a unit'),
    firstFill: u32('first row of its fills'),
    fills: u16('number of its fills, those with own lots included'),
    best: f64('best price of another owner; 0 = none'),
    filled: f64('units traded'),
    subtotal: f64('units × price of the trades, credits'),
    tax: f64('sales tax of the trades, credits'),
    cleared: f64('units netted out against own lots'),
    clearedCredits: f64('credits released by netting out own lots'),
    listed: f64('units that came to rest'),
    fee: f64('listing fee, credits'),
    restTax: f64('tax escrow of the units that came to rest, credits'),
    into: ref('order', 'order in which they rest'),
    consolidated: u8('1: that order existed before'),
    usesLot: u8('1: newLot came to rest, even if it was used up at once'),
    usesLevel: u8('1: newLevel came to rest, even if it was used up at once'),
    oldPrice: f64('price before a modification'),
    returnedUnits: f64('units removed from the book and returned'),
    returnedCredits: f64('credits that a modified or cancelled order held'),
    need: f64('if refused: the amount that would be needed'),
    spentLots: ref('lot', 'head of the lots removed from the book, linked by nextOfOrder'),
    spentLevel: ref('level', 'level that was removed with them'),
    closed: u8('1: the order itself was closed'),
  },
  { rowsMin: ROWS_MIN.orderRequests },
)

/** The outbox of a match: what each lot contributed, in the order of the trades. */
export const Fill = defineScratch(
  'fill',
  ROWS.fills,
  {
    lot: ref('lot', 'the lot'),
    order: ref('order', 'order of the lot'),
    units: f64('units traded or netted out'),
    price: f64('price, credits a unit'),
    own: u8('1: the taker’s own lot, netted out'),
    tax: f64('bid: tax escrow released by the units, credits'),
    spent: u8('1: the lot is used up'),
    closed: u8('1: the order is used up too'),
    refund: f64('tax escrow left over when the order closed, credits'),
    level: ref('level', 'level that was removed with the lot'),
  },
  { rowsMin: ROWS_MIN.fills },
)

/** Index of orders by owner, book, side and price. */
export const OrderPlace = defineScratch('order_place', ROWS.orderSlots, ROW_INDEX_COLUMNS, {
  rowsMin: ROWS_MIN.orderSlots,
})

/** The exchange of a base. */
export const Exchange = defineComponent(Base, 'exchange', {
  escrow: ref('account', 'credits and taxes of buy orders here, and of fills not settled yet'),
  lotSeq: f64('sequence number of the newest lot here'),
  firstBook: ref('book', 'head of its books, ascending by item'),
  firstManaged: ref('managed', 'head of what its manager stocks, ascending by item'),
})

/** Hours and days for which a book keeps the volume of trades. Source: market.md 7, VWAP. */
export const TRADED_HOURS = 24
export const TRADED_DAYS = 30

/**
 * All lots of one item at one base, or of one item in one company store. Made with the first order;
 * books of company stores are released when they are empty.
 */
export const Book = defineTable(
  'book',
  ROWS.books,
  {
    base: ref('base', 'base of the exchange'),
    item: u16('index into GOODS', { catalog: 'goods' }),
    faction: u32('row of the faction whose company store it is; 0 = open to all'),
    next: ref('book', 'next public book of the base'),
    best: ref('level', 'best level by side', { width: 2 }),
    root: ref('level', 'root of the tree of levels by side', { width: 2, derived: true }),
    lots: u16('number of lots by side', { width: 2 }),
    changedTick: u32('last tick in which a level changed'),
    managed: ref('managed', 'the item as the manager stocks it; 0 = not stocked'),
    hour: u32('hour of the ring entry written last; hours since tick 0'),
    hourUnits: f64('units traded, by hour modulo 24', { width: TRADED_HOURS }),
    hourCredits: f64('value of the trades, credits, by hour modulo 24', { width: TRADED_HOURS }),
    hourFills: u16('number of trades, by hour modulo 24', { width: TRADED_HOURS }),
    days: ref('traded_days', 'volume of its last days; 0 before its first trade'),
  },
  { rowsMin: ROWS_MIN.books, stagedFor: OrderRequest },
)

/**
 * Volume of a public book in its last days; a table of its own, as most books never have trades.
 */
export const TradedDays = defineTable(
  'traded_days',
  ROWS.tradedDays,
  {
    book: ref('book', 'the book'),
    day: u32('day of the ring entry written last; days since tick 0'),
    dayUnits: f64('units traded, by day modulo 30', { width: TRADED_DAYS }),
    dayCredits: f64('value of the trades, credits, by day modulo 30', { width: TRADED_DAYS }),
    dayFills: u16('number of trades, by day modulo 30', { width: TRADED_DAYS }),
  },
  { rowsMin: ROWS_MIN.tradedDays },
)

/** One price on one side of a book: lots in order of their sequence numbers. */
export const Level = defineTable(
  'level',
  ROWS.levels,
  {
    book: ref('book', 'book of the level'),
    side: u8('ASK or BID'),
    price: f64('price, credits a unit'),
    first: ref('lot', 'oldest lot'),
    last: ref('lot', 'newest lot'),
    better: ref('level', 'next better price'),
    worse: ref('level', 'next worse price'),
    lower: ref('level', 'child in the tree: lower prices', { derived: true }),
    higher: ref('level', 'child in the tree: higher prices', { derived: true }),
    units: f64('units of players and factions'),
    stationUnits: f64('units of the station manager'),
  },
  { rowsMin: ROWS_MIN.orders, stagedFor: OrderRequest },
)

/**
 * A part of an order with its own place in time: what a book sorts. Source: market.md section 2.
 */
export const Lot = defineTable(
  'lot',
  ROWS.lots,
  {
    order: ref('order', 'order of the lot'),
    level: ref('level', 'level of the lot'),
    units: f64('units not filled yet; never 0'),
    seq: f64('sequence number at the base: the place in time, ascending'),
    owner: u32('owner code: kind and row, see ownerCode'),
    next: ref('lot', 'next newer lot of the level'),
    previous: ref('lot', 'next older lot of the level'),
    nextOfOrder: ref('lot', 'next newer lot of the order'),
  },
  { rowsMin: ROWS_MIN.orders, stagedFor: OrderRequest },
)

/**
 * An order at rest. A buy order holds remaining × price credits plus `escrowTax` in the escrow of
 * its exchange.
 */
export const Order = defineTable(
  'order',
  ROWS.orders,
  {
    number: f64('durable number, from which its wire id is derived'),
    book: ref('book', 'item and base'),
    side: u8('ASK or BID'),
    ownerKind: u8('BY_PLAYER, BY_FACTION or BY_STATION'),
    player: ref('player', 'player order: owner'),
    faction: u32('faction order: row of the owner'),
    bucket: f64('number of the store that its goods come from and go to; 0 = the main store'),
    placedBy: ref('player', 'faction order: member who placed it'),
    price: f64('price, credits a unit'),
    listed: f64('units that came to rest in it, less those returned'),
    remaining: f64('units at rest: the sum of its lots'),
    taxBps: u16('buy order: sales tax as of placement, basis points'),
    escrowTax: f64('buy order: credits held for sales tax'),
    feePaid: f64('listing fees paid, credits'),
    createdMs: f64('wall time of placement, ms since 1970'),
    createdTick: u32('tick of placement'),
    lots: u8('number of its lots'),
    firstLot: ref('lot', 'oldest lot'),
    lastLot: ref('lot', 'newest lot'),
    nextOfOwner: ref('order', 'next order of the player'),
    previousOfOwner: ref('order', 'previous order of the player'),
  },
  { rowsMin: ROWS_MIN.orders, stagedFor: OrderRequest },
)

/** The open orders of a player. */
export const PlayerOrders = defineComponent(Player, 'player_orders', {
  first: ref('order', 'head of the list of open orders, newest first'),
  count: u16('open orders at all bases'),
})

/** The standing that a player has gained by sales today. */
export const TradeStanding = defineComponent(Player, 'trade_standing', {
  dayStartTick: u32('first tick of the day that the counters belong to'),
  gained: u8('standing gained by sales on that day, by EMPIRES', { width: EMPIRES_WIDTH }),
})

/** Price levels that a manager quotes on each side. Source: market.md section 7. */
export const QUOTE_LEVELS = 3

/**
 * The role of a good at a station, as stored (append only). Source: balance.md section 5.
 */
export const PARTS = ['plain', 'export', 'import'] as const

/** An item that a station manager stocks. Source: market.md section 7. */
export const Managed = defineTable(
  'managed',
  ROWS.managed,
  {
    base: ref('base', 'base of the manager'),
    book: ref('book', 'book of the item'),
    next: ref('managed', 'next item of the base'),
    target: f64('target stock T, units'),
    stock: f64('stock S, units: in Base.stock and in its own asks'),
    supply: u8('1: the item grows back while it is below its target'),
    part: u8('index into PARTS'),
    valuePct: u16('value at this base, percent of the base value; 0 = 100'),
    orders: ref('order', 'its resting orders: asks, then bids, best first', {
      width: QUOTE_LEVELS * 2,
    }),
  },
  { fixed: true },
)

/** The exchange whose feed a player follows. Source: market.md section 6. */
export const MarketFeed = defineComponent(Player, 'market_feed', {
  base: ref('base', 'base of the exchange followed; 0 = none'),
  channel: u8('channels that requested the feed: bits of BOUND'),
})

/** Prices of an exchange at one time, shared by all players who saw them then. */
export const Sight = defineTable(
  'sight',
  ROWS.sights,
  {
    base: ref('base', 'base of the exchange'),
    tick: u32('tick of the prices'),
    firstQuote: ref('sight_quote', 'head of its quotes, ascending by item'),
    holders: u32('number of players who remember it'),
    keepers: u32('number of factions that keep it'),
  },
  { rowsMin: ROWS_MIN.sights },
)

/** The prices of one item in a sight. */
export const SightQuote = defineTable(
  'sight_quote',
  ROWS.sightQuotes,
  {
    next: ref('sight_quote', 'next quote of the sight'),
    item: u16('index into GOODS', { catalog: 'goods' }),
    price: f64('best price by side, credits a unit; 0 = none', { width: 2 }),
    bestUnits: f64('units at the best price, by side', { width: 2 }),
    units: f64('units at all prices, by side', { width: 2 }),
  },
  { rowsMin: ROWS_MIN.sightQuotes },
)

/** What a player remembers of one exchange: the sight that they saw last. */
export const Sighting = defineTable('sighting', ROWS.sightings, {
  sight: ref('sight', 'the sight'),
  next: ref('sighting', 'the sighting before it, of another exchange'),
})

/** The sightings of a player, latest first. */
export const Sightings = defineComponent(Player, 'sightings', {
  first: ref('sighting', 'head of the list: the latest sighting'),
  count: u8('number of exchanges remembered'),
})

/** The newest sight of a base. */
export const LastSight = defineComponent(Base, 'last_sight', {
  sight: ref('sight', 'the newest sight of the base that is still held; 0 = none'),
})

/** Trades of a request at one price, for the wire. */
export interface FillView {
  price_each: number
  quantity: number
  subtotal: number
  counterparty?: string
  source?: string
}

/** Items that the manager of a base stocks, ascending by item. */
export const MANAGED_AT = relation('managed items of a base', {
  many: Managed,
  via: 'base',
  next: 'next',
  one: Exchange,
  head: 'firstManaged',
  order: 'oldest-first',
})

/** Managed items of all bases, by good. Filled on first use, as they never change. */
export const MANAGED_BY_GOOD = defineIndex('market.keepers', () => new Map<number, Row[]>())
