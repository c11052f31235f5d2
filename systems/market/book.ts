/**
 * Books of the bases: finding and opening them, walking their levels, and what is derived of them.
 */
import { defineIndex, type Eid, type Row, type World, type WorldView } from '../../core/world.ts'
import { Book, Exchange, Level, type Side } from './columns.ts'
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
  const { alive, base, item } = world.read(Book)
  for (let row = 1; row <= world.highOf(Book); row++) {
    if (alive[row] === 1) books.set(bookKey(base[row], item[row]), row)
  }
  world.write(Book).root.fill(0, 0, (world.highOf(Book) + 1) * 2)
  const level = world.read(Level)
  const { insert } = priceTree(world.kernelColumns)
  for (let row = 1; row <= world.highOf(Level); row++) {
    if (level.alive[row] === 1) insert(level.book[row] * 2 + level.side[row], row)
  }
  rebuildOrders(world)
}
