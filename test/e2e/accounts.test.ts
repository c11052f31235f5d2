/**
 * Tests a server that is its own token issuer: API keys, device links in every state, login
 * tokens, claims, and what a password reset ends.
 */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { loadConfig } from '../../config.ts'
import { issueAccountToken, newIssuerKey } from '../../net/session/issuer.ts'
import { createAccounts } from '../../storage/accounts.ts'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { callMcp } from './mcp-call.ts'
import { type Answer, newName, newPlayer, openSocket, post, request } from './wire.ts'

const database = useTestDatabase()
const server = useTestServer(database, { isSmallMap: true })
let sql: Sql
const tokens = new Map<string, string>()

beforeAll(async () => {
  sql = connect(database.connection(server.schema), { name: 'test' })
})
afterAll(async () => {
  await disconnect(sql)
})

async function tokenOf(account: string): Promise<string> {
  const key = await createAccounts(sql).issuerKey(newIssuerKey)
  const token = tokens.get(account) ?? (await issueAccountToken(key, { account, hours: 1 })).token
  tokens.set(account, token)
  return token
}

/** Sends a request with a bearer: an account token or an API key. */
const sendWith = (bearer: string, method: string, path: string, body?: Params): Promise<Answer> =>
  request(server.url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const sendAs = async (account: string, method: string, path: string, body?: Params) =>
  sendWith(await tokenOf(account), method, path, body)

interface Player {
  readonly id: string
  readonly username: string
  readonly password: string
}

/** Registers a new player, linked to an account if one is named. */
async function newPlayerOf(account?: string): Promise<Player> {
  const username = newName()
  const client = await connectClient(server.url, 'http2')
  const { result } = await client.call('register', newPlayer(username))
  const player = { id: String(result.player_id), username, password: String(result.password) }
  if (account !== undefined) {
    const { registration_code } = (await sendAs(account, 'GET', '/api/registration-code')).body
    expect(await client.call('claim', { registration_code })).toMatchObject({ ok: true })
  }
  await client.close()
  return player
}

test('a server without a provider accepts only tokens signed with its own key', async () => {
  expect((await sendAs('ann', 'GET', '/api/me')).body).toMatchObject({ clerk_id: 'ann' })
  const published = await request(`${server.url}/.well-known/jwks.json`)
  const [jwk] = published.body.keys as Params[]
  expect(published.body.keys).toHaveLength(1)
  expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  // Other programs can verify tokens with the published key, as with a provider's keys.
  const keys = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
  const options = { issuer: 'urn:orrery:local', audience: 'orrery' }
  expect((await jwtVerify(await tokenOf('ann'), keys, options)).payload.sub).toBe('ann')
  const other = await newIssuerKey()
  const forged = { ...other, kid: String(jwk.kid) }
  for (const key of [other, forged]) {
    const { token } = await issueAccountToken(key, { account: 'ann', hours: 1 })
    expect((await sendWith(token, 'GET', '/api/me')).status).toBe(401)
  }
  const rows = await sql`select kid from issuer_key`
  expect(rows).toEqual([{ kid: jwk.kid }])
})

test('an incomplete provider configuration is refused and names the missing setting', () => {
  const whole = {
    AUTH_ISSUER: 'https://id.example',
    AUTH_AUDIENCE: 'orrery',
    AUTH_JWKS_URL: 'https://id.example/jwks',
  }
  expect(loadConfig(whole, []).authIssuer).toBe(whole.AUTH_ISSUER)
  for (const name of Object.keys(whole)) {
    const sentence = new RegExp(`^AUTH_.* cannot be used without ${name}: .+\\.$`)
    expect(() => loadConfig({ ...whole, [name]: '' }, [])).toThrow(sentence)
  }
  expect(() => loadConfig({ ...whole, AUTH_JWKS_URL: 'file:///keys' }, [])).toThrow(/http or https/)
})

describe('API keys', () => {
  const create = async (account: string, body: Params = {}): Promise<Answer> =>
    sendAs(account, 'POST', '/api/auth/create-key', body)

  test('an API key replaces the account token except on the endpoints for keys', async () => {
    const player = await newPlayerOf('kay')
    const bot = (await create('kay', { name: 'My bot' })).body
    expect(bot).toMatchObject({ name: 'My bot', last_used_at: null, message: expect.any(String) })
    const key = String(bot.key)
    expect(key).toMatch(/^orrery_key_[0-9a-f]{64}$/)
    expect((await sendWith(key, 'GET', '/api/me')).body).toMatchObject({ clerk_id: 'kay' })
    expect((await sendWith(key, 'GET', `/api/player/${player.id}`)).status).toBe(200)
    expect((await sendWith(key, 'POST', `/api/player/${player.id}/ws-token`)).status).toBe(200)
    expect((await sendWith(key, 'POST', '/api/registration-code/rotate')).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/api/auth/create-key'],
      ['GET', '/api/auth/keys'],
      ['POST', '/api/auth/delete-key'],
    ]) {
      const body = method === 'GET' ? undefined : { id: bot.id }
      const forbidden = { status: 403, body: { code: 'forbidden' } }
      expect(await sendWith(key, method, path, body)).toMatchObject(forbidden)
    }
    const stranger = await newPlayerOf('lee')
    expect((await sendWith(key, 'GET', `/api/player/${stranger.id}`)).status).toBe(403)
    const listed = await sendAs('kay', 'GET', '/api/auth/keys')
    expect(listed.text).not.toContain(key)
    expect(listed.body.keys).toEqual([
      {
        id: bot.id,
        name: 'My bot',
        ends_with: key.slice(-4),
        created_at: bot.created_at,
        last_used_at: expect.any(String),
      },
    ])
  })

  test('only its holder can delete a key, of which the server stores only a hash', async () => {
    const { key, id } = (await create('mia')).body
    const stored = await sql`select api_key::text as text from api_key where id = ${String(id)}`
    expect(stored[0].text).not.toContain(String(key).slice('orrery_key_'.length))
    const remove = (account: string, keyId: unknown) =>
      sendAs(account, 'POST', '/api/auth/delete-key', { id: keyId })
    expect((await remove('ned', id)).status).toBe(404)
    expect((await sendWith(String(key), 'GET', '/api/me')).status).toBe(200)
    expect((await remove('mia', id)).body).toEqual({ success: true, id })
    expect((await sendWith(String(key), 'GET', '/api/me')).status).toBe(401)
    for (const missing of [id, 'x', "' or true --", 7, null]) {
      expect((await remove('mia', missing)).status).toBe(404)
    }
    const bad = [
      `${key}0`,
      String(key).toUpperCase(),
      `orrery_key_${'0'.repeat(64)}`,
      'orrery_key_',
    ]
    for (const bearer of bad) expect((await sendWith(bearer, 'GET', '/api/me')).status).toBe(401)
    const header = { 'x-dev-clerk-id': 'mia' }
    expect((await request(`${server.url}/api/me`, { headers: header })).status).toBe(401)
  })

  test('an account has at most ten keys, and key names are plain text', async () => {
    const created = await Promise.all(Array.from({ length: 12 }, () => create('oda')))
    expect(created.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 400, 400])
    const refusal = { code: 'limit_reached', details: { limit: 10 } }
    expect((await create('oda')).body).toMatchObject(refusal)
    const names = [7, '', 'x'.repeat(65), 'a\u0000b', 'a\u202eb', ['x']]
    for (const name of names) expect((await create('pia', { name })).status).toBe(400)
    expect((await create('pia', { name: '<b>“Ü 🚀”</b>' })).body.name).toBe('<b>“Ü 🚀”</b>')
  })
})

