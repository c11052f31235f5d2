/**
 * Lines of the checklist "Passwords and sessions" and of authorization (RELIABILITY 6), on a real
 * server. A session of HTTP keeps its id over a login (interface, Game sessions, 3): fresh ids are
 * those of logins that bring none; an id of the client's own making is never taken up. Part of
 * wire.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import { hashPassword } from '../../../net/session/auth.ts'
import { endLogins } from '../../../net/session/logins.ts'
import { disconnect, connect as openSql } from '../../../storage/db.ts'
import { newPlayer } from '../wire.ts'
import { type Account, enter, logIn, type Stage, type Visitor, visitor } from './stage.ts'

const STATUS = '/api/v1/get_status'
const HEX_64 = /^[0-9a-f]{64}$/

const statusOf = async (who: Visitor, session: string): Promise<unknown> => {
  const { status, body } = await who.post(STATUS, {}, { 'x-session-id': session })
  return status === 200 ? 'ok' : (body.error as Params).code
}

/** Opens one more session for an existing account. */
async function another(who: Visitor, { username, password }: Account): Promise<string> {
  const { body } = await who.post('/api/v1/login', { username, password })
  return (body.session as { id: string }).id
}

export function testSessions(stageOf: () => Stage): void {
  test('authorization is checked on every command: logout, expiry, replacement, reset', async () => {
    const who = visitor(stageOf())
    const account = await enter(who)
    const { session } = account
    expect(await statusOf(who, session)).toBe('ok')
    await who.post('/api/v1/logout', {}, { 'x-session-id': session })
    expect(await statusOf(who, session)).toBe('not_authenticated')

    const idle = await another(who, account)
    stageOf().clock.advance(30 * 60_000 - 1)
    expect(await statusOf(who, idle)).toBe('ok')
    stageOf().clock.advance(30 * 60_000)
    expect(await statusOf(who, idle)).toBe('session_invalid')

    const sessions: string[] = []
    for (let i = 0; i < 6; i++) sessions.push(await another(who, account))
    expect(await statusOf(who, sessions[0])).toBe('session_invalid')
    expect(await statusOf(who, sessions[1])).toBe('ok')

    const [older, newer] = [await logIn(who, account), await logIn(who, account)]
    expect(await older.closed).toEqual({ code: 4001, reason: 'session_replaced' })
    const { net } = stageOf().server.net
    const row = await net.accounts.findByPlayerId(account.playerId)
    if (!row) throw new Error('the player has no account')
    await net.accounts.setPassword(account.playerId, hashPassword('f'.repeat(64)))
    endLogins(net, row.number)
    expect((await newer.closed).code).toBe(4001)
    for (const id of sessions) expect(await statusOf(who, id)).toBe('session_invalid')
    const { username, password } = account
    expect((await who.post('/api/v1/login', { username, password })).body.error).toMatchObject({
      code: 'invalid_credentials',
    })
  })

  test('a login that was judged by the old password does not outlive a reset', async () => {
    const who = visitor(stageOf())
    const account = await enter(who)
    const { net } = stageOf().server.net
    const row = await net.accounts.findByPlayerId(account.playerId)
    if (!row) throw new Error('the player has no account')
    const find = net.accounts.findByUsernameKey
    // The reset comes between the look at the password and the login that follows it.
    const slow: typeof find = async (key) => {
      const found = await find(key)
      await net.accounts.setPassword(account.playerId, hashPassword('e'.repeat(64)))
      endLogins(net, row.number)
      return found
    }
    Object.assign(net.accounts, { findByUsernameKey: slow })
    const { username, password } = account
    const answer = await who.post('/api/v1/login', { username, password })
    Object.assign(net.accounts, { findByUsernameKey: find })
    expect(answer.body.error).toMatchObject({ code: 'invalid_credentials' })
    expect(net.bindings.players.has(row.number)).toBe(false)
  })

  test('session ids are 256 bits of the system, new for each, and never the client’s own', async () => {
    const who = visitor(stageOf())
    const account = await enter(who)
    const ids = [account.session]
    for (let i = 0; i < 3; i++) ids.push(await another(who, account))
    for (const path of ['/api/v1/session', '/api/v2/session'])
      ids.push(((await who.post(path)).body.session as { id: string }).id)
    for (const id of ids) expect(id).toMatch(HEX_64)
    expect(new Set(ids).size).toBe(ids.length)
    const { username, password } = account
    const made = { 'x-session-id': 'a'.repeat(64) }
    expect(await who.post('/api/v1/login', { username, password }, made)).toMatchObject({
      status: 401,
      body: { error: { code: 'session_invalid' } },
    })
    expect(await statusOf(who, made['x-session-id'])).toBe('session_invalid')
    // One and the same id twice in a header is no id.
    expect(await statusOf(who, `${ids[3]}, ${ids[3]}`)).toBe('session_invalid')
  })

  test('a session is of one pool and of one player', async () => {
    const who = visitor(stageOf())
    const [one, two] = [await enter(who), await enter(who)]
    const header = { 'x-session-id': one.session }
    for (const [path, body] of [
      ['/api/v2/game/get_status', {}],
      ['/api/v2/game_auth/login', { username: one.username, password: one.password }],
    ] as const)
      expect((await who.post(path, body, header)).body.error).toMatchObject({
        code: 'session_invalid',
      })
    const { username, password } = two
    const other = await who.post('/api/v1/login', { username, password }, header)
    expect(other.body.error).toMatchObject({ code: 'already_authenticated' })
    const seen = await who.post(STATUS, {}, header)
    expect((seen.body.session as Params).player_id).toBe(one.playerId)
  })

  test('an unknown name and a wrong password have one answer', async () => {
    const who = visitor(stageOf())
    const { username, password } = await enter(who)
    const wrong = await who.post('/api/v1/login', { username, password: 'f'.repeat(64) })
    const unknown = await who.post('/api/v1/login', { username: 'Nobody At All', password })
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
    const short = await who.post('/api/v1/login', { username, password: password.slice(0, 63) })
    expect(short.text).toBe(wrong.text)
    // Hexadecimal digits in either case are the same password.
    const loud = await who.post('/api/v1/login', { username, password: password.toUpperCase() })
    expect(loud.status).toBe(200)
  })

  test('a password is 256 bits, shown once, and stored as its SHA-256 alone', async () => {
    const who = visitor(stageOf())
    const account = await enter(who)
    expect(account.password).toMatch(HEX_64)
    const header = { 'x-session-id': account.session }
    const { username, password } = account
    const answers = [
      await who.post('/api/v1/login', { username, password }),
      await who.post(STATUS, {}, header),
      await who.post('/api/v1/get_notifications', {}, header),
      await who.post('/api/v1/get_action_log', {}, header),
      await who.post('/api/v1/register', newPlayer(), header),
    ]
    const link = (await who.post('/api/v1/login_link')).body.result as Params
    const token = await stageOf().server.net.net.accounts.issueLoginToken(account.playerId)
    for (const { text } of answers) expect(text).not.toContain(password)
    const { schema } = stageOf().server
    const sql = openSql(stageOf().database.connection(schema), { name: 'test' })
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = ${schema}`
    const hash = hashPassword(password).toString('hex')
    let isThere = false
    for (const { name } of tables) {
      const rows = await sql<{ text: string }[]>`select t::text as text from ${sql(name)} t`
      for (const { text } of rows) {
        for (const secret of [password, token.token, String(link.device_code), account.session])
          expect({ name, isFound: text.includes(secret) }).toEqual({ name, isFound: false })
        if (text.includes(hash)) isThere = true
      }
    }
    await disconnect(sql)
    expect(tables.length).toBeGreaterThan(10)
    expect(isThere).toBe(true)
  })

  test('no secret is compared by === or looked up as it is', () => {
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
