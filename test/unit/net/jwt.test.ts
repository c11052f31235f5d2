/**
 * Forged bearer tokens and changing keys: an identity provider on loopback serves its keys, and the
 * tokens are sent over HTTP. Covers every sentence of RELIABILITY 6, JWT.
 */
import { createSign, generateKeyPairSync, webcrypto } from 'node:crypto'
import { exportPKCS8, exportSPKI, type JWK } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  claimsOf,
  type KeyPair,
  type KeyServer,
  type Mood,
  newKey,
  nowS,
  signed,
  startKeyServer,
  type TokenParts,
} from '../../key-server.ts'
import { type FakeNet, startFakeNet } from './fake-net.ts'

const AUDIENCE = 'orrery'
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

let firstKey: KeyPair
let secondKey: KeyPair
/** Has the id of the first key, but other key material. */
let forgedKey: KeyPair
beforeAll(async () => {
  firstKey = await newKey('one')
  secondKey = await newKey('two')
  forgedKey = await newKey('one')
})

let provider: KeyServer
let net: FakeNet
beforeEach(async () => {
  // Only the date is faked: sockets keep their real timers.
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(1_800_000_000_000)
  provider = await startKeyServer([firstKey])
  const auth = { issuer: provider.issuer, audience: AUDIENCE, jwksUrl: provider.url }
  net = await startFakeNet({ auth, limits: false })
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await net.close()
  await provider.close()
})

const advance = (ms: number): void => void vi.setSystemTime(Date.now() + ms)
const tokenOf = (parts?: TokenParts, key = firstKey): Promise<string> =>
  signed(claimsOf(provider.issuer, AUDIENCE), key, parts)

