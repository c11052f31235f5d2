/**
 * One MCP address over HTTP: checks of Origin and Host, protocol sessions of the 2025 revisions,
 * the sessionless 2026-07-28 revision; the SDK does the protocol itself. Answers are single bodies:
 * JSON, or the events of a call that asked for progress, which leave with its result.
 * Source: RELIABILITY 6 (MCP), WIRE 9.2.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type ListToolsResult,
  localhostAllowedHostnames,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { fail } from '../core/errors.ts'
import { type CallContext, refusedResult, type ToolResult } from './mcp-calls.ts'
import {
  createProtocolSessions,
  dropProtocolSession,
  findProtocolSession,
  openProtocolSession,
  type ProtocolSessions,
  touchProtocolSession,
} from './mcp-sessions.ts'
import type { McpTool } from './mcp-tools.ts'
import type { NetConfig } from './ports.ts'
import type { Session } from './session.ts'
import type { StaticReply } from './static-file.ts'
import { parseObject } from './validate.ts'

/** An HTTP request; the exchange is that of the server. */
export interface McpRequest {
  readonly method: string
  readonly query: URLSearchParams
  /** Empty when absent; names in lower case. */
  header(name: string): string
  readonly body: string
  /** Key of the address. */
  readonly ip: string
  /** True when nobody reads the answer any more. */
  isGone(): boolean
}

/** Where the tools of an address come from. */
export interface McpTools {
  readonly title: string
  readonly instructions: string
  /** How to get at tools that the list leaves out. */
  unlisted?(query: URLSearchParams): string
  list(query: URLSearchParams): readonly McpTool[]
  /** Undefined: there is no such tool. */
  call(
    query: URLSearchParams,
    call: { readonly tool: string; readonly args: Record<string, unknown> },
    context: CallContext,
  ): Promise<ToolResult | undefined>
}

export interface McpEndpoint {
  handle(request: McpRequest): Promise<StaticReply>
  /** True for the id of a protocol session that is open. */
  knows(id: string): boolean
  close(): Promise<void>
}

export interface McpEndpointOptions {
  readonly config: Pick<NetConfig, 'version' | 'allowedHosts' | 'allowedOrigins'>
  readonly tools: McpTools
  monoMs(): number
  /** Ends the login made on a protocol session that ends. */
  endLogin(session: Session): void
  /** Hears of a call that threw; its client is told `internal_error`. */
  onBug(error: unknown): void
}

interface Exchange {
  readonly query: URLSearchParams
  readonly context: CallContext
}

interface EndpointState {
  readonly options: McpEndpointOptions
  readonly sessions: ProtocolSessions
  /** What the SDK's handlers may know of the request they serve. */
  readonly exchanges: WeakMap<Request, Exchange>
}

/** Serves one address. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const state: EndpointState = {
    options,
    sessions: createProtocolSessions(),
    exchanges: new WeakMap(),
  }
  const modern = createMcpHandler(() => newServer(state), { legacy: 'reject' })
  return {
    handle: async (request) => {
      const refused = checkOrigin(options.config, request)
      if (refused) return refused
      return serve(state, request, (web, body, exchange) => {
        state.exchanges.set(web, exchange)
        return modern.fetch(web, { parsedBody: body })
      })
    },
    knows: (id) => findProtocolSession(state.sessions, id, options.monoMs()) !== undefined,
    close: () => modern.close(),
  }
}

type Modern = (web: Request, body: unknown, exchange: Exchange) => Promise<Response>

async function serve(
  state: EndpointState,
  request: McpRequest,
  modern: Modern,
): Promise<StaticReply> {
  if (request.method === 'DELETE') return endProtocolSession(state, request)
  // No stream of our own is offered: 405 is the protocol's word for that.
  if (request.method !== 'POST')
    return { ...jsonRpcError(405, -32000, 'Method not allowed.'), ...allowed }
  const body = parseBody(request.body)
  if (body === undefined) return jsonRpcError(400, -32700, 'Parse error: Invalid JSON')
  const web = webRequest(request)
  const isLegacy = await isLegacyRequest(web, body)
  if (!isLegacy) {
    if (methodOf(body) === 'subscriptions/listen')
      return jsonRpcError(200, -32601, 'Method not found', idOf(body))
    return replyOf(await modern(web, body, { query: request.query, context: contextOf(request) }))
  }
  return serveLegacy(state, request, web, body)
}

const allowed = { headers: { 'content-type': 'application/json', allow: 'POST, DELETE' } }

/** Lists of messages belong to the first revision over this transport alone. */
const LAST_REVISION_WITH_BATCHES = '2025-03-26'

