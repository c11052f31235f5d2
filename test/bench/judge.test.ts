/** How figures are judged by their bounds, and how profiles compute some of their figures. */
import { describe, expect, test } from 'vitest'
import { exitCodeOf, holds, type Judged, judgeTable } from '../../bench/judge.ts'
import { mixed, slopeOf, soakFigures } from '../../bench/profiles-play.ts'
import { overloadOf } from '../../bench/profiles-server.ts'
import type { ServerFigures } from '../../bench/server-figures.ts'

const query: Judged = { figure: 'query p99', value: 60, unit: 'ms', atMost: 50 }
const errors: Judged = { figure: 'errors', value: 0, unit: '', atMost: 0, isSound: true }
const rss: Judged = { figure: 'server RSS', value: 1_500, unit: 'MiB', atMost: 1_024 }
const unbounded: Judged = { figure: 'delay', value: 12.34, unit: 'ms' }

/** Returns the scales of a machine that is slower by this factor in everything. */
const machine = (scale: number) => ({ cpu: scale, memory: scale })

describe('a bound', () => {
  test('is scaled to a slower machine if it is on a time, but never to a faster one', () => {
    expect(holds(query, machine(1))).toBe(false)
    expect(holds(query, machine(1.5))).toBe(true)
    expect(holds({ ...query, value: 45 }, machine(0.5))).toBe(true)
    expect(holds(rss, machine(3))).toBe(false)
    expect(holds(unbounded, machine(1))).toBe(undefined)
  })

  test('is scaled by the processor or by memory, but not by the other of the two', () => {
    expect(holds(query, { cpu: 1, memory: 3 })).toBe(false)
    expect(holds({ ...query, ofMemory: true }, { cpu: 1, memory: 3 })).toBe(true)
    expect(holds({ ...query, ofMemory: true }, { cpu: 3, memory: 1 })).toBe(false)
  })

  test('is not judged on a machine more than three times slower if it is on a time', () => {
    expect(holds(query, machine(3))).toBe(true)
    expect(holds(query, machine(3.1))).toBe('NOT JUDGED')
    expect(holds(errors, machine(9))).toBe(true)
    expect(holds(unbounded, machine(9))).toBe(undefined)
    expect(judgeTable([query], machine(4))[1]).toMatch(/<= 200 +NOT JUDGED$/)
    expect(exitCodeOf([query, errors], machine(4), true)).toBe(1)
    expect(exitCodeOf([query, errors], machine(4), false)).toBe(0)
  })

  test('is printed unscaled and as scaled to this machine', () => {
    expect(judgeTable([query, errors, rss, unbounded], machine(1.5))).toEqual([
      'figure          value     bound      here',
      'query p99     60.0 ms   <= 50.0   <= 75.0    ok',
      'errors              0      <= 0      <= 0    ok',
      'server RSS  1,500 MiB  <= 1,024  <= 1,024  OVER',
      'delay         12.3 ms',
    ])
  })

  test('that is exceeded fails only a check, while errors and losses fail any run', () => {
    expect(exitCodeOf([query, errors], machine(1), false)).toBe(0)
    expect(exitCodeOf([query, errors], machine(1), true)).toBe(1)
    expect(exitCodeOf([{ ...errors, value: 1 }], machine(1), false)).toBe(1)
    expect(exitCodeOf([errors, unbounded], machine(1), true)).toBe(0)
  })
})

test('profile L1 mixes its channels in proportion, with a player or more on each', () => {
  const count = (players: number): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const channel of mixed(players)) counts[channel] = (counts[channel] ?? 0) + 1
    return counts
  }
  expect(count(2_220)).toEqual({ ws1: 1_000, ws2: 1_000, http1: 100, http2: 100, mcp: 20 })
  expect(Object.keys(count(50)).sort()).toEqual(['http1', 'http2', 'mcp', 'ws1', 'ws2'])
  expect(mixed(50)).toHaveLength(50)
})

const figuresOf = (ticks: [number, Record<string, number>][]): ServerFigures => ({
  ticks: new Map(ticks),
  cpu: [],
  loopMs: [],
  blockMs: [],
  rssMiB: 0,
  stop: () => {},
  rss: Array.from({ length: 61 }, (_, i) => ({ atMs: i * 60_000, miB: i < 10 ? 20 * i : 200 + i })),
  seenMs: new Map(ticks.map(([tick]) => [tick, tick * 60_000])),
})

test('a soak reports the slope of memory after warm-up and how its last ticks slowed down', () => {
  expect(slopeOf([[0, 1]])).toBe(0)
  expect(
    slopeOf([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toBe(2)
  const ticks = Array.from({ length: 61 }, (_, tick): [number, Record<string, number>] => [
    tick,
    { tick_compute_ms: tick < 30 ? 10 : 15 },
  ])
  const figures = new Map(soakFigures(figuresOf(ticks)).map((row) => [row.figure, row]))
  expect(figures.get('RSS slope')?.value).toBeCloseTo(1, 5)
  expect(figures.get('last by first')?.value).toBe(1.5)
  expect(holds(figures.get('last by first') as Judged, machine(1))).toBe(false)
})

test('an overload reports the largest stretch of ticks and the time until they recovered', () => {
  const ticks: [number, Record<string, number>][] = [
    [1, { tick_cost_ms: 100, tick_stretch: 1 }],
    [2, { tick_cost_ms: 2_500, tick_stretch: 1 }],
    [3, { tick_cost_ms: 2_500, tick_stretch: 3 }],
    [4, { tick_cost_ms: 100, tick_stretch: 3 }],
    [6, { tick_cost_ms: 100, tick_stretch: 1 }],
  ]
  expect(overloadOf(figuresOf(ticks), 1_000)).toEqual({ stretchMax: 3, recoveredAfter: 3 })
  const never = overloadOf(figuresOf(ticks.slice(0, 4)), 1_000)
  expect(never).toEqual({ stretchMax: 3, recoveredAfter: Infinity })
})
