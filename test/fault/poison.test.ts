/**
 * A command on which the leader's world thread ends: its node sends it to each new thread, so the
 * leader must leave it out, and live. Source: SCALE 5, RELIABILITY 3 (Quarantine).
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
  // The leader is armed alone: what it does not run no replica runs.
  nodes = await openNodes({ database, gateways: 1, leads: { ORRERY_FAULT: '!undock:1:throw:9' } })
})
afterAll(async () => {
  await endNodes(nodes)
  await database.close()
})

test('the leader ends on a command twice, then answers it, and what else comes is done', async () => {
  const [gateway] = nodes.gateways
  const [ada, ben] = await Promise.all([connect(gateway.url, 'ws2'), connect(gateway.url, 'ws2')])
  expect((await ada.call('register', newPlayer('Poison'))).ok).toBe(true)
  expect((await ben.call('register', newPlayer('Bystander'))).ok).toBe(true)
  expect((await ada.call('undock')).code).toBe('internal_error')
  expect((await ben.call('set_status', { status_message: 'Here.' })).ok).toBe(true)
  // Sent anew it ends nobody.
  expect((await ada.call('undock')).code).toBe('internal_error')
  expect(nodes.leader.process.exitCode).toBe(null)
  const ends = nodes.leader.log().match(/world thread ended/g)
  expect(ends).toHaveLength(2)
  await ada.close()
  await ben.close()
}, 240_000)
