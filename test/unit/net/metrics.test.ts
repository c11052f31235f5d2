/** The page of metrics, whole or by name. */
import { expect, test } from 'vitest'
import { createMetrics, metricsPage, recordFigures } from '../../../net/metrics.ts'

test('has all metrics, or those that are named and there', async () => {
  const metrics = createMetrics({ sessions: () => 3 })
  recordFigures(metrics, { tick: 7, journal_ms: 2 })
  const whole = await metricsPage(metrics, [])
  expect(whole).toMatch(/^orrery_sessions 3$/m)
  expect(whole).toMatch(/^orrery_ticks\{/m)
  const some = await metricsPage(metrics, ['orrery_world', 'nothing', 'orrery_sessions'])
  expect(some).toMatch(/^orrery_world\{name="tick"\} 7$/m)
  expect(some).toMatch(/^orrery_sessions 3$/m)
  expect(some).not.toContain('orrery_ticks')
})

test('figures of ticks are of the last 600, their count and sum of all', async () => {
  const metrics = createMetrics({})
  recordFigures(metrics, { journal_ms: 5_000 })
  for (let i = 1; i <= 600; i++) recordFigures(metrics, { journal_ms: i })
  const page = await metrics.registry.metrics()
  expect(page).toContain('orrery_ticks{quantile="0.5",name="journal_ms"} 300')
  expect(page).toContain('orrery_ticks{quantile="0.99",name="journal_ms"} 594')
  expect(page).toContain('orrery_ticks{quantile="1",name="journal_ms"} 600')
  expect(page).toContain('orrery_ticks_count{name="journal_ms"} 601')
  expect(page).toContain('orrery_ticks_sum{name="journal_ms"} 185300')
})
