/**
 * Routes requests to handlers: a table of routes, CORS headers and origin checks, and the answers
 * to an unknown path, a wrong method or a bug. Source: WIRE 7, accounts.md section 9.
 */
import { fail } from '../core/errors.ts'
import { type Exchange, type Headers, respondJson } from './http/exchange.ts'
import { REQUEST_ID_HEADER } from './http/request-id.ts'
import { namesOf, type Version } from './names.ts'
import { isOriginAllowed } from './session/address.ts'
import type { Net } from './session/types.ts'

export type Method = 'GET' | 'POST' | 'DELETE'
export type PathParams = Readonly<Record<string, string>>

export interface Route {
  readonly method: Method
  /** Segments `:name` match one segment each; plain paths have precedence. */
  readonly path: string
  handle(exchange: Exchange, params: PathParams): void | Promise<void>
}

interface Pattern {
  readonly segments: readonly string[]
  readonly byMethod: Map<string, Route>
}

interface Router {
  readonly plain: Map<string, Map<string, Route>>
  readonly patterns: Pattern[]
}

/** Builds a router from routes. */
export function createRouter(routes: readonly Route[]): Router {
  const router: Router = { plain: new Map(), patterns: [] }
  for (const route of routes) {
    if (!route.path.includes(':')) {
      const methods = router.plain.get(route.path) ?? new Map<string, Route>()
      router.plain.set(route.path, methods.set(route.method, route))
      continue
    }
    const segments = route.path.split('/')
    const same = router.patterns.find((known) => known.segments.join('/') === route.path)
    if (same) same.byMethod.set(route.method, route)
    else router.patterns.push({ segments, byMethod: new Map([[route.method, route]]) })
  }
  return router
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function matchPattern(pattern: Pattern, segments: readonly string[]): PathParams | undefined {
  if (pattern.segments.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, wanted] of pattern.segments.entries()) {
    if (wanted.startsWith(':') && segments[index] !== '')
      params[wanted.slice(1)] = decode(segments[index])
    else if (wanted !== segments[index]) return undefined
  }
  return params
}

/**
 * Finds the route of a request; HEAD is handled as GET, and its answer is sent without a body (RFC
 * 9110, 9.3.2).
 */
const routeOf = (byMethod: ReadonlyMap<string, Route>, method: string): Route | undefined =>
  byMethod.get(method === 'HEAD' ? 'GET' : method)

