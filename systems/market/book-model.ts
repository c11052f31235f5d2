/**
 * Lookups of books by base, item and company store, and of open orders by owner and number. The
 * world thread writes the lists and indexes; kernels only read them.
 */
import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { overColumns } from '../../core/columns.ts'
import { addToSet } from '../../core/groups.ts'
import { balanceOf } from '../../core/ledger.ts'
import { createSeqIndex } from '../../core/seq-index.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areAllied, walletOf } from '../account/model.ts'
import { bandPriceOf } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionOf, treasuryOf } from '../faction/model.ts'
import { facilityOfStore, type StorePlace } from '../faction/store-model.ts'
import { fuelBidMax, ownerOfBase } from '../station/model.ts'
import { Station } from '../station/state.ts'
import { BOOKS, ordersByPlace, STORE_BOOKS } from './order-index-state.ts'
import { Book, Exchange, Order, PlayerOrders, type Side } from './state.ts'

/* Books */

const ITEMS = 0x10000
/** Returns the key of a book by base (or faction, in a company store) and item. */
export const bookKey = (base: Row, item: number): number => base * ITEMS + item

/** Returns the public book of an item at a base; 0 if nobody has ever placed an order there. */
export function bookOf(view: WorldView, base: Eid, item: number): Row {
  return view.index(BOOKS).get(bookKey(base, item)) ?? 0
}

/** Returns the book of an item in a faction's company store at a base; 0 if it has no orders. */
export function storeBook(view: WorldView, base: Eid, faction: Row, item: number): Row {
  return view.index(STORE_BOOKS).get(base)?.get(bookKey(faction, item)) ?? 0
}

/** Returns the books of company stores at a base, of one faction or all, by faction, then item. */
export function storeBooksAt(view: WorldView, base: Eid, faction?: Row): Row[] {
  const book = view.read(Book)
  return [...(view.index(STORE_BOOKS).get(base)?.values() ?? [])]
    .filter((row) => faction === undefined || book.faction[row] === faction)
    .sort((a, b) => book.faction[a] - book.faction[b] || book.item[a] - book.item[b])
}

/** Returns the bases at which some company store has a book. */
export const basesWithStores = (view: WorldView): Row[] =>
  [...view.index(STORE_BOOKS).keys()].sort((a, b) => a - b)

/** Returns the public books of a base, ascending by item. */
export function booksAt(view: WorldView, base: Eid): Row[] {
  const next = view.read(Book).next
  const books: Row[] = []
  for (let row = view.read(Exchange).firstBook[base]; row !== 0; row = next[row]) books.push(row)
  return books
}

/** Returns the best level of a side; 0 if it is empty. */
export const bestLevel = (view: WorldView, book: Row, side: Side): Row =>
  view.read(Book).best[book * 2 + side]

/* Orders */

/** Returns the open orders of a player, newest first. */
export function ordersOf(view: WorldView, player: Eid): Row[] {
  const next = view.read(Order).nextOfOwner
  const orders: Row[] = []
  for (let row = view.read(PlayerOrders).first[player]; row !== 0; row = next[row]) orders.push(row)
  return orders
}

/** Counts the open orders of a player at a base. O(open orders of the player). */
export function ordersHere(view: WorldView, player: Eid, base: Eid): number {
  const { nextOfOwner, book } = view.read(Order)
  const { base: baseOf } = view.read(Book)
  let count = 0
  for (let row = view.read(PlayerOrders).first[player]; row !== 0; row = nextOfOwner[row]) {
    if (baseOf[book[row]] === base) count++
  }
  return count
}

/** Maintains the lists and indexes of orders; orders of station managers are not in them. */
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
    addToSet(ofFactions, faction[row], row)
  }

  const unindex = (row: Row): void => {
    places.remove(row, price[row])
    numbers.delete(row)
    if (faction[row] === 0) return
    const found = ofFactions.get(faction[row])
    assert(found?.delete(row), `order ${row} is in no list of its faction`)
    if (found?.size === 0) ofFactions.delete(faction[row])
  }

  /** Removes an order from the list of its player. */
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

    /** Returns the orders of a faction, newest first. */
    ofFaction(owner: Row): Row[] {
      return [...(ofFactions.get(owner) ?? [])].sort((a, b) => number[b] - number[a])
    },

    clear(): void {
      places.clear()
      numbers.clear()
      ofFactions.clear()
    },

    /** Adds a new order to the list of its owner and to the indexes. */
    add(row: Row): void {
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

    /** Indexes an order under its new price. */
    move(row: Row, oldPrice: number, newPrice: number): void {
      places.remove(row, oldPrice)
      places.put(row, newPrice)
    },

    /** Removes an order that has no units left; the caller has returned what it held. */
    remove(row: Row): void {
      if (remaining[row] !== 0 || firstLot[row] !== 0) assert(false, `order ${row} has units`)
      if (escrowTax[row] !== 0) assert(false, `order ${row} holds credits`)
      if (player[row] === 0 && faction[row] === 0) return
      unlist(row)
      unindex(row)
    },
  }
})

