/**
 * Settlement of requests after the kernel: credits and goods of the taker move at once; what is due
 * to the makers is collected for phase settle. Source: market.md sections 3, 4, 10.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { moveItems } from '../../core/goods.ts'
import { post } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { recordGiving } from '../account/giving-model.ts'
import { addStat } from '../account/rules.ts'
import { baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { recordFact } from '../intel/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import {
  recordCorporateExpense,
  recordCorporateIncome,
  recordGoodsBought,
  recordIncome,
} from '../tax/rules.ts'
import { areRelated, type Party } from './book-model.ts'
import { awardTradingXp } from './book-rules.ts'
import {
  chargeParty,
  creditParty,
  deliverGoods,
  returnGoods,
  takeFromStore,
} from './closing-rules.ts'
import { giftInPrice } from './gift-model.ts'
import { isRefused, isSmuggling, kindOf, renderFills } from './model.ts'
import {
  CURRENT_QUOTES,
  type DeliveredGoods,
  type Payer,
  type RequestResult,
  type TakenGoods,
  TRADED_BOOKS,
  type TradeXp,
} from './order-index-state.ts'
import {
  addFee,
  addTax,
  awardStanding,
  deliver,
  makerFill,
  recordTrade,
  takeGoods,
} from './rules.ts'
import {
  ASK,
  BID,
  Book,
  BY_STATION,
  Exchange,
  Fill,
  Managed,
  Order,
  OrderRequest,
  QUOTE_LEVELS,
} from './state.ts'
import { recordOnTape } from './tape-rules.ts'

const NO_GOODS: DeliveredGoods = { toCargo: 0, toStorage: 0 }
const NONE_FROM_PLAYER: TakenGoods = { fromCargo: 0, fromStorage: 0 }

/** The party that sent a request, and its base, item and bucket. */
interface Requester extends Party {
  readonly base: Eid
  readonly item: number
  readonly bucket: number
}

function requesterOf(world: World, row: Row): Requester {
  const { player, faction, base, book, bucket } = world.read(OrderRequest)
  const item = world.read(Book).item[book[row]]
  const place = { base: base[row], item, bucket: bucket[row] }
  return { player: player[row], faction: faction[row], ...place }
}

/** Removes a used-up order from the quotes of the station manager. */
function removeQuote(world: World, managed: Row, order: Row): void {
  const orders = world.write(Managed).orders
  for (let i = 0; i < QUOTE_LEVELS * 2; i++) {
    const quote = managed * QUOTE_LEVELS * 2 + i
    if (orders[quote] === order) orders[quote] = 0
  }
}

/** Credits of a request's trades with players and factions. */
interface TradedCredits {
  /** With parties that are not related to the taker. */
  unrelated: number
  /** With parties that are related to the taker. */
  related: number
}

const makerOf = (world: World, order: Row): Party => {
  const { player, faction, placedBy } = world.read(Order)
  const isFaction = faction[order] !== 0
  return { player: isFaction ? placedBy[order] : player[order], faction: faction[order] }
}

/** Records the gift in the price that a player pays; managers make no gifts. */
function recordGift(world: World, player: Eid, trade: Parameters<typeof giftInPrice>[1]): void {
  if (player !== 0) recordGiving(world, player, giftInPrice(world, trade))
}

/** Records a fill on the public tape; a side that is neither player nor faction is the station. */
function publishTrade(world: World, row: Row, fill: Row): void {
  const { order, units, price } = world.read(Fill)
  const { ownerKind, book } = world.read(Order)
  const { side, player } = world.read(OrderRequest)
  const isTakerStation = player[row] === 0
  const isMakerStation = ownerKind[order[fill]] === BY_STATION
  const isBuy = side[row] === BID
  const trade = {
    book: book[order[fill]],
    side: isBuy ? BID : ASK,
    isBoughtByStation: isBuy ? isTakerStation : isMakerStation,
    isSoldByStation: isBuy ? isMakerStation : isTakerStation,
    units: units[fill],
    credits: units[fill] * price[fill],
  } as const
  recordOnTape(world, trade, price[fill])
}

/**
 * Adds a fill to what is due to the maker of the order, to the volume of the book and to the tape.
 * What a station manager traded changes its stock at once, and marks its quotes as out of date.
 */
