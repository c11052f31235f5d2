/**
 * Clients of the five channels behind one interface, for load runs, bots and end-to-end tests. They
 * use only the network protocols and no code of the server.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpack } from 'msgpackr'
import WebSocket from 'ws'
import { addressOf, renamed } from './addresses.ts'
import {
  asParams,
  type Channel,
  type Client,
  type ConnectOptions,
  lost,
  type Params,
  type Push,
  type Reply,
  refusalOf,
} from './client.ts'
import { connectMcp } from './mcp-client.ts'
import { post } from './post.ts'

/** Events kept for a client that does not read them. */
const PUSHES_KEPT = 1_000

function keep(pushes: Push[], push: Push): void {
  pushes.push(push)
  if (pushes.length > 2 * PUSHES_KEPT) pushes.splice(0, PUSHES_KEPT)
}

/** Connects a client on a channel; rejects if there is no server. */
export async function connect(
  base: string,
  channel: Channel,
  options: ConnectOptions = {},
): Promise<Client> {
  if (channel === 'ws1' || channel === 'ws2') return connectSocket(base, channel, options)
  if (channel === 'http1' || channel === 'http2') return connectHttp(base, channel)
  return connectMcp(base)
}

/** Returns the length of a tick in ms, from the welcome of a connection without a login. */
export async function tickLength(url: string): Promise<number> {
  const client = await connect(url, 'ws1')
  for (let i = 0; i < 100; i++) {
    const welcome = client.pushes().find((push) => push.type === 'welcome')
    if (welcome) {
      await client.close()
      return Number(welcome.payload.tick_rate) * 1000
    }
    await sleep(20)
  }
  throw new Error(`no welcome from ${url}`)
}

interface PendingCall {
  readonly command: string
  /** Whether only success matters, so that the result need not be parsed. */
  readonly isUnparsed?: boolean
  resolve(reply: Reply): void
}

/* ---- WebSocket ---- */

export interface Frame {
  readonly type: string
  readonly payload?: Params
  readonly request_id?: string
}

interface SocketState {
  readonly channel: 'ws1' | 'ws2'
  readonly waiting: Map<string, PendingCall>
  readonly onPush: (push: Push) => void
  /** Payload of `registered`, kept until `logged_in` follows. */
  registered: Params | undefined
}

/**
 * Returns the reply that a frame carries; undefined if the frame only acknowledges the command or
 * is not an answer.
 */
export function replyIn(channel: 'ws1' | 'ws2', { type, payload = {} }: Frame): Reply | undefined {
  if (type === 'error' || type === 'action_error') return refusalOf(payload)
  if (type === 'action_result') {
    const result = asParams(payload.result)
    const own = channel === 'ws2' ? asParams(result.details ?? result) : result
    return { ok: true, result: own, tick: Number(payload.tick) }
  }
  const result = channel === 'ws2' ? asParams(payload.structuredContent) : payload
  return result.pending === true ? undefined : { ok: true, result }
}

function onFrame(state: SocketState, frame: Frame): void {
  const { waiting, channel } = state
  const { type, payload = {}, request_id: id } = frame
  if (type === 'registered') {
    state.registered = payload
    return
  }
  if (type === 'logged_in') {
    for (const [key, entry] of waiting) {
      if (!/^(register|login)/.test(entry.command)) continue
      waiting.delete(key)
      entry.resolve({ ok: true, result: { ...state.registered, ...payload } })
      return
    }
  }
  const entry = id === undefined ? undefined : waiting.get(id)
  if (!entry || id === undefined) {
    state.onPush(id === undefined ? { type, payload } : { type, payload, requestId: id })
    return
  }
  const reply = replyIn(channel, frame)
  if (!reply) return
  waiting.delete(id)
  entry.resolve({ ...reply, requestId: id })
}

/** Type and request_id are within this many characters of the frame. */
const HEAD_CHARACTERS = 160
const HEAD = /^\{"type":"([a-z_]+)","request_id":"([^"\\]+)",/

/** Resolves a query without parsing its result, which would take most of the time of a load run. */
function resolveUnparsed({ waiting }: SocketState, data: Buffer): boolean {
  const [, type, id] = HEAD.exec(data.toString('latin1', 0, HEAD_CHARACTERS)) ?? []
  const entry = id === undefined ? undefined : waiting.get(id)
  if (!entry?.isUnparsed || type === 'error') return false
  waiting.delete(id)
  entry.resolve({ ok: true, result: {}, requestId: id })
  return true
}

