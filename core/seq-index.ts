/**
 * From the durable number of an entity to its row. A hash table of rows in one typed array, 8 B an
 * entity where a Map takes 50 and its share of each full collection; the numbers themselves stay in
 * the column. Derived state: rebuilt after a restore.
 */
import { assert } from './assert.ts'

export interface SeqIndex {
  /** The row, or 0. */
  get(seq: number): number
  /** The row's number is in the column already. */
  add(row: number): void
  /** The row's number is still in the column. */
  delete(row: number): void
  clear(): void
}

const ROOM_MIN = 64
const GOLDEN = 0x9e3779b1

/** Makes an index of rows by number; `seqs` is the column of numbers, by row. */
export function createSeqIndex(seqs: { readonly [row: number]: number }): SeqIndex {
  let rows = new Uint32Array(ROOM_MIN)
  let mask = ROOM_MIN - 1
  let count = 0

  const home = (seq: number): number => {
    const mixed = Math.imul(seq ^ Math.floor(seq / 2 ** 32), GOLDEN)
    return (mixed ^ (mixed >>> 15)) & mask
  }
  /** Returns where the number is, or the empty place where it would go. */
  const find = (seq: number): number => {
    let at = home(seq)
    while (rows[at] !== 0 && seqs[rows[at]] !== seq) at = (at + 1) & mask
    return at
  }
  const grow = (): void => {
    const before = rows
    rows = new Uint32Array(before.length * 2)
    mask = rows.length - 1
    for (const row of before) if (row !== 0) rows[find(seqs[row])] = row
  }
  return {
    get: (seq) => rows[find(seq)],
    add(row) {
      if ((count + 1) * 2 > rows.length) grow()
      const at = find(seqs[row])
      assert(rows[at] === 0, `number ${seqs[row]} is in use`)
      rows[at] = row
      count++
    },
    delete(row) {
      let gap = find(seqs[row])
      assert(rows[gap] === row, `number ${seqs[row]} is not in use`)
      count--
      // What is behind the gap and belongs before it moves up, or it would not be found.
      for (let index = (gap + 1) & mask; rows[index] !== 0; index = (index + 1) & mask) {
        const wanted = home(seqs[rows[index]])
        if (((index - wanted) & mask) < ((index - gap) & mask)) continue
        rows[gap] = rows[index]
        gap = index
      }
      rows[gap] = 0
    },
    clear() {
      rows = new Uint32Array(ROOM_MIN)
      mask = ROOM_MIN - 1
      count = 0
    },
  }
}
