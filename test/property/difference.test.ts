/** Differences of JSON values: applied to the value before, they make the value after. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyDifference, differenceOf, type Json } from '../../core/public/difference.ts'

/** Values as they are sent: without null and undefined, of few keys and texts that often repeat. */
const { value } = fc.letrec<{ value: Json; list: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', '', 'gone'),
    fc.integer({ min: -2, max: 2 }),
    fc.boolean(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 6 }),
  object: fc.dictionary(fc.constantFrom('x', 'y', 'z', '__proto__', 'length'), tie('value')),
}))

const textOf = (json: Json): string => JSON.stringify(json)

test('a difference makes the later value of the earlier one, also once it was sent as JSON', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      const kept = textOf(before)
      const difference = differenceOf(before, after)
      const sent = difference === undefined ? undefined : JSON.parse(textOf(difference))
      expect(applyDifference(before, sent)).toEqual(after)
      expect(textOf(before)).toBe(kept)
    }),
    { numRuns: 2_000 },
  )
})

test('equal values have no difference', () => {
  fc.assert(
    fc.property(value, (json) => {
      expect(differenceOf(json, JSON.parse(textOf(json)))).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})

test('rows that stay are named by their places, and members that stay not at all', () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: `row ${index}` }))
  const before = { rows, heat: { sol: 1, vega: 2 } }
  const after = {
    rows: [...rows.slice(0, 40), { id: 'new' }, ...rows.slice(41)],
    heat: { vega: 2 },
  }
  expect(differenceOf(before, after)).toEqual({
    rows: [[0, 40], [{ id: 'new' }], [41, 59]],
    heat: { sol: null },
  })
})

test('a row whose members come in another order is the row before', () => {
  const [before, after] = [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]]
  const difference = differenceOf(before, after)
  expect(applyDifference(before, difference)).toEqual(after)
})

test('a member that is undefined counts as absent', () => {
  expect(differenceOf({ a: undefined, b: 1 }, { b: 1 })).toBeUndefined()
  expect(differenceOf({ a: 1 }, { a: undefined })).toEqual({ a: null })
})
