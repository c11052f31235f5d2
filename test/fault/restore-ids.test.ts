/** Ids of new players in a world that was restored to an earlier batch. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { restoreWorld } from '../../storage/restore.ts'
import { listSnapshots } from '../../storage/snapshots.ts'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { newName, newPlayer } from '../e2e/wire.ts'
import { startTestServer, type TestServer } from '../servers.ts'

const ROUNDS = 2
const NEWCOMERS = 2
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let database: TestDatabase
let schema: string

beforeAll(async () => {
  database = await sharedDatabase()
  schema = database.schema()
})
afterAll(async () => {
  await database.close()
})

/** Registers a new player; returns the ids of player and ship. */
async function registerNewcomer(server: TestServer): Promise<string[]> {
  const client = await connectClient(server.url, 'ws2')
  const made = await client.call('register', newPlayer(newName()))
  const { result } = await client.call('get_status')
  await client.close()
  const ids = [made.result.player_id, (result.ship as Params).id]
  for (const id of ids) expect(id).toMatch(UUID)
  return ids.map(String)
}

async function newestBatch(): Promise<number> {
  const sql = connect(database.connection(schema), { name: 'test' })
  const [{ batch }] = await listSnapshots(sql)
  await disconnect(sql)
  return batch
}

test('new players after a restore never get ids from the discarded journal', async () => {
  const start = () => startTestServer(database, { schema, isSmallMap: true })
  const first = await start()
  const given = new Set<string>(await registerNewcomer(first))
  await first.stop()
  const batch = await newestBatch()
  for (let round = 0; round < ROUNDS; round++) {
    // This start replays the journal, which includes the raised ids, and compares every hash.
    const server = await start()
    for (let i = 0; i < NEWCOMERS; i++) {
      const own = await registerNewcomer(server)
      expect(own.filter((id) => given.has(id))).toEqual([])
      for (const id of own) given.add(id)
    }
    await server.link.step(2)
    await server.stop()
    // This start loads the snapshot of the stop, whose hash includes the raised ids.
    await (await start()).stop()
    await restoreWorld(database.connection(schema), batch)
  }
})
