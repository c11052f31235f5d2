/**
 * One MCP address over HTTP: checks of Origin and Host, protocol sessions of the 2025 revisions,
 * the sessionless 2026-07-28 revision; the SDK does the protocol itself, one message at a time.
 * Answers are single bodies of JSON; a call that asked for progress is answered with events, which
 * leave as they happen, its result being the last.
 * Source: RELIABILITY 6 (MCP), WIRE 9.2.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Failure } from '../../core/errors.ts'
import {
  MCP_ANSWER_BYTES_MAX,
  MCP_BATCH_ANSWER_BYTES_MAX,
  MCP_BATCH_MESSAGES_MAX,
} from '../../core/limits.ts'
import { isHostAllowed, isOwnOrigin } from '../http/host.ts'
import type { StaticReply } from '../http/static-file.ts'
import type { NetConfig } from '../ports.ts'
import type { Session } from '../session/session.ts'
import { parseObject } from '../validate.ts'
import type { CallContext } from './calls.ts'
import {
  asksProgress,
  type EventsReply,
  eventsOf,
  idOf,
  isEvents,
  jsonRpcError,
  methodOf,
  parseBody,
  replyOf,
  webRequest,
} from './messages.ts'
import { type McpExchange, type McpTools, newServer } from './server.ts'
import {
  createProtocolSessions,
  dropProtocolSession,
  findProtocolSession,
  openProtocolSession,
  type ProtocolSessions,
  touchProtocolSession,
} from './sessions.ts'
import type { McpTool } from './tools.ts'

/** An HTTP request; the exchange is that of the server. */
export interface McpRequest {
  readonly method: string
  readonly query: URLSearchParams
  /** Empty when absent; names in lower case. */
  header(name: string): string
  readonly body: string
  /** Key of the address. */
  readonly ip: string
  readonly requestId: string
  /** True when nobody reads the answer any more. */
  isGone(): boolean
  /** Counts messages, or a handshake, for whoever sends them; why that is too much, if it is. */
  admit(what: { readonly messages: number } | 'handshake'): Promise<Failure | undefined>
}

/** A body, or events that are still to come. */
type McpReply = StaticReply | EventsReply

export interface McpEndpoint {
  handle(request: McpRequest): Promise<McpReply | Failure>
  /** The login made on the protocol session of that id. */
  loginOf(id: string): Session | undefined
  close(): Promise<void>
}

interface McpEndpointOptions {
  readonly config: Pick<NetConfig, 'version' | 'allowedHosts' | 'allowedOrigins' | 'limits'>
  readonly tools: McpTools
  monoMs(): number
  /** Ends the login made on a protocol session that ends. */
  endLogin(session: Session): void
  /** A text with the commands it names as this address has them. */
  spoken(text: string): string
  /** Hears of a call that threw; its client is told `internal_error`. */
  onBug(error: unknown, requestId: string): void
}

interface EndpointState {
  readonly options: McpEndpointOptions
  readonly sessions: ProtocolSessions
  /** What the SDK's handlers may know of the request they serve. */
  readonly exchanges: WeakMap<Request, McpExchange>
  /** Lists of tools as bytes: they are long, and asked for by everybody. */
  readonly lists: WeakMap<readonly McpTool[], Buffer>
}

/** Serves one address. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const state: EndpointState = {
    options,
    sessions: createProtocolSessions(options.config.limits),
    exchanges: new WeakMap(),
    lists: new WeakMap(),
  }
  const modern = createMcpHandler(() => serverOf(state), { legacy: 'reject' })
  return {
    handle: async (request) => {
      const { config } = options
      if (!isHostAllowed(config, request.header('host'))) return FOREIGN_HOST
      if (!isOwnOrigin(config, request.header('origin'))) return FOREIGN_ORIGIN
      return serve(state, request, (web, body) => modern.fetch(web, { parsedBody: body }))
    },
    loginOf: (id) => findProtocolSession(state.sessions, id, options.monoMs())?.protocol.login,
    close: () => modern.close(),
  }
}

const serverOf = ({ options, exchanges }: EndpointState): Server =>
  newServer({ ...options, version: options.config.version, exchanges })

/** Answers one message. */
type Answerer = (web: Request, body: unknown) => Promise<Response>

