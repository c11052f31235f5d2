/**
 * The station manager: an ordinary participant of the exchange with its own account and stock. Its
 * prices depend on the stock alone. Source: market.md section 7.
 */
import { GOODS, isModule } from '../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../core/ledger.ts'
import { divCeil, divFloor, MAX_SAFE } from '../../core/math.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { governed } from '../account/governor-model.ts'
import { baseTreasury, regionOf } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { seasonalUseBps } from '../season/model.ts'
import { enterCommand, enterRequest, type RequestSpec } from './entry-rules.ts'
import { type EnteredCommand, TRADED_BOOKS } from './order-index-state.ts'
import { levelsOf, type Quote, type QuoteLevel, quoteOf } from './quote-model.ts'
import { ASK, BID, Book, Managed, Order, OrderRequest, QUOTE_LEVELS, type Side } from './state.ts'

/**
 * Share of the free credits of the account that the bids for one item may hold. Source: ours, the
 * sheet names a budget an item without a figure: a quarter keeps one dear item from taking all.
 */
const BUDGET_DIVISOR = 4
/** Share of the stock above the target that is used up at each of the base's turns. */
const USE_DIVISOR = 5
/** Maximum of one stipend, credits. */
const STIPEND_CREDITS_MAX = 20_000

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

/** Works out the quote for this tick's stock; `free`: credits of the account that no bid holds. */
function quoteNow(view: WorldView, managed: Row, free: number): Quote {
  const { base, book, stock, target } = view.read(Managed)
  return quoteOf({
    stock: stock[managed],
    target: target[managed],
    value: Math.max(1, GOODS[view.read(Book).item[book[managed]]].base_value),
    capital: view.read(Base).capital[base[managed]] === 1,
    budget: divFloor(free, BUDGET_DIVISOR),
  })
}

const slotOf = (managed: Row, side: Side, level: number): number =>
  managed * QUOTE_LEVELS * 2 + (side === ASK ? 0 : QUOTE_LEVELS) + level

/**
 * Cancels orders that are no longer in the quote; returns which levels are still to be placed.
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
    const at = slotOf(managed, side, i)
    const order = orders[at]
    const level = levels[i]
    const kept = order !== 0 && level?.price === price[order] && level.units === remaining[order]
    if (order !== 0 && !kept) {
      const item = itemOf(world, managed)
      enterManagerRequest(world, managed, { kind: 'cancel', side, item, order, units: 0 }, NO_REPLY)
      orders[at] = 0
    }
    missing.push(level !== undefined && !kept)
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

/** Returns a reply that records the order in which a level of a quote came to rest. */
const recordOrderAt =
  (slot: number): Reply =>
  (world, [{ row }]) => {
    const order = world.read(OrderRequest).into[row]
    if (order !== 0) world.write(Managed).orders[slot] = order
  }

/** Places the levels that are missing: each takes what crosses it, the rest comes to rest. */
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
 * Enters requests that quote items anew from this tick's stock; unchanged levels keep their lots
 * and their place. Credits that bids for one item hold are not offered for the next: no account is
 * overdrawn, whatever trades at once. The caller has the requests worked out.
 */
export function requote(world: World, rows: readonly Row[]): void {
  const { base } = world.read(Managed)
  const { manager } = world.read(Base)
  const free = new Map<Eid, number>()
  for (const managed of rows) {
    const at = base[managed]
    const had = free.get(at) ?? balanceOf(world, manager[at])
    const left = had + heldByBids(world, managed)
    const quote = quoteNow(world, managed, left)
    const asks = levelsOf(ASK, quote.ask, quote.askUnits)
    const bids = levelsOf(BID, quote.bid, quote.bidUnits)
    const newAsks = cancelChanged(world, managed, ASK, asks)
    const newBids = cancelChanged(world, managed, BID, bids)
    place(world, managed, ASK, asks, newAsks)
    place(world, managed, BID, bids, newBids)
    free.set(at, left - bids.reduce((sum, { price, units }) => sum + price * units, 0))
  }
}

/** Returns the managed items that traded in this tick, to be quoted anew, and empties their set. */
export function takeTradedItems(world: World): Row[] {
  const traded = world.index(TRADED_BOOKS)
  const { managed } = world.read(Book)
  const rows = [...traded].map((book) => managed[book])
  traded.clear()
  return rows
}

