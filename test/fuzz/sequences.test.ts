/**
 * Sequences of commands against the model. A failure prints its seed and path; it runs again by
 * `node dist/test/fuzz/sequences-run.js --seed S --path P`. Source: RELIABILITY 5, B9.
 */
import { expect, test } from 'vitest'
import { seedOr, soaked } from '../soak-mode.ts'
import { runSequences } from './sequences.ts'

const RUNS = soaked(30, 300)

test('three players own and read what the model says, for 200 commands', async () => {
  const tally = await runSequences({ runs: RUNS, seed: seedOr(1) })
  const steps = [...tally.values()].reduce((sum, count) => sum + count, 0)
  expect(steps).toBe(RUNS * 200)
  const reached = ['accept ok', 'withdraw ok', 'cancel order ok', 'travel ok', 'give goods ok']
  for (const one of reached) expect(tally.get(one) ?? 0, one).toBeGreaterThan(RUNS / 10)
}, 600_000)