/** Returns the open orders of a faction, newest first. */
export const factionOrders = (view: WorldView, faction: Row): Row[] =>
  orderLists(view.kernelColumns).ofFaction(faction)

/**
 * Counts the open orders of a faction at a base: either in its company store or the public ones.
 */
export function factionOrdersHere(
  view: WorldView,
  faction: Row,
  base: Eid,
  isPrivate: boolean,
): number {
  const { book } = view.read(Order)
  const { base: baseOf, faction: store } = view.read(Book)
  return factionOrders(view, faction).filter(
    (row) => baseOf[book[row]] === base && (store[book[row]] !== 0) === isPrivate,
  ).length
}

/** Returns the open order of a player or a faction with a number; 0 if there is none. */
export const orderByNumber = (view: WorldView, number: number): Row =>
  orderLists(view.kernelColumns).byNumber(number)

/* Owners: players and factions */

/** A party to a trade: a player, or a faction for which a member acts. */
export interface Party {
  /** The player, or the member who acts for the faction. */
  readonly player: Eid
  /** The faction; 0 if the player acts for themselves. */
  readonly faction: Row
}

/** Returns the ledger account of a party: wallet or treasury. */
export const accountOf = (view: WorldView, { player, faction }: Party): Row =>
  faction === 0 ? walletOf(view, player) : treasuryOf(view, faction)

/**
 * Returns whether two parties are related (allied players, or a faction and its member): their
 * trade says nothing about the market. Source: market.md section 4.
 */
export function areRelated(view: WorldView, one: Party, other: Party): boolean {
  if (one.faction !== 0 && other.faction !== 0) return one.faction === other.faction
  if (one.faction !== 0) return factionOf(view, other.player) === one.faction
  if (other.faction !== 0) return factionOf(view, one.player) === other.faction
  return areAllied(view, one.player, other.player)
}

/** Returns the store of a bucket; the main store if the bucket's facility no longer exists. */
export function storeOfBucket(
  view: WorldView,
  faction: Row,
  base: Eid,
  bucket: number,
): StorePlace {
  const place = { faction, base, bucket }
  return facilityOfStore(view, place) === 0 ? { ...place, bucket: 0 } : place
}

/* Fuel, which stations buy for their tanks. Source: travel.md section 7. */

/** Index into GOODS of fuel. */
export const FUEL = itemIndex('fuel')

export const isFuel = (item: number): boolean => item === FUEL

/** Highest price that a station pays for a unit, credits. Source: travel.md section 7. */
const FUEL_PRICE_MAX = 10

interface FuelSale {
  readonly units: number
  readonly credits: number
}

/**
 * Quotes how many of these units a station buys, and for how much: each unit at one credit below
 * the band price that holds after it, up to the station's highest price, until the tank is full or
 * funds run out. A station of a faction buys only if its owner has allowed it.
 */
export function quoteFuelSale(view: WorldView, base: Eid, units: number): FuelSale {
  const { fuel, fuelMax, manager } = view.read(Base)
  if (ownerOfBase(view, base) !== 0 && view.read(Station).buysFuel[base] === 0) {
    return { units: 0, credits: 0 }
  }
  const priceMax = Math.min(FUEL_PRICE_MAX, fuelBidMax(view, base))
  const funds = balanceOf(view, manager[base])
  const room = fuelMax[base] - fuel[base]
  let credits = 0
  let bought = 0
  while (bought < units && bought < room) {
    const band = bandPriceOf(fuel[base] + bought + 1, fuelMax[base])
    const price = Math.min(priceMax, band - 1)
    if (price < 1 || credits + price > funds) break
    credits += price
    bought++
  }
  return { units: bought, credits }
}
