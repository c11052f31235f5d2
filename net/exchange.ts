/**
 * One HTTP exchange. Every response object of the server is made here: the abort handler first, the
 * body bounded while it arrives, nothing touched after an abort or an answer. Source: RELIABILITY 2
 * (handler) and lesson 2.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Headers = Readonly<Record<string, string>>
export type Body = Buffer | 'too_large' | 'aborted'

export interface Exchange {
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Address of the socket, as text. */
  readonly remote: string
  /** Empty when absent; names in lower case. */
  header(name: string): string
  /** The whole body, at most what the bound of this exchange allows. */
  readonly body: Promise<Body>
  /** True once the client is gone or the answer is out. */
  isDone(): boolean
  onAborted(handler: () => void): void
  /** Answers; does nothing when the exchange is over. */
  respond(status: number, headers: Headers, body: string | Buffer): void
}

/** The largest body an exchange may send, from its path and headers. */
export type BodyBound = (path: string, header: (name: string) => string) => number

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: '200 OK',
  202: '202 Accepted',
  204: '204 No Content',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  406: '406 Not Acceptable',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

export const statusText = (status: number): string => STATUS_TEXTS[status] ?? `${status}`

/** Gathers chunks up to a bound; what comes after it is thrown away. */
interface Gathering {
  readonly chunks: Buffer[]
  bytes: number
  isSettled: boolean
  readonly settle: (body: Body) => void
  readonly boundBytes: number
}

function gathering(boundBytes: number): { gather: Gathering; body: Promise<Body> } {
  let settle!: (body: Body) => void
  const body = new Promise<Body>((resolve) => {
    settle = resolve
  })
  return { gather: { chunks: [], bytes: 0, isSettled: false, settle, boundBytes }, body }
}

function settle(gather: Gathering, body: Body): void {
  if (gather.isSettled) return
  gather.isSettled = true
  gather.chunks.length = 0
  gather.settle(body)
}

/** `chunk` is only valid during the call: it is copied. */
function addChunk(gather: Gathering, chunk: Uint8Array, isLast: boolean): void {
  if (gather.isSettled) return
  gather.bytes += chunk.byteLength
  if (gather.bytes > gather.boundBytes) {
    settle(gather, 'too_large')
    return
  }
  if (chunk.byteLength > 0) gather.chunks.push(Buffer.from(chunk))
  if (isLast) settle(gather, Buffer.concat(gather.chunks))
}

/** The parts of a response and request of the native library that are used here. */
export interface NativeResponse {
  onAborted(handler: () => void): unknown
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  cork(handler: () => void): unknown
  writeStatus(status: string): unknown
  writeHeader(name: string, value: string): unknown
  end(body?: string | Buffer): unknown
  endWithoutBody(): unknown
  getRemoteAddressAsText(): ArrayBuffer
}

export interface NativeRequest {
  getMethod(): string
  getUrl(): string
  getQuery(): string
  forEach(handler: (name: string, value: string) => void): void
}

/**
 * Headers by name; one that is sent twice is one list. Taking either line alone would let a client
 * hide what a proxy wrote below it.
 */
export function headersOf(req: Pick<NativeRequest, 'forEach'>): Map<string, string> {
  const headers = new Map<string, string>()
  req.forEach((name, value) => {
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  })
  return headers
}

interface Life {
  isDone: boolean
  readonly onAborted: (() => void)[]
}

function abort(life: Life, gather: Gathering): void {
  if (life.isDone) return
  life.isDone = true
  settle(gather, 'aborted')
  for (const handler of life.onAborted) handler()
}

/** Wraps a request of the native library. Must run inside its handler. */
export function nativeExchange(
  res: NativeResponse,
  req: NativeRequest,
  boundOf: BodyBound,
): Exchange {
  const life: Life = { isDone: false, onAborted: [] }
  const headers = headersOf(req)
  const header = (name: string): string => headers.get(name) ?? ''
  const path = req.getUrl()
  const { gather, body } = gathering(boundOf(path, header))
  const method = req.getMethod().toUpperCase()
  res.onAborted(() => abort(life, gather))
  res.onData((chunk, isLast) => addChunk(gather, new Uint8Array(chunk), isLast))
  return {
    method,
    path,
    query: new URLSearchParams(req.getQuery()),
    remote: Buffer.from(res.getRemoteAddressAsText()).toString(),
    header,
    body,
    isDone: () => life.isDone,
    onAborted: (handler) => life.onAborted.push(handler),
    respond: (status, out, text) => {
      if (life.isDone) return
      life.isDone = true
      res.cork(() => {
        res.writeStatus(statusText(status))
        for (const [name, value] of Object.entries(out)) res.writeHeader(name, value)
        if (status === 204 || status === 304) return res.endWithoutBody()
        if (method !== 'HEAD') return res.end(text)
        // A body would be read as the beginning of the next answer, and the library takes an
        // answer whose length it is told for unfinished until all of it is sent.
        res.writeHeader('content-length', String(Buffer.byteLength(text)))
        return res.endWithoutBody()
      })
    },
  }
}

/** Wraps a request of node:http: where the native library has no build. */
export function nodeExchange(
  req: IncomingMessage,
  res: ServerResponse,
  boundOf: BodyBound,
): Exchange {
  const life: Life = { isDone: false, onAborted: [] }
  const header = (name: string): string => {
    const value = req.headers[name]
    return Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  const [path, search] = (req.url ?? '/').split('?', 2)
  const { gather, body } = gathering(boundOf(path, header))
  res.on('close', () => abort(life, gather))
  req.on('error', () => abort(life, gather))
  req.on('data', (chunk: Buffer) => addChunk(gather, chunk, false))
  req.on('end', () => addChunk(gather, Buffer.alloc(0), true))
  return {
    method: (req.method ?? 'GET').toUpperCase(),
    path,
    query: new URLSearchParams(search ?? ''),
    remote: req.socket.remoteAddress ?? '',
    header,
    body,
    isDone: () => life.isDone,
    onAborted: (handler) => life.onAborted.push(handler),
    respond: (status, out, text) => {
      if (life.isDone) return
      life.isDone = true
      res.writeHead(status, out)
      res.end(status === 204 || status === 304 ? undefined : text)
    },
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function respondJson(
  exchange: Exchange,
  status: number,
  value: unknown,
  headers: Headers = {},
): void {
  if (exchange.isDone()) return
  exchange.respond(status, { 'content-type': JSON_TYPE, ...headers }, JSON.stringify(value))
}
