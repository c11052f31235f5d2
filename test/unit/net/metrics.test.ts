/** The page of metrics, whole or by name, and what ticks, commits and snapshots record there. */
import { expect, test } from 'vitest'
import {
  createMetrics,
  metricsPage,
  recordCommit,
  recordSnapshot,
  recordTick,
} from '../../../net/metrics.ts'
import { testClock } from './fake-net.ts'
import { tickFigures } from './tick-figures.ts'

test('the page has all metrics, or only those named, ignoring unknown names', async () => {
  const metrics = createMetrics()
  metrics.read({ sessions: () => 3, notReady: () => ({ draining: 1, recovering: 0 }) })
  const whole = await metricsPage(metrics, [])
  expect(whole).toMatch(/^orrery_sessions 3$/m)
  expect(whole).toMatch(/^orrery_not_ready\{reason="draining"\} 1$/m)
  expect(whole).toMatch(/^orrery_tick_duration_seconds_count 0$/m)
  const some = await metricsPage(metrics, ['orrery_tick', 'nothing', 'orrery_sessions'])
  expect(some).toMatch(/^orrery_sessions 3$/m)
  expect(some).not.toContain('orrery_tick_duration')
})

test('the times of a tick are in seconds: in all, by step and by phase', async () => {
  const gauge = { name: 'battles', help: 'Battles.', read: () => 0 }
  const metrics = createMetrics([gauge])
  const figures = tickFigures({ tick: 7, isSlow: true, gauges: { battles: 4 } })
  recordTick(metrics, figures, { busyMs: 20, sliceMs: 9 })
  const page = await metricsPage(metrics, [])
  for (const line of [
    'orrery_tick_duration_seconds_sum 0.031',
    'orrery_tick_duration_seconds_bucket{le="0.025"} 0',
    'orrery_tick_duration_seconds_bucket{le="0.05"} 1',
    'orrery_tick_step_duration_seconds_sum{step="journal"} 0.004',
    'orrery_tick_phase_duration_seconds_sum{phase="act"} 0.0015',
    'orrery_tick_longest_slice_seconds_sum{thread="main"} 0.009',
    'orrery_last_tick 7',
    'orrery_last_tick_work_seconds 0.026',
    'orrery_slow_ticks_total 1',
    'orrery_tick_slowest_seconds 0.04',
    'orrery_tick_gc_seconds_sum{kind="minor"} 0.002',
    'orrery_battles 4',
  ])
    expect(page.split('\n')).toContain(line)
  // A kind of garbage collection that did not happen is not observed.
  expect(page).not.toContain('kind="major"')
})

test('commits are counted with their time and bytes', async () => {
  const metrics = createMetrics()
  recordCommit(metrics, { ms: 3, bytes: 700 })
  recordCommit(metrics, { ms: 5, bytes: 300 })
  const page = (await metricsPage(metrics, [])).split('\n')
  expect(page).toContain('orrery_journal_bytes_total 1000')
  expect(page).toContain('orrery_journal_commit_duration_seconds_count 2')
})

test('the age of the newest snapshot grows until another one is stored', async () => {
  const metrics = createMetrics()
  const clock = testClock()
  const age = async (): Promise<number> => {
    const page = await metricsPage(metrics, ['orrery_snapshot_age_seconds'])
    return Number(/^orrery_snapshot_age_seconds (\S+)$/m.exec(page)?.[1])
  }
  const wallMs = clock.wallMs() - 60_000
  recordSnapshot(metrics, { kind: 'snapshot', result: 'loaded', wallMs, tookMs: 0 }, clock)
  clock.advance(5_000)
  expect(await age()).toBe(65)
  recordSnapshot(metrics, { kind: 'snapshot', result: 'failed', wallMs, tookMs: 1 }, clock)
  expect(await age()).toBe(65)
  recordSnapshot(metrics, { kind: 'snapshot', result: 'stored', wallMs, tookMs: 2_000 }, clock)
  clock.advance(1_000)
  expect(await age()).toBe(3)
})
