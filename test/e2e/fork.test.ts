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

/** Forks the world to a new schema; returns the report, and the settings of the fork. */
async function fork(...args: string[]) {
  const schema = database.schema()
  const to = ['--to', database.url, '--to-schema', schema]
  const done = await report(['fork', ...to, ...args])
  return { done, forkSettings: settingsOf(schema), schema }
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
  const registered = await server.play(client, 'register', {
    username: 'Forked One',
    empire: 'solarian',
    registration_code: 'x',
  })
  password = String(registered.result.password)
  const system = (await client.call('get_system')).result.system as Params
  const belt = (system.pois as Params[]).find(({ type }) => type === 'asteroid_belt') as Params
  await server.play(client, 'travel', { target_poi: belt.id })
  for (let i = 0; i < TICKS; i++) {
    const mined = client.call('mine')
    await server.untilPending(1)
    const { tick, hash } = await server.link.step(1)
    await mined
    // A chat message still belongs to this tick but came after its hash, which is thus not kept.
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
    const forkTick = dice.pick(ticks)
    const endTick = dice.pick(ticks.filter((tick) => tick >= forkTick))
    const span = ['--at', String(forkTick), '--replay-to', String(endTick)]
    const { done, forkSettings } = await fork(...span)
    expect({ forkTick, ...done }).toMatchObject({ tick: endTick, hash: hashes.get(endTick) })
    // The fork's own journal has the rows, so that each of its ticks can be replayed.
    const between = dice.pick(ticks.filter((tick) => tick >= forkTick && tick <= endTick))
    const past = await report(['replay', '--at', String(between)], forkSettings)
    expect(past).toMatchObject({ hash: hashes.get(between) })
  }
}, 240_000)

test('forks with the same bots have the same hash unless their constants differ', async () => {
  const [forkTick] = hashes.keys()
  const bots = ['--at', String(forkTick), '--bots', '5', '--ticks', '12', '--seed', '5']
  const [first, second] = [await fork(...bots), await fork(...bots)]
  const tuned = await fork(...bots, '--set', 'clone_credits=7', '--set', 'faucets_pct=50')
  expect(first.done).toMatchObject({ tick: forkTick + 12, bots: 5 })
  expect(second.done.hash).toBe(first.done.hash)
  const set = { clone_credits: 7, faucets_pct: 50 }
  expect(tuned.done).toMatchObject({ tick: forkTick + 12, set })
  expect(tuned.done.hash).not.toBe(first.done.hash)
  // The journal of the fork replays with the changed constants.
  expect(await report(['snapshot', 'verify'], tuned.forkSettings)).toMatchObject({ ok: true })
  const nameOf = (schema: string): string => `${database.url}#${schema}`
  const compared = await report(['compare', nameOf(first.schema), nameOf(tuned.schema)])
  const { password: secret } = new URL(database.url)
  expect(secret === '' || !JSON.stringify(compared).includes(secret)).toBe(true)
  expect(compared).toMatchObject({ same: false, players: { a: 6, b: 6 } })
  expect(compared).toMatchObject({ records: [{ records: 'tuned', added: 2 }] })
}, 240_000)

test('a fork can replay the journal under other constants and be compared as a file', async () => {
  const ticks = [...hashes.keys()]
  const [forkTick, endTick] = [ticks[3], ticks[ticks.length - 1]]
  const span = ['--at', String(forkTick), '--replay-to', String(endTick)]
  const { done, forkSettings } = await fork(...span, '--set', 'survey_credits=121')
  expect(done).toMatchObject({ tick: endTick })
  expect(done.hash).not.toBe(hashes.get(endTick))
  const past = await report(['replay', '--at', String(endTick)], forkSettings)
  expect(past).toMatchObject({ hash: done.hash })
  const file = join(folder, 'tuned.orrery')
  await report(['snapshot', 'export', file], forkSettings)
  const compared = await report(['compare', `@${endTick}`, file])
  const records = [{ records: 'tuned', added: 1 }]
  expect(compared).toMatchObject({ tables: [], records, texts: 0 })
}, 240_000)

test('a server continues a fork, in which no login of the original is valid', async () => {
  const forkTick = [...hashes.keys()][9]
  const { forkSettings, schema } = await fork('--at', String(forkTick))
  const kept = await fork('--at', String(forkTick), '--keep-logins')
  const readLogin = async (name: string) => {
    const sql = connect(database.connection(name), { name: 'test' })
    const rows = await sql<{ hash: Buffer }[]>`select password_hash as hash from player`
    const epoch = await readEpoch(sql)
    await disconnect(sql)
    return { epoch, hash: rows[0].hash.toString('hex') }
  }
  const original = await readLogin(server.schema)
  const stripped = await readLogin(schema)
  const withLogins = await readLogin(kept.schema)
  expect(new Set([original.epoch, stripped.epoch, withLogins.epoch]).size).toBe(3)
  expect(withLogins.hash).toBe(original.hash)
  expect(stripped.hash).not.toBe(original.hash)
  const forked = await startTestServer(database, { schema: forkSettings.DATABASE_SCHEMA })
  const player = await connectClient(forked.url, 'http1')
  try {
    const login = await player.call('login', { username: 'Forked One', password })
    expect(login).toMatchObject({ ok: false, code: 'invalid_credentials' })
    expect(await forked.link.step(2)).toMatchObject({ tick: forkTick + 2 })
  } finally {
    await player.close()
    await forked.stop()
  }
}, 240_000)