const methodsOf = (byMethod: ReadonlyMap<string, Route>): string[] =>
  [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

/** A route, or the methods that a known path allows, or `no_path`. */
type Found =
  | { readonly route: Route; readonly params: PathParams }
  | { readonly allowed: readonly string[] }
  | 'no_path'

/** Finds the route of a method and path, with the parameters of the path. */
export function findRoute(router: Router, method: string, path: string): Found {
  const plain = router.plain.get(path)
  if (plain) {
    const route = routeOf(plain, method)
    // A plain path hides the patterns that it would match.
    return route ? { route, params: {} } : { allowed: methodsOf(plain) }
  }
  const segments = path.split('/')
  const allowed = new Set<string>()
  for (const pattern of router.patterns) {
    const params = matchPattern(pattern, segments)
    if (!params) continue
    const route = routeOf(pattern.byMethod, method)
    if (route) return { route, params }
    for (const other of methodsOf(pattern.byMethod)) allowed.add(other)
  }
  return allowed.size > 0 ? { allowed: [...allowed] } : 'no_path'
}

const EXPOSED = 'ETag, Retry-After, Mcp-Session-Id, X-Request-Id'
const ALLOWED = [
  'content-type',
  'x-session-id',
  REQUEST_ID_HEADER,
  'authorization',
  'if-none-match',
  'accept',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
].join(', ')

function corsHeaders(net: Net, origin: string): Headers {
  const isAny = net.config.allowedOrigins.includes('*')
  // A cache must not serve the answer for one origin to another, or to a request without one.
  const vary: Headers = isAny ? {} : { vary: 'origin' }
  if (origin === '') return vary
  return {
    'access-control-allow-origin': isAny ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
    ...vary,
  }
}

/** Merges the headers of an answer with those of CORS; `vary` combines both. */
function joined(headers: Headers, cors: Headers): Headers {
  const isBoth = headers.vary !== undefined && cors.vary !== undefined
  return { ...headers, ...cors, ...(isBoth ? { vary: `${headers.vary}, ${cors.vary}` } : {}) }
}

/**
 * Default headers of every answer: no content sniffing, and no caching unless the answer allows it,
 * since most answers contain a session and some a password.
 */
const GUARDED: Headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Returns the version whose command names a path uses; public data and pages use v2. */
const versionOfPath = (path: string): Version =>
  path === '/mcp' || path.startsWith('/api/v1/') ? 1 : 2

/**
 * Returns the challenge of a 401: a session for the two APIs, a bearer token for account endpoints
 * (RFC 9110, 11.6.1).
 */
const challengeOf = (path: string): string => (/^\/api\/v[12]\//.test(path) ? 'Session' : 'Bearer')

/** Returns an exchange that adds default and CORS headers to its answer. */
function withHeaders(net: Net, exchange: Exchange, origin: string): Exchange {
  const cors = corsHeaders(net, origin)
  const names = namesOf(net.registry)
  const version = versionOfPath(exchange.path)
  /** Counts the answer and returns all of its headers. */
  const begin = (status: number, headers: Headers): Headers => {
    if (!exchange.isDone()) net.metrics.requests.inc({ status: String(status) })
    const challenge: Headers =
      status === 401 ? { 'www-authenticate': challengeOf(exchange.path) } : {}
    return joined({ ...GUARDED, ...challenge, ...headers }, cors)
  }
  return {
    ...exchange,
    respond: (status, headers, body) => {
      const renamed = typeof body === 'string' ? names.text(version, body) : body
      exchange.respond(status, begin(status, headers), renamed)
    },
    stream: (status, headers) => {
      const stream = exchange.stream(status, begin(status, headers))
      const renamed = (piece: string | Buffer): string | Buffer =>
        typeof piece === 'string' ? names.text(version, piece) : piece
      return { ...stream, write: (piece) => stream.write(renamed(piece)) }
    },
  }
}

function preflight(exchange: Exchange): void {
  exchange.respond(
    204,
    {
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': ALLOWED,
      'access-control-max-age': '86400',
    },
    '',
  )
}

/** Responds with an error outside of any command; `result` is always a text on v2. */
function respondFlatly(
  exchange: Exchange,
  status: number,
  error: { readonly code: string; readonly message: string },
  headers: Headers = {},
): void {
  const { code, message } = error
  const result = exchange.path.startsWith('/api/v2/') ? message : null
  const body = { error: { code, message }, code, message, result, notifications: [] }
  respondJson(exchange, status, body, headers)
}

/** Answers a request: by its route, or with an error. */
export async function route(net: Net, router: Router, raw: Exchange): Promise<void> {
  const origin = raw.header('origin')
  const isAllowed = isOriginAllowed(net.config, origin)
  const exchange = withHeaders(net, raw, isAllowed ? origin : '')
  if (!isAllowed) {
    const message = 'This origin is not allowed: add it to ALLOWED_ORIGINS of the server.'
    return respondFlatly(exchange, 403, { code: 'forbidden', message })
  }
  if (exchange.method === 'OPTIONS') return preflight(exchange)
  const found = findRoute(router, exchange.method, exchange.path)
  if (found === 'no_path') {
    const message = 'There is no such path: /docs lists the addresses.'
    return respondFlatly(exchange, 404, { code: 'not_found', message })
  }
  if ('allowed' in found) {
    const allow = found.allowed.join(', ')
    return respondFlatly(exchange, 405, fail('method_not_allowed', { allow }), { allow })
  }
  try {
    await found.route.handle(exchange, found.params)
  } catch (error) {
    const { requestId } = exchange
    net.log.error({ err: error, path: found.route.path, requestId }, 'a request failed')
    respondFlatly(exchange, 500, fail('internal_error'))
  }
}
