/**
 * API keys of website accounts, of which only the hash is kept; and the key pair by which the
 * server signs account tokens where there is no identity provider.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { fail, type Outcome, ok } from '../core/errors.ts'
import { API_KEYS_PER_ACCOUNT_MAX } from '../core/limits.ts'
import { hashSecret, isUuid } from './account-secrets.ts'
import type { WebAccount } from './accounts.ts'
import type { Sql, Tx } from './db.ts'

/** An API key as its holder sees it later on. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The last characters of the key. */
  readonly hint: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** A key pair as JSON Web Keys. */
export interface IssuerKey {
  readonly kid: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly privateJwk: Readonly<Record<string, unknown>>
}

export interface AccountKeys {
  /** A new key, whose text is given out here only. Refuses: limit_reached. */
  createApiKey(sub: string, name: string): Promise<Outcome<ApiKey & { readonly key: string }>>
  /** The account's keys, oldest first. */
  apiKeysOf(sub: string): Promise<ApiKey[]>
  /** False when the account has no key of that id. */
  deleteApiKey(sub: string, id: string): Promise<boolean>
  /** The account that holds a key. */
  accountByApiKey(key: string): Promise<WebAccount | undefined>
  /** The server's own key pair: the kept one, or at the first call what `make` makes. */
  issuerKey(make: () => Promise<IssuerKey>): Promise<IssuerKey>
  /** This key pair from now on: what the one before has signed is believed by no later start. */
  replaceIssuerKey(key: IssuerKey): Promise<void>
}

const API_KEY_PREFIX = 'orrery_key_'
const KEY_BYTES = 32
const HINT_CHARACTERS = 4

const keyFields = (sql: Sql | Tx) => sql`
  id, name, hint, created_at as "createdAt", last_used_at as "lastUsedAt"`

export function createAccountKeys(sql: Sql): AccountKeys {
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
  // Locked: the count must not be overtaken by another key.
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
 * Found by its hash: how long that takes tells nothing of a key of 256 random bits. The use is
 * noted once a minute, so that reading stays cheap.
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
  // A tool and a server may make one at once: the first row stands.
  await sql`${insertKey(sql, await make())} on conflict do nothing`
  const [after] = await kept()
  return after
}
