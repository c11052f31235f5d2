/**
 * The connection of a player: WebSocket v2, as any client uses it. Logs in, sends mutations one per
 * tick, and reconnects when the connection is lost. Credentials stay in memory.
 */
import { type Call, toolAndAction } from './console.ts'
import { applyFrame, type Frame, readFrame } from './frames.ts'
import {
  type Json,
  OUT,
  type PlayState,
  pendingOf,
  QUEUE_MAX,
  queuedOf,
  type Sent,
  withSent,
} from './state.ts'

interface Socket {
  send(text: string): void
  close(): void
}

export interface SocketEvents {
  onMessage(data: unknown): void
  onClose(code: number, reason: string): void
}

export type Credentials =
  | { readonly how: 'login'; readonly username: string; readonly password: string }
  | {
      readonly how: 'register'
      readonly username: string
      readonly empire: string
      readonly registration_code?: string
    }
  /** `token` fetches a single-use token with an account's API key. */
  | { readonly how: 'token'; readonly username: string; token(): Promise<string> }

/** Why no token was issued, with the code of the server, if there is one. */
export interface TokenError extends Error {
  readonly code?: string
  readonly wait_seconds?: number
}

/** What the session needs from its environment. */
interface SessionPorts {
  open(events: SocketEvents): Socket
  now(): number
  /** Runs a function later; returns how to cancel it. */
  schedule(ms: number, run: () => void): () => void
  /** Returns a number from 0 to 1, which spreads the retries of many clients. */
  jitter(): number
  changed(state: PlayState): void
}

const BACKOFF_S = [1, 2, 4, 8, 16, 30] as const
const REPLACED = 4001
const LIMITED = 4003

/** Temporary refusals of a login, after which the console retries. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'rate_limited',
  'ip_timed_out',
  'persist_timeout',
  'restarting',
])

/** Events that change the state without including the changes, so that it is requested again. */
const REFRESHED_BY: ReadonlySet<string> = new Set([
  'player_died',
  'mission_update',
  'trade_fill',
  'trade_complete',
  'gift_received',
  'battle_started',
  'battle_ended',
  'skill_level_up',
  'crafting_update',
  'refueled_by',
  'repaired_by',
  'action_result',
])
const REFRESH_MS = 250

const NOWHERE = { system: '', base: '', active: '' }

/** The session of a player at this console, over all connections from login to logout. */
export class Session {
  state: PlayState = OUT
  readonly #ports: SessionPorts
  #socket: Socket | undefined
  #credentials: Credentials | undefined
  /** Who logged in last; chat and events are not kept for another player. */
  #username: string | undefined
  /** The id of the pending login request. */
  #loginId: string | undefined
  #lastId = 0
  #tries = 0
  #stopRetry: (() => void) | undefined
  #stopRefresh: (() => void) | undefined
  /** The place whose surroundings were requested last. */
  #lastPlace = NOWHERE

  constructor(ports: SessionPorts) {
    this.#ports = ports
  }

  login(credentials: Credentials): void {
    this.#leave()
    const { username } = credentials
    const foreign = username === this.#username ? {} : { chat: [], notes: [], sent: [] }
    this.#credentials = credentials
    this.#username = username
    this.#tries = 0
    const fresh = { why: undefined, whyCode: undefined, newPassword: undefined }
    this.#set({ ...this.state, ...fresh, ...foreign })
    this.#connect()
  }

  logout(): void {
    if (this.state.phase === 'in')
      this.#transmit({ id: this.#nextId(), address: 'game_auth/logout', payload: {} })
    this.#leave()
    this.#set({ ...OUT, version: this.state.version })
  }

  /** Sends a command, or queues it; returns false if the queue is full. */
  send(call: Call, mutation: boolean): boolean {
    const waiting = queuedOf(this.state.sent).filter(({ isQuiet }) => !isQuiet)
    if (waiting.length >= QUEUE_MAX) return false
    this.#put(call, mutation, false)
    return true
  }

  /** Removes a command from the queue. */
  cancel(id: string): void {
    const sent = this.state.sent.filter((one) => one.id !== id || one.progress !== 'queued')
    this.#set({ ...this.state, sent })
  }

  /** Continues with the queue after a refusal. */
  release(): void {
    this.#set({ ...this.state, isHeld: false })
    this.#flush()
  }

