/**
 * The four kinds of requests: take what is offered, place a limit order, modify one, cancel one.
 * Each is checked as a whole first; a refused one leaves the book unchanged. The kernel runs this,
 * so it uses columns only. Source: market.md sections 4, 5.
 */
import { type KernelColumns, overColumns } from '../../core/columns.ts'
import { divFloor } from '../../core/math.ts'
import { filler, isTooLarge, rester, STATUS } from './exchange-kernels.ts'
import { type Lots, restingLots } from './lots-kernels.ts'
import { affordable, END, listingFee, matcher, salesTax } from './match-kernels.ts'
import { ordersByPlace } from './order-index-state.ts'
import { BID, Lot, Order, OrderRequest } from './state.ts'

interface Tools {
  readonly lots: Lots
  readonly match: ReturnType<typeof matcher>
  readonly carryOut: ReturnType<typeof filler>
}

/** Makes `take(row, tick)`, which trades as far as book, worst price, credits and room allow. */
function taker(columns: KernelColumns, { match, carryOut }: Tools) {
  const request = columns.of(OrderRequest)
  const { side, filled, subtotal, tax, credits, goods, taxBps, best, status } = request

  const noTradeStatus = (row: number): number => {
    if (best[row] === 0) return STATUS.nothing_offered
    if (side[row] !== BID) return STATUS.amount_too_large
    const unitsMax = affordable(credits[row], best[row], taxBps[row])
    return unitsMax === 0 ? STATUS.no_credits : STATUS.no_cargo_space
  }

  return (row: number, tick: number): void => {
    match(row, request.units[row], 0)
    if (filled[row] === 0) {
      status[row] = noTradeStatus(row)
      return
    }
    carryOut(row, 0, tick)
    credits[row] += side[row] === BID ? -subtotal[row] - tax[row] : subtotal[row]
    goods[row] -= filled[row]
    // The rest is listed only if no offers are left: otherwise it would trade on, not come to rest.
    if (request.autoList[row] === 0 || request.end[row] !== END.book) return
    request.listUnits[row] = request.units[row] - filled[row]
    request.listPrice[row] = Math.max(1, divFloor(subtotal[row], filled[row]))
  }
}

/** Checks a limit order after its match, before anything is written to the book. */
function limitChecks(columns: KernelColumns, { mayRest, taxOf }: ReturnType<typeof rester>) {
  const request = columns.of(OrderRequest)
  const { remaining } = columns.of(Order)
  const { side, filled, cleared, subtotal, tax, credits, goods, fills, fee, restTax } = request
  const { into, listPrice, listStatus, need } = request
  const places = ordersByPlace(columns)

  /** Discards a match that is not carried out; trades of an earlier take stay. */
  const refuse = (row: number, reason: number, fillsBefore: number): void => {
    listStatus[row] = reason
    fills[row] = fillsBefore
    cleared[row] = 0
    into[row] = 0
    fee[row] = 0
    restTax[row] = 0
    if (fillsBefore > 0) return
    filled[row] = 0
    subtotal[row] = 0
    tax[row] = 0
  }

  /** Checks goods and credits: `unitsOut` are sold or listed, trades cost or earn `spent`. */
  const checkMeans = (row: number, left: number, unitsOut: number, spent: number): number => {
    if (side[row] === BID) {
      need[row] = spent + left * listPrice[row] + restTax[row] + fee[row]
      return need[row] > credits[row] ? STATUS.no_credits : STATUS.ok
    }
    need[row] = unitsOut
    if (unitsOut > goods[row]) return STATUS.insufficient_items
    need[row] = fee[row]
    return fee[row] > credits[row] + spent ? STATUS.no_credits : STATUS.ok
  }

  /** Plans how the units left come to rest, and their cost; returns the status of the request. */
  const planRest = (row: number, left: number, fillsBefore: number): number => {
    const order = left === 0 ? 0 : into[row] || places.find(row, listPrice[row])
    if (left > 0 && !mayRest(row, order)) {
      into[row] = 0
      return fills[row] === fillsBefore ? STATUS.listing_limit_reached : STATUS.ok
    }
    into[row] = order
    if (order !== 0 && isTooLarge(listPrice[row], remaining[order] + left)) {
      return STATUS.order_too_large
    }
    request.listed[row] = left
    if (left === 0) return STATUS.ok
    fee[row] = listingFee(left * listPrice[row], request.feeBps[row])
    restTax[row] = taxOf(row, left, order)
    return STATUS.ok
  }

  return { refuse, checkMeans, planRest }
}

/**
 * Makes `place(row, tick)`, which trades `listUnits` up to `listPrice` and brings what is left to
 * rest: in the order `into` that an earlier request of the command opened, in another order of the
 * same owner and price, or in a new one.
 */
function placer(columns: KernelColumns, { lots, match, carryOut }: Tools) {
  const request = columns.of(OrderRequest)
  const { side, filled, cleared, subtotal, tax, credits, goods, fills, listUnits } = request
  const resting = rester(columns, lots)
  const { refuse, checkMeans, planRest } = limitChecks(columns, resting)

  return (row: number, tick: number): void => {
    const fillsBefore = fills[row]
    const filledBefore = filled[row]
    const spentBefore = subtotal[row] + tax[row]
    if (isTooLarge(request.listPrice[row], listUnits[row])) {
      refuse(row, STATUS.order_too_large, fillsBefore)
      return
    }
    match(row, listUnits[row], request.listPrice[row])
    const traded = filled[row] - filledBefore
    const spent = subtotal[row] + tax[row] - spentBefore
    const open = request.end[row] === END.book ? listUnits[row] - traded - cleared[row] : 0
    const planned = planRest(row, open, fillsBefore)
    if (planned !== STATUS.ok) {
      refuse(row, planned, fillsBefore)
      return
    }
    const left = request.listed[row]
    const means = checkMeans(row, left, traded + cleared[row] + left, spent)
    if (means !== STATUS.ok) {
      request.listed[row] = 0
      refuse(row, means, fillsBefore)
      return
    }
    carryOut(row, fillsBefore, tick)
    if (left > 0) resting.rest(row, left, tick)
    if (side[row] === BID) credits[row] -= request.need[row]
    else credits[row] += spent + request.clearedCredits[row] - request.fee[row]
    goods[row] -= traded + left
  }
}

