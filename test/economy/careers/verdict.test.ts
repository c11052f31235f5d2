/** Tests how rounds of careers are judged. Source: balance.md section 11. */
import { describe, expect, test } from 'vitest'
import type { Round, Run } from '../careers.ts'
import { cellsNamed } from './bands.ts'
import { creationOf, dayFlowsOf } from './creation.ts'
import { judge, progress, quantile } from './verdict.ts'

const HOURS = 24

const run = (cell: string, credits: number, overrides: Partial<Run> = {}): Run => ({
  cell,
  seed: 1,
  credits,
  xp: 1_300,
  pilotingXp: 1_300,
  losses: 0,
  answers: {},
  missions: 0,
  bounties: 0,
  capped: false,
  hourly: Array<number>(HOURS).fill(credits),
  ...overrides,
})

const round = (runs: readonly Run[], overrides: Partial<Round> = {}): Round => ({
  seed: 1,
  hours: HOURS,
  players: 100,
  runs,
  moneyBefore: 85_000_000,
  moneyAfter: 85_000_000,
  playerHours: 960,
  pay: 960 * 13_000,
  flows: {},
  taxesDue: 0,
  perMille: 1_000,
  days: [],
  ...overrides,
})

const complaints = (runs: readonly Run[], overrides: Partial<Round> = {}) =>
  judge([round(runs, overrides)]).complaints

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

  test('fails below and above its band, which slack widens', () => {
    expect(complaints([run('mining:0', 4_999)])[0]).toContain('mining:0 pays 4999 cr/h')
    expect(complaints([run('mining:0', 8_001)])[0]).toContain('not 5000 to 8000')
    expect(judge([round([run('mining:0', 8_001)])], { slack: 2 }).complaints).toEqual([])
  })

  test('is judged by the median of its runs', () => {
    const runs = [6_000, 6_500, 90_000].map((credits) => run('mining:0', credits))
    expect(complaints(runs)).toEqual([])
  })

  test('fails when it loses more ships than its risk allows', () => {
    const runs = [run('mining:0', 6_000), run('mining:0', 6_000, { losses: 1 })]
    expect(complaints(runs)).toEqual(['mining:0 loses a ship in 50 of 100 runs, above 1'])
  })

  test('fails when its pay declines or grows too much during a run', () => {
    const hourly = Array.from({ length: HOURS }, (_, hour) => (hour < 18 ? 7_000 : 3_000))
    const [dry] = complaints([run('mining:0', 6_000, { hourly })])
    expect(dry).toContain('in its last quarter 43 %')
    const [swollen] = complaints([run('mining:0', 6_000, { hourly: hourly.toReversed() })])
    expect(swollen).toContain('in its last quarter 233 %')
  })
})

describe('a cell at the caps of a day', () => {
  const hourly = Array.from({ length: HOURS }, (_, hour) => (hour < 18 ? 7_000 : 3_000))
  const dry = (capped: boolean): Run => run('mining:0', 6_000, { hourly, capped })

  test('may run dry, and a note reports it', () => {
    const verdict = judge([round([dry(true), dry(true), dry(false)])])
    expect(verdict.complaints).toEqual([])
    expect(verdict.capped).toHaveLength(1)
    expect(verdict.capped[0]).toContain('last quarter 43 % of what it paid in the first: its')
    expect(judge([round([run('mining:0', 6_000, { capped: true })])]).capped).toEqual([])
  })

  test('fails when most pilots are below the caps, or when its pay grows', () => {
    expect(complaints([dry(true), dry(false), dry(false)])).toHaveLength(1)
    const swollen = { ...dry(true), hourly: hourly.toReversed() }
    expect(complaints([swollen])[0]).toContain('in its last quarter 233 %')
  })
})

describe('a tier', () => {
  const tier = [run('mining:0', 5_000), run('courier:0', 8_000), run('trade:0', 10_000)]

  test('fails a career that pays far from the median of the tier', () => {
    expect(complaints(tier)).toEqual([])
    const odd = judge([round([...tier, run('bounty:0', 9_900)])]).complaints
    expect(odd).toEqual([])
    const poor = judge([round([...tier.slice(1), run('mining:0', 1_900)])], { slack: 2 })
    expect(poor.complaints).toContain('mining:0 pays 24 % of the median of tier 0')
  })

  test('pays absent players at most a quarter of its median', () => {
    const away = [...tier, run('drones:0', 2_100)]
    expect(complaints(away)).toContain('drones:0 pays 26 % of the median of tier 0')
  })

  test('fails when it leads to the next tier too late', () => {
    const { rows } = judge([round(tier)])
    expect(progress(rows)).toEqual([{ tier: 1, hours: 1.9 }])
    const slow = tier.map((pilot) => ({ ...pilot, credits: pilot.credits / 2 }))
    expect(complaints(slow)).toContain('tier 1 is reached after 3.8 h, not 2')
  })
})

describe('the money that a round creates', () => {
  const created = (credits: number, overrides: Partial<Round> = {}): Partial<Round> => ({
    moneyAfter: 85_000_000 + credits,
    ...overrides,
  })

  test('may grow by 2 % a day from the third week on, and by 1 % from the sixtieth day', () => {
    const growing = (day: number, growthPct: number) => ({
      days: [{ day, supply: 1, growthPct, perMille: 1_000 }],
    })
    const faults = (day: number, growthPct: number) =>
      complaints([run('mining:0', 6_000)], growing(day, growthPct))
    expect([faults(13, 7), faults(14, 2), faults(59, 1.5), faults(60, 1)].flat()).toEqual([])
    expect(faults(14, 2.01)).toEqual(['seed 1: money grows by 2.01 % on day 14, above 2'])
    expect(faults(60, 1.01)).toEqual(['seed 1: money grows by 1.01 % on day 60, above 1'])
  })

  test('is reported as measured, by the day and by the hour', () => {
    expect(creationOf(round([], created(4_800_000, { hours: 12, taxesDue: 96_000 })))).toEqual({
      aDay: 9_600_000,
      anHour: 5_000,
      spent: 2_470,
      taxes: 100,
      left: 2_430,
    })
  })

  test('scales with days for stations and with hours online for players', () => {
    const flows = { citizens: 100_000, missions: 400_000, pirate_bounty: 90_000, repair_sink: -10 }
    const money = round([], { flows, players: 50, pay: 0 })
    const courier = run('courier:0', 6_000, { missions: 10_000 })
    // 50 players who are online for 9.6 hours have half of the hours
    expect(dayFlowsOf(money, [courier])).toEqual({
      governed: 100_000 + (240_000 + 90_000) / 2,
      rest: (160_000 - 10) / 2,
    })
  })
})
