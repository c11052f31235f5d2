/**
 * Forks: new worlds made from ticks of a live one. They have the same hashes if the same inputs
 * follow, and none of the credentials of the original.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { createDice } from '../../core/dice.ts'
import { createAccounts } from '../../storage/accounts.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { readEpoch } from '../../storage/epoch.ts'
import { readJournal } from '../../storage/journal.ts'
import { listSnapshots } from '../../storage/snapshots.ts'
import { givenDatabase, type TestDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { seedOr, soaked } from '../soak-mode.ts'
import { orreryHere, refusalOf, spawnOrrery } from './cli.ts'

const TICKS = 20
const FORKS = soaked(1, 10)

let database: TestDatabase
let server: TestServer
let folder: string
let settings: Record<string, string>
let client: Client
let password: string
const hashes = new Map<number, string>()

const settingsOf = (schema: string): Record<string, string> => ({
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: schema,
  HASH_EVERY: '5',
})

async function report(args: readonly string[], world = settings): Promise<Params> {
  const ran = await orreryHere([...args, '--json'], world)
  expect(ran.code === 0 ? '' : ran.stderr).toBe('')
  return JSON.parse(ran.stdout) as Params
}

/** Forks to a schema of its own; returns the report, and the settings of the fork. */
async function fork(...args: string[]) {
  const schema = database.schema()
  const to = ['--to', database.url, '--to-schema', schema]
  const done = await report(['fork', ...to, ...args])
  return { done, there: settingsOf(schema), schema }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-fork-'))
  chmodSync(folder, 0o755)
  database = await givenDatabase()
  server = await startTestServer(database, {
    isSmallMap: true,
    settings: { SNAPSHOT_EVERY: '7', SNAPSHOT_KEEP: '1', HASH_EVERY: '5' },
  })
  settings = settingsOf(server.schema)
  client = await connectClient(server.url, 'http1')
  const made = await server.play(client, 'register', {
    username: 'Forked One',
    empire: 'solarian',
    registration_code: 'x',
  })
  password = String(made.result.password)
  const system = (await client.call('get_system')).result.system as Params
  const belt = (system.pois as Params[]).find(({ type }) => type === 'asteroid_belt') as Params
  await server.play(client, 'travel', { target_poi: belt.id })
  for (let i = 0; i < TICKS; i++) {
    const mined = client.call('mine')
    await server.untilPending(1)
    const { tick, hash } = await server.link.step(1)
    await mined
    // Chat belongs to the end of the tick, and is not part of its hash.
    if (i % 3 === 0) await client.call('chat', { channel: 'system', content: 'still here' })
    else hashes.set(tick, hash)
  }
})
afterAll(async () => {
  await client.close()
  await server.stop()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a fork with the inputs of the journal ends with the hash of the original', async () => {
  const dice = createDice(seedOr(7))
  const ticks = [...hashes.keys()]
  for (let i = 0; i < FORKS; i++) {
    const at = dice.pick(ticks)
    const to = dice.pick(ticks.filter((tick) => tick >= at))
    const { done, there } = await fork('--at', String(at), '--replay-to', String(to))
    expect({ at, to, ...done }).toMatchObject({ tick: to, hash: hashes.get(to) })
    // The fork's own journal has the rows, so that each of its ticks can be replayed.
    const between = dice.pick(ticks.filter((tick) => tick >= at && tick <= to))
    const past = await report(['replay', '--at', String(between)], there)
    expect(past).toMatchObject({ hash: hashes.get(between) })
  }
}, 240_000)

test('the same bots in the same world give the same hash, other constants a different one', async () => {
  const [at] = hashes.keys()
  const bots = ['--at', String(at), '--bots', '5', '--ticks', '12', '--seed', '5']
  const [first, again] = [await fork(...bots), await fork(...bots)]
  const tuned = await fork(...bots, '--set', 'clone_credits=7', '--set', 'faucets_pct=50')
  expect(first.done).toMatchObject({ tick: at + 12, bots: 5 })
  expect(again.done.hash).toBe(first.done.hash)
  expect(tuned.done).toMatchObject({ tick: at + 12, set: { clone_credits: 7, faucets_pct: 50 } })
  expect(tuned.done.hash).not.toBe(first.done.hash)
  // Its journal replays with these constants.
  expect(await report(['snapshot', 'verify'], tuned.there)).toMatchObject({ ok: true })
  const named = (schema: string): string => `${database.url}#${schema}`
  const other = await report(['compare', named(first.schema), named(tuned.schema)])
  const { password: secret } = new URL(database.url)
  expect(secret === '' || !JSON.stringify(other).includes(secret)).toBe(true)
  expect(other).toMatchObject({ same: false, players: { a: 6, b: 6 } })
  expect(other).toMatchObject({ records: [{ records: 'tuned', added: 2 }] })
}, 240_000)

