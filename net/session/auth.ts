/**
 * Session commands: register, the logins, logout, claim. They run on main with the account tables;
 * only the world creates players and knows who is bound. Source: accounts.md sections 2 to 6.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { PLAYERS_PER_ACCOUNT_MAX } from '../../core/limits.ts'
import { usernameKey } from '../../core/text-rules.ts'
import { runForPlayer } from '../dispatch.ts'
import { isCutOff } from '../node-view.ts'
import type { PlayerAccount } from '../ports.ts'
import { isObject, type Params } from '../validate.ts'
import { isLoopback } from './address.ts'
import { blockedFor, passAddress, passSessionAttempt, passTokenLogin } from './gate.ts'
import { delayGuess, type Guess, guessRefusal, recordWrongGuess } from './guesses.ts'
import { addressRefusal, limited, limitRefusal, timeOutRefusal } from './limited.ts'
import { endSession, nodeParam, notifyUnbound } from './logins.ts'
import {
  beginBinding,
  bindSession,
  bindSocket,
  type Client,
  endBinding,
  hasHappenedSince,
  type Identity,
  isBoundOn,
  type Session,
  type SocketClient,
  unbindClient,
} from './session.ts'
import type { LoginView, MainAnswer, MainHandler, Net, Request } from './types.ts'

/** Returns the stored form of a password. Passwords are random: a slow hash would add nothing. */
export const hashPassword = (text: string): Buffer => createHash('sha256').update(text).digest()
export const newPassword = (): string => randomBytes(32).toString('hex')
/** Used in place of the hash of an unknown name, so that the answer takes the same time. */
const UNKNOWN_PLAYER_HASH = randomBytes(32)

function isPasswordOf(row: PlayerAccount | undefined, password: string): boolean {
  // Hexadecimal digits are accepted in either case (accounts.md section 1).
  const given = hashPassword(password.toLowerCase())
  const stored = row?.passwordHash ?? UNKNOWN_PLAYER_HASH
  const isEqual = stored.length === given.length && timingSafeEqual(stored, given)
  return row !== undefined && isEqual
}

const CUT_OFF = fail(
  'restarting',
  undefined,
  'This server cannot reach the leader of the world right now. Connect again in a moment.',
)

const refused = (failure: Failure): MainAnswer => ({ outcome: failure })

const identityOf = (row: PlayerAccount): Identity => ({
  player: row.number,
  playerId: row.playerId,
  username: row.username,
  empire: row.empire,
})

/**
 * Splits the world's answer to a bind into the view for the client and the mute mask that net
 * keeps.
 */
function loginView(identity: Identity, result: unknown): { view: LoginView; mask: number } {
  const { mask, reconnected, was_pilotless, ticks_remaining, ...state } = isObject(result)
    ? result
    : {}
  const wasPilotless = was_pilotless === true || isObject(reconnected)
  const view: LoginView = wasPilotless
    ? {
        identity,
        state,
        reconnected: isObject(reconnected)
          ? reconnected
          : {
              message: 'You are back at the controls.',
              was_pilotless: true,
              ticks_remaining: Number(ticks_remaining ?? 0),
            },
      }
    : { identity, state }
  return { view, mask: Number(mask ?? 0) || 0 }
}

function bindClient(net: Net, client: Client, identity: Identity, mask: number): void {
  if (client.channel === 'ws') {
    const older = bindSocket(net.bindings, identity, client as SocketClient)
    older?.close(4001, 'session_replaced')
    net.metrics.logins.inc({ channel: 'ws' })
  } else {
    const dropped = bindSession(net.bindings, identity, client as Session)
    if (dropped) endSession(net, dropped, true)
    net.metrics.logins.inc({ channel: client.channel })
  }
  const bound = net.bindings.players.get(identity.player)
  if (bound) bound.mask = mask
}

/**
 * Returns unread counts and recent messages; nothing if that fails, since a login works without
 * them.
 */
