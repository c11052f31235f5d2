/**
 * The exchanges: books of one item at one base, their price levels, the lots in them, the orders
 * the lots belong to, and what station managers stock. Credits and goods at rest are in the
 * ledger (Exchange.escrow) and in Base.escrow.
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

/** Share of the rows of sights up to which factions fill them, percent; the rest is for players. */
export const INTEL_SIGHTS_FILL_PCT = 60

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

/** What a request to an exchange asks for. */
export const REQUEST_KINDS = ['take', 'limit', 'modify', 'cancel'] as const

/** What became of a request, or of one of its two stages. */
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

/** What ended a match before the units asked for were reached. */
export const MATCH_ENDS = ['filled', 'book', 'credits', 'room', 'bound'] as const

/**
 * One row of an order command, worked out by the kernel of its base. The first columns are set by
 * the world thread, those from `status` on by the kernel.
 */
export const OrderRequest = defineScratch(
  'order_request',
  ROWS.orderRequests,
  {
    kind: u8('index into REQUEST_KINDS'),
    command: u32('first request of the same command'),
    player: ref('player', 'who asks; 0: the manager of the base'),
    faction: u32('row of the faction whose order it is; 0: of the player or the manager'),
    bucket: f64('number of the store its goods come from and go to; 0 the main store'),
    base: ref('base', 'where'),
    book: ref('book', 'item and base; staged where there is none yet'),
    otherBook: ref('book', 'the other one the taker sees: company store or public; 0 none'),
    side: u8('side of the taker'),
    owner: u32('owner code of the taker'),
    price: f64('of a limit order or a modification, credits a unit'),
    units: f64('wanted'),
    limit: f64('worst price a take trades at, credits a unit; 0 any'),
    fillsMax: u16('most fills of the command it is the first of'),
    order: ref('order', 'to be modified or cancelled'),
    toStorage: u8('1: what is bought at once goes to storage, not into the hold'),
    autoList: u8('1: what a take leaves over is listed at the average price'),
    taxBps: u16('sales tax of the taker, when buying'),
    feeBps: u16('listing fee'),
    credits: f64('of the wallet, before this request'),
    goods: f64('units the seller has, before this request'),
    room: f64('units the buyer has room for'),
    ordersHere: u16('open orders of the player at the base, before this request'),
    orders: u16('open orders of the player at all bases, before this request'),
    ordersHereMax: u16('most open orders of the owner at the base'),
    mayGrow: u8('1: there are rows for another order'),
    newOrder: ref('order', 'staged row for an order'),
    newLot: ref('lot', 'staged row for a lot'),
    newLevel: ref('level', 'staged row for a level'),
    fillsEnd: u32('end of the fills of the part, in its first request'),
    status: u8('index into REQUEST_STATUS: of the take, modification or cancellation'),
    listStatus: u8('index into REQUEST_STATUS: of the limit order'),
    end: u8('index into MATCH_ENDS'),
    listUnits: f64('units of the limit order'),
    listPrice: f64('limit of the limit order, credits a unit'),
    firstFill: u32('first row of its fills'),
    fills: u16('number of its fills, those with own lots included'),
    best: f64('best price of somebody else; 0 none'),
    filled: f64('units traded'),
    subtotal: f64('units × price of the trades, credits'),
    tax: f64('sales tax of the trades, credits'),
    cleared: f64('units netted out against own lots'),
    clearedCredits: f64('credits that own lots netted out set free'),
    listed: f64('units that came to rest'),
    fee: f64('listing fee, credits'),
    restTax: f64('tax escrow of what came to rest, credits'),
    into: ref('order', 'where they rest'),
    consolidated: u8('1: in an order that was there'),
    usesLot: u8('1: newLot came to rest, also if it was used up at once'),
    usesLevel: u8('1: so with newLevel'),
    oldPrice: f64('price before a modification'),
    returnedUnits: f64('taken off the book and given back'),
    returnedCredits: f64('credits that a modified or cancelled order held'),
    need: f64('what was lacking, of a refusal'),
    spentLots: ref('lot', 'head of lots taken off the book, linked by nextOfOrder'),
    spentLevel: ref('level', 'level that went with them'),
    closed: u8('1: the order itself is done with'),
  },
  { rowsMin: ROWS_MIN.orderRequests },
)

/** The outbox of a match: what each lot gave, in the order of the trades. */
export const Fill = defineScratch(
  'fill',
  ROWS.fills,
  {
    lot: ref('lot', 'the lot'),
    order: ref('order', 'its order'),
    units: f64('traded or netted out'),
    price: f64('credits a unit'),
    own: u8('1: the taker’s own lot, netted out'),
    tax: f64('tax escrow the units set free, of a bid, credits'),
    spent: u8('1: the lot is used up'),
    closed: u8('1: so is its order'),
    refund: f64('tax escrow left over when the order closed, credits'),
    level: ref('level', 'level that went with the lot'),
  },
  { rowsMin: ROWS_MIN.fills },
)

/** Index of orders by owner, book, side and price. */
export const OrderPlace = defineScratch('order_place', ROWS.orderSlots, ROW_INDEX_COLUMNS, {
  rowsMin: ROWS_MIN.orderSlots,
})

export const Exchange = defineComponent(Base, 'exchange', {
  escrow: ref('account', 'credits and taxes of buy orders here, and of fills not yet settled'),
  lotSeq: f64('sequence number given last to a lot here'),
  firstBook: ref('book', 'head of its books, ascending by item'),
  firstManaged: ref('managed', 'head of what its manager stocks, ascending by item'),
})

