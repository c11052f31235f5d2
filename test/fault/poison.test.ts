/**
 * A command that ends the leader's world thread. Its gateway sends it again to each new thread, so
 * the leader must set it aside to keep running. Source: SCALE 5, RELIABILITY 3 (Quarantine).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { newPlayer } from '../e2e/wire.ts'
import { endNodes, type Nodes, openNodes } from './nodes.ts'

let database: TestDatabase
let nodes: Nodes
beforeAll(async () => {
  database = await sharedDatabase()
  // Only the leader is armed: a command that it does not run reaches no replica.
  const leaderSettings = { ORRERY_FAULT: '!undock:1:throw:9' }
  nodes = await openNodes({ database, gateways: 1, leaderSettings })
})
afterAll(async () => {
  await endNodes(nodes)
  await database.close()
})

test('a command that ends the world thread twice is refused, and others are served', async () => {
  const [gateway] = nodes.gateways
  const [ada, ben] = await Promise.all([connect(gateway.url, 'ws2'), connect(gateway.url, 'ws2')])
  expect((await ada.call('register', newPlayer('Poison'))).ok).toBe(true)
  expect((await ben.call('register', newPlayer('Bystander'))).ok).toBe(true)
  expect((await ada.call('undock')).code).toBe('internal_error')
  expect((await ben.call('set_status', { status_message: 'Here.' })).ok).toBe(true)
  // Sent again, the command ends no thread.
  expect((await ada.call('undock')).code).toBe('internal_error')
  expect(nodes.leader.process.exitCode).toBe(null)
  const ends = nodes.leader.log().match(/world thread ended at/g)
  expect(ends).toHaveLength(2)
  await ada.close()
  await ben.close()
}, 240_000)
