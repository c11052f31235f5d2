/**
 * Executing a plan: the taker's side at once, the makers' side noted for phase settle; closing
 * orders and giving back what they hold. Refusals have been made before anything here is called.
 * Source: market.md sections 2, 4.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { moveItems } from '../../core/goods.ts'
import { post } from '../../core/ledger.ts'
import { defineIndex, type Eid, type Row, type World } from '../../core/world.ts'
import { walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { baseName } from '../base/rules.ts'
import { openLocker } from '../cargo/rules.ts'
import { creditMove } from '../log/rules.ts'
import { dropOrder, takeUnits } from './book.ts'
import {
  ASK,
  BID,
  Book,
  BY_STATION,
  Exchange,
  Lot,
  Managed,
  Order,
  QUOTE_LEVELS,
} from './columns.ts'
import { type Plan, type PlannedFill, salesTax } from './match.ts'
import { makerFill, oweTax } from './settle.ts'

/** Books whose manager traded in this tick: quoted anew in produce. */
export const TRADED = defineIndex('market.traded', () => new Set<Row>())

export interface Taking {
  readonly book: Row
  /** The taker's side. */
  readonly side: typeof ASK | typeof BID
  /** 0 for the manager of the base. */
  readonly player: Eid
}

/** Credits a lot of a buy order sets free when units leave it. Never more than the order holds. */
function taxShare(world: World, lot: Row, units: number): number {
  const { order, units: lotUnits, price } = world.read(Lot)
  const { taxBps, escrowTax } = world.read(Order)
  const held = salesTax(lotUnits[lot] * price[lot], taxBps[order[lot]])
  const kept = salesTax((lotUnits[lot] - units) * price[lot], taxBps[order[lot]])
  return Math.min(held - kept, escrowTax[order[lot]])
}

/** Forgets an order of the station manager. */
function forgetQuote(world: World, order: Row): void {
  const { managed } = world.read(Book)
  const orders = world.write(Managed).orders
  const row = managed[world.read(Order).book[order]]
  for (let i = 0; i < QUOTE_LEVELS * 2; i++) {
    const at = row * QUOTE_LEVELS * 2 + i
    if (orders[at] === order) orders[at] = 0
  }
}

/** Drops an order that has no units left; returns the tax escrow it held on to. */
function close(world: World, order: Row): number {
  const orders = world.write(Order)
  const left = orders.escrowTax[order]
  orders.escrowTax[order] = 0
  if (orders.ownerKind[order] === BY_STATION) forgetQuote(world, order)
  dropOrder(world, order)
  return left
}

/** One fill with another owner's lot. */
function hit(world: World, taking: Taking, fill: PlannedFill): void {
  const order = world.read(Lot).order[fill.lot]
  const orders = world.write(Order)
  const book = world.read(Book)
  const { units, price } = fill
  const base = book.base[taking.book]
  const side = taking.side === BID ? ASK : BID
  const number = orders.number[order]
  const player = orders.player[order]
  const head = { base, item: book.item[taking.book], side, player, price } as const
  const owed = makerFill(world, number, head)
  owed.units += units
  if (taking.player !== 0) owed.withPlayers += units * price
  if (side === BID) {
    const tax = salesTax(units * price, orders.taxBps[order])
    assert(tax <= orders.escrowTax[order], `order ${number} holds too little tax`)
    orders.escrowTax[order] -= tax
    oweTax(world, base, tax)
  }
  if (orders.ownerKind[order] === BY_STATION) {
    world.write(Managed).stock[book.managed[taking.book]] += side === BID ? units : -units
    world.index(TRADED).add(taking.book)
  }
  takeUnits(world, fill.lot, units)
  if (orders.remaining[order] === 0) owed.refund += close(world, order)
}

/**
 * Nets units out against the taker's own resting lot: no trade. A buyer's lot gives back credits, a
 * seller's goods; the incoming units of a sale lie in the exchange's escrow and go back too.
 * Source: market.md section 4, self-clear.
 */
