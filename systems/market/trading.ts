/**
 * Exchange orders of a tick: gathers the requests, has the kernel work them out base by base, then
 * gives rows, moves credits and goods, and answers. Source: market.md section 10, E3.
 */
import { assert } from '../../core/assert.ts'
import { rowsOf } from '../../core/columns.ts'
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { Row, World } from '../../core/world.ts'
import { Base } from '../base/columns.ts'
import { adoptAll, releaseAll } from './adopt.ts'
import {
  Book,
  Exchange,
  Fill,
  Level,
  Lot,
  Order,
  OrderNumber,
  OrderPlace,
  OrderRequest,
} from './columns.ts'
import { ENTERED, type Entered } from './entry.ts'
import { kernelsFile, trade } from './kernels.ts'
import { settleRequest } from './settle-request.ts'

/** Measured cost of a request in the kernel, nanoseconds, on the slow side. */
const REQUEST_NS = 1_000
/** Fills that a request can make beyond those that use up a lot: it may end two matches. */
const FILLS_BESIDE_LOTS = 3

export const trading: SystemDef = {
  name: 'market.trade',
  phase: 'act',
  reads: [Base, Account, Container, Stack, OrderPlace, OrderNumber],
  writes: [OrderRequest, Fill, Exchange, Book, Level, Lot, Order],
  split: { file: kernelsFile, kernel: 'trade', prepare, apply },
}

/** Requests by base, then as they were entered: by initiative. A base is a part. */
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

/** Gives each part as much of the outbox as it can fill at most. */
function shareFills(world: World, rows: Uint32Array, partEnds: Uint32Array): void {
  const request = world.write(OrderRequest)
  const { lots } = world.read(Book)
  let next = 1
  let from = 0
  for (const to of partEnds) {
    const books = new Set<Row>()
    for (let i = from; i < to; i++) books.add(request.book[rows[i]])
    let most = (to - from) * FILLS_BESIDE_LOTS
    for (const book of books) most += lots[book * 2] + lots[book * 2 + 1]
    request.firstFill[rows[from]] = next
    next += most
    request.fillsEnd[rows[from]] = next
    from = to
  }
  assert(next <= rowsOf(Fill, world.maxEntities) + 1, 'the outbox of fills is too small')
}

/** What the kernel may not do. */
function apply(world: World, work: Work): void {
  const { command } = world.read(OrderRequest)
  const entered = world.index(ENTERED)
  const commands = new Map<Row, Entered>(entered.commands.map((found) => [found.rows[0], found]))
  adoptAll(world, work.rows)
  for (const row of work.rows) {
    const first = command[row] === row ? commands.get(row) : undefined
    if (!first) continue
    const done = first.rows.map((asked) => settleRequest(world, asked))
    first.reply(world, done)
  }
  releaseAll(world, work.rows)
  entered.rows = 0
  entered.commands.length = 0
  entered.books.clear()
}

/** Works out what has been entered, at once and on this thread: the managers, outside of phase act. */
export function tradeNow(world: World): void {
  const work = prepare(world)
  if (!work) return
  for (const table of trading.writes) world.write(table)
  const run = trade(world.kernelColumns)
  let from = 0
  for (const to of work.partEnds) {
    run(work.rows, from, to, { seed: world.seed, tick: world.tick })
    from = to
  }
  apply(world, work)
}
