/** How far replicas are behind, read from what their histograms have counted. */
import { expect, test } from 'vitest'
import { delayMsOf } from '../../bench/profiles-nodes.ts'

const counts: Readonly<Record<string, number>> = { '+Inf': 100, '0.05': 98, '0.002': 60, '1': 100 }
const name = (bound: string): string => `orrery_replica_delay_seconds_bucket{le="${bound}"}`
const names = Object.keys(counts).map(name)
const counted = (of: string): number => counts[/"(.*)"/.exec(of)?.[1] ?? ''] ?? 0

test('a quantile is the bound of the bucket that reaches it', () => {
  const at = (q: number): number => delayMsOf(names, counted, q)
  expect([at(0.5), at(0.98), at(0.99)]).toEqual([2, 50, 1_000])
  expect(delayMsOf(names, () => 0, 0.99)).toBeNaN()
})
