/**
 * After the kernel: what it made in staged rows gets rows of its own, what it used up is given
 * back. In the order of the requests, so that row numbers follow from what was accepted alone.
 */
import { defineIndex, type Row, type World } from '../../core/world.ts'
import { openBook } from './book.ts'
import { ASK, BID, Book, Fill, Level, Lot, Order, OrderRequest } from './columns.ts'
import { priceLevels } from './levels.ts'
import { restingLots } from './lots.ts'
import { dropOrder, listOrder, moveOrder } from './order-list.ts'
import { isModified } from './outcome.ts'

/** Rows that took the place of staged ones in this section: books and orders. */
const ADOPTED = defineIndex('market.adopted', () => ({
  books: new Map<Row, Row>(),
  orders: new Map<Row, Row>(),
}))

/** The book of a request that was entered without one: opened with the first order in it. */
function adoptBook(world: World, row: Row): void {
  const request = world.write(OrderRequest)
  const staged = request.book[row]
  if (!world.isStaged(Book, staged)) return
  const { books } = world.index(ADOPTED)
  const found = books.get(staged)
  if (found !== undefined) request.book[row] = found
  else if (request.into[row] !== 0) {
    request.book[row] = moveBook(world, staged)
    books.set(staged, request.book[row])
  }
}

function moveBook(world: World, staged: Row): Row {
  const book = world.write(Book)
  const to = openBook(world, book.base[staged], book.item[staged])
  const { worse, first, book: home } = world.write(Level)
  const { next, order } = world.read(Lot)
  const orders = world.write(Order)
  for (const side of [ASK, BID]) {
    for (const column of [book.best, book.root, book.lots]) {
      column[to * 2 + side] = column[staged * 2 + side]
    }
    for (let level = book.best[to * 2 + side]; level !== 0; level = worse[level]) {
      home[level] = to
      for (let lot = first[level]; lot !== 0; lot = next[lot]) orders.book[order[lot]] = to
    }
  }
  book.changedTick[to] = book.changedTick[staged]
  return to
}

/** The order a request opened; one that was used up in the same tick gets its number only. */
function adoptOrder(world: World, row: Row): void {
  const request = world.write(OrderRequest)
  const orders = world.write(Order)
  const staged = request.newOrder[row]
  const { orders: adopted } = world.index(ADOPTED)
  const into = request.into[row]
  if (into !== staged) {
    request.into[row] = adopted.get(into) ?? into
    return
  }
  orders.number[staged] = world.nextNumber('order')
  orders.createdMs[staged] = world.wallMs
  orders.createdTick[staged] = world.tick
  orders.book[staged] = request.book[row]
  if (orders.remaining[staged] === 0) return
  const to = world.adopt(Order, staged)
  const { order, nextOfOrder } = world.write(Lot)
  for (let lot = orders.firstLot[to]; lot !== 0; lot = nextOfOrder[lot]) order[lot] = to
  listOrder(world, to)
  adopted.set(staged, to)
  request.into[row] = to
}

/** Level and lot of a request, where they stand yet. */
function adoptPlace(world: World, row: Row): void {
  const { newLevel, newLot } = world.read(OrderRequest)
  if (world.read(Level).first[newLevel[row]] !== 0) {
    const to = world.adopt(Level, newLevel[row])
    priceLevels(world.kernelColumns).move(newLevel[row], to)
  }
  if (world.read(Lot).units[newLot[row]] !== 0) {
    const to = world.adopt(Lot, newLot[row])
    restingLots(world.kernelColumns).move(newLot[row], to)
  }
}

/** Gives rows to what the requests made. */
export function adoptAll(world: World, rows: Uint32Array): void {
  const request = world.read(OrderRequest)
  for (const row of rows) {
    adoptBook(world, row)
    if (request.into[row] !== 0) adoptOrder(world, row)
    else if (isModified(world, row)) {
      moveOrder(world, request.order[row], request.oldPrice[row], request.price[row])
    }
    adoptPlace(world, row)
  }
}

/** Gives back what the requests used up, and clears the staged rows. */
export function releaseAll(world: World, rows: Uint32Array): void {
  for (const row of rows) {
    releaseFills(world, row)
    releaseSpent(world, row)
    clearStaged(world, row)
  }
  const adopted = world.index(ADOPTED)
  adopted.books.clear()
  adopted.orders.clear()
}

function releaseFills(world: World, row: Row): void {
  const { firstFill, fills } = world.read(OrderRequest)
  const fill = world.read(Fill)
  for (let at = firstFill[row]; at < firstFill[row] + fills[row]; at++) {
    if (fill.spent[at] === 0) continue
    releaseLot(world, fill.lot[at])
    if (fill.level[at] !== 0) releaseLevel(world, fill.level[at])
    if (fill.closed[at] === 1 && !world.isStaged(Order, fill.order[at])) {
      dropOrder(world, fill.order[at])
    }
  }
}

/** What a modification or cancellation took off the book. */
function releaseSpent(world: World, row: Row): void {
  const { spentLots, spentLevel, closed, order } = world.read(OrderRequest)
  const { nextOfOrder } = world.read(Lot)
  for (let lot = spentLots[row]; lot !== 0; lot = nextOfOrder[lot]) releaseLot(world, lot)
  if (spentLevel[row] !== 0) releaseLevel(world, spentLevel[row])
  if (closed[row] === 1) dropOrder(world, order[row])
}

function releaseLot(world: World, lot: Row): void {
  if (!world.isStaged(Lot, lot)) world.release(Lot, lot)
}

function releaseLevel(world: World, level: Row): void {
  if (!world.isStaged(Level, level)) world.release(Level, level)
}

function clearStaged(world: World, row: Row): void {
  const { newOrder, newLot, newLevel } = world.read(OrderRequest)
  if (world.read(Order).book[newOrder[row]] !== 0) world.clearRow(Order, newOrder[row])
  if (world.read(Lot).order[newLot[row]] !== 0) world.clearRow(Lot, newLot[row])
  if (world.read(Level).book[newLevel[row]] !== 0) world.clearRow(Level, newLevel[row])
  const book = world.stagedRow(Book, row)
  if (world.read(Book).base[book] !== 0) world.clearRow(Book, book)
}