function netOut(world: World, taking: Taking, fill: PlannedFill): void {
  const { book, player, side } = taking
  assert(player !== 0, 'the manager meets its own lot')
  const order = world.read(Lot).order[fill.lot]
  const base = world.read(Book).base[book]
  const item = world.read(Book).item[book]
  moveItems(world, world.read(Base).escrow[base], openLocker(world, player, base), item, fill.units)
  let back = 0
  if (side === ASK) {
    const tax = taxShare(world, fill.lot, fill.units)
    world.write(Order).escrowTax[order] -= tax
    back = tax + fill.units * fill.price
  }
  takeUnits(world, fill.lot, fill.units)
  if (world.read(Order).remaining[order] === 0) back += close(world, order)
  giveBack(world, player, base, item, back)
}

/** Returns escrowed credits to a player. */
export function giveBack(
  world: World,
  player: Eid,
  base: Eid,
  item: number,
  credits: number,
): void {
  const escrow = world.read(Exchange).escrow[base]
  const said = `Escrow of ${GOODS[item].name} at ${baseName(world, base)} came back.`
  const data = { item_id: GOODS[item].id }
  const wallet = walletOf(world, player)
  creditMove(world, player, escrow, wallet, credits, 'trading', 'escrow_returned', said, data)
}

/**
 * Executes a plan. A buyer pays price and tax; the goods bought lie in the base's escrow container
 * afterwards, for the caller to deliver. A seller's goods must lie there already; the proceeds are
 * paid out.
 */
export function executePlan(world: World, taking: Taking, plan: Plan): void {
  const { book, player, side } = taking
  const base = world.read(Book).base[book]
  for (const fill of plan.fills) {
    if (fill.own) netOut(world, taking, fill)
    else hit(world, taking, fill)
  }
  if (side === BID) oweTax(world, base, plan.tax)
  if (player !== 0) payTaker(world, taking, plan)
  else {
    const { manager } = world.read(Base)
    const escrow = world.read(Exchange).escrow[base]
    assert(plan.tax === 0, 'a manager pays no sales tax')
    if (side === BID) post(world, manager[base], escrow, plan.subtotal)
    else post(world, escrow, manager[base], plan.subtotal)
    const stock = world.write(Managed).stock
    stock[world.read(Book).managed[book]] += side === BID ? plan.filled : -plan.filled
  }
}

function payTaker(world: World, taking: Taking, plan: Plan): void {
  const { book, player, side } = taking
  const base = world.read(Book).base[book]
  const good = GOODS[world.read(Book).item[book]]
  const escrow = world.read(Exchange).escrow[base]
  const wallet = walletOf(world, player)
  const data = { item_id: good.id, quantity: plan.filled, tax: plan.tax }
  const what = `${plan.filled} ${good.name} at ${baseName(world, base)}`
  if (side === BID) {
    const cost = plan.subtotal + plan.tax
    const said = `Bought ${what} for ${cost} credits.`
    creditMove(world, player, wallet, escrow, cost, 'trading', 'buy', said, data)
  } else {
    const said = `Sold ${what} for ${plan.subtotal} credits.`
    creditMove(world, player, escrow, wallet, plan.subtotal, 'trading', 'sell', said, data)
  }
}

/**
 * Takes an order off the book: goods go to the owner's locker or the manager's stock, credits and
 * unused tax to the wallet or the manager's account. The listing fee stays paid. Source: market.md
 * sections 2, 5.
 */
export function withdrawOrder(world: World, order: Row): void {
  const orders = world.read(Order)
  const { base, item } = world.read(Book)
  const book = orders.book[order]
  const at = base[book]
  const player = orders.player[order]
  const units = orders.remaining[order]
  const credits = orders.side[order] === BID ? units * orders.price[order] : 0
  if (orders.side[order] === ASK) {
    const { escrow, stock } = world.read(Base)
    const to = player === 0 ? stock[at] : openLocker(world, player, at)
    moveItems(world, escrow[at], to, item[book], units)
  }
  let lot = orders.firstLot[order]
  while (lot !== 0) {
    takeUnits(world, lot, world.read(Lot).units[lot])
    lot = orders.firstLot[order]
  }
  const back = credits + close(world, order)
  if (player !== 0) giveBack(world, player, at, item[book], back)
  else post(world, world.read(Exchange).escrow[at], world.read(Base).manager[at], back)
}
