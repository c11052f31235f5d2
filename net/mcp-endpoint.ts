/**
 * One MCP address over HTTP: checks of Origin and Host, protocol sessions of the 2025 revisions,
 * the sessionless 2026-07-28 revision; the SDK does the protocol itself. Answers are single JSON
 * bodies: nothing is streamed.
 * Source: RELIABILITY 6 (MCP), WIRE 9.2.
 */
import { randomBytes } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  type ListToolsResult,
  localhostAllowedHostnames,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { SESSION_IDLE_MS } from '../core/limits.ts'
import type { CallContext, ToolResult } from './mcp-calls.ts'
import type { McpTool } from './mcp-tools.ts'
import type { NetConfig } from './ports.ts'
import type { Session } from './session.ts'
import type { StaticReply } from './static-file.ts'
import { parseObject } from './validate.ts'

/** Protocol sessions that nobody has logged in on; the longest unused one goes first. */
const UNBOUND_SESSIONS_MAX = 2_000

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
  close(): Promise<void>
}

export interface McpEndpointOptions {
  readonly config: Pick<NetConfig, 'version' | 'allowedHosts' | 'allowedOrigins'>
  readonly tools: McpTools
  monoMs(): number
  /** Ends the login made on a protocol session that ends. */
  endLogin(session: Session): void
}

interface ProtocolSession {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly protocol: { login: Session | undefined }
  usedMs: number
}

interface Exchange {
  readonly query: URLSearchParams
  readonly context: CallContext
}

interface EndpointState {
  readonly options: McpEndpointOptions
  /** By protocol session id, in order of last use. */
  readonly sessions: Map<string, ProtocolSession>
  /** What the SDK's handlers may know of the request they serve. */
  readonly exchanges: WeakMap<Request, Exchange>
}

/** Serves one address. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const state: EndpointState = { options, sessions: new Map(), exchanges: new WeakMap() }
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
    close: async () => {
      for (const session of state.sessions.values()) await session.transport.close()
      state.sessions.clear()
      await modern.close()
    },
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

async function serveLegacy(
  state: EndpointState,
  request: McpRequest,
  web: Request,
  body: unknown,
): Promise<StaticReply> {
  const id = request.header('mcp-session-id')
  let session: ProtocolSession | undefined
  if (methodOf(body) === 'initialize') session = await openProtocolSession(state)
  else if (!id) return jsonRpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
  else session = state.sessions.get(id)
  if (!session) return jsonRpcError(404, -32001, 'Session not found')
  touch(state, session)
  const context = { ...contextOf(request), protocol: session.protocol }
  state.exchanges.set(web, { query: request.query, context })
  return replyOf(await session.transport.handleRequest(web, { parsedBody: body }))
}

async function openProtocolSession(state: EndpointState): Promise<ProtocolSession> {
  sweep(state)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomBytes(32).toString('hex'),
    enableJsonResponse: true,
    onsessioninitialized: (id) => {
      state.sessions.set(id, session)
    },
  })
  const session: ProtocolSession = {
    transport,
    protocol: { login: undefined },
    usedMs: state.options.monoMs(),
  }
  await newServer(state).connect(transport)
  return session
}

function touch(state: EndpointState, session: ProtocolSession): void {
  session.usedMs = state.options.monoMs()
  const id = session.transport.sessionId
  if (id === undefined || !state.sessions.delete(id)) return
  state.sessions.set(id, session)
}

/** Forgets sessions that are not logged in and long unused, or too many. */
function sweep(state: EndpointState): void {
  const { sessions, options } = state
  const oldestMs = options.monoMs() - SESSION_IDLE_MS
  let unbound = 0
  for (const session of sessions.values()) if (!isBound(session)) unbound += 1
  for (const [id, session] of sessions) {
    if (isBound(session)) continue
    if (session.usedMs > oldestMs && unbound < UNBOUND_SESSIONS_MAX) break
    sessions.delete(id)
    unbound -= 1
    void session.transport.close()
  }
}

const isBound = ({ protocol }: ProtocolSession): boolean =>
  protocol.login !== undefined && !protocol.login.gone

async function endProtocolSession(state: EndpointState, request: McpRequest): Promise<StaticReply> {
  const id = request.header('mcp-session-id')
  if (!id) return jsonRpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
  const session = state.sessions.get(id)
  if (!session) return jsonRpcError(404, -32001, 'Session not found')
  const reply = replyOf(await session.transport.handleRequest(webRequest(request)))
  if ((await reply).status !== 200) return reply
  state.sessions.delete(id)
  const { login } = session.protocol
  if (login && !login.gone) state.options.endLogin(login)
  return reply
}

/** A server of the SDK: it knows no state, the exchange has it. */
function newServer(state: EndpointState): Server {
  const { tools, config } = state.options
  const server = new Server(
    { name: 'game', title: tools.title, version: config.version },
    { capabilities: { tools: {}, resources: {} }, instructions: tools.instructions },
  )
  const exchangeOf = (request: Request | undefined): Exchange => {
    const exchange = request && state.exchanges.get(request)
    if (!exchange) throw new ProtocolError(ProtocolErrorCode.InternalError, 'No exchange')
    return exchange
  }
  server.setRequestHandler('tools/list', (_, context): ListToolsResult => {
    const { query } = exchangeOf(context.http?.req)
    return { tools: tools.list(query).map((tool) => ({ ...tool })) } as ListToolsResult
  })
  server.setRequestHandler('tools/call', async (request, context) => {
    const { query, context: call } = exchangeOf(context.http?.req)
    const { name, arguments: args = {} } = request.params
    const result = await tools.call(query, { tool: name, args }, call)
    if (!result)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 64)}`)
    return { ...result }
  })
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  return server
}

/** Depth is bounded before anything walks the body; a list is the batch of 2025-03-26. */
function parseBody(text: string): unknown {
  return text.trimStart().startsWith('[')
    ? parseObject(`{"batch":${text}}`)?.batch
    : parseObject(text)
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
