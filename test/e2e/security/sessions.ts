/**
 * Lines of the checklist "Passwords and sessions" and of authorization (RELIABILITY 6), on a real
 * server. An HTTP session keeps its id over a login (interface, Game sessions, 3): only a login
 * without an id gets a fresh one, and an id made up by the client is never accepted. Part of
 * wire.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import { hashPassword } from '../../../net/session/auth.ts'
import { endLogins } from '../../../net/session/logins.ts'
import { disconnect, connect as openSql } from '../../../storage/db.ts'
import { newPlayer } from '../wire.ts'
import { type Account, enter, logIn, newVisitor, type Stage, type Visitor } from './stage.ts'

const STATUS = '/api/v1/get_status'
const HEX_64 = /^[0-9a-f]{64}$/

const statusOf = async (visitor: Visitor, session: string): Promise<unknown> => {
  const { status, body } = await visitor.post(STATUS, {}, { 'x-session-id': session })
  return status === 200 ? 'ok' : (body.error as Params).code
}

/** Opens one more session for an existing account. */
async function openSession(visitor: Visitor, { username, password }: Account): Promise<string> {
  const { body } = await visitor.post('/api/v1/login', { username, password })
  return (body.session as { id: string }).id
}

export function testSessions(stageOf: () => Stage): void {
  test('a logout, expiry, replacement or password reset ends authorization at once', async () => {
    const visitor = newVisitor(stageOf())
    const account = await enter(visitor)
    const { session } = account
    expect(await statusOf(visitor, session)).toBe('ok')
    await visitor.post('/api/v1/logout', {}, { 'x-session-id': session })
    expect(await statusOf(visitor, session)).toBe('not_authenticated')

    const idle = await openSession(visitor, account)
    stageOf().clock.advance(30 * 60_000 - 1)
    expect(await statusOf(visitor, idle)).toBe('ok')
    stageOf().clock.advance(30 * 60_000)
    expect(await statusOf(visitor, idle)).toBe('session_invalid')

    const sessions: string[] = []
    for (let i = 0; i < 6; i++) sessions.push(await openSession(visitor, account))
    expect(await statusOf(visitor, sessions[0])).toBe('session_invalid')
    expect(await statusOf(visitor, sessions[1])).toBe('ok')

    const [older, newer] = [await logIn(visitor, account), await logIn(visitor, account)]
    expect(await older.closed).toEqual({ code: 4001, reason: 'session_replaced' })
    const { net } = stageOf().server.net
    const row = await net.accounts.findByPlayerId(account.playerId)
    if (!row) throw new Error('the player has no account')
    await net.accounts.setPassword(account.playerId, hashPassword('f'.repeat(64)))
    endLogins(net, row.number)
    expect((await newer.closed).code).toBe(4001)
    for (const id of sessions) expect(await statusOf(visitor, id)).toBe('session_invalid')
    const { username, password } = account
    expect((await visitor.post('/api/v1/login', { username, password })).body.error).toMatchObject({
      code: 'invalid_credentials',
    })
  })

  test('a login that was checked with the old password does not outlive a reset', async () => {
    const visitor = newVisitor(stageOf())
    const account = await enter(visitor)
    const { net } = stageOf().server.net
    const row = await net.accounts.findByPlayerId(account.playerId)
    if (!row) throw new Error('the player has no account')
    const find = net.accounts.findByUsernameKey
    // The reset comes after the password was read and before the login.
    const slow: typeof find = async (key) => {
      const found = await find(key)
      await net.accounts.setPassword(account.playerId, hashPassword('e'.repeat(64)))
      endLogins(net, row.number)
      return found
    }
    Object.assign(net.accounts, { findByUsernameKey: slow })
    const { username, password } = account
    const answer = await visitor.post('/api/v1/login', { username, password })
    Object.assign(net.accounts, { findByUsernameKey: find })
    expect(answer.body.error).toMatchObject({ code: 'invalid_credentials' })
    expect(net.bindings.players.has(row.number)).toBe(false)
  })

  test('session ids have 256 bits, are unique and never made up by the client', async () => {
    const visitor = newVisitor(stageOf())
    const account = await enter(visitor)
    const ids = [account.session]
    for (let i = 0; i < 3; i++) ids.push(await openSession(visitor, account))
    for (const path of ['/api/v1/session', '/api/v2/session'])
      ids.push(((await visitor.post(path)).body.session as { id: string }).id)
    for (const id of ids) expect(id).toMatch(HEX_64)
    expect(new Set(ids).size).toBe(ids.length)
    const { username, password } = account
    const madeUp = { 'x-session-id': 'a'.repeat(64) }
    expect(await visitor.post('/api/v1/login', { username, password }, madeUp)).toMatchObject({
      status: 401,
      body: { error: { code: 'session_invalid' } },
    })
    expect(await statusOf(visitor, madeUp['x-session-id'])).toBe('session_invalid')
    // A header that has the same id twice is not valid.
    expect(await statusOf(visitor, `${ids[3]}, ${ids[3]}`)).toBe('session_invalid')
  })

  test('a session belongs to one version of the API and to one player', async () => {
    const visitor = newVisitor(stageOf())
    const [first, second] = [await enter(visitor), await enter(visitor)]
    const header = { 'x-session-id': first.session }
    for (const [path, body] of [
      ['/api/v2/game/get_status', {}],
      ['/api/v2/game_auth/login', { username: first.username, password: first.password }],
    ] as const)
      expect((await visitor.post(path, body, header)).body.error).toMatchObject({
        code: 'session_invalid',
      })
    const { username, password } = second
    const other = await visitor.post('/api/v1/login', { username, password }, header)
    expect(other.body.error).toMatchObject({ code: 'already_authenticated' })
    const status = await visitor.post(STATUS, {}, header)
    expect((status.body.session as Params).player_id).toBe(first.playerId)
  })

  test('an unknown name and a wrong password get the same answer', async () => {
    const visitor = newVisitor(stageOf())
    const { username, password } = await enter(visitor)
    const wrong = await visitor.post('/api/v1/login', { username, password: 'f'.repeat(64) })
    const unknown = await visitor.post('/api/v1/login', { username: 'Nobody At All', password })
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
    const short = await visitor.post('/api/v1/login', { username, password: password.slice(0, 63) })
    expect(short.text).toBe(wrong.text)
    // Hexadecimal digits in either case are the same password.
    const upperCase = { username, password: password.toUpperCase() }
    expect((await visitor.post('/api/v1/login', upperCase)).status).toBe(200)
  })

  test('a password has 256 bits, is shown once and is stored only as its SHA-256', async () => {
    const visitor = newVisitor(stageOf())
    const account = await enter(visitor)
    expect(account.password).toMatch(HEX_64)
    const header = { 'x-session-id': account.session }
    const { username, password } = account
    const answers = [
      await visitor.post('/api/v1/login', { username, password }),
      await visitor.post(STATUS, {}, header),
      await visitor.post('/api/v1/get_notifications', {}, header),
      await visitor.post('/api/v1/get_action_log', {}, header),
      await visitor.post('/api/v1/register', newPlayer(), header),
    ]
    const link = (await visitor.post('/api/v1/login_link')).body.result as Params
    const token = await stageOf().server.net.net.accounts.issueLoginToken(account.playerId)
    for (const { text } of answers) expect(text).not.toContain(password)
    const { schema } = stageOf().server
    const sql = openSql(stageOf().database.connection(schema), { name: 'test' })
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = ${schema}`
    const hash = hashPassword(password).toString('hex')
    let isHashStored = false
    for (const { name } of tables) {
      const rows = await sql<{ text: string }[]>`select t::text as text from ${sql(name)} t`
      for (const { text } of rows) {
        for (const secret of [password, token.token, String(link.device_code), account.session])
          expect({ name, isFound: text.includes(secret) }).toEqual({ name, isFound: false })
        if (text.includes(hash)) isHashStored = true
      }
    }
    await disconnect(sql)
    expect(tables.length).toBeGreaterThan(10)
    expect(isHashStored).toBe(true)
  })

  test('no source compares a secret with === instead of timingSafeEqual', () => {
    const root = new URL('../../../../', import.meta.url)
    const sources = ['net', 'storage'].flatMap((folder) =>
      (readdirSync(new URL(`${folder}/`, root), { recursive: true }) as string[])
        .filter((name) => name.endsWith('.ts'))
        .map((name) => ({ name, text: readFileSync(new URL(`${folder}/${name}`, root), 'utf8') })),
    )
    const secret = String.raw`\w*(?:password|passwordHash|secret|deviceCode|loginToken|metricsToken)`
    const compared = new RegExp(
      String.raw`(?<!typeof )\b${secret}\b\s*[!=]={1,2}(?!=|\s*(?:undefined|null|''))`,
      'i',
    )
    const found = sources.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line, i) => (compared.test(line) ? [`${name}:${i + 1}`] : [])),
    )
    expect(sources.length).toBeGreaterThan(60)
    expect(found).toEqual([])
    const comparing = sources.filter(({ text }) => text.includes('timingSafeEqual('))
    expect(comparing.map(({ name }) => name).sort()).toEqual(['metrics.ts', 'session/auth.ts'])
  })
}
