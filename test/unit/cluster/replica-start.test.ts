/**
 * Where a replica begins anew: at a snapshot no later than what its players were sent, or not at
 * all, for what lies between they would never read.
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

test('a replica is given the newest snapshot up to a batch, or the newest where none is so old', async () => {
  const batchAt = async (upTo?: number) => (await replica.latestSnapshot(upTo))?.batch
  expect(await batchAt()).toBe(second)
  expect(await batchAt(second)).toBe(second)
  expect(await batchAt(second - 1)).toBe(first)
  expect(await batchAt(first - 1)).toBe(second)
})

test('a replica whose players have read less than any snapshot ends, and says why', async () => {
  const messages: ToMain[] = []
  const options = { store: replica, post: (message: ToMain) => messages.push(message) }
  // It gets no further than to its snapshot.
  const start = (lastPublished: number) =>
    createFollower({ ...options, lastPublished } as never as Parameters<typeof createFollower>[0])
  await expect(start(first - 1)).rejects.toThrow(
    `no snapshot is as old as batch ${first - 1}, the last one that players here were sent: this ` +
      'node ends, and they log in anew',
  )
  expect(messages).toEqual([])
})
