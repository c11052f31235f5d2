/**
 * Attacks on a server with all limits on: it keeps answering, its memory is bounded, and a player
 * at another address can go on playing. `node dist/test/fault/attack.js` attacks for a minute.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { soaked } from '../soak-mode.ts'
import { attack } from './attack.ts'

const SECONDS = 6
const TOGETHER_SECONDS = 15

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(() => database.close())

const ALONE = [
  ['endless bodies in chunks of one byte', 'chunks', SECONDS],
  ['batches of sixty calls of tools/list', 'batches', SECONDS],
  ['clients that never read their answers', 'unread', SECONDS],
  ['pings from sockets that do not read', 'pings', SECONDS],
  ['pipelined requests', 'pipelines', SECONDS],
] as const
const TOGETHER = [
  ['all attacks together', 'chunks,batches,unread,pings,pipelines', TOGETHER_SECONDS],
] as const

test.each(
  soaked<readonly (readonly [string, string, number])[]>(TOGETHER, [...ALONE, ...TOGETHER]),
)('the server withstands %s', async (_title, what, seconds) => {
  const { broken } = await attack({ database, what, seconds })
  expect(broken).toEqual([])
})
