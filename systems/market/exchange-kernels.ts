/**
 * Writes to the books: carries out fills and brings units to rest. Requests were checked before
 * (requests-kernels.ts). The kernel runs this, so it uses columns only. Source: market.md sections
 * 1-4.
 */
import { assert } from '../../core/assert.ts'
import type { KernelColumns } from '../../core/columns.ts'
import {
  LOTS_PER_ORDER_MAX,
  LOTS_PER_SIDE_MAX,
  NOTIONAL_CREDITS_MAX,
  ORDER_UNITS_MAX,
  ORDERS_PER_PLAYER_MAX,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Lots } from './lots-kernels.ts'
import { salesTax } from './match-kernels.ts'
import {
  BID,
  Book,
  BY_FACTION,
  BY_PLAYER,
  BY_STATION,
  Fill,
  Lot,
  Order,
  OrderRequest,
  REQUEST_STATUS,
} from './state.ts'

const status = (name: (typeof REQUEST_STATUS)[number]): number => REQUEST_STATUS.indexOf(name)

/** Indexes into REQUEST_STATUS by name. */
export const STATUS = {
  ok: status('ok'),
  nothing_offered: status('nothing_offered'),
  no_credits: status('no_credits'),
  no_cargo_space: status('no_cargo_space'),
  amount_too_large: status('amount_too_large'),
  insufficient_items: status('insufficient_items'),
  order_too_large: status('order_too_large'),
  listing_limit_reached: status('listing_limit_reached'),
  order_not_found: status('order_not_found'),
} as const

/** Returns whether an order exceeds the limits of the exchange. Source: market.md section 1. */
export const isTooLarge = (price: number, units: number): boolean =>
  units > ORDER_UNITS_MAX || price > divFloor(NOTIONAL_CREDITS_MAX, units)

/**
 * Makes `carryOut(row, from, tick)`, which carries out the fills of a request from a given one on.
 */
export function filler(columns: KernelColumns, lots: Lots) {
  const { order: orderOf, units: lotUnits } = columns.of(Lot)
  const { side, taxBps, escrowTax, remaining, listed } = columns.of(Order)
  const fill = columns.of(Fill)
  const { clearedCredits, firstFill, fills } = columns.of(OrderRequest)

  /**
   * Returns the tax escrow that is released when units leave a lot: the tax of the trade, or for
   * units netted out the escrow that is no longer needed.
   */
  const taxFreed = (fillRow: number, lot: number, orderRow: number): number => {
    const bps = taxBps[orderRow]
    if (side[orderRow] !== BID || bps === 0) return 0
    const price = fill.price[fillRow]
    const units = fill.units[fillRow]
    if (fill.own[fillRow] === 0) return salesTax(units * price, bps)
    const held = salesTax(lotUnits[lot] * price, bps)
    const kept = salesTax((lotUnits[lot] - units) * price, bps)
    return Math.min(held - kept, escrowTax[orderRow])
  }

  const carryOutOne = (fillRow: number, row: number, tick: number): void => {
    const lot = fill.lot[fillRow]
    const orderRow = orderOf[lot]
    const units = fill.units[fillRow]
    const tax = taxFreed(fillRow, lot, orderRow)
    const left = escrowTax[orderRow] - tax
    if (left < 0) assert(false, `order ${orderRow} holds too little tax`)
    fill.order[fillRow] = orderRow
    fill.tax[fillRow] = tax
    fill.level[fillRow] = lots.take(lot, units, tick)
    fill.spent[fillRow] = lotUnits[lot] === 0 ? 1 : 0
    const closes = remaining[orderRow] === 0
    fill.closed[fillRow] = closes ? 1 : 0
    fill.refund[fillRow] = closes ? left : 0
    escrowTax[orderRow] = closes ? 0 : left
    if (fill.own[fillRow] === 0) return
    listed[orderRow] -= units
    if (side[orderRow] !== BID) return
    clearedCredits[row] += units * fill.price[fillRow] + tax + fill.refund[fillRow]
  }

  return (row: number, from: number, tick: number): void => {
    const end = firstFill[row] + fills[row]
    for (let fillRow = firstFill[row] + from; fillRow < end; fillRow++) {
      carryOutOne(fillRow, row, tick)
    }
  }
}

