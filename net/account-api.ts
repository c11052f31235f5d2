/**
 * Website endpoints of account holders, under a bearer token of the identity provider. Not for game
 * clients.
 * Source: accounts.md sections 4 and 5, WIRE 8.
 */
import { ERRORS, type Failure, fail } from '../core/errors.ts'
import { endLogins, hashPassword, newPassword } from './auth.ts'
import type { Net } from './context.ts'
import { askFor } from './dispatch.ts'
import { type Exchange, respondJson } from './exchange.ts'
import { passAddress } from './gate.ts'
import { ipOf, readParams, respondFlat, respondLimited } from './http.ts'
import { type Caller, createVerifier, type TokenVerifier } from './jwt.ts'
import type { PlayerAccount, WebAccount } from './ports.ts'
import type { Method, PathParams, Route } from './router.ts'
import type { Params } from './validate.ts'

interface Visit {
  readonly account: WebAccount
  readonly path: PathParams
  readonly body: Params
}

type Handler = (net: Net, visit: Visit) => Promise<Params | Failure>

const isFailure = (value: Params | Failure): value is Failure =>
  value.ok === false && typeof value.code === 'string' && value.code in ERRORS

/** The account's player of that id. Refuses with forbidden (403) and player_not_found (404). */
async function ownPlayer(
  net: Net,
  account: WebAccount,
  id: unknown,
): Promise<PlayerAccount | Failure> {
  const row = await net.accounts.findByPlayerId(String(id ?? ''))
  if (!row) return fail('player_not_found')
  return row.accountId === account.accountId ? row : fail('forbidden')
}

const isMissing = (row: PlayerAccount | Failure): row is Failure => 'ok' in row

/** All names that clients know: the document's and those of the client library. */
const playerEntry = (row: PlayerAccount): Params => ({
  id: row.playerId,
  player_id: row.playerId,
  username: row.username,
  empire: row.empire,
  hidden: false,
  claimed_at: row.claimedAt?.toISOString() ?? null,
})

/** The account's players, at most 50. */
async function playerEntries(net: Net, account: WebAccount): Promise<Params[]> {
  const linked = await net.accounts.playersOf(account.accountId)
  const rows = await Promise.all(linked.map((row) => net.accounts.findByPlayerId(row.player_id)))
  return rows.flatMap((row) => (row ? [playerEntry(row)] : []))
}

const me: Handler = async (_net, { account }) => ({
  clerk_id: account.accountId,
  email: account.email,
  username: account.username,
})

const newsletterOf = (subscribed: boolean): Params => ({
  subscribed,
  status: subscribed ? 'subscribed' : 'unsubscribed',
})

const newsletter: Handler = async (_net, { account }) => newsletterOf(account.newsletter)

const setNewsletter: Handler = async (net, { account, body }) => {
  const { consent } = body
  if (typeof consent !== 'boolean')
    return fail('invalid_payload', { details: [{ field: 'consent', expected: 'boolean' }] })
  await net.accounts.setNewsletter(account.accountId, consent)
  return newsletterOf(consent)
}

const registrationCode: Handler = async (net, { account }) => ({
  registration_code: await net.accounts.registrationCode(account.accountId),
  players: await playerEntries(net, account),
})

const rotateCode: Handler = async (net, { account }) => ({
  registration_code: await net.accounts.rotateRegistrationCode(account.accountId),
  message: 'The new code is valid now; the old one is dead.',
})

const players: Handler = async (net, { account }) => ({
  players: await playerEntries(net, account),
})

/** What a game command tells the owner about the player. */
const ask =
  (command: string, params: Params): Handler =>
  async (net, { account, path }) => {
    const row = await ownPlayer(net, account, path.id)
    if (isMissing(row)) return row
    const outcome = await askFor(net, row.number, command, params)
    if (!outcome.ok) return outcome
    return { ...playerEntry(row), ...(outcome.result as Params) }
  }

const resetPassword: Handler = async (net, { account, path }) => {
  const row = await ownPlayer(net, account, path.id)
  if (isMissing(row)) return row
  const password = newPassword()
  await net.accounts.setPassword(row.playerId, hashPassword(password))
  endLogins(net, row.number)
  return { success: true, username: row.username, password }
}

