/** The endpoints of the website: which bearer tokens pass, and what an account owner may do. */
import type { webcrypto } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../../net/ports.ts'
import { type FakeNet, PASSWORD, startFakeNet } from './fake-net.ts'

type CryptoKey = webcrypto.CryptoKey
// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies untyped
type Json = any

const ISSUER = 'http://127.0.0.1/issuer'
let auth: AuthConfig
let key: CryptoKey
let strangerKey: CryptoKey
let publicJwk: Record<string, unknown>

beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  key = pair.privateKey
  publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }
  strangerKey = (await generateKeyPair('RS256')).privateKey
  auth = { issuer: ISSUER, audience: 'orrery', jwks: { keys: [publicJwk] } }
})

const nets: FakeNet[] = []
const startNet = async (config = {}): Promise<FakeNet> => {
  const started = await startFakeNet({ auth, ...config })
  nets.push(started)
  return started
}
afterEach(async () => {
  for (const started of nets.splice(0)) await started.close()
})

interface TokenParts {
  readonly header?: Record<string, unknown>
  readonly claims?: Record<string, unknown>
  readonly key?: CryptoKey | Uint8Array
}

function token(parts: TokenParts = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: ISSUER,
    aud: 'orrery',
    sub: 'acc-1',
    exp: now + 60,
    nbf: now,
    email: 'a@example.org',
    ...parts.claims,
  }
  return new SignJWT(JSON.parse(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...parts.header })
    .sign(parts.key ?? key)
}

async function call(
  port: number,
  path: string,
  bearer: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${bearer}` },
  })
  return { status: response.status, body: await response.json() }
}

const POST = { method: 'POST' }

describe('tokens', () => {
  test('a valid token names its account', async () => {
    const { port } = await startNet()
    expect(await call(port, '/api/me', await token())).toEqual({
      status: 200,
      body: { clerk_id: 'acc-1', email: 'a@example.org', username: null },
    })
  })

  test('azp replaces an absent audience', async () => {
    const { port } = await startNet()
    const bearer = await token({ claims: { aud: undefined, azp: 'orrery' } })
    expect((await call(port, '/api/me', bearer)).status).toBe(200)
  })

  const past = Math.floor(Date.now() / 1000) - 60
  test.each<[string, TokenParts]>([
    ['another issuer', { claims: { iss: 'http://evil' } }],
    ['another audience', { claims: { aud: 'other' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['an expiry in the past', { claims: { exp: past } }],
    ['an nbf in the future', { claims: { nbf: past + 3600 } }],
    ['no expiry', { claims: { exp: undefined } }],
    ['no nbf', { claims: { nbf: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['the id of an unknown key', { header: { kid: 'k2' } }],
    ['a key in its header', { header: { jwk: { kty: 'RSA' } } }],
    ['the URL of a key in its header', { header: { jku: 'http://evil/keys' } }],
    ['the URL of a certificate in its header', { header: { x5u: 'http://evil/cert' } }],
    ['more than 8 KiB', { claims: { padding: 'x'.repeat(9000) } }],
  ])('a token with %s is refused', async (_name, parts) => {
    const { port } = await startNet()
    const { status, body } = await call(port, '/api/me', await token(parts))
    expect([status, body.error]).toEqual([401, 'unauthorized'])
  })

  test('a foreign signature, alg none and HMAC with the public key are refused', async () => {
    const { port } = await startNet()
    const secret = new TextEncoder().encode(JSON.stringify(publicJwk))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [, payload] = (await token()).split('.')
    const bearers = [
      await token({ key: strangerKey }),
      await token({ header: { alg: 'HS256' }, key: secret }),
      `${part({ alg: 'none' })}.${payload}.`,
      'rubbish',
    ]
    for (const bearer of bearers) expect((await call(port, '/api/me', bearer)).status).toBe(401)
  })

  test('without a configured issuer no token is accepted', async () => {
    const { port } = await startNet({ auth: undefined })
    expect((await call(port, '/api/me', await token())).status).toBe(401)
  })

  test('a token is answered with 503 while the key server is down', async () => {
    const away = { issuer: ISSUER, audience: 'orrery', jwksUrl: 'http://127.0.0.1:9/jwks' }
    const { port } = await startNet({ auth: away })
    expect((await call(port, '/api/me', await token())).status).toBe(503)
  })
})

describe('an owner', () => {
  test('reads and rotates the registration code, and lists the players', async () => {
    const { port } = await startNet()
    const { body } = await call(port, '/api/registration-code', await token())
    expect(body.registration_code).toBe('code-1')
    expect(body.players[0]).toEqual({
      id: 'id-1',
      player_id: 'id-1',
      username: 'ada',
      empire: 'solarian',
      hidden: false,
      claimed_at: '1970-01-01T00:00:00.000Z',
    })
    const rotated = await call(port, '/api/registration-code/rotate', await token(), POST)
    expect(rotated.body.registration_code).toBe('code-2')
  })

  test('resets a password, which ends the sessions of the player', async () => {
    const { port, server } = await startNet()
    const login = (password: string) =>
      fetch(`http://127.0.0.1:${port}/api/v1/login`, {
        method: 'POST',
        body: JSON.stringify({ username: 'ada', password }),
      }).then((response) => response.status)
    expect(await login(PASSWORD)).toBe(200)
    const { body } = await call(port, '/api/player/id-1/reset-password', await token(), POST)
    expect(body).toMatchObject({ success: true, username: 'ada' })
    expect(server.net.bindings.players.size).toBe(0)
    expect(await login(PASSWORD)).toBe(400)
    expect(await login(body.password)).toBe(200)
  })

  test('may not use a player of another account', async () => {
    const { port } = await startNet()
    const bearer = await token({ claims: { sub: 'acc-2' } })
    for (const path of ['reset-password', 'ws-token'])
      expect((await call(port, `/api/player/id-1/${path}`, bearer, POST)).status).toBe(403)
    expect((await call(port, '/api/player/id-1', bearer)).status).toBe(403)
    expect((await call(port, '/api/player/none', bearer)).status).toBe(404)
    expect((await call(port, '/api/player/id-1/ws-token', bearer)).status).toBe(405)
  })

  test('reads the status of a player', async () => {
    const { port } = await startNet()
    const { body } = await call(port, '/api/player/id-1', await token())
    expect(body).toMatchObject({ username: 'ada', tick: 0 })
  })

  test('sets the consent to the newsletter by a boolean only', async () => {
    const { port } = await startNet()
    const init = { ...POST, body: '{"consent":"yes"}' }
    expect((await call(port, '/api/newsletter', await token(), init)).status).toBe(400)
    const yes = { ...POST, body: '{"consent":true}' }
    expect((await call(port, '/api/newsletter', await token(), yes)).body.subscribed).toBe(true)
  })

  test('approves a device link for their own player only, and once', async () => {
    const { port, accounts } = await startNet()
    await accounts.openDeviceLink('x')
    const approve = async (player_id: string, sub: string) =>
      (
        await call(port, '/api/link/bcdfghjk', await token({ claims: { sub } }), {
          ...POST,
          body: JSON.stringify({ player_id, approve: true }),
        })
      ).status
    expect((await call(port, '/api/link/BCDF-GHJK', await token())).body.pending).toBe(true)
    expect(await approve('id-1', 'acc-2')).toBe(403)
    expect(await approve('id-1', 'acc-1')).toBe(200)
    expect(await approve('id-1', 'acc-1')).toBe(404)
  })
})
