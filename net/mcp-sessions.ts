/**
 * Protocol sessions of the 2025 revisions of MCP: which there are, the login made on each, and who
 * goes when there are too many. Source: RELIABILITY 6 (MCP).
 */
import { randomBytes } from 'node:crypto'
import { MCP_SWEEP_EVERY_MS, MCP_UNBOUND_SESSIONS_MAX, SESSION_IDLE_MS } from '../core/limits.ts'
import type { Session } from './session.ts'

export interface ProtocolSession {
  readonly id: string
  /** The revision that was agreed on. */
  readonly revision: string
  readonly protocol: { login: Session | undefined }
  usedMs: number
}

/** Those with a login stand apart: however many strangers come, none of them is looked at. */
export interface ProtocolSessions {
  /** In order of last use. */
  readonly unbound: Map<string, ProtocolSession>
  readonly bound: Map<string, ProtocolSession>
  sweptMs: number
}

export const createProtocolSessions = (): ProtocolSessions => ({
  unbound: new Map(),
  bound: new Map(),
  sweptMs: 0,
})

const isBound = ({ protocol }: ProtocolSession): boolean =>
  protocol.login !== undefined && !protocol.login.gone

const isIdle = (session: ProtocolSession, nowMs: number): boolean =>
  !isBound(session) && nowMs - session.usedMs > SESSION_IDLE_MS

/** Makes a session; the longest unused ones without a login go while there are too many. */
export function openProtocolSession(
  sessions: ProtocolSessions,
  revision: string,
  nowMs: number,
): ProtocolSession {
  sweepBound(sessions, nowMs)
  for (const [id, session] of sessions.unbound) {
    if (sessions.unbound.size < MCP_UNBOUND_SESSIONS_MAX && !isIdle(session, nowMs)) break
    sessions.unbound.delete(id)
  }
  const id = randomBytes(32).toString('hex')
  const session = { id, revision, protocol: { login: undefined }, usedMs: nowMs }
  sessions.unbound.set(id, session)
  return session
}

/** Those whose login has ended elsewhere become strangers. */
function sweepBound(sessions: ProtocolSessions, nowMs: number): void {
  if (nowMs - sessions.sweptMs < MCP_SWEEP_EVERY_MS) return
  sessions.sweptMs = nowMs
  for (const [id, session] of sessions.bound) {
    if (isBound(session)) continue
    sessions.bound.delete(id)
    sessions.unbound.set(id, session)
  }
}

export function findProtocolSession(
  sessions: ProtocolSessions,
  id: string,
  nowMs: number,
): ProtocolSession | undefined {
  const session = sessions.bound.get(id) ?? sessions.unbound.get(id)
  if (!session || !isIdle(session, nowMs)) return session
  dropProtocolSession(sessions, id)
  return undefined
}

/** Notes a use, and what it did to the login. One that has been dropped meanwhile stays dropped. */
export function touchProtocolSession(
  sessions: ProtocolSessions,
  session: ProtocolSession,
  nowMs: number,
): void {
  if (!dropProtocolSession(sessions, session.id)) return
  session.usedMs = nowMs
  const place = isBound(session) ? sessions.bound : sessions.unbound
  place.set(session.id, session)
}

/** False when there was none. */
export const dropProtocolSession = (sessions: ProtocolSessions, id: string): boolean =>
  sessions.bound.delete(id) || sessions.unbound.delete(id)
