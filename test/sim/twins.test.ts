/** Twins: the same seed by another road ends on the same hash (I5). */
import { describe, expect, test } from 'vitest'
import { createDice } from './dice.ts'
import { simulate } from './simulate.ts'

const TICKS = 60
const SEEDS = [101, 102, 103, 104]

describe('the same seed', () => {
  test.each(SEEDS)('%i ends on the same hash twice, faults and all', async (seed) => {
    const first = await simulate({ seed, ticks: TICKS })
    const second = await simulate({ seed, ticks: TICKS })
    expect(second.hash).toBe(first.hash)
    expect(second.answers).toBe(first.answers)
  })

  test.each(SEEDS)('%i ends on the same hash with 0, 1, 2 and 4 kernel threads', async (seed) => {
    const alone = await simulate({ seed, ticks: TICKS })
    for (const workers of [1, 2, 4]) {
      const shared = await simulate({ seed, ticks: TICKS, workers })
      expect({ workers, hash: shared.hash }).toEqual({ workers, hash: alone.hash })
    }
  })

  test('gives the kernel threads something to do', async () => {
    let mined = 0
    for (const seed of SEEDS) {
      const result = await simulate({ seed, ticks: TICKS })
      mined += result.done.get('mine') ?? 0
    }
    expect(mined).toBeGreaterThan(20)
  })

  test.each(SEEDS)('%i ends on the same hash when restored on the way', async (seed) => {
    const restoreAt = 1 + createDice(seed).below(TICKS)
    const straight = await simulate({ seed, ticks: TICKS, faults: false })
    const restored = await simulate({ seed, ticks: TICKS, faults: false, restoreAt })
    expect(restored.crashes).toBe(1)
    expect({ restoreAt, hash: restored.hash }).toEqual({ restoreAt, hash: straight.hash })
    expect(restored.answers).toBe(straight.answers)
  })

  test.each(SEEDS)('%i ends on the same hash when mutations arrive shuffled', async (seed) => {
    const straight = await simulate({ seed, ticks: TICKS, faults: false })
    const shuffled = await simulate({ seed, ticks: TICKS, faults: false, isShuffled: true })
    expect(shuffled.hash).toBe(straight.hash)
  })
})
