/**
 * Settling requests after the kernel: the taker's credits and goods move at once; what the makers
 * are owed is collected for phase settle. Source: market.md sections 3, 4, 10.
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
  type DeliveredGoods,
  type Payer,
  type RequestResult,
  STANDING_QUOTES,
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
const NOT_TAKEN: TakenGoods = { fromCargo: 0, fromStorage: 0 }

interface Place extends Party {
  readonly base: Eid
  readonly item: number
  readonly bucket: number
}

function placeOf(world: World, row: Row): Place {
  const { player, faction, base, book, bucket } = world.read(OrderRequest)
  const item = world.read(Book).item[book[row]]
  const [who, of] = [player[row], faction[row]]
  return { player: who, faction: of, base: base[row], item, bucket: bucket[row] }
}

/** Clears an order that is used up from the quotes of the station manager. */
function forgetQuote(world: World, managed: Row, order: Row): void {
  const orders = world.write(Managed).orders
  for (let i = 0; i < QUOTE_LEVELS * 2; i++) {
    const at = managed * QUOTE_LEVELS * 2 + i
    if (orders[at] === order) orders[at] = 0
  }
}

/** Credits of a request's trades, by who the makers were. */
interface TradeShares {
  /** With players or factions the taker has nothing to do with. */
  withPlayers: number
  /** With related parties. */
  related: number
}

const makerOf = (world: World, of: Row): Party => {
  const { player, faction, placedBy } = world.read(Order)
  return { player: faction[of] === 0 ? player[of] : placedBy[of], faction: faction[of] }
}

/** Counts what a player gives away with a price, if it is one: managers give nothing. */
function recordGift(world: World, player: Eid, trade: Parameters<typeof giftInPrice>[1]): void {
  if (player !== 0) recordGiving(world, player, giftInPrice(world, trade))
}

/** Publishes one trade; a buyer that is no player and no faction lives at the station. */
function publishTrade(world: World, row: Row, at: number): void {
  const { order, units, price } = world.read(Fill)
  const { ownerKind, book } = world.read(Order)
  const { side, player } = world.read(OrderRequest)
  const isStation = { taker: player[row] === 0, maker: ownerKind[order[at]] === BY_STATION }
  const isBuy = side[row] === BID
  const trade = {
    book: book[order[at]],
    side: isBuy ? BID : ASK,
    isBoughtByStation: isBuy ? isStation.taker : isStation.maker,
    isSoldByStation: isBuy ? isStation.maker : isStation.taker,
    units: units[at],
    credits: units[at] * price[at],
  } as const
  recordOnTape(world, trade, price[at])
}

/** Adds one trade with another owner's lot to what its maker is owed, and to the statistics. */
function creditMaker(world: World, row: Row, at: number, shares: TradeShares): void {
  const { order, units, price, tax, closed, refund } = world.read(Fill)
  const { number, ownerKind, bucket, book } = world.read(Order)
  const { side, player: taker } = world.read(OrderRequest)
  const place = placeOf(world, row)
  const { base, item } = place
  const of = order[at]
  const maker = makerOf(world, of)
  const makerSide = side[row] === BID ? ASK : BID
  const credits = units[at] * price[at]
  const head = { base, item, side: makerSide, price: price[at], bucket: bucket[of] } as const
  const owed = makerFill(world, number[of], { ...head, ...maker })
  owed.units += units[at]
  owed.refund += refund[at]
  owed.tax += tax[at]
  if (taker[row] !== 0) owed.withPlayers += credits
  addTax(world, base, tax[at])
  const paid = { base, item, price: price[at], units: units[at] }
  const isManager = ownerKind[of] === BY_STATION
  if (side[row] === BID && !isManager) recordGift(world, taker[row], paid)
  if (!isManager && taker[row] !== 0 && areRelated(world, place, maker)) {
    owed.related += credits
    owed.withPlayers -= credits
    shares.related += credits
    return
  }
  if (world.read(Book).faction[book[of]] === 0) {
    recordTrade(world, book[of], units[at], credits)
    publishTrade(world, row, at)
  }
  if (!isManager) {
    shares.withPlayers += credits
    return
  }
  const managed = world.read(Book).managed[book[of]]
  world.write(Managed).stock[managed] += makerSide === BID ? units[at] : -units[at]
  world.index(TRADED_BOOKS).add(book[of])
  world.index(STANDING_QUOTES).stock[managed] = -1
  if (closed[at] === 1) forgetQuote(world, managed, of)
}

function creditMakers(world: World, row: Row): TradeShares {
  const { firstFill, fills } = world.read(OrderRequest)
  const { own } = world.read(Fill)
  const shares: TradeShares = { withPlayers: 0, related: 0 }
  for (let at = firstFill[row]; at < firstFill[row] + fills[row]; at++) {
    if (own[at] === 0) creditMaker(world, row, at, shares)
  }
  return shares
}

