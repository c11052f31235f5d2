/**
 * Secrets and control characters in the log, and SQL (RELIABILITY 6). A server process logs at the
 * lowest level, receives every kind of secret in valid and broken requests, and crashes on one of
 * them; then its log is searched.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { connect as openTcp } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import { createAccounts } from '../../../storage/accounts.ts'
import { disconnect, connect as openSql } from '../../../storage/db.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { type ChildServer, type Settings, spawnServer, startChild } from '../../servers.ts'
import { newPlayer, openSocket, post, request } from '../wire.ts'

const METRICS_TOKEN = 'metrics-s3cret-1f2e3d'
const BEARER = 'bearer-s3cret.9a8b7c.6d5e4f'
const CODE = 'code-s3cret-5a4b3c'
const REQUEST_PASSWORD = 'typed-s3cret-0f1e2d'

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(() => database.close())

const settings = (schema: string, overrides: Settings = {}): Settings => ({
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: schema,
  LOG_LEVEL: 'trace',
  LIMITS: 'off',
  TICK_MS: '1000',
  WORKERS: '0',
  MAX_ENTITIES: '20000',
  METRICS_TOKEN,
  // The second registration crashes the world thread twice, is then set aside and logged in full.
  ORRERY_FAULT: '!internal:register:2:throw:1',
  ...overrides,
})

/** Sends bytes and waits until the connection ends, half a second at most. */
const sendBytes = (server: ChildServer, text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = openTcp({ port: Number(new URL(server.url).port), host: '127.0.0.1' })
    setTimeout(() => socket.destroy(), 500)
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.on('connect', () => socket.write(text))
    socket.resume()
  })

/** Sends requests that carry a secret where it belongs, where it does not, and cut in half. */
async function misuse(server: ChildServer, secret: string): Promise<void> {
  const header = { 'x-session-id': secret, authorization: `Bearer ${secret}` }
  await post(`${server.url}/api/v1/get_status`, { secret }, header)
  await post(`${server.url}/api/v2/game_auth/login`, `{"password":"${secret}"`, header)
  await post(`${server.url}/api/v1/login`, { username: secret, password: [secret] })
  await post(`${server.url}/api/v1/claim`, { registration_code: secret }, header)
  await post(`${server.url}/api/v2/game_auth/login_token`, { token: secret })
  await post(`${server.url}/api/v1/login_link_poll`, { device_code: secret })
  await post(`${server.url}/mcp`, { jsonrpc: '2.0', id: 1, method: secret, params: { secret } })
  for (const path of ['/api/me', '/metrics', `/api/v1/${secret}`, `/api/player/${secret}`])
    await request(`${server.url}${path}?token=${secret}`, { headers: header })
  await sendBytes(
    server,
    `POST /api/v1/login HTTP/1.1\r\nX-Session-Id: ${secret}\r\nbroken ${secret}`,
  )
  const socket = await openSocket(server.url, '/ws')
  await socket.next('welcome')
  await socket.ask({ type: secret, payload: { secret } })
  await socket.ask(`{"type":"login","payload":{"password":"${secret}"`)
  await socket.ask({ type: 'login', payload: { username: 'x', password: secret } })
  socket.socket.terminate()
}

