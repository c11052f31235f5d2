/**
 * What every HTTP request meets before its route: how many an address may send, heads that could be
 * read in two ways, and what its body is held against. Source: RELIABILITY 5 (A1, A2), 6.
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
  /** The login made on a protocol session of MCP. */
  mcpLogin(id: string): Session | undefined
}

/** Returns the session a request says it belongs to, if that is logged in. */
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
 * Returns the largest body of a request, bytes: that of a player once what has been read holds the
 * id of a login, since MCP may name its session in the arguments of a call alone.
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

/**
 * Admits a request. Players have bounds of their own, untouched by what others do at their
 * address.
 */
function admit(options: DoorOptions, head: RequestHead): Admission {
  const { net } = options
  const who = loginOf(options, head)?.id ?? ipOf(net, head)
  // Bodies that are shut out do not use up what their sender may ask besides.
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

/** Returns the exchange with whatever it answers as the last of its connection. */
const closing = (exchange: Exchange): Exchange => ({
  ...exchange,
  respond: (status, headers, body) =>
    exchange.respond(status, { connection: 'close', ...headers }, body),
  stream: (status, headers) => exchange.stream(status, { connection: 'close', ...headers }),
})

/**
 * Refuses heads that could be read in two ways, so that a proxy in front may have read another
 * request out of them. A header that came twice is a list here. Source: RFC 9112, 3.2 and 6.3.
 */
function isAmbiguous(net: Net, exchange: Exchange): boolean {
  const { header } = exchange
  const length = header('content-length')
  const encoding = header('transfer-encoding')
  const isLength = length === '' || (encoding === '' && /^\d{1,15}$/.test(length))
  // Of another encoding the libraries see no end, or another one than a proxy.
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

/** Lets a request in; false when it has been refused. */
export function enter(net: Net, exchange: Exchange, admission: Admission): boolean {
  if (admission === 'passed') return !isAmbiguous(net, exchange)
  const failure = limited('requests', 1)
  const version = VERSIONS.find(({ prefix }) => exchange.path.startsWith(prefix))
  if (version) respondError(net, closing(exchange), version.http, { failure })
  else respondLimited(net, closing(exchange), failure)
  return false
}
