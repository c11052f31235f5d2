/**
 * The station manager: an ordinary participant of the exchange with its own account and stock. Its
 * prices depend on the stock alone. Source: market.md section 7.
 */
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../core/ledger.ts'
import { divCeil, divFloor, MAX_SAFE } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { governed } from '../account/governor-model.ts'
import { demandPerMille } from '../account/population-model.ts'
import { baseTreasury, empireOfBase, empireTreasury } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { enterCommand, enterRequest, type RequestSpec } from './entry-rules.ts'
import { CURRENT_QUOTES, ENTERED, type EnteredCommand, TRADED_BOOKS } from './order-index-state.ts'
import {
  levelsOf,
  managedAt,
  managedValue,
  type Quote,
  type QuoteLevel,
  quoteOf,
} from './quote-model.ts'
import {
  ASK,
  BID,
  Book,
  Managed,
  Order,
  OrderRequest,
  PARTS,
  QUOTE_LEVELS,
  type Side,
} from './state.ts'

/**
 * Divisor of the free credits of the account that the bids for one item may hold. ours: the sheet
 * names a budget for each item without a number; a quarter keeps one item from using up all.
 */
const BUDGET_DIVISOR = 4
/** Divisor of the stock above the target that is used up whenever the base is due. */
const USE_DIVISOR = 50
/** Stock of an export above which the station uses it up, percent of the target. */
const EXPORT_STOCK_PCT = 130
const EXPORT = PARTS.indexOf('export')
/** Limit of one stipend while a hundred players are active, credits; it varies with demand. */
const STIPEND_CREDITS_MAX = 4_000
/** Credits in an empire's treasury that stipends of its capital never draw on. */
const TREASURY_KEPT = 1_000_000

/** Returns the credits that the manager's bids for an item hold now. */
function heldByBids(view: WorldView, managed: Row): number {
  const orders = view.read(Managed).orders
  const { price, remaining } = view.read(Order)
  let held = 0
  for (let i = QUOTE_LEVELS; i < QUOTE_LEVELS * 2; i++) {
    const order = orders[managed * QUOTE_LEVELS * 2 + i]
    held += price[order] * remaining[order]
  }
  return held
}

/**
 * Computes the quote for the present stock; `free` are credits of the account that no bid holds.
 */
function quoteNow(view: WorldView, managed: Row, free: number): Quote {
  const { base, stock, target } = view.read(Managed)
  return quoteOf({
    stock: stock[managed],
    target: target[managed],
    value: managedValue(view, managed),
    capital: view.read(Base).capital[base[managed]] === 1,
    budget: divFloor(free, BUDGET_DIVISOR),
  })
}

const slotOf = (managed: Row, side: Side, level: number): number =>
  managed * QUOTE_LEVELS * 2 + (side === ASK ? 0 : QUOTE_LEVELS) + level

/**
 * Cancels orders that differ from the quote; returns for each level whether it must be placed anew.
 */
function cancelChanged(
  world: World,
  managed: Row,
  side: Side,
  levels: readonly QuoteLevel[],
): boolean[] {
  const { orders } = world.write(Managed)
  const { price, remaining } = world.read(Order)
  const missing: boolean[] = []
  for (let i = 0; i < QUOTE_LEVELS; i++) {
    const slot = slotOf(managed, side, i)
    const order = orders[slot]
    const level = levels[i]
    const isKept = order !== 0 && level?.price === price[order] && level.units === remaining[order]
    if (order !== 0 && !isKept) {
      const item = itemOf(world, managed)
      enterManagerRequest(world, managed, { kind: 'cancel', side, item, order, units: 0 }, NO_REPLY)
      orders[slot] = 0
    }
    missing.push(level !== undefined && !isKept)
  }
  return missing
}

type Reply = EnteredCommand['reply']

const NO_REPLY: Reply = () => {}

const itemOf = (view: WorldView, managed: Row): number =>
  view.read(Book).item[view.read(Managed).book[managed]]

/** Enters a request of the manager. */
function enterManagerRequest(world: World, managed: Row, spec: RequestSpec, reply: Reply): void {
  const base = world.read(Managed).base[managed]
  enterRequest(world, enterCommand(world, { player: 0, base, reply }), spec)
}

/** Returns a reply that stores the order in which a level of a quote came to rest. */
const recordOrderAt =
  (slot: number): Reply =>
  (world, [{ row }]) => {
    const order = world.read(OrderRequest).into[row]
    if (order !== 0) world.write(Managed).orders[slot] = order
  }

/** Places the missing levels: each trades with what matches its price, the rest comes to rest. */
function place(
  world: World,
  managed: Row,
  side: Side,
  levels: readonly QuoteLevel[],
  missing: readonly boolean[],
): void {
  if (!missing.includes(true)) return
  const { base } = world.read(Managed)
  const balance = balanceOf(world, world.read(Base).manager[base[managed]])
  const item = itemOf(world, managed)
  for (let i = 0; i < QUOTE_LEVELS; i++) {
    if (!missing[i]) continue
    const { price, units } = levels[i]
    const spec: RequestSpec =
      side === BID
        ? { kind: 'limit', side, item, price, units, credits: MAX_SAFE }
        : { kind: 'limit', side, item, price, units, credits: balance, goods: units }
    enterManagerRequest(world, managed, spec, recordOrderAt(slotOf(managed, side, i)))
  }
}

/**
 * Returns whether a manager's order (0: none) is the one that a quote asks for at a level; if the
 * quote has no such level, whether there is no order.
 */
function matchesQuote(view: WorldView, order: Row, level: QuoteLevel | undefined): boolean {
  const { price, remaining } = view.read(Order)
  if (order === 0 || level === undefined) return order === 0 && level === undefined
  return level.price === price[order] && level.units === remaining[order]
}