  readChat(): void {
    if (this.state.unreadChat > 0) this.#set({ ...this.state, unreadChat: 0 })
  }

  forgetPassword(): void {
    this.#set({ ...this.state, newPassword: undefined })
  }

  #set(state: PlayState): void {
    this.state = state
    this.#ports.changed(state)
  }

  #nextId(): string {
    this.#lastId += 1
    return `c${this.#lastId}`
  }

  #transmit({ id, address, payload }: Pick<Sent, 'id' | 'address' | 'payload'>): void {
    this.#socket?.send(JSON.stringify({ ...toolAndAction(address), payload, request_id: id }))
  }

  #put({ address, payload }: Call, mutation: boolean, isQuiet: boolean): void {
    const id = this.#nextId()
    const sent: Sent = { address, payload, id, mutation, isQuiet, progress: 'queued' }
    this.#set({ ...this.state, sent: withSent(this.state.sent, sent) })
    this.#flush()
  }

  /** Sends a query of the console itself, unless it is already pending. */
  #request(address: string): void {
    const isPending = this.state.sent.some((one) => one.isQuiet && one.address === address)
    if (!isPending) this.#put({ address, payload: {} }, false, true)
  }

  /** Sends what can be sent now: all queries, and the next mutation if none is pending. */
  #flush(): void {
    if (this.state.phase !== 'in') return
    for (const sent of queuedOf(this.state.sent)) {
      if (sent.mutation && (this.state.isHeld || pendingOf(this.state.sent))) continue
      const marked = this.state.sent.map((one) =>
        one.id === sent.id ? { ...one, progress: 'sent' as const } : one,
      )
      this.#set({ ...this.state, sent: marked })
      this.#transmit(sent)
    }
  }

  /** Requests system, base and missions if the place or the active missions have changed. */
  #requestSurroundings(): void {
    const { location, missions } = this.state.game
    if (!location || location.in_transit) return
    const { system_id: system = '', docked_at } = location
    const base = docked_at ?? ''
    const active = (missions?.active ?? []).map(({ mission_id }) => mission_id).join()
    const { system: oldSystem, base: oldBase, active: oldActive } = this.#lastPlace
    this.#lastPlace = { system, base, active }
    if (system !== oldSystem) this.#request('game/get_system')
    // What the last station offers does not hold at another, which may have nothing to offer.
    if (base !== oldBase) this.#set({ ...this.state, around: { system: this.state.around.system } })
    if (base === '') return
    if (base !== oldBase) this.#request('game/get_base')
    if (base !== oldBase || active !== oldActive) this.#request('game/get_missions')
  }

  #refresh(): void {
    this.#stopRefresh?.()
    this.#stopRefresh = this.#ports.schedule(REFRESH_MS, () => {
      this.#stopRefresh = undefined
      if (this.state.phase === 'in') this.#request('game/get_state')
    })
  }

  async #sendLogin(): Promise<void> {
    const credentials = this.#credentials
    if (!credentials) return
    const id = this.#nextId()
    this.#loginId = id
    if (credentials.how !== 'token') {
      const { how, ...payload } = credentials
      this.#transmit({ id, address: `game_auth/${how}`, payload })
      return
    }
    try {
      const token = await credentials.token()
      if (this.#loginId === id)
        this.#transmit({ id, address: 'game_auth/login_token', payload: { token } })
    } catch (error) {
      if (this.#loginId !== id) return
      const { message, code, wait_seconds } = error as TokenError
      this.#refused({ message, code, wait_seconds })
    }
  }

  /** Ends the session after a refused login; one that was in retries after a temporary refusal. */
  #refused({ message, code, wait_seconds, details }: Json): void {
    const isTemporary = TEMPORARY.has(String(code)) && this.#credentials?.how !== 'register'
    if (this.state.phase !== 'away' || !isTemporary) {
      this.#leave(String(message), typeof code === 'string' ? code : undefined)
      return
    }
    const old = this.#socket
    this.#socket = undefined
    old?.close()
    const waitSeconds = Number(wait_seconds ?? (details as Json | undefined)?.wait_seconds) || 0
    const wait = retryDelayMs(0, '', this.#tries, this.#ports.jitter())
    this.#goAway(String(message), Math.max(wait, waitSeconds * 1_000))
  }

  /** Ends the session and shows the login again, with the reason. */
  #leave(why?: string, whyCode?: string): void {
    this.#credentials = undefined
    this.#loginId = undefined
    this.#stopRetry?.()
    this.#stopRefresh?.()
    const old = this.#socket
    this.#socket = undefined
    old?.close()
    this.#lastPlace = NOWHERE
    const { version, ticks, newPassword, chat, notes, sent } = this.state
    const answered = sent.filter(({ isQuiet, progress }) => !isQuiet && progress !== 'queued')
    const kept = { version, ticks, newPassword, chat, notes, sent: cutOff(answered, 'lost') }
    this.#set({ ...OUT, ...kept, why, whyCode })
  }

  #receive(frame: Frame): void {
    const { type, request_id: id, payload } = frame
    if (type === 'error' && id !== undefined && id === this.#loginId) {
      this.#refused(payload)
      return
    }
    const { location, missions } = this.state.game
    this.#set(applyFrame(this.state, frame, this.#ports.now()))
    if (type === 'welcome') void this.#sendLogin()
    if (type === 'registered') this.#keepPassword(String(payload.password))
    if (type === 'logged_in') {
      this.#tries = 0
      this.#loginId = undefined
      this.#lastPlace = { ...NOWHERE, system: this.state.around.system?.id ?? '' }
      this.#request('game/get_state')
    }
    if (REFRESHED_BY.has(type)) this.#refresh()
    const { game } = this.state
    if (game.location !== location || game.missions !== missions) this.#requestSurroundings()
    this.#flush()
  }

  /** Keeps the password of a player who just registered, for reconnecting. */
  #keepPassword(password: string): void {
    if (this.#credentials?.how !== 'register') return
    const { username } = this.#credentials
    this.#credentials = { how: 'login', username, password }
  }

  #connect(): void {
    this.#stopRetry = undefined
    const phase = this.state.phase === 'away' ? 'away' : 'opening'
    this.#set({ ...this.state, phase, retryAt: undefined })
    const own = this.#ports.open({
      onMessage: (data) => {
        const frame = this.#socket === own ? readFrame(data) : undefined
        if (frame) this.#receive(frame)
      },
      onClose: (code, reason) => {
        if (this.#socket === own) this.#closed(code, reason)
      },
    })
    this.#socket = own
  }

  #closed(code: number, reason: string): void {
    this.#socket = undefined
    if (code === REPLACED) {
      this.#leave('This player logged in elsewhere, or the password was reset.', reason)
      return
    }
    const wait = retryDelayMs(code, reason, this.#tries, this.#ports.jitter())
    this.#goAway(
      code === LIMITED ? 'Too many connections from this address.' : 'The connection was lost.',
      wait,
    )
  }

  /** Reconnects after `wait` milliseconds. */
  #goAway(why: string, wait: number): void {
    this.#loginId = undefined
    this.#tries += 1
    // Queries of the console itself are dropped, since they are sent again after the login.
    const own = this.state.sent.filter(({ isQuiet }) => !isQuiet)
    const retryAt = this.#ports.now() + wait
    this.#set({ ...this.state, phase: 'away', why, sent: cutOff(own, 'queued'), retryAt })
    this.#stopRetry = this.#ports.schedule(wait, () => this.#connect())
  }
}

const LOST =
  'The connection was lost before the answer; the action log shows whether the command ran.'

/**
 * Returns the commands sent after their connection was lost: queries without an answer are queued
 * again or lost, mutations without an acknowledgement are lost, since they may have run; pending
 * ones stay pending.
 */
const cutOff = (list: readonly Sent[], queries: 'queued' | 'lost'): readonly Sent[] =>
  list.map((sent) => {
    if (sent.progress !== 'sent') return sent
    return sent.mutation || queries === 'lost'
      ? { ...sent, progress: 'lost', text: LOST }
      : { ...sent, progress: 'queued' }
  })

/** Returns how long to wait before the next attempt, in milliseconds. */
export function retryDelayMs(code: number, reason: string, tries: number, jitter: number): number {
  const [, retryAfter] = /retry_after=(\d+)/.exec(reason) ?? []
  const backoff = BACKOFF_S[Math.min(tries, BACKOFF_S.length - 1)]
  const seconds = code === LIMITED && retryAfter ? Number(retryAfter) : backoff
  return Math.round(seconds * 1000 * (1 + jitter * 0.3))
}
