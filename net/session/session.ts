/**
 * Who is connected: clients (sockets and sessions), which player each is bound to, and the session
 * pools with their expiry. Source: accounts.md section 6. All of it is memory of this process.
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
import type { Format } from '../ws/codec.ts'
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

/** Something that can be logged in. */
export interface Client {
  readonly channel: Channel
  readonly framing: Framing
  /**
   * Key of the address: what buckets by address count on. A session's is that of its last request.
   */
  ip: string
  identity: Identity | undefined
  /** A login is under way. */
  authenticating: boolean
  /** Closed or expired: binds no more. */
  gone: boolean
}

export interface SocketClient extends Client {
  readonly channel: 'ws'
  /** How its frames are written. */
  readonly format: Format
  /** The feed it was told last, for a patch to build on. */
  lastFeed: { readonly key: string; readonly tick: number } | undefined
  /** Sends a frame, or two parts of one; closes the socket when its queue is full. */
  push(head: Buffer, tail?: Buffer): void
  /** What is pushed meanwhile may leave in one write. */
  cork(pushAll: () => void): void
  close(code: number, reason: string): void
}

const POOLS = ['http1', 'http2', 'mcp'] as const
export type Pool = (typeof POOLS)[number]

export interface Session extends Client {
  readonly channel: 'http' | 'mcp'
  readonly pool: Pool
  readonly id: string
  /** Key of the address that made it: without a login it counts there. */
  readonly madeBy: string
  readonly createdMs: number
  /** Wall time, for show. */
  expiresMs: number
  /** Monotonic time that decides. */
  deadlineMs: number
  /** Commands under way, and those that wait until fewer are. */
  inFlight: number
  readonly waiting: (() => void)[]
  readonly queue: NotificationQueue
}

/** What a player is logged in with. */
export interface Bound {
  socket: SocketClient | undefined
  readonly sessions: Session[]
  /** Bit i mutes MUTE_CHANNELS[i] on the socket. */
  mask: number
}

export interface Bindings {
  readonly players: Map<number, Bound>
  /** Logins that the world is binding right now, by player and channel. */
  readonly arriving: Map<string, number>
  readonly resets: Resets
}

/** Password resets in their order: a login that began before one must not outlive it. */
interface Resets {
  count: number
  /** The count at the last reset of each player; bounded, oldest out. */
  readonly players: Map<number, number>
}

export const createBindings = (): Bindings => ({
  players: new Map(),
  arriving: new Map(),
  resets: { count: 0, players: new Map() },
})

const RESETS_REMEMBERED_MAX = 10_000

export function recordReset({ resets }: Bindings, player: number): void {
  resets.count += 1
  resets.players.delete(player)
  resets.players.set(player, resets.count)
  if (resets.players.size <= RESETS_REMEMBERED_MAX) return
  const [oldest] = resets.players.keys()
  resets.players.delete(oldest)
}

/** True when the player's password was reset after the count of resets stood there. */
export const wasResetSince = ({ resets }: Bindings, player: number, count: number): boolean =>
  (resets.players.get(player) ?? 0) > count

/** A login asks the world to bind: until `arrived`, no other client's end unbinds that channel. */
export function arrive(bindings: Bindings, player: number, channel: Channel): void {
  const key = `${player}/${channel}`
  bindings.arriving.set(key, (bindings.arriving.get(key) ?? 0) + 1)
}

export function arrived(bindings: Bindings, player: number, channel: Channel): void {
  const key = `${player}/${channel}`
  const left = (bindings.arriving.get(key) ?? 1) - 1
  if (left > 0) bindings.arriving.set(key, left)
  else bindings.arriving.delete(key)
}

/** True while a client of the channel is bound to the player, or about to be. */
export function isBoundOn(bindings: Bindings, player: number, channel: Channel): boolean {
  if (bindings.arriving.has(`${player}/${channel}`)) return true
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

/** Binds a socket; returns the older one, which is the caller's to close with 4001. */
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

/**
 * Binds a session; returns the oldest one when the player has too many, which is the caller's to
 * drop.
 */
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
 * Forgets a client's login. Returns the player when it was the last of its channel: the world must
 * hear that.
 */
export function unbindClient(bindings: Bindings, client: Client): number | undefined {
  const { identity } = client
  client.identity = undefined
  const bound = identity && bindings.players.get(identity.player)
  if (!bound) return undefined
  if (bound.socket === client) bound.socket = undefined
  const at = bound.sessions.indexOf(client as Session)
  if (at >= 0) bound.sessions.splice(at, 1)
  if (!bound.socket && bound.sessions.length === 0) bindings.players.delete(identity.player)
  return isBoundOn(bindings, identity.player, client.channel) ? undefined : identity.player
}

export interface SessionPools {
  readonly clock: Clock
  /** By pool, in the order of expiry: a touched session moves to the end. */
  readonly pools: Readonly<Record<Pool, Map<string, Session>>>
  /** Those without a login. */
  readonly strangers: Strangers<Session>
  /** Ids that a newer session of the same player displaced; bounded. */
  readonly replaced: Set<string>
}

const REPLACED_REMEMBERED_MAX = 10_000

/** `limits` false: addresses have no share of the sessions without a login (LIMITS=off). */
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

/** A fresh session, not logged in; undefined when the server holds too many. */
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
    madeBy: client.ip,
    createdMs: wallMs,
    expiresMs: wallMs + SESSION_IDLE_MS,
    deadlineMs: pools.clock.monoMs() + SESSION_IDLE_MS,
    inFlight: 0,
    waiting: [],
    queue: createQueue(),
  }
  pools.pools[pool].set(session.id, session)
  keepStranger(pools.strangers, session.madeBy, session)
  return session
}

/** The live session of that id; its 30 minutes start anew. */
export function findSession(pools: SessionPools, pool: Pool, id: string): Session | undefined {
  const session = pools.pools[pool].get(id)
  if (!session) return undefined
  if (session.deadlineMs <= pools.clock.monoMs() && session.inFlight === 0) return undefined
  touchSession(pools, session)
  return session
}

export function touchSession(pools: SessionPools, session: Session): void {
  if (session.gone) return
  const pool = pools.pools[session.pool]
  session.expiresMs = pools.clock.wallMs() + SESSION_IDLE_MS
  session.deadlineMs = pools.clock.monoMs() + SESSION_IDLE_MS
  pool.delete(session.id)
  pool.set(session.id, session)
  if (session.identity) removeStranger(pools.strangers, session.madeBy, session)
  else keepStranger(pools.strangers, session.madeBy, session)
}

/** Ends a session. The caller unbinds it. */
export function dropSession(pools: SessionPools, session: Session, replaced: boolean): void {
  session.gone = true
  pools.pools[session.pool].delete(session.id)
  removeStranger(pools.strangers, session.madeBy, session)
  if (!replaced) return
  if (pools.replaced.size >= REPLACED_REMEMBERED_MAX) {
    const [oldest] = pools.replaced
    pools.replaced.delete(oldest)
  }
  pools.replaced.add(session.id)
}

/** Sessions whose time is up; the caller drops and unbinds them. */
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
