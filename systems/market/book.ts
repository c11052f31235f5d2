/**
 * The book as a data structure: finding one, placing lots in order of price and time, shrinking and
 * removing them, and the orders they belong to. No money and no goods move here.
 */
import { assert } from '../../core/assert.ts'
import { LOTS_PER_ORDER_MAX } from '../../core/limits.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import {
  ASK,
  BID,
  Book,
  BY_PLAYER,
  BY_STATION,
  Exchange,
  Level,
  Lot,
  Order,
  PlayerOrders,
  type Side,
} from './columns.ts'

/** Book row by base and item. */
const BOOKS = defineIndex('market.books', () => new Map<number, Row>())
const ITEMS = 0x10000
const bookKey = (base: Row, item: number): number => base * ITEMS + item

export const otherSide = (side: Side): Side => (side === ASK ? BID : ASK)

/** One number for whoever owns orders: kinds never collide. */
export const ownerCode = (kind: number, row: Row): number => kind * 0x40000000 + row
export const playerCode = (player: Eid): number => ownerCode(BY_PLAYER, player)
export const stationCode = (base: Eid): number => ownerCode(BY_STATION, base)

/** The book of an item at a base; 0 if nothing was ever ordered there. */
export function bookOf(view: WorldView, base: Eid, item: number): Row {
  return view.index(BOOKS).get(bookKey(base, item)) ?? 0
}

/** As bookOf, making the book when there is none. A base's list of books stays sorted by item. */
export function openBook(world: World, base: Eid, item: number): Row {
  const found = bookOf(world, base, item)
  if (found !== 0) return found
  const row = world.take(Book)
  const book = world.write(Book)
  const exchange = world.write(Exchange)
  book.base[row] = base
  book.item[row] = item
  let before = 0
  let after = exchange.firstBook[base]
  while (after !== 0 && book.item[after] < item) {
    before = after
    after = book.next[after]
  }
  book.next[row] = after
  if (before === 0) exchange.firstBook[base] = row
  else book.next[before] = row
  world.index(BOOKS).set(bookKey(base, item), row)
  return row
}

/** Books of a base, ascending by item. */
export function booksAt(view: WorldView, base: Eid): Row[] {
  const next = view.read(Book).next
  const books: Row[] = []
  for (let row = view.read(Exchange).firstBook[base]; row !== 0; row = next[row]) books.push(row)
  return books
}

/** Best level of a side; 0 when it is empty. */
export const bestLevel = (view: WorldView, book: Row, side: Side): Row =>
  view.read(Book).best[book * 2 + side]

/** True if a price of this side goes before another one. */
export const isBetter = (side: Side, price: number, than: number): boolean =>
  side === ASK ? price < than : price > than

/** True if an order of `side` at `limit` trades with a resting price of the other side. */
export const crosses = (side: Side, limit: number, resting: number): boolean =>
  side === BID ? resting <= limit : resting >= limit

/** The level of a price, made when there is none. O(levels before it). */
function levelAt(world: World, book: Row, side: Side, price: number): Row {
  const level = world.write(Level)
  const best = world.write(Book).best
  let better = 0
  let worse = best[book * 2 + side]
  while (worse !== 0 && isBetter(side, level.price[worse], price)) {
    better = worse
    worse = level.worse[worse]
  }
  if (worse !== 0 && level.price[worse] === price) return worse
  const row = world.take(Level)
  level.book[row] = book
  level.side[row] = side
  level.price[row] = price
  level.better[row] = better
  level.worse[row] = worse
  if (worse !== 0) level.better[worse] = row
  if (better === 0) best[book * 2 + side] = row
  else level.worse[better] = row
  return row
}

function dropLevel(world: World, row: Row): void {
  const level = world.write(Level)
  const { better, worse } = level
  assert(level.units[row] === 0 && level.stationUnits[row] === 0, 'an empty level counts units')
  const above = better[row]
  const below = worse[row]
  if (above === 0) world.write(Book).best[level.book[row] * 2 + level.side[row]] = below
  else worse[above] = below
  if (below !== 0) better[below] = above
  world.release(Level, row)
}

/** Counts units in or out of a level, and marks the book as changed. */
function count(world: World, lot: Row, delta: number): void {
  const { level, order } = world.read(Lot)
  const row = level[lot]
  const station = world.read(Order).ownerKind[order[lot]] === BY_STATION
  const columns = world.write(Level)
  const units = station ? columns.stationUnits : columns.units
  units[row] += delta
  assert(units[row] >= 0, `level ${row} counts ${units[row]} units`)
  world.write(Book).changedTick[columns.book[row]] = world.tick
}

/** Puts a lot at the end of its level. */
function join(world: World, lot: Row, level: Row): void {
  const lots = world.write(Lot)
  const levels = world.write(Level)
  const last = levels.last[level]
  lots.level[lot] = level
  lots.previous[lot] = last
  lots.next[lot] = 0
  if (last === 0) levels.first[level] = lot
  else lots.next[last] = lot
  levels.last[level] = lot
}

/** Takes a lot out of its level; gives up a level it leaves empty. */
function leave(world: World, lot: Row): void {
  const lots = world.write(Lot)
  const levels = world.write(Level)
  const level = lots.level[lot]
  const { next, previous } = lots
  if (previous[lot] === 0) levels.first[level] = next[lot]
  else next[previous[lot]] = next[lot]
  if (next[lot] === 0) levels.last[level] = previous[lot]
  else previous[next[lot]] = previous[lot]
  next[lot] = 0
  previous[lot] = 0
  if (levels.first[level] === 0) dropLevel(world, level)
}

function nextSeq(world: World, base: Eid): number {
  const exchange = world.write(Exchange)
  return ++exchange.lotSeq[base]
}

