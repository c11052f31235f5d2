/**
 * The state of a WebSocket connection and its outgoing side: pushed frames, bytes that the client
 * has not read, and the close. Source: accounts.md section 7, RELIABILITY 5 (A3).
 */
import type { Failure } from '../../core/errors.ts'
import {
  OUTBOUND_BYTES_MAX,
  OUTBOUND_LINGER_BYTES_MAX,
  PINGS_REFUSED_MAX,
} from '../../core/limits.ts'
import { type FloodGuard, passFrame } from '../session/flood.ts'
import type { SocketClient } from '../session/session.ts'
import { countUnread, type Reader, type Unread } from '../session/unread.ts'
import type { Frame } from './codec.ts'
import type { FrameContext } from './frames.ts'
import { drainFrames, type Outbound, pushFrame, unreadOf } from './outbound.ts'

/** A place in the order of answers. */
export interface Slot {
  /** The answer, once there is one. */
  frames: Frame[] | undefined
}

export interface WaitingFrame {
  /** Its text, or the refusal of an unreadable frame. */
  readonly content: string | Failure
  readonly bytes: number
  /** Monotonic time at which its turn comes. */
  readonly dueMs: number
}

export interface Conn extends SocketClient, FrameContext, Reader {
  readonly out: Outbound
  readonly unread: Unread
  readonly flood: FloodGuard
  /** The guard that all connections of its address share until they log in. */
  readonly strangers: FloodGuard
  readonly slots: Slot[]
  /** Bytes of the answers that wait in `slots` for an earlier one. */
  slotBytes: number
  /** Frames that wait for their turn or for a place among the unanswered commands. */
  readonly backlog: WaitingFrame[]
  backlogBytes: number
  /** Timer of the turn of the first of them. */
  turnTimer: NodeJS.Timeout | undefined
  /** True while the backlog is being drained. */
  isDraining: boolean
  /** Number of unanswered commands. */
  unanswered: number
  openMs: number
  /** True if a frame, ping or pong has arrived since the last sweep. */
  isAlive: boolean
  /** Time since anything was received, rounded down to whole sweeps. */
  silentMs: number
  /** Time since the last ping was sent. */
  sincePingMs: number
}

export interface Sockets {
  readonly all: Set<Conn>
  readonly unread: Unread
  /** Flood guards of connections without a login, by address, in order of use. */
  readonly strangers: Map<string, FloodGuard>
}

export const createSockets = (unread: Unread): Sockets => ({
  all: new Set(),
  unread,
  strangers: new Map(),
})

/**
 * Closes a connection with a code. A client with too many unread bytes is cut off instead, as the
 * close frame would wait behind them.
 */
export function closeConn(conn: Conn, code: number, reason: string): void {
  if (conn.gone) return
  conn.gone = true
  conn.net.metrics.closes.inc({ code: String(code) })
  countUnread(conn.unread, conn, 0)
  if (conn.out.raw.buffered() > OUTBOUND_LINGER_BYTES_MAX) conn.out.raw.destroy()
  else conn.out.raw.end(code, reason)
}

/** Counts the unread bytes of the client; closes the connection above the limit of a socket. */
export function countWaiting(conn: Conn): void {
  if (conn.gone) return
  const bytes = unreadOf(conn.out)
  if (bytes > OUTBOUND_BYTES_MAX) closeConn(conn, 1000, 'outbound queue full')
  else countUnread(conn.unread, conn, bytes)
}

/** Sends a frame, or queues it; closes a connection whose queue is full. */
export function pushTo(conn: Conn, head: Frame, tail?: Buffer): void {
  if (conn.gone) return
  if (!pushFrame(conn.out, head, tail)) closeConn(conn, 1000, 'outbound queue full')
  else if (conn.out.queue.length > 0) countWaiting(conn)
}

/** Sends queued frames once the socket library has room again. */
export const connDrained = (conn: Conn): void => {
  if (conn.gone) return
  drainFrames(conn.out)
  countWaiting(conn)
}

/**
 * Handles a ping or pong, which counts as a frame like any other. The socket library answers pings
 * itself.
 */
export function connControl(conn: Conn): void {
  if (conn.gone) return
  conn.isAlive = true
  const wait = passFrame(conn.flood, 0, conn.net.clock.monoMs())
  if (conn.flood.refusals >= PINGS_REFUSED_MAX) {
    closeConn(conn, 4003, `rate_limited retry_after=${wait}`)
  } else countWaiting(conn)
}
