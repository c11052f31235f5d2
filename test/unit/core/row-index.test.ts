/** The index of rows in shared memory. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowIndex } from '../../../core/row-index.ts'

const SLOTS = 4_096
/** Spreads row numbers over the whole range of hashes. */
const SPREAD = 2_654_435_761

/** Returns the rows found under a hash, in any order. */
function found(words: Uint32Array, key: number): number[] {
  const index = rowIndex(words)
  const rows: number[] = []
  for (let slot = index.start(key); words[slot * 2] !== 0; slot = index.after(slot)) {
    if (words[slot * 2 + 1] === key) rows.push(words[slot * 2])
  }
  return rows.sort((a, b) => a - b)
}

describe('an index of rows', () => {
  test('finds the rows that were put in and not removed, however hashes collide', () => {
    const step = fc.record({
      row: fc.integer({ min: 1, max: 300 }),
      key: fc.constantFrom(0, 1, 1_023, 1_024, 4_095, 0xffffffff, 7, 8, 9),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 600 }), (steps) => {
        const words = new Uint32Array((SLOTS + 1) * 2)
        const index = rowIndex(words)
        const held = new Map<number, number>()
        for (const { row, key } of steps) {
          const before = held.get(row)
          if (before === undefined) {
            index.put(key, row)
            held.set(row, key)
          } else {
            index.remove(before, row)
            held.delete(row)
          }
        }
        for (const key of new Set(steps.map((taken) => taken.key))) {
          const rows = [...held].filter(([, heldKey]) => heldKey === key).map(([row]) => row)
          expect(found(words, key)).toEqual(rows.sort((a, b) => a - b))
        }
      }),
      { numRuns: 100 },
    )
  })

  test('takes rows up to half of its slots, and is empty once cleared', () => {
    const words = new Uint32Array((SLOTS + 1) * 2)
    const index = rowIndex(words)
    for (let row = 1; row <= SLOTS / 2; row++) index.put((row * SPREAD) >>> 0, row)
    for (let row = 1; row <= SLOTS / 2; row++) {
      expect(found(words, (row * SPREAD) >>> 0)).toContain(row)
    }
    expect(() => index.put(1, 9_999)).toThrow('full')
    index.clear()
    expect(words.every((word) => word === 0)).toBe(true)
  })

  test('throws when a row to remove is not in the index', () => {
    const index = rowIndex(new Uint32Array((SLOTS + 1) * 2))
    index.put(5, 1)
    expect(() => index.remove(5, 2)).toThrow('not in the index')
  })
})
