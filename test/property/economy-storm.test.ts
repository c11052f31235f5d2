/**
 * A random economy through the engine: all invariants hold after each tick and across restarts, and
 * the world is the same on any number of kernel threads. The full count: economy-storm-run.ts.
 * Source: market.md 11, trade-storage.md 7, crafting.md 12.
 */
import { expect, test } from 'vitest'
import { runEconomyStorm } from './economy-storm.ts'

const COUNT = 5_000

test('a random economy with restarts breaks no invariant', async () => {
  const storm = await runEconomyStorm({ seed: 11, count: COUNT, restartEvery: 15 })
  expect(storm.restarts).toBeGreaterThan(1)
  const done = [...storm.answers.keys()].filter((key) => key.endsWith(' ok'))
  expect(done.length).toBeGreaterThan(8)
})

test('a random economy ends on one hash on any number of threads, restarted or not', async () => {
  const alone = await runEconomyStorm({ seed: 12, count: COUNT })
  for (const workers of [[1], [2, 4, 0]]) {
    const shared = await runEconomyStorm({ seed: 12, count: COUNT, workers, restartEvery: 20 })
    expect({ workers, hash: shared.hash }).toEqual({ workers, hash: alone.hash })
    expect(shared.answers).toEqual(alone.answers)
  }
})
