/**
 * The interface of a client on any channel: it sends commands and receives replies and pushes. The
 * channels are in clients.ts.
 */

export type Channel = 'ws1' | 'ws2' | 'http1' | 'http2' | 'mcp'
export const CHANNELS: readonly Channel[] = ['ws1', 'ws2', 'http1', 'http2', 'mcp']

/** The empires that a new player may choose. */
export const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']

export type Params = Record<string, unknown>

/** The outcome of a command: the result, or the refusal. */
export interface Reply {
  readonly ok: boolean
  readonly result: Params
  readonly code?: string
  readonly message?: string
  readonly details?: Params
  /** Tick of a mutation's outcome, where the channel reports it. */
  readonly tick?: number
  /** The request_id of the command, on WebSocket. */
  readonly requestId?: string
}

export interface Push {
  readonly type: string
  readonly payload: Params
  /** Set only on outcomes of commands that this client did not wait for. */
  readonly requestId?: string
}

export interface Client {
  readonly channel: Channel
  /** Resolves with the outcome; for a mutation, after the tick that runs it. */
  call(command: string, params?: Params): Promise<Reply>
  /** Sends a query like `call`, but does not parse its result if the head shows success. */
  ask?(query: string): Promise<Reply>
  /** Returns and removes the events so far; only the newest PUSHES_KEPT are kept. */
  pushes(): Push[]
  onPush: ((push: Push) => void) | undefined
  /** Why the connection ended; undefined while it is open. */
  readonly closed: { code: number; reason: string } | undefined
  close(): Promise<void>
}

/** Our own refusal code: the connection ended before the answer came. */
export const LOST = 'closed'

export interface ConnectOptions {
  /** Prefix of each request_id, which makes it unique among several connections. */
  readonly idPrefix?: string
  /** WebSocket: the subprotocol to request, game.msgpack or game.msgpack.patch. */
  readonly protocol?: string
  /** WebSocket: the local address to connect from; absent: chosen by the system. */
  readonly localAddress?: string
  /** WebSocket: receives each raw message first; returns true if it has handled it. */
  onMessage?(message: Buffer): boolean
}

export const asParams = (value: unknown): Params =>
  typeof value === 'object' && value !== null ? (value as Params) : {}

/** Returns the reply for the payload of an error. */
export function refusalOf(payload: Params): Reply {
  return {
    ok: false,
    result: {},
    code: String(payload.code),
    message: String(payload.message),
    details: asParams(payload.details),
    tick: typeof payload.tick === 'number' ? payload.tick : undefined,
  }
}

/** Returns the reply to a call whose connection was lost. */
export const lost = (closed: { code: number; reason: string } | undefined): Reply => ({
  ok: false,
  result: {},
  code: LOST,
  message: closed ? `${closed.code} ${closed.reason}` : 'no answer',
})