describe('device links', () => {
  interface Link {
    readonly code: string
    poll(): Promise<Params>
    readonly client: Client
  }

  async function newLink(): Promise<Link> {
    const client = await connectClient(server.url, 'http1')
    const { result } = await client.call('login_link')
    expect(result).toMatchObject({
      verification_uri: `${server.url}/link`,
      verification_uri_complete: `${server.url}/link?code=${result.user_code}`,
    })
    const { device_code } = result
    const poll = async (): Promise<Params> => {
      const reply = await client.call('login_link_poll', { device_code })
      return reply.ok ? reply.result : { code: reply.code }
    }
    return { code: String(result.user_code), poll, client }
  }
  const show = (account: string, code: string) => sendAs(account, 'GET', `/api/link/${code}`)
  const expire = (code: string) =>
    sql`update device_link set expires_at = now() - interval '1 second' where user_code = ${code}`

  test('agent and account both see a link pass from pending to approved to used', async () => {
    const player = await newPlayerOf('quin')
    const { code, poll, client } = await newLink()
    expect(await poll()).toMatchObject({ status: 'authorization_pending', interval: 5 })
    expect(await poll()).toMatchObject({ status: 'slow_down', interval: 10 })
    const entry = expect.objectContaining({ player_id: player.id, username: player.username })
    const pending = { status: 200, body: { status: 'pending', pending: true, players: [entry] } }
    expect(await show('quin', code)).toMatchObject(pending)
    // People may type the code in lower case and without its hyphen.
    expect(await show('quin', code.toLowerCase().replace('-', ''))).toMatchObject(pending)
    const approve = (account: string, player_id: unknown) =>
      sendAs(account, 'POST', '/api/link/approve', { user_code: code, player_id })
    expect((await approve('rob', player.id)).status).toBe(403)
    expect((await approve('quin', undefined)).status).toBe(404)
    expect((await approve('quin', player.id)).body).toMatchObject({ status: 'approved' })
    expect((await approve('quin', player.id)).status).toBe(404)
    expect((await sendAs('quin', 'POST', '/api/link/deny', { user_code: code })).status).toBe(404)
    expect((await show('quin', code)).body).toMatchObject({ status: 'approved', pending: false })
    expect(await poll()).toMatchObject({ player_id: player.id })
    expect(await client.call('get_status')).toMatchObject({ ok: true })
    expect((await show('quin', code)).status).toBe(404)
    await client.close()
  })

  test('a denied, expired or unknown link logs nobody in', async () => {
    const player = await newPlayerOf('sue')
    const approval = { player_id: player.id, approve: true }
    const denied = await newLink()
    const deny = await sendAs('tom', 'POST', `/api/link/${denied.code}`, { approve: false })
    expect(deny.body).toMatchObject({ status: 'denied' })
    expect((await show('sue', denied.code)).body).toMatchObject({ status: 'denied' })
    expect(await denied.poll()).toEqual({ code: 'access_denied' })
    const silent = await newLink()
    await expire(silent.code)
    expect((await show('sue', silent.code)).status).toBe(404)
    expect((await sendAs('sue', 'POST', `/api/link/${silent.code}`, approval)).status).toBe(404)
    expect(await silent.poll()).toEqual({ code: 'expired_token' })
    const late = await newLink()
    expect((await sendAs('sue', 'POST', `/api/link/${late.code}`, approval)).status).toBe(200)
    await expire(late.code)
    expect(await late.poll()).toEqual({ code: 'expired_token' })
    expect((await show('sue', 'ZZZZ-ZZZZ')).status).toBe(404)
    for (const { client } of [denied, silent, late]) await client.close()
  })

  test('an IP address can have ten open links at a time', async () => {
    await sql`delete from device_link`
    const clients = await Promise.all(
      Array.from({ length: 12 }, () => connectClient(server.url, 'http1')),
    )
    const opened = await Promise.all(clients.map((client) => client.call('login_link')))
    expect(opened.map(({ code }) => code ?? 'opened').sort()).toEqual([
      ...Array(10).fill('opened'),
      'rate_limited',
      'rate_limited',
    ])
    await sql`delete from device_link`
    for (const client of clients) await client.close()
  })
})

