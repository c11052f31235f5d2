/**
 * Interfaces that net requires from other parts of main: accounts and archive reads (implemented by
 * storage), settings, a clock and a log. Plain data in, plain data out.
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
 * Account rows in SQL, on main's own pool. Calls reject while the database is away; net then
 * answers `persist_timeout`.
 */
export interface AccountsPort {
  findByUsernameKey(usernameKey: string): Promise<PlayerAccount | undefined>
  findByPlayerId(playerId: string): Promise<PlayerAccount | undefined>
  touchLastLogin(playerId: string): Promise<void>
  /**
   * Sets the password and revokes unused tokens and approved links of the player. Resolves with
   * false if there is no such player.
   */
  setPassword(playerId: string, passwordHash: Buffer): Promise<boolean>
  /** Returns the account with this current registration code. */
  accountByCode(code: string): Promise<string | undefined>
  /**
   * Links a player to the account of a code, permanently. Refuses: invalid_registration_code,
   * already_claimed, limit_reached.
   */
  linkPlayer(playerId: string, code: string): Promise<Outcome<{ readonly accountId: string }>>
  /**
   * Finds or creates the account of a token's subject, and updates email and username from the
   * token.
   */
  accountOf(
    sub: string,
    known?: { readonly email?: string; readonly username?: string },
  ): Promise<WebAccount>
  setNewsletter(sub: string, subscribed: boolean): Promise<void>
  /** Returns the code of an account; created at the first call. */
  registrationCode(sub: string): Promise<string>
  /** Creates a new code; the old one is invalid once this resolves. */
  rotateRegistrationCode(sub: string): Promise<string>
  playersOf(sub: string): Promise<
    readonly {
      readonly player_id: string
      readonly username: string
      readonly claimed_at: string | null
    }[]
  >
  /** Issues a token that logs a player in once within five minutes. */
  issueLoginToken(playerId: string): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Returns the number of the player whom a token would log in, without using it up. */
  playerOfLoginToken(token: string): Promise<number | undefined>
  /** Returns the player of a token and uses it up. Refuses: invalid_token. */
  redeemLoginToken(token: string): Promise<Outcome<PlayerAccount>>
  /** Opens a device link. Refuses: rate_limited if the address has too many open ones. */
  openDeviceLink(address: string): Promise<Outcome<OpenedDeviceLink>>
  /**
   * Polls a device link and uses it up if it is approved. Refuses: access_denied, expired_token
   * (also if unknown or used).
   */
  pollDeviceLink(deviceCode: string): Promise<Outcome<PolledDeviceLink>>
  deviceLinkStatus(userCode: string): Promise<DeviceLinkStatus | undefined>
  /** Records the human's decision; null denies. Refuses: expired_token (also if decided before). */
  decideDeviceLink(userCode: string, playerId: string | null): Promise<Outcome<unknown>>
  /** Creates a key; its text is returned only here. Refuses: limit_reached. */
  createApiKey(sub: string, name: string): Promise<Outcome<ApiKey & { readonly key: string }>>
  apiKeysOf(sub: string): Promise<readonly ApiKey[]>
  /** Resolves with false if the account has no key with that id. */
  deleteApiKey(sub: string, id: string): Promise<boolean>
  accountByApiKey(key: string): Promise<WebAccount | undefined>
}

/** The archive on main's own pool: the second half of an archive query, and public reads. */
export interface ArchivePort {
  read(call: ArchiveRead): Promise<Outcome<unknown>>
  /**
   * Stores the public frame of a tick; resolves with false if another process already has. Rejects
   * while the database is away.
   */
  keepFrame?(frame: KeptFrame): Promise<boolean>
  /** Stores the changes of a tick; rejects likewise. */
  keepStep?(step: KeptStep): Promise<void>
}

export interface Clock {
  /** Milliseconds since 1970: only for display and for tokens. */
  wallMs(): number
  /** Milliseconds of a monotonic clock: for deadlines and windows. */
  monoMs(): number
  /**
   * Returns the CPU time of this thread, or of the thread with these figures
   * (engine/thread-cpu.ts); absent where it is not needed.
   */
  cpuMs?(figures?: string): number
  /** Returns how long the thread of this number has waited for a processor; absent in tests. */
  waitedMs?(thread: number): number
}

/** The part of pino that net uses. */
export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** Returns a log that adds these fields to every line that does not set them itself. */
export const withContext = (log: Log, context: () => object): Log => ({
  debug: (fields, text) => log.debug({ ...context(), ...fields }, text),
  info: (fields, text) => log.info({ ...context(), ...fields }, text),
  warn: (fields, text) => log.warn({ ...context(), ...fields }, text),
  error: (fields, text) => log.error({ ...context(), ...fields }, text),
})

/** Writes a log line of another thread at its level. */
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
  /** False only on loopback: disables the rate limits by address. */
  readonly limits: boolean
  readonly registration: 'open' | 'code'
  readonly trustedProxies: number
  /** `['*']` or exact origins. */
  readonly allowedOrigins: readonly string[]
  readonly allowedHosts: readonly string[]
  /** Ticks by which public data is delayed. */
  readonly spectatorDelay: number
  /** False: public data has no names. */
  readonly spectatorNames: boolean
  readonly metricsToken?: string
  readonly auth?: AuthConfig
}

export interface AuthConfig {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl?: string
  /** The server's own public keys if it is its own issuer; published at /.well-known/jwks.json. */
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] }
  /** Accepted signature algorithms; absent: every asymmetric one of RELIABILITY 6. */
  readonly algorithms?: readonly string[]
}

/** The clock of the system. Frozen because all servers of a process share it. */
export const SYSTEM_CLOCK: Clock = Object.freeze({
  wallMs: () => Date.now(),
  monoMs: () => performance.now(),
})
