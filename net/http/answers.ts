/**
 * Writes HTTP answers: the envelope of each version, errors with their status and headers, and flat
 * bodies outside the two APIs. Source: accounts.md section 9, WIRE 4, newer.md section 2.
 */
import type { CommandDef } from '../../core/command.ts'
import type { Failure } from '../../core/errors.ts'
import { errorPayload, refusalPayload, statusOf } from '../publish/frames.ts'
import { drainAll } from '../session/get-notifications.ts'
import { waitSeconds } from '../session/limited.ts'
import type { Notification } from '../session/notifications.ts'
import type { Pool, Session } from '../session/session.ts'
import type { Net, Reply } from '../session/types.ts'
import { type Exchange, type Headers, respondJson } from './exchange.ts'

type Payload = Record<string, unknown>

/** How a version writes its answers. */
export interface HttpVersion {
  readonly framing: 'http1' | 'http2'
  readonly pool: Pool
  /** Returns the fields of a success besides session, notifications and error. */
  success(def: CommandDef, payload: Payload): Payload
  sessionMade(session: Session): Payload
}

function sessionObject(session: Session): Payload {
  return {
    id: session.id,
    ...(session.identity ? { player_id: session.identity.playerId } : {}),
    created_at: new Date(session.createdMs).toISOString(),
    expires_at: new Date(session.expiresMs).toISOString(),
  }
}

const retryAfter = (failure: Failure): Headers => {
  const wait = waitSeconds(failure)
  return wait === undefined ? {} : { 'retry-after': String(wait) }
}

/**
 * Responds with a flat 429: on public addresses, and on every path for an address in a time-out.
 * The code is rate_limited in both cases.
 */
export function respondLimited(net: Net, exchange: Exchange, failure: Failure): void {
  const code = 'rate_limited'
  net.metrics.errors.inc({ code })
  const body = { ...errorPayload(failure), error: code, code }
  respondJson(exchange, 429, body, retryAfter(failure))
}

/** Responds with a flat error, as endpoints outside the two APIs do. */
export function respondFlat(net: Net, exchange: Exchange, failure: Failure): void {
  if (statusOf(failure) === 429) {
    respondLimited(net, exchange, failure)
    return
  }
  net.metrics.errors.inc({ code: failure.code })
  const { code, message } = failure
  respondJson(exchange, statusOf(failure), { error: code, code, message })
}

/** Responds with an error in the envelope of a version. */
export function respondError(
  net: Net,
  exchange: Exchange,
  version: HttpVersion,
  about: { readonly failure: Failure; readonly session?: Session; readonly reply?: Reply },
): void {
  const { failure, session, reply } = about
  if (failure.code === 'ip_timed_out') {
    respondLimited(net, exchange, failure)
    return
  }
  net.metrics.errors.inc({ code: failure.code })
  const error = reply ? refusalPayload(reply, failure) : errorPayload(failure)
  const body = {
    result: version.framing === 'http2' ? error.message : null,
    ...drainHere(exchange, session),
    ...(session ? { session: sessionObject(session) } : {}),
    error,
  }
  const status = statusOf(failure)
  // Clients read the wait in either place.
  const { details: _, ...beside } = status === 429 ? error : {}
  respondJson(exchange, status, { ...body, ...beside }, retryAfter(failure))
}

/** Drains the queue only now, and not for a client that is gone, so nothing is lost. */
function drainHere(exchange: Exchange, session: Session | undefined): Payload {
  return session && !exchange.isDone() ? drainAll(session) : { notifications: [] }
}

interface Success {
  readonly members: Payload
  readonly session?: Session
  /** Set by get_notifications, which drains the queue itself. */
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
