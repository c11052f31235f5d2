/** How rounds of careers are judged. Source: balance.md section 11. */
import { describe, expect, test } from 'vitest'
import type { Round, Run } from '../careers.ts'
import { cellsNamed } from './bands.ts'
import { judge, progress, quantile } from './verdict.ts'

const HOURS = 24

const run = (cell: string, credits: number, more: Partial<Run> = {}): Run => ({
  ...{ cell, seed: 1, credits, xp: 1_300, pilotingXp: 1_300, losses: 0, answers: {} },
  hourly: Array<number>(HOURS).fill(credits),
  ...more,
})

const round = (runs: readonly Run[], more: Partial<Round> = {}): Round => ({
  ...{ seed: 1, hours: HOURS, players: 100, runs },
  ...{ moneyBefore: 85_000_000, moneyAfter: 85_000_000 },
  ...more,
})

const complaints = (runs: readonly Run[], more: Partial<Round> = {}) =>
  judge([round(runs, more)]).complaints

test('a quantile lies between neighbours', () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2)
  expect(quantile([0, 100], 0.1)).toBe(10)
  expect(quantile([7], 0.9)).toBe(7)
})

test('cells are named by career, or by career and tier', () => {
  expect(cellsNamed('passenger').map(({ tier }) => tier)).toEqual([1, 2, 3, 4])
  expect(cellsNamed('mining:3')).toEqual([{ career: 'mining', tier: 3 }])
  expect(() => cellsNamed('passenger:0')).toThrow('no cell passenger:0')
})

describe('a cell', () => {
  test('inside its band is fair', () => {
    expect(complaints([run('mining:0', 6_000)])).toEqual([])
  })

  test('is poor below it and rich above it, and both fail', () => {
    expect(complaints([run('mining:0', 4_999)])[0]).toContain('mining:0 pays 4999 cr/h')
    expect(complaints([run('mining:0', 8_001)])[0]).toContain('not 5000 to 8000')
    expect(judge([round([run('mining:0', 8_001)])], { slack: 2 }).complaints).toEqual([])
  })

  test('is judged by the median of its runs', () => {
    const runs = [6_000, 6_500, 90_000].map((credits) => run('mining:0', credits))
    expect(complaints(runs)).toEqual([])
  })

  test('may not lose more ships than its risk', () => {
    const runs = [run('mining:0', 6_000), run('mining:0', 6_000, { losses: 1 })]
    expect(complaints(runs)).toEqual(['mining:0 loses a ship in 50 of 100 runs, above 1'])
  })

  test('may neither run dry nor swell', () => {
    const hourly = Array.from({ length: HOURS }, (_, hour) => (hour < 18 ? 7_000 : 3_000))
    const [dry] = complaints([run('mining:0', 6_000, { hourly })])
    expect(dry).toContain('in its last quarter 43 %')
    const [swollen] = complaints([run('mining:0', 6_000, { hourly: hourly.toReversed() })])
    expect(swollen).toContain('in its last quarter 233 %')
  })
})

describe('a tier', () => {
  const tier = [run('mining:0', 5_000), run('courier:0', 8_000), run('trade:0', 10_000)]

  test('has careers of like pay', () => {
    expect(complaints(tier)).toEqual([])
    const odd = judge([round([...tier, run('bounty:0', 9_900)])]).complaints
    expect(odd).toEqual([])
    const poor = judge([round([...tier.slice(1), run('mining:0', 1_900)])], { slack: 2 })
    expect(poor.complaints).toContain('mining:0 pays 24 % of the median of tier 0')
  })

  test('pays a quarter at most to whoever is away', () => {
    const away = [...tier, run('drones:0', 2_100)]
    expect(complaints(away)).toContain('drones:0 pays 26 % of the median of tier 0')
  })

  test('leads to the next in time', () => {
    const { rows } = judge([round(tier)])
    expect(progress(rows)).toEqual([{ tier: 1, hours: 1.9 }])
    const slow = tier.map((one) => ({ ...one, credits: one.credits / 2 }))
    expect(complaints(slow)).toContain('tier 1 is reached after 3.8 h, not 2')
  })
})

test('no more money is made than the share of a day', () => {
  const moneyAfter = 85_000_000 + 1_700_001
  expect(complaints([run('mining:0', 6_000)], { moneyAfter })).toEqual([
    'seed 1 creates 1700001 credits a day, above 1700000',
  ])
})
