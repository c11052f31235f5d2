/**
 * Converts between HTTP and MCP messages: parses bodies, builds the requests for the SDK, and turns
 * its responses and our own errors into replies.
 */
import type { StaticReply } from '../http/static-file.ts'
import { parseObject } from '../validate.ts'

/**
 * Parses a body with the depth limit of `parseObject`; returns undefined if it is not JSON. A list
 * is a batch of revision 2025-03-26.
 */
export function parseBody(text: string): unknown {
  return text.trimStart().startsWith('[')
    ? parseObject(`{"batch":${text}}`)?.batch
    : parseObject(text)
}

/** Returns true for a call that requests progress, which is answered with events. */
export const asksProgress = (body: unknown): boolean => {
  const { params } = (body ?? {}) as { params?: { _meta?: { progressToken?: unknown } } }
  return methodOf(body) === 'tools/call' && params?._meta?.progressToken !== undefined
}

export const methodOf = (body: unknown): unknown => (body as { method?: unknown } | null)?.method
export const idOf = (body: unknown): unknown => (body as { id?: unknown } | null)?.id ?? null

const PROTOCOL_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/**
 * Builds the request for the SDK, with the headers of the protocol. Accept is set here, because
 * clients omit it on notifications (WIRE 9.2).
 */
export function webRequest(request: {
  readonly method: string
  header(name: string): string
}): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream' })
  headers.set('content-type', 'application/json')
  for (const name of ['content-type', ...PROTOCOL_HEADERS]) {
    const value = request.header(name)
    // Headers throws an error for other characters, and the socket library decodes UTF-8.
    if (/^[ -~]+$/.test(value)) headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: request.method, headers })
}

const headOf = ({ status, headers }: Response) => ({
  status,
  headers: Object.fromEntries(headers),
})

const INTERNAL_ERROR = -32603
const INVALID_PARAMS = -32602
/** Longer answers are no errors. */
const ERROR_CHARACTERS_MAX = 10_000

interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Returns the issues that the SDK lists as the message of an error; undefined for another text. */
function issuesOf(message: unknown): readonly Issue[] | undefined {
  if (typeof message !== 'string' || !message.startsWith('[')) return undefined
  return parseObject(`{"issues":${message}}`)?.issues as readonly Issue[] | undefined
}

/** Returns an answer as it is sent: the SDK calls invalid parameters an internal error. */
function withOwnCode(text: string): string {
  if (text.length > ERROR_CHARACTERS_MAX || !text.includes(`"code":${INTERNAL_ERROR}`)) return text
  const answer = parseObject(text)
  const { code, message } = (answer?.error ?? {}) as { code?: unknown; message?: unknown }
  const issues = code === INTERNAL_ERROR ? issuesOf(message) : undefined
  if (!issues) return text
  const reasons = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const error = { code: INVALID_PARAMS, message: `Invalid params: ${reasons.join('; ')}` }
  return JSON.stringify({ ...answer, error })
}

/** Converts a response of the SDK to a reply. */
export async function replyOf(response: Response): Promise<StaticReply> {
  const text = withOwnCode(await response.text())
  return { ...headOf(response), ...(text === '' ? {} : { body: text }) }
}

/** An answer as a stream of events. */
export interface EventsReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The text of each event, as it arrives. */
  readonly events: AsyncIterable<string>
}

export const isEvents = ({ headers }: Response): boolean =>
  headers.get('content-type') === 'text/event-stream'

/** Returns the events of a response; if they exceed the limit, `tooLong` is the last one. */
export const eventsOf = (
  response: Response,
  bytesMax: number,
  tooLong: StaticReply,
): EventsReply => ({ ...headOf(response), events: readEvents(response, bytesMax, tooLong) })

/** Reads the events of a response. The SDK writes one at a time, so none is split. */
async function* readEvents(
  { body }: Response,
  bytesMax: number,
  tooLong: StaticReply,
): AsyncGenerator<string> {
  const reader = body?.getReader()
  let bytesLeft = bytesMax
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (!value) return
    bytesLeft -= value.byteLength
    if (bytesLeft < 0) {
      yield `event: message\ndata: ${tooLong.body}\n\n`
      return
    }
    yield Buffer.from(value).toString()
  }
}

/** Returns a reply with a JSON-RPC error. */
export function jsonRpcError(
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

/** Messages that a list of tools counts as which is made anew for its own exclusions. */
const OWN_LIST_MESSAGES = 20

/** Returns how many messages a body counts as beyond those that it contains; an empty one as 1. */
export function costOfLists(query: URLSearchParams, body: unknown): number {
  const messages: unknown[] = Array.isArray(body) ? body : [body]
  if (messages.length === 0) return 1
  const lists = messages.some((message) => methodOf(message) === 'tools/list')
  return lists && query.has('exclude') ? OWN_LIST_MESSAGES : 0
}
