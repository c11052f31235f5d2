/**
 * What a client of any channel is: commands in, replies and pushes out. The channels are in
 * clients.ts.
 */

export type Channel = 'ws1' | 'ws2' | 'http1' | 'http2' | 'mcp'
export const CHANNELS: readonly Channel[] = ['ws1', 'ws2', 'http1', 'http2', 'mcp']

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
  /** What the request was named by, on WebSocket. */
  readonly requestId?: string
}

export interface Push {
  readonly type: string
  readonly payload: Params
  /** Only outcomes of commands that this client did not wait for carry one. */
  readonly requestId?: string
}

export interface Client {
  readonly channel: Channel
  /** Resolves with the outcome; for a mutation when its tick has resolved it. */
  call(command: string, params?: Params): Promise<Reply>
  /** As `call` of a query, but drops its result where the head alone shows success. */
  ask?(query: string): Promise<Reply>
  /** Events so far, the newest PUSHES_KEPT; emptied by reading. */
  pushes(): Push[]
  onPush: ((push: Push) => void) | undefined
  /** Why the connection ended, once it has. */
  readonly closed: { code: number; reason: string } | undefined
  close(): Promise<void>
}

/** Refusals of ours: the connection ended before the answer came. */
export const LOST = 'closed'

export interface ConnectOptions {
  /** Put before the number of each request_id: makes them unlike those of other connections. */
  readonly idPrefix?: string
  /** WebSocket: the subprotocol to ask for, game.msgpack or game.msgpack.patch. */
  readonly protocol?: string
  /** WebSocket: the address it comes from; the machine's choice without it. */
  readonly localAddress?: string
  /** WebSocket: sees each message first; true when it has dealt with it, unparsed. */
  onMessage?(message: Buffer): boolean
}

export const asParams = (value: unknown): Params =>
  typeof value === 'object' && value !== null ? (value as Params) : {}

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

export const lost = (closed: { code: number; reason: string } | undefined): Reply => ({
  ok: false,
  result: {},
  code: LOST,
  message: closed ? `${closed.code} ${closed.reason}` : 'no answer',
})
