/** The governor of faucets. Source: balance.md section 9. */
import { expect, test } from 'vitest'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import {
  adjustFaucets,
  faucetPerMille,
  governed,
  growthLimit,
  moneySupply,
} from '../../../systems/account/governor-model.ts'
import { GOVERNOR } from '../../../systems/account/governor-state.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { POPULATION } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import { citizenPool } from '../../../systems/facility/model.ts'
import { payManager } from '../../../systems/market/manager-rules.ts'
import { boardOf } from '../../../systems/mission/offers-model.ts'
import { updateMarket } from '../../../systems/passenger/market-rules.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

/** Closes a day in which this many credits came into circulation. */
function closeDay({ world, players }: SmallWorld, credits: number): number {
  const [wallet, faucet] = [walletOf(world, players[0]), namedAccount('missions')]
  if (credits > 0) post(world, faucet, wallet, credits)
  else post(world, wallet, faucet, -credits)
  adjustFaucets(world)
  return faucetPerMille(world)
}

test('faucets pay in full until the first day that creates too much', async () => {
  const small = await smallWorld({ players: 1 })
  expect(faucetPerMille(small.world)).toBe(1_000)
  expect(governed(small.world, 777)).toBe(777)
  const limit = growthLimit(small.world)
  expect(closeDay(small, 2 * limit)).toBe(900)
  expect(governed(small.world, 999)).toBe(899)
})

test('faucets fall quickly, down to 500 per mille, and rise slowly', async () => {
  const small = await smallWorld({ players: 1 })
  const days: number[] = []
  for (let day = 0; day < 10; day++) days.push(closeDay(small, 3 * growthLimit(small.world)))
  expect(days).toEqual([900, 800, 700, 600, 500, 500, 500, 500, 500, 500])
  const after: number[] = []
  for (let day = 0; day < 17; day++) after.push(closeDay(small, 0))
  // The mean of seven days still counts what the last days created.
  expect(after[0]).toBe(500)
  expect(after.at(-1)).toBe(1_000)
  expect(after).toEqual([...after].sort((a, b) => a - b))
})

test('growth between a third of the limit and the limit leaves the faucets as they are', async () => {
  const small = await smallWorld({ players: 1 })
  closeDay(small, 2 * growthLimit(small.world))
  small.world.records(GOVERNOR).set('faucets', {
    perMille: 800,
    supplies: [moneySupply(small.world)],
  })
  const limit = growthLimit(small.world)
  expect(closeDay(small, Math.floor(limit / 2))).toBe(800)
})

test('the limit of growth rises with the number of active players', async () => {
  const { world } = await smallWorld({ players: 1 })
  const supply = moneySupply(world)
  expect(growthLimit(world)).toBe(Math.floor(supply / 50))
  world.records(POPULATION).set('active', 10_000)
  expect(growthLimit(world)).toBe(150_000_000)
})

test('the governor adjusts the faucets at the end of a day and survives a restore', async () => {
  const small = await smallWorld({ players: 1 })
  const { world } = small
  const [wallet, faucet] = [walletOf(world, small.players[0]), namedAccount('missions')]
  post(world, faucet, wallet, 3 * growthLimit(world))
  world.tick = DAY_TICKS - 1
  small.ticks(1)
  expect(faucetPerMille(world)).toBe(900)
  const loaded = await small.reload()
  expect(faucetPerMille(loaded.world)).toBe(900)
  expect(loaded.hash()).toBe(small.hash())
  loaded.world.records(GOVERNOR).delete('faucets')
  expect(faucetPerMille(loaded.world)).toBe(1_000)
  adjustFaucets(loaded.world)
  expect(faucetPerMille(loaded.world)).toBe(1_000)
})

test('get_empire_info reports which share the faucets pay', async () => {
  const small = await smallWorld({ players: 1 })
  const info = () => (small.ask(0, 'get_empire_info') as { result?: { message: string } }).result
  expect(info()?.message).toContain('in full')
  closeDay(small, 2 * growthLimit(small.world))
  expect(info()?.message).toContain('90 %')
})

test('the governor scales courier rewards, station stipends and citizen income', async () => {
  const small = await smallWorld({ players: 1 })
  const { world } = small
  const home = dockedBase(world, small.players[0])
  const couriers = () => boardOf(world, home).filter(({ template }) => template.type === 'courier')
  const others = () => boardOf(world, home).filter(({ template }) => template.type !== 'courier')
  const [couriersBefore, othersBefore] = [couriers(), others()]
  expect(couriersBefore.length).toBeGreaterThan(0)
  world.records(GOVERNOR).set('faucets', { perMille: 600, supplies: [] })
  expect(couriers().map(({ credits }) => credits)).toEqual(
    couriersBefore.map(({ credits }) => Math.floor((credits * 600) / 1_000)),
  )
  expect(others().map(({ credits }) => credits)).toEqual(othersBefore.map(({ credits }) => credits))
  const paid = (name: 'station_stipend' | 'citizens', act: () => void): number => {
    const balance = () => balanceOf(world, namedAccount(name))
    const start = balance()
    act()
    return start - balance()
  }
  const { manager } = world.read(Base)
  post(world, manager[home], namedAccount('fee_sink'), balanceOf(world, manager[home]))
  const stipend = paid('station_stipend', () => payManager(world, home))
  const pool = citizenPool(world, home)
  post(world, pool, namedAccount('fee_sink'), balanceOf(world, pool))
  const income = paid('citizens', () => updateMarket(world, home))
  world.records(GOVERNOR).set('faucets', { perMille: 1_000, supplies: [] })
  post(world, manager[home], namedAccount('fee_sink'), balanceOf(world, manager[home]))
  const fullStipend = paid('station_stipend', () => payManager(world, home))
  post(world, pool, namedAccount('fee_sink'), balanceOf(world, pool))
  const fullIncome = paid('citizens', () => updateMarket(world, home))
  expect(stipend).toBe(Math.floor((fullStipend * 600) / 1_000))
  expect(income).toBe(Math.floor((fullIncome * 600) / 1_000))
  expect(income).toBeGreaterThan(0)
})
