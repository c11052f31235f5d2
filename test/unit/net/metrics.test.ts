/** The page of metrics, whole or by name. */
import { expect, test } from 'vitest'
import { createMetrics, metricsPage, noteFigures } from '../../../net/metrics.ts'

test('has all metrics, or those that are named and there', async () => {
  const metrics = createMetrics({ sessions: () => 3 })
  noteFigures(metrics, { tick: 7, journal_ms: 2 })
  const whole = await metricsPage(metrics, [])
  expect(whole).toMatch(/^orrery_sessions 3$/m)
  expect(whole).toMatch(/^orrery_ticks\{/m)
  const some = await metricsPage(metrics, ['orrery_world', 'nothing', 'orrery_sessions'])
  expect(some).toMatch(/^orrery_world\{name="tick"\} 7$/m)
  expect(some).toMatch(/^orrery_sessions 3$/m)
  expect(some).not.toContain('orrery_ticks')
})
