/**
 * Protocol sessions of the 2025 revisions of MCP: those that are open, the login on each, and which
 * end if there are too many. Source: RELIABILITY 6 (MCP).
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

export interface ProtocolSession {
  readonly id: string
  /** The negotiated revision. */
  readonly revision: string
  /** Key of the address that opened it; it counts against that address while it has no login. */
  readonly openedBy: string
  readonly protocol: { login: Session | undefined }
  /** Monotonic time of the latest use. */
  usedMs: number
}

export interface ProtocolSessions {
  readonly byId: Map<string, ProtocolSession>
  /** Sessions without a login; only these end to make room for others. */
  readonly strangers: Strangers<ProtocolSession>
  /** Monotonic time of the latest sweep. */
  sweptMs: number
}

/** Returns an empty set; with `limits` false, only the limit over all addresses applies. */
export const createProtocolSessions = (limits: boolean): ProtocolSessions => ({
  byId: new Map(),
  strangers: createStrangers(MCP_UNBOUND_SESSIONS_MAX, limits),
  sweptMs: 0,
})

const isBound = ({ protocol }: ProtocolSession): boolean =>
  protocol.login !== undefined && !protocol.login.gone

const isIdle = (session: ProtocolSession, nowMs: number): boolean =>
  !isBound(session) && nowMs - session.usedMs > SESSION_IDLE_MS

/** Returns the login on a session; undefined without one, or once it has ended elsewhere. */
export const loginOn = (session: ProtocolSession | undefined): Session | undefined =>
  session && isBound(session) ? session.protocol.login : undefined

/** Opens a session for an address, after making room for it. */
export function openProtocolSession(
  sessions: ProtocolSessions,
  opening: { readonly revision: string; readonly ip: string; readonly nowMs: number },
): ProtocolSession {
  const { revision, ip, nowMs } = opening
  sweep(sessions, nowMs)
  const end = ({ id }: ProtocolSession): void => {
    sessions.byId.delete(id)
  }
  makeRoom(sessions.strangers, ip, { isBusy: isBound, end })
  const id = randomBytes(32).toString('hex')
  const session: ProtocolSession = {
    id,
    revision,
    openedBy: ip,
    protocol: { login: undefined },
    usedMs: nowMs,
  }
  sessions.byId.set(id, session)
  keepStranger(sessions.strangers, ip, session)
  return session
}

/** Counts sessions whose login has ended elsewhere as strangers again, and removes idle ones. */
function sweep(sessions: ProtocolSessions, nowMs: number): void {
  if (nowMs - sessions.sweptMs < MCP_SWEEP_EVERY_MS) return
  sessions.sweptMs = nowMs
  for (const session of sessions.byId.values()) {
    if (isBound(session)) continue
    if (isIdle(session, nowMs)) dropProtocolSession(sessions, session.id)
    else if (!sessions.strangers.shares.get(session.openedBy)?.has(session))
      keepStranger(sessions.strangers, session.openedBy, session)
  }
}

/** Returns the session of an id; removes it if it is idle. */
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

/**
 * Records a use of a session and whether it has a login now. A session that has been removed in the
 * meantime stays removed.
 */
export function touchProtocolSession(
  { byId, strangers }: ProtocolSessions,
  session: ProtocolSession,
  nowMs: number,
): void {
  if (!byId.has(session.id)) return
  session.usedMs = nowMs
  if (isBound(session)) removeStranger(strangers, session.openedBy, session)
  else keepStranger(strangers, session.openedBy, session)
}

/** Removes a session, if it exists; the caller ends its login. */
export function dropProtocolSession({ byId, strangers }: ProtocolSessions, id: string): void {
  const session = byId.get(id)
  if (!session) return
  byId.delete(id)
  removeStranger(strangers, session.openedBy, session)
}
