/** Clean stops by signals under load. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { newPlayer } from '../e2e/wire.ts'
import { startChild } from '../servers.ts'
import { small, stopTwice, stopUnderLoad } from './stop.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(async () => {
  await database.close()
})

test('SIGTERM under load stops the server cleanly within 10 s', async () => {
  const schema = database.schema()
  const stopped = await stopUnderLoad({ database, schema, signal: 'SIGTERM', afterMs: 1_000 })
  expect(stopped.broken).toEqual([])
  const restarted = await startChild(small(database, schema))
  const [stopMs, startMs] = [Math.round(stopped.tookMs), Math.round(restarted.readyMs)]
  console.log(`stopped in ${stopMs} ms, started again in ${startMs} ms`)
  const client = await connect(restarted.url, 'ws1')
  const params = newPlayer(stopped.username)
  expect(await client.call('register', params)).toMatchObject({ code: 'username_taken' })
  restarted.process.kill('SIGINT')
  expect(await restarted.ended).toBe(0)
  expect(client.closed?.code).toBe(1000)
})

test.concurrent('a second signal does not disturb a clean stop', async () => {
  expect((await stopTwice(database)).broken).toEqual([])
})
