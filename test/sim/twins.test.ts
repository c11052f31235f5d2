/** Twins: the same seed by another road ends on the same hash (I5). */
import { describe, expect, test } from 'vitest'
import { createDice } from '../../core/dice.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { type SimResult, simulate } from './simulate.ts'

const TICKS = 60
const SEEDS = soaked([101], [seedOr(101), seedOr(101) + 1])

/**
 * Kept ones: a command that meets the restart may be taken a tick later than it would have been,
 * and where one is, the two worlds rightly differ.
 */
const RESTORED = soaked([101], [101, 102])

/** The first run of each seed, with faults and without: what the others are compared with. */
const FIRST = new Map<string, Promise<SimResult>>()
function first(seed: number, faults = true): Promise<SimResult> {
  const key = `${seed} ${faults}`
  const known = FIRST.get(key) ?? simulate({ seed, ticks: TICKS, faults })
  FIRST.set(key, known)
  return known
}

describe('the same seed', () => {
  test.each(SEEDS)('%i ends on the same hash twice, faults and all', async (seed) => {
    const one = await first(seed)
    const second = await simulate({ seed, ticks: TICKS })
    expect(second.hash).toBe(one.hash)
    expect(second.answers).toBe(one.answers)
  })

  test.each(SEEDS)('%i ends on the same hash with 0, 1, 2 and 4 kernel threads', async (seed) => {
    const alone = await first(seed)
    for (const workers of [1, 2, 4]) {
      const shared = await simulate({ seed, ticks: TICKS, workers })
      expect({ workers, hash: shared.hash }).toEqual({ workers, hash: alone.hash })
    }
  })

  test('gives the kernel threads something to do', async () => {
    let mined = 0
    // One that is known to mine, beside those of the day: two short lives may pass without.
    for (const seed of new Set([101, ...SEEDS])) {
      const result = await first(seed)
      mined += result.done.get('mine') ?? 0
    }
    expect(mined).toBeGreaterThan(0)
  })

  test.each(RESTORED)('%i ends on the same hash when restored on the way', async (seed) => {
    const restoreAt = 1 + createDice(seed).below(TICKS)
    const straight = await first(seed, false)
    const restored = await simulate({ seed, ticks: TICKS, faults: false, restoreAt })
    expect(restored.crashes).toBe(1)
    expect({ restoreAt, hash: restored.hash }).toEqual({ restoreAt, hash: straight.hash })
    expect(restored.answers).toBe(straight.answers)
  })

  test.each(SEEDS)('%i ends on the same hash when mutations arrive shuffled', async (seed) => {
    const straight = await first(seed, false)
    const shuffled = await simulate({ seed, ticks: TICKS, faults: false, isShuffled: true })
    expect(shuffled.hash).toBe(straight.hash)
  })
})