/** Returns a frame without its request_id. */
export const named = (channel: 'ws1' | 'ws2', command: string, params: Params): object =>
  channel === 'ws1'
    ? { type: command, payload: params }
    : { ...addressOf(command, params), payload: renamed(command, params) }

async function connectSocket(
  base: string,
  channel: 'ws1' | 'ws2',
  { idPrefix = '', protocol, localAddress, onMessage }: ConnectOptions,
): Promise<Client> {
  const url = `${base.replace(/^http/, 'ws')}/ws${channel === 'ws2' ? '/v2' : ''}`
  const socket = new WebSocket(url, protocol === undefined ? [] : [protocol], {
    perMessageDeflate: false,
    skipUTF8Validation: onMessage !== undefined,
    ...(localAddress === undefined ? {} : { localAddress }),
  })
  const waiting = new Map<string, PendingCall>()
  let pushes: Push[] = []
  let next = 1
  let closed: Client['closed']
  const onPush = (push: Push): void => {
    keep(pushes, push)
    client.onPush?.(push)
  }
  const state: SocketState = {
    channel,
    waiting,
    onPush,
    registered: undefined,
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (onMessage?.(data) || (!isBinary && resolveUnparsed(state, data))) return
    onFrame(state, (isBinary ? unpack(data) : JSON.parse(String(data))) as Frame)
  })
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
    for (const [requestId, entry] of waiting) entry.resolve({ ...lost(closed), requestId })
    waiting.clear()
  })
  socket.on('error', () => {})
  const send = (command: string, params: Params, isUnparsed: boolean): Promise<Reply> => {
    const id = `${idPrefix}${next++}`
    if (closed) return Promise.resolve({ ...lost(closed), requestId: id })
    const frame = { ...named(channel, command, params), request_id: id }
    return new Promise((resolve) => {
      waiting.set(id, { command, isUnparsed, resolve })
      socket.send(JSON.stringify(frame))
    })
  }
  const client: Client = {
    channel,
    onPush: undefined,
    get closed() {
      return closed
    },
    call: (command, params = {}) => send(command, params, false),
    ask: (query) => send(query, {}, true),
    pushes() {
      const all = pushes
      pushes = []
      return all
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const ended = once(socket, 'close')
      socket.close()
      await ended
    },
  }
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  await Promise.race([once(socket, 'open'), failed])
  return client
}

/* ---- HTTP ---- */

interface Envelope {
  readonly result?: unknown
  readonly structuredContent?: unknown
  readonly error?: Params | string | null
  readonly notifications?: readonly { msg_type: string; data: Params }[]
  readonly session?: { id: string }
  readonly message?: string
}

async function connectHttp(base: string, channel: 'http1' | 'http2'): Promise<Client> {
  const version = channel === 'http1' ? 'v1' : 'v2'
  const api = `${base}/api/${version}`
  let pushes: Push[] = []
  const opened = await post(`${api}/session`, '')
  let session = (JSON.parse(opened.text) as Envelope).session?.id ?? ''
  const client: Client = {
    channel,
    onPush: undefined,
    closed: undefined,
    async call(command, params = {}) {
      const { tool, action } = addressOf(command, params)
      const path = version === 'v1' ? command : `${tool}${action ? `/${action}` : ''}`
      const request = JSON.stringify(version === 'v1' ? params : renamed(command, params))
      const answer = await post(`${api}/${path}`, request, { 'x-session-id': session }).catch(
        () => undefined,
      )
      if (!answer) return lost(undefined)
      const body = JSON.parse(answer.text) as Envelope
      session = body.session?.id ?? session
      for (const entry of body.notifications ?? []) {
        const push = { type: entry.msg_type, payload: entry.data }
        keep(pushes, push)
        client.onPush?.(push)
      }
      if (typeof body.error === 'string') return refusalOf({ ...body, code: body.error })
      if (body.error) return refusalOf(body.error)
      const raw = asParams(version === 'v1' ? body.result : body.structuredContent)
      return {
        ok: true,
        result: version === 'v1' ? raw : asParams(raw.details ?? raw),
      }
    },
    pushes() {
      const all = pushes
      pushes = []
      return all
    },
    async close() {},
  }
  return client
}
