/** The market of all stations: rows kept from earlier frames equal rows that are rebuilt. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import type { JsonOf, PublicDocs } from '../../../core/public/frame.ts'
import type { MarketBody } from '../../../core/public/world.ts'
import { marketText } from '../../../net/public/quotes.ts'
import { applyFrame, type PublicState } from '../../../net/public/state.ts'

const NONE = new Int32Array()
const EMPTY = {
  tick: 1,
  wallMs: 0,
  bytes: 0,
  heat: NONE,
  battles: [],
  events: [],
  turns: [],
  chart: { systems: [], pois: [], empires: [] },
  figures: { online: 0, players: 0, systems: 0 },
  presence: {
    online: NONE,
    onlineBySystem: NONE,
    named: NONE,
    namedFlying: NONE,
    bound: NONE,
    npcs: NONE,
  },
  flights: { jumps: NONE, local: NONE },
  docs: {},
}
const BASES = ['a', 'b', 'c']

type Change =
  | { readonly base: string; readonly item: number; readonly bid: number; readonly ask: number }
  | { readonly base: string; readonly empire: string }

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    base: fc.constantFrom(...BASES),
    item: fc.integer({ min: 0, max: 3 }),
    bid: fc.integer({ min: 0, max: 5 }),
    ask: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({
    base: fc.constantFrom(...BASES),
    empire: fc.constantFrom('', 'solarian', 'voidborn'),
  }),
)

/** Adds or removes a station, changes its empire, or adds a book of one bid and one ask. */
function change(before: PublicState | undefined, made: Change): PublicState | undefined {
  const frame = { ...EMPTY, isFull: before === undefined }
  if ('empire' in made) {
    const { base, empire } = made
    const entry = JSON.stringify({ id: base, empire, empire_name: empire.toUpperCase() })
    const stations =
      empire === ''
        ? { isWhole: false, set: [], gone: [base] }
        : {
            isWhole: false,
            set: [[base, entry as JsonOf<PublicDocs['stations']>]] as const,
            gone: [],
          }
    return applyFrame(before, { ...frame, docs: { stations } })
  }
  const { base, item, bid, ask } = made
  const sides = [bid, ask].map((units) => (units === 0 ? [] : [10 + units, units]))
  const heads = [0, item, bid, ask, bid, ask, 0, 0, 0, 0, sides[0].length / 2, sides[1].length / 2]
  const books = {
    isWhole: false,
    bases: [base],
    heads: Float64Array.from(heads),
    levels: Float64Array.from(sides.flat()),
  }
  return applyFrame(before, { ...frame, books })
}

test('after any changes the body with kept rows equals a rebuilt one', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 20 }), (made) => {
      let state: PublicState | undefined
      for (const [index, next] of made.entries()) {
        state = change(state, next)
        if (!state) throw new Error('the first frame is not full')
        const kept = marketText(state)
        const rebuilt = marketText({ ...state })
        expect(kept, `after change ${index}`).toBe(rebuilt)
      }
    }),
  )
})

test('the body has a row for each item and empire, and sorted categories and empires', () => {
  const all: Change[] = [
    { base: 'a', empire: 'voidborn' } as const,
    { base: 'b', empire: 'solarian' } as const,
    { base: 'a', item: 1, bid: 2, ask: 3 } as const,
    { base: 'b', item: 1, bid: 4, ask: 0 },
    { base: 'a', item: 0, bid: 1, ask: 0 } as const,
    { base: 'b', item: 2, bid: 0, ask: 0 },
    { base: 'c', item: 3, bid: 5, ask: 5 },
  ]
  let state: PublicState | undefined
  for (const next of all) state = change(state, next)
  if (!state) throw new Error('the first frame is not full')
  const { items, categories, empires } = JSON.parse(marketText(state)) as MarketBody
  const rows = items.map((row) => [row.item_id, row.empire, row.best_bid, row.best_ask, row.spread])
  expect(rows).toEqual([
    [GOODS[0].id, 'voidborn', 11, 0, 0],
    [GOODS[1].id, 'solarian', 14, 0, 0],
    [GOODS[1].id, 'voidborn', 12, 13, 1],
  ])
  expect(categories).toEqual([...new Set(items.map(({ category }) => category))].sort())
  expect(empires).toEqual([
    { id: 'solarian', name: 'SOLARIAN' },
    { id: 'voidborn', name: 'VOIDBORN' },
  ])
})
