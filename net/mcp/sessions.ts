/**
 * Protocol sessions of the 2025 revisions of MCP: which there are, the login made on each, and who
 * goes when there are too many. Source: RELIABILITY 6 (MCP).
 */
import { randomBytes } from 'node:crypto'
import { MCP_SWEEP_EVERY_MS, MCP_UNBOUND_SESSIONS_MAX, SESSION_IDLE_MS } from '../../core/limits.ts'
import type { Session } from '../session/session.ts'
import {
  createStrangers,
  keepStranger,
  makeRoom,
  removeStranger,
  type Strangers,
} from '../session/strangers.ts'

interface ProtocolSession {
  readonly id: string
  /** The revision that was agreed on. */
  readonly revision: string
  /** Key of the address that made it: without a login it counts there. */
  readonly madeBy: string
  readonly protocol: { login: Session | undefined }
  usedMs: number
}

export interface ProtocolSessions {
  readonly byId: Map<string, ProtocolSession>
  /** Those without a login: however many there are, nobody with one is looked at. */
  readonly strangers: Strangers<ProtocolSession>
  sweptMs: number
}

/** `limits` false: addresses have no share of those without a login (LIMITS=off). */
export const createProtocolSessions = (limits: boolean): ProtocolSessions => ({
  byId: new Map(),
  strangers: createStrangers(MCP_UNBOUND_SESSIONS_MAX, limits),
  sweptMs: 0,
})

const isBound = ({ protocol }: ProtocolSession): boolean =>
  protocol.login !== undefined && !protocol.login.gone

const isIdle = (session: ProtocolSession, nowMs: number): boolean =>
  !isBound(session) && nowMs - session.usedMs > SESSION_IDLE_MS

/** Makes a session for an address. */
export function openProtocolSession(
  sessions: ProtocolSessions,
  about: { readonly revision: string; readonly ip: string; readonly nowMs: number },
): ProtocolSession {
  const { revision, ip, nowMs } = about
  sweep(sessions, nowMs)
  const end = ({ id }: ProtocolSession): void => {
    sessions.byId.delete(id)
  }
  makeRoom(sessions.strangers, ip, { isBusy: isBound, end })
  const id = randomBytes(32).toString('hex')
  const session: ProtocolSession = {
    id,
    revision,
    madeBy: ip,
    protocol: { login: undefined },
    usedMs: nowMs,
  }
  sessions.byId.set(id, session)
  keepStranger(sessions.strangers, ip, session)
  return session
}

/** Those whose login has ended elsewhere are strangers again; those long unused end. */
function sweep(sessions: ProtocolSessions, nowMs: number): void {
  if (nowMs - sessions.sweptMs < MCP_SWEEP_EVERY_MS) return
  sessions.sweptMs = nowMs
  for (const session of sessions.byId.values()) {
    if (isBound(session)) continue
    if (isIdle(session, nowMs)) dropProtocolSession(sessions, session.id)
    else if (!sessions.strangers.shares.get(session.madeBy)?.has(session))
      keepStranger(sessions.strangers, session.madeBy, session)
  }
}

export function findProtocolSession(
  sessions: ProtocolSessions,
  id: string,
  nowMs: number,
): ProtocolSession | undefined {
  const session = sessions.byId.get(id)
  if (!session || !isIdle(session, nowMs)) return session
  dropProtocolSession(sessions, id)
  return undefined
}

/** Notes a use, and what it did to the login. One that has been dropped meanwhile stays dropped. */
export function touchProtocolSession(
  { byId, strangers }: ProtocolSessions,
  session: ProtocolSession,
  nowMs: number,
): void {
  if (!byId.has(session.id)) return
  session.usedMs = nowMs
  if (isBound(session)) removeStranger(strangers, session.madeBy, session)
  else keepStranger(strangers, session.madeBy, session)
}

export function dropProtocolSession({ byId, strangers }: ProtocolSessions, id: string): void {
  const session = byId.get(id)
  if (!session) return
  byId.delete(id)
  removeStranger(strangers, session.madeBy, session)
}