function creditMaker(world: World, row: Row, fill: Row, traded: TradedCredits): void {
  const { order: orders, units, price, tax, closed, refund } = world.read(Fill)
  const { number, ownerKind, bucket, book } = world.read(Order)
  const { side, player: taker } = world.read(OrderRequest)
  const requester = requesterOf(world, row)
  const { base, item } = requester
  const order = orders[fill]
  const maker = makerOf(world, order)
  const makerSide = side[row] === BID ? ASK : BID
  const credits = units[fill] * price[fill]
  const about = { base, item, side: makerSide, price: price[fill], bucket: bucket[order] } as const
  const due = makerFill(world, number[order], Object.assign(about, maker))
  due.units += units[fill]
  due.refund += refund[fill]
  due.tax += tax[fill]
  if (taker[row] !== 0) due.withPlayers += credits
  addTax(world, base, tax[fill])
  const trade = { base, item, price: price[fill], units: units[fill] }
  const isManager = ownerKind[order] === BY_STATION
  if (side[row] === BID && !isManager) recordGift(world, taker[row], trade)
  if (!isManager && taker[row] !== 0 && areRelated(world, requester, maker)) {
    due.related += credits
    due.withPlayers -= credits
    traded.related += credits
    return
  }
  if (world.read(Book).faction[book[order]] === 0) {
    recordTrade(world, book[order], units[fill], credits)
    publishTrade(world, row, fill)
  }
  if (!isManager) {
    traded.unrelated += credits
    return
  }
  const managed = world.read(Book).managed[book[order]]
  world.write(Managed).stock[managed] += makerSide === BID ? units[fill] : -units[fill]
  world.index(TRADED_BOOKS).add(book[order])
  world.index(CURRENT_QUOTES).stock[managed] = -1
  if (closed[fill] === 1) removeQuote(world, managed, order)
}

function creditMakers(world: World, row: Row): TradedCredits {
  const { firstFill, fills } = world.read(OrderRequest)
  const { own } = world.read(Fill)
  const traded: TradedCredits = { unrelated: 0, related: 0 }
  for (let fill = firstFill[row]; fill < firstFill[row] + fills[row]; fill++) {
    // The taker's own lots are netted out, not traded.
    if (own[fill] === 0) creditMaker(world, row, fill, traded)
  }
  return traded
}

/** Moves the credits of the trades between the taker and the exchange's escrow. */
function payTrades(world: World, row: Row, requester: Requester): void {
  const { filled, subtotal, tax, side } = world.read(OrderRequest)
  const { base, item } = requester
  const good = GOODS[item]
  const escrow = world.read(Exchange).escrow[base]
  const data = { item_id: good.id, quantity: filled[row], tax: tax[row] }
  const what = `${filled[row]} ${good.name} at ${baseName(world, base)}`
  if (side[row] === BID) {
    const cost = subtotal[row] + tax[row]
    const summary = `Bought ${what} for ${counted(cost, 'credit')}.`
    chargeParty(world, requester, escrow, cost, { verb: 'buy', summary, data })
    addTax(world, base, tax[row])
  } else {
    const summary = `Sold ${what} for ${counted(subtotal[row], 'credit')}.`
    creditParty(world, requester, escrow, subtotal[row], { verb: 'sell', summary, data })
  }
}

/** Pays credits in escrow back to the party that sent the request. */
function returnEscrow(world: World, requester: Requester, credits: number): void {
  const { base, item } = requester
  const escrow = world.read(Exchange).escrow[base]
  const summary = `Escrow of ${GOODS[item].name} at ${baseName(world, base)} was returned.`
  const data = { item_id: GOODS[item].id }
  creditParty(world, requester, escrow, credits, { verb: 'escrow_returned', summary, data })
}

/** Returns the credits to add to the escrow of an order; negative if some are returned. */
function extraEscrow(world: World, row: Row): number {
  const { listed, listPrice, side, restTax, returnedCredits } = world.read(OrderRequest)
  const held = side[row] === BID ? listed[row] * listPrice[row] + restTax[row] : 0
  return held - returnedCredits[row]
}

