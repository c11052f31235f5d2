/**
 * Verifies the bearer tokens of the website endpoints. Algorithms are pinned here, never taken from
 * the token; keys come only from the configured set. Source: RELIABILITY 6, JWT.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import type { AuthConfig } from '../ports.ts'

const TOKEN_CHARACTERS_MAX = 8 * 1024
const TOLERANCE_SECONDS = 5
const FETCH_MS = 5_000
const CACHE_MS = 600_000
/** Minimum time between fetches while the keys are fresh: a token may name an unknown key. */
const COOLDOWN_MS = 30_000
/** Minimum time between fetches while there are no fresh keys: the provider may be back. */
const RETRY_MS = 5_000
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']
/** Headers that would let a token bring or point to its own key. */
const KEY_HEADERS = ['jwk', 'jku', 'x5u', 'x5c']
const REQUIRED = ['iss', 'sub', 'exp', 'nbf'] as const
/** Errors of a token that names no key of the set, as opposed to errors of the key server. */
const TOKEN_ERRORS = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
]

interface Caller {
  readonly accountId: string
  readonly email: string
  readonly username: string
}

type Verified = Caller | 'unauthorized' | 'unavailable'

export interface TokenVerifier {
  /**
   * Verifies a header. Resolves with `unavailable` while the key server does not answer and no
   * cached key fits.
   */
  verify(authorization: string): Promise<Verified>
}

/** Thrown if the key server provides no keys, or failed to a moment ago. */
class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

/** Called with the error of each failed attempt to fetch keys. */
type OnFetchError = (error: unknown) => void

/**
 * Returns the keys of a provider. The library waits only after a successful fetch; without the wait
 * here, each token with an unknown key would cause a fetch while the key server is down.
 */
function remoteKeys(url: string, onFetchError: OnFetchError): JWTVerifyGetKey {
  let attemptMs = Number.NEGATIVE_INFINITY
  const keys: ReturnType<typeof createRemoteJWKSet> = createRemoteJWKSet(new URL(url), {
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: FETCH_MS,
    cacheMaxAge: CACHE_MS,
    [customFetch]: (address, options) => {
      // abs: even if the clock was set back, the next fetch must not be far off.
      const sinceMs = Math.abs(Date.now() - attemptMs)
      if (sinceMs < (keys.fresh ? COOLDOWN_MS : RETRY_MS)) throw new KeysUnavailable('too soon')
      attemptMs = Date.now()
      return fetch(address, options)
    },
  })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (TOKEN_ERRORS.some((kind) => error instanceof kind)) throw error
      if (!(error instanceof KeysUnavailable)) onFetchError(error)
      throw new KeysUnavailable('no keys', { cause: error })
    }
  }
}

function keysOf(auth: AuthConfig, onFetchError: OnFetchError): JWTVerifyGetKey | undefined {
  if (auth.jwks) return createLocalJWKSet(auth.jwks as unknown as JSONWebKeySet)
  return auth.jwksUrl ? remoteKeys(auth.jwksUrl, onFetchError) : undefined
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function callerOf(payload: JWTPayload): Caller | 'unauthorized' {
  if (!payload.sub) return 'unauthorized'
  const username = text(payload.username) || text(payload.preferred_username) || text(payload.name)
  return { accountId: payload.sub, email: text(payload.email), username }
}

function isForUs(payload: JWTPayload, audience: string): boolean {
  const { aud, azp } = payload
  if (aud === undefined) return azp === audience
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience
}

async function verifyToken(
  token: string,
  auth: AuthConfig,
  keys: JWTVerifyGetKey,
): Promise<Verified> {
  try {
    const header = decodeProtectedHeader(token)
    if (KEY_HEADERS.some((name) => name in header)) return 'unauthorized'
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [...(auth.algorithms ?? ALGORITHMS)],
      issuer: auth.issuer,
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: [...REQUIRED],
    })
    return isForUs(payload, auth.audience) ? callerOf(payload) : 'unauthorized'
  } catch (error) {
    return error instanceof KeysUnavailable ? 'unavailable' : 'unauthorized'
  }
}

/** Returns the token of a header `Bearer <token>`; undefined for any other header. */
export const bearerOf = (authorization: string): string | undefined =>
  /^Bearer ([\w.~+/=-]+)$/i.exec(authorization)?.[1]

/** Creates the verifier; without `auth` it accepts no token. */
export function createVerifier(
  auth: AuthConfig | undefined,
  onFetchError: OnFetchError = () => {},
): TokenVerifier {
  const keys = auth && keysOf(auth, onFetchError)
  return {
    verify: async (authorization) => {
      const token = bearerOf(authorization)
      if (!auth || !keys || !token || token.length > TOKEN_CHARACTERS_MAX) return 'unauthorized'
      return verifyToken(token, auth, keys)
    },
  }
}
