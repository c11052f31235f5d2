/**
 * What net asks of the other parts of main: accounts and archive reads (storage implements both),
 * settings, a clock and a log. Plain data in, plain data out.
 */
import type { ArchiveRead, KeptFrame, KeptStep } from '../core/archive-calls.ts'
import type { Outcome } from '../core/errors.ts'

/** A player as the account tables know it. */
export interface PlayerAccount {
  readonly playerId: string
  /** The player's number in the world. */
  readonly number: number
  readonly username: string
  readonly empire: string
  /** SHA-256 of the password. */
  readonly passwordHash: Uint8Array
  readonly accountId: string | null
  readonly claimedAt: Date | null
}

/** A website account. */
export interface WebAccount {
  readonly accountId: string
  readonly email: string | null
  readonly username: string | null
  readonly newsletter: boolean
}

type DeviceLinkStatus = 'pending' | 'approved' | 'denied'

interface OpenedDeviceLink {
  readonly deviceCode: string
  readonly userCode: string
  /** Seconds between polls. */
  readonly interval: number
  /** Seconds. */
  readonly expiresIn: number
}

type PolledDeviceLink =
  | { readonly status: 'authorization_pending' | 'slow_down'; readonly interval: number }
  | { readonly status: 'approved'; readonly playerId: string }

/** An API key of an account, without its text. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The last characters of the key. */
  readonly hint: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/**
 * Account rows in SQL, on main's own pool. A database that is away rejects; net answers
 * `persist_timeout`.
 */
export interface AccountsPort {
  findByUsernameKey(usernameKey: string): Promise<PlayerAccount | undefined>
  findByPlayerId(playerId: string): Promise<PlayerAccount | undefined>
  touchLastLogin(playerId: string): Promise<void>
  /**
   * Unused tokens and approved links of the player are dead with the old password. False when there
   * is no such player.
   */
  setPassword(playerId: string, passwordHash: Buffer): Promise<boolean>
  /** The account whose current registration code this is. */
  accountByCode(code: string): Promise<string | undefined>
  /** Once and for all. Refuses: invalid_registration_code, already_claimed, limit_reached. */
  linkPlayer(playerId: string, code: string): Promise<Outcome<{ readonly accountId: string }>>
  /** Finds or makes the account of a token's subject; email and username follow the token. */
  accountOf(
    sub: string,
    known?: { readonly email?: string; readonly username?: string },
  ): Promise<WebAccount>
  setNewsletter(sub: string, subscribed: boolean): Promise<void>
  /** The account's code, made on the first call. */
  registrationCode(sub: string): Promise<string>
  /** A new code; the old one is dead when this resolves. */
  rotateRegistrationCode(sub: string): Promise<string>
  playersOf(sub: string): Promise<
    readonly {
      readonly player_id: string
      readonly username: string
      readonly claimed_at: string | null
    }[]
  >
  /** A token that logs a player in once, for five minutes. */
  issueLoginToken(playerId: string): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Number of the player a token would log in; uses nothing up. */
  playerOfLoginToken(token: string): Promise<number | undefined>
  /** The player of a token, which this uses up. Refuses: invalid_token. */
  redeemLoginToken(token: string): Promise<Outcome<PlayerAccount>>
  /** Refuses: rate_limited when the address has too many open. */
  openDeviceLink(address: string): Promise<Outcome<OpenedDeviceLink>>
  /**
   * Refuses: access_denied, expired_token (also unknown or used). An approved link is used up by
   * it.
   */
  pollDeviceLink(deviceCode: string): Promise<Outcome<PolledDeviceLink>>
  deviceLinkStatus(userCode: string): Promise<DeviceLinkStatus | undefined>
  /** The human's decision; null denies. Refuses: expired_token (also decided before). */
  decideDeviceLink(userCode: string, playerId: string | null): Promise<Outcome<unknown>>
  /** A new key; its text is given out here only. Refuses: limit_reached. */
  createApiKey(sub: string, name: string): Promise<Outcome<ApiKey & { readonly key: string }>>
  apiKeysOf(sub: string): Promise<readonly ApiKey[]>
  /** False when the account has no key of that id. */
  deleteApiKey(sub: string, id: string): Promise<boolean>
  accountByApiKey(key: string): Promise<WebAccount | undefined>
}

/** The archive on main's own pool: the second half of an archive query, and what strangers read. */
export interface ArchivePort {
  read(call: ArchiveRead): Promise<Outcome<unknown>>
  /**
   * Keeps what strangers are shown of a tick; false: another process has. Rejects while the
   * database is away.
   */
  keepFrame?(frame: KeptFrame): Promise<boolean>
  /** Keeps what a tick changed of it; rejects likewise. */
  keepStep?(step: KeptStep): Promise<void>
}

export interface Clock {
  /** Milliseconds since 1970: only for what is shown, and for tokens. */
  wallMs(): number
  /** Milliseconds that no clock change moves: deadlines and windows. */
  monoMs(): number
  /**
   * Processor time of this thread, or of that with these figures (engine/thread-cpu.ts); absent
   * where nobody asks for it.
   */
  cpuMs?(figures?: string): number
}

/** The part of pino that net uses. */
export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** Returns a log whose lines say this too, where they do not say it themselves. */
export const withContext = (log: Log, context: () => object): Log => ({
  debug: (fields, text) => log.debug({ ...context(), ...fields }, text),
  info: (fields, text) => log.info({ ...context(), ...fields }, text),
  warn: (fields, text) => log.warn({ ...context(), ...fields }, text),
  error: (fields, text) => log.error({ ...context(), ...fields }, text),
})

/** Writes a line that another thread handed over, at its level. */
export function logAt(
  log: Log,
  line: { readonly level: string; readonly fields: object; readonly text: string },
): void {
  const { level, fields, text } = line
  if (level === 'error' || level === 'fatal') log.error(fields, text)
  else if (level === 'warn') log.warn(fields, text)
  else if (level === 'debug' || level === 'trace') log.debug(fields, text)
  else log.info(fields, text)
}

export interface NetConfig {
  /** Release of the interface. */
  readonly version: string
  /** Release of this server. */
  readonly release: string
  readonly releaseDate: string
  readonly releaseNotes: readonly string[]
  readonly motd?: string
  readonly gameInfo: string
  readonly website: string
  readonly helpText: string
  readonly terms: string
  /** Off only on loopback: switches the buckets by address off. */
  readonly limits: boolean
  readonly registration: 'open' | 'code'
  readonly trustedProxies: number
  /** `['*']` or exact origins. */
  readonly allowedOrigins: readonly string[]
  readonly allowedHosts: readonly string[]
  /** Ticks that strangers are behind. */
  readonly spectatorDelay: number
  /** False: strangers read nowhere who is where. */
  readonly spectatorNames: boolean
  readonly metricsToken?: string
  readonly auth?: AuthConfig
}

export interface AuthConfig {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl?: string
  /**
   * The server's own public keys, where it is its own issuer; others find them at
   * /.well-known/jwks.json.
   */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] }
  /** Signatures believed; absent: every asymmetric one of RELIABILITY 6. */
  readonly algorithms?: readonly string[]
}

/** Frozen: every server of a process reads this one. */
export const SYSTEM_CLOCK: Clock = Object.freeze({
  wallMs: () => Date.now(),
  monoMs: () => performance.now(),
})
