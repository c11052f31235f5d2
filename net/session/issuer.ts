/**
 * The server's own issuer of account tokens, used if no identity provider is configured: for
 * self-hosting and tests. It is stateless; its key pair is in the account tables. Source:
 * accounts.md 5.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import type { AuthConfig } from '../ports.ts'

/** The algorithm that signs the server's own tokens. */
const ALGORITHM = 'ES256'
const ISSUER = 'urn:orrery:local'
const AUDIENCE = 'orrery'
const SECONDS_PER_HOUR = 3_600

/** A key pair as JSON Web Keys. */
interface IssuerKey {
  readonly kid: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly privateJwk: Readonly<Record<string, unknown>>
}

/** Creates a key pair, which the caller stores. */
export async function newIssuerKey(): Promise<IssuerKey> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const bare = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(bare)
  const publicJwk = { ...bare, kid, alg: ALGORITHM, use: 'sig' }
  return { kid, publicJwk, privateJwk: await exportJWK(pair.privateKey) }
}

/** Returns the settings with which a server that is its own issuer verifies tokens. */
export const localAuth = ({ publicJwk }: Pick<IssuerKey, 'publicJwk'>): AuthConfig => ({
  issuer: ISSUER,
  audience: AUDIENCE,
  jwks: { keys: [publicJwk] },
  algorithms: [ALGORITHM],
})

interface TokenRequest {
  /** The account's id, subject of the token. */
  readonly account: string
  readonly email?: string
  readonly username?: string
  readonly hours: number
}

/** Issues a bearer token for an account. */
export async function issueAccountToken(
  { kid, privateJwk }: Pick<IssuerKey, 'kid' | 'privateJwk'>,
  request: TokenRequest,
): Promise<{ token: string; expiresAt: Date }> {
  const { account, hours, email, username } = request
  const nowS = Math.floor(Date.now() / 1000)
  const expiresS = nowS + hours * SECONDS_PER_HOUR
  const claims = { ...(email ? { email } : {}), ...(username ? { username } : {}) }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(account)
    .setIssuedAt(nowS)
    .setNotBefore(nowS)
    .setExpirationTime(expiresS)
    .sign(await importJWK({ ...privateJwk }, ALGORITHM))
  return { token, expiresAt: new Date(expiresS * 1000) }
}
