/**
 * Clients of the five channels behind one interface, for load runs, bots and end-to-end tests. They
 * speak the wire only: nothing of the server's code is used.
 */
import { once } from 'node:events'
import { unpack } from 'msgpackr'
import WebSocket from 'ws'
import { connectMcp } from './mcp-client.ts'

export type Channel = 'ws1' | 'ws2' | 'http1' | 'http2' | 'mcp'
export const CHANNELS: readonly Channel[] = ['ws1', 'ws2', 'http1', 'http2', 'mcp']

export type Params = Record<string, unknown>

/** What came of a command: the result, or the refusal. */
export interface Reply {
  readonly ok: boolean
  readonly result: Params
  readonly code?: string
  readonly message?: string
  readonly details?: Params
  /** Tick of a mutation's outcome, where the channel tells it. */
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
  /** WebSocket: sees each message first; true when it has dealt with it, unparsed. */
  onMessage?(message: Buffer): boolean
}

/** Events kept for a client that does not read them. */
const PUSHES_KEPT = 1_000

function keep(pushes: Push[], push: Push): void {
  pushes.push(push)
  if (pushes.length > 2 * PUSHES_KEPT) pushes.splice(0, PUSHES_KEPT)
}

/** v2 address and v2 names of the commands clients here use, where they differ from game/<name>. */
const V2: Record<string, { at: string; names?: Record<string, string> }> = {
  register: { at: 'game_auth/register' },
  login: { at: 'game_auth/login' },
  logout: { at: 'game_auth/logout' },
  chat: { at: 'game_social/chat', names: { channel: 'target' } },
  get_chat_history: {
    at: 'game_social/get_chat_history',
    names: { channel: 'target' },
  },
  captains_log_add: {
    at: 'game_social/captains_log_add',
    names: { entry: 'content' },
  },
  captains_log_list: { at: 'game_social/captains_log_list' },
  captains_log_get: { at: 'game_social/captains_log_get' },
  captains_log_delete: { at: 'game_social/captains_log_delete' },
  set_status: {
    at: 'game_social/set_status',
    names: { status_message: 'content' },
  },
  set_colors: { at: 'game_social/set_colors' },
  mute_notifications: { at: 'game_social/mute_notifications' },
  unmute_notifications: { at: 'game_social/unmute_notifications' },
  get_notification_settings: { at: 'game_social/get_notification_settings' },
  travel: { at: 'game/travel', names: { target_poi: 'id' } },
  jump: { at: 'game/jump', names: { target_system: 'id' } },
  find_route: { at: 'game/find_route', names: { target_system: 'id' } },
  search_systems: { at: 'game/search_systems', names: { query: 'text' } },
  buy: { at: 'game/buy', names: { item_id: 'id' } },
  sell: { at: 'game/sell', names: { item_id: 'id' } },
  jettison: { at: 'game/jettison', names: { item_id: 'id' } },
  view_market: { at: 'game_market/view_market' },
  subscribe_market: { at: 'game_market/subscribe_market' },
  unsubscribe_market: { at: 'game_market/unsubscribe_market' },
  estimate_purchase: { at: 'game_market/estimate_purchase' },
  deposit_items: { at: 'game_storage/deposit' },
  withdraw_items: { at: 'game_storage/withdraw' },
  view_storage: { at: 'game_storage/view' },
  catalog: { at: 'game_catalog/' },
  create_buy_order: { at: 'game_market/create_buy_order' },
  create_sell_order: { at: 'game_market/create_sell_order' },
  modify_order: { at: 'game_market/modify_order', names: { new_price: 'price_each' } },
  cancel_order: { at: 'game_market/cancel_order' },
  view_orders: { at: 'game_market/view_orders' },
  attack: { at: 'game/attack', names: { target_id: 'id' } },
  reload: {
    at: 'game_battle/reload',
    names: { weapon_instance_id: 'id', ammo_item_id: 'target' },
  },
  get_battle_status: { at: 'game_battle/status' },
  'battle stance': { at: 'game_battle/stance', names: { stance: 'id' } },
  'battle target': { at: 'game_battle/target', names: { target_id: 'id' } },
  'battle engage': { at: 'game_battle/engage' },
  'battle advance': { at: 'game_battle/advance' },
  'battle retreat': { at: 'game_battle/retreat' },
}

