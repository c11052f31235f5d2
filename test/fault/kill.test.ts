/** kill -9 under load; `npm run release-check` runs the large counts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { killInLanes, verdictOf } from './kill.ts'

const KILLS = soaked(6, 40)

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(async () => {
  await database.close()
})

test('kill -9 at random moments and at named points loses and doubles no result', async () => {
  const killed = await killInLanes({
    database,
    count: KILLS,
    lanes: 2,
    players: 8,
    seed: seedOr(3),
  })
  const { summary, broken } = verdictOf(killed)
  console.log(summary)
  expect(broken).toEqual([])
  for (const { results } of killed) expect(results).toBeGreaterThan(50)
}, 1_800_000)
