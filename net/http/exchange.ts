/**
 * One HTTP exchange. Every response object of the server is made here: the abort handler first, the
 * body bounded while it arrives, nothing touched after an abort or an answer. Source: RELIABILITY 2
 * (handler) and lesson 2.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BODY_BYTES_DISCARDED_MAX } from '../../core/limits.ts'
import type { Admission } from '../session/gate.ts'
import {
  type Answers,
  LOST,
  type NativeBody,
  type NativePieces,
  type Stream,
  sendBody,
  sendPieces,
  type Wait,
  waitForReader,
  within,
} from './answer.ts'
import {
  addChunk,
  type Bodies,
  type Body,
  type BodyTerms,
  type Gathering,
  gatherBody,
  settleBody,
} from './body.ts'
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts'

export type Headers = Readonly<Record<string, string>>
export interface Exchange extends RequestHead {
  /** The whole body, at most what the bound of this exchange allows. */
  readonly body: Promise<Body>
  /** True once the client is gone or the answer is out. */
  isDone(): boolean
  onAborted(handler: () => void): void
  /**
   * Answers; does nothing when the exchange is over. A header `connection: close` ends the
   * connection with it.
   */
  respond(status: number, headers: Headers, body: string | Buffer): void
  /**
   * Begins an answer that leaves in pieces, whose length its caller bounds. What is written once
   * the exchange is over is lost; to HEAD the head alone is answered.
   */
  stream(status: number, headers: Headers): Stream
  /** Ends the connection at once, without an answer: what follows on it is not read. */
  cutOff(): void
}

/** What is known of a request before its body. */
export interface RequestHead {
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Address of the socket, as text. */
  readonly remote: string
  /** Stands on lines of the log about this request, and in its answer. */
  readonly requestId: string
  /** Empty when absent; names in lower case; a header that came twice is a list. */
  header(name: string): string
}

/** What all exchanges of a server share. */
export interface Door {
  readonly bodies: Bodies
  readonly answers: Answers
  /** Whether a request is let in, refused with a reason, or its connection ended unread. */
  admit(head: RequestHead): Admission
  bodyTerms(head: RequestHead): BodyTerms
  /** False where an address has had too many answers without a body. */
  admitBare(address: string): boolean
}

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
  408: '408 Request Timeout',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

export const statusText = (status: number): string => STATUS_TEXTS[status] ?? `${status}`

/** The parts of a response and request of the native library that are used here. */
export interface NativeResponse extends NativeBody, Pick<NativePieces, 'write'> {
  onAborted(handler: () => void): unknown
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  cork(handler: () => void): unknown
  writeStatus(status: string): unknown
  writeHeader(name: string, value: string): unknown
  end(body?: string | Buffer, closeConnection?: boolean): unknown
  endWithoutBody(): unknown
  /** Cuts the connection off. */
  close(): unknown
  getRemoteAddressAsText(): ArrayBuffer
}

interface NativeRequest {
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
  /** An answer that leaves in pieces has begun: there is no other. */
  isStreaming: boolean
  /** An answer that is not read whole yet. */
  wait: Wait | undefined
  readonly onAborted: (() => void)[]
}

const newLife = (): Life => ({
  isDone: false,
  isStreaming: false,
  wait: undefined,
  onAborted: [],
})

/** Gives the exchange up: its connection is gone. */
function abort(bodies: Bodies, life: Life, gather: Gathering): void {
  life.wait?.left(0)
  if (life.isDone) return
  life.isDone = true
  settleBody(bodies, gather, 'aborted')
  for (const handler of life.onAborted) handler()
}

/**
 * Returns true where the connection ends with the answer: it is asked for, or a body is under way
 * that nobody wants to read to its end.
 */
function endsConnection(head: RequestHead, gather: Gathering, headers: Headers): boolean {
  if (headers.connection === 'close') return true
  const length = head.header('content-length')
  const isChunked = head.header('transfer-encoding') !== ''
  if (gather.isWhole || (length === '' && !isChunked)) return false
  return isChunked || !(Number(length) <= BODY_BYTES_DISCARDED_MAX)
}

