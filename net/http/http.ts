/**
 * The common part of HTTP v1 and v2: reading the body, finding the session, running a command,
 * blocking until a mutation resolves, errors and their status. Each version defines its envelope.
 * Source: accounts.md sections 6, 9, 11.
 */
import type { CommandDef } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { BLOCKED_REQUEST_MS, LIMITER_KEYS_MAX } from '../../core/limits.ts'
import { dispatch } from '../dispatch.ts'
import { ackPayload, loginPayload, structured } from '../publish/frames.ts'
import { addressKey, clientAddress } from '../session/address.ts'
import { createFloodGuard, type FloodGuard, passFrame, reserveFrame } from '../session/flood.ts'
import { passSessionAttempt } from '../session/gate.ts'
import { admitCommand, finishCommand } from '../session/in-flight.ts'
import { evictOldest } from '../session/leaks.ts'
import { limited, limitRefusal, timeOutRefusal } from '../session/limited.ts'
import { endSession } from '../session/logins.ts'
import {
  findSession,
  openSession,
  type Pool,
  type Session,
  touchSession,
} from '../session/session.ts'
import type { Net, Reply } from '../session/types.ts'
import { type Params, parseObject } from '../validate.ts'
import { type HttpVersion, respondError, respondSuccess } from './answers.ts'
import type { BodyRefusal } from './body.ts'
import type { Exchange, RequestHead } from './exchange.ts'

/** Flood guards of HTTP, one per session, or per address without a session. */
export interface HttpFloods {
  readonly guards: Map<string, FloodGuard>
}

export const createHttpFloods = (): HttpFloods => ({ guards: new Map() })

/**
 * Returns the flood guard of a key, created at its first use. Drops the least recently used one.
 */
export function guardOf(net: Net, floods: HttpFloods, key: string): FloodGuard {
  const guard = floods.guards.get(key) ?? createFloodGuard(net.clock.monoMs())
  floods.guards.delete(key)
  floods.guards.set(key, guard)
  evictOldest(floods.guards, LIMITER_KEYS_MAX)
  return guard
}

/** Returns the seconds to wait before this request may be read, or 0. */
export const passRequest = (net: Net, floods: HttpFloods, key: string, messages = 1): number =>
  passFrame(guardOf(net, floods, key), 0, net.clock.monoMs(), messages)

/** Returns the bucket key of a request's address. */
export const ipOf = (net: Net, head: Pick<RequestHead, 'remote' | 'header'>): string =>
  addressKey(clientAddress(head.remote, head.header('x-forwarded-for'), net.config.trustedProxies))

/** Sessions expire after 30 minutes without a request, so some become free within a minute. */
const FULL = limited('sessions', 60)

/** Creates a session: POST …/session. */
export function createSessionRoute(net: Net, exchange: Exchange, version: HttpVersion): void {
  const ip = ipOf(net, exchange)
  const { pool, framing } = version
  const limitFailure = limitRefusal(net.gate, 'session', ip, passSessionAttempt(net.gate, ip))
  const session = limitFailure ? undefined : openSession(net.pools, pool, { framing, ip })
  if (!session) {
    respondError(net, exchange, version, { failure: limitFailure ?? FULL })
    return
  }
  respondSuccess(exchange, { members: version.sessionMade(session), session })
}

/** Returns the session of the header, or why there is none. */
function sessionOf(net: Net, exchange: Exchange, pool: Pool): Session | Failure {
  const id = exchange.header('x-session-id')
  if (id === '') return fail('session_required')
  const session = findSession(net.pools, pool, id)
  if (session) return session
  return net.pools.replaced.has(id)
    ? fail('session_invalid', { reason: 'replaced' })
    : fail('session_invalid')
}

/**
 * Session commands that create a session if the header is absent. Source: accounts.md section 6.
 */
const CREATES_SESSION = new Set([
  'login',
  'register',
  'login_token',
  'login_link',
  'login_link_poll',
])

interface ReadBody {
  readonly ok: true
  readonly params: Params
  readonly bytes: number
}

/** Returns why a body was refused; undefined if its client is gone. */
export function bodyFailure(refusal: BodyRefusal): Failure | undefined {
  if (refusal === 'aborted') return undefined
  if (refusal === 'too_large') return fail('payload_too_large')
  if (refusal === 'too_slow') return fail('request_timeout')
  return limited('requests', 1)
}

/**
 * Reads a body as a JSON object; an empty body is an empty object. Resolves with undefined if the
 * client is gone.
 */
export async function readParams(exchange: Exchange): Promise<ReadBody | Failure | undefined> {
  const body = await exchange.body
  if (typeof body === 'string') return bodyFailure(body)
  if (body.length === 0) return { ok: true, params: {}, bytes: 0 }
  const params = parseObject(body.toString())
  return params ? { ok: true, params, bytes: body.length } : fail('invalid_json')
}

