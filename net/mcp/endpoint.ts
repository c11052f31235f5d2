/**
 * One MCP address over HTTP: checks Origin and Host, keeps the protocol sessions of the 2025
 * revisions, serves the sessionless 2026-07-28 revision. The SDK implements the protocol itself,
 * one message at a time. An answer is one JSON body or, for a call that requests progress, a stream
 * of events that ends with the result. Source: RELIABILITY 6 (MCP), WIRE 9.2.
 */
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
  costOfLists,
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
import type * as Sdk from './server.ts'
import type { McpExchange, McpTools } from './server.ts'
import {
  createProtocolSessions,
  dropProtocolSession,
  findProtocolSession,
  loginOn,
  openProtocolSession,
  type ProtocolSession,
  type ProtocolSessions,
  touchProtocolSession,
} from './sessions.ts'
import type { McpTool } from './tools.ts'

/** An HTTP request to the address. */
export interface McpRequest {
  readonly method: string
  readonly query: URLSearchParams
  /** Returns a header; empty if absent. The name is in lower case. */
  header(name: string): string
  readonly body: string
  /** Key of the address. */
  readonly ip: string
  readonly requestId: string
  /** Returns true if nobody reads the answer any more. */
  isGone(): boolean
  /**
   * Counts messages or a handshake of their sender; resolves with a refusal if there are too many.
   */
  admit(what: { readonly messages: number } | 'handshake'): Promise<Failure | undefined>
}

/** A body, or a stream of events. */
type McpReply = StaticReply | EventsReply

export interface McpEndpoint {
  handle(request: McpRequest): Promise<McpReply | Failure>
  /** Returns the login on a protocol session. */
  loginOf(id: string): Session | undefined
  close(): Promise<void>
}

interface McpEndpointOptions {
  readonly config: Pick<NetConfig, 'version' | 'allowedHosts' | 'allowedOrigins' | 'limits'>
  readonly tools: McpTools
  monoMs(): number
  /** Ends the login on a protocol session that ends. */
  endLogin(session: Session): void
  /** Replaces marked command names in a text with those of this address. */
  withNames(text: string): string
  /** Called with the error of a call; its client gets `internal_error`. */
  onBug(error: unknown, requestId: string): void
}

interface EndpointState {
  readonly options: McpEndpointOptions
  readonly sessions: ProtocolSessions
  /** Exchanges by the request that the SDK's handlers serve. */
  readonly exchanges: WeakMap<Request, McpExchange>
  /** Encoded lists of tools: they are long, and every client requests them. */
  readonly lists: WeakMap<readonly McpTool[], Buffer>
}

/**
 * Loads the SDK on demand: it takes a tenth of the memory of an empty server and a third of a
 * second of main's start, which a server without MCP clients saves.
 */
export const loadSdk = (): Promise<typeof Sdk> => import('./server.ts')

/** Serves one address. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const state: EndpointState = {
    options,
    sessions: createProtocolSessions(options.config.limits),
    exchanges: new WeakMap(),
    lists: new WeakMap(),
  }
  let modern: ReturnType<typeof Sdk.createMcpHandler> | undefined
  const answerModern: Answerer = async (web, body) => {
    const { createMcpHandler } = await loadSdk()
    modern ??= createMcpHandler(() => serverOf(state), { legacy: 'reject' })
    return modern.fetch(web, { parsedBody: body })
  }
  return {
    handle: async (request) => {
      const { config } = options
      if (!isHostAllowed(config, request.header('host'))) return FOREIGN_HOST
      if (!isOwnOrigin(config, request.header('origin'))) return FOREIGN_ORIGIN
      return serve(state, request, answerModern)
    },
    loginOf: (id) => loginOn(findProtocolSession(state.sessions, id, options.monoMs())),
    close: async () => modern?.close(),
  }
}

const serverOf = async ({ options, exchanges }: EndpointState) =>
  (await loadSdk()).newServer({ ...options, version: options.config.version, exchanges })

/** Answers one message. */
type Answerer = (web: Request, body: unknown) => Promise<Response>

