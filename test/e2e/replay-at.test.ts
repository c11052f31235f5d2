/**
 * Replays a world to a past tick while its server runs on: queries are answered as they were then,
 * and the past world can be exported to a file and continued in another database.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { connect as connectSql, disconnect } from '../../storage/db.ts'
import { givenDatabase, type TestDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { orreryHere, refusalOf, spawnOrrery } from './cli.ts'

const TICKS_RECORDED = 20
const QUERIES = ['get_status', 'get_cargo', 'get_system', 'get_nearby', 'get_skills'] as const

let database: TestDatabase
let server: TestServer
let folder: string
let settings: Record<string, string>
const clients: Client[] = []

/** The answer that a player received in a tick, and the state hash of that tick. */
const recorded: { tick: number; hash: string; player: string; query: string; result: Params }[] = []

const settingsOf = (schema: string): Record<string, string> => ({
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: schema,
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-replay-'))
  chmodSync(folder, 0o755)
  database = await givenDatabase()
  // With frequent snapshots, of which one is kept, the journal of most ticks is compressed.
  server = await startTestServer(database, {
    isSmallMap: true,
    settings: { SNAPSHOT_EVERY: '6', SNAPSHOT_KEEP: '1', HASH_EVERY: '5' },
  })
  settings = settingsOf(server.schema)
  await playTicks()
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await server.stop()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function report(args: readonly string[], world = settings): Promise<Params> {
  const ran = await orreryHere([...args, '--json'], world)
  expect({ args, code: ran.code, stderr: ran.stderr }).toMatchObject({ args, code: 0 })
  return JSON.parse(ran.stdout) as Params
}

/** Lets players move, mine and chat while one of them sends a query in each tick. */
async function playTicks(): Promise<void> {
  // At tick 0 there must be no player yet.
  await server.link.step(1)
  for (const name of ['Past One', 'Past Two']) {
    const client = await connectClient(server.url, 'http1')
    clients.push(client)
    const registered = await server.play(client, 'register', {
      username: name,
      empire: 'solarian',
      registration_code: 'x',
    })
    expect(registered.ok).toBe(true)
  }
  const system = (await clients[0].call('get_system')).result.system as Params
  const belt = (system.pois as Params[]).find(({ type }) => type === 'asteroid_belt') as Params
  await server.play(clients[0], 'travel', { target_poi: belt.id })
  for (let i = 0; recorded.length < TICKS_RECORDED; i++) {
    const playerIndex = i % 2
    const query = QUERIES[i % QUERIES.length]
    const mined = clients[0].call('mine')
    await server.untilPending(1)
    const { tick, hash } = await server.link.step(1)
    await mined
    const answer = await clients[playerIndex].call(query)
    expect({ query, ok: answer.ok }).toEqual({ query, ok: true })
    const player = playerIndex === 0 ? 'Past One' : 'Past Two'
    recorded.push({ tick, hash, player, query, result: answer.result })
  }
}

test('queries about 20 past ticks are answered as they were then', async () => {
  // The first request may join a snapshot that was already being taken.
  for (let i = 0; i < 2; i++) {
    await server.link.step(2)
    await report(['snapshot', 'create'])
  }
  const list = await report(['snapshot', 'list'])
  expect(list.journal).toMatchObject({ compressedRows: expect.any(Number) })
  expect((list.journal as Params).compressedRows).toBeGreaterThan(TICKS_RECORDED)
  for (const { tick, player, query, result } of recorded) {
    const args = ['replay', '--at', String(tick), '--query', query, '--player', player]
    const past = await report(args)
    expect({ tick, query, result: past.result }).toEqual({ tick, query, result })
    expect(past).toMatchObject({ tick })
  }
  // The answers come from different worlds: the first and the last status differ.
  const statuses = recorded.filter(
    ({ query, player }) => query === 'get_status' && player === 'Past One',
  )
  expect(statuses[0].result).not.toEqual(statuses[statuses.length - 1].result)
}, 240_000)

test('a past query takes v2 names, and without a query only the hash is given', async () => {
  const { tick } = recorded[4]
  const replayAt = ['replay', '--at', String(tick)]
  const params = '{"type":"items","id":"iron_ore"}'
  const past = await report([...replayAt, '--query', 'game_catalog', '--params', params])
  expect(past).toMatchObject({ tick, query: 'game_catalog', result: { total: 1 } })
  const { hash } = await report(replayAt)
  expect(hash).toBe(past.hash)
})

test('an invalid replay command is refused with a hint at what is allowed', async () => {
  const { tick } = recorded[0]
  const refusal = (line: string, code = 1): Promise<string> => refusalOf(line, { code, settings })
  expect(await refusal('replay --at 99999')).toMatch(/out of reach .* ticks 0 to \d+/)
  expect(await refusal(`replay --at ${tick} --query get_statos`)).toContain('get_status')
  expect(await refusal(`replay --at ${tick} --query mine`)).toContain('is not a query')
  expect(await refusal(`replay --at ${tick} --query get_status`)).toContain('not_authenticated')
  expect(await refusal(`replay --at ${tick} --query get_action_log --player 1`)).toContain(
    'archive',
  )
  expect(await refusal(`replay --at ${tick} --query catalog --params [1]`)).toContain('in JSON')
  expect(await refusal('replay --at 0 --query get_status --player 1')).toContain('no player')
  expect(await refusal('replay --query get_status', 2)).toContain('needs --at')
  expect(await refusal('replay --serve 0', 2)).toContain('needs --at')
  expect(await refusal(`replay --at ${tick} --speed 2`, 2)).toContain('needs --serve')
  expect(await refusal(`replay --at ${tick} --serve 70000`, 2)).toContain('0 to 65535')
  expect(await refusal('replay --at 99999 --serve 0')).toContain('out of reach')
  expect(await refusal(`replay --at ${tick} --player 1`, 2)).toContain('needs --query')
  expect(await refusal(`replay --at ${tick} --to 4`, 2)).toContain('cannot be used with')
  expect(await refusal(`replay --at ${tick} --export ${folder}`)).toContain('is a folder')
  expect(await refusal(`replay --at ${tick} --export ${folder}/no/file`)).toContain('no folder')
})

test('an exported past world is imported into another database and continues there', async () => {
  const { tick, hash, player, query, result } = recorded[10]
  const file = join(folder, 'past.orrery')
  const done = await report(['replay', '--at', String(tick), '--export', file])
  expect(done).toMatchObject({ tick, file, rows: { player: 2 } })
  const imported = settingsOf(database.schema())
  await report(['snapshot', 'import', file], imported)
  expect(await report(['snapshot', 'verify'], imported)).toMatchObject({ ok: true })
  const args = ['replay', '--at', String(tick), '--query', query, '--player', player]
  expect(await report(args, imported)).toMatchObject({ hash: done.hash, result })
  if (hash !== undefined) expect(done.hash).toBe(hash)
  const forked = await startTestServer(database, { schema: imported.DATABASE_SCHEMA })
  try {
    const { tick: next } = await forked.link.step(3)
    expect(next).toBe(tick + 3)
  } finally {
    await forked.stop()
  }
})

const postStep = async (url: string, ticks: string): Promise<Params> =>
  (await fetch(`${url}/past/step?ticks=${ticks}`, { method: 'POST' })).json() as Promise<Params>

/** Ends the connections of past archives, and with them their temporary views. */
async function dropArchiveConnections(): Promise<void> {
  const sql = connectSql(database.connection('public'), { name: 'test' })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like '%past archive%'`
  await disconnect(sql)
}

test('a served past world answers as it did then, refuses changes and steps on', async () => {
  const [start] = recorded
  const served = spawnOrrery(['replay', '--at', String(start.tick), '--serve', '0'], settings)
  const output = await served.until(/password of this run: \S+/)
  const url = String(/http:\/\/[\d.:]+/.exec(output)?.[0])
  const password = String(/password of this run: (\S+)/.exec(output)?.[1])
  const players = new Map<string, Client>()
  try {
    const stranger = await connectClient(url, 'http2')
    expect(await stranger.call('login', { username: 'Past One', password: 'wrong' })).toMatchObject(
      {
        code: 'invalid_credentials',
      },
    )
    const refused = await stranger.call('register', {
      username: 'Past Three',
      empire: 'solarian',
      registration_code: 'x',
    })
    expect(refused).toMatchObject({ ok: false, code: 'past_world' })
    await stranger.close()
    for (const username of ['Past One', 'Past Two']) {
      const client = await connectClient(url, 'http1')
      players.set(username, client)
      const login = await client.call('login', { username, password })
      expect({ username, ok: login.ok }).toEqual({ username, ok: true })
    }
    const pastOne = players.get('Past One') as Client
    for (const command of ['mine', 'undock']) {
      const refused = await pastOne.call(command)
      expect(refused).toMatchObject({ ok: false, code: 'past_world' })
    }
    const chat = await pastOne.call('chat', { channel: 'system', content: 'hello' })
    expect(chat).toMatchObject({ code: 'past_world' })
    const log = await pastOne.call('get_action_log')
    const logged = (log.result.entries ?? log.result.actions) as Params[]
    const lastLogged = Math.max(0, ...logged.map(({ tick }) => Number(tick ?? 0)))
    expect(lastLogged).toBeLessThanOrEqual(start.tick)
    await expect.poll(async () => (await fetch(`${url}/api/map`)).status).toBe(200)
    expect((await fetch(`${url}/`)).status).toBe(200)
    const shown = await fetch(`${url}/api/history/${start.tick}`)
    expect(await shown.json()).toMatchObject({ tick: start.tick })
    for (const path of ['/api/proof', '/api/proof/1']) {
      const answer = await fetch(url + path)
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('has no proofs'),
      ])
    }
    await dropArchiveConnections()
    const reads = ['/api/battles', '/api/market/fills', '/api/forum'].map(
      async (path) => (await fetch(url + path)).status,
    )
    expect(await Promise.all(reads)).toEqual([200, 200, 200])
    for (const { tick, hash, player, query, result } of recorded) {
      if (tick > start.tick) expect(await postStep(url, '1')).toMatchObject({ tick, hash })
      const answer = await (players.get(player) as Client).call(query)
      expect({ tick, query, result: answer.result }).toEqual({ tick, query, result })
    }
    expect(await postStep(url, '0')).toMatchObject({ error: 'invalid_payload' })
    served.process.stdin?.write('step 100000\n')
    expect(await served.until(/the journal ends here/)).toMatch(/tick \d+ has [0-9a-f]{16}/)
  } finally {
    for (const client of players.values()) await client.close()
    served.process.kill('SIGTERM')
  }
  expect(await served.ended).toBe(0)
}, 240_000)

test('a damaged snapshot is skipped and the one before it leads to the same tick', async () => {
  const { tick } = recorded[10]
  const replayAt = ['replay', '--at', String(tick)]
  const { hash } = await report(replayAt)
  const sql = connectSql(database.connection(server.schema), { name: 'test' })
  const broken = await sql`
    update snapshot_chunk set bytes = '\\x00' where sha256 in (
      select sha256 from snapshot_part group by sha256
      having count(distinct snapshot_id) = 1 and max(snapshot_id) = (
        select id from snapshot where complete and tick <= ${tick}
        order by batch desc, id desc limit 1))`
  await disconnect(sql)
  expect(broken.count).toBeGreaterThan(0)
  const ran = await orreryHere([...replayAt, '--json'], settings)
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('snapshot before it') })
  expect(JSON.parse(ran.stdout)).toMatchObject({ tick, hash })
}, 120_000)

test('a served past world stops stepping once its journal has been pruned', async () => {
  const served = spawnOrrery(['replay', '--at', String(recorded[0].tick), '--serve', '0'], settings)
  await served.until(/password of this run: \S+/)
  await report(['snapshot', 'prune', '--keep', '1'])
  served.process.stdin?.write('step 3\n')
  const output = await served.until(/the journal ends here/)
  expect(output).toContain('is no longer kept')
  served.process.stdin?.write('quit\n')
  expect(await served.ended).toBe(0)
  // The oldest snapshot was taken within a tick, whose earlier part can no longer be explained.
  const [oldest] = (await report(['snapshot', 'list'])).snapshots as Params[]
  const explained = await orreryHere(
    ['explain', '--player', 'Past One', '--from', String(oldest.tick)],
    settings,
  )
  expect(explained).toMatchObject({ code: 0, stdout: expect.stringContaining('The first tick') })
}, 120_000)