/** Returns whether a manager's orders for an item are what it would quote with unlimited funds. */
export function isQuotedInFull(view: WorldView, managed: Row): boolean {
  const { orders } = view.read(Managed)
  const quote = quoteNow(view, managed, MAX_SAFE)
  const asks = levelsOf(ASK, quote.ask, quote.askUnits)
  const bids = levelsOf(BID, quote.bid, quote.bidUnits)
  for (let i = 0; i < QUOTE_LEVELS; i++) {
    if (!matchesQuote(view, orders[slotOf(managed, ASK, i)], asks[i])) return false
    if (!matchesQuote(view, orders[slotOf(managed, BID, i)], bids[i])) return false
  }
  return true
}

/**
 * Records that the orders for an item are up to date, unless a lack of funds limited its bids: with
 * the same stock and enough funds, another quote would give the same result.
 */
function recordCurrent(view: WorldView, managed: Row, quote: Quote, free: number): void {
  const { bid, bidUnits } = quote
  if (bidUnits >= divFloor(divFloor(free, BUDGET_DIVISOR), bid)) return
  const { stock, freeMin } = view.index(CURRENT_QUOTES)
  stock[managed] = view.read(Managed).stock[managed]
  freeMin[managed] = BUDGET_DIVISOR * bid * bidUnits - heldByBids(view, managed)
}

/**
 * Enters requests that quote items anew from the present stock; the caller has them processed.
 * Unchanged levels keep their lots and their place in time, and quotes that are up to date are
 * skipped. Credits that bids for one item hold are not available to the next, so that no account is
 * overdrawn even if all bids trade at once.
 */
export function requote(world: World, rows: readonly Row[]): void {
  const { base, stock } = world.read(Managed)
  const { manager } = world.read(Base)
  const current = world.index(CURRENT_QUOTES)
  const freeByBase = new Map<Eid, number>()
  for (const managed of rows) {
    const home = base[managed]
    const free = freeByBase.get(home) ?? balanceOf(world, manager[home])
    if (current.stock[managed] === stock[managed] && current.freeMin[managed] <= free) continue
    freeByBase.set(home, quoteAnew(world, managed, free))
  }
}

/**
 * Quotes an item anew. `freeBefore` are the credits that the bids for earlier items have left in
 * the account; returns what the bids for this one leave.
 */
function quoteAnew(world: World, managed: Row, freeBefore: number): number {
  const entered = world.index(ENTERED)
  const rowsBefore = entered.rows
  const free = freeBefore + heldByBids(world, managed)
  const quote = quoteNow(world, managed, free)
  const asks = levelsOf(ASK, quote.ask, quote.askUnits)
  const bids = levelsOf(BID, quote.bid, quote.bidUnits)
  const newAsks = cancelChanged(world, managed, ASK, asks)
  const newBids = cancelChanged(world, managed, BID, bids)
  place(world, managed, ASK, asks, newAsks)
  place(world, managed, BID, bids, newBids)
  if (entered.rows === rowsBefore) recordCurrent(world, managed, quote, free)
  else world.index(CURRENT_QUOTES).stock[managed] = -1
  return free - bids.reduce((sum, { price, units }) => sum + price * units, 0)
}

/** Returns the managed items that traded in this tick and must be quoted anew; clears their set. */
export function takeTradedItems(world: World): Row[] {
  const traded = world.index(TRADED_BOOKS)
  const { managed } = world.read(Book)
  const rows = [...traded].map((book) => managed[book])
  traded.clear()
  return rows
}

/**
 * Consumes a part of the stock above the target (for exports, above EXPORT_STOCK_PCT); goods in
 * asks are not touched. ours: market.md section 7 consumes only what is above twice the target, but
 * bids end there, so that nothing would ever be consumed and a full station would never buy again.
 */
export function consumeExcess(world: World, managed: Row): void {
  const { base, book, target, stock, part } = world.read(Managed)
  const keptPct = part[managed] === EXPORT ? EXPORT_STOCK_PCT : 100
  const excess = stock[managed] - divFloor(target[managed] * keptPct, 100)
  if (excess <= 0) return
  const container = world.read(Base).stock[base[managed]]
  const item = world.read(Book).item[book[managed]]
  const used = Math.min(divCeil(excess, USE_DIVISOR), unitsIn(world, container, item))
  moveItems(world, container, namedContainer('consumption'), item, used)
  world.write(Managed).stock[managed] -= used
}

/**
 * Moves the station's income to its manager's account. At capitals it also pays a stipend up to the
 * target of the account, from the empire's treasury as far as possible, the rest as new money.
 * Source: market.md section 7; balance.md section 9.
 */
export function payManager(world: World, base: Eid): void {
  const { manager, accountTarget, capital } = world.read(Base)
  const account = manager[base]
  const treasury = baseTreasury(world, base)
  post(world, treasury, account, balanceOf(world, treasury))
  if (capital[base] === 0) return
  // Credits that bids hold are not spent yet, so they count as part of the account.
  const held = managedAt(world, base).reduce((sum, row) => sum + heldByBids(world, row), 0)
  const missing = Math.max(0, accountTarget[base] - balanceOf(world, account) - held)
  const max = governed(world, divFloor(STIPEND_CREDITS_MAX * demandPerMille(world), 1_000))
  const stipend = Math.min(max, missing)
  const empire = empireTreasury(world, empireOfBase(world, base))
  const taxes = Math.min(stipend, Math.max(0, balanceOf(world, empire) - TREASURY_KEPT))
  post(world, empire, account, taxes)
  post(world, namedAccount('station_stipend'), account, stipend - taxes)
}
