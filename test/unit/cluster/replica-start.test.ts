/**
 * Where a replica starts again: at a snapshot no later than the last batch that its players were
 * sent, or not at all, because they would miss the batches between.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ToMain } from '../../../core/ports.ts'
import { createFollower } from '../../../engine/follower.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { openReplica, type ReplicaStore } from '../../../storage/replica.ts'
import {
  commitRows,
  imageAt,
  openStore,
  type TestDatabase,
  testDatabase,
} from '../storage/fixture.ts'

let database: TestDatabase
let store: PostgresStore
let replica: ReplicaStore
let first: number
let second: number

beforeAll(async () => {
  database = await testDatabase()
  store = await openStore(database.connection)
  first = await commitRows(store, 3)
  await store.saveSnapshot(imageAt(first))
  second = await commitRows(store, 3)
  await store.saveSnapshot(imageAt(second))
  replica = openReplica(database.connection, { rulesVersion: 1, log: () => {} })
})
afterAll(async () => {
  await replica.close()
  await store.close()
  await database.close()
})

test('the newest snapshot up to a batch is loaded, or the newest if none is that old', async () => {
  const batchAt = async (upTo?: number) => (await replica.latestSnapshot(upTo))?.batch
  expect(await batchAt()).toBe(second)
  expect(await batchAt(second)).toBe(second)
  expect(await batchAt(second - 1)).toBe(first)
  expect(await batchAt(first - 1)).toBe(second)
})

test('a replica ends if every snapshot is newer than the last batch its players were sent', async () => {
  const messages: ToMain[] = []
  const options = { store: replica, post: (message: ToMain) => messages.push(message) }
  // These options are enough, because it ends at its snapshot.
  const start = (lastPublished: number) =>
    createFollower({ ...options, lastPublished } as never as Parameters<typeof createFollower>[0])
  await expect(start(first - 1)).rejects.toThrow(
    `every snapshot is newer than batch ${first - 1}, the last one sent to the players of this ` +
      'node: the node stops, and its players must log in again',
  )
  expect(messages).toEqual([])
})
