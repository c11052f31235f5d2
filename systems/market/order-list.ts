/**
 * Whose orders there are: the list of each player, and the indexes by which orders are found. The
 * world thread keeps them; kernels only look.
 */
import { assert } from '../../core/assert.ts'
import { overColumns } from '../../core/columns.ts'
import { createSeqIndex } from '../../core/seq-index.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { Book, BY_PLAYER, Order, PlayerOrders } from './columns.ts'
import { ordersByPlace } from './order-index.ts'

/** Open orders of a player, newest first. */
export function ordersOf(view: WorldView, player: Eid): Row[] {
  const next = view.read(Order).nextOfOwner
  const orders: Row[] = []
  for (let row = view.read(PlayerOrders).first[player]; row !== 0; row = next[row]) orders.push(row)
  return orders
}

/** Open orders of a player at a base. O(open orders of the player). */
export function ordersHere(view: WorldView, player: Eid, base: Eid): number {
  const { nextOfOwner, book } = view.read(Order)
  const { base: at } = view.read(Book)
  let count = 0
  for (let row = view.read(PlayerOrders).first[player]; row !== 0; row = nextOfOwner[row]) {
    if (at[book[row]] === base) count++
  }
  return count
}

/** Lists and indexes of orders; those of station managers are in none. */
export const orderLists = overColumns((columns) => {
  const { number, player, price, remaining, firstLot, escrowTax, ...order } = columns.of(Order)
  const { nextOfOwner, previousOfOwner } = order
  const { first, count } = columns.of(PlayerOrders)
  const places = ordersByPlace(columns)
  const numbers = createSeqIndex(number)

  const index = (row: Row): void => {
    places.put(row, price[row])
    numbers.add(row)
  }

  return {
    index,
    byNumber: (wanted: number): Row => numbers.get(wanted),

    clear(): void {
      places.clear()
      numbers.clear()
    },

    /** Enters a new order in the list of its player and the indexes. */
    list(row: Row): void {
      const owner = player[row]
      if (owner === 0) return
      const head = first[owner]
      nextOfOwner[row] = head
      if (head !== 0) previousOfOwner[head] = row
      first[owner] = row
      count[owner]++
      index(row)
    },

    /** An order has another price: it stands elsewhere. */
    move(row: Row, oldPrice: number, newPrice: number): void {
      places.remove(row, oldPrice)
      places.put(row, newPrice)
    },

    /** Strikes an order that has no units left; what it held has been noted before. */
    strike(row: Row): void {
      if (remaining[row] !== 0 || firstLot[row] !== 0) assert(false, `order ${row} has units`)
      if (escrowTax[row] !== 0) assert(false, `order ${row} holds credits`)
      const owner = player[row]
      if (owner === 0) return
      const next = nextOfOwner[row]
      const previous = previousOfOwner[row]
      if (previous === 0) first[owner] = next
      else nextOfOwner[previous] = next
      if (next !== 0) previousOfOwner[next] = previous
      count[owner]--
      places.remove(row, price[row])
      numbers.delete(row)
    },
  }
})

/** The open order of a player that has this number; 0 none. */
export const orderByNumber = (view: WorldView, number: number): Row =>
  orderLists(view.kernelColumns).byNumber(number)

/** Fills the indexes from the table, after a restore. */
export function rebuildOrders(world: World): void {
  const lists = orderLists(world.kernelColumns)
  const { alive, ownerKind } = world.read(Order)
  lists.clear()
  for (let row = 1; row <= world.highOf(Order); row++) {
    if (alive[row] === 1 && ownerKind[row] === BY_PLAYER) lists.index(row)
  }
}
