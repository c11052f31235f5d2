/**
 * Messages of MCP as they stand in HTTP: bodies read, the requests the SDK takes, its responses and
 * our own errors as replies.
 */
import type { StaticReply } from './static-file.ts'
import { parseObject } from './validate.ts'

/** Depth is bounded before anything walks the body; a list is the batch of 2025-03-26. */
export function parseBody(text: string): unknown {
  return text.trimStart().startsWith('[')
    ? parseObject(`{"batch":${text}}`)?.batch
    : parseObject(text)
}

/** True for a call that wants to be told how far it is: its answer is a list of events. */
export const asksProgress = (body: unknown): boolean => {
  const { params } = (body ?? {}) as { params?: { _meta?: { progressToken?: unknown } } }
  return params?._meta?.progressToken !== undefined
}

export const methodOf = (body: unknown): unknown => (body as { method?: unknown } | null)?.method
export const idOf = (body: unknown): unknown => (body as { id?: unknown } | null)?.id ?? null

const PROTOCOL_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/**
 * Headers the protocol knows; Accept is ours, because clients leave it out on notifications (WIRE
 * 9.2).
 */
export function webRequest(request: {
  readonly method: string
  header(name: string): string
}): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream' })
  headers.set('content-type', request.header('content-type') || 'application/json')
  for (const name of PROTOCOL_HEADERS) {
    const value = request.header(name)
    if (value !== '') headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: request.method, headers })
}

export async function replyOf(response: Response): Promise<StaticReply> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) headers[name] = value
  const text = await response.text()
  return { status: response.status, headers, ...(text === '' ? {} : { body: text }) }
}

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
