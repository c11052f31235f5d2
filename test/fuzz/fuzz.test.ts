/**
 * Runs the fuzzer, at a short count in `npm test`: every message is answered, the server survives,
 * and the world is what a replay of its journal makes. To run a failing seed again:
 * `node dist/test/fuzz/run.js --seed N`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenDatabase, type TestDatabase } from '../databases.ts'
import { SOAK_SEED, seedOr, soaked } from '../soak-mode.ts'
import { runFuzz } from './fuzz.ts'
import { describeFuzz } from './fuzz-report.ts'

const COUNT = soaked(10_000, 100_000)
const SEED = seedOr(7)

let database: TestDatabase
beforeAll(async () => {
  database = await givenDatabase()
})
afterAll(async () => {
  await database.close()
})

test('hostile messages are answered on all framings, and refused ones change nothing', async () => {
  const report = await runFuzz(database, { count: COUNT, seed: SEED })
  for (const line of describeFuzz(report)) console.log(line)
  expect(report.failures).toEqual([])
  expect(report.tried).toBe(COUNT)
  // The comparison means something only if enough was accepted and refused.
  expect(report.accepted).toBeGreaterThan(COUNT / 20)
  expect(report.refused).toBeGreaterThan(COUNT / 4)
  // Every command, on every framing that has it, with every kind of change to a field.
  if (SOAK_SEED !== undefined) expect(report.coverage.tried).toBe(report.coverage.all)
  expect(report.twin.refused).toBeGreaterThan(0)
  expect(report.twin.compared).toBeGreaterThan(2)
}, 900_000)
