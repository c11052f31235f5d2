/** The scan at a small count: each request is answered or ends, and memory is measured. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenDatabase, type TestDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { runScan } from './scan.ts'

const COUNT = 1_500

let database: TestDatabase
beforeAll(async () => {
  database = await givenDatabase()
})
afterAll(async () => {
  await database.close()
})

test.each(soaked<('off' | 'on')[]>(['on'], ['off', 'on']))(
  'in a short scan with limits %s every request is answered or ends',
  async (limits) => {
    const { marks, counts, failures } = await runScan(database, {
      count: COUNT,
      seconds: 1,
      seed: seedOr(1),
      limits,
      lanes: 12,
      players: 6,
      settleMs: 100,
      // A run this short says nothing about leaks: code is still loaded at its first use.
      growthMiB: 200,
    })
    expect(failures).toEqual([])
    expect(counts.sent).toBe(COUNT)
    expect(counts.answered + counts.ended).toBe(COUNT)
    expect(counts.answered).toBeGreaterThan(COUNT / 4)
    for (const { memory } of marks) {
      expect(memory.heap).toBeGreaterThan(2 ** 20)
      expect(memory.worldHeap).toBeGreaterThan(2 ** 20)
    }
  },
  120_000,
)