/** Checks a modification before anything is written to the book. */
function modificationChecks(columns: KernelColumns, { match }: Tools) {
  const request = columns.of(OrderRequest)
  const order = columns.of(Order)
  const { side, filled, cleared, subtotal, tax, credits, fee, restTax, need, status } = request

  const refuse = (row: number, reason: number): void => {
    status[row] = reason
    request.fills[row] = 0
    filled[row] = 0
    cleared[row] = 0
    subtotal[row] = 0
    tax[row] = 0
    fee[row] = 0
    restTax[row] = 0
    request.listed[row] = 0
    request.returnedUnits[row] = 0
    request.returnedCredits[row] = 0
  }

  /** Plans the new price; the fee is charged for the increase in value. Source: market.md 5. */
  const plan = (row: number, units: number, orderRow: number): number => {
    const price = request.price[row]
    request.listPrice[row] = price
    if (isTooLarge(price, units)) return STATUS.order_too_large
    match(row, units, price)
    const open = units - filled[row] - cleared[row]
    const left = request.end[row] === END.book ? open : 0
    const before = units * order.price[orderRow]
    fee[row] = listingFee(Math.max(0, left * price - before), request.feeBps[row])
    request.listed[row] = left
    request.returnedUnits[row] = open - left
    const spent = subtotal[row] + tax[row]
    if (side[row] !== BID) {
      need[row] = fee[row]
      return fee[row] > credits[row] + spent ? STATUS.no_credits : STATUS.ok
    }
    restTax[row] = salesTax(left * price, request.taxBps[row])
    request.returnedCredits[row] = before + order.escrowTax[orderRow]
    need[row] = spent + left * price + restTax[row] + fee[row] - request.returnedCredits[row]
    return need[row] > credits[row] ? STATUS.no_credits : STATUS.ok
  }

  return { refuse, plan }
}

/**
 * Makes `modify(row, tick)`, which gives an order another price and a new place in time; units that
 * match others at that price trade at once.
 */
function modifier(columns: KernelColumns, tools: Tools) {
  const { lots, carryOut } = tools
  const request = columns.of(OrderRequest)
  const order = columns.of(Order)
  const lot = columns.of(Lot)
  const { side, cleared, subtotal, credits, fee, restTax, need } = request
  const { refuse, plan } = modificationChecks(columns, tools)

  /** Brings what is left of the order to rest in its former first lot. */
  const settle = (row: number, orderRow: number, head: number, tick: number): void => {
    const left = request.listed[row]
    order.price[orderRow] = request.price[row]
    if (left === 0) {
      request.spentLots[row] = head
      request.closed[row] = 1
      return
    }
    request.spentLots[row] = lot.nextOfOrder[head]
    lot.units[head] = left
    order.taxBps[orderRow] = request.taxBps[row]
    order.escrowTax[orderRow] = restTax[row]
    order.feePaid[orderRow] += fee[row]
    request.usesLevel[row] = lots.add(head, request.newLevel[row], tick) ? 1 : 0
  }

  return (row: number, tick: number): void => {
    const orderRow = request.order[row]
    const units = order.remaining[orderRow]
    request.oldPrice[row] = order.price[orderRow]
    if (units === 0) {
      refuse(row, STATUS.order_not_found)
      return
    }
    if (order.price[orderRow] === request.price[row]) return
    const planned = plan(row, units, orderRow)
    if (planned !== STATUS.ok) {
      refuse(row, planned)
      return
    }
    const head = order.firstLot[orderRow]
    request.spentLevel[row] = lots.clear(orderRow, tick)
    order.escrowTax[orderRow] = 0
    order.listed[orderRow] -= cleared[row] + request.returnedUnits[row]
    carryOut(row, 0, tick)
    settle(row, orderRow, head, tick)
    if (side[row] === BID) credits[row] -= need[row]
    else credits[row] += subtotal[row] + request.clearedCredits[row] - fee[row]
  }
}

/** Makes `cancel(row, tick)`, which removes an order from the book with all that it holds. */
function canceller(columns: KernelColumns, { lots }: Tools) {
  const request = columns.of(OrderRequest)
  const { remaining, side, price, escrowTax, firstLot } = columns.of(Order)

  return (row: number, tick: number): void => {
    const orderRow = request.order[row]
    const units = remaining[orderRow]
    if (units === 0) {
      request.status[row] = STATUS.order_not_found
      return
    }
    request.returnedUnits[row] = units
    request.oldPrice[row] = price[orderRow]
    const isBid = side[orderRow] === BID
    request.returnedCredits[row] = isBid ? units * price[orderRow] + escrowTax[orderRow] : 0
    request.spentLots[row] = firstLot[orderRow]
    request.spentLevel[row] = lots.clear(orderRow, tick)
    request.closed[row] = 1
    escrowTax[orderRow] = 0
  }
}

/** The functions that process requests, one for each kind. */
export const requests = overColumns((columns) => {
  const lots = restingLots(columns)
  const tools: Tools = { lots, match: matcher(columns), carryOut: filler(columns, lots) }
  return {
    take: taker(columns, tools),
    place: placer(columns, tools),
    modify: modifier(columns, tools),
    cancel: canceller(columns, tools),
  }
})
