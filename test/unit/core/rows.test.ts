/** Tags and durable numbers of rows, against plain sets and maps. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMembership, defineTag } from '../../../core/query.ts'
import { createRecords, defineRecords } from '../../../core/records.ts'
import { createSeqIndex } from '../../../core/seq-index.ts'

const TAGS = [defineTag('thing', 'red'), defineTag('thing', 'round'), defineTag('thing', 'old')]
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('add', 'add', 'remove', 'release', 'query'),
    row: fc.integer({ min: 1, max: 40 }),
    tags: fc.subarray(TAGS, { minLength: 1 }),
  }),
  { maxLength: 200 },
)

test('rows have the tags they were given, whatever came before', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const membership = createMembership()
      const model = new Map(TAGS.map((tag) => [tag, new Set<number>()]))
      const rowsWith = (tag: (typeof TAGS)[number]): Set<number> => model.get(tag) as Set<number>
      for (const { what, row, tags } of taken) {
        if (what === 'add') {
          membership.add(row, tags[0])
          rowsWith(tags[0]).add(row)
        } else if (what === 'remove') {
          membership.remove(row, tags[0])
          rowsWith(tags[0]).delete(row)
        } else if (what === 'release') {
          membership.release(row)
          for (const rows of model.values()) rows.delete(row)
        } else {
          const expected = [...rowsWith(tags[0])].filter((r) =>
            tags.every((tag) => rowsWith(tag).has(r)),
          )
          const found = Array.from(membership.query(tags))
          expect(found.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b))
        }
        for (const tag of TAGS) expect(membership.has(row, tag)).toBe(rowsWith(tag).has(row))
      }
    }),
  )
})

test('a number leads to its row until it is deleted, and no other number does', () => {
  const changes = fc.array(
    fc.record({ isNew: fc.boolean(), pick: fc.nat(), stride: fc.constantFrom(1, 7, 2 ** 32) }),
    { maxLength: 400 },
  )
  fc.assert(
    fc.property(changes, (taken) => {
      const seqs = new Float64Array(500)
      const index = createSeqIndex(seqs)
      const model = new Map<number, number>()
      let seq = 1
      for (const { isNew, pick, stride } of taken) {
        if (isNew || model.size === 0) {
          const row = [...seqs.keys()].find((free) => free > 0 && seqs[free] === 0) as number
          seq += stride
          seqs[row] = seq
          index.add(row)
          model.set(seq, row)
        } else {
          const [gone, row] = [...model][pick % model.size]
          index.delete(row)
          seqs[row] = 0
          model.delete(gone)
          expect(index.get(gone)).toBe(0)
        }
        for (const [known, row] of model) expect(index.get(known)).toBe(row)
      }
      expect(index.get(seq + 1)).toBe(0)
      index.clear()
      for (const known of model.keys()) expect(index.get(known)).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test('adding a number in use, or deleting one that is not, throws', () => {
  const index = createSeqIndex([0, 5, 5])
  index.add(1)
  expect(() => index.add(2)).toThrow('number 5 is in use')
  index.delete(1)
  expect(() => index.delete(1)).toThrow('number 5 is not in use')
})

test('an image lists all records in order, after thousands have come and gone', () => {
  const churned = createRecords(defineRecords<number>('churned', 10_000))
  const plain = createRecords(defineRecords<number>('churned', 10_000))
  for (let i = 0; i < 5_000; i++) {
    churned.table.set(`key ${i}`, i)
    if (i % 50 === 0) churned.image()
    if (i >= 20) churned.table.delete(`key ${i - 20}`)
    if (i % 7 === 0) churned.table.set(`key ${i}`, -i)
  }
  for (let i = 4_980; i < 5_000; i++) plain.table.set(`key ${i}`, i % 7 === 0 ? -i : i)
  const early = churned.image()
  churned.table.set('key 4999', 0)
  expect(early).toEqual(plain.image())
  expect(churned.image()).not.toEqual(early)
  churned.table.set('key 4999', 4_999)
  expect(churned.hash()).toEqual(plain.hash())
})
