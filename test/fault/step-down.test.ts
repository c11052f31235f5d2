/** `npx orrery cluster` on a running world: the list of nodes, and `step-down`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import type { TestDatabase } from '../databases.ts'
import { sharedDatabase } from '../databases.ts'
import { orrery } from '../e2e/cli.ts'
import { newPlayer } from '../e2e/wire.ts'
import type { ChildServer } from '../servers.ts'
import { endNodes, type Nodes, openNodes } from './nodes.ts'
import { until } from './program.ts'

const TAKEOVER_MS_MAX = 60_000

let database: TestDatabase
let nodes: Nodes
let standby: ChildServer | undefined

beforeAll(async () => {
  database = await sharedDatabase()
  nodes = await openNodes({ database, gateways: 1 })
})
afterAll(async () => {
  await endNodes(nodes, standby ? [standby] : [])
  await database.close()
})

interface Shown {
  readonly lease: { readonly holder: number | null; readonly epoch: number }
  readonly nodes: readonly {
    readonly node: number
    readonly role: string
    readonly leads: boolean
    readonly pid: number
    readonly has_lease: boolean
  }[]
}

const cluster = (...args: string[]) =>
  orrery(['cluster', ...args], {
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: nodes.schema,
    BUS_URL: nodes.bus.url,
  })

async function show(): Promise<Shown> {
  const { code, stdout, stderr } = await cluster('--json')
  expect([code, stderr]).toEqual([0, expect.any(String)])
  return JSON.parse(stdout) as Shown
}

const leaderOf = ({ nodes: all }: Shown) => all.filter(({ leads }) => leads)

test('cluster lists the nodes, and step-down without a standby is refused', async () => {
  const shown = await show()
  expect(shown.nodes.map(({ role }) => role).toSorted()).toEqual(['gateway', 'world'])
  expect(leaderOf(shown)).toMatchObject([{ role: 'world', pid: nodes.leader.process.pid }])
  expect(leaderOf(shown)[0]).toMatchObject({ node: shown.lease.holder, has_lease: true })
  const refused = await cluster('step-down')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('The leader stays: no standby is there to take over')
  expect(nodes.leader.process.exitCode).toBe(null)
}, 120_000)

test('step-down hands the world to a standby, and players keep their sockets', async () => {
  const client = await connect(nodes.gateways[0].url, 'ws2')
  expect((await client.call('register', newPlayer('Stays'))).ok).toBe(true)
  standby = await nodes.start('standby')
  const before = await show()
  expect(before.nodes.map(({ role }) => role).toSorted()).toEqual(['gateway', 'standby', 'world'])
  const inFlight = client.call('undock')
  const { code, stdout, stderr } = await cluster('step-down', '--json')
  expect([code, stderr]).toEqual([0, expect.stringContaining('steps down')])
  const handed = JSON.parse(stdout)
  expect(handed).toMatchObject({ from: before.lease.holder, epoch: before.lease.epoch + 1 })
  expect(handed.took_ms).toBeLessThan(TAKEOVER_MS_MAX)
  expect(await nodes.leader.ended).toBe(0)
  expect((await inFlight).ok).toBe(true)
  expect((await client.call('dock')).ok).toBe(true)
  await until('logged by the standby', () => standby?.log().includes('this node leads') === true)
  const after = await show()
  expect(leaderOf(after)).toMatchObject([{ role: 'standby', pid: standby.process.pid }])
  expect(after.lease).toMatchObject({ holder: handed.to, epoch: handed.epoch })
  await client.close()
}, 180_000)
