/**
 * Sends SIGTERM and SIGINT under load: pending mutations must be answered, a snapshot saved, every
 * socket closed with 1000, and the process must exit with 0 within 10 s; a second signal must
 * change nothing.
 * `node dist/test/fault/stop.js --count 5`.
 */
import { CHANNELS, type Client } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { disconnect, connect as openSql } from '../../storage/db.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { newName, newPlayer } from '../e2e/wire.ts'
import { type Settings, startChild } from '../servers.ts'

import { dice, runAsProgram, sleep } from './program.ts'

const PLAYERS = 20
const STOP_MS_MAX = 10_000

/** Returns the settings of a small server. */
export const small = (
  database: TestDatabase,
  schema: string,
  overrides: Settings = {},
): Settings => ({
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: schema,
  TICK_MS: '2000',
  MAX_ENTITIES: '20000',
  LIMITS: 'off',
  WORKERS: '0',
  ...overrides,
})

const registerAll = (url: string, names: readonly string[]): Promise<Client[]> =>
  Promise.all(
    names.map(async (name, i) => {
      const client = await connect(url, CHANNELS[i % CHANNELS.length])
      const made = await client.call('register', newPlayer(name))
      if (!made.ok) throw new Error(`register: ${made.message}`)
      return client
    }),
  )

interface StopOptions {
  readonly database: TestDatabase
  readonly schema: string
  readonly signal: 'SIGTERM' | 'SIGINT'
  /** Milliseconds from the mutations to the signal. */
  readonly afterMs: number
}

interface Stopped {
  readonly tookMs: number
  /** Name of a player who was logged in. */
  readonly username: string
  readonly broken: readonly string[]
}

/** Returns the last batch of the journal and that of the snapshots. */
async function lastBatches({ database, schema }: Pick<StopOptions, 'database' | 'schema'>) {
  const sql = openSql(database.connection(schema), { name: 'test' })
  const [row] = await sql<{ head: number; saved: number }[]>`
    select head_batch as head, (select max(batch) from snapshot where complete) as saved from world`
  await disconnect(sql)
  return row
}

export async function stopUnderLoad(options: StopOptions): Promise<Stopped> {
  const { database, schema, signal, afterMs } = options
  const server = await startChild(small(database, schema))
  const names = Array.from({ length: PLAYERS }, newName)
  const clients = await registerAll(server.url, names)
  const sockets = clients.filter(({ channel }) => channel === 'ws1' || channel === 'ws2')
  const pushed: string[] = []
  for (const client of clients) client.onPush = ({ type }) => void pushed.push(type)
  const answers = clients.map((client) => client.call('undock'))
  await sleep(afterMs)
  const since = performance.now()
  server.process.kill(signal)
  const how = await Promise.race([server.ended, sleep(3 * STOP_MS_MAX).then(() => 'no end')])
  const tookMs = performance.now() - since
  if (how === 'no end') server.process.kill('SIGKILL')
  const replies = await Promise.all(answers)
  const { head, saved } = await lastBatches(options)
  const warnings = pushed.filter((type) => type === 'server_restart_warning').length
  const late = tookMs > STOP_MS_MAX ? [`it took ${Math.round(tookMs)} ms`] : []
  const broken = [
    ...(how === 0 ? late : [`it ended with ${how}`]),
    ...replies.flatMap(({ ok, code, message }, i) =>
      ok ? [] : [`undock on ${clients[i].channel}: ${code} ${message}`],
    ),
    ...sockets.flatMap(({ closed, channel }) =>
      closed?.code === 1000 ? [] : [`${channel} was closed with ${closed?.code}`],
    ),
    ...(saved === head ? [] : [`the snapshot is of batch ${saved}, the journal ends at ${head}`]),
    ...(warnings >= sockets.length ? [] : [`only ${warnings} sockets got a warning`]),
  ]
  return { tookMs, username: names[0], broken: broken.map((what) => `${signal}: ${what}`) }
}

/** Sends two signals, as npm does on Ctrl-C: the stop must be as clean as after one. */
export async function stopTwice(database: TestDatabase): Promise<Stopped> {
  const schema = database.schema()
  const server = await startChild(small(database, schema))
  const username = newName()
  const clients = await registerAll(server.url, [username])
  const since = performance.now()
  server.process.kill('SIGTERM')
  await sleep(200)
  server.process.kill('SIGINT')
  const how = await server.ended
  const tookMs = performance.now() - since
  for (const client of clients) await client.close()
  const { head, saved } = await lastBatches({ database, schema })
  return {
    tookMs,
    username,
    broken: [
      ...(how === 0 && tookMs <= STOP_MS_MAX ? [] : [`two signals: ${how} after ${tookMs} ms`]),
      ...(saved === head ? [] : [`the snapshot is of batch ${saved}, the journal ends at ${head}`]),
    ],
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Stops the server by SIGTERM, by SIGINT and by both, under load.',
    defaults: { count: 5, seed: 1 },
  },
  ({ count, seed }) =>
    withDatabase(async (database) => {
      const roll = dice(seed)
      const ends: Stopped[] = []
      for (let i = 0; i < count; i++) {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) {
          const world = { database, schema: database.schema(), signal }
          ends.push(await stopUnderLoad({ ...world, afterMs: 300 + roll() * 1_500 }))
        }
        ends.push(await stopTwice(database))
      }
      const slowest = Math.round(Math.max(...ends.map(({ tookMs }) => tookMs)))
      return {
        summary: `${ends.length} stops under load, the slowest after ${slowest} ms`,
        broken: ends.flatMap(({ broken }) => broken),
      }
    }),
)
