/** A gateway that is also a standby: it takes over from a dead leader and still serves players. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { orrery } from '../e2e/cli.ts'
import { newPlayer } from '../e2e/wire.ts'
import { endNodes, type Nodes, openNodes } from './nodes.ts'
import { until } from './program.ts'

let database: TestDatabase
let nodes: Nodes
beforeAll(async () => {
  database = await sharedDatabase()
  nodes = await openNodes({ database, gateways: 1, gatewaySettings: { STANDBY: 'on' } })
})
afterAll(async () => {
  await endNodes(nodes)
  await database.close()
})

async function listNodes(): Promise<{ role: string; leads: boolean; pid: number }[]> {
  const { stdout } = await orrery(['cluster', '--json'], {
    ...{ DATABASE_URL: database.url, DATABASE_SCHEMA: nodes.schema, BUS_URL: nodes.bus.url },
  })
  return JSON.parse(stdout).nodes
}

test('a standby gateway leads after a kill of the leader and keeps its players', async () => {
  const [gateway] = nodes.gateways
  const client = await connect(gateway.url, 'ws2')
  expect((await client.call('register', newPlayer('Stands'))).ok).toBe(true)
  await until('following', async () => (await listNodes()).some(({ role }) => role === 'standby'))
  nodes.leader.process.kill('SIGKILL')
  const late = client.call('undock')
  await until('led by the gateway', () => gateway.log().includes('this node leads the world'))
  expect((await late).ok).toBe(true)
  expect((await client.call('dock')).ok).toBe(true)
  const leading = (await listNodes()).filter(({ leads }) => leads)
  expect(leading).toMatchObject([{ role: 'standby', pid: gateway.process.pid }])
  const ready = await (await fetch(`${gateway.url}/readyz`)).json()
  expect(ready).toMatchObject({ status: 'ready', role: 'gateway', leads: true })
  await client.close()
  gateway.process.kill('SIGTERM')
  expect(await gateway.ended).toBe(0)
}, 180_000)
