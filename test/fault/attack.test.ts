/**
 * Strangers attack a server with all limits on: it answers, its memory stays, a player beside them
 * plays on. `node dist/test/fault/attack.js` does it for a minute.
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
  ['bodies in chunks of one byte that never end', 'chunks', SECONDS],
  ['batches of sixty calls for the list of tools', 'batches', SECONDS],
  ['answers that nobody reads', 'unread', SECONDS],
  ['pings from sockets that do not read', 'pings', SECONDS],
  ['requests in pipelines', 'pipelines', SECONDS],
] as const
const TOGETHER = [
  ['all of them together', 'chunks,batches,unread,pings,pipelines', TOGETHER_SECONDS],
] as const

test.each(
  soaked<readonly (readonly [string, string, number])[]>(TOGETHER, [...ALONE, ...TOGETHER]),
)('%s', async (_what, what, seconds) => {
  const { broken } = await attack({ database, what, seconds })
  expect(broken).toEqual([])
})