const kindOf = (player: number, faction: number): number => {
  if (faction !== 0) return BY_FACTION
  return player === 0 ? BY_STATION : BY_PLAYER
}

/** Makes `open(row, into)`, which makes the row `into` an order of a request, without units. */
function opener(columns: KernelColumns) {
  const order = columns.of(Order)
  const request = columns.of(OrderRequest)

  return (row: number, into: number): void => {
    order.book[into] = request.book[row]
    order.side[into] = request.side[row]
    const { player, faction } = request
    order.ownerKind[into] = kindOf(player[row], faction[row])
    order.player[into] = faction[row] === 0 ? player[row] : 0
    order.faction[into] = faction[row]
    order.bucket[into] = request.bucket[row]
    order.placedBy[into] = faction[row] === 0 ? 0 : player[row]
    order.price[into] = request.listPrice[row]
    order.taxBps[into] = request.taxBps[row]
    order.listed[into] = 0
    order.remaining[into] = 0
    order.escrowTax[into] = 0
    order.feePaid[into] = 0
    order.lots[into] = 0
    order.firstLot[into] = 0
    order.lastLot[into] = 0
    order.nextOfOwner[into] = 0
    order.previousOfOwner[into] = 0
  }
}

/** Brings units to rest in a book; also returns beforehand whether they may, and their tax. */
export function rester(columns: KernelColumns, lots: Lots) {
  const book = columns.of(Book)
  const lot = columns.of(Lot)
  const order = columns.of(Order)
  const request = columns.of(OrderRequest)
  const open = opener(columns)

  return {
    /**
     * Returns whether units of a request may come to rest, in the order `into` or a new one (0).
     */
    mayRest(row: number, into: number): boolean {
      if (into !== 0 && order.lots[into] >= LOTS_PER_ORDER_MAX) return true
      if (book.lots[request.book[row] * 2 + request.side[row]] >= LOTS_PER_SIDE_MAX) return false
      if (request.mayGrow[row] === 0) return false
      if (into !== 0 || request.player[row] === 0) return true
      return (
        request.ordersHere[row] < request.ordersHereMax[row] &&
        request.orders[row] < ORDERS_PER_PLAYER_MAX
      )
    },

    /**
     * Returns the tax escrow for units that come to rest. For a lot that grows it is the difference
     * of two rounded taxes, so that the sum stays exact.
     */
    taxOf(row: number, units: number, into: number): number {
      const price = request.listPrice[row]
      if (request.side[row] !== BID) return 0
      const bps = request.taxBps[row]
      if (into === 0 || order.lots[into] < LOTS_PER_ORDER_MAX) return salesTax(units * price, bps)
      const held = lot.units[order.lastLot[into]]
      return salesTax((held + units) * price, bps) - salesTax(held * price, bps)
    },

    /** Brings units to rest in the order in the column `into`, or in a new one if that is 0. */
    rest(row: number, units: number, tick: number): void {
      const price = request.listPrice[row]
      let into = request.into[row]
      request.consolidated[row] = into === 0 ? 0 : 1
      if (into === 0) {
        into = request.newOrder[row]
        open(row, into)
        request.into[row] = into
        request.ordersHere[row]++
        request.orders[row]++
      }
      if (order.price[into] !== price) assert(false, 'units come to rest at another price')
      if (order.lots[into] < LOTS_PER_ORDER_MAX) {
        const fresh = request.newLot[row]
        lot.order[fresh] = into
        lot.units[fresh] = units
        lot.owner[fresh] = request.owner[row]
        request.usesLot[row] = 1
        request.usesLevel[row] = lots.add(fresh, request.newLevel[row], tick) ? 1 : 0
      } else lots.grow(into, units, tick)
      order.listed[into] += units
      order.escrowTax[into] += request.restTax[row]
      order.feePaid[into] += request.fee[row]
      request.listed[row] = units
    },
  }
}
