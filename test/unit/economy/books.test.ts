/** The daily books of sources and sinks, as the archive keeps them and the CLI reads them. */
import { expect, test } from 'vitest'
import { daysOf } from '../../../cli/economy.ts'
import { itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import type { ClosedBooks } from '../../../storage/archive/economy.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { booksOf } from '../../../systems/economy/systems.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { smallWorld } from '../../small-world.ts'

test('the books are closed at the end of a day, and only then', async () => {
  const { world, store, players, ticks } = await smallWorld({ players: 1 })
  const closings = () => store.archive.rows.get('closeBooks') ?? []
  ticks(2)
  expect(closings()).toHaveLength(0)
  world.tick = DAY_TICKS - 1
  post(world, namedAccount('missions'), walletOf(world, players[0]), 77)
  ticks(1)
  expect(closings()).toHaveLength(1)
  expect(closings()[0].args).toMatchObject({ tick: DAY_TICKS, credits: { missions: -77 } })
  ticks(1)
  expect(closings()).toHaveLength(1)
})

test('each day between two closings shows what its sources gave and its sinks took', async () => {
  const { world, players } = await smallWorld({ players: 1 })
  const [player] = players
  const wallet = walletOf(world, player)
  const locker = openLocker(world, player, dockedBase(world, player))
  const ore = itemIndex('iron_ore')
  const first = booksOf(world)
  world.tick = DAY_TICKS
  post(world, namedAccount('missions'), wallet, 500)
  moveItems(world, namedContainer('mined'), locker, ore, 40)
  const second = booksOf(world)
  world.tick = DAY_TICKS + 5
  post(world, wallet, namedAccount('fee_sink'), 120)
  moveItems(world, locker, namedContainer('consumption'), ore, 15)
  const days = daysOf([first, second, booksOf(world)])
  expect(days).toHaveLength(2)
  expect(days[0]).toMatchObject({ day: 1, toTick: DAY_TICKS })
  expect(days[0].credits).toEqual({ missions: -500 })
  expect(days[0].goods).toEqual({ iron_ore: { mined: -40 } })
  expect(days[1].credits).toEqual({ fee_sink: 120 })
  expect(days[1].goods).toEqual({ iron_ore: { consumption: 15 } })
  expect(days[0].supply - days[1].supply).toBe(120)
})

test('a day in which nothing moved has no flows', () => {
  const books: ClosedBooks = { tick: DAY_TICKS, credits: { missions: -5 }, goods: {} }
  expect(daysOf([books, { ...books, tick: 2 * DAY_TICKS }])).toEqual([
    { day: 2, fromTick: DAY_TICKS, toTick: 2 * DAY_TICKS, credits: {}, supply: 5, goods: {} },
  ])
})
