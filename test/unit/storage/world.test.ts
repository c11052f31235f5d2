/** A real world saved to PostgreSQL and loaded again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stateHash } from '../../../core/hash.ts'
import { loadWorld } from '../../../engine/start.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { smallWorld } from '../../small-world.ts'
import { commitRows, openStore, type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase
let store: PostgresStore

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await store.close()
  await database.close()
})

test('a small world that has run some ticks is loaded with the same hash', async () => {
  const small = await smallWorld({ seed: 4, players: 2 })
  small.ticks(3)
  const image = small.image()
  store = await openStore(database.connection, { rulesVersion: image.rulesVersion })
  // A snapshot is complete only once its journal row is committed.
  await commitRows(store, image.batch)
  await store.saveSnapshot(image)
  const stored = await store.latestSnapshot()
  if (!stored) throw new Error('no snapshot')
  const { registry, world } = small
  const { tickMs, maxEntities } = world
  const loaded = loadWorld({ registry, tickMs, maxEntities }, stored)
  expect(stateHash(loaded)).toBe(small.hash())
})
