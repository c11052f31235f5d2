/**
 * Whose orders there are: the list of each player, how many he has at a base, and the indexes by
 * which orders are found. The world thread keeps them; kernels only look.
 */
import { assert } from '../../core/assert.ts'
import { createSeqIndex, type SeqIndex } from '../../core/seq-index.ts'
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { Book, BY_PLAYER, Order, PlayerOrders } from './columns.ts'
import { ordersByPlace } from './order-index.ts'

/** Open orders by player and base; no entry for none. */
const HERE = defineIndex('market.orders_here', () => new Map<number, number>())
const BASE_ROWS = 0x10000
const hereKey = (player: Eid, base: Row): number => player * BASE_ROWS + base

export const ordersHere = (view: WorldView, player: Eid, base: Eid): number =>
  view.index(HERE).get(hereKey(player, base)) ?? 0

function countHere(world: World, order: Row, delta: 1 | -1): void {
  const { player, book } = world.read(Order)
  const here = world.index(HERE)
  const key = hereKey(player[order], world.read(Book).base[book[order]])
  const count = (here.get(key) ?? 0) + delta
  if (count === 0) here.delete(key)
  else here.set(key, count)
}

/** Open orders of a player, newest first. */
export function ordersOf(view: WorldView, player: Eid): Row[] {
  const next = view.read(Order).nextOfOwner
  const orders: Row[] = []
  for (let row = view.read(PlayerOrders).first[player]; row !== 0; row = next[row]) orders.push(row)
  return orders
}

/** Orders of players by number, which their wire ids name. */
const NUMBERS = defineIndex('market.order_numbers', () => ({
  rows: undefined as SeqIndex | undefined,
}))

function numbers(view: WorldView): SeqIndex {
  const index = view.index(NUMBERS)
  index.rows ??= createSeqIndex(view.read(Order).number)
  return index.rows
}

/** The open order of a player that has this number; 0 none. */
export const orderByNumber = (view: WorldView, number: number): Row => numbers(view).get(number)

/** Enters a new order of a player in his list and the indexes. */
export function listOrder(world: World, row: Row): void {
  const order = world.write(Order)
  const player = order.player[row]
  if (player === 0) return
  const open = world.write(PlayerOrders)
  const first = open.first[player]
  order.nextOfOwner[row] = first
  if (first !== 0) order.previousOfOwner[first] = row
  open.first[player] = row
  open.count[player]++
  index(world, row)
}

function index(world: World, row: Row): void {
  ordersByPlace(world.kernelColumns).put(row, world.read(Order).price[row])
  numbers(world).add(row)
  countHere(world, row, 1)
}

/** An order has another price: it stands elsewhere. */
export function moveOrder(world: World, row: Row, oldPrice: number, price: number): void {
  const places = ordersByPlace(world.kernelColumns)
  places.remove(row, oldPrice)
  places.put(row, price)
}

/** Releases an order that has no units left; what it held has been noted before. */
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
    ordersByPlace(world.kernelColumns).remove(row, order.price[row])
    numbers(world).delete(row)
    countHere(world, row, -1)
  }
  world.release(Order, row)
}

/** Fills the indexes from the table, after a restore. */
export function rebuildOrders(world: World): void {
  ordersByPlace(world.kernelColumns).clear()
  numbers(world).clear()
  world.index(HERE).clear()
  const { alive, ownerKind } = world.read(Order)
  for (let row = 1; row <= world.highOf(Order); row++) {
    if (alive[row] === 1 && ownerKind[row] === BY_PLAYER) index(world, row)
  }
}
