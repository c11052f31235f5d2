/**
 * What HTTP v1 and v2 share: reading the body, finding the session, running a command to its
 * answer, holding blocked mutations, errors and their status. The versions say how an envelope
 * looks. Source: accounts.md sections 6, 9, 11.
 */
import type { CommandDef } from '../core/command.ts'
import { type Failure, fail } from '../core/errors.ts'
import { BLOCKED_REQUEST_MS, LIMITER_KEYS_MAX, UNANSWERED_MAX } from '../core/limits.ts'
import { addressKey, clientAddress } from './address.ts'
import { endSession } from './auth.ts'
import type { Net } from './context.ts'
import { dispatch, type Reply } from './dispatch.ts'
import { type Exchange, respondJson } from './exchange.ts'
import {
  ackPayload,
  errorPayload,
  loginPayload,
  refusalPayload,
  statusOf,
  structured,
  waitSeconds,
} from './frames.ts'
import {
  createFloodGuard,
  type FloodGuard,
  passBody,
  passFrame,
  passSessionAttempt,
  timedOutFor,
} from './gate.ts'
import { drainAll } from './get-notifications.ts'
import type { Notification } from './notifications.ts'
import { findSession, openSession, type Pool, type Session, touchSession } from './session.ts'
import { type Params, parseObject } from './validate.ts'

type Payload = Record<string, unknown>

/** How a version writes its answers. */
export interface HttpVersion {
  readonly framing: 'http1' | 'http2'
  readonly pool: Pool
  /** The members of a success beside session, notifications and error. */
  success(def: CommandDef, payload: Payload): Payload
  sessionMade(session: Session): Payload
}

/** Requests of one session, or of one address without a session: the flood guard of HTTP. */
export interface HttpFloods {
  readonly guards: Map<string, FloodGuard>
}

export const createHttpFloods = (): HttpFloods => ({ guards: new Map() })

function guardOf(net: Net, floods: HttpFloods, key: string): FloodGuard {
  const guard = floods.guards.get(key) ?? createFloodGuard(net.clock.monoMs())
  floods.guards.delete(key)
  floods.guards.set(key, guard)
  if (floods.guards.size > LIMITER_KEYS_MAX) {
    const [oldest] = floods.guards.keys()
    floods.guards.delete(oldest)
  }
  return guard
}

/** Seconds to wait before this request may be read; 0: it may be. */
export const passRequest = (net: Net, floods: HttpFloods, key: string, bytes: number): number =>
  passFrame(guardOf(net, floods, key), bytes, net.clock.monoMs())

/** The bucket key of a request's address. */
export const ipOf = (net: Net, exchange: Exchange): string =>
  addressKey(
    clientAddress(exchange.remote, exchange.header('x-forwarded-for'), net.config.trustedProxies),
  )

function sessionObject(session: Session): Payload {
  return {
    id: session.id,
    ...(session.identity ? { player_id: session.identity.playerId } : {}),
    created_at: new Date(session.createdMs).toISOString(),
    expires_at: new Date(session.expiresMs).toISOString(),
  }
}

/** A flat 429 of the public endpoints and of both APIs. Source: interface, Shapes; DESIGN 5. */
export function respondLimited(
  net: Net,
  exchange: Exchange,
  seconds: number,
  extra: Payload = {},
): void {
  const failure = fail('rate_limited', { wait_seconds: seconds })
  net.metrics.errors.inc({ code: 'rate_limited' })
  const { code, message } = failure
  respondJson(
    exchange,
    429,
    {
      error: 'rate_limited',
      message,
      retry_after: seconds,
      code,
      wait_seconds: seconds,
      ...extra,
    },
    { 'retry-after': String(seconds) },
  )
}

/** A flat error of endpoints outside the two APIs. */
export function respondFlat(net: Net, exchange: Exchange, failure: Failure): void {
  const wait = waitSeconds(failure)
  if (failure.code === 'rate_limited') {
    respondLimited(net, exchange, wait ?? 1)
    return
  }
  net.metrics.errors.inc({ code: failure.code })
  const { code, message } = failure
  respondJson(exchange, statusOf(failure), { error: code, code, message })
}