/** Charges the listing fee, and moves the credits for the listed units into escrow. */
function payForListing(world: World, row: Row, requester: Requester): void {
  const { listed, listPrice, fee, order, filled, side } = world.read(OrderRequest)
  const { base, player, faction, item } = requester
  // An order that is filled at once still counts as placed.
  const isOrder = listed[row] > 0 || (filled[row] > 0 && kindOf(world, row) === 'limit')
  const isPlaced = faction === 0 && order[row] === 0 && isOrder
  if (isPlaced) recordProgress(world, player, 'place_order')
  const price = listPrice[row]
  const credits = Math.max(0, extraEscrow(world, row)) + fee[row]
  const summary = `Listed ${listed[row]} at ${price} each at ${baseName(world, base)}.`
  const data = { quantity: listed[row], price_each: price, listing_fee: fee[row] }
  const escrow = world.read(Exchange).escrow[base]
  chargeParty(world, requester, escrow, credits, { verb: 'order', summary, data })
  addFee(world, base, fee[row])
  // A gift counts when the order is placed, even if the order is cancelled later.
  if (side[row] === BID) recordGift(world, player, { base, item, price, units: listed[row] })
}

/**
 * Moves the goods of a sale into escrow; those of a modified order are already there. Returns the
 * units taken from the hold and the storage of a player.
 */
function takeOfferedGoods(world: World, row: Row, requester: Requester): TakenGoods {
  const { player, faction, base, item } = requester
  const { side, filled, cleared, listed } = world.read(OrderRequest)
  if (side[row] === BID || kindOf(world, row) === 'modify') return NONE_FROM_PLAYER
  const units = filled[row] + cleared[row] + listed[row]
  if (faction === 0) return takeGoods(world, player, base, item, units)
  takeFromStore(world, faction, { units, ...requester })
  return NONE_FROM_PLAYER
}

/** Records a player's purchase as a fact that others can learn by intelligence at the base. */
function recordPurchaseFact(world: World, row: Row, { player, base, item }: Requester): void {
  const { side, subtotal, filled } = world.read(OrderRequest)
  if (side[row] !== BID || player === 0) return
  const what = `${filled[row]} ${GOODS[item].name}`
  recordFact(world, { base, kind: 'purchase', player, what, credits: subtotal[row] })
}

/** Records the trades of a faction: for intelligence, and in its corporate ledger. */
function countFactionTrades(world: World, row: Row, requester: Requester): undefined {
  const { side, subtotal } = world.read(OrderRequest)
  const { faction, base } = requester
  recordPurchaseFact(world, row, requester)
  const record = side[row] === BID ? recordCorporateExpense : recordCorporateIncome
  record(world, faction, base, subtotal[row])
}

/** Counts the trades for the taker: statistics, taxes, standing. Returns the experience awarded. */
function countTrades(
  world: World,
  row: Row,
  requester: Requester,
  traded: TradedCredits,
): TradeXp | undefined {
  const { side, filled, subtotal, tax } = world.read(OrderRequest)
  const { player, faction, base, item } = requester
  if (filled[row] === 0) return undefined
  if (faction !== 0) return countFactionTrades(world, row, requester)
  const total = subtotal[row]
  const credits = total - traded.related
  const withPlayers = traded.unrelated
  const award = (smuggled: number): TradeXp | undefined =>
    credits === 0 ? undefined : awardTradingXp(world, player, { credits, withPlayers, smuggled })
  if (side[row] === BID) {
    addStat(world, player, 'exchange_items_bought', filled[row])
    recordPurchaseFact(world, row, requester)
    addStat(world, player, 'credits_spent', total + tax[row])
    recordGoodsBought(world, player, total)
    return award(0)
  }
  const isContraband = isSmuggling(world, base, item)
  addStat(world, player, 'exchange_items_sold', filled[row])
  recordProgress(world, player, 'sell_item', { key: item, units: filled[row] })
  addStat(world, player, 'exchange_credits_earned', total)
  addStat(world, player, 'credits_earned', total)
  recordIncome(world, player, 'market', total)
  if (isContraband) addStat(world, player, 'contraband_sold', filled[row])
  awardStanding(world, player, { base, item, subtotal: credits })
  return award(isContraband ? credits : 0)
}