test('a fork into a folder makes an embedded database but overwrites no finished one', async () => {
  const [forkTick] = hashes.keys()
  const target = join(folder, 'deep', 'fork')
  const line = ['fork', '--at', String(forkTick), '--to', target]
  const expected = { tick: forkTick, hash: hashes.get(forkTick) }
  expect(await report(line)).toMatchObject(expected)
  expect(readdirSync(target)).toEqual(['postgres'])
  const inFolder = { DATA_DIR: target }
  expect(await report(['snapshot', 'verify'], inFolder)).toMatchObject({ ok: true })
  expect(await refusalOf(line.join(' '), { code: 1, settings })).toContain('is not empty')
  writeFileSync(join(target, 'fork-under-way.json'), '{"pid":1,"started":"never"}')
  const refused = await refusalOf('snapshot list', { code: 1, settings: inFolder })
  expect(refused).toContain('an unfinished fork')
  // A folder with this file is what an interrupted fork leaves, so the next fork starts over.
  expect(await report(line)).toMatchObject(expected)
}, 240_000)

test('the journal of a fork names no accounts unless logins are kept', async () => {
  const { tick: forkTick } = await server.link.step(1)
  await server.link.step(1)
  const sql = connect(database.connection(server.schema), { name: 'test' })
  const accounts = createAccounts(sql)
  await accounts.accountOf('person-7')
  const registration_code = await accounts.registrationCode('person-7')
  await disconnect(sql)
  const late = await connectClient(server.url, 'http1')
  const registered = await server.play(late, 'register', {
    ...{ username: 'Forked Late', empire: 'solarian', registration_code },
  })
  expect(registered.ok).toBe(true)
  await late.close()
  const { tick: endTick } = await server.link.step(1)
  const span = ['--at', String(forkTick), '--replay-to', String(endTick)]
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

/** Lists the processes whose command line names a folder. */
const processesIn = (place: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place)
    } catch {
      return false
    }
  })

test('an interrupted fork leaves no files, no schema and no process', async () => {
  const [forkTick] = hashes.keys()
  const endless = ['fork', '--at', String(forkTick), '--ticks', '1000000', '--to']
  const place = join(folder, 'ended')
  const schema = database.schema()
  for (const target of [[place], [database.url, '--to-schema', schema]]) {
    const tool = spawnOrrery([...endless, ...target], settings)
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

test('an invalid fork or compare command is refused and creates nothing', async () => {
  const to = join(folder, 'none')
  const refusal = (line: string, code: number): Promise<string> =>
    refusalOf(line, { code, settings })
  expect(await refusal(`fork --at 99999 --to ${to}`, 1)).toContain('out of reach')
  expect(await refusal(`fork --at 5 --replay-to 99999 --to ${to}`, 1)).toContain('out of reach')
  expect(await refusal(`fork --at 5 --replay-to 4 --to ${to}`, 2)).toContain('lies before')
  expect(await refusal(`fork --at 5 --bots 3 --to ${to}`, 2)).toContain('needs --ticks')
  expect(await refusal(`fork --at 5 --ticks 3 --seed 3 --to ${to}`, 2)).toContain('needs --bots')
  const set = `fork --at 5 --to ${to} --set`
  expect(await refusal(`${set} gravity=3`, 2)).toContain('clone_credits: price of a new body')
  expect(await refusal(`${set} faucets_pct=301`, 2)).toContain('from 0 to 300')
  expect(await refusal(`${set} faucets_pct`, 2)).toContain('from 0 to 300')
  expect(await refusal(`${set} faucets_pct=50=60`, 2)).toContain('from 0 to 300')
  expect(await refusal('fork --at 5 --to postgres://a:b', 2)).toContain('is named as postgres')
  expect(await refusal('fork --at 5 --to postgres://a/b#one --to-schema two', 2)).toContain(
    'the schema one',
  )
  expect(await refusal('compare @now postgres://a:b', 2)).toContain('is named as postgres')
  expect(await refusal(`compare @now ${to}`, 1)).toContain('does not exist')
  expect(await refusal('compare @now @soon', 2)).toContain('is not a tick')
  expect(await refusal('fork --at 5 --to mysql://a/b', 2)).toContain('a folder or postgres')
  expect(await refusal('fork --at 5 --to ', 2)).toContain('a folder or postgres')
  expect(await refusal(`fork --to ${to}`, 2)).toContain('--at')
  const own = `fork --at 5 --to ${database.url} --to-schema ${server.schema}`
  expect(await refusal(own, 1)).toContain('overwrites nothing')
  expect(existsSync(to)).toBe(false)
}, 120_000)
