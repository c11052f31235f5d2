/** The economy of the first day: every good can be made, and a newcomer has a choice of trades. */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { EMPIRE_IDS, generateGalaxy, goodOf, isModule } from '../../core/catalog/index.ts'
import { newcomerOf } from './newcomer.ts'
import { reachOf } from './reach.ts'
import { findTrades } from './trades.ts'

const run = (name: string, ...flags: string[]): string =>
  execFileSync(process.execPath, [`dist/test/economy/${name}.js`, ...flags], { encoding: 'utf8' })

describe('reach', () => {
  const plan = generateGalaxy(1)

  test('every required good can be reached, in two galaxies', () => {
    expect(reachOf(plan).missing).toEqual([])
    expect(reachOf(generateGalaxy(77)).missing).toEqual([])
  })

  test('goods that stations keep in supply can be made without them', () => {
    const { reached } = reachOf(plan)
    const supplied = [...reached].flatMap(([id, { origin }]) => (origin === 'supplied' ? [id] : []))
    expect(supplied.length).toBeGreaterThan(10)
    expect(reachOf(plan, supplied).missing).toEqual([])
  })

  test('modules and stations need long production chains', () => {
    const { reached, deepest } = reachOf(plan)
    expect(deepest.length).toBeGreaterThan(6)
    expect(reached.get('station_core')?.depth).toBeGreaterThan(4)
    const modules = [...reached.keys()].filter((id) => isModule(goodOf(id)))
    expect(modules.length).toBeGreaterThanOrEqual(200)
  })

  test('a missing ore is reported for everything that needs it', () => {
    const { missing } = reachOf(plan, ['palladium_ore'])
    expect(missing).toContain('palladium_ore for recipe knit_palladium')
    expect(missing.some((row) => row.startsWith('jump_coil for hull '))).toBe(true)
  })

  test('reach-run prints its verdict and its options', () => {
    expect(run('reach-run')).toContain('everything is in reach')
    expect(run('reach-run', '--help')).toContain('--seed')
  })
})

describe('trades', () => {
  test.each(EMPIRE_IDS)(
    'a newcomer of %s has ten trades that pay more than the belt',
    async (id) => {
      const pilot = { ...(await newcomerOf(id)), credits: 2_000 }
      const { mining, trades } = findTrades(pilot)
      expect(mining.rate).toBeGreaterThan(0)
      expect(new Set(trades.map((row) => row.id)).size).toBe(trades.length)
      expect(trades.length).toBeGreaterThanOrEqual(10)
      for (const row of trades) expect(row.rate).toBeGreaterThan(mining.rate)
    },
  )

  test.each(EMPIRE_IDS)(
    'the best load out of %s gains a newcomer 150 to 600 credits',
    async (id) => {
      const { routes } = findTrades({ ...(await newcomerOf(id)), credits: 1_000 })
      expect(routes[0].profit).toBeGreaterThanOrEqual(150)
      expect(routes[0].profit).toBeLessThanOrEqual(600)
    },
  )

  test('a newcomer without credits has no trade that begins with a purchase', async () => {
    const pilot = { ...(await newcomerOf('solarian')), credits: 0 }
    const kinds = findTrades(pilot).trades.map((row) => row.kind)
    expect(kinds.filter((kind) => kind !== 'dig and craft')).toEqual([])
  })

  test('trades-run prints its options', () => {
    expect(run('trades-run', '--help')).toContain('--ticks')
  })
})