async function serve(
  state: EndpointState,
  request: McpRequest,
  modern: Answerer,
): Promise<McpReply | Failure> {
  if (request.method === 'DELETE') return endProtocolSession(state, request)
  // A GET requests a stream of server messages; the protocol answers 405 if there is none.
  if (request.method !== 'POST')
    return { ...jsonRpcError(405, -32000, 'Method not allowed.'), headers: ALLOW_HEADERS }
  const body = parseBody(request.body)
  if (body === undefined) return jsonRpcError(400, -32700, 'Parse error: Invalid JSON')
  const messages = Array.isArray(body) ? body.length : 1
  if (messages > MCP_BATCH_MESSAGES_MAX) return jsonRpcError(400, -32600, BATCH_TOO_LONG)
  const refused = await request.admit({ messages: messages + costOfLists(request.query, body) })
  if (refused) return refused
  const { isLegacyRequest } = await loadSdk()
  const isLegacy = await isLegacyRequest(webRequest(request), body)
  if (!isLegacy) {
    if (methodOf(body) === 'subscriptions/listen')
      return jsonRpcError(200, -32601, 'Method not found', idOf(body))
    return answerOne(state, newJob(request, contextOf(request), modern), body)
  }
  return serveLegacy(state, request, body)
}

const BATCH_TOO_LONG = `Invalid Request: a batch holds at most ${MCP_BATCH_MESSAGES_MAX} messages`

const ALLOW_HEADERS = { 'content-type': 'application/json', allow: 'POST, DELETE' }

/** Returns the protocol session that a request names, or an error. */
function sessionOf(
  { sessions, options }: EndpointState,
  request: McpRequest,
): ProtocolSession | StaticReply {
  const id = request.header('mcp-session-id')
  if (!id) return jsonRpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
  const session = findProtocolSession(sessions, id, options.monoMs())
  return session ?? jsonRpcError(404, -32001, 'Session not found')
}

/** Only the first revision over this transport has batches: lists of messages. */
const LAST_REVISION_WITH_BATCHES = '2025-03-26'

async function serveLegacy(
  state: EndpointState,
  request: McpRequest,
  body: unknown,
): Promise<McpReply | Failure> {
  if (methodOf(body) === 'initialize') return initialize(state, request, body)
  const { sessions, options } = state
  const session = sessionOf(state, request)
  if ('status' in session) return session
  if (Array.isArray(body) && session.revision > LAST_REVISION_WITH_BATCHES)
    return jsonRpcError(400, -32600, `Invalid Request: ${session.revision} has no batches`)
  const messages = withoutCancellations(body)
  touchProtocolSession(sessions, session, options.monoMs())
  if (messages === undefined) return NO_ANSWER
  const context = { ...contextOf(request), protocol: session.protocol }
  const isBatch = Array.isArray(messages)
  const job = newJob(request, context, answerLegacy(state, !isBatch))
  const reply = isBatch
    ? await answerBatch(state, asBatch(job), messages)
    : await answerOne(state, job, messages)
  touchProtocolSession(sessions, session, options.monoMs())
  return reply
}

/** The work of answering the messages of one request. */
interface AnswerJob {
  readonly request: McpRequest
  readonly context: CallContext
  readonly answerer: Answerer
  /** Bytes that the answers may still take. */
  bytesLeft: number
}

const newJob = (request: McpRequest, context: CallContext, answerer: Answerer): AnswerJob => ({
  request,
  context,
  answerer,
  bytesLeft: MCP_ANSWER_BYTES_MAX,
})

const asBatch = (job: AnswerJob): AnswerJob => ({ ...job, bytesLeft: MCP_BATCH_ANSWER_BYTES_MAX })

const NO_TOOLS = '"tools":[]'

/** The answer of the SDK to a message, and its exchange. */
interface SdkAnswer {
  readonly response: Response
  readonly exchange: McpExchange
}

async function askSdk(
  { exchanges }: EndpointState,
  { request, context, answerer }: AnswerJob,
  message: unknown,
): Promise<SdkAnswer> {
  const web = webRequest(request)
  const exchange: McpExchange = { query: request.query, context }
  exchanges.set(web, exchange)
  return { response: await answerer(web, message), exchange }
}

/** Answers a single message, in one body or as events. */
async function answerOne(
  state: EndpointState,
  job: AnswerJob,
  message: unknown,
): Promise<McpReply> {
  const answer = await askSdk(state, job, message)
  if (!isEvents(answer.response)) return wholeReply(state, job, message, answer)
  return eventsOf(answer.response, job.bytesLeft, answerTooLong(message))
}

/** Answers a message in one body. */
const answerWhole = async (
  state: EndpointState,
  job: AnswerJob,
  message: unknown,
): Promise<StaticReply> => wholeReply(state, job, message, await askSdk(state, job, message))

/** Returns an answer in one body, with the list of tools if that was requested. */
async function wholeReply(
  state: EndpointState,
  job: AnswerJob,
  message: unknown,
  { response, exchange }: SdkAnswer,
): Promise<StaticReply> {
  const reply = await replyOf(response)
  const { body } = reply
  const { listed } = exchange
  const list = listed && listBytes(state, listed)
  job.bytesLeft -= Buffer.byteLength(body ?? '') + (list?.byteLength ?? 0)
  if (job.bytesLeft < 0) return answerTooLong(message)
  if (!list || typeof body !== 'string') return reply
  const index = body.indexOf(NO_TOOLS) + NO_TOOLS.length - 2
  const parts = [Buffer.from(body.slice(0, index)), list, Buffer.from(body.slice(index + 2))]
  return { ...reply, body: Buffer.concat(parts) }
}

