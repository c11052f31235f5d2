/**
 * Lots in their levels and orders: adding, growing, shrinking and removing them, in order of time.
 * Neither credits nor goods move here. The kernel runs this, so it uses columns only.
 */
import { assert } from '../../core/assert.ts'
import { type KernelColumns, overColumns } from '../../core/columns.ts'
import { priceLevels } from './levels-kernels.ts'
import { isStationCode } from './match-kernels.ts'
import { Book, Exchange, Level, Lot, Order } from './state.ts'

/** Maintains the list of lots of each level. */
function levelLots(columns: KernelColumns) {
  const { lots: counted, changedTick } = columns.of(Book)
  const { book, side, first, last, units, stationUnits } = columns.of(Level)
  const lot = columns.of(Lot)
  const { next, previous, level, owner } = lot

  const join = (row: number, levelRow: number): void => {
    const older = last[levelRow]
    level[row] = levelRow
    previous[row] = older
    next[row] = 0
    if (older === 0) first[levelRow] = row
    else next[older] = row
    last[levelRow] = row
  }

  const leave = (row: number): void => {
    const levelRow = level[row]
    const older = previous[row]
    const newer = next[row]
    if (older === 0) first[levelRow] = newer
    else next[older] = newer
    if (newer === 0) last[levelRow] = older
    else previous[newer] = older
    next[row] = 0
    previous[row] = 0
  }

  return {
    join,
    leave,

    /** Adds to the units counted in the level of a lot, and marks the book as changed. */
    countUnits(row: number, delta: number, tick: number): void {
      const levelRow = level[row]
      const counts = isStationCode(owner[row]) ? stationUnits : units
      const sum = counts[levelRow] + delta
      if (sum < 0) assert(false, `level ${levelRow} counts ${sum} units`)
      counts[levelRow] = sum
      changedTick[book[levelRow]] = tick
    },

    /** Adds to the number of lots on the lot's side of the book. */
    countLot(row: number, delta: 1 | -1): void {
      const levelRow = level[row]
      counted[book[levelRow] * 2 + side[levelRow]] += delta
    },
  }
}

export type Lots = ReturnType<typeof restingLots>

/** Adds, grows, shrinks, removes and moves lots. */
export const restingLots = overColumns((columns) => {
  const { base } = columns.of(Book)
  const { lotSeq } = columns.of(Exchange)
  const { first, last } = columns.of(Level)
  const lot = columns.of(Lot)
  const order = columns.of(Order)
  const { order: ownerOrder, nextOfOrder, units: lotUnits, level } = lot
  const { firstLot, lastLot, lots, remaining } = order
  const levels = priceLevels(columns)
  const { join, leave, countUnits, countLot } = levelLots(columns)

  /** Drops the level that a lot has left if it is empty now; returns it, or 0 if it is not. */
  const dropIfEmpty = (row: number): number => {
    const levelRow = level[row]
    if (first[levelRow] !== 0) return 0
    levels.drop(levelRow)
    return levelRow
  }

  /** Removes a lot from the chain of its order. */
  const unchain = (row: number): void => {
    const orderRow = ownerOrder[row]
    let previousLot = 0
    for (let other = firstLot[orderRow]; other !== row; other = nextOfOrder[other]) {
      previousLot = other
    }
    if (previousLot === 0) firstLot[orderRow] = nextOfOrder[row]
    else nextOfOrder[previousLot] = nextOfOrder[row]
    if (lastLot[orderRow] === row) lastLot[orderRow] = previousLot
    lots[orderRow]--
  }

  return {
    levels,

    /**
     * Appends a lot to its level; its order, units and owner must be set. If there is no level of
     * the price yet, the row `spare` becomes one; returns whether it did.
     */
    add(row: number, spare: number, tick: number): boolean {
      const orderRow = ownerOrder[row]
      const units = lotUnits[row]
      const book = order.book[orderRow]
      const bookSide = book * 2 + order.side[orderRow]
      const price = order.price[orderRow]
      let found = levels.find(bookSide, price)
      const isNew = found === 0
      if (isNew) {
        levels.open(spare, bookSide, price)
        found = spare
      }
      lot.seq[row] = ++lotSeq[base[book]]
      nextOfOrder[row] = 0
      join(row, found)
      if (lastLot[orderRow] === 0) firstLot[orderRow] = row
      else nextOfOrder[lastLot[orderRow]] = row
      lastLot[orderRow] = row
      lots[orderRow]++
      remaining[orderRow] += units
      countLot(row, 1)
      countUnits(row, units, tick)
      return isNew
    },

    /** Adds units to the newest lot of an order, and moves that lot to the end of its level. */
    grow(orderRow: number, units: number, tick: number): void {
      const row = lastLot[orderRow]
      const levelRow = level[row]
      lot.seq[row] = ++lotSeq[base[order.book[orderRow]]]
      lotUnits[row] += units
      remaining[orderRow] += units
      if (last[levelRow] !== row) {
        leave(row)
        join(row, levelRow)
      }
      countUnits(row, units, tick)
    },

    /**
     * Takes units from a lot; an empty lot is removed. Returns the level that was removed with it,
     * or 0.
     */
    take(row: number, units: number, tick: number): number {
      const left = lotUnits[row] - units
      if (units < 1 || left < 0) assert(false, `${units} units are taken from lot ${row}`)
      countUnits(row, -units, tick)
      lotUnits[row] = left
      remaining[ownerOrder[row]] -= units
      if (left > 0) return 0
      countLot(row, -1)
      unchain(row)
      leave(row)
      return dropIfEmpty(row)
    },

    /**
     * Removes all lots of an order from the book; they stay linked by `nextOfOrder`, starting with
     * the former first one. Returns the level that was removed with them, or 0.
     */
    clear(orderRow: number, tick: number): number {
      let endedLevel = 0
      for (let row = firstLot[orderRow]; row !== 0; row = nextOfOrder[row]) {
        countUnits(row, -lotUnits[row], tick)
        countLot(row, -1)
        leave(row)
        endedLevel = dropIfEmpty(row)
        lotUnits[row] = 0
      }
      firstLot[orderRow] = 0
      lastLot[orderRow] = 0
      lots[orderRow] = 0
      remaining[orderRow] = 0
      return endedLevel
    },

    /** Updates references to a lot after it was copied from one row to another. */
    move(from: number, to: number): void {
      const levelRow = level[to]
      const { next, previous } = lot
      if (previous[to] === 0) first[levelRow] = to
      else next[previous[to]] = to
      if (next[to] === 0) last[levelRow] = to
      else previous[next[to]] = to
      const orderRow = ownerOrder[to]
      if (lastLot[orderRow] === from) lastLot[orderRow] = to
      if (firstLot[orderRow] === from) firstLot[orderRow] = to
      else {
        let previousLot = firstLot[orderRow]
        while (nextOfOrder[previousLot] !== from) previousLot = nextOfOrder[previousLot]
        nextOfOrder[previousLot] = to
      }
    },
  }
})