test('the inputs of the journal run again under other constants, and reports are compared', async () => {
  const ticks = [...hashes.keys()]
  const [at, to] = [ticks[3], ticks[ticks.length - 1]]
  const span = ['--at', String(at), '--replay-to', String(to)]
  const { done, there } = await fork(...span, '--set', 'survey_credits=121')
  expect(done).toMatchObject({ tick: to })
  expect(done.hash).not.toBe(hashes.get(to))
  const past = await report(['replay', '--at', String(to)], there)
  expect(past).toMatchObject({ hash: done.hash })
  const file = join(folder, 'tuned.orrery')
  await report(['snapshot', 'export', file], there)
  const found = await report(['compare', `@${to}`, file])
  expect(found).toMatchObject({ tables: [], records: [{ records: 'tuned', added: 1 }], texts: 0 })
}, 240_000)

test('a server continues a fork, in which no login of the original is valid', async () => {
  const at = [...hashes.keys()][9]
  const { there, schema } = await fork('--at', String(at))
  const kept = await fork('--at', String(at), '--keep-logins')
  const read = async (name: string) => {
    const sql = connect(database.connection(name), { name: 'test' })
    const rows = await sql<{ hash: Buffer }[]>`select password_hash as hash from player`
    const epoch = await readEpoch(sql)
    await disconnect(sql)
    return { epoch, hash: rows[0].hash.toString('hex') }
  }
  const [first, bare, whole] = [
    await read(server.schema),
    await read(schema),
    await read(kept.schema),
  ]
  expect(new Set([first.epoch, bare.epoch, whole.epoch]).size).toBe(3)
  expect(whole.hash).toBe(first.hash)
  expect(bare.hash).not.toBe(first.hash)
  const forked = await startTestServer(database, { schema: there.DATABASE_SCHEMA })
  const player = await connectClient(forked.url, 'http1')
  try {
    const login = await player.call('login', { username: 'Forked One', password })
    expect(login).toMatchObject({ ok: false, code: 'invalid_credentials' })
    expect(await forked.link.step(2)).toMatchObject({ tick: at + 2 })
  } finally {
    await player.close()
    await forked.stop()
  }
}, 240_000)

test('a fork may go to a new folder with an embedded database; other files are left alone', async () => {
  const [at] = hashes.keys()
  const to = join(folder, 'deep', 'fork')
  const line = ['fork', '--at', String(at), '--to', to]
  expect(await report(line)).toMatchObject({ tick: at, hash: hashes.get(at) })
  expect(readdirSync(to)).toEqual(['postgres'])
  const inFolder = { DATA_DIR: to }
  expect(await report(['snapshot', 'verify'], inFolder)).toMatchObject({ ok: true })
  expect(await refusalOf(line.join(' '), { code: 1, settings })).toContain('is not empty')
  writeFileSync(join(to, 'fork-under-way.json'), '{"pid":1,"started":"never"}')
  const refused = await refusalOf('snapshot list', { code: 1, settings: inFolder })
  expect(refused).toContain('a fork that is not whole')
  // An interrupted fork leaves such a folder: the next one starts over.
  expect(await report(line)).toMatchObject({ tick: at, hash: hashes.get(at) })
}, 240_000)