async function chatSummaryOf(net: Net, player: number): Promise<Params> {
  const chat = await runForPlayer(net, player, 'internal:chat_summary', {})
  return chat.ok && isObject(chat.result) ? chat.result : {}
}

/** Credentials that have been verified. */
interface Proof {
  readonly identity: Identity
  /** Number of password resets before they were verified. */
  readonly resets: number
  /** Code of the refusal if the password has been reset since. */
  readonly stale: ErrorCode
}

/** Binds a client to the player of verified credentials. */
async function logIn(
  net: Net,
  { client, requestId }: Request,
  proof: Proof,
): Promise<Outcome<LoginView>> {
  const { identity, resets, stale } = proof
  const before = client.identity
  if (before && before.player !== identity.player) return fail('already_authenticated')
  const { channel, framing } = client
  const { player } = identity
  beginBinding(net.bindings, player, channel)
  const answer = await net.link.ask({
    player,
    command: 'internal:bind',
    params: { player, channel, ...nodeParam(net) },
    framing,
  })
  const moves = net.bindings.moves.count
  const chat = answer.outcome.ok && !client.gone ? await chatSummaryOf(net, player) : {}
  // Only now: an older client that leaves while the chat is read must not unbind the player.
  endBinding(net.bindings, player, channel)
  const isStale = hasHappenedSince(net.bindings.resets, player, resets)
  if (!answer.outcome.ok || client.gone || isStale) {
    // The older client may have left in the meantime, and so may this one: then nobody is bound.
    if (!isBoundOn(net.bindings, player, channel)) notifyUnbound(net, client, player)
    if (!answer.outcome.ok) return answer.outcome
    return fail(isStale ? stale : 'session_invalid')
  }
  if (channel === 'ws' && hasHappenedSince(net.bindings.moves, player, moves)) {
    ;(client as SocketClient).close(4001, 'session_replaced')
    return fail('session_invalid')
  }
  const { view: bare, mask } = loginView(identity, answer.outcome.result)
  const view = { ...bare, state: { ...bare.state, ...chat } }
  bindClient(net, client, identity, mask)
  net.accounts.touchLastLogin(identity.playerId).catch((error: unknown) => {
    net.log.warn({ err: error, requestId }, 'the time of a login could not be saved')
  })
  return ok(before ? { ...view, isRepeat: true } : view)
}

async function finishLogin(
  net: Net,
  request: Request,
  proof: Proof,
  password?: string,
): Promise<MainAnswer> {
  const outcome = await logIn(net, request, proof)
  if (!outcome.ok) return refused(outcome)
  const login = password === undefined ? outcome.result : { ...outcome.result, password }
  return { outcome: ok({}), login }
}

type AuthStep = (net: Net, request: Request, params: Params) => Promise<MainAnswer>

/**
 * Allows a client one authentication at a time. A WebSocket takes one login; on HTTP and MCP, if
 * `allowsBound` is set, a second login as the same player succeeds. Source: WIRE 1.9, accounts.md
 * section 6.
 */
function oneAtATime(step: AuthStep, allowsBound: boolean): AuthStep {
  return async (net, request, params) => {
    const { client } = request
    const isOnce = client.channel === 'ws' || !allowsBound
    if (client.authenticating || (client.identity && isOnce))
      return refused(fail('already_authenticated'))
    // The leader would not receive the login.
    if (net.node !== undefined && isCutOff(net.link.cluster())) return refused(CUT_OFF)
    client.authenticating = true
    try {
      return await step(net, request, params)
    } finally {
      client.authenticating = false
    }
  }
}

/** Counts an authentication as a session attempt (accounts.md section 10, first row). */
const countedAttempt = (step: AuthStep, allowsBound: boolean): AuthStep =>
  oneAtATime(async (net, request, params) => {
    const { ip } = request.client
    const overLimit = limitRefusal(net.gate, 'session', ip, passSessionAttempt(net.gate, ip))
    return overLimit ? refused(overLimit) : step(net, request, params)
  }, allowsBound)

