/** A world restored to an earlier batch: newcomers get no id that was ever given out. */
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

/** Registers a newcomer; returns the ids of player and ship. */
async function arrive(server: TestServer): Promise<string[]> {
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

test('ids after a restore never repeat ones that were cut, time after time', async () => {
  const start = () => startTestServer(database, { schema, isSmallMap: true })
  const first = await start()
  const given = new Set<string>(await arrive(first))
  await first.stop()
  const batch = await newestBatch()
  for (let round = 0; round < ROUNDS; round++) {
    // The journal is replayed here, the raised ids with it, and every hash compared.
    const server = await start()
    for (let i = 0; i < NEWCOMERS; i++) {
      const own = await arrive(server)
      expect(own.filter((id) => given.has(id))).toEqual([])
      for (const id of own) given.add(id)
    }
    await server.link.step(2)
    await server.stop()
    // What it left is loaded too: its snapshot hashes the raised ids as it saved them.
    await (await start()).stop()
    await restoreWorld(database.connection(schema), batch)
  }
})
