/** The readings of money that balance measurements use. Source: balance.md sections 9 and 11. */
import { expect, test } from 'vitest'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { recordIncome } from '../../../systems/tax/rules.ts'
import { playDays } from '../../economy/careers/creation.ts'
import { flowsBetween, giniOf, moneyOf, taxesDue } from '../../economy/money.ts'
import { smallWorld } from '../../small-world.ts'

test('players hold all the money that stations, citizens and empires do not', async () => {
  const { world, players, ticks } = await smallWorld({ players: 2 })
  // By now the managers have credits in bids.
  ticks(40)
  const wallets = players.reduce(
    (sum, player) => sum + balanceOf(world, walletOf(world, player)),
    0,
  )
  expect(moneyOf(world).players).toBe(wallets)
})

test('flows are what sources created between two readings; sinks are negative', async () => {
  const { world, players } = await smallWorld({ players: 1 })
  const before = moneyOf(world)
  const wallet = walletOf(world, players[0])
  post(world, namedAccount('missions'), wallet, 700)
  post(world, wallet, namedAccount('repair_sink'), 300)
  const after = moneyOf(world)
  expect(flowsBetween(before, after)).toEqual({ missions: 700, repair_sink: -300 })
  expect(after.supply - before.supply).toBe(400)
  expect(after.players - before.players).toBe(400)
})

test('taxes are counted before they are due', async () => {
  const { world, players } = await smallWorld({ players: 1 })
  expect(taxesDue(world, players)).toBe(0)
  recordIncome(world, players[0], 'mission', 10_000)
  // The Solarian rate is 5 %.
  expect(taxesDue(world, players)).toBe(500)
})

test('the Gini coefficient is 0 where all earn alike, and grows to 1', () => {
  expect(giniOf([5, 5, 5, 5])).toBe(0)
  expect(giniOf([0, 0, 0, 8])).toBe(0.75)
  expect(giniOf([1, 2, 3])).toBeCloseTo(2 / 9)
  expect(giniOf([])).toBe(0)
})

test('the governor turns faucets down after days that create too much', async () => {
  const { world } = await smallWorld({ players: 1 })
  const { supply } = moneyOf(world)
  const days = playDays(world, { governed: Math.floor(supply / 20), rest: 0 })
  expect(days).toHaveLength(60)
  expect(days[0]).toMatchObject({ day: 1, growthPct: 5, perMille: 900 })
  expect(days[7].perMille).toBe(500)
  expect(days[59].growthPct).toBeLessThan(3)
})
