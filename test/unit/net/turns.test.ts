/** The figures of publishing: slices on the main thread, and sums over a window in /metrics. */
import { expect, test } from 'vitest'
import { createMetrics, recordFigures } from '../../../net/metrics.ts'
import { createTurns } from '../../../net/publish/turns.ts'

test('a slice lasts until the next one begins, and the longest is told', async () => {
  let now = 1_000
  const turns = createTurns(() => now)
  now += 30
  const yielded = turns.next()
  now += 500
  await yielded
  now += 7
  expect(turns.end()).toEqual({ publish_ms: 537, publish_busy_ms: 37, publish_slice_ms: 30 })
})

test('what players feel is summed up over the last ticks', async () => {
  const metrics = createMetrics({})
  for (const ms of [10, 20, 300]) recordFigures(metrics, { tick: 5, publish_ms: ms })
  const page = await metrics.registry.metrics()
  expect(page).toContain('orrery_world{name="publish_ms"} 300')
  expect(page).toContain('orrery_ticks{quantile="1",name="publish_ms"} 300')
  expect(page).toContain('orrery_ticks_count{name="publish_ms"} 3')
  expect(page).not.toContain('orrery_ticks_count{name="tick"}')
})
