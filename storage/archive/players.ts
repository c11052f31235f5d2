/**
 * The account side of a registration: the row of a player, written in the batch that creates their
 * ship.
 */
import type { ArchiveWriteArgs } from '../../core/archive-calls.ts'
import { assert } from '../../core/assert.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { PLAYERS_PER_ACCOUNT_MAX } from '../../core/limits.ts'
import type { Tx } from '../db.ts'
import { oneByOne, type WriteCall, type WriteContext } from './call.ts'
import { optionalText, storableText } from './fields.ts'

interface CreatedPlayer {
  readonly player_id: string
  readonly account_id: string | null
}

/**
 * `createPlayer` { playerId, number, username, usernameKey, empire, code?, accountId? }, secret {
 * passwordHash: hex of SHA-256 }. A given `code` is enforced; if any code is accepted, the caller
 * sends none. Refuses: invalid_registration_code, limit_reached. Source: accounts.md 3.
 */
export const createPlayers = oneByOne<'createPlayer'>(createPlayer)

async function createPlayer(
  { tx, batch, at }: WriteContext,
  { args, secret }: WriteCall<'createPlayer'>,
): Promise<Outcome<CreatedPlayer>> {
  const passwordHash = secret?.passwordHash
  assert(passwordHash !== undefined && /^[0-9a-f]{64}$/.test(passwordHash), 'no password hash')
  const account = await accountFor(tx, args)
  if (!account.ok) return account
  const accountId = account.result
  const playerId = storableText(args.playerId)
  await tx`
    insert into player (player_id, number, username, username_key, empire, password_hash,
      account_id, claimed_at, created_at, last_login_at, batch)
    values (${playerId}, ${args.number}, ${storableText(args.username)},
      ${storableText(args.usernameKey)}, ${storableText(args.empire)}, ${Buffer.from(passwordHash, 'hex')},
      ${accountId}, ${accountId === null ? null : at}, ${at}, ${at}, ${batch})`
  return ok({ player_id: playerId, account_id: accountId })
}

/**
 * Returns the account of a new player, or null. Its row stays locked, so that the count of its
 * players stays correct.
 */
async function accountFor(
  tx: Tx,
  args: ArchiveWriteArgs['createPlayer'],
): Promise<Outcome<string | null>> {
  const code = optionalText(args.code)
  const accountId = optionalText(args.accountId)
  if (code === null && accountId === null) return ok(null)
  const rows = await tx<{ account_id: string }[]>`
    select account_id from account
    where ${code === null ? tx`account_id = ${accountId}` : tx`registration_code = ${code}`}
    for update`
  if (rows.length === 0) return fail('invalid_registration_code')
  const owned = await tx<{ count: number }[]>`
    select count(*)::int as count from player where account_id = ${rows[0].account_id}`
  if (owned[0].count >= PLAYERS_PER_ACCOUNT_MAX) {
    return fail('limit_reached', { limit: PLAYERS_PER_ACCOUNT_MAX, of: 'players of an account' })
  }
  return ok(rows[0].account_id)
}
