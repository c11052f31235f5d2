/**
 * Starts this release on worlds of earlier releases. A world that was stopped cleanly must run on;
 * one that was killed must run on if its rules are the same, or else be refused with the name of
 * its release; tables as the first migration made them must be migrated.
 * Source: RELIABILITY 5, F13. `node dist/test/fault/old-folder.js`; `--make 0.1.0` keeps a current
 * world under that name.
 */
import { createHash } from 'node:crypto'
import { CHANNELS } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { RULES_RELEASES, RULES_VERSION } from '../../core/version.ts'
import { type ConnectionOptions, connect, disconnect, type Sql } from '../../storage/db.ts'
import { BASE } from '../../storage/migrations/001-base.ts'
import { migrate } from '../../storage/migrations/index.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import type { TestServer } from '../servers.ts'
import {
  importOld,
  keepWorld,
  type OldWorld,
  oldReleases,
  readWorld,
  stoppedCleanly,
  underRules,
} from './old-world.ts'
import { runAsProgram, until, type Verdict } from './program.ts'
import { liveTiny, startTiny } from './tiny.ts'

const TICKS_AFTER = 3

/** Starts a server; returns the text of the refusal if it does not start. */
async function start(database: TestDatabase, schema: string): Promise<TestServer | string> {
  try {
    return await startTiny(database, schema)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Checks that a start has the stored world, and that its ticks and commands run. */
async function checkRuns(database: TestDatabase, schema: string, what: string): Promise<string[]> {
  const sql = connect(database.connection(schema), { name: 'reader' })
  type Left = { username: string; number: number; tick: number; empire: string }
  const rows = await sql<Left[]>`
    select username, number, empire, (select coalesce(max(tick), 0) from journal) as tick
    from player order by number limit 1`
  await disconnect(sql)
  const server = await start(database, schema)
  if (typeof server === 'string') return [`${what}: ${server}`]
  const broken: string[] = []
  const { username, number, empire, tick } = rows[0]
  const found = server.link.state().tick
  if (found < tick) broken.push(`${what}: starts at tick ${found}, the journal has ${tick}`)
  const client = await connectClient(server.url, 'ws1')
  const taken = await client.call('register', { username, empire, registration_code: 'x' })
  if (taken.code !== 'username_taken') broken.push(`${what}: ${username} is no longer known`)
  const params = { username: 'New Hand', empire, registration_code: 'x' }
  if (!(await client.call('register', params)).ok) broken.push(`${what}: nobody can register`)
  const undocked = await server.play(client, 'undock')
  if (!undocked.ok) broken.push(`${what}: undock: ${undocked.code}`)
  // A correction uses an account and a container that older releases did not have.
  for (const given of [{ credits: 5 }, { item_id: 'iron_ore', quantity: 1 }]) {
    const params = { player: number, ...given, reason: 'An upgrade.' }
    const grant = { player: 0, command: 'internal:correct_grant', params, framing: 'ws2' } as const
    const { outcome } = await server.link.ask(grant)
    const isFull = !outcome.ok && outcome.code === 'no_cargo_space'
    if (!outcome.ok && !isFull) broken.push(`${what}: a correction: ${outcome.message}`)
  }
  const stepped = await server.link.step(TICKS_AFTER)
  if (stepped.tick < found + TICKS_AFTER) broken.push(`${what}: stays at tick ${stepped.tick}`)
  await client.close()
  await server.stop()
  return broken
}

/** Checks that a start is refused with these words. */
async function checkRefused(
  database: TestDatabase,
  schema: string,
  { what, words }: { readonly what: string; readonly words: RegExp },
): Promise<string[]> {
  const started = await start(database, schema)
  if (typeof started !== 'string') {
    await started.stop()
    return [`${what}: it started`]
  }
  return words.test(started) ? [] : [`${what}: refused with "${started}"`]
}

/** Imports a world into a new schema; resolves with its name. */
async function importInto(database: TestDatabase, world: OldWorld): Promise<string> {
  const schema = database.schema()
  await migrate(database.connection(schema))
  await importOld(database.connection(schema), world)
  return schema
}

async function tryRelease(database: TestDatabase, release: string): Promise<string[]> {
  const world = readWorld(release)
  const broken: string[] = []
  const what = `a world of ${release}`
  const killed = await importInto(database, world)
  if (world.rulesVersion === RULES_VERSION)
    broken.push(...(await checkRuns(database, killed, `${what}, killed`)))
  else {
    const name = RULES_RELEASES[world.rulesVersion]?.replaceAll('.', '\\.')
    const words = new RegExp(`start release ${name} and stop it once`)
    broken.push(...(await checkRefused(database, killed, { what: `${what}, killed`, words })))
  }
  const stopped = await importInto(database, stoppedCleanly(world))
  const old = await copyToFirstTables(database, stopped)
  broken.push(...(await checkRuns(database, stopped, `${what}, stopped`)))
  broken.push(...(await checkRuns(database, old, `${what}, in tables of the first migration`)))
  const other = await importInto(database, underRules(world, RULES_VERSION - 1))
  const words = new RegExp(
    `rules version ${RULES_VERSION - 1}, this release has ${RULES_VERSION}: ` +
      'start (release [0-9.]+|the release that wrote it) and stop it once',
  )
  broken.push(...(await checkRefused(database, other, { what: `${what}, other rules`, words })))
  return broken
}

const TABLES = [
  'journal',
  'snapshot',
  'snapshot_chunk',
  'snapshot_part',
  'account',
  'player',
  'chat',
  'action_log',
  'captains_log',
]

/** Copies a world into a schema in which only the first migration has run. */
async function copyToFirstTables(database: TestDatabase, from: string): Promise<string> {
  const to = database.schema()
  const connection: ConnectionOptions = database.connection(to)
  const sql = connect(connection, { name: 'first tables' })
  try {
    await sql.unsafe(`create schema ${to}`)
    await sql.unsafe(`create table migration (number int primary key, name text not null,
      checksum text not null, applied_at timestamptz not null default now())`)
    await sql.unsafe(BASE)
    const checksum = createHash('sha256').update(BASE).digest('hex')
    await sql`insert into migration (number, name, checksum) values (1, 'base', ${checksum})`
    await sql.unsafe(`update world set (seed, head_batch, head_checksum) =
      (select seed, head_batch, head_checksum from ${from}.world)`)
    for (const table of TABLES) await copyTable(sql, { table, from, to })
  } finally {
    await disconnect(sql)
  }
  return to
}

interface Copy {
  readonly table: string
  readonly from: string
  readonly to: string
}

async function copyTable(sql: Sql, { table, from, to }: Copy): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = ${to} and table_name = ${table}`
  const names = rows.map(({ name }) => name)
  const columns = names.join(', ')
  await sql.unsafe(`insert into ${table} (${columns}) select ${columns} from ${from}.${table}`)
  if (names.includes('id')) {
    await sql.unsafe(`select setval(pg_get_serial_sequence('${table}', 'id'),
      (select coalesce(max(id), 0) + 1 from ${table}), false)`)
  }
}

/** Starts every kept world, in each state that a killed or stopped server may leave. */
export async function startOldFolders(database: TestDatabase): Promise<Verdict> {
  const releases = oldReleases()
  const broken: string[] = []
  for (const release of releases) broken.push(...(await tryRelease(database, release)))
  if (releases.length === 0) broken.push('no world is kept')
  return { summary: `worlds of ${releases.join(', ')} in four states each`, broken }
}

/** Waits for a snapshot that includes the players; it is written while ticks continue. */
async function untilSnapshot(connection: ConnectionOptions): Promise<void> {
  const sql = connect(connection, { name: 'reader' })
  await until('a snapshot after the first', async () => {
    const rows = await sql<{ batch: number }[]>`
      select max(batch)::int as batch from snapshot where complete`
    return rows[0].batch > CHANNELS.length
  }).finally(() => disconnect(sql))
}

async function makeWorld(database: TestDatabase, release: string): Promise<Verdict> {
  const schema = database.schema()
  const server = await startTiny(database, schema)
  await liveTiny(server)
  await untilSnapshot(database.connection(schema))
  const bytes = await keepWorld(database.connection(schema), release)
  await server.stop()
  return { summary: `a world of ${release} in ${bytes} bytes`, broken: [] }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Starts on worlds of earlier releases, or keeps a current one.',
    defaults: { count: 1, seed: 1, make: '' },
  },
  ({ make: release }) =>
    withDatabase((database) =>
      release ? makeWorld(database, release) : startOldFolders(database),
    ),
)
