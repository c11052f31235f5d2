/**
 * Two servers on one database: the second must refuse to start. When the first loses its lock and a
 * rival takes over the world, the first must stop before its next commit; once the world is free,
 * the next server must continue it. Source: RELIABILITY 5, F11.
 * `node dist/test/fault/two-servers.js --count 1 [--seed 1]`.
 */
import { randomUUID } from 'node:crypto'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { freePort, startChild, startTestServer } from '../servers.ts'
import { type Crew, startCrew } from './crew.ts'
import { runAsProgram, until, type Verdict } from './program.ts'
import { STORM_SETTINGS, settle, startKept } from './storm.ts'

interface TwoServersOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
  readonly say?: (text: string) => void
}

const PLAYERS = 6

const say = (): void => {}
const quiet = { debug: say, info: say, warn: say, error: say }

/** Starts a second server; returns the error that an operator reads, undefined if it started. */
async function startSecond(database: TestDatabase, schema: string): Promise<string | undefined> {
  try {
    const server = await startTestServer(database, { schema, hooks: { log: quiet } })
    await server.stop()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const headOf = async (sql: Sql): Promise<number> => {
  const rows = await sql<{ head: number }[]>`
    select (select max(batch) from journal) as head from world`
  return rows[0].head
}

/** Acts as a rival server: waits for the lock, ends the connection that holds it, takes over. */
async function takeOver(sql: Sql, rival: Sql, schema: string): Promise<void> {
  const key = `orrery:${schema}`
  const waiting = rival`select pg_advisory_lock(hashtextextended(${key}, 0))`.execute()
  const isWaiting = async (): Promise<boolean> => {
    const rows = await sql`
      select 1 from pg_locks where locktype = 'advisory' and not granted
        and ((classid::bigint << 32) | objid::bigint) = hashtextextended(${key}, 0)`
    return rows.length === 1
  }
  await until('another server waiting', isWaiting)
  await sql`
    select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
      and ((classid::bigint << 32) | objid::bigint) = hashtextextended(${key}, 0)`
  await waiting
  await rival`update world set writer = ${randomUUID()}::uuid`
}

interface Round {
  readonly broken: string[]
  readonly results: number
  readonly hash: string
}

async function runRound({ database, seed, say = () => {} }: TwoServersOptions): Promise<Round> {
  const schema = database.schema()
  const settings = { PORT: String(await freePort()) }
  const first = await startChild({
    ...STORM_SETTINGS,
    ...settings,
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: schema,
  })
  const crew = startCrew({ url: first.url, players: PLAYERS, seed })
  await crew.untilLoggedIn()
  const broken: string[] = []
  const refusal = await startSecond(database, schema)
  if (!/another server runs the world/.test(refusal ?? ''))
    broken.push(`the second server reported ${refusal ?? 'nothing, and started'}`)
  say('the second server refused')
  const sql = connect(database.connection(schema), { name: 'reader' })
  const rival = connect(database.connection(schema), { name: 'rival' })
  const before = await headOf(sql)
  await until('past the second start', async () => (await headOf(sql)) > before + 2)
  await takeOver(sql, rival, schema)
  const head = await headOf(sql)
  say('the rival has taken over the world')
  const how = await first.ended
  say(`the first has ended with ${how}`)
  const after = await headOf(sql)
  if (after !== head) broken.push(`batches ${head + 1} to ${after} came after the lock was lost`)
  if (how !== 1 || !/another server runs the world/.test(first.log()))
    broken.push(`the first ended with ${how}: ${first.log().slice(-500)}`)
  await disconnect(rival, 0)
  await disconnect(sql, 0)
  return startNext({ database, schema, crew, seed, settings, broken })
}

interface NextOptions {
  readonly database: TestDatabase
  readonly schema: string
  readonly crew: Crew
  readonly seed: number
  readonly settings: Readonly<Record<string, string>>
  readonly broken: string[]
}

/** Starts the next server at the same address, where everyone reconnects; audits the world. */
async function startNext(next: NextOptions): Promise<Round> {
  const { database, schema, crew, seed, settings, broken } = next
  const options = { database, players: PLAYERS, seed, schema, settings }
  const server = await startKept(options)
  await crew.untilLoggedIn()
  const settled = await settle({ ...server, crew, options })
  broken.push(...settled.broken, ...server.fatal)
  return { broken, results: settled.results, hash: settled.hash }
}

export async function serveTwice(options: TwoServersOptions): Promise<Verdict> {
  const { count, seed, say = () => {} } = options
  const rounds: Round[] = []
  for (let i = 0; i < count; i++) {
    const round = await runRound({ ...options, seed: seed + i })
    rounds.push(round)
    say(`round ${i + 1} of ${count}: ${round.results} acknowledged results, hash ${round.hash}`)
  }
  const results = rounds.reduce((sum, round) => sum + round.results, 0)
  return {
    summary: `${count} times two servers on one database; ${results} acknowledged results`,
    broken: rounds.flatMap(({ broken }) => broken),
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Starts a second server on a world, then takes the world over from the first.',
    defaults: { count: 1, seed: 1 },
  },
  ({ count, seed }) =>
    withDatabase((database) => serveTwice({ database, count, seed, say: console.log })),
)
