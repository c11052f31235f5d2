/**
 * Accounts as rows of main's pool: passwords, links between players and website accounts, codes,
 * tokens, device links. Not part of the world or of its batches; the archive inserts a player's row
 * in the batch that creates the ship.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { fail, type Outcome, ok } from '../core/errors.ts'
import { API_KEYS_PER_ACCOUNT_MAX, PLAYERS_PER_ACCOUNT_MAX } from '../core/limits.ts'
import { hashSecret, isUuid } from './account-secrets.ts'
import type { Sql, Tx } from './db.ts'
import { createDeviceLinks, type DeviceLinks } from './device-links.ts'

/** An API key as its holder sees it later, without its text. */
interface ApiKey {
  readonly id: string
  readonly name: string
  /** The last characters of the key. */
  readonly hint: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** A key pair as JSON Web Keys. */
interface IssuerKey {
  readonly kid: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly privateJwk: Readonly<Record<string, unknown>>
}

interface AccountKeys {
  /** Creates a key, whose text is returned only here. Refuses: limit_reached. */
  createApiKey(sub: string, name: string): Promise<Outcome<ApiKey & { readonly key: string }>>
  /** Lists the account's keys, oldest first. */
  apiKeysOf(sub: string): Promise<ApiKey[]>
  /** Deletes a key; returns false if the account has none with that id. */
  deleteApiKey(sub: string, id: string): Promise<boolean>
  /** Returns the account that holds a key. */
  accountByApiKey(key: string): Promise<WebAccount | undefined>
  /**
   * Returns the server's own key pair: the stored one, or at the first call the one that `make`
   * creates.
   */
  issuerKey(make: () => Promise<IssuerKey>): Promise<IssuerKey>
  /**
   * Replaces the key pair; from the next start on, tokens signed with the old one are not accepted.
   */
  replaceIssuerKey(key: IssuerKey): Promise<void>
}

const API_KEY_PREFIX = 'orrery_key_'
const KEY_BYTES = 32
const HINT_CHARACTERS = 4

const keyFields = (sql: Sql | Tx) => sql`
  id, name, hint, created_at as "createdAt", last_used_at as "lastUsedAt"`

function createAccountKeys(sql: Sql): AccountKeys {
  return {
    createApiKey: (sub, name) =>
      sql.begin((tx) => createApiKey(tx, sub, name)) as ReturnType<AccountKeys['createApiKey']>,
    apiKeysOf: (sub) => sql<ApiKey[]>`
      select ${keyFields(sql)} from api_key where account_id = ${sub} order by created_at, id`,
    async deleteApiKey(sub, id) {
      if (!isUuid(id)) return false
      const done = await sql`delete from api_key where id = ${id} and account_id = ${sub}`
      return done.count === 1
    },
    accountByApiKey: (key) => accountByApiKey(sql, key),
    issuerKey: (make) => issuerKey(sql, make),
    async replaceIssuerKey(key) {
      await sql`
        ${insertKey(sql, key)} on conflict (one) do update set kid = excluded.kid,
          public_jwk = excluded.public_jwk, private_jwk = excluded.private_jwk, created_at = now()`
    },
  }
}

async function createApiKey(tx: Tx, sub: string, name: string) {
  // Locked, so that no concurrent key changes the count below.
  await tx`select 1 from account where account_id = ${sub} for update`
  const held = await tx<{ count: number }[]>`
    select count(*)::int as count from api_key where account_id = ${sub}`
  if (held[0].count >= API_KEYS_PER_ACCOUNT_MAX) {
    return fail('limit_reached', { limit: API_KEYS_PER_ACCOUNT_MAX, of: 'API keys of an account' })
  }
  const key = API_KEY_PREFIX + randomBytes(KEY_BYTES).toString('hex')
  const rows = await tx<ApiKey[]>`
    insert into api_key (id, account_id, name, key_hash, hint)
    values (${randomUUID()}, ${sub}, ${name}, ${hashSecret(key)}, ${key.slice(-HINT_CHARACTERS)})
    returning ${keyFields(tx)}`
  return ok({ ...rows[0], key })
}

/**
 * Finds an account by the hash of a key: the duration of the lookup reveals nothing about a key of
 * 256 random bits. Its use is recorded at most once a minute, so that the lookup stays cheap.
 */
async function accountByApiKey(sql: Sql, key: string): Promise<WebAccount | undefined> {
  if (!key.startsWith(API_KEY_PREFIX)) return undefined
  const hash = hashSecret(key)
  const rows = await sql<WebAccount[]>`
    with used as (
      update api_key set last_used_at = now()
      where key_hash = ${hash}
        and (last_used_at is null or last_used_at < now() - interval '1 minute'))
    select account_id as "accountId", email, username,
      registration_code as "registrationCode", newsletter
    from api_key join account using (account_id) where key_hash = ${hash}`
  return rows[0]
}

const insertKey = (sql: Sql, { kid, publicJwk, privateJwk }: IssuerKey) => sql`
  insert into issuer_key (kid, public_jwk, private_jwk)
  values (${kid}, ${JSON.stringify(publicJwk)}::text::json,
    ${JSON.stringify(privateJwk)}::text::json)`

async function issuerKey(sql: Sql, make: () => Promise<IssuerKey>): Promise<IssuerKey> {
  const kept = () => sql<IssuerKey[]>`
    select kid, public_jwk as "publicJwk", private_jwk as "privateJwk" from issuer_key`
  const [before] = await kept()
  if (before) return before
  // A tool and a server may create one at the same time: the first row is kept.
  await sql`${insertKey(sql, await make())} on conflict do nothing`
  const [after] = await kept()
  return after
}

/** A player as stored in the account tables. */
export interface PlayerAccount {
  readonly playerId: string
  /** Number of the player in the world. */
  readonly number: number
  readonly username: string
  readonly empire: string
  readonly passwordHash: Buffer
  readonly accountId: string | null
  readonly claimedAt: Date | null
  readonly createdAt: Date
}

/** A website account. */
interface WebAccount {
  readonly accountId: string
  readonly email: string | null
  readonly username: string | null
  readonly registrationCode: string | null
  readonly newsletter: boolean
}

interface LinkedPlayer {
  readonly player_id: string
  readonly username: string
  readonly claimed_at: string | null
}

export interface Accounts extends DeviceLinks, AccountKeys {
  findByUsernameKey(usernameKey: string): Promise<PlayerAccount | undefined>
  findByPlayerId(playerId: string): Promise<PlayerAccount | undefined>
  findByNumber(number: number): Promise<PlayerAccount | undefined>
  /**
   * Sets a password and revokes other ways to log in (tokens, approved links). Returns false if
   * there is no such player.
   */
  setPassword(playerId: string, passwordHash: Buffer): Promise<boolean>
  touchLastLogin(playerId: string): Promise<void>
  /** Returns the account of a token's subject, created or updated from the token. */
  accountOf(sub: string, known?: { email?: string; username?: string }): Promise<WebAccount>
  /** Returns the account's registration code, created at the first call. */
  registrationCode(sub: string): Promise<string>
  /** Creates a new code; the old one is invalid at once. */
  rotateRegistrationCode(sub: string): Promise<string>
  /** Returns the id of the account that a code belongs to. */
  accountByCode(code: string): Promise<string | undefined>
  setNewsletter(sub: string, subscribed: boolean): Promise<void>
  playersOf(sub: string): Promise<LinkedPlayer[]>
  /**
   * Links a player to the code's account. Refuses: invalid_registration_code, already_claimed,
   * limit_reached.
   */
  linkPlayer(playerId: string, code: string): Promise<Outcome<{ accountId: string }>>
  /** Issues a token that logs a player in once, valid for five minutes. */
  issueLoginToken(playerId: string): Promise<{ token: string; expiresAt: Date }>
  /** Returns the number of the player a token would log in, without using it up. */
  playerOfLoginToken(token: string): Promise<number | undefined>
  /** Returns the player of a token and uses the token up. Refuses: invalid_token. */
  redeemLoginToken(token: string): Promise<Outcome<PlayerAccount>>
  /** Deletes expired tokens and links. */
  sweep(): Promise<void>
}

const TOKEN_MS = 5 * 60_000
const CODE_BYTES = 12

const newCode = (): string => randomBytes(CODE_BYTES).toString('hex')

const playerFields = (sql: Sql) => sql`
  player.player_id as "playerId", player.number, player.username, player.empire,
  player.password_hash as "passwordHash", player.account_id as "accountId",
  player.claimed_at as "claimedAt", player.created_at as "createdAt"`

const accountFields = (sql: Sql) => sql`
  account_id as "accountId", email, username, registration_code as "registrationCode", newsletter`

export function createAccounts(sql: Sql): Accounts {
  return {
    ...playerAccounts(sql),
    ...webAccounts(sql),
    ...loginTokens(sql),
    ...createDeviceLinks(sql),
    ...createAccountKeys(sql),
    async sweep() {
      await sql`delete from login_token where expires_at < now()`
      await sql`delete from device_link where expires_at < now() - interval '10 minutes'`
    },
  }
}

type Part<K extends keyof Accounts> = Pick<Accounts, K>

function playerAccounts(
  sql: Sql,
): Part<
  'findByUsernameKey' | 'findByPlayerId' | 'findByNumber' | 'setPassword' | 'touchLastLogin'
> {
  return {
    async findByUsernameKey(usernameKey) {
      const rows = await sql<PlayerAccount[]>`
        select ${playerFields(sql)} from player where username_key = ${usernameKey}`
      return rows[0]
    },
    async findByPlayerId(playerId) {
      if (!isUuid(playerId)) return undefined
      const rows = await sql<PlayerAccount[]>`
        select ${playerFields(sql)} from player where player_id = ${playerId}`
      return rows[0]
    },
    async findByNumber(number) {
      const rows = await sql<PlayerAccount[]>`
        select ${playerFields(sql)} from player where number = ${number}`
      return rows[0]
    },
    async setPassword(playerId, passwordHash) {
      if (!isUuid(playerId)) return false
      const done = await sql`
        with tokens as (delete from login_token where player_id = ${playerId}),
          links as (
            update device_link set expires_at = now()
            where player_id = ${playerId} and status = 'approved')
        update player set password_hash = ${passwordHash} where player_id = ${playerId}`
      return done.count === 1
    },
    async touchLastLogin(playerId) {
      if (!isUuid(playerId)) return
      await sql`update player set last_login_at = now() where player_id = ${playerId}`
    },
  }
}

function webAccounts(
  sql: Sql,
): Part<
  | 'accountOf'
  | 'registrationCode'
  | 'rotateRegistrationCode'
  | 'accountByCode'
  | 'setNewsletter'
  | 'playersOf'
  | 'linkPlayer'
> {
  const setCode = async (sub: string, keep: boolean): Promise<string> => {
    const code = newCode()
    const kept = keep ? sql`coalesce(account.registration_code, excluded.registration_code)` : code
    const rows = await sql<{ code: string }[]>`
      insert into account (account_id, registration_code) values (${sub}, ${code})
      on conflict (account_id) do update set registration_code = ${kept}
      returning registration_code as code`
    return rows[0].code
  }
  return {
    async accountOf(sub, known = {}) {
      const rows = await sql<WebAccount[]>`
        insert into account (account_id, email, username)
        values (${sub}, ${known.email ?? null}, ${known.username ?? null})
        on conflict (account_id) do update set
          email = coalesce(excluded.email, account.email),
          username = coalesce(excluded.username, account.username)
        returning ${accountFields(sql)}`
      return rows[0]
    },
    registrationCode: (sub) => setCode(sub, true),
    rotateRegistrationCode: (sub) => setCode(sub, false),
    async accountByCode(code) {
      const rows = await sql<{ account_id: string }[]>`
        select account_id from account where registration_code = ${code}`
      return rows[0]?.account_id
    },
    async setNewsletter(sub, subscribed) {
      await sql`
        insert into account (account_id, newsletter) values (${sub}, ${subscribed})
        on conflict (account_id) do update set newsletter = ${subscribed}`
    },
    async playersOf(sub) {
      const rows = await sql<{ player_id: string; username: string; claimed_at: Date | null }[]>`
        select player_id, username, claimed_at from player where account_id = ${sub}
        order by number`
      return rows.map(({ player_id, username, claimed_at }) => ({
        player_id,
        username,
        claimed_at: claimed_at?.toISOString() ?? null,
      }))
    },
    linkPlayer: (playerId, code) => linkPlayer(sql, playerId, code),
  }
}

async function linkPlayer(
  sql: Sql,
  playerId: string,
  code: string,
): Promise<Outcome<{ accountId: string }>> {
  return sql.begin(async (tx): Promise<Outcome<{ accountId: string }>> => {
    // Locked, so that no concurrent claim or registration changes the count below.
    const accounts = await tx<{ account_id: string }[]>`
      select account_id from account where registration_code = ${code} for update`
    if (accounts.length === 0) return fail('invalid_registration_code')
    const accountId = accounts[0].account_id
    const owned = await tx<{ count: number }[]>`
      select count(*)::int as count from player where account_id = ${accountId}`
    const players = await tx<{ account_id: string | null }[]>`
      select account_id from player where player_id = ${playerId} for update`
    if (players.length === 0) return fail('player_not_found')
    if (players[0].account_id !== null) return fail('already_claimed')
    if (owned[0].count >= PLAYERS_PER_ACCOUNT_MAX) {
      return fail('limit_reached', { limit: PLAYERS_PER_ACCOUNT_MAX, of: 'players of an account' })
    }
    await tx`
      update player set account_id = ${accountId}, claimed_at = now()
      where player_id = ${playerId}`
    return ok({ accountId })
  }) as Promise<Outcome<{ accountId: string }>>
}

function loginTokens(
  sql: Sql,
): Part<'issueLoginToken' | 'playerOfLoginToken' | 'redeemLoginToken'> {
  return {
    async issueLoginToken(playerId) {
      const token = randomBytes(32).toString('hex')
      const expiresAt = new Date(Date.now() + TOKEN_MS)
      await sql`
        insert into login_token (token_hash, player_id, expires_at)
        values (${hashSecret(token)}, ${playerId}, ${expiresAt})`
      return { token, expiresAt }
    },
    async playerOfLoginToken(token) {
      const rows = await sql<{ number: number }[]>`
        select player.number from login_token join player using (player_id)
        where token_hash = ${hashSecret(token)} and expires_at >= now()`
      return rows[0]?.number
    },
    async redeemLoginToken(token) {
      const rows = await sql<(PlayerAccount & { expiresAt: Date })[]>`
        delete from login_token using player
        where token_hash = ${hashSecret(token)} and player.player_id = login_token.player_id
        returning ${playerFields(sql)}, expires_at as "expiresAt"`
      if (rows.length === 0 || rows[0].expiresAt.getTime() < Date.now()) {
        return fail('invalid_token')
      }
      const { expiresAt: _, ...player } = rows[0]
      return ok(player)
    },
  }
}