/** Lets basic goods grow back to their target. Source: market.md section 7. */
export function growSupply(world: World, managed: Row): void {
  const { base, book, target, supply, stock } = world.read(Managed)
  const held = stock[managed]
  const goal = target[managed]
  if (supply[managed] === 0 || held >= goal) return
  const item = world.read(Book).item[book[managed]]
  const grown = Math.min(goal - held, Math.max(1, divFloor(goal, 100)))
  moveItems(world, namedContainer('supply'), world.read(Base).stock[base[managed]], item, grown)
  world.write(Managed).stock[managed] += grown
}

/**
 * Consumes a fifth of what a station holds above its target; what lies in asks stays. Source:
 * ours, market.md section 7 burns only what is above twice the target: bids end there, so nothing
 * ever would, and a station that had bought its fill would never buy the good again.
 */
export function consumeExcess(world: World, managed: Row): void {
  const { base, book, target, stock } = world.read(Managed)
  const excess = stock[managed] - target[managed]
  if (excess <= 0) return
  const container = world.read(Base).stock[base[managed]]
  const item = world.read(Book).item[book[managed]]
  const used = Math.min(divCeil(excess, USE_DIVISOR), unitsIn(world, container, item))
  moveItems(world, container, namedContainer('consumption'), item, used)
  world.write(Managed).stock[managed] -= used
}

/** Percent of the target that residents of a station consume in a cycle of 100 ticks. */
const LIVING_PCT = 1

const isMade = (item: number): boolean => {
  const good = GOODS[item]
  return !isModule(good) && good.extracted_by === undefined
}

/**
 * Consumes made goods for the residents of a station, down to what is kept for asks. Source: ours:
 * a made good that had reached its price would never be bought again, and its makers would stand
 * still.
 */
export function consumeByResidents(world: World, managed: Row): void {
  const { base, book, target, supply, stock } = world.read(Managed)
  const item = world.read(Book).item[book[managed]]
  if (supply[managed] === 1 || !isMade(item)) return
  const cycle = divFloor(world.tick, CYCLE_TICKS)
  const share = target[managed] * LIVING_PCT
  const wanted = divFloor(share * (cycle + 1), 100) - divFloor(share * cycle, 100)
  const container = world.read(Base).stock[base[managed]]
  const above = Math.max(0, stock[managed] - divFloor(target[managed], 5))
  const used = Math.min(wanted, above, unitsIn(world, container, item))
  moveItems(world, container, namedContainer('consumption'), item, used)
  world.write(Managed).stock[managed] -= used
}

/**
 * Moves what a season has residents use of a good beyond the usual, down to a tenth of the target,
 * or what it brings in, up to twice the target.
 */
export function moveSeasonal(world: World, managed: Row): void {
  const { base, book, target, stock } = world.read(Managed)
  const item = world.read(Book).item[book[managed]]
  const bps = seasonalUseBps(world, regionOf(world, base[managed]), item)
  if (bps === 0) return
  const container = world.read(Base).stock[base[managed]]
  const share = divCeil(target[managed] * Math.abs(bps), 10_000)
  if (bps > 0) {
    const above = Math.max(0, stock[managed] - divFloor(target[managed], 10))
    const used = Math.min(share, above, unitsIn(world, container, item))
    moveItems(world, container, namedContainer('consumption'), item, used)
    world.write(Managed).stock[managed] -= used
  } else {
    const grown = Math.min(share, Math.max(0, target[managed] * 2 - stock[managed]))
    moveItems(world, namedContainer('supply'), container, item, grown)
    world.write(Managed).stock[managed] += grown
  }
}

/**
 * Pays the manager's account what the station took in, and at capitals a stipend up to its target.
 * Source: market.md section 7.
 */
export function payManager(world: World, base: Eid): void {
  const { manager, accountTarget, capital } = world.read(Base)
  const account = manager[base]
  const treasury = baseTreasury(world, base)
  post(world, treasury, account, balanceOf(world, treasury))
  if (capital[base] === 0) return
  const short = Math.max(0, accountTarget[base] - balanceOf(world, account))
  post(
    world,
    namedAccount('station_stipend'),
    account,
    Math.min(governed(world, STIPEND_CREDITS_MAX), short),
  )
}
