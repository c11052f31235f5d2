/** A seed ends with the same hash when run again, on threads, restored or shuffled (I5). */
import { describe, expect, test } from 'vitest'
import { createDice } from '../../core/dice.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { type SimResult, simulate } from './simulate.ts'

const TICKS = 60
const SEEDS = soaked([101], [seedOr(101), seedOr(101) + 1])

/** Numbers of kernel threads; battles.test.ts and war.test.ts always run on 1, 2 and 4. */
const WORKERS = soaked([4], [1, 2, 4])

/**
 * Fixed seeds: a command that arrives during the restart may run a tick later than otherwise, and
 * then the two worlds rightly differ.
 */
const RESTORED = soaked([101], [101, 102])

/** The run of each seed, with faults and without, that other runs are compared with. */
const FIRST_RUNS = new Map<string, Promise<SimResult>>()
function firstRun(seed: number, faults = true): Promise<SimResult> {
  const key = `${seed} ${faults}`
  const run = FIRST_RUNS.get(key) ?? simulate({ seed, ticks: TICKS, faults })
  FIRST_RUNS.set(key, run)
  return run
}

describe('a seed', () => {
  test.each(SEEDS)('ends with the same hash when it runs again with faults, %i', async (seed) => {
    const first = await firstRun(seed)
    const second = await simulate({ seed, ticks: TICKS })
    expect(second.hash).toBe(first.hash)
    expect(second.answers).toBe(first.answers)
  })

  test.each(SEEDS)('ends with the same hash on kernel threads as without, %i', async (seed) => {
    const alone = await firstRun(seed)
    for (const workers of WORKERS) {
      const shared = await simulate({ seed, ticks: TICKS, workers })
      expect({ workers, hash: shared.hash }).toEqual({ workers, hash: alone.hash })
    }
  })

  test('gives the kernel threads work', async () => {
    let mined = 0
    // Seed 101 is known to mine; the short runs of the seeds of the day may not.
    for (const seed of new Set([101, ...SEEDS])) {
      const result = await firstRun(seed)
      mined += result.done.get('mine') ?? 0
    }
    expect(mined).toBeGreaterThan(0)
  })

  test.each(RESTORED)('ends with the same hash when restored at a tick, %i', async (seed) => {
    const restoreAt = 1 + createDice(seed).below(TICKS)
    const straight = await firstRun(seed, false)
    const restored = await simulate({ seed, ticks: TICKS, faults: false, restoreAt })
    expect(restored.crashes).toBe(1)
    expect({ restoreAt, hash: restored.hash }).toEqual({ restoreAt, hash: straight.hash })
    expect(restored.answers).toBe(straight.answers)
  })

  test.each(SEEDS)('ends with the same hash when mutations arrive shuffled, %i', async (seed) => {
    const straight = await firstRun(seed, false)
    const shuffled = await simulate({ seed, ticks: TICKS, faults: false, isShuffled: true })
    expect(shuffled.hash).toBe(straight.hash)
  })
})
