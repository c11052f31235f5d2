/** The first hour on five channels, each on a fresh world of one seed: the worlds end the same. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHANNELS } from '../../bench/client.ts'
import { type TestDatabase, testDatabases } from '../databases.ts'
import { startTestServer } from '../servers.ts'
import { type Hour, stepHour } from './hour.ts'

let databases: TestDatabase[]
beforeAll(async () => {
  databases = await testDatabases()
})
afterAll(async () => {
  for (const database of databases) await database.close()
})

test('the scripted hour passes on every channel and ends with the same state hash', async () => {
  const hours = new Map<string, Hour>()
  for (const database of databases) {
    for (const channel of CHANNELS) {
      const server = await startTestServer(database)
      hours.set(`${channel} on ${database.name}`, await stepHour(server, channel))
      await server.stop()
    }
  }
  const [first] = hours.values()
  expect(first.story.length).toBeGreaterThan(10)
  for (const [where, hour] of hours) expect({ where, ...hour }).toEqual({ where, ...first })
  console.log(`${hours.size} hours of ${first.tick} ticks end with hash ${first.hash}`)
}, 240_000)
