/** Clients that vanish, some on each channel; vanish.ts runs the large count. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { vanishAgainAndAgain } from './vanish.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

test('a command of a vanished client is done and answered if it reached the world', async () => {
  const { arrived, broken } = await vanishAgainAndAgain({ database, count: 200, seed: 2 })
  expect(broken).toEqual([])
  expect(arrived).toBeGreaterThan(80)
})

test('without the native library, commands of vanished clients are done and answered', async () => {
  const options = { database, count: 60, seed: 3, isFallback: true }
  const { arrived, broken } = await vanishAgainAndAgain(options)
  expect(broken).toEqual([])
  expect(arrived).toBeGreaterThan(20)
})
