/** What a follower knows of the leader and of its own way behind it. */
import type { LeaderBeat } from '../core/bus.ts'

export interface Knowledge {
  leadership: number
  /** The last batch that is known to be durable. */
  head: number
  /** The last batch whose row the replica has run to its end. */
  applied: number
  /** When the replica was known to be there last, by the monotonic clock. */
  freshMs: number
  rowsApplied: number
  /** Batches of immediates since the last tick. */
  part: number
}

export const newKnowledge = (nowMs: number): Knowledge => ({
  leadership: 0,
  head: 0,
  applied: 0,
  freshMs: nowMs,
  rowsApplied: 0,
  part: 0,
})

/** Takes what a leader says of itself. */
export function learn(knows: Knowledge, { leadership, head }: LeaderBeat, nowMs: number): void {
  // A leader that another has replaced may not know it yet.
  if (leadership < knows.leadership) return
  knows.leadership = leadership
  knows.head = Math.max(knows.head, head)
  if (knows.head <= knows.applied) knows.freshMs = nowMs
}