/** Hours and days of trades a book remembers. Source: market.md section 7, VWAP. */
export const TRADED_HOURS = 24
export const TRADED_DAYS = 30

/**
 * All lots of one item at one base, or of one item in one company store. Made with the first order;
 * those of company stores are given up when they are empty.
 */
export const Book = defineTable(
  'book',
  ROWS.books,
  {
    base: ref('base', 'where'),
    item: u16('index into GOODS', { catalog: 'goods' }),
    faction: u32('row of the faction whose company store it is; 0: open to all'),
    next: ref('book', 'next public book of the base'),
    best: ref('level', 'best level by side', { width: 2 }),
    root: ref('level', 'root of the tree of levels by side', { width: 2, derived: true }),
    lots: u16('number of lots by side', { width: 2 }),
    changedTick: u32('last tick in which a level changed'),
    managed: ref('managed', 'what the manager does here'),
    hour: u32('hour of the ring entry written last; hours since tick 0'),
    hourUnits: f64('units traded, by hour modulo 24', { width: TRADED_HOURS }),
    hourCredits: f64('their worth, credits, by hour modulo 24', { width: TRADED_HOURS }),
    hourFills: u16('number of those trades, by hour modulo 24', { width: TRADED_HOURS }),
    days: ref('traded_days', 'what traded in its last days; 0 before its first trade'),
  },
  { rowsMin: ROWS_MIN.books, stagedFor: OrderRequest },
)

/** What traded in the last days of a book open to all: most books never see a trade. */
export const TradedDays = defineTable(
  'traded_days',
  ROWS.tradedDays,
  {
    book: ref('book', 'whose'),
    day: u32('day of the ring entry written last; days since tick 0'),
    dayUnits: f64('units traded, by day modulo 30', { width: TRADED_DAYS }),
    dayCredits: f64('their worth, credits, by day modulo 30', { width: TRADED_DAYS }),
    dayFills: u16('number of those trades, by day modulo 30', { width: TRADED_DAYS }),
  },
  { rowsMin: ROWS_MIN.tradedDays },
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
    lower: ref('level', 'child in the tree: lower prices', { derived: true }),
    higher: ref('level', 'child in the tree: higher prices', { derived: true }),
    units: f64('units of players and factions'),
    stationUnits: f64('units of the station manager'),
  },
  { rowsMin: ROWS_MIN.orders, stagedFor: OrderRequest },
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
    level: ref('level', 'where it is'),
    units: f64('not yet filled; never 0'),
    seq: f64('place in time: per base, ascending'),
    owner: u32('owner code: kind and row, see ownerCode'),
    next: ref('lot', 'next newer lot of the level'),
    previous: ref('lot', 'next older lot of the level'),
    nextOfOrder: ref('lot', 'next newer lot of the order'),
  },
  { rowsMin: ROWS_MIN.orders, stagedFor: OrderRequest },
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
    faction: u32('row of the owner, of a faction order'),
    bucket: f64('number of the store its goods come from and go to; 0 the main store'),
    placedBy: ref('player', 'member who placed it, of a faction order'),
    price: f64('credits a unit'),
    listed: f64('units that came to rest in it, less those given back'),
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
  { rowsMin: ROWS_MIN.orders, stagedFor: OrderRequest },
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

/**
 * What a station does with a good besides keeping it, as stored (append only). Source: balance.md
 * section 5.
 */
export const PARTS = ['plain', 'export', 'import'] as const

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
    part: u8('index into PARTS'),
    valuePct: u16('what it is worth here, percent of the base value; 0: as much'),
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

/** What an exchange looked like at one time: shared by all who looked then. */
export const Sight = defineTable(
  'sight',
  ROWS.sights,
  {
    base: ref('base', 'where'),
    tick: u32('when'),
    firstQuote: ref('sight_quote', 'head of its quotes, ascending by item'),
    holders: u32('players who remember it'),
    keepers: u32('factions whose prices it is'),
  },
  { rowsMin: ROWS_MIN.sights },
)

export const SightQuote = defineTable(
  'sight_quote',
  ROWS.sightQuotes,
  {
    next: ref('sight_quote', 'next quote of the sight'),
    item: u16('index into GOODS', { catalog: 'goods' }),
    price: f64('best price by side, credits a unit; 0 none', { width: 2 }),
    bestUnits: f64('units at the best price, by side', { width: 2 }),
    units: f64('units at all prices, by side', { width: 2 }),
  },
  { rowsMin: ROWS_MIN.sightQuotes },
)

/** A player's last look at an exchange. */
export const Sighting = defineTable('sighting', ROWS.sightings, {
  sight: ref('sight', 'what was seen'),
  next: ref('sighting', 'the look before it, at another exchange'),
})

export const Sightings = defineComponent(Player, 'sightings', {
  first: ref('sighting', 'the last look'),
  count: u8('exchanges remembered'),
})

export const LastSight = defineComponent(Base, 'last_sight', {
  sight: ref('sight', 'the newest that somebody remembers; 0 none'),
})

export interface FillView {
  price_each: number
  quantity: number
  subtotal: number
  counterparty?: string
  source?: string
}

/** What the manager of a base stocks, ascending by item. */
export const MANAGED_AT = relation('managed items of a base', {
  many: Managed,
  via: 'base',
  next: 'next',
  one: Exchange,
  head: 'firstManaged',
  order: 'first-last',
})

/** Managed items by good, of all bases; filled when it is first asked, for they never change. */
export const KEEPERS = defineIndex('market.keepers', () => new Map<number, Row[]>())