/** Refuses a wrong secret and counts it as a guess. */
function wrongSecret(net: Net, guess: Guess, failure: Failure): MainAnswer {
  recordWrongGuess(net.gate, guess)
  return refused(failure)
}

const login: AuthStep = async (net, request, params) => {
  const name = usernameKey(String(params.username))
  const guess = { ip: request.client.ip, name }
  const blocked = guessRefusal(net.gate, guess)
  if (blocked) return refused(blocked)
  await delayGuess(net.gate, guess)
  const resets = net.bindings.resets.count
  const row = await net.accounts.findByUsernameKey(name)
  // Asked again: others of the address may have failed with this name meanwhile.
  const tooMany = guessRefusal(net.gate, guess)
  if (tooMany) return refused(tooMany)
  const stale = 'invalid_credentials'
  if (!isPasswordOf(row, String(params.password)) || !row)
    return wrongSecret(net, guess, fail(stale))
  return finishLogin(net, request, { identity: identityOf(row), resets, stale })
}

/**
 * Logs in by token. An unknown token counts as a session attempt of the address; a valid one counts
 * only for its player, and is not used up if the rate limit refuses it.
 */
const loginToken: AuthStep = async (net, request, params) => {
  const { ip } = request.client
  const timedOut = timeOutRefusal(net.gate, ip)
  if (timedOut) return refused(timedOut)
  const resets = net.bindings.resets.count
  const token = String(params.token)
  const player = await net.accounts.playerOfLoginToken(token)
  const overLimit =
    player === undefined
      ? limitRefusal(net.gate, 'session', ip, passSessionAttempt(net.gate, ip))
      : tokenLoginRefusal(net, player)
  if (overLimit) return refused(overLimit)
  const redeemed = await net.accounts.redeemLoginToken(token)
  if (!redeemed.ok) return refused(redeemed)
  const identity = identityOf(redeemed.result)
  return finishLogin(net, request, { identity, resets, stale: 'invalid_token' })
}

function tokenLoginRefusal(net: Net, player: number): Failure | undefined {
  const wait = passTokenLogin(net.gate, player)
  return wait > 0 ? limited('tokenLogin', wait) : undefined
}

/**
 * Returns the account of a registration code. With open registration any code is accepted: for an
 * unknown one the result is undefined, and the player is not linked to an account.
 */
async function accountOf(net: Net, code: string): Promise<Outcome<string | undefined>> {
  const accountId = await net.accounts.accountByCode(code)
  const isOpen = net.config.registration === 'open'
  if (accountId === undefined) return isOpen ? ok(undefined) : fail('invalid_registration_code')
  const players = await net.accounts.playersOf(accountId)
  if (players.length >= PLAYERS_PER_ACCOUNT_MAX) return fail('limit_reached')
  return ok(accountId)
}

const ANY_CODE =
  'A registration code is needed: any text will do here, and the one that your account page shows ' +
  'links the player to your account.'

const register: AuthStep = async (net, request, params) => {
  const { client, framing } = request
  const code = String(params.registration_code ?? '').trim()
  if (code === '') {
    const message = net.config.registration === 'open' ? ANY_CODE : undefined
    return refused(fail('registration_code_required', undefined, message))
  }
  const resets = net.bindings.resets.count
  const account = await accountOf(net, code)
  if (!account.ok) return refused(account)
  const isCounted = account.result === undefined && !isLoopback(client.ip)
  const wait = isCounted ? blockedFor(net.gate, 'newPlayer', client.ip) : 0
  if (wait > 0) return refused(limited('newPlayer', wait))
  const password = newPassword()
  const username = String(params.username)
  const empire = String(params.empire)
  const answer = await net.link.ask({
    player: 0,
    command: 'internal:register',
    params: { username, empire, ...(account.result ? { accountId: account.result } : {}) },
    framing,
    secret: { passwordHash: hashPassword(password).toString('hex') },
  })
  if (!answer.outcome.ok) return refused(answer.outcome)
  if (isCounted) passAddress(net.gate, 'newPlayer', client.ip)
  const created = answer.outcome.result as { player: number; player_id: string; username?: string }
  const identity = {
    player: created.player,
    playerId: created.player_id,
    username: created.username ?? username.normalize('NFC'),
    empire,
  }
  const proof: Proof = { identity, resets, stale: 'invalid_credentials' }
  return finishLogin(net, request, proof, password)
}

