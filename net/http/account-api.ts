/**
 * Website endpoints of account holders, under a bearer token or API key, and the page on which a
 * human approves a device link. Not for game clients. Source: accounts.md sections 4 and 5, WIRE 8.
 */
import { ERRORS, type Failure, fail, invalidFields } from '../../core/errors.ts'
import { runForPlayer } from '../dispatch.ts'
import type { PlayerAccount, WebAccount } from '../ports.ts'
import type { Method, Route } from '../router.ts'
import { hashPassword, newPassword } from '../session/auth.ts'
import { createVerifier, type TokenVerifier } from '../session/jwt.ts'
import { addressRefusal } from '../session/limited.ts'
import { endLogins } from '../session/logins.ts'
import type { Net } from '../session/types.ts'
import type { Params } from '../validate.ts'
import { type Handler, playersOf, type Visit, type Visitor, visitorOf } from './account-visit.ts'
import { respondFlat, respondLimited } from './answers.ts'
import { KEY_ENDPOINTS } from './api-keys.ts'
import { type Exchange, respondJson } from './exchange.ts'
import { ipOf, readParams } from './http.ts'
import { INTEL_ROWS } from './intel-rows.ts'
import { LINK_PAGE, LINK_PAGE_HEADERS } from './link-page.ts'

const isFailure = (value: Params | Failure): value is Failure =>
  value.ok === false && typeof value.code === 'string' && value.code in ERRORS

/**
 * Returns the account's player of that id. Refuses with forbidden (403) and player_not_found (404).
 */
async function ownPlayer(
  net: Net,
  account: WebAccount,
  id: unknown,
): Promise<PlayerAccount | Failure> {
  const row = await net.accounts.findByPlayerId(typeof id === 'string' ? id : '')
  if (!row) return fail('player_not_found')
  return row.accountId === account.accountId ? row : fail('forbidden')
}

const isRefused = (row: PlayerAccount | Failure): row is Failure => 'ok' in row

/**
 * Renders a player with all field names that clients use: the document's and those of the client
 * library.
 */
const playerEntry = (row: PlayerAccount): Params => ({
  id: row.playerId,
  player_id: row.playerId,
  username: row.username,
  empire: row.empire,
  hidden: false,
  claimed_at: row.claimedAt?.toISOString() ?? null,
})

const playerEntries = async (net: Net, account: WebAccount): Promise<Params[]> =>
  (await playersOf(net, account)).map(playerEntry)

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
  if (typeof consent !== 'boolean') return invalidFields({ field: 'consent', expected: 'boolean' })
  await net.accounts.setNewsletter(account.accountId, consent)
  return newsletterOf(consent)
}

const registrationCode: Handler = async (net, { account }) => ({
  registration_code: await net.accounts.registrationCode(account.accountId),
  players: await playerEntries(net, account),
})

const rotateCode: Handler = async (net, { account }) => ({
  registration_code: await net.accounts.rotateRegistrationCode(account.accountId),
  message: 'The new code is valid now; the old one no longer is.',
})

const players: Handler = async (net, { account }) => ({
  players: await playerEntries(net, account),
})

/** Returns a handler that runs a game query as a player of the account. */
const query =
  (command: string, params: Params): Handler =>
  async (net, { account, path }) => {
    const row = await ownPlayer(net, account, path.id)
    if (isRefused(row)) return row
    const outcome = await runForPlayer(net, row.number, command, params)
    if (!outcome.ok) return outcome
    return { ...playerEntry(row), ...(outcome.result as Params) }
  }

const resetPassword: Handler = async (net, { account, path }) => {
  const row = await ownPlayer(net, account, path.id)
  if (isRefused(row)) return row
  const password = newPassword()
  await net.accounts.setPassword(row.playerId, hashPassword(password))
  await endLogins(net, row.number)
  return { success: true, username: row.username, password }
}

const wsToken: Handler = async (net, { account, path }) => {
  const row = await ownPlayer(net, account, path.id)
  if (isRefused(row)) return row
  const { token, expiresAt } = await net.accounts.issueLoginToken(row.playerId)
  return { token, expires_at: expiresAt.toISOString() }
}

