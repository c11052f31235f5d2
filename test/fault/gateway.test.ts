/**
 * A world with two gateways as processes: players play at either, and lose nothing when a gateway,
 * the leader or the bus fails. Source: SCALE 6.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { type Miner, resumeMiner, startMiner, workOn } from '../../bench/miner.ts'
import { connect as connectSql, disconnect } from '../../storage/db.ts'
import { readJournal } from '../../storage/journal.ts'
import { type BusServer, startBusServer } from '../bus-server.ts'
import { sharedDatabase, type TestDatabase } from '../databases.ts'
import { newName } from '../e2e/wire.ts'
import { type ChildServer, startChild } from '../servers.ts'
import { sleep, until } from './program.ts'

let database: TestDatabase
let bus: BusServer | undefined
let schema: string
let leader: ChildServer
let west: ChildServer
let east: ChildServer

const start = (role: string): Promise<ChildServer> =>
  startChild({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: schema,
    ROLE: role,
    BUS_URL: process.env.TEST_BUS_URL ?? bus?.url ?? '',
    TICK_MS: '500',
    LIMITS: 'off',
    WORKERS: '0',
    MAX_ENTITIES: '20000',
    // A replica with another hash than the leader's ends at once.
    HASH_EVERY: '1',
    CHECK_EVERY: '10',
    SPECTATOR_DELAY: '0',
  })

beforeAll(async () => {
  database = await sharedDatabase()
  bus = await startBusServer()
  schema = database.schema()
  leader = await start('world')
  ;[west, east] = await Promise.all([start('gateway'), start('gateway')])
})
afterAll(async () => {
  for (const { process } of [west, east, leader]) process.kill('SIGTERM')
  await Promise.all([west, east, leader].map(({ ended }) => ended))
  await bus?.close()
  await database.close()
})

/** Number of acknowledgements that players have received. */
let acknowledged = 0

const countAcknowledged = (message: Buffer): boolean => {
  if (message.includes('"pending":true')) acknowledged += 1
  return false
}

/** Registers a new player and flies them to a belt. */
async function flyOut(gateway: ChildServer, name: string): Promise<Miner> {
  const client = await connect(gateway.url, 'ws2', { onMessage: countAcknowledged })
  const miner = await startMiner(client, newName(name), 'solarian')
  while (miner.step !== 'mine') expect((await workOn(miner)).code).toBeUndefined()
  return miner
}

const outcomesAt = (client: Client): string[] =>
  client
    .pushes()
    .filter(({ type }) => type === 'action_result' || type === 'action_error')
    .map(({ type }) => type)

test('a player reads results at once and is seen by players at the other gateway', async () => {
  const miner = await flyOut(west, 'Wanda')
  const mined = await workOn(miner)
  expect(mined.ok).toBe(true)
  // The replica of the gateway already has the mined ore when the answer is sent.
  const [ore] = /[a-z_]+_ore/.exec(JSON.stringify(mined.result)) ?? []
  const cargo = await miner.client.call('get_cargo')
  expect(JSON.stringify(cargo.result)).toContain(`"${ore}"`)
  const onlooker = await flyOut(east, 'Eddy')
  const nearby = await onlooker.client.call('get_nearby')
  expect(JSON.stringify(nearby.result)).toContain(miner.name)
  // A refused immediate is in no journal row; the leader sends its answer separately.
  const refused = await onlooker.client.call('chat', { channel: 'private', content: 'Hello.' })
  expect(refused.ok).toBe(false)
  await miner.client.close()
  await onlooker.client.close()
})

test('a login at the other gateway closes the older socket and stays bound', async () => {
  const miner = await flyOut(west, 'Moves')
  const moved = await resumeMiner(await connect(east.url, 'ws2'), miner)
  await until('closed', () => miner.client.closed !== undefined, 10_000)
  expect(miner.client.closed?.code).toBe(4001)
  moved.step = 'mine'
  expect((await workOn(moved)).ok).toBe(true)
  await moved.client.close()
})

test('a player of a killed gateway gets the outcome in flight at the other one', async () => {
  const miner = await flyOut(west, 'Survivor')
  let isSettled = false
  const before = acknowledged
  const inFlight = miner.client.call('mine').then(() => {
    isSettled = true
  })
  // Once it is acknowledged, the leader has the command.
  await until('acknowledged', () => acknowledged > before)
  west.process.kill('SIGKILL')
  const wasAnswered = isSettled
  const sinceMs = performance.now()
  const moved = await resumeMiner(await connect(east.url, 'ws2'), miner)
  expect(performance.now() - sinceMs).toBeLessThan(5_000)
  await inFlight
  if (!wasAnswered) await until('the answer', () => outcomesAt(moved.client).length > 0, 10_000)
  moved.step = 'mine'
  expect((await workOn(moved)).code).toBeUndefined()
  await moved.client.close()
  await until('unbound', () => leader.log().includes('a node is gone'), 20_000)
  west = await start('gateway')
})

test('a new leader runs the commands that the killed one had accepted', async () => {
  const miner = await flyOut(west, 'Patient')
  const before = acknowledged
  const replies = [miner.client.call('mine')]
  await until('acknowledged', () => acknowledged > before)
  leader.process.kill('SIGKILL')
  await leader.ended
  // The gateway still answers queries.
  expect((await miner.client.call('get_status')).ok).toBe(true)
  leader = await start('world')
  for (const reply of await Promise.all(replies)) expect(reply.code).toBeUndefined()
  expect((await miner.client.call('mine')).code).toBeUndefined()
  await miner.client.close()
})

test('gateways answer queries while the bus is down, and send commands once it is up', async () => {
  if (!bus) throw new Error('there is no bus')
  const miner = await flyOut(east, 'Waits')
  await bus.down()
  const late = miner.client.call('mine')
  await sleep(1_000)
  expect((await miner.client.call('get_status')).ok).toBe(true)
  await bus.up()
  expect((await late).code).toBeUndefined()
  await miner.client.close()
})

test('no mutation is in the journal twice, and all replicas have the same hash', async () => {
  const sql = connectSql(database.connection(schema), { name: 'audit' })
  const refs: number[] = []
  for await (const { part, inputs } of readJournal(sql, 0)) {
    if (part === 0) refs.push(...inputs.map(({ ref }) => ref))
  }
  await disconnect(sql)
  expect(refs.length).toBeGreaterThan(10)
  expect(new Set(refs).size).toBe(refs.length)
  for (const { log } of [west, east]) expect(log()).not.toContain('cannot follow')
})
