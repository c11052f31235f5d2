/**
 * The unanswered commands of a session: a limited number runs at once; more wait in order. Source:
 * interface, Limits (queries: unlimited, no wait); RELIABILITY 5.
 */
import { FRAMES_WAITING_MAX, UNANSWERED_MAX } from '../../core/limits.ts'
import type { Session } from './session.ts'

/** Runs a command now or when its turn comes; returns false if too many wait already. */
export function admitCommand(session: Session, run: () => void): boolean {
  if (session.inFlight < UNANSWERED_MAX) {
    session.inFlight += 1
    run()
    return true
  }
  if (session.waiting.length >= FRAMES_WAITING_MAX) return false
  session.waiting.push(run)
  return true
}

/** Frees the place of an answered command for the one that has waited longest. */
export function finishCommand(session: Session): void {
  const next = session.waiting.shift()
  // Deferred: commands that are refused at once call this again, which would recurse a thousand
  // deep.
  if (next) setImmediate(next)
  else session.inFlight -= 1
}