/** Moves the credits of the trades between the taker and the exchange's escrow. */
function payTrades(world: World, row: Row, place: Place): void {
  const { filled, subtotal, tax, side } = world.read(OrderRequest)
  const { base, item } = place
  const good = GOODS[item]
  const escrow = world.read(Exchange).escrow[base]
  const data = { item_id: good.id, quantity: filled[row], tax: tax[row] }
  const what = `${filled[row]} ${good.name} at ${baseName(world, base)}`
  if (side[row] === BID) {
    const cost = subtotal[row] + tax[row]
    const summary = `Bought ${what} for ${counted(cost, 'credit')}.`
    chargeParty(world, place, escrow, cost, { verb: 'buy', summary, data })
    addTax(world, base, tax[row])
  } else {
    const summary = `Sold ${what} for ${counted(subtotal[row], 'credit')}.`
    creditParty(world, place, escrow, subtotal[row], { verb: 'sell', summary, data })
  }
}

/** Returns escrowed credits to the owner. */
function returnEscrow(world: World, place: Place, credits: number): void {
  const { base, item } = place
  const escrow = world.read(Exchange).escrow[base]
  const summary = `Escrow of ${GOODS[item].name} at ${baseName(world, base)} came back.`
  const data = { item_id: GOODS[item].id }
  creditParty(world, place, escrow, credits, { verb: 'escrow_returned', summary, data })
}

/** Returns the credits at rest after a request, less what a modified order held before. */
function moreAtRest(world: World, row: Row): number {
  const { listed, listPrice, side, restTax, returnedCredits } = world.read(OrderRequest)
  const held = side[row] === BID ? listed[row] * listPrice[row] + restTax[row] : 0
  return held - returnedCredits[row]
}

/** Charges the listing fee, and what comes to rest into escrow. */
function payForRest(world: World, row: Row, place: Place): void {
  const { listed, listPrice, fee, order, filled, side } = world.read(OrderRequest)
  const { base, player, faction, item } = place
  // An order that is filled at once was placed no less.
  const isOrder = listed[row] > 0 || (filled[row] > 0 && kindOf(world, row) === 'limit')
  const isPlaced = faction === 0 && order[row] === 0 && isOrder
  if (isPlaced) recordProgress(world, player, 'place_order')
  const price = listPrice[row]
  const credits = Math.max(0, moreAtRest(world, row)) + fee[row]
  const summary = `Listed ${listed[row]} at ${price} each at ${baseName(world, base)}.`
  const data = { quantity: listed[row], price_each: price, listing_fee: fee[row] }
  const escrow = world.read(Exchange).escrow[base]
  chargeParty(world, place, escrow, credits, { verb: 'order', summary, data })
  addFee(world, base, fee[row])
  // Counts once, as it is placed: what is cancelled is not given back.
  if (side[row] === BID) recordGift(world, player, { base, item, price, units: listed[row] })
}

/** Takes the goods of a sale into escrow; those of a modified order lie there already. */
function takeOfferedGoods(world: World, row: Row, place: Place): TakenGoods {
  const { player, faction, base, item } = place
  const { side, filled, cleared, listed } = world.read(OrderRequest)
  if (side[row] === BID || kindOf(world, row) === 'modify') return NOT_TAKEN
  const units = filled[row] + cleared[row] + listed[row]
  if (faction === 0) return takeGoods(world, player, base, item, units)
  takeFromStore(world, faction, { ...place, units })
  return NOT_TAKEN
}

/** Records a player's purchase for those who gather intelligence at the base. */
function recordBought(world: World, row: Row, { player, base, item }: Place): void {
  const { side, subtotal, filled } = world.read(OrderRequest)
  if (side[row] !== BID || player === 0) return
  const what = `${filled[row]} ${GOODS[item].name}`
  recordFact(world, { base, kind: 'purchase', player, what, credits: subtotal[row] })
}

/** Enters trades of a faction in its corporate ledger. */
function countFactionTrades(world: World, row: Row, place: Place): undefined {
  const { side, subtotal } = world.read(OrderRequest)
  const { faction, base } = place
  recordBought(world, row, place)
  const note = side[row] === BID ? recordCorporateExpense : recordCorporateIncome
  note(world, faction, base, subtotal[row])
}

