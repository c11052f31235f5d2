/** Computes how far replicas are behind from the buckets of their histograms. */
import { expect, test } from 'vitest'
import { delayMsOf } from '../../bench/profiles-nodes.ts'

const counts: Readonly<Record<string, number>> = { '+Inf': 100, '0.05': 98, '0.002': 60, '1': 100 }
const bucketName = (bound: string): string => `orrery_replica_delay_seconds_bucket{le="${bound}"}`
const names = Object.keys(counts).map(bucketName)
const countOf = (name: string): number => counts[/"(.*)"/.exec(name)?.[1] ?? ''] ?? 0

test('a quantile is the bound of the bucket that reaches it', () => {
  const quantileMs = (quantile: number): number => delayMsOf(names, countOf, quantile)
  expect([quantileMs(0.5), quantileMs(0.98), quantileMs(0.99)]).toEqual([2, 50, 1_000])
  expect(delayMsOf(names, () => 0, 0.99)).toBeNaN()
})