/** Normalises a user code to its stored form, `ABCD-EFGH`, whatever case and dashes were typed. */
function userCodeOf(text: unknown): string {
  const letters = (typeof text === 'string' ? text : '').toUpperCase().replace(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

const showLink: Handler = async (net, { account, path }) => {
  const status = await net.accounts.deviceLinkStatus(userCodeOf(path.code))
  if (!status) return fail('expired_token')
  return { status, pending: status === 'pending', players: await playerEntries(net, account) }
}

/** Approves or rejects a link for the human; approval needs a player of the account. */
async function decide(net: Net, visit: Visit, code: unknown, isApproved: boolean) {
  let playerId: string | null = null
  if (isApproved) {
    const row = await ownPlayer(net, visit.account, visit.body.player_id)
    if (isRefused(row)) return row
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

const NOT_FOUND = new Set<string>(['player_not_found', 'expired_token', 'not_found'])

function statusOf(failure: Failure): number {
  // For these endpoints the spec has 404 for what does not exist (accounts.md section 5).
  if (NOT_FOUND.has(failure.code)) return 404
  return ERRORS[failure.code].status
}

type Endpoint = readonly [Method, string, Handler]

/** Answers one request of an account holder. Rejects if the account tables are unavailable. */
async function answer(
  net: Net,
  exchange: Exchange,
  about: { readonly visitor: Visitor; readonly path: Visit['path']; readonly handler: Handler },
): Promise<void> {
  const { visitor, path, handler } = about
  if (visitor === 'unauthorized') return respondFlat(net, exchange, fail('unauthorized'))
  if (visitor === 'unavailable')
    return respondJson(exchange, 503, {
      error: 'unavailable',
      message: 'The key server of the identity provider does not answer: try again in a minute.',
    })
  const read = await readParams(exchange)
  if (!read) return
  if (!read.ok) return respondFlat(net, exchange, read)
  const answer = await handler(net, { ...visitor, path, query: exchange.query, body: read.params })
  if (!isFailure(answer)) return respondJson(exchange, 200, answer)
  const { code, message, details } = answer
  respondJson(exchange, statusOf(answer), {
    error: code,
    code,
    message,
    ...(details && { details }),
  })
}

const ENDPOINTS: readonly Endpoint[] = [
  ['GET', '/api/me', me],
  ['GET', '/api/newsletter', newsletter],
  ['POST', '/api/newsletter', setNewsletter],
  ['GET', '/api/registration-code', registrationCode],
  ['POST', '/api/registration-code/rotate', rotateCode],
  ['GET', '/api/players', players],
  ['GET', '/api/player/:id', query('get_status', {})],
  ['GET', '/api/player/:id/log', query('captains_log_list', {})],
  ['POST', '/api/player/:id/reset-password', resetPassword],
  ['POST', '/api/player/:id/ws-token', wsToken],
  ['POST', '/api/link/approve', decideByBody(true)],
  ['POST', '/api/link/deny', decideByBody(false)],
  ['GET', '/api/link/:code', showLink],
  ['POST', '/api/link/:code', decideByPath],
  ...KEY_ENDPOINTS,
  ...INTEL_ROWS.map(({ path, handler }): Endpoint => ['GET', path, handler]),
]

const KEYS_CACHE = { 'cache-control': 'public, max-age=600' }

/**
 * Returns the routes of the device link page and, if this server is its own issuer, of its public
 * keys.
 */
function openRoutes(net: Net): Route[] {
  const page: Route = {
    method: 'GET',
    path: '/link',
    handle: (exchange) => exchange.respond(200, LINK_PAGE_HEADERS, LINK_PAGE),
  }
  const jwks = net.config.auth?.jwks
  if (!jwks) return [page]
  const path = '/.well-known/jwks.json'
  const handle = (exchange: Exchange) => respondJson(exchange, 200, jwks, KEYS_CACHE)
  return [page, { method: 'GET', path, handle }]
}

/**
 * Returns the routes. If neither a provider nor an issuer of our own is configured, no token is
 * valid.
 */
export function accountRoutes(net: Net, given?: TokenVerifier): Route[] {
  const warnUnavailable = (error: unknown) =>
    net.log.warn({ err: error }, 'the key server of the identity provider gives no keys')
  const verifier = given ?? createVerifier(net.config.auth, warnUnavailable)
  const endpoints = ENDPOINTS.map(
    ([method, path, handler]): Route => ({
      method,
      path,
      handle: async (exchange, params) => {
        const limitFailure = addressRefusal(net.gate, 'public', ipOf(net, exchange))
        if (limitFailure) return respondLimited(net, exchange, limitFailure)
        try {
          const visitor = await visitorOf(net, verifier, exchange.header('authorization'))
          await answer(net, exchange, { visitor, path: params, handler })
        } catch (error) {
          const { requestId } = exchange
          net.log.warn({ err: error, requestId }, 'a request of an account holder failed')
          respondFlat(net, exchange, fail('persist_timeout'))
        }
      },
    }),
  )
  return [...openRoutes(net), ...endpoints]
}
