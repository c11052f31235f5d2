/**
 * A world with two gateways as processes: players play at either, and lose nothing by what becomes
 * of a gateway, the leader or the bus. Source: SCALE 6.
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
let world: ChildServer
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
    // A replica that comes to another hash ends in the tick in which it does.
    HASH_EVERY: '1',
    CHECK_EVERY: '10',
    SPECTATOR_DELAY: '0',
  })

beforeAll(async () => {
  database = await sharedDatabase()
  bus = await startBusServer()
  schema = database.schema()
  world = await start('world')
  ;[west, east] = await Promise.all([start('gateway'), start('gateway')])
})
afterAll(async () => {
  for (const { process } of [west, east, world]) process.kill('SIGTERM')
  await Promise.all([west, east, world].map(({ ended }) => ended))
  await bus?.close()
  await database.close()
})

/** Acknowledgements that players were sent. */
let acknowledged = 0

const countAcknowledged = (message: Buffer): boolean => {
  if (message.includes('"pending":true')) acknowledged += 1
  return false
}

/** Registers a new player and flies them to a belt. */
async function flyOut(at: ChildServer, word: string): Promise<Miner> {
  const client = await connect(at.url, 'ws2', { onMessage: countAcknowledged })
  const miner = await startMiner(client, newName(word), 'solarian')
  while (miner.step !== 'mine') expect((await workOn(miner)).code).toBeUndefined()
  return miner
}

const outcomesAt = (client: Client): string[] =>
  client
    .pushes()
    .filter(({ type }) => type === 'action_result' || type === 'action_error')
    .map(({ type }) => type)

test('a player at a gateway mines, reads what came of it, and is seen at the other', async () => {
  const miner = await flyOut(west, 'Wanda')
  const mined = await workOn(miner)
  expect(mined.ok).toBe(true)
  // What was answered is read at once: the replica that answered has it.
  const [ore] = /[a-z_]+_ore/.exec(JSON.stringify(mined.result)) ?? []
  const cargo = await miner.client.call('get_cargo')
  expect(JSON.stringify(cargo.result)).toContain(`"${ore}"`)
  const other = await flyOut(east, 'Eddy')
  const seen = await other.client.call('get_nearby')
  expect(JSON.stringify(seen.result)).toContain(miner.name)
  // An immediate that the leader refuses is in no row: the answer comes by itself.
  const refused = await other.client.call('chat', { channel: 'private', content: 'Hello.' })
  expect(refused.ok).toBe(false)
  await miner.client.close()
  await other.client.close()
})

test('a login at the other gateway closes the older socket, which does not unbind it', async () => {
  const miner = await flyOut(west, 'Moves')
  const moved = await resumeMiner(await connect(east.url, 'ws2'), miner)
  await until('closed', () => miner.client.closed !== undefined, 10_000)
  expect(miner.client.closed?.code).toBe(4001)
  moved.step = 'mine'
  expect((await workOn(moved)).ok).toBe(true)
  await moved.client.close()
})

test('a gateway is killed: its player goes on at the other, and gets what was under way', async () => {
  const miner = await flyOut(west, 'Survivor')
  let isSettled = false
  const before = acknowledged
  const underWay = miner.client.call('mine').then(() => {
    isSettled = true
  })
  // It has come when the leader has the command.
  await until('acknowledged', () => acknowledged > before)
  west.process.kill('SIGKILL')
  const wasAnswered = isSettled
  const sinceMs = performance.now()
  const moved = await resumeMiner(await connect(east.url, 'ws2'), miner)
  expect(performance.now() - sinceMs).toBeLessThan(5_000)
  await underWay
  if (!wasAnswered) await until('the answer', () => outcomesAt(moved.client).length > 0, 10_000)
  moved.step = 'mine'
  expect((await workOn(moved)).code).toBeUndefined()
  await moved.client.close()
  await until('unbound', () => world.log().includes('a node is gone'), 20_000)
  west = await start('gateway')
})

test('the leader is killed: another one goes on with accepted commands, each once', async () => {
  const miner = await flyOut(west, 'Patient')
  const before = acknowledged
  const replies = [miner.client.call('mine')]
  await until('acknowledged', () => acknowledged > before)
  world.process.kill('SIGKILL')
  await world.ended
  // Queries are answered meanwhile.
  expect((await miner.client.call('get_status')).ok).toBe(true)
  world = await start('world')
  for (const reply of await Promise.all(replies)) expect(reply.code).toBeUndefined()
  expect((await miner.client.call('mine')).code).toBeUndefined()
  await miner.client.close()
})

test('without the bus queries are answered; commands sent meanwhile run later', async () => {
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
