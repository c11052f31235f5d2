/** Clean ends under load: what the operator sees. */
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

test('SIGTERM under load: last tick, snapshot, 1000 to every socket, exit 0 within 10 s', async () => {
  const schema = database.schema()
  const stopped = await stopUnderLoad({ database, schema, signal: 'SIGTERM', afterMs: 1_000 })
  expect(stopped.broken).toEqual([])
  // The second start finds it all.
  const again = await startChild(small(database, schema))
  console.log(`stopped in ${stopped.tookMs | 0} ms, started again in ${again.readyMs | 0} ms`)
  const client = await connect(again.url, 'ws1')
  const params = newPlayer(stopped.username)
  expect(await client.call('register', params)).toMatchObject({ code: 'username_taken' })
  again.process.kill('SIGINT')
  expect(await again.ended).toBe(0)
  expect(client.closed?.code).toBe(1000)
})

test.concurrent('a second signal changes nothing', async () => {
  expect((await stopTwice(database)).broken).toEqual([])
})