/** An error in the envelope of a version. */
export function respondError(
  net: Net,
  exchange: Exchange,
  version: HttpVersion,
  about: { readonly failure: Failure; readonly session?: Session; readonly reply?: Reply },
): void {
  const { failure, session, reply } = about
  const sessionPart = session ? { session: sessionObject(session) } : {}
  if (failure.code === 'rate_limited' || failure.code === 'ip_timed_out') {
    respondLimited(net, exchange, waitSeconds(failure) ?? 1, sessionPart)
    return
  }
  net.metrics.errors.inc({ code: failure.code })
  const result = version.framing === 'http2' ? failure.message : null
  respondJson(exchange, statusOf(failure), {
    result,
    ...drainHere(exchange, session),
    ...sessionPart,
    error: reply ? refusalPayload(reply, failure) : errorPayload(failure),
  })
}

/** Nothing is taken out of a queue for a client that is gone. */
function drainHere(exchange: Exchange, session: Session | undefined): Payload {
  return session && !exchange.isDone() ? drainAll(session) : { notifications: [] }
}

export interface Success {
  readonly members: Payload
  readonly session?: Session
  /** Given by get_notifications, which drains by itself. */
  readonly notifications?: readonly Notification[]
}

export function respondSuccess(exchange: Exchange, success: Success): void {
  const { members, session, notifications: given } = success
  respondJson(exchange, 200, {
    ...members,
    ...(given ? { notifications: given } : drainHere(exchange, session)),
    ...(session ? { session: sessionObject(session) } : {}),
    error: null,
  })
}

/** POST …/session. */
export function createSessionRoute(net: Net, exchange: Exchange, version: HttpVersion): void {
  const ip = ipOf(net, exchange)
  const wait = passSessionAttempt(net.gate, ip)
  const { pool, framing } = version
  const session = wait > 0 ? undefined : openSession(net.pools, pool, { framing, ip })
  if (!session) {
    respondLimited(net, exchange, wait || 60)
    return
  }
  respondSuccess(exchange, { members: version.sessionMade(session), session })
}

/** The session of the header, or why there is none. */
export function sessionOf(net: Net, exchange: Exchange, pool: Pool): Session | Failure {
  const id = exchange.header('x-session-id')
  if (id === '') return fail('session_required')
  const session = findSession(net.pools, pool, id)
  if (session) return session
  return net.pools.replaced.has(id)
    ? fail('session_invalid', { reason: 'replaced' })
    : fail('session_invalid')
}

/**
 * Session commands that make their own session when the header is absent. Source: accounts.md
 * section 6.
 */
const MAKES_SESSION = new Set(['login', 'register', 'login_token', 'login_link', 'login_link_poll'])

export interface ReadBody {
  readonly ok: true
  readonly params: Params
  readonly bytes: number
}

/**
 * Body to object: empty is an empty object. Resolves to undefined when the client is gone.
 * `refuseBytes` says why so many may not be looked at now.
 */
export async function readParams(
  exchange: Exchange,
  refuseBytes?: (bytes: number) => Failure | undefined,
): Promise<ReadBody | Failure | undefined> {
  const body = await exchange.body
  if (body === 'aborted') return undefined
  if (body === 'too_large') return fail('payload_too_large')
  if (body.length === 0) return { ok: true, params: {}, bytes: 0 }
  const refused = refuseBytes?.(body.length)
  if (refused) return refused
  const params = parseObject(body.toString())
  return params ? { ok: true, params, bytes: body.length } : fail('invalid_json')
}

/** A request of one of the two APIs that may be read, with the session it came with. */
export interface Incoming {
  readonly params: Params
  readonly bytes: number
  /** The session, or why there is none: told only after the command is known. */
  readonly session: Session | Failure
  /** Refuses in the envelope of the version. */
  refuse(failure: Failure): void
}

/**
 *  Gate, body and session of a request; undefined when it has been refused or its client is gone.
 */
export async function readIncoming(
  net: Net,
  floods: HttpFloods,
  exchange: Exchange,
  version: HttpVersion,
): Promise<Incoming | undefined> {
  const guard = requestGuard(net, floods, exchange)
  const limited = gateFailure(net, exchange, guard)
  if (limited) {
    respondError(net, exchange, version, { failure: limited })
    return undefined
  }
  const body = await readParams(exchange, guard && ((bytes) => bodyFailure(net, guard, bytes)))
  if (!body) return undefined
  const session = sessionOf(net, exchange, version.pool)
  const known = 'ok' in session ? {} : { session }
  const refuse = (failure: Failure) => respondError(net, exchange, version, { failure, ...known })
  if (body.ok) return { params: body.params, bytes: body.bytes, session, refuse }
  refuse(body)
  return undefined
}

export type HttpCommand = Omit<Incoming, 'refuse'> & { readonly def: CommandDef }

