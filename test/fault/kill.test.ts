/** kill -9 under load, a few times; `npm run release-check` and kill.js run the large counts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { killAgainAndAgain } from './kill.ts'

const KILLS = 6

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

test('kill -9 at random moments loses no acknowledged result and doubles none', async () => {
  const killed = await killAgainAndAgain({ database, count: KILLS, players: 20, seed: 3 })
  expect(killed.broken).toEqual([])
  expect(killed.results).toBeGreaterThan(100)
  const slowestMs = Math.max(...killed.readyMs)
  console.log(`${KILLS} kills, ready again after at most ${Math.round(slowestMs)} ms`)
}, 180_000)
