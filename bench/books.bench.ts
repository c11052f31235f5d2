/**
 * Order books: limit orders and cancellations on 500 price levels. Compares the book alone with the
 * usual npm package, and measures exchanges with fees, taxes, escrow and a row for each trade.
 */
import { OrderBook, Side } from 'nodejs-order-book'
import { assert } from '../core/assert.ts'
import type { BenchDef, Sample, Size } from './bench.ts'
import { bareBook, exchanges } from './order-books.ts'
import { type OrderStream, orderStream, outcomeOf } from './order-stream.ts'
import { type SectionMs, timeSection } from './sections.ts'

const OPS = { tiny: 4_000, full: 1_000_000 }
const BATCHES = 100
const WARM_UP_OPS = 100_000
/** Number of exchanges: enough that no side of a book exceeds 20,000 lots. */
const BASES = { tiny: 4, full: 50 }
/** Ticks of the exchanges that are not measured. */
const WARM_UP_TICKS = 10

const expected = ({ trades, traded }: OrderStream, times = 1): string =>
  outcomeOf(trades * times, traded * times)

function peerBook(stream: OrderStream): string {
  const book = new OrderBook()
  const { cancels, buys, prices, units, targets } = stream
  const ids = Array.from({ length: stream.ops }, (_, op) => String(op))
  let trades = 0
  let traded = 0
  for (let op = 0; op < stream.ops; op++) {
    if (cancels[op] === 1) {
      book.cancel(ids[targets[op]])
      continue
    }
    const id = ids[op]
    const side = buys[op] === 1 ? Side.BUY : Side.SELL
    const done = book.limit({ side, id, size: units[op], price: prices[op] })
    if (done.quantityLeft === units[op]) continue
    traded += units[op] - done.quantityLeft
    for (const order of done.done) if (order.id !== id) trades++
    if (done.partial && done.partial.id !== id) trades++
  }
  return outcomeOf(trades, traded)
}

/** Returns both streams of a size and the hash that all variants must have. */
function streamsOf(size: Size): { one: OrderStream; each: OrderStream; hash: string } {
  const one = orderStream(OPS[size], BATCHES)
  const each = orderStream(OPS[size] / BASES[size], BATCHES)
  return { one, each, hash: `${expected(one)}; ${expected(each, BASES[size])}` }
}

async function oneBook(
  size: Size,
  name: string,
  run: (stream: OrderStream) => string,
): Promise<Sample> {
  const { one, hash } = streamsOf(size)
  if (size === 'full') run(orderStream(WARM_UP_OPS, BATCHES))
  const since = performance.now()
  const outcome = run(one)
  const ms = performance.now() - since
  assert(outcome === expected(one), `${name}: ${outcome}, not ${expected(one)}`)
  return { medianMs: { [name]: ms }, rows: one.ops, hash }
}

async function timed(stream: OrderStream, bases: number, workers: number): Promise<SectionMs> {
  const { section, system, ticks, reset, outcome, world } = await exchanges(stream, bases, workers)
  const sum = { prepare: 0, kernel: 0, apply: 0 }
  for (let tick = 0; tick < ticks; tick++) {
    reset()
    const ms = timeSection(section, world, system)
    section.endTick()
    await section.settled()
    if (tick < WARM_UP_TICKS) continue
    sum.kernel += ms.kernel
    sum.apply += ms.apply
  }
  await section.close()
  assert(outcome() === expected(stream, bases), `${bases} exchanges: ${outcome()}`)
  return sum
}

async function manyBooks(size: Size, workers: number, name: string): Promise<Sample> {
  const { each, hash } = streamsOf(size)
  const { kernel, apply } = await timed(each, BASES[size], workers)
  const medianMs = {
    [`exchange kernel, ${name}`]: kernel,
    [`distributing and collecting rows, ${name}`]: apply,
  }
  const rows = (OPS[size] * (BATCHES - WARM_UP_TICKS)) / BATCHES
  return { medianMs, rows, hash }
}

const VARIANTS: Readonly<Record<string, (size: Size) => Promise<Sample>>> = {
  'the book alone': (size) => oneBook(size, 'the book alone', bareBook()),
  'one thread': (size) => manyBooks(size, 0, 'one thread'),
  'two threads': (size) => manyBooks(size, 1, 'two threads'),
  'nodejs-order-book': (size) => oneBook(size, 'nodejs-order-book', peerBook),
}

/** Operations per tick and base of the cost curve, and the most bases in a tick. */
const CURVE_OPS = 200
const CURVE_BASES_MAX = 1_000
/** Operations per point of the curve: the orders they leave open must fit in the table. */
const CURVE_OPS_MAX = 3_000_000

export const bench: BenchDef = {
  name: 'books',
  about:
    '1,000,000 operations on 500 price levels, 30 % of them cancellations: one book alone (levels, lots, orders) ' +
    'and npm nodejs-order-book with the same trades; 50 exchanges with requests, fees, taxes, escrow and a row for ' +
    'each trade, on one thread and on two, and what the world thread does with the rows afterwards.',
  rounds: 2,
  variants: Object.keys(VARIANTS),
  lines: [
    { of: 'nodejs-order-book', against: 'the book alone', atLeast: 100 },
    { of: 'the book alone', unit: 'rows/s', atLeast: 5_000_000, ofMemory: true },
    { of: 'exchange kernel, one thread', unit: 'rows/s', atLeast: 1_000_000, ofMemory: true },
    { of: 'exchange kernel, one thread', against: 'exchange kernel, two threads' },
  ],
  run: (size, variant) => VARIANTS[variant](size),
  async curve(rows, workers) {
    const bases = Math.round(rows / CURVE_OPS)
    // A tick accepts no more requests.
    if (bases > CURVE_BASES_MAX) return null
    const ticks = Math.min(BATCHES, Math.floor(CURVE_OPS_MAX / rows))
    const { kernel } = await timed(orderStream(CURVE_OPS * ticks, ticks), bases, workers)
    return kernel / (ticks - WARM_UP_TICKS)
  },
}