test('a secret never appears in the log, whatever request it comes in', async () => {
  const schema = database.schema()
  const server = await startChild(settings(schema))
  const registered = await post(`${server.url}/api/v1/register`, {
    ...newPlayer('Keeper'),
    registration_code: CODE,
  })
  const { password, player_id } = registered.body.result as Params
  const session = (registered.body.session as { id: string }).id
  const link = (await post(`${server.url}/api/v1/login_link`)).body.result as Params
  const sql = openSql(database.connection(schema), { name: 'test' })
  const { token } = await createAccounts(sql).issueLoginToken(String(player_id))
  const hash = (
    await sql<{ hash: string }[]>`
    select encode(password_hash, 'hex') as hash from player where player_id = ${String(player_id)}`
  )[0].hash
  // The update of the player's row fails, and the error of PostgreSQL quotes the whole row.
  await sql`alter table player add constraint quiet check (last_login_at is null) not valid`
  const login = await post(`${server.url}/api/v1/login`, { username: 'Keeper', password })
  expect(login.status).toBe(200)
  // This second registration crashes the world thread; the next thread receives it again.
  const eve = { ...newPlayer('Eve\u009b31m'), registration_code: CODE }
  await post(`${server.url}/api/v1/register`, { ...eve, username: 'Eve' })
  const secrets = [String(password), token, String(link.device_code), session]
  const misused = [...secrets, REQUEST_PASSWORD, BEARER, CODE, METRICS_TOKEN]
  await Promise.all(misused.map((secret) => misuse(server, secret)))
  await sql`alter table login_token rename to gone`
  await post(`${server.url}/api/v2/game_auth/login_token`, { token })
  await sql`alter table gone rename to login_token`
  await disconnect(sql)
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  const log = server.log()
  // The log does say what went wrong.
  expect(log).toContain('the time of a login could not be saved')
  expect(log).toContain('armed fault')
  expect(log).toContain('a command failed on the main thread')
  const all = {
    password,
    token,
    code: link.device_code,
    session,
    hash,
    url: passwordIn(database.url),
  }
  for (const [name, secret] of Object.entries({
    ...all,
    METRICS_TOKEN,
    BEARER,
    CODE,
    REQUEST_PASSWORD,
  }))
    expect({ name, isLogged: log.includes(String(secret)) }).toEqual({ name, isLogged: false })
  for (const line of log.split('\n').filter((text) => text.startsWith('{'))) JSON.parse(line)
  expect(CONTROLS.test(log)).toBe(false)
})

const CONTROLS = /[^\n\P{Cc}]/u
const passwordIn = (url: string): string => new URL(url).password || 'no-password-in-the-address'

test.concurrent('a failed start does not log the password in DATABASE_URL', async () => {
  const secret = 's3cret-of-the-database'
  // An address where nobody answers is tested in ../../fault/stop.test.ts.
  const urls = [
    `postgres://orrery:${secret}@[::1:1/none`,
    `postgres://orrery:${secret}%zz@127.0.0.1:1/none`,
  ]
  const children = urls.map((DATABASE_URL) => spawnServer(settings('unused', { DATABASE_URL })))
  for (const child of children) {
    expect(await child.ended).toBe(1)
    expect(child.log().length).toBeGreaterThan(0)
    expect(child.log()).not.toContain(secret)
  }
})

/** How often files compose SQL from text, each with the reason why no player can influence it. */
const UNSAFE: Readonly<Record<string, number>> = {
  // Table and column names from our own list, in which the names of a file are looked up first.
  'storage/transfer-rows.ts': 1,
  'storage/transfer.ts': 1,
  // The migrations themselves.
  'storage/migrations/index.ts': 1,
  // A hexadecimal password that the server generated; a constant name.
  'storage/embedded.ts': 2,
  // A schema name that the command line has checked; a constant text.
  'storage/fork-place.ts': 1,
  // Names from our own list, and the schema of the settings.
  'storage/past-archive.ts': 1,
  // One of two constant operators.
  'storage/archive/chat.ts': 1,
}

test('SQL is composed from text only in the listed files', () => {
  const root = new URL('../../../../', import.meta.url)
  const found: Record<string, number> = {}
  for (const folder of ['storage', 'cli', 'net']) {
    for (const name of readdirSync(new URL(folder, root), { recursive: true }) as string[]) {
      if (!name.endsWith('.ts')) continue
      const text = readFileSync(new URL(`${folder}/${name}`, root), 'utf8')
      const count = [...text.matchAll(/\.(unsafe|file)\s*[(<]/g)].length
      if (count > 0) found[`${folder}/${name}`] = count
    }
  }
  expect(found).toEqual(UNSAFE)
})
