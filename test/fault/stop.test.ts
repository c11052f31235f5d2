/** Clean ends under load, and starts that cannot be: what the operator sees. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, connect } from '../../bench/clients.ts'
import { disconnect, connect as openSql } from '../../storage/db.ts'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { type ChildServer, freePort, type Settings, spawnServer, startChild } from '../servers.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

const small = (schema: string, more: Settings = {}): Settings => ({
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: schema,
  TICK_MS: '2000',
  MAX_ENTITIES: '20000',
  LIMITS: 'off',
  WORKERS: '0',
  ...more,
})

async function enlist(server: ChildServer, count: number): Promise<Client[]> {
  const channels = ['ws1', 'ws2', 'http1', 'http2', 'mcp'] as const
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const client = await connect(server.url, channels[i % channels.length])
      const params = { username: `Hand ${i}`, empire: 'crimson', registration_code: 'x' }
      expect(await client.call('register', params)).toMatchObject({ ok: true })
      return client
    }),
  )
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test('SIGTERM under load: last tick, snapshot, 1000 to every socket, exit 0 within 10 s', async () => {
  const schema = database.schema()
  const server = await startChild(small(schema))
  const hands = await enlist(server, 20)
  const warned: string[] = []
  for (const hand of hands) hand.onPush = ({ type }) => void warned.push(type)
  const answers = hands.map((hand) => hand.call('undock'))
  await sleep(1_000)
  const since = performance.now()
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(performance.now() - since).toBeLessThan(10_000)
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ ok: true })
  const sockets = hands.filter(({ channel }) => channel === 'ws1' || channel === 'ws2')
  for (const socket of sockets) expect(socket.closed?.code).toBe(1000)
  expect(warned.filter((type) => type === 'server_restart_warning')).toHaveLength(16)
  const sql = openSql(database.connection(schema), { name: 'test' })
  const rows = await sql<{ head: number; saved: number }[]>`
    select head_batch as head, (select max(batch) from snapshot where complete) as saved from world`
  await disconnect(sql)
  expect(rows[0].saved).toBe(rows[0].head)
  // The second start finds it all.
  const again = await startChild(small(schema))
  console.log(`first start ${server.readyMs | 0} ms, second start ${again.readyMs | 0} ms`)
  const client = await connect(again.url, 'ws1')
  const params = { username: 'Hand 0', empire: 'crimson', registration_code: 'x' }
  expect(await client.call('register', params)).toMatchObject({ code: 'username_taken' })
  again.process.kill('SIGTERM')
  expect(await again.ended).toBe(0)
})

test.concurrent('a second signal ends it at once', async () => {
  const server = await startChild(small(database.schema()))
  server.process.kill('SIGTERM')
  server.process.kill('SIGINT')
  expect([0, 1]).toContain(await server.ended)
})

/** What a start that cannot be has said, log lines apart. */
const saidBy = (child: { log(): string }): string[] =>
  child
    .log()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))

test.concurrent('a bad setting, or no database, stops the start with a sentence', async () => {
  const tries: [Settings, RegExp][] = [
    [{ TICK_MS: 'soon' }, /^TICK_MS=soon cannot be used: it must be/],
    [{ HOST: '0.0.0.0' }, /LIMITS=off .* loopback/],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /127\.0\.0\.1:1/],
  ]
  await Promise.all(
    tries.map(async ([more, sentence]) => {
      const child = spawnServer(small('unused', more))
      expect(await child.ended).toBe(1)
      expect(saidBy(child)).toHaveLength(1)
      expect(saidBy(child)[0]).toMatch(sentence)
    }),
  )
})

test.concurrent('a taken port and a taken world stop the start with a sentence', async () => {
  const schema = database.schema()
  const port = String(await freePort())
  const server = await startChild(small(schema, { PORT: port }))
  const tries = [
    {
      settings: small(database.schema(), { PORT: port }),
      sentence: /it is taken or not allowed.*PORT/,
    },
    { settings: small(schema, { PORT: '0' }), sentence: /another server runs the world/ },
  ]
  await Promise.all(
    tries.map(async ({ settings, sentence }) => {
      const second = spawnServer(settings)
      expect(await second.ended).toBe(1)
      expect(saidBy(second).join('\n')).toMatch(sentence)
      expect(saidBy(second)).toHaveLength(1)
    }),
  )
  // The first one is none the worse.
  const client = await connect(server.url, 'http2')
  const params = { username: 'First', empire: 'crimson', registration_code: 'x' }
  expect(await client.call('register', params)).toMatchObject({ ok: true })
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}, 90_000)
