/**
 * The website endpoints of account holders, with a test identity provider on loopback, and their
 * effects on the game: codes, claims, tokens, links, password resets.
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

/** Sends a request with the token of an account holder. */
async function sendAs(
  method: string,
  path: string,
  account: string,
  body?: Params,
): Promise<Answer> {
  return request(server.url + path, {
    method,
    headers: { authorization: `Bearer ${await tokenOf({ sub: account })}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Registers a new player of an account. */
async function registerPlayer(
  account: string,
): Promise<{ id: string; username: string; password: string }> {
  const { body } = await sendAs('GET', '/api/registration-code', account)
  const username = newName()
  const registered = await post(`${server.url}/api/v1/register`, {
    ...newPlayer(username),
    registration_code: body.registration_code,
  })
  expect(registered.status).toBe(200)
  const { player_id, password } = registered.body.result as Params
  return { id: String(player_id), username, password: String(password) }
}

test('a bearer token of which any part is wrong is 401', async () => {
  const address = `${server.url}/api/me`
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
    const answer = await request(address, { headers: authorization ? { authorization } : {} })
    expect({ authorization, status: answer.status }).toEqual({ authorization, status: 401 })
    expect(answer.body.error).toBe('unauthorized')
  }
  const me = await sendAs('GET', '/api/me', 'ann')
  expect(me).toMatchObject({ status: 200, body: { clerk_id: 'ann', email: 'ann@example.org' } })
  expect(me.body).toHaveProperty('username')
})

test('a server with a provider refuses tokens of its own issuer and publishes no key', async () => {
  const sql = connectSql(database.connection(server.schema), { name: 'test' })
  const own = await createAccounts(sql).issuerKey(newIssuerKey)
  await disconnect(sql)
  const { token } = await issueAccountToken(own, { account: 'ann', hours: 1 })
  const headers = { authorization: `Bearer ${token}` }
  expect((await request(`${server.url}/api/me`, { headers })).status).toBe(401)
  expect((await request(`${server.url}/.well-known/jwks.json`)).status).toBe(404)
  // API keys do not depend on the issuer.
  const { key } = (await sendAs('POST', '/api/auth/create-key', 'ann', {})).body
  const bearer = { authorization: `Bearer ${key}` }
  expect((await request(`${server.url}/api/me`, { headers: bearer })).status).toBe(200)
})

test('the newsletter is off by default and takes only a boolean', async () => {
  expect((await sendAs('GET', '/api/newsletter', 'ann')).body).toMatchObject({ subscribed: false })
  expect((await sendAs('POST', '/api/newsletter', 'ann', { consent: 'yes' })).status).toBe(400)
  expect((await sendAs('POST', '/api/newsletter', 'ann', { consent: true })).body).toMatchObject({
    subscribed: true,
    status: expect.any(String),
  })
  expect((await sendAs('GET', '/api/newsletter', 'ann')).body).toMatchObject({ subscribed: true })
})

test('a registration code links new players to its account until it is rotated', async () => {
  const first = (await sendAs('GET', '/api/registration-code', 'bob')).body
  const player = await registerPlayer('bob')
  const second = (await sendAs('GET', '/api/registration-code', 'bob')).body
  expect(second.registration_code).toBe(first.registration_code)
  expect(second.players).toEqual([
    expect.objectContaining({
      player_id: player.id,
      id: player.id,
      username: player.username,
      claimed_at: expect.any(String),
    }),
  ])
  const rotated = (await sendAs('POST', '/api/registration-code/rotate', 'bob')).body
  expect(rotated.registration_code).not.toBe(first.registration_code)
  const address = `${server.url}/api/v1/register`
  const late = { ...newPlayer(), registration_code: first.registration_code }
  const refused = await post(address, late)
  expect(refused.body.error).toMatchObject({ code: 'invalid_registration_code' })
  // A refused registration leaves the name free.
  const fresh = { ...late, registration_code: rotated.registration_code }
  expect((await post(address, fresh)).status).toBe(200)
})

test('claim refuses a missing code, a wrong code and a second claim with their codes', async () => {
  const client = await connect(server.url, 'ws2')
  const { registration_code } = (await sendAs('GET', '/api/registration-code', 'cat')).body
  const registered = await client.call('register', { ...newPlayer(), registration_code })
  expect(registered.ok).toBe(true)
  const refusals: [Params, string][] = [
    [{ registration_code: '' }, 'registration_code_required'],
    [{ registration_code: 'nope' }, 'invalid_registration_code'],
    [{ registration_code }, 'already_claimed'],
  ]
  const socket = await openSocket(server.url, '/ws')
  const { username } = registered.result.player as Params
  socket.send({ type: 'login', payload: { username, password: registered.result.password } })
  await socket.next('logged_in')
  for (const [payload, code] of refusals)
    expect(await socket.ask({ type: 'claim', payload })).toMatchObject({ payload: { code } })
  await socket.close()
})

test('a player is visible to their account, forbidden to others and 404 if unknown', async () => {
  const player = await registerPlayer('dan')
  const own = await sendAs('GET', `/api/player/${player.id}`, 'dan')
  expect(own).toMatchObject({ status: 200, body: { player: { username: player.username } } })
  expect(own.body).toHaveProperty('ship')
  expect((await sendAs('GET', `/api/player/${player.id}/log`, 'dan')).status).toBe(200)
  const nobody = '00000000-0000-4000-8000-000000000000'
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/log'],
    ['POST', '/reset-password'],
    ['POST', '/ws-token'],
  ]) {
    expect((await sendAs(method, `/api/player/${player.id}${path}`, 'eve')).status).toBe(403)
    expect((await sendAs(method, `/api/player/${nobody}${path}`, 'dan')).status).toBe(404)
  }
})

test('a password reset ends every login of the player at once', async () => {
  const player = await registerPlayer('fay')
  const { username, password } = player
  const socket = await openSocket(server.url, '/ws')
  socket.send({ type: 'login', payload: { username, password } })
  await socket.next('logged_in')
  const login = await post(`${server.url}/api/v2/game_auth/login`, { username, password })
  const session = { 'x-session-id': (login.body.session as { id: string }).id }
  const reset = await sendAs('POST', `/api/player/${player.id}/reset-password`, 'fay')
  expect(reset.body).toMatchObject({
    success: true,
    username,
    password: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await socket.closed).code).toBe(4001)
  expect((await post(`${server.url}/api/v2/game/get_status`, {}, session)).status).toBe(401)
  const address = `${server.url}/api/v1/login`
  expect((await post(address, { username, password })).body.error).toMatchObject({
    code: 'invalid_credentials',
  })
  expect((await post(address, { username, password: reset.body.password })).status).toBe(200)
})

test('a login token works once', async () => {
  const player = await registerPlayer('gus')
  const given = await sendAs('POST', `/api/player/${player.id}/ws-token`, 'gus')
  expect(given.body).toEqual({ token: expect.any(String), expires_at: expect.any(String) })
  expect((await sendAs('GET', `/api/player/${player.id}/ws-token`, 'gus')).status).toBe(405)
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

test('a device login completes once the account approves it with one of its players', async () => {
  const player = await registerPlayer('hal')
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
  const link = await sendAs('GET', `/api/link/${user_code}`, 'hal')
  expect(link.body).toMatchObject({ pending: true })
  const approve = (account: string): Promise<Answer> =>
    sendAs('POST', '/api/link/approve', account, { user_code, player_id: player.id })
  expect((await approve('eve')).status).toBe(403)
  expect((await approve('hal')).status).toBe(200)
  expect((await approve('hal')).status).toBe(404)
  const done = await poll()
  expect(done.body.result).toMatchObject({ player_id: player.id, username: player.username })
  expect((await post(`${server.url}/api/v1/get_status`, {}, session)).status).toBe(200)
})
