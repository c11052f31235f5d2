/**
 * Whose orders there are: the list of each player, and the indexes by which orders are found. The
 * world thread keeps them; kernels only look.
 */
import { assert } from '../../core/assert.ts'
import { overColumns } from '../../core/columns.ts'
import { createSeqIndex } from '../../core/seq-index.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Book, BY_STATION, Order, PlayerOrders } from './columns.ts'
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
  const { nextOfOwner, previousOfOwner, faction } = order
  const { first, count } = columns.of(PlayerOrders)
  const places = ordersByPlace(columns)
  const numbers = createSeqIndex(number)

  /** Open orders by faction. */
  const ofFactions = new Map<Row, Set<Row>>()

  const index = (row: Row): void => {
    places.put(row, price[row])
    numbers.add(row)
    if (faction[row] === 0) return
    const found = ofFactions.get(faction[row])
    if (found) found.add(row)
    else ofFactions.set(faction[row], new Set([row]))
  }

  const unindex = (row: Row): void => {
    places.remove(row, price[row])
    numbers.delete(row)
    if (faction[row] === 0) return
    const found = ofFactions.get(faction[row])
    assert(found?.delete(row), `order ${row} is in no list of its faction`)
    if (found?.size === 0) ofFactions.delete(faction[row])
  }

  /** Strikes an order from the list of its player. */
  const unlist = (row: Row): void => {
    const owner = player[row]
    if (owner === 0) return
    const next = nextOfOwner[row]
    const previous = previousOfOwner[row]
    if (previous === 0) first[owner] = next
    else nextOfOwner[previous] = next
    if (next !== 0) previousOfOwner[next] = previous
    count[owner]--
  }

  return {
    index,
    byNumber: (wanted: number): Row => numbers.get(wanted),

    /** Of a faction, newest first. */
    ofFaction(of: Row): Row[] {
      return [...(ofFactions.get(of) ?? [])].sort((a, b) => number[b] - number[a])
    },

    clear(): void {
      places.clear()
      numbers.clear()
      ofFactions.clear()
    },

    /** Enters a new order in the list of its owner and the indexes. */
    list(row: Row): void {
      const owner = player[row]
      if (owner === 0 && faction[row] === 0) return
      if (owner !== 0) {
        const head = first[owner]
        nextOfOwner[row] = head
        if (head !== 0) previousOfOwner[head] = row
        first[owner] = row
        count[owner]++
      }
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
      if (player[row] === 0 && faction[row] === 0) return
      unlist(row)
      unindex(row)
    },
  }
})

/** Open orders of a faction, newest first. */
export const factionOrders = (view: WorldView, faction: Row): Row[] =>
  orderLists(view.kernelColumns).ofFaction(faction)

/** Open orders of a faction at a base: those in its company store, or the public ones. */
export function factionOrdersHere(
  view: WorldView,
  faction: Row,
  base: Eid,
  isPrivate: boolean,
): number {
  const { book } = view.read(Order)
  const { base: at, faction: store } = view.read(Book)
  return factionOrders(view, faction).filter(
    (row) => at[book[row]] === base && (store[book[row]] !== 0) === isPrivate,
  ).length
}

/** The open order of a player or a faction that has this number; 0 none. */
export const orderByNumber = (view: WorldView, number: number): Row =>
  orderLists(view.kernelColumns).byNumber(number)

/** Fills the indexes from the table, after a restore. */
export function rebuildOrders(world: World): void {
  const lists = orderLists(world.kernelColumns)
  const { alive, ownerKind } = world.read(Order)
  lists.clear()
  for (let row = 1; row <= world.highOf(Order); row++) {
    if (alive[row] === 1 && ownerKind[row] !== BY_STATION) lists.index(row)
  }
}
