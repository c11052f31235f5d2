/**
 * The checks of every HTTP request before its route: rate limits, ambiguous heads, and the limits
 * of its body. Source: RELIABILITY 5 (A1, A2), 6.
 */
import { fail } from '../../core/errors.ts'
import { FRAME_BYTES_BEFORE_LOGIN_MAX, FRAME_BYTES_MAX } from '../../core/limits.ts'
import { type FloodGuard, passBody } from '../session/flood.ts'
import {
  type Admission,
  passBodilessAnswer,
  passBodyHead,
  passDoor,
  shutBodies,
} from '../session/gate.ts'
import { limited } from '../session/limited.ts'
import type { Session } from '../session/session.ts'
import type { Net } from '../session/types.ts'
import type { Answers } from './answer.ts'
import { respondError, respondFlat, respondLimited } from './answers.ts'
import type { Bodies, BodyTerms } from './body.ts'
import type { Door, Exchange, RequestHead } from './exchange.ts'
import { guardOf, type HttpFloods, ipOf } from './http.ts'
import { HTTP_V1 } from './v1.ts'
import { HTTP_V2 } from './v2.ts'

interface DoorOptions {
  readonly net: Net
  readonly floods: HttpFloods
  readonly bodies: Bodies
  readonly answers: Answers
  /** Returns the login on a protocol session of MCP. */
  mcpLogin(id: string): Session | undefined
}

/** Returns the session that a request names, if it is logged in. */
function loginOf({ net, mcpLogin }: DoorOptions, { path, header }: RequestHead) {
  const { http1, http2, mcp } = net.pools.pools
  const id = header('x-session-id')
  const isMcp = path.startsWith('/mcp')
  const session = isMcp
    ? (mcpLogin(header('mcp-session-id')) ?? mcp.get(id))
    : (http1.get(id) ?? http2.get(id))
  return session?.identity ? session : undefined
}

const SESSION_ID = /[0-9a-f]{64}/g

/**
 * Returns the largest body of a request in bytes: the limit of players once the part read so far
 * contains the id of a login, since an MCP call may name its session only in its arguments.
 */
function largerForLogin({ net }: DoorOptions, read: string): number {
  const { mcp } = net.pools.pools
  for (const [id] of read.matchAll(SESSION_ID)) if (mcp.get(id)?.identity) return FRAME_BYTES_MAX
  return FRAME_BYTES_BEFORE_LOGIN_MAX
}

function bodyTerms(options: DoorOptions, head: RequestHead): BodyTerms {
  const { net, floods } = options
  const address = ipOf(net, head)
  const login = loginOf(options, head)
  const pace = net.gate.isLimited ? (login?.id ?? address) : undefined
  let guard: FloodGuard | undefined
  const charge = (bytes: number): boolean => {
    if (pace === undefined) return true
    guard ??= guardOf(net, floods, pace)
    const isPassed = passBody(guard, bytes, net.clock.monoMs())
    if (!isPassed) shutBodies(net.gate, pace)
    return isPassed
  }
  const bytesMax = login ? FRAME_BYTES_MAX : FRAME_BYTES_BEFORE_LOGIN_MAX
  const terms = { address, share: login?.id ?? address, pace, bytesMax, charge }
  if (login || !head.path.startsWith('/mcp')) return terms
  return { ...terms, larger: (read) => largerForLogin(options, read) }
}

const hasBody = ({ header }: RequestHead): boolean =>
  header('transfer-encoding') !== '' || !/^0?$/.test(header('content-length'))

/** Admits a request. Players have their own limits, independent of others at the same address. */
function admit(options: DoorOptions, head: RequestHead): Admission {
  const { net } = options
  const who = loginOf(options, head)?.id ?? ipOf(net, head)
  // Refused bodies do not count against the other requests of their sender.
  const pass = hasBody(head) ? passBodyHead(net.gate, who) : 'passed'
  return pass === 'passed' ? passDoor(net.gate, who) : pass
}

export const createDoor = (options: DoorOptions): Door => ({
  bodies: options.bodies,
  answers: options.answers,
  admit: (head) => admit(options, head),
  bodyTerms: (head) => bodyTerms(options, head),
  admitBare: (address) => passBodilessAnswer(options.net.gate, address),
})

/** Returns an exchange whose answer closes the connection. */
const closing = (exchange: Exchange): Exchange => ({
  ...exchange,
  respond: (status, headers, body) =>
    exchange.respond(status, { connection: 'close', ...headers }, body),
  stream: (status, headers) => exchange.stream(status, { connection: 'close', ...headers }),
})

/**
 * Refuses ambiguous heads, which a proxy in front may have parsed as a different request. A header
 * that was sent twice is a list here. Source: RFC 9112, 3.2 and 6.3.
 */
function isAmbiguous(net: Net, exchange: Exchange): boolean {
  const { header } = exchange
  const length = header('content-length')
  const encoding = header('transfer-encoding')
  const isLength = length === '' || (encoding === '' && /^\d{1,15}$/.test(length))
  // With another encoding the libraries find no end of the body, or a different one than the proxy.
  if (!isLength || !/^(chunked)?$/i.test(encoding)) {
    // The library would parse the rest as the next request.
    exchange.cutOff()
    return true
  }
  const host = header('host')
  if (host !== '' && !host.includes(',')) return false
  const failure = fail('invalid_payload', undefined, 'A request has one header Host.')
  respondFlat(net, closing(exchange), failure)
  return true
}

const VERSIONS = [
  { prefix: '/api/v1/', http: HTTP_V1 },
  { prefix: '/api/v2/', http: HTTP_V2 },
] as const

/** Admits a request; returns false if it was refused. */
export function enter(net: Net, exchange: Exchange, admission: Admission): boolean {
  if (admission === 'passed') return !isAmbiguous(net, exchange)
  const failure = limited('requests', 1)
  const version = VERSIONS.find(({ prefix }) => exchange.path.startsWith(prefix))
  if (version) respondError(net, closing(exchange), version.http, { failure })
  else respondLimited(net, closing(exchange), failure)
  return false
}
