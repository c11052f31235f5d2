/** The drivers of HTTP v1 and v2 and of MCP, on one keep-alive connection each. */
import { type Agent, request } from 'node:http'
import type { CommandDef } from '../../core/command.ts'
import {
  type Answer,
  asJson,
  type Driver,
  ended,
  type Json,
  type Message,
  parse,
  TEXT_SHOWN,
} from './driver.ts'
import { createSpacing } from './patience.ts'
import { bytesOf, openPipe, type Pipe, type PipeReply } from './pipe.ts'

/** Below the flood guard of a session, 100 requests a second. */
const REQUEST_EVERY_MS = 11

interface Raw {
  readonly status: number
  readonly text: string
}

/** Sends any method, headers and body; undefined when the server ended the connection instead. */
export function ask(base: string, message: Message, agent?: Agent): Promise<Raw | undefined> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve) => {
    const req = request(
      {
        hostname,
        port,
        agent,
        method: message.method ?? 'POST',
        path: message.path ?? '/',
        headers: { 'content-length': String(message.body.length), ...message.headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => resolve(undefined))
        response.on('end', () => {
          const { statusCode = 0 } = response
          resolve({ status: statusCode, text: Buffer.concat(chunks).toString() })
        })
      },
    )
    req.on('error', () => resolve(undefined))
    req.end(message.body)
  })
}

function refusal(error: unknown, body: Json): string {
  if (typeof error === 'string') return String(body.code ?? error)
  return error === null || error === undefined ? '' : String(asJson(error).code)
}

/** Reads the envelope of an HTTP answer. */
export function httpAnswer(raw: Raw | undefined): Answer {
  if (!raw) return ended()
  const body = parse(raw.text) ?? {}
  const code = refusal(body.error, body)
  const own = asJson(body.structuredContent ?? body.result)
  return {
    isReply: true,
    ok: raw.status === 200 && code === '',
    pending: own.pending === true,
    code,
    result: { ...own, session: body.session },
    status: raw.status,
    text: raw.text.slice(0, TEXT_SHOWN),
  }
}

/** Reads a JSON-RPC answer. */
function rpcAnswer(raw: Raw | undefined): Answer {
  if (!raw) return ended()
  const body = parse(raw.text) ?? {}
  const result = asJson(body.result)
  const structured = asJson(result.structuredContent)
  const error = body.error === undefined ? '' : `rpc_${String(asJson(body.error).code)}`
  const refused = result.isError === true ? String(asJson(structured.error).code) : ''
  const code = error || refused
  return {
    isReply: true,
    ok: code === '' && raw.status < 300,
    pending: structured.pending === true,
    code,
    result: structured,
    status: raw.status,
    text: raw.text.slice(0, TEXT_SHOWN),
  }
}

interface Connection {
  readonly port: number
  pipe: Pipe | undefined
  readonly turn: () => Promise<void>
  isOpen: boolean
}

const newConnection = (base: string): Connection => ({
  port: Number(new URL(base).port),
  pipe: undefined,
  turn: createSpacing(REQUEST_EVERY_MS),
  isOpen: false,
})

/**
 * Sends on the connection, or on a new one if the server ended it; undefined if it ends now.
 */
async function exchange(state: Connection, message: Message): Promise<PipeReply | undefined> {
  if (!state.pipe?.isOpen) state.pipe = await openPipe(state.port)
  return state.pipe.send(bytesOf(message), message.method === 'HEAD')
}

function close(state: Connection): void {
  state.pipe?.drop()
  state.pipe = undefined
  state.isOpen = false
}

export function createHttpDriver(base: string, framing: 'http1' | 'http2'): Driver {
  const state = newConnection(base)
  const api = framing === 'http1' ? '/api/v1' : '/api/v2'
  let session = ''
  return {
    framing,
    get isOpen() {
      return state.isOpen
    },
    get session() {
      return session
    },
    async open() {
      const raw = await exchange(state, { path: `${api}/session`, body: Buffer.alloc(0) })
      session = String(asJson(httpAnswer(raw).result.session).id)
      state.isOpen = true
    },
    compose(def, params) {
      const name =
        framing === 'http1' ? def.name : `${def.v2?.tool}${def.v2?.action && `/${def.v2.action}`}`
      return { path: `${api}/${name}`, body: Buffer.from(params) }
    },
    async send(message) {
      await state.turn()
      const headers = {
        'content-type': 'application/json',
        'x-session-id': session,
        ...message.headers,
      }
      const isRpc = message.path?.startsWith('/mcp') ?? false
      const raw = await exchange(state, { ...message, headers })
      return isRpc ? rpcAnswer(raw) : httpAnswer(raw)
    },
    async close() {
      close(state)
    },
  }
}

const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

function toolCall(framing: 'mcp1' | 'mcp2', def: CommandDef, params: string): string {
  const name = framing === 'mcp1' ? def.name : def.v2?.tool
  const action = framing === 'mcp2' && def.v2?.action ? `"action":"${def.v2.action}"` : ''
  const isObject = params.startsWith('{')
  const rest = params.slice(1)
  const between = action && !/^\s*\}/.test(rest) ? ',' : ''
  const args = isObject ? `{${action}${between}${rest}` : params
  return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
}

export function createMcpDriver(base: string, framing: 'mcp1' | 'mcp2'): Driver {
  const state = newConnection(base)
  const path = framing === 'mcp1' ? '/mcp' : '/mcp/v2?preset=full'
  let session = ''
  const post = (body: string) =>
    exchange(state, {
      path,
      body: Buffer.from(body),
      headers: {
        ...MCP_HEADERS,
        ...(session ? { 'mcp-session-id': session } : {}),
        ...(session ? { 'mcp-protocol-version': '2025-06-18' } : {}),
      },
    })
  return {
    framing,
    get isOpen() {
      return state.isOpen
    },
    async open() {
      session = ''
      const raw = await post(
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",' +
          '"capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}',
      )
      session = raw?.header('mcp-session-id') ?? ''
      await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
      state.isOpen = true
    },
    compose: (def, params) => ({ path, body: Buffer.from(toolCall(framing, def, params)) }),
    async send(message) {
      await state.turn()
      const headers = {
        ...MCP_HEADERS,
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-06-18',
        ...message.headers,
      }
      const raw = await exchange(state, { ...message, headers })
      return message.path?.startsWith('/api') ? httpAnswer(raw) : rpcAnswer(raw)
    },
    async close() {
      close(state)
    },
  }
}