/** Returns the headers of an answer with the id of its request. */
const identified = ({ requestId }: RequestHead, headers: Headers): Headers => ({
  [REQUEST_ID_HEADER]: requestId,
  ...headers,
})

interface NativeAnswer {
  readonly res: NativeResponse
  readonly method: string
  /** Whether the connection ends with an answer of these headers. */
  ends(headers: Headers): boolean
}

/** Writes status and headers; true where the connection ends with the answer. */
function writeHead({ res, ends }: NativeAnswer, status: number, out: Headers): boolean {
  const isLast = ends(out)
  res.writeStatus(statusText(status))
  for (const [name, value] of Object.entries(out)) {
    if (name !== 'connection') res.writeHeader(name, value)
  }
  if (isLast) res.writeHeader('connection', 'close')
  return isLast
}

/** The last answer of a connection leaves at once when it is so short; longer ones are counted. */
const LAST_BYTES_MAX = 4 * 1024

interface WholeAnswer extends NativeAnswer {
  readonly status: number
  readonly out: Headers
  readonly text: Buffer
}

/** Sends an answer that is whole; what the socket does not take waits for its reader. */
function sendWhole(answer: WholeAnswer, wait: () => Wait): void {
  const { res, method, status, out, text } = answer
  const isLast = writeHead(answer, status, out)
  const isBare = status === 204 || status === 304
  if (isLast) {
    if (isBare || method === 'HEAD') return void res.end(undefined, true)
    if (text.byteLength <= LAST_BYTES_MAX) return void res.end(text, true)
    const pieces = sendPieces(res, true, wait)
    pieces.write(text)
    pieces.end()
    return
  }
  if (isBare) return void res.endWithoutBody()
  if (method === 'HEAD') {
    // A body would be read as the beginning of the next answer, and the library takes an answer
    // whose length it is given for unfinished until all of it is sent.
    res.writeHeader('content-length', String(text.byteLength))
    return void res.endWithoutBody()
  }
  if (text.byteLength === 0) return void res.end()
  sendBody(res, text, wait)
}

/** Returns the head of a request of the native library. Must run inside its handler. */
export function nativeHead(res: NativeResponse, req: NativeRequest): RequestHead {
  const headers = headersOf(req)
  return {
    method: req.getMethod().toUpperCase(),
    path: req.getUrl(),
    query: new URLSearchParams(req.getQuery()),
    remote: Buffer.from(res.getRemoteAddressAsText()).toString(),
    requestId: requestIdOf(headers.get(REQUEST_ID_HEADER) ?? ''),
    header: (name) => headers.get(name) ?? '',
  }
}

/**
 * Has a request of the native library served, and its body read. Must run inside its handler. What
 * is answered before `serve` returns is not read: its body may cost a call for every byte.
 */
export function serveNative(
  { res, head, door }: { res: NativeResponse; head: RequestHead; door: Door },
  serve: (exchange: Exchange) => void,
): void {
  const { bodies, answers } = door
  const life = newLife()
  const terms = door.bodyTerms(head)
  const { gather, body } = gatherBody(bodies, terms)
  const { method } = head
  res.onAborted(() => abort(bodies, life, gather))
  const waitFor = (): Wait => {
    life.wait = waitForReader(answers, terms.address, () => res.close())
    return life.wait
  }
  const answer: NativeAnswer = { res, method, ends: (out) => endsConnection(head, gather, out) }
  serve({
    body,
    isDone: () => life.isDone,
    onAborted: (handler) => life.onAborted.push(handler),
    respond: (status, out, text) => {
      if (life.isDone || life.isStreaming) return
      life.isDone = true
      settleBody(bodies, gather, 'aborted')
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const isBodiless = bytes.byteLength === 0 || method === 'HEAD' || status === 304
      // Nothing shows whether these are read: in a flood their connection is ended.
      if (isBodiless && !door.admitBare(terms.address)) return void res.close()
      const whole = { status, out: identified(head, out), text: bytes, ...answer }
      res.cork(() => sendWhole(whole, waitFor))
      life.wait?.left(bytes.byteLength)
    },
    stream: (status, out) => {
      if (life.isDone || life.isStreaming) return LOST
      settleBody(bodies, gather, 'aborted')
      let isLast = false
      const isBare = method === 'HEAD'
      if (isBare) {
        life.isDone = true
        if (!door.admitBare(terms.address)) {
          res.close()
          return LOST
        }
      }
      res.cork(() => {
        isLast = writeHead(answer, status, identified(head, out))
        if (!isBare) return
        if (isLast) res.end(undefined, true)
        else res.endWithoutBody()
      })
      if (isBare) return LOST
      return within(life, sendPieces(res, isLast, waitFor))
    },
    cutOff: () => {
      if (!life.isDone) res.close()
    },
    // Last: after a spread, V8 makes a hidden class for every further member of every object.
    ...head,
  })
  if (life.isDone) return
  res.onData((chunk, isLast) => addChunk(bodies, gather, new Uint8Array(chunk), isLast))
}