/** Counts the trades for the taker: statistics, taxes, standing, experience; returns the latter. */
function countTrades(
  world: World,
  row: Row,
  place: Place,
  shares: TradeShares,
): TradeXp | undefined {
  const { side, filled, subtotal, tax } = world.read(OrderRequest)
  const { player, faction, base, item } = place
  if (filled[row] === 0) return undefined
  if (faction !== 0) return countFactionTrades(world, row, place)
  const all = subtotal[row]
  const credits = all - shares.related
  const { withPlayers } = shares
  const award = (smuggled: number): TradeXp | undefined =>
    credits === 0 ? undefined : awardTradingXp(world, player, { credits, withPlayers, smuggled })
  if (side[row] === BID) {
    addStat(world, player, 'exchange_items_bought', filled[row])
    recordBought(world, row, place)
    addStat(world, player, 'credits_spent', all + tax[row])
    recordGoodsBought(world, player, all)
    return award(0)
  }
  const isContraband = isSmuggling(world, base, item)
  addStat(world, player, 'exchange_items_sold', filled[row])
  recordProgress(world, player, 'sell_item', { key: item, units: filled[row] })
  addStat(world, player, 'exchange_credits_earned', all)
  addStat(world, player, 'credits_earned', all)
  recordIncome(world, player, 'market', all)
  if (isContraband) addStat(world, player, 'contraband_sold', filled[row])
  awardStanding(world, player, { base, item, subtotal: credits })
  return award(isContraband ? credits : 0)
}

/** Delivers to the taker what was bought at once. */
function deliverBought(world: World, row: Row, place: Place): DeliveredGoods {
  const { side, filled, toStorage } = world.read(OrderRequest)
  const { player, faction, base, item } = place
  const units = side[row] === BID ? filled[row] : 0
  if (faction !== 0) {
    deliverGoods(world, place, { ...place, units })
    return { toCargo: 0, toStorage: units }
  }
  const deliverTo = toStorage[row] === 1 ? 'storage' : 'cargo'
  return deliver(world, player, { base, item, units }, deliverTo)
}

/** Settles a take, a limit order or a modification of a player or a faction. */
function settleTrade(world: World, row: Row): RequestResult {
  const { filled, cleared, clearedCredits, returnedUnits, side } = world.read(OrderRequest)
  const place = placeOf(world, row)
  const fills = renderFills(world, row)
  const taken = takeOfferedGoods(world, row, place)
  const shares = creditMakers(world, row)
  const more = moreAtRest(world, row)
  if (more < 0) returnEscrow(world, place, -more)
  if (filled[row] > 0) payTrades(world, row, place)
  payForRest(world, row, place)
  returnEscrow(world, place, clearedCredits[row])
  const delivered = deliverBought(world, row, place)
  const units = cleared[row] + (side[row] === ASK ? returnedUnits[row] : 0)
  returnGoods(world, place, { ...place, units })
  const xp = countTrades(world, row, place, shares)
  return { row, fills, delivered, taken, ...(xp ? { xp } : {}) }
}

function settleCancel(world: World, row: Row): RequestResult {
  const { returnedUnits, returnedCredits, side } = world.read(OrderRequest)
  const place = placeOf(world, row)
  returnEscrow(world, place, returnedCredits[row])
  if (side[row] === ASK) returnGoods(world, place, { ...place, units: returnedUnits[row] })
  return { row, fills: [], delivered: NO_GOODS, taken: NOT_TAKEN }
}

/** Settles a request of a station manager: its own account and stock. */
function settleManager(world: World, row: Row): RequestResult {
  const request = world.read(OrderRequest)
  const { side, book, filled, subtotal, listed, listPrice } = request
  const { base, item } = placeOf(world, row)
  const { escrow: goods, stock, manager } = world.read(Base)
  const escrow = world.read(Exchange).escrow[base]
  const managed = world.write(Managed)
  const of = world.read(Book).managed[book[row]]
  creditMakers(world, row)
  if (side[row] === BID) {
    post(world, manager[base], escrow, subtotal[row] + listed[row] * listPrice[row])
    post(world, escrow, manager[base], request.returnedCredits[row])
    moveItems(world, goods[base], stock[base], item, filled[row])
    managed.stock[of] += filled[row]
  } else {
    moveItems(world, stock[base], goods[base], item, filled[row] + listed[row])
    moveItems(world, goods[base], stock[base], item, request.returnedUnits[row])
    post(world, escrow, manager[base], subtotal[row])
    managed.stock[of] -= filled[row]
  }
  return { row, fills: [], delivered: NO_GOODS, taken: NOT_TAKEN }
}

/** Settles a take of a payer: its account pays, its container gets the goods. */
function settlePayer(world: World, row: Row, { account, goods }: Payer): RequestResult {
  const { filled, subtotal } = world.read(OrderRequest)
  const { base, item } = placeOf(world, row)
  creditMakers(world, row)
  post(world, account, world.read(Exchange).escrow[base], subtotal[row])
  moveItems(world, world.read(Base).escrow[base], goods, item, filled[row])
  return { row, fills: [], delivered: NO_GOODS, taken: NOT_TAKEN }
}

/** Moves the credits and goods of a request; a refused one moves nothing. */
export function settleRequest(world: World, row: Row, payer?: Payer): RequestResult {
  if (isRefused(world, row)) return { row, fills: [], delivered: NO_GOODS, taken: NOT_TAKEN }
  if (payer) return settlePayer(world, row, payer)
  if (world.read(OrderRequest).player[row] === 0) return settleManager(world, row)
  if (kindOf(world, row) === 'cancel') return settleCancel(world, row)
  return settleTrade(world, row)
}
