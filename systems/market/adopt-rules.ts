/**
 * The section that runs the kernel on the requests of a tick, base by base, and what follows: rows
 * that the kernel staged are adopted (get permanent rows), credits and goods move, commands are
 * answered, and used-up rows are released. All of it in the order of the requests, so that row
 * numbers depend only on accepted requests. Source: market.md section 10, E3.
 */
import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import { overColumns, rowsOf } from '../../core/columns.ts'
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import type { SplitDef, Work } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { Giving, Player, PlayerStats } from '../account/state.ts'
import { FactionFeats, PlayerFeats } from '../achievement/state.ts'
import { Locker } from '../cargo/state.ts'
import { FactionStore } from '../faction/state.ts'
import { CriminalRecord } from '../law/state.ts'
import { Mission } from '../mission/state.ts'
import { Ship } from '../ship/state.ts'
import { PlayerSkills } from '../skill/state.ts'
import { CorporateLedger, TaxLedger } from '../tax/state.ts'
import { orderLists } from './book-model.ts'
import { closeStoreBook, openBook, openStoreBook } from './book-rules.ts'
import { kernelsFile, trade } from './kernels.ts'
import { priceLevels } from './levels-kernels.ts'
import { restingLots } from './lots-kernels.ts'
import { isModified } from './model.ts'
import { ADOPTED_BOOKS, ENTERED, type EnteredCommand } from './order-index-state.ts'
import { settleRequest } from './settle-request-rules.ts'
import {
  ASK,
  BID,
  Book,
  Exchange,
  Fill,
  Level,
  Lot,
  Managed,
  Order,
  OrderRequest,
  PlayerOrders,
  TradedDays,
  TradeStanding,
} from './state.ts'

/** Tables that trading writes, with its taxes, statistics and stores. */
export const TRADE_WRITES: readonly TableDef[] = [
  Account,
  Book,
  Container,
  CorporateLedger,
  CriminalRecord,
  Exchange,
  FactionFeats,
  FactionStore,
  Giving,
  Level,
  Locker,
  Lot,
  Managed,
  Mission,
  Order,
  OrderRequest,
  Player,
  PlayerFeats,
  PlayerOrders,
  PlayerSkills,
  PlayerStats,
  Ship,
  Stack,
  TaxLedger,
  TradeStanding,
  TradedDays,
]

/** Opens a permanent book for a request with a staged one, if an order rests in it. */
function adoptBook(world: World, row: Row): void {
  const request = world.write(OrderRequest)
  const staged = request.book[row]
  if (!world.isStaged(Book, staged)) return
  const adopted = world.index(ADOPTED_BOOKS)
  const found = adopted.get(staged)
  if (found !== undefined) request.book[row] = found
  else if (request.into[row] !== 0) {
    request.book[row] = moveBook(world, staged)
    adopted.set(staged, request.book[row])
  }
}

