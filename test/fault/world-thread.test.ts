/**
 * World threads and kernel threads die under load, each way; world-thread.js runs the large counts.
 * And a command that ends the world thread twice is set aside.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { startTestServer } from '../servers.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { endEachWay } from './world-thread.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

/** How often each way: kernel threads in a soak alone. */
const WORLD_COUNT = soaked(1, 2)
const KERNEL_COUNT = soaked(0, 1)

test('the world thread dies each way: sockets stay, every command gets its one answer', async () => {
  const options = { database, players: 12, seed: seedOr(5) }
  const ended = await endEachWay(options, WORLD_COUNT, 'world')
  console.log(ended.summary)
  expect(ended.broken).toEqual([])
  expect(ended.results).toBeGreaterThan(soaked(40, 100))
}, 300_000)

const endKernelThreads = async () => {
  const options = { database, players: 12, seed: seedOr(6) }
  const ended = await endEachWay(options, KERNEL_COUNT, 'kernel')
  console.log(ended.summary)
  expect(ended.broken).toEqual([])
  expect(ended.results).toBeGreaterThan(50)
}
if (KERNEL_COUNT > 0) {
  const what = 'a kernel thread dies each way: nothing of its tick stands, three times are enough'
  test(what, endKernelThreads, 300_000)
}

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