/** Commands whose `action` is part of their v2 address. */
const keyOf = (command: string, { action }: Params): string =>
  command === 'battle' ? `battle ${action}` : command

export function addressOf(command: string, params: Params = {}): { tool: string; action: string } {
  const [tool, action] = (V2[keyOf(command, params)]?.at ?? `game/${command}`).split('/')
  return { tool, action }
}

export function renamed(command: string, params: Params): Params {
  const key = keyOf(command, params)
  const names = V2[key]?.names ?? {}
  return Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => key === command || name !== 'action')
      .map(([name, value]) => [names[name] ?? name, value]),
  )
}

export async function connect(
  base: string,
  channel: Channel,
  options: ConnectOptions = {},
): Promise<Client> {
  if (channel === 'ws1' || channel === 'ws2') return connectSocket(base, channel, options)
  if (channel === 'http1' || channel === 'http2') return connectHttp(base, channel)
  return connectMcp(base)
}

interface Waiting {
  readonly command: string
  resolve(reply: Reply): void
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

/* ---- WebSocket ---- */

interface Frame {
  readonly type: string
  readonly payload?: Params
  readonly request_id?: string
}

interface SocketState {
  readonly channel: 'ws1' | 'ws2'
  readonly waiting: Map<string, Waiting>
  readonly onPush: (push: Push) => void
  /** Payload of `registered`, until its `logged_in` comes. */
  registered: Params | undefined
}

/**
 * What a frame says to the command it answers; undefined: an acknowledgement, or no answer at all.
 */
function replyIn(channel: 'ws1' | 'ws2', { type, payload = {} }: Frame): Reply | undefined {
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

const named = (channel: 'ws1' | 'ws2', command: string, params: Params): object =>
  channel === 'ws1'
    ? { type: command, payload: params }
    : { ...addressOf(command, params), payload: renamed(command, params) }

async function connectSocket(
  base: string,
  channel: 'ws1' | 'ws2',
  { idPrefix = '', protocol, onMessage }: ConnectOptions,
): Promise<Client> {
  const url = `${base.replace(/^http/, 'ws')}/ws${channel === 'ws2' ? '/v2' : ''}`
  const socket = new WebSocket(url, protocol === undefined ? [] : [protocol], {
    perMessageDeflate: false,
    skipUTF8Validation: onMessage !== undefined,
  })
  const waiting = new Map<string, Waiting>()
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
    if (onMessage?.(data)) return
    onFrame(state, (isBinary ? unpack(data) : JSON.parse(String(data))) as Frame)
  })
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
    for (const [requestId, entry] of waiting) entry.resolve({ ...lost(closed), requestId })
    waiting.clear()
  })
  socket.on('error', () => {})
  const client: Client = {
    channel,
    onPush: undefined,
    get closed() {
      return closed
    },
    call(command, params = {}) {
      const id = `${idPrefix}${next++}`
      if (closed) return Promise.resolve({ ...lost(closed), requestId: id })
      const frame = { ...named(channel, command, params), request_id: id }
      return new Promise((resolve) => {
        waiting.set(id, { command, resolve })
        socket.send(JSON.stringify(frame))
      })
    },
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

/** Undefined: the server went away. */
async function answerOf<T>(response: Promise<Response>): Promise<T | undefined> {
  try {
    return (await (await response).json()) as T
  } catch {
    return undefined
  }
}

async function connectHttp(base: string, channel: 'http1' | 'http2'): Promise<Client> {
  const version = channel === 'http1' ? 'v1' : 'v2'
  const api = `${base}/api/${version}`
  let pushes: Push[] = []
  const opened = (await (await fetch(`${api}/session`, { method: 'POST' })).json()) as Envelope
  let session = opened.session?.id ?? ''
  const client: Client = {
    channel,
    onPush: undefined,
    closed: undefined,
    async call(command, params = {}) {
      const { tool, action } = addressOf(command, params)
      const path = version === 'v1' ? command : `${tool}${action ? `/${action}` : ''}`
      const body = await answerOf<Envelope>(
        fetch(`${api}/${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-session-id': session,
          },
          body: JSON.stringify(version === 'v1' ? params : renamed(command, params)),
        }),
      )
      if (!body) return lost(undefined)
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
