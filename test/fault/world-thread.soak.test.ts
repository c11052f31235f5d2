/**
 * World threads and kernel threads die under load, each way; world-thread.js runs the large counts.
 */
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

/** Each way three times: twice the world thread, once a kernel thread. */
const WORLD_COUNT = 2
const KERNEL_COUNT = 1

test('the world thread dies each way: sockets stay, every command gets its one answer', async () => {
  const options = { database, players: 12, seed: seedOr(5) }
  const ended = await endEachWay(options, WORLD_COUNT, 'world')
  console.log(ended.summary)
  expect(ended.broken).toEqual([])
  expect(ended.results).toBeGreaterThan(100)
}, 300_000)

test('a kernel thread dies each way: nothing of its tick stands, and three times are enough', async () => {
  const options = { database, players: 12, seed: seedOr(6) }
  const ended = await endEachWay(options, KERNEL_COUNT, 'kernel')
  console.log(ended.summary)
  expect(ended.broken).toEqual([])
  expect(ended.results).toBeGreaterThan(50)
}, 300_000)