function ownerOf(view: WorldView, order: Row): number {
  const { ownerKind, player, book } = view.read(Order)
  return ownerKind[order] === BY_STATION
    ? stationCode(view.read(Book).base[book[order]])
    : ownerCode(ownerKind[order], player[order])
}

function addLot(world: World, order: Row, units: number): void {
  const orders = world.write(Order)
  const book = world.write(Book)
  const side = orders.side[order] as Side
  const home = orders.book[order]
  const row = world.take(Lot)
  const lot = world.write(Lot)
  lot.order[row] = order
  lot.price[row] = orders.price[order]
  lot.units[row] = units
  lot.seq[row] = nextSeq(world, book.base[home])
  lot.owner[row] = ownerOf(world, order)
  join(world, row, levelAt(world, home, side, orders.price[order]))
  if (orders.lastLot[order] === 0) orders.firstLot[order] = row
  else lot.nextOfOrder[orders.lastLot[order]] = row
  orders.lastLot[order] = row
  orders.lots[order]++
  book.lots[home * 2 + side]++
  count(world, row, units)
}

/**
 * Adds units to the newest lot, which goes to the end of its level with a fresh sequence number.
 */
function growNewestLot(world: World, order: Row, units: number): void {
  const row = world.read(Order).lastLot[order]
  const lot = world.write(Lot)
  const base = world.read(Book).base[world.read(Order).book[order]]
  lot.seq[row] = nextSeq(world, base)
  lot.units[row] += units
  const level = lot.level[row]
  if (world.read(Level).last[level] !== row) {
    leave(world, row)
    join(world, row, level)
  }
  count(world, row, units)
}

/**
 * Brings units of an order to rest: a new lot, or more in the newest once it has as many as it may.
 */
export function restUnits(world: World, order: Row, units: number): void {
  assert(units >= 1, `${units} units come to rest`)
  const orders = world.write(Order)
  if (orders.lots[order] < LOTS_PER_ORDER_MAX) addLot(world, order, units)
  else growNewestLot(world, order, units)
  orders.remaining[order] += units
  orders.listed[order] += units
}

/**
 * Takes units out of a lot and its order; a lot without units is gone. The order stays, also when
 * it is empty.
 */
export function takeUnits(world: World, lot: Row, units: number): void {
  const lots = world.write(Lot)
  const orders = world.write(Order)
  const order = lots.order[lot]
  assert(units >= 1 && units <= lots.units[lot], `${units} units are taken from lot ${lot}`)
  count(world, lot, -units)
  lots.units[lot] -= units
  orders.remaining[order] -= units
  if (lots.units[lot] === 0) dropLot(world, lot)
}

function dropLot(world: World, lot: Row): void {
  const lots = world.write(Lot)
  const orders = world.write(Order)
  const order = lots.order[lot]
  leave(world, lot)
  let before = 0
  for (let row = orders.firstLot[order]; row !== lot; row = lots.nextOfOrder[row]) before = row
  if (before === 0) orders.firstLot[order] = lots.nextOfOrder[lot]
  else lots.nextOfOrder[before] = lots.nextOfOrder[lot]
  if (orders.lastLot[order] === lot) orders.lastLot[order] = before
  orders.lots[order]--
  world.write(Book).lots[orders.book[order] * 2 + orders.side[order]]--
  world.release(Lot, lot)
}

export interface OrderHead {
  readonly book: Row
  readonly side: Side
  /** 0 for the station manager of the book's base. */
  readonly player: Eid
  readonly price: number
  readonly taxBps: number
}

/** A new order without units. */
export function openOrder(world: World, head: OrderHead): Row {
  const row = world.take(Order)
  const order = world.write(Order)
  order.number[row] = world.nextNumber('order')
  order.book[row] = head.book
  order.side[row] = head.side
  order.ownerKind[row] = head.player === 0 ? BY_STATION : BY_PLAYER
  order.player[row] = head.player
  order.price[row] = head.price
  order.taxBps[row] = head.taxBps
  order.createdMs[row] = world.wallMs
  order.createdTick[row] = world.tick
  if (head.player === 0) return row
  const open = world.write(PlayerOrders)
  const first = open.first[head.player]
  order.nextOfOwner[row] = first
  if (first !== 0) order.previousOfOwner[first] = row
  open.first[head.player] = row
  open.count[head.player]++
  return row
}

/**
 * Releases an order that has no units left. What it still holds in escrow has been posted before.
 */
export function dropOrder(world: World, row: Row): void {
  const order = world.write(Order)
  assert(order.remaining[row] === 0 && order.firstLot[row] === 0, `order ${row} has units`)
  assert(order.escrowTax[row] === 0, `order ${row} holds credits`)
  const player = order.player[row]
  if (player !== 0) {
    const open = world.write(PlayerOrders)
    const next = order.nextOfOwner[row]
    const previous = order.previousOfOwner[row]
    if (previous === 0) open.first[player] = next
    else order.nextOfOwner[previous] = next
    if (next !== 0) order.previousOfOwner[next] = previous
    open.count[player]--
  }
  world.release(Order, row)
}

/** Open orders of a player, newest first. */
export function ordersOf(view: WorldView, player: Eid): Row[] {
  const next = view.read(Order).nextOfOwner
  const orders: Row[] = []
  for (let row = view.read(PlayerOrders).first[player]; row !== 0; row = next[row]) orders.push(row)
  return orders
}

/** Fills the index of books from the table, after a restore. */
export function rebuildBooks(world: World): void {
  const books = world.index(BOOKS)
  books.clear()
  const { alive, base, item } = world.read(Book)
  for (let row = 1; row <= world.highOf(Book); row++) {
    if (alive[row] === 1) books.set(bookKey(base[row], item[row]), row)
  }
}
