/**
 * An identity provider on loopback: publishes the keys it is given, counts requests, and fails in
 * every way that a key server can.
 */
import type { webcrypto } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

type Key = webcrypto.CryptoKey

export interface KeyPair {
  readonly kid: string
  readonly alg: string
  readonly publicKey: Key
  readonly privateKey: Key
  readonly jwk: JWK
}

export async function newKey(kid: string, alg = 'RS256'): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return { kid, alg, publicKey, privateKey, jwk }
}

export type Mood = 'well' | 'away' | 'failing' | 'silent' | 'garbled' | 'no keys' | 'redirecting'

export interface KeyServer {
  readonly url: string
  readonly issuer: string
  /** Keys that are published now, at any path. */
  keys: JWK[]
  mood: Mood
  /** Requests so far. */
  requests: number
  close(): Promise<void>
}

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const ANSWERS: Record<Mood, (response: ServerResponse, keys: readonly JWK[]) => void> = {
  well: (response, keys) => json(response, 200, { keys }),
  away: (response) => void response.socket?.destroy(),
  failing: (response) => json(response, 500, { error: 'broken' }),
  silent: () => {},
  garbled: (response) => void response.end('<html>Sign in</html>'),
  'no keys': (response) => json(response, 200, { message: 'moved' }),
  redirecting: (response) => {
    response.writeHead(302, { location: '/elsewhere' })
    response.end()
  },
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })

export async function startKeyServer(keys: readonly KeyPair[]): Promise<KeyServer> {
  const made: KeyServer = {
    url: '',
    issuer: '',
    keys: keys.map(({ jwk }) => jwk),
    mood: 'well',
    requests: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer((_, response) => {
    made.requests += 1
    ANSWERS[made.mood](response, made.keys)
  })
  const issuer = `http://127.0.0.1:${await listen(server)}`
  return Object.assign(made, { issuer, url: `${issuer}/jwks` })
}

export interface TokenParts {
  readonly header?: Readonly<Record<string, unknown>>
  /** Claims to replace; undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly signer?: Key | Uint8Array
}

export const nowS = (): number => Math.floor(Date.now() / 1000)

/** Returns the claims of a valid token. */
export const claimsOf = (issuer: string, audience: string): Record<string, unknown> => ({
  iss: issuer,
  aud: audience,
  sub: 'ann',
  email: 'ann@example.org',
  nbf: nowS(),
  exp: nowS() + 60,
})

/** Signs a token of the claims with the key, unless the parts say otherwise. */
export function signed(
  claims: Record<string, unknown>,
  key: KeyPair,
  parts: TokenParts = {},
): Promise<string> {
  const payload = JSON.parse(JSON.stringify({ ...claims, ...parts.claims }))
  return new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...parts.header })
    .sign(parts.signer ?? key.privateKey, { crit: { 'urn:unknown': true } })
}
