/**
 * The website endpoints of account holders, with an identity provider of our own on loopback; and
 * what they do to the game: codes, claims, tokens, links, resets.
 */
import { createServer, type Server as HttpServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { issueAccountToken, newIssuerKey } from '../../net/session/issuer.ts'
import { createAccounts } from '../../storage/accounts.ts'
import { connect as connectSql, disconnect } from '../../storage/db.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { type Answer, newName, newPlayer, openSocket, post, request } from './wire.ts'

const AUDIENCE = 'orrery-test'

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

let provider: HttpServer
let issuer: string
let key: Key

async function startProvider(): Promise<void> {
  const pair = await generateKeyPair('RS256')
  key = pair.privateKey
  const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  provider = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as { port: number }
  issuer = `http://127.0.0.1:${port}`
}

beforeAll(startProvider)
afterAll(() => {
  provider.close()
})
const database = useTestDatabase()
const server = useTestServer(database, () => ({
  isSmallMap: true,
  settings: {
    REGISTRATION: 'code',
    AUTH_ISSUER: issuer,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_JWKS_URL: `${issuer}/jwks`,
  },
}))

interface TokenParts {
  readonly sub?: string
  readonly issuer?: string
  readonly audience?: string
  readonly expires?: string
  readonly notBefore?: string
  readonly kid?: string
  readonly key?: Key
}

const tokenOf = (parts: TokenParts = {}): Promise<string> =>
  new SignJWT({ email: `${parts.sub ?? 'ann'}@example.org` })
    .setProtectedHeader({ alg: 'RS256', kid: parts.kid ?? 'one' })
    .setSubject(parts.sub ?? 'ann')
    .setIssuer(parts.issuer ?? issuer)
    .setAudience(parts.audience ?? AUDIENCE)
    .setIssuedAt()
    .setNotBefore(parts.notBefore ?? '0s')
    .setExpirationTime(parts.expires ?? '5m')
    .sign(parts.key ?? key)

/** Asks as an account holder. */
async function web(method: string, path: string, as: string, body?: Params): Promise<Answer> {
  return request(server.url + path, {
    method,
    headers: { authorization: `Bearer ${await tokenOf({ sub: as })}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Registers a new player of an account. */
async function playerOf(
  account: string,
): Promise<{ id: string; username: string; password: string }> {
  const { body } = await web('GET', '/api/registration-code', account)
  const username = newName()
  const made = await post(`${server.url}/api/v1/register`, {
    ...newPlayer(username),
    registration_code: body.registration_code,
  })
  expect(made.status).toBe(200)
  const { player_id, password } = made.body.result as Params
  return { id: String(player_id), username, password: String(password) }
}

test('a bearer token must be right in every part; all else is 401', async () => {
  const at = `${server.url}/api/me`
  const { privateKey } = await generateKeyPair('RS256')
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: 'ann', iss: issuer }))}.`
  const bad = [
    '',
    'Bearer',
    'Bearer nonsense',
    `Basic ${await tokenOf()}`,
    `Bearer ${unsigned}`,
    `Bearer ${await tokenOf({ issuer: 'https://elsewhere.example' })}`,
    `Bearer ${await tokenOf({ audience: 'another' })}`,
    `Bearer ${await tokenOf({ expires: '-1m' })}`,
    `Bearer ${await tokenOf({ notBefore: '1m' })}`,
    `Bearer ${await tokenOf({ kid: 'two' })}`,
    `Bearer ${await tokenOf({ key: privateKey })}`,
  ]
  for (const authorization of bad) {
    const answer = await request(at, { headers: authorization ? { authorization } : {} })
    expect({ authorization, status: answer.status }).toEqual({ authorization, status: 401 })
    expect(answer.body.error).toBe('unauthorized')
  }
  const me = await web('GET', '/api/me', 'ann')
  expect(me).toMatchObject({ status: 200, body: { clerk_id: 'ann', email: 'ann@example.org' } })
  expect(me.body).toHaveProperty('username')
})

test('beside a provider nothing of our own issuer is believed, and it publishes no key', async () => {
  const sql = connectSql(database.connection(server.schema), { name: 'test' })
  const own = await createAccounts(sql).issuerKey(newIssuerKey)
  await disconnect(sql)
  const { token } = await issueAccountToken(own, { account: 'ann', hours: 1 })
  const headers = { authorization: `Bearer ${token}` }
  expect((await request(`${server.url}/api/me`, { headers })).status).toBe(401)
  expect((await request(`${server.url}/.well-known/jwks.json`)).status).toBe(404)
  // A key of the account is no matter of the issuer.
  const { key } = (await web('POST', '/api/auth/create-key', 'ann', {})).body
  const bearer = { authorization: `Bearer ${key}` }
  expect((await request(`${server.url}/api/me`, { headers: bearer })).status).toBe(200)
})

test('newsletter: off, on, and nothing but a boolean', async () => {
  expect((await web('GET', '/api/newsletter', 'ann')).body).toMatchObject({ subscribed: false })
  expect((await web('POST', '/api/newsletter', 'ann', { consent: 'yes' })).status).toBe(400)
  expect((await web('POST', '/api/newsletter', 'ann', { consent: true })).body).toMatchObject({
    subscribed: true,
    status: expect.any(String),
  })
  expect((await web('GET', '/api/newsletter', 'ann')).body).toMatchObject({ subscribed: true })
})

test('a registration code registers until it is rotated, and links the player to the account', async () => {
  const first = (await web('GET', '/api/registration-code', 'bob')).body
  const player = await playerOf('bob')
  const again = (await web('GET', '/api/registration-code', 'bob')).body
  expect(again.registration_code).toBe(first.registration_code)
  expect(again.players).toEqual([
    expect.objectContaining({
      player_id: player.id,
      id: player.id,
      username: player.username,
      claimed_at: expect.any(String),
    }),
  ])
  const rotated = (await web('POST', '/api/registration-code/rotate', 'bob')).body
  expect(rotated.registration_code).not.toBe(first.registration_code)
  const at = `${server.url}/api/v1/register`
  const late = { ...newPlayer(), registration_code: first.registration_code }
  expect((await post(at, late)).body.error).toMatchObject({ code: 'invalid_registration_code' })
  // A refused registration leaves nothing behind: the name is free.
  const fresh = { ...late, registration_code: rotated.registration_code }
  expect((await post(at, fresh)).status).toBe(200)
})

test('claim links once; a wrong code, none, and a second claim are refused by name', async () => {
  const client = await connect(server.url, 'ws2')
  const { registration_code } = (await web('GET', '/api/registration-code', 'cat')).body
  const made = await client.call('register', { ...newPlayer(), registration_code })
  expect(made.ok).toBe(true)
  const refusals: [Params, string][] = [
    [{ registration_code: '' }, 'registration_code_required'],
    [{ registration_code: 'nope' }, 'invalid_registration_code'],
    [{ registration_code }, 'already_claimed'],
  ]
  const socket = await openSocket(server.url, '/ws')
  const { username } = made.result.player as Params
  socket.send({ type: 'login', payload: { username, password: made.result.password } })
  await socket.next('logged_in')
  for (const [payload, code] of refusals)
    expect(await socket.ask({ type: 'claim', payload })).toMatchObject({ payload: { code } })
  await socket.close()
})

test('the owner sees the player; another account is forbidden; an unknown one is 404', async () => {
  const player = await playerOf('dan')
  const own = await web('GET', `/api/player/${player.id}`, 'dan')
  expect(own).toMatchObject({ status: 200, body: { player: { username: player.username } } })
  expect(own.body).toHaveProperty('ship')
  expect((await web('GET', `/api/player/${player.id}/log`, 'dan')).status).toBe(200)
  const nobody = '00000000-0000-4000-8000-000000000000'
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/log'],
    ['POST', '/reset-password'],
    ['POST', '/ws-token'],
  ]) {
    expect((await web(method, `/api/player/${player.id}${path}`, 'eve')).status).toBe(403)
    expect((await web(method, `/api/player/${nobody}${path}`, 'dan')).status).toBe(404)
  }
})

test('a password reset ends every login of the player at once', async () => {
  const player = await playerOf('fay')
  const { username, password } = player
  const socket = await openSocket(server.url, '/ws')
  socket.send({ type: 'login', payload: { username, password } })
  await socket.next('logged_in')
  const login = await post(`${server.url}/api/v2/game_auth/login`, { username, password })
  const session = { 'x-session-id': (login.body.session as { id: string }).id }
  const reset = await web('POST', `/api/player/${player.id}/reset-password`, 'fay')
  expect(reset.body).toMatchObject({
    success: true,
    username,
    password: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await socket.closed).code).toBe(4001)
  expect((await post(`${server.url}/api/v2/game/get_status`, {}, session)).status).toBe(401)
  const at = `${server.url}/api/v1/login`
  expect((await post(at, { username, password })).body.error).toMatchObject({
    code: 'invalid_credentials',
  })
  expect((await post(at, { username, password: reset.body.password })).status).toBe(200)
})

test('a login token works once', async () => {
  const player = await playerOf('gus')
  const given = await web('POST', `/api/player/${player.id}/ws-token`, 'gus')
  expect(given.body).toEqual({ token: expect.any(String), expires_at: expect.any(String) })
  expect((await web('GET', `/api/player/${player.id}/ws-token`, 'gus')).status).toBe(405)
  const frame = {
    tool: 'game_auth',
    action: 'login_token',
    payload: { token: given.body.token },
    request_id: 't',
  }
  const socket = await openSocket(server.url, '/ws/v2')
  await socket.next('welcome')
  expect(await socket.ask(frame)).toMatchObject({ type: 'logged_in', request_id: 't' })
  const second = await openSocket(server.url, '/ws/v2')
  await second.next('welcome')
  expect(await second.ask(frame)).toMatchObject({ payload: { code: 'invalid_token' } })
  await socket.close()
  await second.close()
})

test('device login: the human approves with a player of the account, the agent polls', async () => {
  const player = await playerOf('hal')
  const opened = await post(`${server.url}/api/v1/login_link`)
  expect(opened.body.result).toMatchObject({
    device_code: expect.any(String),
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri: expect.any(String),
    verification_uri_complete: expect.any(String),
    interval: expect.any(Number),
    expires_in: 600,
    instructions: expect.any(String),
  })
  const session = { 'x-session-id': (opened.body.session as { id: string }).id }
  const { device_code, user_code } = opened.body.result as Params
  const poll = (): Promise<Answer> =>
    post(`${server.url}/api/v1/login_link_poll`, { device_code }, session)
  expect((await poll()).body.result).toMatchObject({ status: 'authorization_pending' })
  expect((await web('GET', `/api/link/${user_code}`, 'hal')).body).toMatchObject({ pending: true })
  const approve = (as: string): Promise<Answer> =>
    web('POST', '/api/link/approve', as, { user_code, player_id: player.id })
  expect((await approve('eve')).status).toBe(403)
  expect((await approve('hal')).status).toBe(200)
  expect((await approve('hal')).status).toBe(404)
  const done = await poll()
  expect(done.body.result).toMatchObject({ player_id: player.id, username: player.username })
  expect((await post(`${server.url}/api/v1/get_status`, {}, session)).status).toBe(200)
})
