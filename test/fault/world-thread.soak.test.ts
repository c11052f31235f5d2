/** World threads and kernel threads that die under load; world-thread.ts runs the large counts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { seedOr } from '../soak-mode.ts'
import { endEachWay } from './world-thread.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

/** Ends of a thread for each way in which it can die. */
const WORLD_COUNT = 2
const KERNEL_COUNT = 1

test('ends of the world thread close no socket, and every command is answered once', async () => {
  const options = { database, players: 12, seed: seedOr(5) }
  const ended = await endEachWay(options, WORLD_COUNT, 'world')
  console.log(ended.summary)
  expect(ended.broken).toEqual([])
  expect(ended.results).toBeGreaterThan(100)
}, 300_000)

test('ends of kernel threads undo their tick, and the third one turns them off', async () => {
  const options = { database, players: 12, seed: seedOr(6) }
  const ended = await endEachWay(options, KERNEL_COUNT, 'kernel')
  console.log(ended.summary)
  expect(ended.broken).toEqual([])
  expect(ended.results).toBeGreaterThan(50)
}, 300_000)
