/** Seeds with faults: every promise holds, and in the end everything pending resolves. */
import { describe, expect, test } from 'vitest'
import { FAILING_SEEDS } from './failing-seeds.ts'
import { simulate } from './simulate.ts'

const TICKS = 120
const SEEDS = [1, 2, 3]

describe('the simulated server', () => {
  let answers = 0
  let refusals = 0

  test.each(SEEDS)('keeps every promise with half of the faults armed, seed %i', async (seed) => {
    const result = await simulate({ seed, ticks: TICKS })
    expect(result.ticks).toBeGreaterThanOrEqual(TICKS)
    expect(result.answers).toBeGreaterThan(TICKS)
    answers += result.answers
    refusals += result.refusals
  })

  test('accepts at least half of the commands in these seeds', () => {
    expect(refusals * 2).toBeLessThanOrEqual(answers)
  })

  for (const { seed, ticks, found } of FAILING_SEEDS) {
    test(`passes seed ${seed}, in which once ${found}`, async () => {
      expect((await simulate({ seed, ticks })).ticks).toBeGreaterThanOrEqual(ticks)
    })
  }
})