/** Returns the head of a request of node:http. */
export function nodeHead(req: IncomingMessage): RequestHead {
  const [path, search] = (req.url ?? '/').split('?', 2)
  // As `headersOf` has it: node by itself keeps the first line of some.
  const header = (name: string): string => req.headersDistinct[name]?.join(', ') ?? ''
  return {
    method: (req.method ?? 'GET').toUpperCase(),
    path,
    query: new URLSearchParams(search ?? ''),
    remote: req.socket.remoteAddress ?? '',
    requestId: requestIdOf(header(REQUEST_ID_HEADER)),
    header,
  }
}

/** Wraps a request of node:http: where the native library has no build. */
export function nodeExchange(
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  head: RequestHead,
  door: Door,
): Exchange {
  const { bodies, answers } = door
  const life = newLife()
  const terms = door.bodyTerms(head)
  const { gather, body } = gatherBody(bodies, terms)
  res.on('close', () => abort(bodies, life, gather))
  req.on('error', () => abort(bodies, life, gather))
  req.on('data', (chunk: Buffer) => addChunk(bodies, gather, chunk, false))
  req.on('end', () => addChunk(bodies, gather, Buffer.alloc(0), true))
  const writeHead = (status: number, out: Headers): void => {
    const isLast = endsConnection(head, gather, out)
    const all = identified(head, out)
    res.writeHead(status, isLast ? { ...all, connection: 'close' } : all)
  }
  const waitFor = (bytes: number): void => {
    life.wait ??= waitForReader(answers, terms.address, () => req.socket.destroy())
    life.wait.left(bytes)
  }
  return {
    body,
    isDone: () => life.isDone,
    onAborted: (handler) => life.onAborted.push(handler),
    respond: (status, out, text) => {
      if (life.isDone || life.isStreaming) return
      life.isDone = true
      settleBody(bodies, gather, 'aborted')
      writeHead(status, out)
      res.end(status === 204 || status === 304 ? undefined : text)
      if (!res.writableFinished) waitFor(Buffer.byteLength(text))
    },
    stream: (status, out) => {
      if (life.isDone || life.isStreaming) return LOST
      settleBody(bodies, gather, 'aborted')
      writeHead(status, out)
      if (head.method === 'HEAD') {
        life.isDone = true
        res.end()
        return LOST
      }
      res.flushHeaders()
      res.on('drain', () => {
        life.wait?.left(0)
        life.wait = undefined
      })
      return within(life, {
        write: (piece) => {
          const isTaken = res.write(piece)
          if (!isTaken) waitFor(res.writableLength)
          return isTaken
        },
        pending: () => res.writableLength,
        end: () => {
          res.end()
          if (!res.writableFinished) waitFor(res.writableLength)
        },
      })
    },
    cutOff: () => req.socket.destroy(),
    ...head,
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function respondJson(
  exchange: Exchange,
  status: number,
  value: unknown,
  headers: Headers = {},
): void {
  if (exchange.isDone()) return
  exchange.respond(status, { 'content-type': JSON_TYPE, ...headers }, JSON.stringify(value))
}