/** Moves a staged book, with its levels and orders, into a permanent one; returns that one. */
function moveBook(world: World, staged: Row): Row {
  const book = world.write(Book)
  const { base, faction, item } = book
  const to =
    faction[staged] === 0
      ? openBook(world, base[staged], item[staged])
      : openStoreBook(world, base[staged], faction[staged], item[staged])
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

/** Adopts and releases orders, levels and lots of requests. */
const adopter = overColumns((columns) => {
  const { newOrder, newLevel, newLot, into, book, ...request } = columns.of(OrderRequest)
  const { usesLevel, usesLot } = request
  const { firstFill, fills, spentLots, spentLevel, closed, order: changed } = request
  const fill = columns.of(Fill)
  const orders = columns.of(Order)
  const { first: firstOfLevel } = columns.of(Level)
  const { order: orderOfLot, nextOfOrder, units } = columns.of(Lot)
  const levels = priceLevels(columns)
  const lots = restingLots(columns)
  const lists = orderLists(columns)

  /** Releases a row, unless it is a staged one. */
  const release = (world: World, table: typeof Lot | typeof Level, row: Row): void => {
    if (!world.isStaged(table, row)) world.release(table, row)
  }
  const drop = (world: World, order: Row): void => {
    if (world.isStaged(Order, order)) return
    lists.remove(order)
    world.release(Order, order)
  }

  return {
    /**
     * Adopts the order that a request opened; one that was used up at once only gets its number and
     * its time, for the answer.
     */
    order(world: World, row: Row): void {
      const staged = newOrder[row]
      if (into[row] !== staged) {
        // An earlier request of the command opened the order, and its row has been updated by now.
        if (world.isStaged(Order, into[row])) into[row] = into[world.stagedFor(Order, into[row])]
        return
      }
      orders.number[staged] = world.nextNumber('order')
      orders.createdMs[staged] = world.wallMs
      orders.createdTick[staged] = world.tick
      orders.book[staged] = book[row]
      if (orders.remaining[staged] === 0) return
      const to = world.adopt(Order, staged)
      for (let lot = orders.firstLot[to]; lot !== 0; lot = nextOfOrder[lot]) orderOfLot[lot] = to
      lists.add(to)
      into[row] = to
    },

    /** Adopts the level and lot of a request, if they are still in the book. */
    place(world: World, row: Row): void {
      if (usesLevel[row] === 1 && firstOfLevel[newLevel[row]] !== 0) {
        levels.move(newLevel[row], world.adopt(Level, newLevel[row]))
      }
      if (usesLot[row] === 1 && units[newLot[row]] !== 0) {
        lots.move(newLot[row], world.adopt(Lot, newLot[row]))
      }
    },

    /** Releases the lots, levels and orders that the trades of a request used up. */
    releaseFills(world: World, row: Row): void {
      for (let fillRow = firstFill[row]; fillRow < firstFill[row] + fills[row]; fillRow++) {
        if (fill.spent[fillRow] === 0) continue
        release(world, Lot, fill.lot[fillRow])
        if (fill.level[fillRow] !== 0) release(world, Level, fill.level[fillRow])
        if (fill.closed[fillRow] === 1) drop(world, fill.order[fillRow])
      }
    },

    /** Releases the lots, level and order that a modification or cancellation removed. */
    releaseSpent(world: World, row: Row): void {
      for (let lot = spentLots[row]; lot !== 0; lot = nextOfOrder[lot]) release(world, Lot, lot)
      if (spentLevel[row] !== 0) release(world, Level, spentLevel[row])
      if (closed[row] === 1) drop(world, changed[row])
    },
  }
})

/** Adopts the rows that the kernel staged for the requests. */
export function adoptRows(world: World, rows: Uint32Array): void {
  const adopt = adopter(world.kernelColumns)
  const lists = orderLists(world.kernelColumns)
  const { into, order, oldPrice, price } = world.read(OrderRequest)
  world.write(PlayerOrders)
  for (const row of rows) {
    adoptBook(world, row)
    if (into[row] !== 0) adopt.order(world, row)
    else if (isModified(world, row)) lists.move(order[row], oldPrice[row], price[row])
    adopt.place(world, row)
  }
}

/** Closes the books of company stores that a request has emptied. */
function closeEmptiedStoreBooks(world: World, row: Row): void {
  const { book, otherBook } = world.read(OrderRequest)
  const { alive, faction } = world.read(Book)
  for (const home of [book[row], otherBook[row]]) {
    if (home === 0 || world.isStaged(Book, home)) continue
    if (alive[home] === 1 && faction[home] !== 0) closeStoreBook(world, home)
  }
}

/** Releases all rows that the requests used up. */
export function releaseUsedUp(world: World, rows: Uint32Array): void {
  const { releaseFills, releaseSpent } = adopter(world.kernelColumns)
  world.write(PlayerOrders)
  for (const row of rows) {
    releaseFills(world, row)
    releaseSpent(world, row)
  }
  for (const row of rows) closeEmptiedStoreBooks(world, row)
  world.index(ADOPTED_BOOKS).clear()
}

/** Measured cost of a request in the kernel, rounded up, nanoseconds. */
const REQUEST_NS = 1_000
/** Fills of a request beyond those that use up a lot: its matches may end within a lot. */
const FILLS_BESIDE_LOTS = 3

/**
 * Sorts the requests by base, then in the order of entry (by initiative); each base is one part.
 */
function prepare(world: World): Work | undefined {
  const { rows: count } = world.index(ENTERED)
  if (count === 0) return undefined
  const { base } = world.read(OrderRequest)
  const found = Array.from({ length: count }, (_, i) => i + 1)
  found.sort((a, b) => base[a] - base[b] || a - b)
  const rows = Uint32Array.from(found)
  const ends = found.flatMap((row, i) =>
    i + 1 < count && base[found[i + 1]] === base[row] ? [] : [i + 1],
  )
  const partEnds = Uint32Array.from(ends)
  shareFills(world, rows, partEnds)
  return { rows, partEnds, estimateNs: count * REQUEST_NS }
}

/** Does what the kernel cannot: adopts rows, moves credits and goods, answers commands. */
function apply(world: World, work: Work): void {
  const { command } = world.read(OrderRequest)
  const entered = world.index(ENTERED)
  const commands = new Map<Row, EnteredCommand>(
    entered.commands.map((found) => [found.rows[0], found]),
  )
  adoptRows(world, work.rows)
  for (const row of work.rows) {
    const first = command[row] === row ? commands.get(row) : undefined
    if (!first) continue
    const done = first.rows.map((request) => settleRequest(world, request, first.payer))
    first.reply(world, done)
  }
  releaseUsedUp(world, work.rows)
  entered.rows = 0
  entered.commands.length = 0
  entered.books.clear()
  entered.reserved.clear()
}

/** The section that processes requests; systems that enter requests outside `act` run it too. */
export const TRADE: SplitDef = {
  writes: [OrderRequest, Fill, Exchange, Book, Level, Lot, Order],
  file: kernelsFile,
  kernel: 'trade',
  prepare,
  apply,
}

/**
 * Returns the most fills that a part can make: one for each lot in its books, plus
 * FILLS_BESIDE_LOTS for each request.
 */
function maxFills(world: World, rows: Uint32Array): number {
  const { book, otherBook } = world.read(OrderRequest)
  const { lots } = world.read(Book)
  let max = rows.length * FILLS_BESIDE_LOTS
  const seen = new Set<Row>()
  for (const row of rows) seen.add(book[row]).add(otherBook[row])
  for (const home of seen) {
    max += lots[home * 2] + lots[home * 2 + 1]
  }
  return max
}

/**
 * Gives each part as many rows of the outbox as it can need. If there are too few rows for all,
 * each part gets a proportional share, and matches may end early.
 */
function shareFills(world: World, rows: Uint32Array, partEnds: Uint32Array): void {
  const request = world.write(OrderRequest)
  const room = rowsOf(Fill, world.maxEntities)
  const starts = [0, ...partEnds]
  const max = Array.from(partEnds, (to, i) => maxFills(world, rows.subarray(starts[i], to)))
  const sum = max.reduce((total, count) => total + count, 0)
  let next = 1
  for (const [i, wanted] of max.entries()) {
    const first = rows[starts[i]]
    request.firstFill[first] = next
    next += sum <= room ? wanted : mulDivFloor(wanted, room, sum)
    request.fillsEnd[first] = next
  }
  assert(next <= room + 1, 'the outbox of fills is too small')
}

/** Processes entered requests at once, on this thread: for the first quotes of a new world. */
export function tradeNow(world: World): void {
  const work = prepare(world)
  if (!work) return
  for (const table of TRADE.writes) world.write(table)
  const run = trade(world.kernelColumns)
  let from = 0
  for (const to of work.partEnds) {
    run(work.rows, from, to, { seed: world.seed, tick: world.tick })
    from = to
  }
  apply(world, work)
}
