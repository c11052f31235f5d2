/** Starts that fail: what the operator reads. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../bench/clients.ts'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { freePort, type Settings, spawnServer, startChild } from '../servers.ts'
import { small } from './stop.ts'

/** The level as pino writes it. */
const FATAL = 60

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

interface Line {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly stack: string }
}

/** Returns the fatal lines of a start; every line of its output must be one of the log. */
const fatalLinesOf = (child: { log(): string }): Line[] =>
  child
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level }) => level === FATAL)

/** Returns the reasons of a refused start, in sentences. */
const reasonsOf = (child: { log(): string }): string[] =>
  fatalLinesOf(child)
    .filter(({ err }) => err === undefined)
    .map(({ msg }) => msg)

test.concurrent('a bad setting, or no database, stops the start with a sentence', async () => {
  const tries: [Settings, RegExp][] = [
    [{ TICK_MS: 'soon' }, /^TICK_MS=soon cannot be used: it must be/],
    [{ HOST: '0.0.0.0' }, /LIMITS=off .* loopback/],
    [{ DATABASE_URL: 'postgres://nobody:s3cret@127.0.0.1:1/none' }, /127\.0\.0\.1:1/],
  ]
  await Promise.all(
    tries.map(async ([setting, sentence]) => {
      const child = spawnServer(small(database, 'unused', setting))
      expect(await child.ended).toBe(1)
      expect(reasonsOf(child)).toHaveLength(1)
      expect(reasonsOf(child)[0]).toMatch(sentence)
      expect(child.log()).not.toContain('s3cret')
    }),
  )
})

test.concurrent('a bug stops the start with its stack in one line, even if silent', async () => {
  const settings = { ORRERY_FAULT: 'nonsense', LOG_LEVEL: 'silent' }
  const child = spawnServer(small(database, database.schema(), settings))
  expect(await child.ended).toBe(1)
  expect(fatalLinesOf(child)).toMatchObject([
    { msg: 'a bug ended the start', err: { stack: expect.stringContaining('\n    at ') } },
  ])
})

test.concurrent('a port or a world in use stops the start with a sentence', async () => {
  const schema = database.schema()
  const port = String(await freePort())
  const server = await startChild(small(database, schema, { PORT: port }))
  const tries = [
    {
      settings: small(database, database.schema(), { PORT: port }),
      sentence: /it is taken or not allowed.*PORT/,
    },
    { settings: small(database, schema, { PORT: '0' }), sentence: /another server runs the world/ },
  ]
  await Promise.all(
    tries.map(async ({ settings, sentence }) => {
      const second = spawnServer(settings)
      expect(await second.ended).toBe(1)
      expect(reasonsOf(second).join('\n')).toMatch(sentence)
      expect(reasonsOf(second)).toHaveLength(1)
    }),
  )
  // The first server still works.
  const client = await connect(server.url, 'http2')
  const params = { username: 'First', empire: 'crimson', registration_code: 'x' }
  expect(await client.call('register', params)).toMatchObject({ ok: true })
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}, 90_000)