async function serve(
  state: EndpointState,
  request: McpRequest,
  modern: Answerer,
): Promise<McpReply | Failure> {
  if (request.method === 'DELETE') return endProtocolSession(state, request)
  // No stream of our own is offered: 405 is the protocol's word for that.
  if (request.method !== 'POST')
    return { ...jsonRpcError(405, -32000, 'Method not allowed.'), ...allowed }
  const body = parseBody(request.body)
  if (body === undefined) return jsonRpcError(400, -32700, 'Parse error: Invalid JSON')
  const messages = Array.isArray(body) ? body.length : 1
  if (messages > MCP_BATCH_MESSAGES_MAX) return jsonRpcError(400, -32600, BATCH_TOO_LONG)
  const refused = await request.admit({ messages })
  if (refused) return refused
  const isLegacy = await isLegacyRequest(webRequest(request), body)
  if (!isLegacy) {
    if (methodOf(body) === 'subscriptions/listen')
      return jsonRpcError(200, -32601, 'Method not found', idOf(body))
    return answerOne(state, askedOf(request, contextOf(request), modern), body)
  }
  return serveLegacy(state, request, body)
}

const BATCH_TOO_LONG = `Invalid Request: a batch holds at most ${MCP_BATCH_MESSAGES_MAX} messages`

const allowed = { headers: { 'content-type': 'application/json', allow: 'POST, DELETE' } }

/** Lists of messages belong to the first revision over this transport alone. */
const LAST_REVISION_WITH_BATCHES = '2025-03-26'

async function serveLegacy(
  state: EndpointState,
  request: McpRequest,
  body: unknown,
): Promise<McpReply | Failure> {
  if (methodOf(body) === 'initialize') return initialize(state, request, body)
  const { sessions, options } = state
  const id = request.header('mcp-session-id')
  if (!id) return jsonRpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
  const session = findProtocolSession(sessions, id, options.monoMs())
  if (!session) return jsonRpcError(404, -32001, 'Session not found')
  if (Array.isArray(body) && session.revision > LAST_REVISION_WITH_BATCHES)
    return jsonRpcError(400, -32600, `Invalid Request: ${session.revision} has no batches`)
  const messages = withoutCancellations(body)
  touchProtocolSession(sessions, session, options.monoMs())
  if (messages === undefined) return NO_ANSWER
  const context = { ...contextOf(request), protocol: session.protocol }
  const isBatch = Array.isArray(messages)
  const asked = askedOf(request, context, answerLegacy(state, !isBatch))
  const reply = isBatch
    ? await answerBatch(state, askedTogether(asked), messages)
    : await answerOne(state, asked, messages)
  touchProtocolSession(sessions, session, options.monoMs())
  return reply
}

/** A request whose messages are answered. */
interface Asked {
  readonly request: McpRequest
  readonly context: CallContext
  readonly answerer: Answerer
  /** Bytes that may still be answered. */
  bytesLeft: number
}

const askedOf = (request: McpRequest, context: CallContext, answerer: Answerer): Asked => ({
  request,
  context,
  answerer,
  bytesLeft: MCP_ANSWER_BYTES_MAX,
})

const askedTogether = (asked: Asked): Asked => ({ ...asked, bytesLeft: MCP_BATCH_ANSWER_BYTES_MAX })

const NO_TOOLS = '"tools":[]'

/** What the SDK says to a message, and the exchange it served. */
interface Said {
  readonly response: Response
  readonly exchange: McpExchange
}

async function ask(state: EndpointState, asked: Asked, message: unknown): Promise<Said> {
  const web = webRequest(asked.request)
  const exchange: McpExchange = { query: asked.request.query, context: asked.context }
  state.exchanges.set(web, exchange)
  return { response: await asked.answerer(web, message), exchange }
}

/** The answer to a message that stands alone. */
async function answerOne(state: EndpointState, asked: Asked, message: unknown): Promise<McpReply> {
  const said = await ask(state, asked, message)
  if (!isEvents(said.response)) return wholeReply(state, asked, message, said)
  return eventsOf(said.response, asked.bytesLeft, tooMuch(message))
}

/** The answer to one of several messages. */
const answerWhole = async (
  state: EndpointState,
  asked: Asked,
  message: unknown,
): Promise<StaticReply> => wholeReply(state, asked, message, await ask(state, asked, message))