async function serveLegacy(
  state: EndpointState,
  request: McpRequest,
  web: Request,
  body: unknown,
): Promise<StaticReply> {
  if (methodOf(body) === 'initialize') return initialize(state, request, web, body)
  const { sessions, options } = state
  const id = request.header('mcp-session-id')
  if (!id) return jsonRpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
  const session = findProtocolSession(sessions, id, options.monoMs())
  if (!session) return jsonRpcError(404, -32001, 'Session not found')
  if (Array.isArray(body) && session.revision > LAST_REVISION_WITH_BATCHES)
    return jsonRpcError(400, -32600, `Invalid Request: ${session.revision} has no batches`)
  const messages = withoutCancellations(body)
  touchProtocolSession(sessions, session, options.monoMs())
  if (messages === undefined) return { status: 202, headers: {} }
  const context = { ...contextOf(request), protocol: session.protocol }
  state.exchanges.set(web, { query: request.query, context })
  const reply = await answerOnce(state, web, messages)
  touchProtocolSession(sessions, session, options.monoMs())
  return reply
}

/**
 * A call that the world has accepted runs, so that cancelling it ends nothing (accounts.md 9); and
 * a request whose answer the SDK withholds would never end. Undefined: nothing is left.
 */
function withoutCancellations(body: unknown): unknown {
  const isKept = (message: unknown): boolean => methodOf(message) !== 'notifications/cancelled'
  if (!Array.isArray(body)) return isKept(body) ? body : undefined
  const kept = body.filter(isKept)
  return kept.length > 0 || body.length === 0 ? kept : undefined
}

async function initialize(
  state: EndpointState,
  request: McpRequest,
  web: Request,
  body: unknown,
): Promise<StaticReply> {
  state.exchanges.set(web, { query: request.query, context: contextOf(request) })
  const reply = await answerOnce(state, web, body)
  const { result } = parseObject(String(reply.body ?? '')) ?? {}
  const revision = (result as { protocolVersion?: unknown } | undefined)?.protocolVersion
  if (typeof revision !== 'string') return reply
  const session = openProtocolSession(state.sessions, revision, state.options.monoMs())
  return { ...reply, headers: { ...reply.headers, 'mcp-session-id': session.id } }
}

/**
 * One transport an exchange: one kept for a session would hold back answers that bear the same id,
 * and never end requests that are under way when it closes.
 */
async function answerOnce(state: EndpointState, web: Request, body: unknown): Promise<StaticReply> {
  const enableJsonResponse = !asksProgress(body)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse })
  await newServer(state).connect(transport)
  const reply = await replyOf(await transport.handleRequest(web, { parsedBody: body }))
  await transport.close()
  return reply
}