const wsToken: Handler = async (net, { account, path }) => {
  const row = await ownPlayer(net, account, path.id)
  if (isMissing(row)) return row
  const { token, expiresAt } = await net.accounts.issueLoginToken(row.playerId)
  return { token, expires_at: expiresAt.toISOString() }
}

/** XXXX-XXXX, whatever case and dash the human typed. */
function userCodeOf(text: unknown): string {
  const letters = String(text ?? '')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

const showLink: Handler = async (net, { account, path }) => {
  const status = await net.accounts.deviceLinkStatus(userCodeOf(path.code))
  if (!status) return fail('expired_token')
  return { status, pending: status === 'pending', players: await playerEntries(net, account) }
}

/** The human decides a link; approval needs a player of the account. */
async function decide(net: Net, visit: Visit, code: unknown, isApproved: boolean) {
  let playerId: string | null = null
  if (isApproved) {
    const row = await ownPlayer(net, visit.account, visit.body.player_id)
    if (isMissing(row)) return row
    playerId = row.playerId
  }
  const decided = await net.accounts.decideDeviceLink(userCodeOf(code), playerId)
  if (!decided.ok) return decided
  return { success: true, status: isApproved ? 'approved' : 'denied' }
}

const decideByPath: Handler = (net, visit) =>
  decide(net, visit, visit.path.code, visit.body.approve === true)

const decideByBody =
  (isApproved: boolean): Handler =>
  (net, visit) =>
    decide(net, visit, visit.body.user_code, isApproved)

function statusOf(failure: Failure): number {
  // Of these endpoints the sheet has 404 for what is not there (accounts.md section 5).
  if (failure.code === 'player_not_found' || failure.code === 'expired_token') return 404
  return ERRORS[failure.code].status
}

async function visit(
  net: Net,
  exchange: Exchange,
  about: { readonly caller: Caller; readonly path: PathParams; readonly handler: Handler },
): Promise<void> {
  const read = await readParams(exchange)
  if (!read) return
  if (!read.ok) return respondFlat(net, exchange, read)
  try {
    const { accountId, email, username } = about.caller
    const known = { ...(email ? { email } : {}), ...(username ? { username } : {}) }
    const account = await net.accounts.accountOf(accountId, known)
    const answer = await about.handler(net, { account, path: about.path, body: read.params })
    if (!isFailure(answer)) return respondJson(exchange, 200, answer)
    const { code, message } = answer
    respondJson(exchange, statusOf(answer), { error: code, code, message })
  } catch (error) {
    net.log.warn({ err: error }, 'the account tables do not answer')
    respondFlat(net, exchange, fail('persist_timeout'))
  }
}

const ENDPOINTS: readonly (readonly [Method, string, Handler])[] = [
  ['GET', '/api/me', me],
  ['GET', '/api/newsletter', newsletter],
  ['POST', '/api/newsletter', setNewsletter],
  ['GET', '/api/registration-code', registrationCode],
  ['POST', '/api/registration-code/rotate', rotateCode],
  ['GET', '/api/players', players],
  ['GET', '/api/player/:id', ask('get_status', {})],
  ['GET', '/api/player/:id/log', ask('captains_log_list', {})],
  ['POST', '/api/player/:id/reset-password', resetPassword],
  ['POST', '/api/player/:id/ws-token', wsToken],
  ['POST', '/api/link/approve', decideByBody(true)],
  ['POST', '/api/link/deny', decideByBody(false)],
  ['GET', '/api/link/:code', showLink],
  ['POST', '/api/link/:code', decideByPath],
]

/** The routes; without a configured issuer all of them answer 401. */
export function accountRoutes(
  net: Net,
  verifier: TokenVerifier = createVerifier(net.config.auth),
): Route[] {
  return ENDPOINTS.map(([method, path, handler]) => ({
    method,
    path,
    handle: async (exchange, params) => {
      const wait = passAddress(net.gate, 'public', ipOf(net, exchange))
      if (wait > 0) return respondLimited(net, exchange, wait)
      const caller = await verifier.verify(exchange.header('authorization'))
      if (caller === 'unauthorized') return respondFlat(net, exchange, fail('unauthorized'))
      if (caller === 'unavailable')
        return respondJson(exchange, 503, {
          error: 'unavailable',
          message: 'The key server of the identity provider does not answer.',
        })
      return visit(net, exchange, { caller, path: params, handler })
    },
  }))
}