/** An answer in one body, with the list of tools where that was asked for. */
async function wholeReply(
  state: EndpointState,
  asked: Asked,
  message: unknown,
  { response, exchange }: Said,
): Promise<StaticReply> {
  const reply = await replyOf(response)
  const { body } = reply
  const { listed } = exchange
  const list = listed && listBytes(state, listed)
  asked.bytesLeft -= Buffer.byteLength(body ?? '') + (list?.byteLength ?? 0)
  if (asked.bytesLeft < 0) return tooMuch(message)
  if (!list || typeof body !== 'string') return reply
  const at = body.indexOf(NO_TOOLS) + NO_TOOLS.length - 2
  const parts = [Buffer.from(body.slice(0, at)), list, Buffer.from(body.slice(at + 2))]
  return { ...reply, body: Buffer.concat(parts) }
}

function listBytes({ lists }: EndpointState, tools: readonly McpTool[]): Buffer {
  const known = lists.get(tools) ?? Buffer.from(JSON.stringify(tools))
  lists.set(tools, known)
  return known
}

/** The answers to a list of messages, in one list. */
async function answerBatch(
  state: EndpointState,
  asked: Asked,
  messages: readonly unknown[],
): Promise<StaticReply> {
  if (messages.length === 0) return jsonRpcError(400, -32600, 'Invalid Request: an empty batch')
  if (messages.some((message) => methodOf(message) === 'initialize'))
    return jsonRpcError(400, -32600, 'Invalid Request: initialize stands alone')
  const answers = await answerEach(state, asked, messages)
  const said = answers.flatMap(({ body }) => (body === undefined ? [] : [',', body]))
  if (said.length === 0) return NO_ANSWER
  // Lists of tools stay the bytes they are: as text they would be read and written again.
  const bytes = (part: Buffer | string): Buffer =>
    typeof part === 'string' ? Buffer.from(state.options.spoken(part)) : part
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(['[', ...said.slice(1), ']'].map(bytes)),
  }
}

/**
 * The answers to several messages. Calls may wait for a tick, and do so together; the others are
 * answered one by one: each takes a server of its own for as long as it lasts.
 */
async function answerEach(
  state: EndpointState,
  asked: Asked,
  messages: readonly unknown[],
): Promise<StaticReply[]> {
  const answer = (message: unknown) => answerWhole(state, asked, message)
  const calls = messages.map((message) =>
    methodOf(message) === 'tools/call' ? answer(message) : undefined,
  )
  const answers: StaticReply[] = []
  for (const [i, message] of messages.entries()) {
    const isSpent = calls[i] === undefined && asked.bytesLeft < 0
    answers.push(isSpent ? tooMuch(message) : await (calls[i] ?? answer(message)))
  }
  return answers
}

const TOO_MUCH = 'Invalid Request: the answers to this batch are too long; ask for less at once'
const NO_ANSWER: StaticReply = { status: 202, headers: {} }

/** Notifications are not answered, whatever came before them. */
const tooMuch = (message: unknown): StaticReply =>
  idOf(message) === null ? NO_ANSWER : jsonRpcError(200, -32600, TOO_MUCH, idOf(message))

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
  body: unknown,
): Promise<StaticReply | Failure> {
  const refused = await request.admit('handshake')
  if (refused) return refused
  const context = contextOf(request)
  const asked = askedOf(request, context, answerLegacy(state, false))
  const reply = await answerWhole(state, asked, body)
  const { result } = parseObject(String(reply.body ?? '')) ?? {}
  const revision = (result as { protocolVersion?: unknown } | undefined)?.protocolVersion
  if (typeof revision !== 'string') return reply
  const about = { revision, ip: request.ip, nowMs: state.options.monoMs() }
  const session = openProtocolSession(state.sessions, about)
  return { ...reply, headers: { ...reply.headers, 'mcp-session-id': session.id } }
}

/**
 * One transport a message: one kept for a session would hold back answers that bear the same id,
 * and never end requests that are under way when it closes.
 */
const answerLegacy =
  (state: EndpointState, mayStream: boolean): Answerer =>
  async (web, body) => {
    const enableJsonResponse = !(mayStream && asksProgress(body))
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse })
    await serverOf(state).connect(transport)
    const response = await transport.handleRequest(web, { parsedBody: body })
    // Events end by themselves, with the result.
    if (!isEvents(response)) await transport.close()
    return response
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

const contextOf = (request: McpRequest): CallContext => ({
  ip: request.ip,
  requestId: request.requestId,
  bytes: Buffer.byteLength(request.body),
  isGone: request.isGone,
})

const FOREIGN_HOST = jsonRpcError(403, -32000, 'Forbidden: this Host is not allowed')
const FOREIGN_ORIGIN = jsonRpcError(403, -32000, 'Forbidden: this Origin is not allowed')
