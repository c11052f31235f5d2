/**
 * Compares sequences of commands with the model. A failure prints its seed and path; it runs again
 * by `node dist/test/fuzz/sequences-run.js --seed S --path P`. Source: RELIABILITY 5, B9.
 */
import { expect, test } from 'vitest'
import { seedOr, soaked } from '../soak-mode.ts'
import { runSequences } from './sequences.ts'

const RUNS = soaked(30, 300)

test('three players own what the model says throughout 200 commands', async () => {
  const tally = await runSequences({ runs: RUNS, seed: seedOr(1) })
  const steps = [...tally.values()].reduce((sum, count) => sum + count, 0)
  expect(steps).toBe(RUNS * 200)
  const reached = ['accept ok', 'withdraw ok', 'cancel order ok', 'travel ok', 'give goods ok']
  for (const answer of reached) expect(tally.get(answer) ?? 0, answer).toBeGreaterThan(RUNS / 10)
}, 600_000)
