/**
 * One HTTP exchange. All responses of the server are sent here: the abort handler is set first, the
 * body is limited while it arrives, and nothing is touched after an abort or an answer. Source:
 * RELIABILITY 2 (handler) and lesson 2.
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
  /** Resolves with the whole body, within the limits of this exchange, or why there is none. */
  readonly body: Promise<Body>
  /** Returns true once the client is gone or the answer is sent. */
  isDone(): boolean
  onAborted(handler: () => void): void
  /** Answers, unless the exchange is over. `connection: close` closes the connection after it. */
  respond(status: number, headers: Headers, body: string | Buffer): void
  /**
   * Starts an answer in pieces; the caller limits its length. Writes after the end of the exchange
   * are discarded; HEAD is answered with the head only.
   */
  stream(status: number, headers: Headers): Stream
  /** Closes the connection at once, without an answer; further input is not read. */
  cutOff(): void
}

/** A request without its body. */
export interface RequestHead {
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Address of the socket, as text. */
  readonly remote: string
  /** Id in log lines about this request, and in its answer. */
  readonly requestId: string
  /** Returns a header; empty if absent, a list if it was sent twice. The name is in lower case. */
  header(name: string): string
}

/** State and checks that all exchanges of a server share. */
export interface Door {
  readonly bodies: Bodies
  readonly answers: Answers
  /** Returns whether a request is admitted, refused, or its connection closed unread. */
  admit(head: RequestHead): Admission
  bodyTerms(head: RequestHead): BodyTerms
  /** Returns false if an address has had too many answers without a body. */
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
 * Returns headers by name; one that was sent twice becomes a list. With only one of the lines a
 * client could hide what a proxy has added.
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
  /** True once a streamed answer has started: no other answer may follow. */
  isStreaming: boolean
  /** An answer that is not read completely yet. */
  wait: Wait | undefined
  readonly onAborted: (() => void)[]
}

const newLife = (): Life => ({
  isDone: false,
  isStreaming: false,
  wait: undefined,
  onAborted: [],
})

/** Ends the exchange because its connection is gone. */
function abort(bodies: Bodies, life: Life, gather: Gathering): void {
  life.wait?.left(0)
  if (life.isDone) return
  life.isDone = true
  settleBody(bodies, gather, 'aborted')
  for (const handler of life.onAborted) handler()
}

/**
 * Returns true if the connection must close with the answer: a header demands it, or an unread body
 * remains that is too long to discard.
 */
function endsConnection(head: RequestHead, gather: Gathering, headers: Headers): boolean {
  if (headers.connection === 'close') return true
  const length = head.header('content-length')
  const isChunked = head.header('transfer-encoding') !== ''
  if (gather.isWhole || (length === '' && !isChunked)) return false
  return isChunked || !(Number(length) <= BODY_BYTES_DISCARDED_MAX)
}

/** Adds the request id to the headers of an answer. */
const identified = ({ requestId }: RequestHead, headers: Headers): Headers => ({
  [REQUEST_ID_HEADER]: requestId,
  ...headers,
})

interface NativeAnswer {
  readonly res: NativeResponse
  readonly method: string
  /** Returns whether the connection closes with an answer of these headers. */
  ends(headers: Headers): boolean
}

/** Writes status and headers; returns true if the connection closes with the answer. */
function writeHead({ res, ends }: NativeAnswer, status: number, out: Headers): boolean {
  const isLast = ends(out)
  res.writeStatus(statusText(status))
  for (const [name, value] of Object.entries(out)) {
    if (name !== 'connection') res.writeHeader(name, value)
  }
  if (isLast) res.writeHeader('connection', 'close')
  return isLast
}

/** Largest last answer of a connection that is sent in one call; longer ones go in pieces. */
const LAST_BYTES_MAX = 4 * 1024

interface WholeAnswer extends NativeAnswer {
  readonly status: number
  readonly out: Headers
  readonly text: Buffer
}

/** Sends a whole answer; the part that the socket does not accept is buffered for its reader. */
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
    // A body would be parsed as the start of the next answer, and with a given length the library
    // would wait for all of it to be sent.
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
 * Serves a request of the native library and reads its body. Must run inside its handler. The body
 * is not read if the answer is sent before `serve` returns: it may cost a call per byte.
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
      // Whether these are read cannot be observed, so in a flood the connection is closed.
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
    // Last: after a spread, V8 creates a hidden class for every further member of each object.
    ...head,
  })
  if (life.isDone) return
  res.onData((chunk, isLast) => addChunk(bodies, gather, new Uint8Array(chunk), isLast))
}

/** Returns the head of a request of node:http. */
export function nodeHead(req: IncomingMessage): RequestHead {
  const [path, search] = (req.url ?? '/').split('?', 2)
  // As in `headersOf`: node keeps only the first line of some headers.
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

/** Wraps a request of node:http, which serves where the native library has no build. */
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
