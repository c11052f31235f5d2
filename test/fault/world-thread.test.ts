/**
 * A command that ends the world thread. Threads that die under load are in
 * world-thread.soak.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { startTestServer } from '../servers.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(async () => {
  await database.close()
})

test('a command that ends the world thread twice is refused, and others are served', async () => {
  const server = await startTestServer(database, {
    settings: { TICKS: 'timer', TICK_MS: '500' },
    hooks: {
      log: { debug() {}, info() {}, warn() {}, error() {} },
      fault: '!refuel:1:throw:2',
    },
  })
  const [culprit, neighbour] = await Promise.all(
    ['Culprit', 'Neighbour'].map(async (username) => {
      const client = await connect(server.url, 'ws2')
      const params = { username, empire: 'solarian', registration_code: 'x' }
      expect((await client.call('register', params)).ok).toBe(true)
      return client
    }),
  )
  const [bad, good] = await Promise.all([culprit.call('refuel'), neighbour.call('undock')])
  expect(bad).toMatchObject({ ok: false, code: 'internal_error' })
  expect(good.ok).toBe(true)
  expect(server.link.ends()).toBe(2)
  expect(await culprit.call('refuel')).toMatchObject({ ok: false, code: 'internal_error' })
  // The player can send other commands, and other players can send this one.
  expect((await culprit.call('undock')).ok).toBe(true)
  expect((await neighbour.call('refuel')).code).not.toBe('internal_error')
  expect(server.link.ends()).toBe(2)
  expect([culprit.closed, neighbour.closed]).toEqual([undefined, undefined])
  await server.stop()
})
