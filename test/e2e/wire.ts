/** Raw sockets and requests, for tests of single frames and answers rather than of commands. */
import { once } from 'node:events'
import WebSocket from 'ws'
import type { Params } from '../../bench/client.ts'

export interface Frame {
  readonly type: string
  readonly payload: Params
  readonly request_id?: string
}

export interface RawSocket {
  /** Everything received, in order. */
  readonly frames: readonly Frame[]
  /** Sends an object as JSON, or a text unchanged. */
  send(message: object | string): void
  /** Sends a frame and resolves with the next unread one. */
  ask(message: object | string): Promise<Frame>
  /** Waits for the next unread frame of the type, or of any type. */
  next(type?: string): Promise<Frame>
  /** Returns the unread frames and marks them as read. */
  rest(): Frame[]
  readonly closed: Promise<{ code: number; reason: string }>
  readonly isOpen: boolean
  readonly socket: WebSocket
  close(): Promise<void>
}

const PATIENCE_MS = 30_000

export async function openSocket(base: string, path: string): Promise<RawSocket> {
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}${path}`)
  const frames: Frame[] = []
  let read = 0
  let wake = (): void => {}
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame)
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      wake()
    })
  })
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  await Promise.race([once(socket, 'open'), failed])
  const next = async (type?: string): Promise<Frame> => {
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      const index = frames.findIndex(
        (frame, i) => i >= read && (type === undefined || frame.type === type),
      )
      if (index >= 0) {
        read = index + 1
        return frames[index]
      }
      const left = end - performance.now()
      if (left <= 0 || socket.readyState === WebSocket.CLOSED)
        throw new Error(`no frame ${type ?? ''} came after ${JSON.stringify(frames.slice(-3))}`)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, left)
      })
    }
  }
  const send = (message: object | string): void =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  return {
    frames,
    send,
    ask: (message) => {
      send(message)
      return next()
    },
    next,
    rest() {
      const left = frames.slice(read)
      read = frames.length
      return left
    },
    closed,
    get isOpen() {
      return socket.readyState === WebSocket.OPEN
    },
    socket,
    async close() {
      socket.close()
      await closed
    },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body parsed as JSON; empty if it is not JSON. */
  readonly body: Params
}

export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  const body = isJson ? (JSON.parse(text) as Params) : {}
  return { status: response.status, headers: response.headers, text, body }
}

/** Sends a POST with a JSON body and these headers. */
export function post(
  url: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

let lastName = 0
/** Returns a free user name, even when a test is retried. */
export const newName = (word = 'Wire'): string => {
  lastName += 1
  return `${word} ${lastName}`
}

export const newPlayer = (username: string = newName()): Params => ({
  username,
  empire: 'solarian',
  registration_code: 'wire',
})
