/**
 * The commands of a session that are unanswered: so many at once, the next ones behind them, in
 * their order. Source: interface, Limits (queries: unlimited, no wait); RELIABILITY 5.
 */
import { FRAMES_WAITING_MAX, UNANSWERED_MAX } from '../../core/limits.ts'
import type { Session } from './session.ts'

/** Runs a command now, or when its turn comes; false when too many wait already. */
export function enter(session: Session, run: () => void): boolean {
  if (session.inFlight < UNANSWERED_MAX) {
    session.inFlight += 1
    run()
    return true
  }
  if (session.waiting.length >= FRAMES_WAITING_MAX) return false
  session.waiting.push(run)
  return true
}

/** A command that entered is answered: its place goes to the one that has waited longest. */
export function leave(session: Session): void {
  const next = session.waiting.shift()
  // Not within this answer: a thousand that are refused at once would nest as deep.
  if (next) setImmediate(next)
  else session.inFlight -= 1
}
