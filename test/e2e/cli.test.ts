/**
 * The operators' tools, first next to a running server, then on the world of the stopped one:
 * what each tool reports, refuses and leaves behind.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { givenDatabase, type TestDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { orrery, orreryHere, refusalOf } from './cli.ts'

let database: TestDatabase
let server: TestServer
let client: Client
let folder: string
/** Settings with which the tools find the server's world. */
let world: Record<string, string>

/** Batches of the snapshots, in the order they were taken. */
const taken = [0]
/** State hash after the last step, and its tick. */
let stepped = { tick: 0, hash: '' }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-cli-'))
  chmodSync(folder, 0o755)
  database = await givenDatabase()
  server = await startTestServer(database, {
    isSmallMap: true,
    settings: { SNAPSHOT_EVERY: '100000', SNAPSHOT_KEEP: '9', HASH_EVERY: '1' },
  })
  world = settingsOf(server.schema)
  client = await connectClient(server.url, 'ws1')
  await play('register', { username: 'Keeper', empire: 'solarian', registration_code: 'tools' })
  await server.link.step(4)
})
afterAll(async () => {
  await stopServer()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

let isStopped = false
async function stopServer(): Promise<void> {
  if (isStopped) return
  isStopped = true
  await client.close()
  await server.stop()
}

/**
 * Returns settings whose tick length and capacities differ from the world's, which the tools must
 * use instead.
 */
const settingsOf = (schema: string): Record<string, string> => ({
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: schema,
  MAX_ENTITIES: '1000',
  TICK_MS: '7000',
  SNAPSHOT_KEEP: '9',
})

/* Most tools run in this process: starting a process takes longer than their work. */

/** Runs a tool that must succeed with --json, and returns its report. */
async function report(line: string, settings = world): Promise<Params> {
  const ran = await orreryHere([...line.split(' '), '--json'], settings)
  expect({ line, code: ran.code, stderr: ran.stderr }).toMatchObject({ line, code: 0 })
  return JSON.parse(ran.stdout) as Params
}

const refusal = (line: string, code = 1, settings = world): Promise<string> =>
  refusalOf(line, { code, settings })

const rows = (value: unknown): Params[] => value as Params[]

async function play(command: string, params: Params = {}): Promise<Params> {
  const reply = await server.play(client, command, params)
  expect({ command, ...reply }).toMatchObject({ command, ok: true })
  return reply.result
}

test('snapshot create asks a running server to take the snapshot', async () => {
  const created = await orrery(['snapshot', 'create', '--json'], world)
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const snapshot = JSON.parse(created.stdout) as Params
  expect(snapshot).toMatchObject({ by: 'server', tick: 4 })
  taken.push(Number(snapshot.batch))
  expect(await report('snapshot create')).toMatchObject({ by: 'none', batch: snapshot.batch })
  const system = (await play('get_system')).system as Params
  const belt = rows(system.pois).find((poi) => poi.type === 'asteroid_belt') as Params
  await play('travel', { target_poi: belt.id })
  await play('mine')
  await play('chat', { channel: 'system', content: 'Dust and numbers.' })
  stepped = await server.link.step(3)
  taken.push(Number((await report('snapshot create')).batch))
})

test('next to a running server, export works while restore and import are refused', async () => {
  const file = join(folder, 'running.orrery')
  const done = await report(`snapshot export ${file}`)
  expect(done).toMatchObject({ file, snapshotBatch: taken[2], rows: { player: 1, chat: 1 } })
  expect(await refusal(`snapshot export ${file}`)).toContain('already exists')
  expect(await refusal(`snapshot restore ${taken[1]}`)).toContain('stop it first')
  expect(await refusal(`snapshot import ${file} --replace`)).toContain('stop it first')
  expect(await refusal(`snapshot import ${file}.none`)).toContain('there is no such file')
})

async function post(path: string, body: Params, session = ''): Promise<Params> {
  const answer = await fetch(`${server.url}/api/v2/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': session },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Params
}

test('token player issues a token that logs a player in once without a password', async () => {
  const { token } = await report('token player KEEPER')
  const login = async (): Promise<Params> => {
    const opened = (await post('session', {})) as { session: { id: string } }
    return post('game_auth/login_token', { token }, opened.session.id)
  }
  expect(JSON.stringify(await login())).toContain('Keeper')
  expect(await login()).toMatchObject({ error: { code: 'invalid_token' } })
  expect(await refusal('token player Nobody')).toContain('There is no player "Nobody"')
  const code = await report('token registration keeper@example')
  expect(await report('token registration keeper@example')).toEqual(code)
})

const accountOf = async (token: unknown): Promise<Params> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await (await fetch(`${server.url}/api/me`, { headers })).json()) as Params
}

/** Returns the claims of a token, unchecked. */
const claimsIn = (token: unknown): Params =>
  JSON.parse(Buffer.from(String(token).split('.')[1], 'base64url').toString()) as Params

test('token account issues a token that the server accepts, unless a provider is set', async () => {
  const issued = await report('token account ann --email a@example.org --username Ann --hours 2')
  const ann = { clerk_id: 'ann', email: 'a@example.org', username: 'Ann' }
  expect(await accountOf(issued.token)).toEqual(ann)
  const { exp, nbf } = claimsIn(issued.token) as { exp: number; nbf: number }
  expect(exp - nbf).toBe(7_200)
  expect(issued.expires_at).toBe(new Date(exp * 1_000).toISOString())
  const text = await orrery(['token', 'account', 'ann'], world)
  expect(text.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\nfor account ann, until /)
  const [line] = text.stdout.split('\n')
  expect(await accountOf(line)).toMatchObject({ clerk_id: 'ann', email: 'a@example.org' })
  const auth = { AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'a' }
  const whole = { ...world, ...auth, AUTH_JWKS_URL: 'https://id.example/jwks' }
  expect(await refusal('token account ann', 1, whole)).toContain('come from https://id.example')
  expect(await refusal('token account ann', 1, { ...world, ...auth })).toMatch(
    /^AUTH_ISSUER and AUTH_AUDIENCE cannot be used without AUTH_JWKS_URL: [^\n]+\.\n$/,
  )
  expect(await refusal('token account ann --hours 721', 2)).toContain('number from 1 to 720')
  expect(await refusal('token account ann --hours 0', 2)).toContain('number from 1 to 720')
})

test('player --anonymous hides a player on the running server and shows them again', async () => {
  const isHidden = async () => ((await play('get_status')).player as Params).anonymous
  const hidden = { username: 'Keeper', anonymous: true }
  expect(await report('player keeper --anonymous on')).toMatchObject(hidden)
  expect(await isHidden()).toBe(true)
  const text = await orreryHere(['player', '1', '--anonymous', 'off'], world)
  expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining('shown to all again') })
  expect(await isHidden()).toBe(false)
  expect(await refusal('player keeper --anonymous maybe', 2)).toContain('Allowed choices')
})

test('tick-report shows phase times of the running server and of replayed ticks', async () => {
  const phases = ['admit', 'arrive', 'engage', 'act', 'decide', 'fight', 'produce', 'settle']
  const { port } = new URL(server.url)
  const live = await report(`tick-report --port ${port}`)
  const { source, phases: times } = live.phases as { source: string; phases: Params[] }
  expect(source).toBe('server')
  const parts = ['check', 'wait', 'compute', 'journal', 'finish', 'publish', 'whole tick']
  expect(times.map(({ phase }) => phase)).toEqual([...phases, ...parts])
  for (const { p50, p99, max } of times as { p50: number; p99: number; max: number }[]) {
    expect(p50).toBeGreaterThanOrEqual(0)
    expect(p99).toBeGreaterThanOrEqual(p50)
    expect(max).toBeGreaterThanOrEqual(p99)
  }
  const replayed = await report('tick-report --replay')
  expect(replayed.phases).toMatchObject({ source: 'replay' })
  const text = await orreryHere(['tick-report', '--port', port], world)
  expect(text.stdout).toMatch(/^act +[\d.]+ +[\d.]+ +[\d.]+$/m)
})

test('tick-report --slow lists the slowest ticks of the server and their causes', async () => {
  const { port } = new URL(server.url)
  const all = await report(`tick-report --slow --port ${port}`)
  expect(all.ticks).toBeGreaterThan(1)
  const slowest = rows(all.slowest)
  const totals = slowest.map(({ totalMs }) => Number(totalMs))
  expect(totals).toEqual([...totals].sort((a, b) => b - a))
  expect(new Set(slowest.map(({ tick }) => tick)).size).toBe(slowest.length)
  for (const { partsMs, journalMs } of slowest) {
    expect(partsMs).toMatchObject({ act: expect.any(Number), publish: expect.any(Number) })
    expect((journalMs as Params).roundTrip).toBeGreaterThan(0)
  }
  const shares = rows(all.causes).map(({ sharePct }) => Number(sharePct))
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 5)
  const text = await orreryHere(['tick-report', '--slow', '1', '--port', port], world)
  const [, head, only, blank] = text.stdout.split('\n')
  expect(head).toMatch(/^tick +at +ms +wait +phases +longest +gc .* unanswered .* ran$/)
  expect(only).toMatch(new RegExp(`^ *${slowest[0].tick} `))
  expect(blank).toBe('')
  expect(text.stdout).toMatch(
    /^(?:phase|gc|journal|wait|finish|publish)[a-z ]* +\d+ +[\d.]+ +[\d.]+ %$/m,
  )
  expect(await refusal('tick-report --slow --port 1')).toContain('No server answers')
  expect(await refusal('tick-report --slow --replay', 2)).toContain('cannot be used with')
})

test('snapshot list and inspect read the world of a stopped server', async () => {
  await stopServer()
  const { snapshots, journal } = await report('snapshot list')
  const batches = rows(snapshots).map((row) => row.batch)
  expect(batches).toHaveLength(4)
  expect(batches.slice(1)).toEqual([...taken].reverse())
  expect(journal).toMatchObject({ batch: batches[0] })
  const newest = await report('snapshot inspect')
  expect(newest).toMatchObject({ batch: batches[0], seed: 1 })
  const players = rows(newest.tables).find((table) => table.name === 'player')
  expect(players).toMatchObject({ rows: 1 })
  expect(await refusal('snapshot inspect 77777')).toContain('There is no snapshot "77777"')
  const bea = claimsIn((await report('token account bea')).token)
  expect(bea).toMatchObject({ sub: 'bea', iss: 'urn:orrery:local', aud: 'orrery' })
})

test('snapshot verify checks sums and replays from one snapshot to the next', async () => {
  // By default only the newest snapshot is checked by a replay, from the one before it.
  const byDefault = rows((await report('snapshot verify')).snapshots)
  expect(byDefault.flatMap(({ replayedFrom = [] }) => replayedFrom)).toEqual([taken.at(-1)])
  const all = await report('snapshot verify --all')
  expect(all).toMatchObject({ ok: true, journal: { ok: true, rows: 0 } })
  expect(rows(all.snapshots).map((row) => row.replayedFrom)).toEqual([undefined, ...taken])
  const single = await report(`snapshot verify ${taken[2]}`)
  expect(single.snapshots).toMatchObject([{ batch: taken[2], replayedFrom: taken[1], ok: true }])
  expect(await report('snapshot verify --sums')).toMatchObject({ ok: true })
})

test('snapshot diff counts changed rows by table and shows their values', async () => {
  const found = await report('snapshot diff oldest newest')
  expect(found).toMatchObject({ same: false, batches: [0, expect.any(Number)] })
  const tables = rows(found.tables)
  const player = tables.find((table) => table.table === 'player') as Params
  expect(player).toMatchObject({ added: 1, removed: 0, changed: 0 })
  const values = rows(rows(player.rows)[0].values)
  expect(values).toContainEqual({ column: 'username', before: '', after: 'Keeper' })
  const later = await report(`snapshot diff ${taken[1]} ${taken[2]} --table player --rows 1`)
  expect(later.tables).toMatchObject([{ table: 'player', changed: 1 }])
  expect(await report('snapshot diff newest newest')).toMatchObject({ same: true, tables: [] })
  expect(await refusal('snapshot diff oldest newest --table none')).toContain('There is no table')
})

test('replay prints the hashes of the journal and stops at a requested one', async () => {
  const { tick, hash } = stepped
  const all = await report('replay --from 0')
  const last = rows(all.hashes).find((row) => row.tick === tick && row.part === 0)
  expect(last).toMatchObject({ hash, journalled: true })
  const some = await report(`replay --from 4 --to ${tick}`)
  expect(some).toMatchObject({ start: { tick: 4 }, end: { tick } })
  const found = await report(`replay --from 4 --until-hash ${hash}`)
  expect(found).toMatchObject({ found: true, end: { tick, hash } })
  const never = await orrery(['replay', '--until-hash', '0'.repeat(16)], world)
  expect(never).toMatchObject({ code: 1, stdout: expect.stringContaining('never occurred') })
  expect(await refusal('replay --from 5 --to 4', 2)).toContain('lies before')
})

test('player, economy and tick-report read the recovered world', async () => {
  const keeper = await report('player keeper')
  expect(keeper).toMatchObject({
    player: { username: 'Keeper', empire: 'solarian', credits: expect.any(Number) },
    ship: { fuel: expect.any(Number) },
    flags: { bound: ['http'], pending: null },
    account: { number: 1 },
  })
  const text = await orreryHere(['player', '1'], world)
  expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/user name +Keeper/) })
  expect(await refusal('player 1 --anonymous on')).toContain('Only a running server')
  const economy = await report('economy')
  expect(economy).toMatchObject({
    balanced: true,
    days: [{ day: 1, fromTick: 0, credits: { starting_grant: expect.any(Number) } }],
  })
  const ticks = await report('tick-report')
  expect(ticks).toMatchObject({
    ticks: stepped.tick + 1,
    commands: { mine: 1, travel: 1, chat: 1 },
    phases: null,
  })
})

test('prices summarises the archived trades of an item', async () => {
  const nothing = { item_id: 'iron_ore', base_id: null, step: 'hour', prices: [] }
  expect(await report('prices iron_ore')).toEqual(nothing)
  expect(await refusal('prices moon_dust')).toContain('There is no item "moon_dust"')
  const sql = connect(database.connection(world.DATABASE_SCHEMA), { name: 'test' })
  await sql`insert into price_hour (tick, item, base, units, credits, batch, at) values
    (8640, 'iron_ore', 'a', 4, 10, 1, now()), (17280, 'iron_ore', 'a', 2, 10, 1, now()),
    (17280, 'iron_ore', 'b', 2, 30, 1, now())`
  await disconnect(sql, 0)
  const hours = await report('prices iron_ore --base a')
  expect(hours.prices).toEqual([{ tick: 17_280, units: 2, credits: 10, mean: 5 }])
  const days = await report('prices iron_ore --days 7')
  expect(days).toMatchObject({ step: 'day', prices: [{ mean: 2.5 }, { units: 4, mean: 10 }] })
  const text = await orreryHere(['prices', 'iron_ore', '--days', '2'], world)
  expect(text.stdout).toMatch(/day +from tick +units +credits per unit/)
})

test('an imported world equals the exported one, and verify finds damage in it', async () => {
  const imported = settingsOf(database.schema())
  const file = join(folder, 'stopped.orrery')
  await report(`snapshot export ${file} --snapshot ${taken[1]}`)
  await report(`snapshot import ${file}`, imported)
  expect(await refusal(`snapshot import ${file}`, 1, imported)).toContain('has a world already')
  const head = (await report('replay')).end
  expect((await report('replay', imported)).end).toEqual(head)
  // No server runs on this world, so the tool takes the snapshot, at the head of the journal.
  const snapshot = await report('snapshot create', imported)
  expect(snapshot).toMatchObject({ by: 'tool', ...(head as Params) })
  expect(await report('snapshot verify', imported)).toMatchObject({ ok: true })
  await flipChunk(imported.DATABASE_SCHEMA)
  const bad = await orrery(['snapshot', 'verify', '--json'], imported)
  const { batch } = head as { batch: number }
  expect(bad.code).toBe(1)
  expect(JSON.parse(bad.stdout)).toMatchObject({
    ok: false,
    snapshots: [
      { batch: taken[1], ok: true },
      { batch, ok: false },
    ],
    journal: { ok: true, from: taken[1], batch },
  })
  expect(await report(`snapshot prune --keep 1`, imported)).toMatchObject({ snapshots: 1 })
})

/** Changes one byte of a chunk that only the newest snapshot has. */
async function flipChunk(schema: string): Promise<void> {
  const sql = connect(database.connection(schema), { name: 'test' })
  const changed = await sql`
    update snapshot_chunk
    set bytes = set_byte(bytes, length(bytes) / 2, get_byte(bytes, length(bytes) / 2) # 255)
    where sha256 = (
      select sha256 from snapshot_part group by sha256
      having min(snapshot_id) = (select max(id) from snapshot) order by sha256 limit 1)`
  await disconnect(sql)
  expect(changed.count).toBe(1)
}

test('an embedded database is started for the tool and stopped after it', async () => {
  const { DATABASE_URL: _, DATABASE_SCHEMA: __, ...bare } = world
  const dataDir = join(folder, 'data')
  const embedded = { ...bare, DATA_DIR: dataDir }
  expect(await refusal('snapshot list', 1, embedded)).toContain('There is no embedded database')
  const run = async (...args: string[]): Promise<Params> => {
    const ran = await orrery([...args, '--json'], embedded)
    expect({ args, code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 })
    return JSON.parse(ran.stdout) as Params
  }
  await run('snapshot', 'import', join(folder, 'stopped.orrery'))
  expect(await run('snapshot', 'verify')).toMatchObject({
    ok: true,
    snapshots: [{ batch: taken[1] }],
    journal: { hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
  })
  expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
})

test('snapshot restore cuts exactly what its dry run reports', async () => {
  const wouldCut = await report(`snapshot restore ${taken[1]} --dry-run`)
  expect(wouldCut).toMatchObject({ dryRun: true, cut: { snapshot: 2, chat: 1, player: 0 } })
  expect(rows((await report('snapshot list')).snapshots)).toHaveLength(4)
  const restored = await report(`snapshot restore ${taken[1]}`)
  expect(restored).toEqual({ ...wouldCut, dryRun: false })
  const { snapshots, journal } = await report('snapshot list')
  expect(rows(snapshots).map((row) => row.batch)).toEqual([taken[1], taken[0]])
  // A restore adds one journal row, from which ids continue instead of starting over.
  expect(journal).toMatchObject({ batch: taken[1] + 1, tick: 4 })
  expect(await report('snapshot verify')).toMatchObject({ ok: true })
  expect((await report('replay')).end).toMatchObject({ batch: taken[1] + 1, tick: 4 })
  expect(await report('player Keeper')).toMatchObject({ tick: 4 })
})

test('snapshot prune keeps the newest snapshot and the journal after it', async () => {
  expect(await report('snapshot prune --keep 1')).toMatchObject({ snapshots: 1 })
  expect(await report('snapshot list')).toMatchObject({
    snapshots: [{ batch: taken[1] }],
    journal: { rows: 1 },
  })
  expect(await refusal('snapshot prune --keep 0', 2)).toContain('whole number of at least 1')
})