/** An admitted request of one of the two APIs, with its session. */
export interface Incoming {
  readonly params: Params
  readonly bytes: number
  /** The session, or why there is none; that is reported only once the command is known. */
  readonly session: Session | Failure
  /** Refuses in the envelope of the version. */
  refuse(failure: Failure): void
}

/**
 * Applies the gate and reads body and session of a request; resolves with undefined if it was
 * refused or its client is gone.
 */
export async function readIncoming(
  net: Net,
  floods: HttpFloods,
  exchange: Exchange,
  version: HttpVersion,
): Promise<Incoming | undefined> {
  const guard = requestGuard(net, floods, exchange)
  const limitFailure =
    timeOutRefusal(net.gate, ipOf(net, exchange)) ?? (guard && (await turn(net, guard)))
  if (limitFailure) {
    respondError(net, exchange, version, { failure: limitFailure })
    return undefined
  }
  const body = await readParams(exchange)
  if (!body) return undefined
  const session = sessionOf(net, exchange, version.pool)
  const known = 'ok' in session ? {} : { session }
  const refuse = (failure: Failure) => respondError(net, exchange, version, { failure, ...known })
  if (body.ok) return { params: body.params, bytes: body.bytes, session, refuse }
  refuse(body)
  return undefined
}

type HttpCommand = Omit<Incoming, 'refuse'> & { readonly def: CommandDef }

/** Runs a command over HTTP; the request of a mutation blocks until its tick. */
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
    if (!isMissing || !CREATES_SESSION.has(command.def.name)) {
      respondError(net, exchange, version, { failure: command.session })
      return
    }
    const made = openSession(net.pools, pool, { framing, ip: ipOf(net, exchange) })
    if (!made) {
      respondError(net, exchange, version, { failure: FULL })
      return
    }
    session = made
    isFresh = true
  } else session = command.session
  const { def, params, bytes } = command
  const run = (): void => {
    if (exchange.isDone()) {
      finishCommand(session)
      return
    }
    // Rate limits count against the address of this request.
    session.ip = ipOf(net, exchange)
    const reply = blockingReply(net, exchange, version, {
      session,
      onFailure: (failure, about) => {
        // A session created implicitly for a login ends if that login fails.
        if (isFresh && !session.identity) endSession(net, session, false)
        const known = isFresh && session.gone ? {} : { session }
        respondError(net, exchange, version, { failure, reply: about, ...known })
      },
    })
    const { requestId } = exchange
    dispatch(net, { client: session, framing, def, params, requestId, bytes, reply })
  }
  if (admitCommand(session, run)) return
  respondError(net, exchange, version, { failure: limited('unanswered', 1), session })
}

interface Blocking {
  readonly session: Session
  onFailure(failure: Failure, reply: Reply): void
}

/**
 * Returns the reply function that waits for the final answer. It returns false once the exchange is
 * over, so that the outcome goes to the queue.
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
    finishCommand(session)
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
      const { requestId } = exchange
      net.log.error({ err: error, command: def.name, requestId }, 'a reply could not be framed')
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
 * The flood guard of a request. `holds`: a request that is too early is delayed instead of refused.
 */
interface RequestGuard {
  readonly flood: FloodGuard
  readonly holds: boolean
}

/**
 * Returns the flood guard of the session or, without a login, of the address, so that neither new
 * nor invented session ids get one of their own. Undefined if there are no limits.
 */
function requestGuard(net: Net, floods: HttpFloods, exchange: Exchange): RequestGuard | undefined {
  if (!net.gate.isLimited) return undefined
  const id = exchange.header('x-session-id')
  const { http1, http2 } = net.pools.pools
  const session = http1.get(id) ?? http2.get(id)
  const holds = session?.identity !== undefined
  const ip = ipOf(net, exchange)
  // Sessions without a login share one guard: an address may have a hundred of them.
  const stranger = session ? `sessions ${ip}` : ip
  return { flood: guardOf(net, floods, holds ? id : stranger), holds }
}

/**
 * Waits until the flood guard admits this many messages; resolves with a failure if it refuses
 * them.
 */
export async function turn(
  net: Net,
  { flood, holds }: RequestGuard,
  messages = 1,
): Promise<Failure | undefined> {
  const now = net.clock.monoMs()
  const waitMs = holds
    ? reserveFrame(flood, 0, now, messages)
    : passFrame(flood, 0, now, messages) * 1000
  if (waitMs === undefined || (!holds && waitMs > 0)) return limited('requests', 1)
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  return undefined
}
