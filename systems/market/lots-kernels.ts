/**
 * Lots in their levels and orders: adding, growing, shrinking and dropping them, in order of time.
 * No money and no goods move here. Columns only: the kernel runs this.
 */
import { assert } from '../../core/assert.ts'
import { type KernelColumns, overColumns } from '../../core/columns.ts'
import { priceLevels } from './levels-kernels.ts'
import { isStationCode } from './match-kernels.ts'
import { Book, Exchange, Level, Lot, Order } from './state.ts'

/** Keeps the lots of levels. */
function levelLots(columns: KernelColumns) {
  const { lots: counted, changedTick } = columns.of(Book)
  const { book, side, first, last, units, stationUnits } = columns.of(Level)
  const lot = columns.of(Lot)
  const { next, previous, level, owner } = lot

  const join = (row: number, at: number): void => {
    const before = last[at]
    level[row] = at
    previous[row] = before
    next[row] = 0
    if (before === 0) first[at] = row
    else next[before] = row
    last[at] = row
  }

  const leave = (row: number): void => {
    const at = level[row]
    const before = previous[row]
    const after = next[row]
    if (before === 0) first[at] = after
    else next[before] = after
    if (after === 0) last[at] = before
    else previous[after] = before
    next[row] = 0
    previous[row] = 0
  }

  return {
    join,
    leave,

    /** Counts units in or out of the lot's level, and marks the book as changed. */
    count(row: number, delta: number, tick: number): void {
      const at = level[row]
      const counts = isStationCode(owner[row]) ? stationUnits : units
      const sum = counts[at] + delta
      if (sum < 0) assert(false, `level ${at} counts ${sum} units`)
      counts[at] = sum
      changedTick[book[at]] = tick
    },

    /** Counts a lot in or out of its side of the book. */
    tally(row: number, delta: 1 | -1): void {
      const at = level[row]
      counted[book[at] * 2 + side[at]] += delta
    },
  }
}

export type Lots = ReturnType<typeof restingLots>

export const restingLots = overColumns((columns) => {
  const { base } = columns.of(Book)
  const { lotSeq } = columns.of(Exchange)
  const { first, last } = columns.of(Level)
  const lot = columns.of(Lot)
  const order = columns.of(Order)
  const { order: ownerOrder, nextOfOrder, units: lotUnits, level } = lot
  const { firstLot, lastLot, lots, remaining } = order
  const levels = priceLevels(columns)
  const { join, leave, count, tally } = levelLots(columns)

  /** Drops the level of a lot that has left it, if it was the last one; returns the level or 0. */
  const dropIfEmpty = (row: number): number => {
    const at = level[row]
    if (first[at] !== 0) return 0
    levels.drop(at)
    return at
  }

  /** Takes a lot out of the chain of its order. */
  const unchain = (row: number): void => {
    const of = ownerOrder[row]
    let before = 0
    for (let at = firstLot[of]; at !== row; at = nextOfOrder[at]) before = at
    if (before === 0) firstLot[of] = nextOfOrder[row]
    else nextOfOrder[before] = nextOfOrder[row]
    if (lastLot[of] === row) lastLot[of] = before
    lots[of]--
  }

  return {
    levels,

    /**
     * Brings a lot to rest at the end of its level: its order, units and owner are given. The row
     * `spare` becomes the level where there is none of the price yet; returns whether it did.
     */
    add(row: number, spare: number, tick: number): boolean {
      const of = ownerOrder[row]
      const units = lotUnits[row]
      const home = order.book[of]
      const at = home * 2 + order.side[of]
      const price = order.price[of]
      let found = levels.find(at, price)
      const isNew = found === 0
      if (isNew) {
        levels.open(spare, at, price)
        found = spare
      }
      lot.seq[row] = ++lotSeq[base[home]]
      nextOfOrder[row] = 0
      join(row, found)
      if (lastLot[of] === 0) firstLot[of] = row
      else nextOfOrder[lastLot[of]] = row
      lastLot[of] = row
      lots[of]++
      remaining[of] += units
      tally(row, 1)
      count(row, units, tick)
      return isNew
    },

    /** Adds units to an order's newest lot, which goes to the end of its level. */
    grow(of: number, units: number, tick: number): void {
      const row = lastLot[of]
      const at = level[row]
      lot.seq[row] = ++lotSeq[base[order.book[of]]]
      lotUnits[row] += units
      remaining[of] += units
      if (last[at] !== row) {
        leave(row)
        join(row, at)
      }
      count(row, units, tick)
    },

    /**
     * Takes units out of a lot, which ends without any; returns the level that ended with it, or 0.
     */
    take(row: number, units: number, tick: number): number {
      const left = lotUnits[row] - units
      if (units < 1 || left < 0) assert(false, `${units} units are taken from lot ${row}`)
      count(row, -units, tick)
      lotUnits[row] = left
      remaining[ownerOrder[row]] -= units
      if (left > 0) return 0
      tally(row, -1)
      unchain(row)
      leave(row)
      return dropIfEmpty(row)
    },

    /**
     * Takes all lots of an order off the book; they stay linked by `nextOfOrder` from what was its
     * first. Returns the level that ended with them, or 0.
     */
    clear(of: number, tick: number): number {
      let gone = 0
      for (let row = firstLot[of]; row !== 0; row = nextOfOrder[row]) {
        count(row, -lotUnits[row], tick)
        tally(row, -1)
        leave(row)
        gone = dropIfEmpty(row)
        lotUnits[row] = 0
      }
      firstLot[of] = 0
      lastLot[of] = 0
      lots[of] = 0
      remaining[of] = 0
      return gone
    },

    /** Updates what refers to a lot after it was copied from one row to another. */
    move(from: number, to: number): void {
      const at = level[to]
      const { next, previous } = lot
      if (previous[to] === 0) first[at] = to
      else next[previous[to]] = to
      if (next[to] === 0) last[at] = to
      else previous[next[to]] = to
      const of = ownerOrder[to]
      if (lastLot[of] === from) lastLot[of] = to
      if (firstLot[of] === from) firstLot[of] = to
      else {
        let before = firstLot[of]
        while (nextOfOrder[before] !== from) before = nextOfOrder[before]
        nextOfOrder[before] = to
      }
    },
  }
})
