/** Streams of orders on our order books: one book alone, and the exchanges of many bases. */
import { assert } from '../core/assert.ts'
import { Container, Stack } from '../core/goods.ts'
import { Account } from '../core/ledger.ts'
import { moduleUrl } from '../core/module-url.ts'
import { createParallel, type ParallelSection } from '../core/parallel.ts'
import type { SystemDef, Work } from '../core/system.ts'
import type { World } from '../core/types.ts'
import { createWorld } from '../core/world.ts'
import { Player } from '../systems/account/state.ts'
import { Base } from '../systems/base/state.ts'
import { adoptRows, releaseUsedUp, TRADE } from '../systems/market/adopt-rules.ts'
import { openBook } from '../systems/market/book-rules.ts'
import { restingLots } from '../systems/market/lots-kernels.ts'
import { playerCode } from '../systems/market/model.ts'
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
  OrderPlace,
  OrderRequest,
  PlayerOrders,
  REQUEST_KINDS,
} from '../systems/market/state.ts'
import { trading } from '../systems/market/systems.ts'
import { type OrderStream, outcomeOf } from './order-stream.ts'

const TAX_BPS = 250
const FEE_BPS = 100
const TICK = 1
const CREDITS = 1_000_000_000_000
const GOODS_HELD = 1_000_000_000
/** The most open orders and levels of the single book. */
const OPEN_ORDERS_MAX = 500_000
const LEVELS_MAX = 1_000
const LIMIT = REQUEST_KINDS.indexOf('limit')
const CANCEL = REQUEST_KINDS.indexOf('cancel')

/** The tables of exchanges. There is one world per isolate, so that its columns are constants. */
const WORLD = createWorld({
  players: Player,
  tables: [
    Account,
    Container,
    Stack,
    Player,
    Base,
    OrderRequest,
    Fill,
    OrderPlace,
    Exchange,
    Book,
    Level,
    Lot,
    Order,
    PlayerOrders,
    Managed,
  ],
  records: [],
  sections: new Map(),
  seed: 1,
  tickMs: 10_000,
  maxEntities: 1_000_000,
})

/**
 * Returns a function that runs a stream on a single book of levels, lots and orders and returns the
 * outcome. Each call uses a new book and new rows.
 */
export function bareBook() {
  const columns = WORLD.kernelColumns
  const lots = restingLots(columns)
  const { best } = columns.of(Book)
  const { price: levelPrice, first } = columns.of(Level)
  const lot = columns.of(Lot)
  const order = columns.of(Order)
  let books = 0
  /** Stacks of free rows: of lots and their orders, and of levels. */
  const free = new Uint32Array(OPEN_ORDERS_MAX)
  const freeLevels = new Uint32Array(LEVELS_MAX)
  let freeCount = 0
  let freeLevelCount = 0
  let trades = 0
  let traded = 0

  const place = (book: number, side: number, limit: number, units: number): number => {
    const sign = side === BID ? 1 : -1
    const other = book * 2 + 1 - side
    let left = units
    for (let level = best[other]; level !== 0 && left > 0; level = best[other]) {
      if (sign * levelPrice[level] > sign * limit) break
      const maker = first[level]
      const taken = Math.min(left, lot.units[maker])
      const emptied = lots.take(maker, taken, TICK)
      if (emptied !== 0) freeLevels[freeLevelCount++] = emptied
      if (lot.units[maker] === 0) free[freeCount++] = maker
      left -= taken
      trades++
      traded += taken
    }
    if (left === 0) return 0
    const row = free[--freeCount]
    order.book[row] = book
    order.side[row] = side
    order.price[row] = limit
    lot.order[row] = row
    lot.units[row] = left
    lot.owner[row] = row
    if (lots.add(row, freeLevels[freeLevelCount - 1], TICK)) freeLevelCount--
    return row
  }

  return (stream: OrderStream): string => {
    const { ops, cancels, buys, prices, units, targets } = stream
    const book = openBook(WORLD, 1, ++books)
    const rows = new Uint32Array(ops)
    const used = (books - 1) * OPEN_ORDERS_MAX
    for (let i = 0; i < OPEN_ORDERS_MAX; i++) free[i] = used + OPEN_ORDERS_MAX - i
    for (let i = 0; i < LEVELS_MAX; i++) freeLevels[i] = books * LEVELS_MAX - i
    freeCount = OPEN_ORDERS_MAX
    freeLevelCount = LEVELS_MAX
    trades = 0
    traded = 0
    for (let op = 0; op < ops; op++) {
      if (cancels[op] === 1) {
        const row = rows[targets[op]]
        const emptied = lots.clear(row, TICK)
        if (emptied !== 0) freeLevels[freeLevelCount++] = emptied
        free[freeCount++] = row
      } else rows[op] = place(book, buys[op] === 1 ? BID : ASK, prices[op], units[op])
    }
    return outcomeOf(trades, traded)
  }
}

