/**
 * The account behind a request to a website endpoint, and the input of its handlers. A bearer is a
 * token of the identity provider or an API key. Source: accounts.md 5, WIRE 8.
 */
import { type Failure, fail } from '../../core/errors.ts'
import type { PlayerAccount, WebAccount } from '../ports.ts'
import type { PathParams } from '../router.ts'
import { bearerOf, type TokenVerifier } from '../session/jwt.ts'
import type { Net } from '../session/types.ts'
import type { Params } from '../validate.ts'

export interface Visit {
  readonly account: WebAccount
  /** True if identified by an API key instead of a token. */
  readonly byKey: boolean
  readonly path: PathParams
  readonly query: URLSearchParams
  readonly body: Params
}

export type Handler = (net: Net, visit: Visit) => Promise<Params | Failure>

/** API keys have a prefix that secret scanners, and people who find one, recognise. */
const API_KEY = /^orrery_key_[0-9a-f]{64}$/

export type Visitor = Pick<Visit, 'account' | 'byKey'> | 'unauthorized' | 'unavailable'

/**
 * Resolves with the account of a request's bearer. Rejects if the account tables are unavailable.
 */
export async function visitorOf(
  net: Net,
  verifier: TokenVerifier,
  authorization: string,
): Promise<Visitor> {
  const bearer = bearerOf(authorization) ?? ''
  if (API_KEY.test(bearer)) {
    const holder = await net.accounts.accountByApiKey(bearer)
    return holder ? { account: holder, byKey: true } : 'unauthorized'
  }
  const caller = await verifier.verify(authorization)
  if (caller === 'unauthorized' || caller === 'unavailable') return caller
  const { accountId, email, username } = caller
  const known = { ...(email ? { email } : {}), ...(username ? { username } : {}) }
  return { account: await net.accounts.accountOf(accountId, known), byKey: false }
}

/** Returns the account's players, at most 50. */
export async function playersOf(net: Net, account: WebAccount): Promise<PlayerAccount[]> {
  const linked = await net.accounts.playersOf(account.accountId)
  const rows = await Promise.all(linked.map((row) => net.accounts.findByPlayerId(row.player_id)))
  return rows.flatMap((row) => row ?? [])
}

/**
 * Restricts a handler to tokens. Source: ours: a leaked key must not be able to create further
 * keys, list others, or revoke those of its owner's programs; deleting it is then enough.
 */
export const byTokenOnly =
  (handler: Handler): Handler =>
  async (net, visit) =>
    visit.byKey
      ? fail('forbidden', undefined, 'An API key cannot manage keys: use a token of the account.')
      : handler(net, visit)