describe('login tokens', () => {
  const issue = async (player: Player, account: string): Promise<string> => {
    const issued = await sendAs(account, 'POST', `/api/player/${player.id}/ws-token`)
    const left = Date.parse(String(issued.body.expires_at)) - Date.now()
    expect(left).toBeLessThanOrEqual(5 * 60_000)
    expect(left).toBeGreaterThan(4 * 60_000)
    return String(issued.body.token)
  }

  test('a login token logs in once on every channel, and only POST creates it', async () => {
    const player = await newPlayerOf('uma')
    for (const channel of ['ws1', 'ws2', 'http1', 'http2'] as const) {
      const token = await issue(player, 'uma')
      const client = await connectClient(server.url, channel)
      const command = channel.endsWith('1') ? 'login' : 'login_token'
      expect(await client.call(command, { token })).toMatchObject({
        ok: true,
        result: { player: { username: player.username } },
      })
      await client.close()
      const second = await connectClient(server.url, channel)
      expect(await second.call('login_token', { token })).toMatchObject({ code: 'invalid_token' })
      await second.close()
    }
    const args = { action: 'login_token', token: await issue(player, 'uma') }
    expect(await callMcp(server.url, 'game_auth', args)).toMatchObject({
      player: { username: player.username },
    })
    expect(await callMcp(server.url, 'game_auth', args)).toMatchObject({
      error: { code: 'invalid_token' },
    })
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await sendAs('uma', method, `/api/player/${player.id}/ws-token`)
      expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
      expect(answer.headers.get('allow')).toBe('POST')
    }
  })

  test('a player can log in by token ten times a minute, and a token expires', async () => {
    const player = await newPlayerOf('vic')
    const url = `${server.url}/api/v2/game_auth/login_token`
    // Concurrently: on a slow machine eleven in sequence may take longer than the minute.
    const [token, ...good] = await Promise.all(
      Array.from({ length: 11 }, () => issue(player, 'vic')),
    )
    const answers = await Promise.all(good.map((accepted) => post(url, { token: accepted })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const over = await post(url, { token })
    expect(over).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(Number(over.body.retry_after)).toBeGreaterThan(0)
    // The refused login has not used up its token.
    const unused = await sql`select 1 from login_token join player using (player_id)
      where username = ${player.username}`
    expect(unused).toHaveLength(1)
    const other = await newPlayerOf('vic')
    const late = await issue(other, 'vic')
    await sql`update login_token set expires_at = now() - interval '1 second'`
    expect((await post(url, { token: late })).body.error).toMatchObject({ code: 'invalid_token' })
  })
})

test('with open registration a valid code still links the player to an account', async () => {
  const { registration_code } = (await sendAs('yan', 'GET', '/api/registration-code')).body
  const sent = { ...newPlayer(), registration_code }
  const { result } = (await post(`${server.url}/api/v1/register`, sent)).body
  const own = `/api/player/${(result as Params).player_id}`
  for (const path of [own, `${own}/log`]) {
    expect((await sendAs('yan', 'GET', path)).status).toBe(200)
    expect((await sendAs('zoe', 'GET', path)).status).toBe(403)
  }
})

test('a claim is permanent, and an account has at most fifty players', async () => {
  const player = await newPlayerOf('wim')
  const codeOf = async (account: string) =>
    (await sendAs(account, 'GET', '/api/registration-code')).body.registration_code
  const client = await connectClient(server.url, 'ws2')
  const { username, password } = player
  await client.call('login', { username, password })
  for (const account of ['wim', 'xia']) {
    const registration_code = await codeOf(account)
    const refused = await client.call('claim', { registration_code })
    expect(refused).toMatchObject({ code: 'already_claimed' })
  }
  const old = await codeOf('xia')
  await sendAs('xia', 'POST', '/api/registration-code/rotate')
  await client.call('logout')
  await client.close()
  const fresh = await connectClient(server.url, 'http2')
  await fresh.call('register', newPlayer())
  expect(await fresh.call('claim', { registration_code: old })).toMatchObject({
    code: 'invalid_registration_code',
  })
  await sql`
    insert into player (player_id, number, username, username_key, empire, password_hash,
      account_id, created_at, batch)
    select gen_random_uuid(), 100000 + n, 'Row ' || n, 'row ' || n, 'solarian', '', 'xia', now(), 0
    from generate_series(1, 50) as n`
  const registration_code = await codeOf('xia')
  const refusal = { code: 'limit_reached', details: { limit: 50 } }
  expect(await fresh.call('claim', { registration_code })).toMatchObject(refusal)
  await sql`delete from player where player_id in (
    select player_id from player where account_id = 'xia' limit 1)`
  expect(await fresh.call('claim', { registration_code })).toMatchObject({ ok: true })
  expect((await sendAs('xia', 'GET', '/api/players')).body.players).toHaveLength(50)
  await fresh.close()
})

test('a password reset ends every session, login token and device link of the player', async () => {
  const player = await newPlayerOf('yan')
  const { username, password, id } = player
  const clients: Client[] = []
  for (const channel of ['http1', 'http2', 'mcp'] as const) {
    const client = await connectClient(server.url, channel)
    expect(await client.call('login', { username, password })).toMatchObject({ ok: true })
    clients.push(client)
  }
  const socket = await openSocket(server.url, '/ws/v2')
  await socket.next('welcome')
  const login = { tool: 'game_auth', action: 'login', payload: { username, password } }
  expect(await socket.ask(login)).toMatchObject({ type: 'logged_in' })
  const { token } = (await sendAs('yan', 'POST', `/api/player/${id}/ws-token`)).body
  const agent = await connectClient(server.url, 'http1')
  const { device_code, user_code } = (await agent.call('login_link')).result
  await sendAs('yan', 'POST', '/api/link/approve', { user_code, player_id: id })
  const reset = (await sendAs('yan', 'POST', `/api/player/${id}/reset-password`)).body
  expect(reset).toMatchObject({ username, password: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect((await socket.closed).code).toBe(4001)
  for (const client of clients) {
    expect(await client.call('get_status')).toMatchObject({ ok: false, code: 'session_invalid' })
  }
  const late = await connectClient(server.url, 'http2')
  const codeOf = async (command: string, params: Params) => (await late.call(command, params)).code
  expect(await codeOf('login_token', { token })).toBe('invalid_token')
  expect(await codeOf('login_link_poll', { device_code })).toBe('expired_token')
  expect(await codeOf('login', { username, password })).toBe('invalid_credentials')
  expect(await codeOf('login', { username, password: reset.password })).toBeUndefined()
  expect(await late.call('get_status')).toMatchObject({ ok: true })
  for (const client of [...clients, agent, late]) await client.close()
})