/** Runs a command over HTTP: at once, or blocked until its tick. */
export function runCommand(
  net: Net,
  exchange: Exchange,
  version: HttpVersion,
  command: HttpCommand,
): void {
  const { framing, pool } = version
  let session: Session
  let isFresh = false
  if ('ok' in command.session) {
    const isMissing = command.session.code === 'session_required'
    if (!isMissing || !MAKES_SESSION.has(command.def.name)) {
      respondError(net, exchange, version, { failure: command.session })
      return
    }
    const made = openSession(net.pools, pool, { framing, ip: ipOf(net, exchange) })
    if (!made) {
      respondLimited(net, exchange, 60)
      return
    }
    session = made
    isFresh = true
  } else session = command.session
  if (session.inFlight >= UNANSWERED_MAX) {
    respondLimited(net, exchange, 1, { session: sessionObject(session) })
    return
  }
  session.inFlight += 1
  // Buckets count on the address of this request.
  session.ip = ipOf(net, exchange)
  const { def, params, bytes } = command
  const reply = blockingReply(net, exchange, version, {
    session,
    onFailure: (failure, about) => {
      // A session that nobody asked for does not outlive the login it was made for.
      if (isFresh && !session.identity) endSession(net, session, false)
      const known = isFresh && session.gone ? {} : { session }
      respondError(net, exchange, version, { failure, reply: about, ...known })
    },
  })
  dispatch(net, { client: session, framing, def, params, bytes, reply })
}

interface Blocking {
  readonly session: Session
  onFailure(failure: Failure, reply: Reply): void
}

/**
 * Waits for the final answer; says false once the exchange is over, so the outcome goes to the
 * queue.
 */
function blockingReply(
  net: Net,
  exchange: Exchange,
  version: HttpVersion,
  blocking: Blocking,
): (reply: Reply) => boolean {
  const { session } = blocking
  const { framing } = version
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const finish = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    session.inFlight -= 1
    touchSession(net.pools, session)
  }
  exchange.onAborted(finish)
  return (reply) => {
    const { def, outcome } = reply
    if (isOver || exchange.isDone()) {
      finish()
      return false
    }
    if (reply.stage === 'accepted' && outcome.ok) {
      timer = setTimeout(() => {
        finish()
        const payload = ackPayload(framing, reply)
        respondSuccess(exchange, { members: version.success(def, payload), session })
      }, BLOCKED_REQUEST_MS)
      timer.unref()
      return true
    }
    finish()
    if (!outcome.ok) {
      blocking.onFailure(outcome, reply)
      return true
    }
    try {
      if (reply.login) {
        const payload = loginPayload(net, session, reply.login)
        respondSuccess(exchange, { members: version.success(def, payload), session })
      } else respondCommand(exchange, version, { reply, session })
    } catch (error) {
      net.log.error({ err: error, command: def.name }, 'a reply could not be framed')
      blocking.onFailure(fail('internal_error'), reply)
    }
    return true
  }
}

function respondCommand(
  exchange: Exchange,
  version: HttpVersion,
  about: { readonly reply: Reply; readonly session: Session },
): void {
  const { reply, session } = about
  const payload = structured(version.framing, reply)
  const isPoll = reply.def.name === 'get_notifications'
  respondSuccess(exchange, {
    members: version.success(reply.def, payload),
    session,
    ...(isPoll ? { notifications: [] } : {}),
  })
}

/**
 * The flood guard of a request's session; without one that lives, of its address, or none when
 * those have no limits. An id that is made up for each request gets no guard of its own.
 */
function requestGuard(net: Net, floods: HttpFloods, exchange: Exchange): FloodGuard | undefined {
  const id = exchange.header('x-session-id')
  const { http1, http2 } = net.pools.pools
  if (http1.has(id) || http2.has(id)) return guardOf(net, floods, id)
  return net.gate.limits ? guardOf(net, floods, ipOf(net, exchange)) : undefined
}

const flooded = (waitSeconds: number): Failure | undefined =>
  waitSeconds > 0 ? fail('rate_limited', { wait_seconds: waitSeconds }) : undefined

const bodyFailure = (net: Net, guard: FloodGuard, bytes: number): Failure | undefined =>
  flooded(passBody(guard, bytes, net.clock.monoMs()))

/** Why this address or session may not ask now; undefined when it may. */
function gateFailure(net: Net, exchange: Exchange, guard?: FloodGuard): Failure | undefined {
  const timeout = timedOutFor(net.gate, ipOf(net, exchange))
  if (timeout > 0) return fail('rate_limited', { wait_seconds: timeout })
  return guard && flooded(passFrame(guard, 0, net.clock.monoMs()))
}
