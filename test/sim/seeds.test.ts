/** Seeds with faults: whatever fails, promises hold, and then everything pending resolves. */
import { describe, expect, test } from 'vitest'
import { FAILING_SEEDS } from './failing-seeds.ts'
import { simulate } from './simulate.ts'

const TICKS = 120
const SEEDS = [1, 2, 3]

describe('the whole server without sockets', () => {
  let answers = 0
  let refusals = 0

  test.each(SEEDS)('seed %i: with half of the faults armed, every promise holds', async (seed) => {
    const result = await simulate({ seed, ticks: TICKS })
    expect(result.ticks).toBeGreaterThanOrEqual(TICKS)
    expect(result.answers).toBeGreaterThan(TICKS)
    answers += result.answers
    refusals += result.refusals
  })

  test('at least half of what the players of these seeds send succeeds', () => {
    expect(refusals * 2).toBeLessThanOrEqual(answers)
  })

  for (const { seed, ticks, found } of FAILING_SEEDS) {
    test(`kept seed ${seed} stays sound: it once found ${found}`, async () => {
      expect((await simulate({ seed, ticks })).ticks).toBeGreaterThanOrEqual(ticks)
    })
  }
})
