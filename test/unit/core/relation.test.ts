/** Lists that are linked by columns of their rows, compared with plain arrays. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineTable, ref, u32 } from '../../../core/columns.ts'
import { type Relation, relation } from '../../../core/relation.ts'
import type { Row, World } from '../../../core/types.ts'

const ROWS_MAX = 16

const Holder = defineTable('holder', ROWS_MAX, {
  first: ref('item', 'head'),
  last: ref('item', 'tail'),
})
const Item = defineTable('item', ROWS_MAX, {
  holder: ref('holder', 'whose'),
  next: ref('item', 'next'),
  previous: ref('item', 'previous'),
  key: u32('order'),
})

const plain = { many: Item, via: 'holder', next: 'next', one: Holder, head: 'first' } as const
const both = { ...plain, previous: 'previous', tail: 'last' } as const

type Columns = Record<string, Record<number, number>>

/** Makes a world of two tables in plain arrays: all that a list needs. */
function bareWorld() {
  const columnsOf = (names: readonly string[]): Columns =>
    Object.fromEntries(names.map((name) => [name, new Uint32Array(ROWS_MAX + 1)]))
  const items = columnsOf(['alive', ...Object.keys(Item.columns)])
  const holders = columnsOf(['alive', ...Object.keys(Holder.columns)])
  for (let row = 1; row <= ROWS_MAX; row++) {
    items.alive[row] = 1
    holders.alive[row] = 1
  }
  const read = (table: { name: string }) => (table.name === 'item' ? items : holders)
  const world = {
    read,
    write: read,
    highOf: () => ROWS_MAX,
    release: (_table: unknown, row: Row) => {
      items.alive[row] = 0
    },
  }
  return { world: world as unknown as World, items, holders }
}

interface Kind {
  readonly name: string
  readonly list: Relation
  /** Returns the rows with one more at its place. */
  add(rows: readonly Row[], row: Row, keys: Record<number, number>): Row[]
}

const byKey: Kind['add'] = (rows, row, keys) => {
  const index = rows.findIndex((other) => keys[other] > keys[row])
  return index < 0 ? [...rows, row] : [...rows.slice(0, index), row, ...rows.slice(index)]
}
const latestFirst: Kind['add'] = (rows, row) => [row, ...rows]
const firstLast: Kind['add'] = (rows, row) => [...rows, row]

const KINDS: readonly Kind[] = [
  { name: 'latest', list: relation('a', { ...plain, order: 'latest-first' }), add: latestFirst },
  {
    name: 'latest, both ways',
    list: relation('b', { ...both, order: 'latest-first' }),
    add: latestFirst,
  },
  { name: 'first', list: relation('c', { ...plain, order: 'oldest-first' }), add: firstLast },
  {
    name: 'first, both ways',
    list: relation('d', { ...both, order: 'oldest-first' }),
    add: firstLast,
  },
  { name: 'by key', list: relation('e', { ...plain, order: { by: 'key' } }), add: byKey },
  { name: 'by key, both ways', list: relation('f', { ...both, order: { by: 'key' } }), add: byKey },
]

const step = fc.record({
  row: fc.integer({ min: 1, max: ROWS_MAX }),
  holder: fc.integer({ min: 1, max: 3 }),
  key: fc.integer({ min: 0, max: 4 }),
  removes: fc.boolean(),
})

test.each(KINDS)('$name: rows join, leave and are released as in an array', ({ list, add }) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { world, items } = bareWorld()
      const expected = new Map<Row, Row[]>([1, 2, 3].map((holder) => [holder, []]))
      for (const { row, holder, key, removes } of steps) {
        const from = items.holder[row]
        if (items.alive[row] === 0) continue
        if (from === 0) {
          items.key[row] = key
          list.link(world, row, holder)
          expected.set(holder, add(expected.get(holder) ?? [], row, items.key))
        } else {
          expected.set(
            from,
            (expected.get(from) ?? []).filter((other) => other !== row),
          )
          if (removes) list.remove(world, row)
          else list.unlink(world, row)
        }
        list.check(world)
        for (const [owner, rows] of expected) expect(list.rows(world, owner)).toEqual(rows)
      }
    }),
  )
})

const [latest, latestBoth, , firstBoth, keyed] = KINDS.map(({ list }) => list)

/** Puts three rows into the list of holder 1, then damages it; returns its check. */
function checkOfDamaged(
  list: Relation,
  damage: (items: Columns, holders: Columns) => void,
): () => void {
  const { world, items, holders } = bareWorld()
  for (const row of [1, 2, 3]) {
    items.key[row] = row
    list.link(world, row, 1)
  }
  list.check(world)
  damage(items, holders)
  return () => list.check(world)
}

test('the check of a list reports each kind of damage', () => {
  expect(
    checkOfDamaged(latest, (_, { first }) => {
      first[1] = 0
    }),
  ).toThrow('3 rows of item are in no list')
  expect(
    checkOfDamaged(latest, ({ alive }) => {
      alive[2] = 0
    }),
  ).toThrow('row 2 is in a list but not in use')
  expect(
    checkOfDamaged(latest, ({ holder }) => {
      holder[2] = 2
    }),
  ).toThrow('row 2 is in the list of 1 but has another owner')
  expect(
    checkOfDamaged(latest, ({ next }) => {
      next[1] = 3
    }),
  ).toThrow('the list of 1 has a cycle or too many rows')
  expect(
    checkOfDamaged(latestBoth, ({ previous }) => {
      previous[1] = 3
    }),
  ).toThrow('row 1 is linked in one direction only')
  expect(
    checkOfDamaged(firstBoth, (_, { last }) => {
      last[1] = 2
    }),
  ).toThrow('the tail of the list of 1 is not its last row')
  expect(
    checkOfDamaged(keyed, ({ key }) => {
      key[1] = 9
    }),
  ).toThrow('row 2 is out of order')
})

test('a row is linked once, and can only leave the list that it is in', () => {
  const { world, items } = bareWorld()
  latest.link(world, 1, 1)
  expect(() => latest.link(world, 1, 2)).toThrow('row 1 is in a list')
  expect(() => latest.unlink(world, 2)).toThrow('row 2 of item is in no list')
  items.holder[1] = 2
  expect(() => latest.unlink(world, 1)).toThrow('row 1 of item is not in the list of 2')
})

test('a row that is removed keeps its columns, unless the list empties its links', () => {
  const emptying = relation('g', { ...plain, order: 'latest-first', emptiesRemoved: true })
  for (const [list, nextOfRemoved] of [
    [latest, 1],
    [emptying, 0],
  ] as const) {
    const { world, items } = bareWorld()
    list.link(world, 1, 1)
    list.link(world, 2, 1)
    list.remove(world, 2)
    expect([items.next[2], items.holder[2], items.alive[2]]).toEqual([nextOfRemoved, 1, 0])
  }
})
