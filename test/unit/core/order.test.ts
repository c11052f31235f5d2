/** Rows in order of initiative and by part, against plain sorts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endsOf, groupBy, rowsInUse, sortByInitiative } from '../../../core/order.ts'
import { initiative } from '../../../core/rng.ts'

const distinct = fc.uniqueArray(fc.integer({ min: 1, max: 5_000 }), {
  minLength: 1,
  maxLength: 300,
})

test('rows are sorted by the initiative of their players', () => {
  fc.assert(
    fc.property(distinct, fc.nat(), (found, tick) => {
      const numberOf = (row: number): number => 9_999 - row
      const rows = Uint32Array.from(found)
      sortByInitiative(rows, numberOf, { seed: 7, tick })
      const draw = (row: number): number => initiative(7, tick, numberOf(row))
      expect([...rows]).toEqual(
        [...found].sort((a, b) => draw(a) - draw(b) || numberOf(a) - numberOf(b)),
      )
    }),
  )
})

test('two players who draw the same are ordered by number, not by row', () => {
  const numbers = [0, 2 ** 32 + 4, 2 ** 32 + 4, 5]
  expect(initiative(1, 1, numbers[1])).toBe(initiative(1, 1, numbers[3]))
  const rows = Uint32Array.from([1, 2, 3])
  sortByInitiative(rows, (row) => numbers[row], { seed: 1, tick: 1 })
  expect([...rows]).toEqual([3, 1, 2])
})

test('grouping keeps the order within a key, and the ends say where each begins', () => {
  fc.assert(
    fc.property(distinct, (found) => {
      const keyOf = (row: number): number => row % 7
      const grouped = groupBy(Uint32Array.from(found), keyOf, 6)
      const expected = [...found].sort((a, b) => keyOf(a) - keyOf(b))
      expect([...grouped]).toEqual(expected)
      const ends = [...endsOf(grouped, keyOf)]
      expect(ends.at(-1)).toBe(found.length)
      expect(ends.length).toBe(new Set(found.map(keyOf)).size)
      for (const end of ends.slice(0, -1))
        expect(keyOf(expected[end])).not.toBe(keyOf(expected[end - 1]))
    }),
  )
})

test('rows in use ascend', () => {
  expect([...rowsInUse([0, 1, 0, 1, 1], 4, 3)]).toEqual([1, 3, 4])
  expect(() => rowsInUse([0, 1, 1], 2, 1)).toThrow('counts its rows wrongly')
})
