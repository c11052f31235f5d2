/**
 * Exchange orders of a tick: gathers the requests, has the kernel work them out base by base, then
 * gives rows, moves credits and goods, and answers. Source: market.md section 10, E3.
 */
import { assert } from '../../core/assert.ts'
import { rowsOf } from '../../core/columns.ts'
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import type { SplitDef, SystemDef, Work } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { adoptAll, releaseAll } from './adopt.ts'
import { Book, Exchange, Fill, Level, Lot, Order, OrderPlace, OrderRequest } from './columns.ts'
import { ENTERED, type Entered } from './entry.ts'
import { kernelsFile, trade } from './kernels.ts'
import { settleRequest } from './settle-request.ts'

/** Measured cost of a request in the kernel, nanoseconds, on the slow side. */
const REQUEST_NS = 1_000
/** Fills that a request can make beyond those that use up a lot: it may end two matches. */
const FILLS_BESIDE_LOTS = 3

/** The section in which requests are worked out; whoever enters some outside `act` runs it too. */
export const TRADE: Pick<SystemDef, 'reads' | 'writes'> & { readonly split: SplitDef } = {
  reads: [Base, Account, Container, Stack, OrderPlace],
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

/** Most fills that a part can make: as many as lots stand or come in its way. */
function mostFills(world: World, rows: Uint32Array): number {
  const { book, otherBook } = world.read(OrderRequest)
  const { lots } = world.read(Book)
  let most = rows.length * FILLS_BESIDE_LOTS
  const seen = new Set<Row>()
  for (const row of rows) seen.add(book[row]).add(otherBook[row])
  for (const home of seen) {
    most += lots[home * 2] + lots[home * 2 + 1]
  }
  return most
}

/**
 * Gives each part as much of the outbox as it can fill at most, or, where that is more than there
 * is, its share of it: matches then end early.
 */
function shareFills(world: World, rows: Uint32Array, partEnds: Uint32Array): void {
  const request = world.write(OrderRequest)
  const room = rowsOf(Fill, world.maxEntities)
  const starts = [0, ...partEnds]
  const most = Array.from(partEnds, (to, i) => mostFills(world, rows.subarray(starts[i], to)))
  const sum = most.reduce((all, one) => all + one, 0)
  let next = 1
  for (const [i, wanted] of most.entries()) {
    const first = rows[starts[i]]
    request.firstFill[first] = next
    next += sum <= room ? wanted : mulDivFloor(wanted, room, sum)
    request.fillsEnd[first] = next
  }
  assert(next <= room + 1, 'the outbox of fills is too small')
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
    const done = first.rows.map((asked) => settleRequest(world, asked, first.purse))
    first.reply(world, done)
  }
  releaseAll(world, work.rows)
  entered.rows = 0
  entered.commands.length = 0
  entered.books.clear()
  entered.reserved.clear()
}

/** Works out what has been entered, at once and on this thread: the first quotes of a new world. */
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
