/**
 * State of connections: clients (sockets and sessions), the player each is bound to, and the pools
 * of sessions with their expiry. All of it is only in memory. Source: accounts.md section 6.
 */
import { randomBytes } from 'node:crypto'
import {
  SESSION_IDLE_MS,
  SESSIONS_MAX,
  SESSIONS_PER_PLAYER_MAX,
  STRANGERS_MAX,
} from '../../core/limits.ts'
import type { Framing } from '../../core/types.ts'
import type { Clock } from '../ports.ts'
import type { Format, Frame } from '../ws/codec.ts'
import { evictOldest } from './leaks.ts'
import { createQueue, type NotificationQueue } from './notifications.ts'
import {
  createStrangers,
  keepStranger,
  makeRoom,
  removeStranger,
  type Strangers,
} from './strangers.ts'

/** Channels a player can be bound on, as the world knows them. */
type Channel = 'ws' | 'http' | 'mcp'

export interface Identity {
  readonly player: number
  readonly playerId: string
  readonly username: string
  readonly empire: string
}

/** A socket or session, on which a player can log in. */
export interface Client {
  readonly channel: Channel
  readonly framing: Framing
  /** Key of the address, for limits by address; a session's is that of its last request. */
  ip: string
  identity: Identity | undefined
  /** True while a login is pending. */
  authenticating: boolean
  /** True once it is closed or expired, and can no longer be bound. */
  gone: boolean
}

export interface SocketClient extends Client {
  readonly channel: 'ws'
  /** Format of its frames. */
  readonly format: Format
  /** The feed it was sent last, which a patch builds on. */
  lastFeed: { readonly key: string; readonly tick: number } | undefined
  /** Sends a frame, or two parts of one; closes the socket when its queue is full. */
  push(head: Frame, tail?: Buffer): void
  /** Runs a function; the frames that it pushes may be sent in one write. */
  cork(pushAll: () => void): void
  close(code: number, reason: string): void
}

const POOLS = ['http1', 'http2', 'mcp'] as const
export type Pool = (typeof POOLS)[number]

export interface Session extends Client {
  readonly channel: 'http' | 'mcp'
  readonly pool: Pool
  readonly id: string
  /** Key of the address that opened it; it counts against that address while it has no login. */
  readonly openedBy: string
  readonly createdMs: number
  /** Wall time of its expiry, as shown to clients. */
  expiresMs: number
  /** Monotonic time of its actual expiry. */
  deadlineMs: number
  /** Number of running commands, and the commands that wait for a place. */
  inFlight: number
  readonly waiting: (() => void)[]
  readonly queue: NotificationQueue
}

/** The clients with which a player is logged in. */
export interface Bound {
  socket: SocketClient | undefined
  readonly sessions: Session[]
  /** Bit i mutes MUTE_CHANNELS[i] on the socket. */
  mask: number
}

export interface Bindings {
  readonly players: Map<number, Bound>
  /** Number of logins that the world is currently binding, by player and channel. */
  readonly binding: Map<string, number>
  /** Password resets: a login that started before one must not outlive it. */
  readonly resets: PlayerEvents
  /** Logins on another node that replaced a socket here. */
  readonly moves: PlayerEvents
}

/** Events of players, so that a login that started before one can be recognised. */
interface PlayerEvents {
  /** Number of events so far. */
  count: number
  /** The count at the last event of each player; limited, the oldest are dropped. */
  readonly players: Map<number, number>
}

export const createBindings = (): Bindings => ({
  players: new Map(),
  binding: new Map(),
  resets: { count: 0, players: new Map() },
  moves: { count: 0, players: new Map() },
})

const PLAYER_EVENTS_MAX = 10_000

/** Records an event of a player. */
export function recordPlayerEvent(events: PlayerEvents, player: number): void {
  events.count += 1
  events.players.delete(player)
  events.players.set(player, events.count)
  evictOldest(events.players, PLAYER_EVENTS_MAX)
}

/** Returns true if a player has had an event since the count was `count`. */
export const hasHappenedSince = (
  { players }: PlayerEvents,
  player: number,
  count: number,
): boolean => (players.get(player) ?? 0) > count

/**
 * Records that the world has been requested to bind a player. Until `endBinding`, the end of
 * another client does not unbind that channel.
 */
export function beginBinding(bindings: Bindings, player: number, channel: Channel): void {
  const key = `${player}/${channel}`
  bindings.binding.set(key, (bindings.binding.get(key) ?? 0) + 1)
}

/** Records that the world has answered a login. */
export function endBinding(bindings: Bindings, player: number, channel: Channel): void {
  const key = `${player}/${channel}`
  const left = (bindings.binding.get(key) ?? 1) - 1
  if (left > 0) bindings.binding.set(key, left)
  else bindings.binding.delete(key)
}

/** Returns true while a client of the channel is bound to the player, or about to be. */
export function isBoundOn(bindings: Bindings, player: number, channel: Channel): boolean {
  if (bindings.binding.has(`${player}/${channel}`)) return true
  const bound = bindings.players.get(player)
  if (!bound) return false
  if (channel === 'ws') return bound.socket !== undefined
  return bound.sessions.some((session) => session.channel === channel)
}

function boundOf(bindings: Bindings, player: number): Bound {
  let bound = bindings.players.get(player)
  if (!bound) {
    bound = { socket: undefined, sessions: [], mask: 0 }
    bindings.players.set(player, bound)
  }
  return bound
}

