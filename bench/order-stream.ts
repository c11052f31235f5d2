/**
 * A stream of limit orders and cancellations for one book. It is generated along with a simple book
 * of queues, so that every cancellation names an open order and the trades are known.
 */
import { assert } from '../core/assert.ts'
import { hash32 } from '../core/rng.ts'

const SEED = 4711
const CANCELS_PCT = 30
/** Prices are 1 … LEVELS; bids go up to a little above the middle, asks down to a little below. */
const LEVELS = 500
const OVERLAP = 20
const UNITS_MAX = 100
const PLAYERS = 100_000

export interface OrderStream {
  readonly ops: number
  /** Operations per batch; no order is cancelled in the batch in which it was placed. */
  readonly batch: number
  /** 1 for a cancellation. */
  readonly cancels: Uint8Array
  /** 1 for a buy order, 0 for a sell order. */
  readonly buys: Uint8Array
  readonly prices: Uint32Array
  readonly units: Uint32Array
  /**
   * The player who places an order, from 1. No player both buys and sells, or has two orders at one
   * price, so that no order meets or joins another of its owner.
   */
  readonly players: Uint32Array
  /** For a cancellation: the operation that placed the order. */
  readonly targets: Uint32Array
  /** Trades and units traded in the simple book. */
  readonly trades: number
  readonly traded: number
}

/** Describes the outcome of a stream, to compare implementations. */
export const outcomeOf = (trades: number, units: number): string =>
  `${trades} trades of ${units} units`

/** Creates a simple book: queues of operations by price, and the units left of each. */
function plainBook(ops: number) {
  const queues = Array.from({ length: LEVELS + 1 }, (): number[] => [])
  const heads = new Uint32Array(LEVELS + 1)
  const left = new Uint32Array(ops)
  const sides = new Uint8Array(LEVELS + 1)
  let bestBid = 0
  let bestAsk = LEVELS + 1
  let trades = 0
  let traded = 0

  const firstAt = (price: number): number => {
    const queue = queues[price]
    while (heads[price] < queue.length && left[queue[heads[price]]] === 0) heads[price]++
    return heads[price] < queue.length ? queue[heads[price]] : -1
  }
  const settle = (): void => {
    while (bestBid > 0 && (sides[bestBid] !== 1 || firstAt(bestBid) < 0)) bestBid--
    while (bestAsk <= LEVELS && (sides[bestAsk] !== 0 || firstAt(bestAsk) < 0)) bestAsk++
  }
  return {
    left,
    outcome: () => ({ trades, traded }),
    place(op: number, buys: boolean, price: number, units: number): void {
      let open = units
      for (;;) {
        settle()
        const at = buys ? bestAsk : bestBid
        const meets = buys ? at <= LEVELS && at <= price : at > 0 && at >= price
        if (open === 0 || !meets) break
        const maker = firstAt(at)
        const taken = Math.min(open, left[maker])
        left[maker] -= taken
        open -= taken
        trades++
        traded += taken
      }
      left[op] = open
      if (open === 0) return
      if (firstAt(price) < 0) sides[price] = buys ? 1 : 0
      queues[price].push(op)
      if (buys) bestBid = Math.max(bestBid, price)
      else bestAsk = Math.min(bestAsk, price)
    },
  }
}

/** Generates a stream of `ops` operations, a multiple of the number of batches. */
export function orderStream(ops: number, batches: number): OrderStream {
  const stream = {
    cancels: new Uint8Array(ops),
    buys: new Uint8Array(ops),
    prices: new Uint32Array(ops),
    units: new Uint32Array(ops),
    players: new Uint32Array(ops),
    targets: new Uint32Array(ops),
  }
  assert(ops % batches === 0, 'the operations do not fill the batches')
  const batch = ops / batches
  const book = plainBook(ops)
  const { left } = book
  /** Orders placed before this batch that may still be open. */
  const open: number[] = []
  const fresh: number[] = []
  const pick = (op: number): number => {
    for (let tries = 0; open.length > 0; tries++) {
      const at = hash32(SEED, op, tries, 1) % open.length
      const found = open[at]
      open[at] = open[open.length - 1]
      open.pop()
      if (left[found] > 0) return found
    }
    return -1
  }
  /** The last operation of a player at a price. */
  const placed = new Map<number, number>()
  const playerFor = (op: number, buys: boolean, price: number): number => {
    for (let tries = 0; ; tries++) {
      const player = (hash32(SEED, op, tries, 5) % PLAYERS) * 2 + (buys ? 2 : 1)
      const key = player * (LEVELS + 1) + price
      const before = placed.get(key)
      if (before !== undefined && left[before] > 0) continue
      placed.set(key, op)
      return player
    }
  }
  for (let op = 0; op < ops; op++) {
    if (op % batch === 0) open.push(...fresh.splice(0))
    const isCancel = hash32(SEED, op) % 100 < CANCELS_PCT
    const target = isCancel ? pick(op) : -1
    if (target >= 0) {
      stream.cancels[op] = 1
      stream.targets[op] = target
      left[target] = 0
      continue
    }
    const buys = hash32(SEED, op, 0, 2) % 2 === 1
    const reach = hash32(SEED, op, 0, 3) % (LEVELS / 2 + OVERLAP / 2)
    const price = buys ? 1 + reach : LEVELS - reach
    const units = 1 + (hash32(SEED, op, 0, 4) % UNITS_MAX)
    stream.buys[op] = buys ? 1 : 0
    stream.prices[op] = price
    stream.players[op] = playerFor(op, buys, price)
    stream.units[op] = units
    book.place(op, buys, price, units)
    if (left[op] > 0) fresh.push(op)
  }
  return { ops, batch, ...stream, ...book.outcome() }
}
