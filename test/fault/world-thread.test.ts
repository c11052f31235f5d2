/**
 * The world thread dies under load, once in each way; world-thread.js runs the large counts. And a
 * command that ends it twice is set aside.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { startTestServer } from '../servers.ts'
import { endWorldThread, type Way } from './world-thread.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

const REASONS: Record<Way, RegExp> = {
  terminate: /exit 1/,
  throw: /armed fault/,
  loop: /no progress for 2000 ms/,
  heap: /out of memory|memory limit/i,
}

const ENDS = [
  ['terminate', 'beat'],
  ['throw', 'beat'],
  ['throw', 'after_commit'],
  ['loop', 'beat'],
  ['heap', 'in_commit'],
] as const

test.each(ENDS)('%s at %s: sockets stay, every command gets its one answer', async (way, point) => {
  const ended = await endWorldThread({ database, way, point, count: 1, players: 15, seed: 5 })
  expect(ended.broken).toEqual([])
  expect(ended.ends).toBe(1)
  expect(ended.reasons.join('\n')).toMatch(REASONS[way])
  expect(ended.results).toBeGreaterThan(50)
})

test('a command that ends the world thread twice is refused; its neighbours are served', async () => {
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
  // The player goes on, and so does the command for others.
  expect((await culprit.call('undock')).ok).toBe(true)
  expect((await neighbour.call('refuel')).code).not.toBe('internal_error')
  expect(server.link.ends()).toBe(2)
  expect([culprit.closed, neighbour.closed]).toEqual([undefined, undefined])
  await server.stop()
})
