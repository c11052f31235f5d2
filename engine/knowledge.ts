/** What a follower knows about the leader, and about how far behind it is. */
import type { LeaderBeat } from '../core/bus.ts'

export interface Knowledge {
  leadership: number
  /** The last batch that is known to be durable. */
  head: number
  /** The last batch that the replica has applied completely. */
  applied: number
  /** When the replica was last known to have reached the head, by the monotonic clock. */
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

/** Updates the knowledge from a heartbeat of the leader. */
export function learn(knowledge: Knowledge, { leadership, head }: LeaderBeat, nowMs: number): void {
  // A leader that has been replaced may still send heartbeats.
  if (leadership < knowledge.leadership) return
  knowledge.leadership = leadership
  knowledge.head = Math.max(knowledge.head, head)
  if (knowledge.head <= knowledge.applied) knowledge.freshMs = nowMs
}