function endProtocolSession(
  { sessions, options }: EndpointState,
  request: McpRequest,
): StaticReply {
  const id = request.header('mcp-session-id')
  if (!id) return jsonRpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
  const session = findProtocolSession(sessions, id, options.monoMs())
  if (!session) return jsonRpcError(404, -32001, 'Session not found')
  const version = request.header('mcp-protocol-version')
  if (version !== '' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    return jsonRpcError(400, -32000, 'Bad Request: Unsupported protocol version')
  dropProtocolSession(sessions, id)
  const { login } = session.protocol
  if (login && !login.gone) options.endLogin(login)
  return { status: 200, headers: {} }
}

/** A server of the SDK: it knows no state, the exchange has it. */
function newServer(state: EndpointState): Server {
  const { tools, config, onBug } = state.options
  const server = new Server(
    { name: 'game', title: tools.title, version: config.version },
    { capabilities: { tools: {}, resources: {} }, instructions: tools.instructions },
  )
  const exchangeOf = (request: Request | undefined): Exchange => {
    const exchange = request && state.exchanges.get(request)
    if (!exchange) throw new ProtocolError(ProtocolErrorCode.InternalError, 'No exchange')
    return exchange
  }
  server.setRequestHandler('tools/list', ({ params }, context): ListToolsResult => {
    refuseCursor(params)
    const { query } = exchangeOf(context.http?.req)
    return { tools: tools.list(query).map((tool) => ({ ...tool })) } as ListToolsResult
  })
  server.setRequestHandler('tools/call', async (request, context) => {
    const { query, context: known } = exchangeOf(context.http?.req)
    const { name, arguments: args = {}, _meta } = request.params
    const progressToken = _meta?.progressToken
    const tellProgress: CallContext['tellProgress'] = (progress, total, message) => {
      const params = { progressToken: progressToken ?? '', progress, total, message }
      // Whoever is gone hears nothing; the call itself goes on.
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    }
    const call = progressToken === undefined ? known : { ...known, tellProgress }
    const result = await tools.call(query, { tool: name, args }, call).catch((error: unknown) => {
      onBug(error)
      return refusedResult(fail('internal_error'))
    })
    if (!result) {
      const said = [`Unknown tool: ${name.slice(0, 64)}`, tools.unlisted?.(query)].filter(Boolean)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, said.join('. '))
    }
    return { ...result }
  })
  server.setRequestHandler('resources/list', ({ params }) => {
    refuseCursor(params)
    return { resources: [] }
  })
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    refuseCursor(params)
    return { resourceTemplates: [] }
  })
  server.setRequestHandler('resources/read', ({ params }) => {
    throw new ResourceNotFoundError(params.uri.slice(0, 256))
  })
  return server
}

/** Lists are whole: there is no second page to ask for. */
function refuseCursor(params: { readonly cursor?: string } | undefined): void {
  if (params?.cursor === undefined) return
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
}

/** Depth is bounded before anything walks the body; a list is the batch of 2025-03-26. */
function parseBody(text: string): unknown {
  return text.trimStart().startsWith('[')
    ? parseObject(`{"batch":${text}}`)?.batch
    : parseObject(text)
}

/** True for a call that wants to be told how far it is: its answer is a list of events. */
const asksProgress = (body: unknown): boolean => {
  const { params } = (body ?? {}) as { params?: { _meta?: { progressToken?: unknown } } }
  return params?._meta?.progressToken !== undefined
}

const methodOf = (body: unknown): unknown => (body as { method?: unknown } | null)?.method
const idOf = (body: unknown): unknown => (body as { id?: unknown } | null)?.id ?? null

const PROTOCOL_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/**
 * Headers the protocol knows; Accept is ours, because clients leave it out on notifications (WIRE
 * 9.2).
 */
function webRequest(request: McpRequest): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream' })
  headers.set('content-type', request.header('content-type') || 'application/json')
  for (const name of PROTOCOL_HEADERS) {
    const value = request.header(name)
    if (value !== '') headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: request.method, headers })
}

const contextOf = (request: McpRequest): CallContext => ({
  ip: request.ip,
  bytes: Buffer.byteLength(request.body),
  isGone: request.isGone,
})

async function replyOf(response: Response): Promise<StaticReply> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) headers[name] = value
  const text = await response.text()
  return { status: response.status, headers, ...(text === '' ? {} : { body: text }) }
}

function jsonRpcError(
  status: number,
  code: number,
  message: string,
  id: unknown = null,
): StaticReply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }),
  }
}

/* Origin and Host: a page elsewhere must not reach a server on this machine (DNS rebinding). */

function checkOrigin(
  config: McpEndpointOptions['config'],
  { header }: McpRequest,
): StaticReply | undefined {
  const origin = header('origin')
  const hosts = [...localhostAllowedHostnames(), ...config.allowedHosts]
  const host = validateHostHeader(header('host'), hosts)
  if (!host.ok) return jsonRpcError(403, -32000, 'Forbidden: this Host is not allowed')
  if (origin !== '' && !isOriginAllowed(config, origin))
    return jsonRpcError(403, -32000, 'Forbidden: this Origin is not allowed')
  return undefined
}

/** Loopback origins, and those listed exactly; `*` opens the game routes, not this one. */
function isOriginAllowed(config: McpEndpointOptions['config'], origin: string): boolean {
  if (config.allowedOrigins.includes(origin) && origin !== '*') return true
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined
  return parsed !== undefined && localhostAllowedHostnames().includes(parsed.hostname)
}