const loginLink: AuthStep = async (net, request) => {
  const opened = await net.accounts.openDeviceLink(request.client.ip)
  if (!opened.ok) return refused(opened)
  const { deviceCode, userCode, interval, expiresIn } = opened.result
  const uri = `${net.config.website.replace(/\/$/, '')}/link`
  return {
    outcome: ok({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?code=${userCode}`,
      interval,
      expires_in: expiresIn,
      instructions: [
        `Ask your human to open ${uri} and enter ${userCode}.`,
        `Meanwhile poll login_link_poll with the device_code every ${interval} seconds.`,
      ].join(' '),
    }),
  }
}

const loginLinkPoll: AuthStep = async (net, request, params) => {
  const overLimit = addressRefusal(net.gate, 'linkPoll', request.client.ip)
  if (overLimit) return refused(overLimit)
  const resets = net.bindings.resets.count
  const polled = await net.accounts.pollDeviceLink(String(params.device_code))
  if (!polled.ok) return refused(polled)
  if (polled.result.status !== 'approved') return { outcome: ok(polled.result) }
  const stale = 'expired_token'
  const row = await net.accounts.findByPlayerId(polled.result.playerId)
  if (!row) return refused(fail(stale))
  return finishLogin(net, request, { identity: identityOf(row), resets, stale })
}

const logout: AuthStep = async (net, request) => {
  const { client, framing } = request
  const player = unbindClient(net.bindings, client)
  if (player !== undefined) {
    const { channel } = client
    // Waits for the batch, because the answer says that the state is saved.
    await net.link.ask({
      player,
      command: 'internal:unbind',
      params: { player, channel, ...nodeParam(net) },
      framing,
    })
  }
  return {
    outcome: ok({ message: 'Logged out. Your state is saved.' }),
    ...(client.channel === 'ws' ? { isLast: true as const } : {}),
  }
}

const claim: AuthStep = async (net, request, params) => {
  const { identity } = request.client
  if (!identity) return refused(fail('not_authenticated'))
  const code = String(params.registration_code ?? '').trim()
  if (code === '') return refused(fail('registration_code_required'))
  const { playerId, username } = identity
  const guess = { ip: request.client.ip, name: playerId }
  const blocked = guessRefusal(net.gate, guess)
  if (blocked) return refused(blocked)
  const linked = await net.accounts.linkPlayer(playerId, code)
  if (!linked.ok && linked.code === 'invalid_registration_code')
    return wrongSecret(net, guess, linked)
  if (!linked.ok) return refused(linked)
  return { outcome: ok({ message: `${username} is linked to your account.` }) }
}

/** Returns the handlers of the session commands, by name. */
export function authHandlers(net: Net): Map<string, MainHandler> {
  const steps: Record<string, AuthStep> = {
    register: countedAttempt(register, false),
    login: countedAttempt(login, true),
    login_token: oneAtATime(loginToken, true),
    login_link: countedAttempt(loginLink, false),
    login_link_poll: oneAtATime(loginLinkPoll, true),
    logout,
    claim,
  }
  return new Map(
    Object.entries(steps).map(([name, step]) => [
      name,
      (request: Request, params: Params) => step(net, request, params),
    ]),
  )
}