/** Delivers the goods that the taker bought at once. */
function deliverBought(world: World, row: Row, requester: Requester): DeliveredGoods {
  const { side, filled, toStorage } = world.read(OrderRequest)
  const { player, faction, base, item } = requester
  const units = side[row] === BID ? filled[row] : 0
  if (faction !== 0) {
    deliverGoods(world, requester, { units, ...requester })
    return { toCargo: 0, toStorage: units }
  }
  const deliverTo = toStorage[row] === 1 ? 'storage' : 'cargo'
  return deliver(world, player, { base, item, units }, deliverTo)
}

/** Settles a request of a player or faction: a trade at once, a limit order, or a change of one. */
function settleTrade(world: World, row: Row): RequestResult {
  const { filled, cleared, clearedCredits, returnedUnits, side } = world.read(OrderRequest)
  const requester = requesterOf(world, row)
  const fills = renderFills(world, row)
  const taken = takeOfferedGoods(world, row, requester)
  const traded = creditMakers(world, row)
  const extra = extraEscrow(world, row)
  if (extra < 0) returnEscrow(world, requester, -extra)
  if (filled[row] > 0) payTrades(world, row, requester)
  payForListing(world, row, requester)
  returnEscrow(world, requester, clearedCredits[row])
  const delivered = deliverBought(world, row, requester)
  const units = cleared[row] + (side[row] === ASK ? returnedUnits[row] : 0)
  returnGoods(world, requester, { units, ...requester })
  const xp = countTrades(world, row, requester, traded)
  return { row, fills, delivered, taken, ...(xp ? { xp } : {}) }
}

function settleCancel(world: World, row: Row): RequestResult {
  const { returnedUnits, returnedCredits, side } = world.read(OrderRequest)
  const requester = requesterOf(world, row)
  returnEscrow(world, requester, returnedCredits[row])
  if (side[row] === ASK) returnGoods(world, requester, { units: returnedUnits[row], ...requester })
  return { row, fills: [], delivered: NO_GOODS, taken: NONE_FROM_PLAYER }
}

/** Settles a request of a station manager with its own account and stock. */
function settleManager(world: World, row: Row): RequestResult {
  const request = world.read(OrderRequest)
  const { side, book, filled, subtotal, listed, listPrice } = request
  const { base, item } = requesterOf(world, row)
  const { escrow: goodsEscrow, stock, manager } = world.read(Base)
  const escrow = world.read(Exchange).escrow[base]
  const managed = world.write(Managed)
  const quoted = world.read(Book).managed[book[row]]
  creditMakers(world, row)
  if (side[row] === BID) {
    post(world, manager[base], escrow, subtotal[row] + listed[row] * listPrice[row])
    post(world, escrow, manager[base], request.returnedCredits[row])
    moveItems(world, goodsEscrow[base], stock[base], item, filled[row])
    managed.stock[quoted] += filled[row]
  } else {
    moveItems(world, stock[base], goodsEscrow[base], item, filled[row] + listed[row])
    moveItems(world, goodsEscrow[base], stock[base], item, request.returnedUnits[row])
    post(world, escrow, manager[base], subtotal[row])
    managed.stock[quoted] -= filled[row]
  }
  return { row, fills: [], delivered: NO_GOODS, taken: NONE_FROM_PLAYER }
}

/** Settles a purchase by a payer: its account is charged, its container gets the goods. */
function settlePayer(world: World, row: Row, { account, goods }: Payer): RequestResult {
  const { filled, subtotal } = world.read(OrderRequest)
  const { base, item } = requesterOf(world, row)
  creditMakers(world, row)
  post(world, account, world.read(Exchange).escrow[base], subtotal[row])
  moveItems(world, world.read(Base).escrow[base], goods, item, filled[row])
  return { row, fills: [], delivered: NO_GOODS, taken: NONE_FROM_PLAYER }
}

/** Moves the credits and goods of a request; a refused one moves nothing. */
export function settleRequest(world: World, row: Row, payer?: Payer): RequestResult {
  if (isRefused(world, row)) return { row, fills: [], delivered: NO_GOODS, taken: NONE_FROM_PLAYER }
  if (payer) return settlePayer(world, row, payer)
  if (world.read(OrderRequest).player[row] === 0) return settleManager(world, row)
  if (kindOf(world, row) === 'cancel') return settleCancel(world, row)
  return settleTrade(world, row)
}