/** Binds a socket; returns the older one, which the caller closes with 4001. */
export function bindSocket(
  bindings: Bindings,
  identity: Identity,
  socket: SocketClient,
): SocketClient | undefined {
  const bound = boundOf(bindings, identity.player)
  const older = bound.socket === socket ? undefined : bound.socket
  bound.socket = socket
  socket.identity = identity
  if (older) older.identity = undefined
  return older
}

/** Binds a session; if the player has too many, returns the oldest for the caller to drop. */
export function bindSession(
  bindings: Bindings,
  identity: Identity,
  session: Session,
): Session | undefined {
  const { sessions } = boundOf(bindings, identity.player)
  session.identity = identity
  if (!sessions.includes(session)) sessions.push(session)
  return sessions.length > SESSIONS_PER_PLAYER_MAX ? sessions[0] : undefined
}

/**
 * Removes the login of a client. Returns the player if it was the last client of its channel, which
 * the caller reports to the world.
 */
export function unbindClient(bindings: Bindings, client: Client): number | undefined {
  const { identity } = client
  client.identity = undefined
  const bound = identity && bindings.players.get(identity.player)
  if (!bound) return undefined
  if (bound.socket === client) bound.socket = undefined
  const index = bound.sessions.indexOf(client as Session)
  if (index >= 0) bound.sessions.splice(index, 1)
  if (!bound.socket && bound.sessions.length === 0) bindings.players.delete(identity.player)
  return isBoundOn(bindings, identity.player, client.channel) ? undefined : identity.player
}

export interface SessionPools {
  readonly clock: Clock
  /** Sessions by pool and id, in order of expiry: a used session moves to the end. */
  readonly pools: Readonly<Record<Pool, Map<string, Session>>>
  /** Sessions without a login. */
  readonly strangers: Strangers<Session>
  /** Ids of sessions that were replaced by a newer one of the same player; limited. */
  readonly replaced: Set<string>
}

const REPLACED_MAX = 10_000

/** Returns empty pools; with `limits` false, only the limits over all addresses apply. */
export function createPools(clock: Clock, limits = true): SessionPools {
  return {
    clock,
    pools: { http1: new Map(), http2: new Map(), mcp: new Map() },
    strangers: createStrangers(STRANGERS_MAX, limits),
    replaced: new Set(),
  }
}

const isBusy = ({ identity, authenticating, inFlight }: Session): boolean =>
  identity !== undefined || authenticating || inFlight > 0

/** Opens a session without a login; returns undefined if the server has too many. */
export function openSession(
  pools: SessionPools,
  pool: Pool,
  client: { readonly framing: Framing; readonly ip: string },
): Session | undefined {
  const end = (session: Session): void => dropSession(pools, session, false)
  makeRoom(pools.strangers, client.ip, { isBusy, end })
  if (sessionCount(pools) >= SESSIONS_MAX) return undefined
  const wallMs = pools.clock.wallMs()
  const session: Session = {
    channel: pool === 'mcp' ? 'mcp' : 'http',
    framing: client.framing,
    ip: client.ip,
    identity: undefined,
    authenticating: false,
    gone: false,
    pool,
    id: randomBytes(32).toString('hex'),
    openedBy: client.ip,
    createdMs: wallMs,
    expiresMs: wallMs + SESSION_IDLE_MS,
    deadlineMs: pools.clock.monoMs() + SESSION_IDLE_MS,
    inFlight: 0,
    waiting: [],
    queue: createQueue(),
  }
  pools.pools[pool].set(session.id, session)
  keepStranger(pools.strangers, session.openedBy, session)
  return session
}

/** Returns the valid session of an id and postpones its expiry. */
export function findSession(pools: SessionPools, pool: Pool, id: string): Session | undefined {
  const session = pools.pools[pool].get(id)
  if (!session) return undefined
  if (session.deadlineMs <= pools.clock.monoMs() && session.inFlight === 0) return undefined
  touchSession(pools, session)
  return session
}

/** Postpones the expiry of a session and records whether it has a login. */
export function touchSession(pools: SessionPools, session: Session): void {
  if (session.gone) return
  const pool = pools.pools[session.pool]
  session.expiresMs = pools.clock.wallMs() + SESSION_IDLE_MS
  session.deadlineMs = pools.clock.monoMs() + SESSION_IDLE_MS
  pool.delete(session.id)
  pool.set(session.id, session)
  if (session.identity) removeStranger(pools.strangers, session.openedBy, session)
  else keepStranger(pools.strangers, session.openedBy, session)
}

/**
 * Removes a session, which the caller unbinds. The next request on a replaced one is refused with
 * that reason.
 */
export function dropSession(pools: SessionPools, session: Session, isReplaced: boolean): void {
  session.gone = true
  pools.pools[session.pool].delete(session.id)
  removeStranger(pools.strangers, session.openedBy, session)
  if (!isReplaced) return
  pools.replaced.add(session.id)
  evictOldest(pools.replaced, REPLACED_MAX)
}

/** Returns the sessions that have expired; the caller drops and unbinds them. */
export function expiredSessions(pools: SessionPools): Session[] {
  const now = pools.clock.monoMs()
  const expired: Session[] = []
  for (const pool of Object.values(pools.pools)) {
    for (const session of pool.values()) {
      if (session.deadlineMs > now) break
      if (session.inFlight === 0) expired.push(session)
    }
  }
  return expired
}

export function sessionCount(pools: SessionPools): number {
  return pools.pools.http1.size + pools.pools.http2.size + pools.pools.mcp.size
}