async function statusOf(bearer: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${net.port}/api/me`, {
    headers: { authorization: `Bearer ${bearer}` },
  })
  await response.arrayBuffer()
  return response.status
}

const statusWith = async (parts?: TokenParts, key = firstKey): Promise<number> =>
  statusOf(await tokenOf(parts, key))

const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Assembles a token by hand. */
const rawToken = (header: object, claims: object, signature = ''): string =>
  `${segment(header)}.${segment(claims)}.${signature}`

async function hmac(secret: Uint8Array, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await webcrypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const bytes = await webcrypto.subtle.sign('HMAC', key, Buffer.from(text))
  return Buffer.from(bytes).toString('base64url')
}

describe('algorithms', () => {
  const algorithms = ['RS256', 'PS384', 'ES256', 'ES384', 'EdDSA']
  test.each(algorithms)('a token signed with %s is accepted', async (alg) => {
    const key = await newKey('other', alg)
    provider.keys = [firstKey.jwk, key.jwk]
    expect(await statusWith({}, key)).toBe(200)
  })

  test('none is refused in every spelling, with and without a signature', async () => {
    const [, , signature] = (await tokenOf()).split('.')
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', undefined, null, 1]) {
      const header = { alg, kid: 'one' }
      const claims = claimsOf(provider.issuer, AUDIENCE)
      expect(await statusOf(rawToken(header, claims))).toBe(401)
      expect(await statusOf(rawToken(header, claims, signature))).toBe(401)
    }
  })

  test('HMAC with the public key as its secret is refused', async () => {
    const pem = await exportSPKI(firstKey.publicKey)
    const secrets = [pem, pem.trim(), JSON.stringify(firstKey.jwk), String(firstKey.jwk.n)]
    for (const secret of secrets) {
      const text = rawToken({ alg: 'HS256', kid: 'one' }, claimsOf(provider.issuer, AUDIENCE))
      const head = text.slice(0, -1)
      const signature = await hmac(Buffer.from(secret), head)
      expect(await statusOf(`${head}.${signature}`)).toBe(401)
    }
  })

  test('an algorithm other than that of the published key is refused', async () => {
    const pem = await exportPKCS8(firstKey.privateKey)
    const hash = { name: 'RSA-PSS', hash: 'SHA-256' }
    const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
    const signer = await webcrypto.subtle.importKey('pkcs8', der, hash, false, ['sign'])
    expect(await statusWith({ header: { alg: 'PS256' }, signer })).toBe(401)
    expect(await statusWith()).toBe(200)
  })

  test('RSA keys of less than 2,048 bits are refused', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 })
    const jwk = { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' } as JWK
    provider.keys = [firstKey.jwk, jwk]
    const text = rawToken({ alg: 'RS256', kid: 'weak' }, claimsOf(provider.issuer, AUDIENCE))
    const head = text.slice(0, -1)
    const signature = createSign('RSA-SHA256').update(head).sign(weak.privateKey, 'base64url')
    expect(await statusOf(`${head}.${signature}`)).toBe(401)
    expect(await statusWith()).toBe(200)
  })
})

describe('keys and extensions in the header of a token', () => {
  test('jwk, jku, x5u and x5c are refused, and no address in them is fetched', async () => {
    const mirror = await startKeyServer([forgedKey])
    const cert = Buffer.from('certificate').toString('base64')
    const headers = [
      { jwk: forgedKey.jwk },
      { jwk: forgedKey.jwk, kid: undefined },
      { jku: mirror.url },
      { x5u: mirror.url },
      { x5c: [cert] },
    ]
    for (const header of headers) {
      expect(await statusWith({ header }, forgedKey)).toBe(401)
      // They are refused even if the signature is right.
      expect(await statusWith({ header })).toBe(401)
    }
    expect(mirror.requests).toBe(0)
    await mirror.close()
    expect(await statusWith()).toBe(200)
  })

  test('an unknown extension is refused only if crit names it', async () => {
    const header = { crit: ['urn:unknown'], 'urn:unknown': true }
    expect(await statusWith({ header })).toBe(401)
    expect(await statusWith({ header: { 'urn:unknown': true } })).toBe(200)
  })
})

describe('claims', () => {
  const refusals: [string, Record<string, unknown>][] = [
    ['no issuer', { iss: undefined }],
    ['another issuer', { iss: 'http://127.0.0.1/other' }],
    ['an issuer in a list', { iss: ['http://127.0.0.1/other'] }],
    ['no audience', { aud: undefined }],
    ['another audience', { aud: 'other' }],
    ['other audiences', { aud: ['other', 'another'] }],
    ['a longer audience', { aud: `${AUDIENCE}2` }],
    ['another azp in place of an audience', { aud: undefined, azp: 'other' }],
    ['another audience but our azp', { aud: 'other', azp: AUDIENCE }],
    ['no exp', { exp: undefined }],
    ['an exp in words', { exp: 'tomorrow' }],
    ['no nbf', { nbf: undefined }],
    ['an nbf in words', { nbf: 'now' }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['more than 8 KiB', { padding: 'x'.repeat(8 * 1_024) }],
  ]
  test.each(refusals)('a token with %s is refused', async (_, claims) => {
    expect(await statusWith({ claims })).toBe(401)
  })

  test('azp replaces an absent audience, and one of several audiences is enough', async () => {
    expect(await statusWith({ claims: { aud: undefined, azp: AUDIENCE } })).toBe(200)
    expect(await statusWith({ claims: { aud: ['other', AUDIENCE] } })).toBe(200)
    expect(await statusWith({ claims: { padding: 'x'.repeat(4 * 1_024) } })).toBe(200)
  })

  test('clocks may differ by 5 s and no more', async () => {
    expect(await statusWith({ claims: { exp: nowS() - 4 } })).toBe(200)
    expect(await statusWith({ claims: { exp: nowS() - 6 } })).toBe(401)
    expect(await statusWith({ claims: { nbf: nowS() + 4 } })).toBe(200)
    expect(await statusWith({ claims: { nbf: nowS() + 6 } })).toBe(401)
  })

  test('a changed payload, a bad signature and text that is no token are refused', async () => {
    const [header, , signature] = (await tokenOf()).split('.')
    const other = segment({ ...claimsOf(provider.issuer, AUDIENCE), sub: 'eve' })
    const bad = [`${header}.${other}.${signature}`, `${header}.${other}.`, 'rubbish', 'a.b.c']
    for (const bearer of bad) expect(await statusOf(bearer)).toBe(401)
    expect(await statusWith({}, forgedKey)).toBe(401)
  })
})

describe('keys', () => {
  test('keys are fetched for unknown ids at most once in 30 s', async () => {
    expect(await statusWith()).toBe(200)
    expect(provider.requests).toBe(1)
    for (let i = 0; i < 5; i++) expect(await statusWith({ header: { kid: `${i}` } })).toBe(401)
    expect(provider.requests).toBe(1)
    advance(31 * SECOND_MS)
    const many = Array.from({ length: 8 }, (_, i) => statusWith({ header: { kid: `x${i}` } }))
    expect(await Promise.all(many)).toEqual(many.map(() => 401))
    expect(provider.requests).toBe(2)
    advance(29 * SECOND_MS)
    expect(await statusWith({ header: { kid: 'y' } })).toBe(401)
    expect(provider.requests).toBe(2)
  })

  test('a new key replaces the old one with the next fetch', async () => {
    expect(await statusWith()).toBe(200)
    provider.keys = [secondKey.jwk]
    expect(await statusWith({}, secondKey)).toBe(401)
    advance(31 * SECOND_MS)
    expect(await statusWith({}, secondKey)).toBe(200)
    expect(await statusWith()).toBe(401)
    expect(provider.requests).toBe(2)
  })

  test('are kept for ten minutes', async () => {
    expect(await statusWith()).toBe(200)
    advance(10 * MINUTE_MS - SECOND_MS)
    expect(await statusWith()).toBe(200)
    expect(provider.requests).toBe(1)
    advance(2 * SECOND_MS)
    expect(await statusWith()).toBe(200)
    expect(provider.requests).toBe(2)
  })

  const moods: Mood[] = ['away', 'failing', 'garbled', 'no keys', 'redirecting']
  test.each(moods)('with the key server %s, kept keys serve only until stale', async (mood) => {
    expect(await statusWith()).toBe(200)
    provider.mood = mood
    advance(10 * MINUTE_MS - SECOND_MS)
    expect(await statusWith()).toBe(200)
    advance(2 * SECOND_MS)
    expect(await statusWith()).toBe(503)
    expect(await statusWith({}, forgedKey)).toBe(503)
    provider.mood = 'well'
    advance(6 * SECOND_MS)
    expect(await statusWith()).toBe(200)
    expect(await statusWith({}, forgedKey)).toBe(401)
  })

  test('a key server that is down is not asked again for each token', async () => {
    expect(await statusWith()).toBe(200)
    provider.mood = 'failing'
    advance(31 * SECOND_MS)
    for (let i = 0; i < 5; i++) expect(await statusWith({ header: { kid: `${i}` } })).toBe(503)
    expect(provider.requests).toBe(2)
    expect(await statusWith()).toBe(200)
    advance(20 * MINUTE_MS)
    for (let i = 0; i < 5; i++) expect(await statusWith()).toBe(503)
    expect(provider.requests).toBe(3)
    advance(6 * SECOND_MS)
    expect(await statusWith()).toBe(503)
    expect(provider.requests).toBe(4)
    expect(net.lines.filter((line) => line.includes('gives no keys'))).toHaveLength(3)
  })

  test('a fetch of keys ends after 5 s', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
    provider.mood = 'silent'
    expect(await statusWith()).toBe(503)
    expect(timeouts.mock.calls).toEqual([[5_000]])
  })
})