test('the journal of a fork names no account of those who registered', async () => {
  const { tick: at } = await server.link.step(1)
  await server.link.step(1)
  const sql = connect(database.connection(server.schema), { name: 'test' })
  const accounts = createAccounts(sql)
  await accounts.accountOf('person-7')
  const registration_code = await accounts.registrationCode('person-7')
  await disconnect(sql)
  const late = await connectClient(server.url, 'http1')
  const made = await server.play(late, 'register', {
    ...{ username: 'Forked Late', empire: 'solarian', registration_code },
  })
  expect(made.ok).toBe(true)
  await late.close()
  const { tick: to } = await server.link.step(1)
  const span = ['--at', String(at), '--replay-to', String(to)]
  const { schema } = await fork(...span)
  const tuned = await fork(...span, '--set', 'clone_credits=7')
  const kept = await fork(...span, '--keep-logins')
  const accountsIn = async (name: string): Promise<unknown[]> => {
    const sql = connect(database.connection(name), { name: 'test' })
    const found: unknown[] = []
    const { batch } = (await listSnapshots(sql)).at(-1) as { batch: number }
    for await (const { inputs } of readJournal(sql, batch)) {
      for (const { command, params } of inputs) {
        if (command === 'internal:register') found.push(params.accountId)
      }
    }
    await disconnect(sql)
    return found
  }
  expect((await accountsIn(server.schema)).at(-1)).toBe('person-7')
  expect(await accountsIn(kept.schema)).toEqual(['person-7'])
  expect(await accountsIn(schema)).toEqual([undefined])
  expect(await accountsIn(tuned.schema)).toEqual([undefined])
}, 240_000)

/** Lists processes that work in a folder. */
const processesIn = (place: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place)
    } catch {
      return false
    }
  })

test('a fork that is told to end in the midst leaves nothing, and no process', async () => {
  const [at] = hashes.keys()
  const ahead = ['fork', '--at', String(at), '--ticks', '1000000', '--to']
  const place = join(folder, 'ended')
  const schema = database.schema()
  for (const to of [[place], [database.url, '--to-schema', schema]]) {
    const tool = spawnOrrery([...ahead, ...to], settings)
    await tool.until(/ticks run ahead/)
    tool.process.kill('SIGINT')
    expect(await tool.ended).toBe(1)
  }
  expect(processesIn(place)).toEqual([])
  expect(readdirSync(place)).toEqual([])
  const sql = connect(database.connection('public'), { name: 'test' })
  const left = await sql`select nspname from pg_namespace where nspname like ${`${schema}%`}`
  await disconnect(sql)
  expect([...left]).toEqual([])
}, 240_000)

test('what makes no sense is refused, and makes nothing', async () => {
  const to = join(folder, 'none')
  const refusal = (line: string, code: number): Promise<string> =>
    refusalOf(line, { code, settings })
  expect(await refusal(`fork --at 99999 --to ${to}`, 1)).toContain('out of reach')
  expect(await refusal(`fork --at 5 --replay-to 99999 --to ${to}`, 1)).toContain('out of reach')
  expect(await refusal(`fork --at 5 --replay-to 4 --to ${to}`, 2)).toContain('lies before')
  expect(await refusal(`fork --at 5 --bots 3 --to ${to}`, 2)).toContain('goes with --ticks')
  expect(await refusal(`fork --at 5 --ticks 3 --seed 3 --to ${to}`, 2)).toContain(
    'goes with --bots',
  )
  const set = `fork --at 5 --to ${to} --set`
  expect(await refusal(`${set} gravity=3`, 2)).toContain('clone_credits: a new body')
  expect(await refusal(`${set} faucets_pct=301`, 2)).toContain('from 0 to 300')
  expect(await refusal(`${set} faucets_pct`, 2)).toContain('from 0 to 300')
  expect(await refusal(`${set} faucets_pct=50=60`, 2)).toContain('from 0 to 300')
  expect(await refusal('fork --at 5 --to postgres://a:b', 2)).toContain('is no address')
  expect(await refusal('fork --at 5 --to postgres://a/b#one --to-schema two', 2)).toContain(
    'the schema one',
  )
  expect(await refusal('compare @now postgres://a:b', 2)).toContain('is named as postgres')
  expect(await refusal(`compare @now ${to}`, 1)).toContain('is not there')
  expect(await refusal('compare @now @soon', 2)).toContain('is no tick')
  expect(await refusal('fork --at 5 --to mysql://a/b', 2)).toContain('a folder or postgres')
  expect(await refusal('fork --at 5 --to ', 2)).toContain('a folder or postgres')
  expect(await refusal(`fork --to ${to}`, 2)).toContain('--at')
  const own = `fork --at 5 --to ${database.url} --to-schema ${server.schema}`
  expect(await refusal(own, 1)).toContain('overwrites nothing')
  expect(existsSync(to)).toBe(false)
}, 120_000)
