/** The comparison of two worlds finds the differences that a test made, and nothing else. */
import { expect, test } from 'vitest'
import { compareSides, sideOf } from '../../../cli/compare.ts'
import { percentileOf } from '../../../cli/figures.ts'
import { GOODS } from '../../../core/catalog/index.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { addStat } from '../../../systems/account/rules.ts'
import { Book, Managed } from '../../../systems/market/state.ts'
import { smallWorld, uncheck } from '../../small-world.ts'

const SHOWN = { items: 5, rowsMax: 10 }

test('a percentile is the lowest entry that this share of the list does not exceed', () => {
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  expect([10, 50, 90, 99, 100].map((pct) => percentileOf(ten, pct))).toEqual([1, 5, 9, 10, 10])
  expect([percentileOf([], 50), percentileOf([7], 10), percentileOf([7], 100)]).toEqual([0, 7, 7])
})

test('credits, deaths, prices, wealth and rows differ by what was changed', async () => {
  const small = await smallWorld({ players: 4 })
  uncheck(small)
  const { world, registry, players } = small
  const before = await sideOf('before', world)
  expect(compareSides([before, before], registry, SHOWN)).toMatchObject({
    data: { same: true, tables: [] },
    text: expect.stringContaining('the same world'),
  })
  const [poor, rich] = players
  post(world, namedAccount('starting_grant'), walletOf(world, rich), 5_000)
  post(world, walletOf(world, poor), namedAccount('cloning'), 10)
  addStat(world, rich, 'times_destroyed', 3)
  const { alive, book, stock } = world.read(Managed)
  const rows = Array.from({ length: world.highOf(Managed) }, (_, i) => i + 1)
  const managed = rows.find((row) => alive[row] === 1 && stock[row] > 0) as number
  world.write(Managed).stock[managed] = 0
  const { id } = GOODS[world.read(Book).item[book[managed]]]
  const after = await sideOf('after', world)
  const { data, text } = compareSides([before, after], registry, SHOWN)
  expect(data).toMatchObject({
    same: false,
    players: { a: 4, b: 4 },
    deaths: { a: 0, b: 3 },
    supply: { a: before.figures.supply, b: before.figures.supply + 4_990 },
    inWallets: { b: before.figures.inWallets + 4_990 },
    accounts: { cloning: { a: 0, b: 10 } },
  })
  expect(data.wealth.p100.b - data.wealth.p100.a).toBe(5_000)
  expect(data.wealth.p10.b - data.wealth.p10.a).toBe(-10)
  const moved = Object.entries(data.prices).filter(([, { a, b }]) => a !== b)
  expect(moved.map(([item]) => item)).toEqual([id])
  expect(moved[0][1].b).toBeGreaterThan(moved[0][1].a)
  const tables = Object.fromEntries(data.tables.map((table) => [table.table, table]))
  expect(tables.managed).toMatchObject({ added: 0, removed: 0, changed: 1 })
  expect(tables.account).toMatchObject({ added: 0, removed: 0, changed: 4 })
  expect(text).toContain(id)
  expect(text).toContain('+5,000')
})