/** The exchanges of many bases, each of which gets the same stream, one batch per tick. */
interface Exchanges {
  readonly world: World
  readonly ticks: number
  readonly section: ParallelSection
  /** Enters the requests of the next tick. */
  reset(): void
  readonly system: SystemDef
  /** Returns the outcome of all exchanges. */
  outcome(): string
}

interface Op {
  readonly row: number
  readonly base: number
  readonly book: number
  readonly op: number
}

/** Writes a request as `enter` does; players, accounts and stores do not exist. */
function enterRequest(stream: OrderStream, orders: Uint32Array, { row, base, book, op }: Op): void {
  const request = WORLD.write(OrderRequest)
  const isCancel = stream.cancels[op] === 1
  const placed = isCancel ? stream.targets[op] : op
  const side = stream.buys[placed] === 1 ? BID : ASK
  const player = stream.players[placed]
  WORLD.clearRow(OrderRequest, row)
  request.kind[row] = isCancel ? CANCEL : LIMIT
  request.command[row] = row
  request.player[row] = player
  request.owner[row] = playerCode(player)
  request.base[row] = base
  request.book[row] = book
  request.side[row] = side
  request.mayGrow[row] = 1
  request.ordersHereMax[row] = 0xffff
  request.fillsMax[row] = 0xffff
  request.newOrder[row] = WORLD.stagedRow(Order, row)
  request.newLot[row] = WORLD.stagedRow(Lot, row)
  request.newLevel[row] = WORLD.stagedRow(Level, row)
  if (isCancel) {
    request.order[row] = orders[placed]
    return
  }
  request.price[row] = stream.prices[op]
  request.units[row] = stream.units[op]
  request.taxBps[row] = side === BID ? TAX_BPS : 0
  request.feeBps[row] = FEE_BPS
  request.credits[row] = CREDITS
  request.goods[row] = GOODS_HELD
}

/** Runs the real kernel and distributes its rows, but without payments and answers. */
export async function exchanges(
  stream: OrderStream,
  bases: number,
  workers: number,
): Promise<Exchanges> {
  const { batch, ops } = stream
  const requests = batch * bases
  const books = Array.from({ length: bases }, (_, i) => openBook(WORLD, i + 1, 1))
  const orders = books.map(() => new Uint32Array(ops))
  const { into, firstFill, fills, fillsEnd } = WORLD.kernelColumns.of(OrderRequest)
  const fill = WORLD.kernelColumns.of(Fill)
  const fillsEach = Math.floor((fill.lot.length - 1) / bases)
  const rows = Uint32Array.from({ length: requests }, (_, i) => i + 1)
  const partEnds = Uint32Array.from({ length: bases }, (_, i) => (i + 1) * batch)
  const work: Work = { rows, partEnds, estimateNs: requests * 1_000 }
  let tick = -1
  let trades = 0
  let traded = 0

  const count = (base: number): void => {
    const from = base * batch + 1
    const last = from + batch - 1
    for (let i = 0; i < batch; i++) orders[base][tick * batch + i] = into[from + i]
    for (let at = firstFill[from]; at < firstFill[last] + fills[last]; at++) {
      trades++
      traded += fill.units[at]
    }
  }
  const system: SystemDef = {
    ...trading,
    split: {
      ...TRADE,
      prepare: () => work,
      apply(world) {
        adoptRows(world, rows)
        for (let base = 0; base < bases; base++) count(base)
        releaseUsedUp(world, rows)
      },
    },
  }
  return {
    world: WORLD,
    ticks: ops / batch,
    system,
    section: await createParallel({
      layout: WORLD.layout,
      buffer: WORLD.buffer,
      columns: WORLD.kernelColumns,
      systems: [system],
      workers,
      threadFile: moduleUrl(import.meta.url, '../kernel-thread').href,
      breakEvenNs: 0,
    }),
    reset() {
      WORLD.recycle()
      tick++
      assert((tick + 1) * batch <= ops, 'the stream is at its end')
      for (let base = 0; base < bases; base++) {
        const from = base * batch + 1
        for (let i = 0; i < batch; i++) {
          const [row, book] = [from + i, books[base]]
          enterRequest(stream, orders[base], { row, base: base + 1, book, op: tick * batch + i })
        }
        firstFill[from] = base * fillsEach + 1
        fillsEnd[from] = (base + 1) * fillsEach + 1
      }
    },
    outcome: () => outcomeOf(trades, traded),
  }
}
