/**
 * Bearer tokens of the website endpoints. Algorithms are pinned here, never taken from the token;
 * keys come from the configured set alone. Source: RELIABILITY 6, JWT.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import type { AuthConfig } from './ports.ts'

const TOKEN_CHARACTERS_MAX = 8 * 1024
const TOLERANCE_SECONDS = 5
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']
/** Headers that would let a token bring or point to its own key. */
const KEY_HEADERS = ['jwk', 'jku', 'x5u', 'x5c']
const REQUIRED = ['iss', 'sub', 'exp', 'nbf'] as const

export interface Caller {
  readonly accountId: string
  readonly email: string
  readonly username: string
}

export type Verified = Caller | 'unauthorized' | 'unavailable'

export interface TokenVerifier {
  /** `unavailable`: the key server is away and no cached key serves. */
  verify(authorization: string): Promise<Verified>
}

function keysOf(auth: AuthConfig): JWTVerifyGetKey | undefined {
  if (auth.jwks) return createLocalJWKSet(auth.jwks as unknown as JSONWebKeySet)
  if (!auth.jwksUrl) return undefined
  return createRemoteJWKSet(new URL(auth.jwksUrl), {
    cooldownDuration: 30_000,
    timeoutDuration: 5_000,
    cacheMaxAge: 600_000,
  })
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
      algorithms: ALGORITHMS,
      issuer: auth.issuer,
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: [...REQUIRED],
    })
    return isForUs(payload, auth.audience) ? callerOf(payload) : 'unauthorized'
  } catch (error) {
    const isTheirs =
      error instanceof errors.JOSEError &&
      !(error instanceof errors.JWKSTimeout) &&
      error.code !== 'ERR_JOSE_GENERIC'
    // A token that does not decode throws a TypeError; a key server that is away, a fetch error.
    if (isTheirs) return 'unauthorized'
    return error instanceof TypeError && !('cause' in error) ? 'unauthorized' : 'unavailable'
  }
}

export function createVerifier(auth: AuthConfig | undefined): TokenVerifier {
  const keys = auth && keysOf(auth)
  return {
    verify: async (authorization) => {
      const token = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization)?.[1]
      if (!auth || !keys || !token || token.length > TOKEN_CHARACTERS_MAX) return 'unauthorized'
      return verifyToken(token, auth, keys)
    },
  }
}
