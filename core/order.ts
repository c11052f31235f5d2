/**
 * Sorts and groups rows without an object per row: the requests of a tick by initiative, then by
 * part.
 */
import { assert } from './assert.ts'
import type { ReadonlyColumn } from './columns.ts'
import { initiative } from './rng.ts'

/** A draw and a row share one exact number: rows stay below 2^21. */
const ROWS_MAX = 2 ** 21

interface Draw {
  readonly seed: number
  readonly tick: number
}

/**
 * Sorts rows in place by the initiative of the player they belong to, ties by player number.
 * `numberOf`: player number by row. Source: DESIGN 2.
 */
export function sortByInitiative(
  rows: Uint32Array,
  numberOf: (row: number) => number,
  { seed, tick }: Draw,
): void {
  const keys = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    assert(rows[i] < ROWS_MAX, 'a row does not fit the sort key')
    keys[i] = initiative(seed, tick, numberOf(rows[i])) * ROWS_MAX + rows[i]
  }
  keys.sort()
  for (let i = 0; i < rows.length; i++) rows[i] = keys[i] % ROWS_MAX
  // Rarely, two players draw the same: their rows are adjacent now, and are put in order of number.
  for (let i = 1; i < rows.length; i++) {
    const draw = Math.floor(keys[i] / ROWS_MAX)
    for (let k = i; k > 0 && Math.floor(keys[k - 1] / ROWS_MAX) === draw; k--) {
      if (numberOf(rows[k - 1]) <= numberOf(rows[k])) break
      const row = rows[k]
      rows[k] = rows[k - 1]
      rows[k - 1] = row
    }
  }
}

/** Returns the rows sorted by key; those with the same key keep their order. Keys: 0 to keyMax. */
export function groupBy(
  rows: Uint32Array,
  keyOf: (row: number) => number,
  keyMax: number,
): Uint32Array {
  const starts = new Uint32Array(keyMax + 2)
  for (let i = 0; i < rows.length; i++) starts[keyOf(rows[i]) + 1]++
  for (let key = 0; key <= keyMax; key++) starts[key + 1] += starts[key]
  const grouped = new Uint32Array(rows.length)
  for (let i = 0; i < rows.length; i++) grouped[starts[keyOf(rows[i])]++] = rows[i]
  return grouped
}

/** Returns where each run of rows with the same key ends. */
export function endsOf(rows: Uint32Array, keyOf: (row: number) => number): Uint32Array {
  const ends = new Uint32Array(rows.length)
  let count = 0
  for (let i = 1; i <= rows.length; i++) {
    if (i === rows.length || keyOf(rows[i]) !== keyOf(rows[i - 1])) ends[count++] = i
  }
  return ends.subarray(0, count)
}

/** Returns the rows of a table that are in use, ascending. */
export function rowsInUse(alive: ReadonlyColumn, high: number, count: number): Uint32Array {
  const rows = new Uint32Array(count)
  let found = 0
  for (let row = 1; row <= high; row++) if (alive[row] === 1) rows[found++] = row
  assert(found === count, 'a table counts its rows wrongly')
  return rows
}