function listBytes({ lists }: EndpointState, tools: readonly McpTool[]): Buffer {
  const known = lists.get(tools) ?? Buffer.from(JSON.stringify(tools))
  lists.set(tools, known)
  return known
}

/** Answers a list of messages in one list. */
async function answerBatch(
  state: EndpointState,
  job: AnswerJob,
  messages: readonly unknown[],
): Promise<StaticReply> {
  if (messages.length === 0) return jsonRpcError(400, -32600, 'Invalid Request: an empty batch')
  if (messages.some((message) => methodOf(message) === 'initialize'))
    return jsonRpcError(400, -32600, 'Invalid Request: initialize stands alone')
  const answers = await answerEach(state, job, messages)
  const parts = answers.flatMap(({ body }) => (body === undefined ? [] : [',', body]))
  if (parts.length === 0) return NO_ANSWER
  // Lists of tools stay encoded, with their names already replaced.
  const bytes = (part: Buffer | string): Buffer =>
    typeof part === 'string' ? Buffer.from(state.options.withNames(part)) : part
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(['[', ...parts.slice(1), ']'].map(bytes)),
  }
}

/**
 * Answers several messages. Calls may wait for a tick, so they run concurrently; the others are
 * answered one by one, because each occupies an SDK server.
 */
async function answerEach(
  state: EndpointState,
  job: AnswerJob,
  messages: readonly unknown[],
): Promise<StaticReply[]> {
  const answer = (message: unknown) => answerWhole(state, job, message)
  const calls = messages.map((message) =>
    methodOf(message) === 'tools/call' ? answer(message) : undefined,
  )
  const answers: StaticReply[] = []
  for (const [i, message] of messages.entries()) {
    const isSpent = calls[i] === undefined && job.bytesLeft < 0
    answers.push(isSpent ? answerTooLong(message) : await (calls[i] ?? answer(message)))
  }
  return answers
}

const ANSWERS_TOO_LONG =
  'Invalid Request: the answers to this batch are too long; ask for less at once'
const NO_ANSWER: StaticReply = { status: 202, headers: {} }

/** Returns the error for a message beyond the limit; a notification is never answered. */
const answerTooLong = (message: unknown): StaticReply =>
  idOf(message) === null ? NO_ANSWER : jsonRpcError(200, -32600, ANSWERS_TOO_LONG, idOf(message))

/**
 * Returns the messages without cancellations; undefined if none is left. A call that the world has
 * accepted runs in any case (accounts.md 9), and the SDK would not answer a cancelled request.
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
  const job = newJob(request, context, answerLegacy(state, false))
  const reply = await answerWhole(state, job, body)
  const { result } = parseObject(String(reply.body ?? '')) ?? {}
  const revision = (result as { protocolVersion?: unknown } | undefined)?.protocolVersion
  if (typeof revision !== 'string') return reply
  const about = { revision, ip: request.ip, nowMs: state.options.monoMs() }
  const session = openProtocolSession(state.sessions, about)
  return { ...reply, headers: { ...reply.headers, 'mcp-session-id': session.id } }
}

/**
 * Returns the answerer of the 2025 revisions. Each message has its own transport: one kept for a
 * session would hold back answers with the same id, and would not end pending requests when it
 * closes.
 */
const answerLegacy =
  (state: EndpointState, mayStream: boolean): Answerer =>
  async (web, body) => {
    const { WebStandardStreamableHTTPServerTransport } = await loadSdk()
    const enableJsonResponse = !(mayStream && asksProgress(body))
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse })
    await (await serverOf(state)).connect(transport)
    const response = await transport.handleRequest(web, { parsedBody: body })
    // A stream of events ends on its own, with the result.
    if (!isEvents(response)) await transport.close()
    return response
  }

async function endProtocolSession(state: EndpointState, request: McpRequest): Promise<StaticReply> {
  const { sessions, options } = state
  const session = sessionOf(state, request)
  if ('status' in session) return session
  const version = request.header('mcp-protocol-version')
  const { SUPPORTED_PROTOCOL_VERSIONS } = await loadSdk()
  if (version !== '' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    return jsonRpcError(400, -32000, 'Bad Request: Unsupported protocol version')
  dropProtocolSession(sessions, session.id)
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
