/**
 * Books of the bases: finding and opening them, walking their levels, and what is derived of them.
 */
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { ASK, BID, Book, Exchange, Level, type Side } from './columns.ts'
import { priceTree } from './levels.ts'
import { rebuildOrders } from './order-list.ts'

/** Book row by base and item. */
const BOOKS = defineIndex('market.books', () => new Map<number, Row>())
const ITEMS = 0x10000
const bookKey = (base: Row, item: number): number => base * ITEMS + item

/** The book of an item at a base; 0 if nothing was ever ordered there. */
export function bookOf(view: WorldView, base: Eid, item: number): Row {
  return view.index(BOOKS).get(bookKey(base, item)) ?? 0
}

/** Books of company stores, by base, then by faction and item. */
const STORES = defineIndex('market.store_books', () => new Map<Row, Map<number, Row>>())

/** The book of an item in a faction's company store at a base; 0 if it offers or wants none. */
export function storeBook(view: WorldView, base: Eid, faction: Row, item: number): Row {
  return view.index(STORES).get(base)?.get(bookKey(faction, item)) ?? 0
}

/** Books of a base's company stores: of one faction ascending by item, or all of them. */
export function storeBooksAt(view: WorldView, base: Eid, faction?: Row): Row[] {
  const book = view.read(Book)
  return [...(view.index(STORES).get(base)?.values() ?? [])]
    .filter((row) => faction === undefined || book.faction[row] === faction)
    .sort((a, b) => book.faction[a] - book.faction[b] || book.item[a] - book.item[b])
}

/** Bases at which some company store has a book. */
export const basesWithStores = (view: WorldView): Row[] =>
  [...view.index(STORES).keys()].sort((a, b) => a - b)

function indexStore(world: World, row: Row): void {
  const { base, faction, item } = world.read(Book)
  const stores = world.index(STORES)
  const books = stores.get(base[row]) ?? new Map<number, Row>()
  stores.set(base[row], books)
  books.set(bookKey(faction[row], item[row]), row)
}

/** As storeBook, making the book when there is none. */
export function openStoreBook(world: World, base: Eid, faction: Row, item: number): Row {
  const found = storeBook(world, base, faction, item)
  if (found !== 0) return found
  const row = world.take(Book)
  const book = world.write(Book)
  book.base[row] = base
  book.item[row] = item
  book.faction[row] = faction
  indexStore(world, row)
  return row
}

/** Gives up the book of a company store if nothing rests in it. */
export function closeStoreBook(world: World, row: Row): void {
  const { base, faction, item, best } = world.read(Book)
  if (faction[row] === 0 || best[row * 2 + ASK] !== 0 || best[row * 2 + BID] !== 0) return
  const stores = world.index(STORES)
  const books = stores.get(base[row])
  const key = bookKey(faction[row], item[row])
  if (books?.get(key) !== row) return
  books.delete(key)
  if (books.size === 0) stores.delete(base[row])
  world.release(Book, row)
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

/** Fills the indexes of books and orders and the trees of levels, after a restore. */
export function rebuildBooks(world: World): void {
  const books = world.index(BOOKS)
  books.clear()
  world.index(STORES).clear()
  const { alive, base, faction, item } = world.read(Book)
  for (let row = 1; row <= world.highOf(Book); row++) {
    if (alive[row] === 0) continue
    if (faction[row] === 0) books.set(bookKey(base[row], item[row]), row)
    else indexStore(world, row)
  }
  world.write(Book).root.fill(0, 0, (world.highOf(Book) + 1) * 2)
  const level = world.read(Level)
  const { insert } = priceTree(world.kernelColumns)
  for (let row = 1; row <= world.highOf(Level); row++) {
    if (level.alive[row] === 1) insert(level.book[row] * 2 + level.side[row], row)
  }
  rebuildOrders(world)
}
