/**
 * What a WebSocket connection is, and what leaves it: frames pushed, what waits for its client, and
 * the close. Source: accounts.md section 7, RELIABILITY 5 (A3).
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
import type { Spoken } from './frames.ts'
import { drainFrames, type Outbound, pushFrame, unreadOf } from './outbound.ts'

/** A place in the order of answers. */
export interface Slot {
  frames: Buffer[] | undefined
}

export interface WaitingFrame {
  /** What it says, or why it is not read. */
  readonly said: string | Failure
  readonly bytes: number
  /** When its turn comes. */
  readonly dueMs: number
}

export interface Conn extends SocketClient, Spoken, Reader {
  readonly out: Outbound
  readonly unread: Unread
  readonly flood: FloodGuard
  readonly slots: Slot[]
  /** Frames that wait for their turn, or until fewer commands are unanswered. */
  readonly backlog: WaitingFrame[]
  backlogBytes: number
  /** Runs while the first of them waits for its turn. */
  turnTimer: NodeJS.Timeout | undefined
  /** Its frames are being worked off. */
  isAtBacklog: boolean
  unanswered: number
  openMs: number
  /** A frame or pong has come since the last sweep. */
  heard: boolean
  /** Milliseconds of sweeps since one came; whole sweeps only, so never more than has passed. */
  silentMs: number
  sincePingMs: number
}

export interface Sockets {
  readonly all: Set<Conn>
  readonly unread: Unread
}

export const createSockets = (unread: Unread): Sockets => ({ all: new Set(), unread })

/** Closes with a code, which a client that holds too much unread never comes to see. */
export function closeConn(conn: Conn, code: number, reason: string): void {
  if (conn.gone) return
  conn.gone = true
  conn.net.metrics.closes.inc({ code: String(code) })
  countUnread(conn.unread, conn, 0)
  if (conn.out.raw.buffered() > OUTBOUND_LINGER_BYTES_MAX) conn.out.raw.destroy()
  else conn.out.raw.end(code, reason)
}

/** Counts what the client has not read; closes above the bound of one socket. */
export function countWaiting(conn: Conn): void {
  if (conn.gone) return
  const bytes = unreadOf(conn.out)
  if (bytes > OUTBOUND_BYTES_MAX) closeConn(conn, 1000, 'outbound queue full')
  else countUnread(conn.unread, conn, bytes)
}

export function pushTo(conn: Conn, head: Buffer, tail?: Buffer): void {
  if (conn.gone) return
  if (!pushFrame(conn.out, head, tail)) closeConn(conn, 1000, 'outbound queue full')
  else if (conn.out.queue.length > 0) countWaiting(conn)
}

export const connDrained = (conn: Conn): void => {
  if (conn.gone) return
  drainFrames(conn.out)
  countWaiting(conn)
}

/** A ping or pong: a frame like any other. What pings it answers, the library sends by itself. */
export function connControl(conn: Conn): void {
  if (conn.gone) return
  conn.heard = true
  const wait = passFrame(conn.flood, 0, conn.net.clock.monoMs())
  if (conn.flood.refusals >= PINGS_REFUSED_MAX) {
    closeConn(conn, 4003, `rate_limited retry_after=${wait}`)
  } else countWaiting(conn)
}
