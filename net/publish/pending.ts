/**
 * The commands that main has accepted but not answered yet. They outlive the world thread: a
 * replacement is sent those that no batch contains, and none is answered twice (DESIGN 2). A batch
 * contains the commands that ran in it.
 */
import { fail, inboxFull, type Outcome } from '../../core/errors.ts'
import { INBOX_MAX, QUARANTINE_ENDS, QUARANTINED_MAX } from '../../core/limits.ts'
import type { Answer } from '../../core/ports.ts'
import type { Submission } from '../../core/types.ts'
import type { Log } from '../ports.ts'
import { evictOldest } from '../session/leaks.ts'
import type { Refs } from './refs.ts'

/** Takes an answer; returns false when its client is gone. */
export type AnswerSink = (answer: Answer) => boolean
export type NewSubmission = Omit<Submission, 'ref'>

interface Entry {
  readonly submission: Submission
  readonly sink: AnswerSink
  /** True once its acknowledgement has been delivered. */
  acknowledged: boolean
  /** True once a batch contains it. */
  ran: boolean
  /** True once its player is on a socket at another node, which then delivers what ticks decide. */
  isElsewhere: boolean
  /** Number of times that the world thread ended while running this command. */
  ends: number
}

export interface PendingCommands {
  readonly entries: Map<number, Entry>
  /**
   * Fingerprints of commands that are refused because the world thread ended while running them.
   */
  readonly quarantined: Set<string>
  /** For commands of other nodes, by ref: how often the world thread ended while running them. */
  readonly endsElsewhere: Map<number, number>
  readonly log: Log
  /** Takes the outcomes of mutations whose client is gone. */
  orphan: (answer: Answer) => void
  readonly refs: Refs
  /** Number of commands that no batch contains yet; they fill the inbox. */
  waiting: number
}

export function createPending(refs: Refs, log: Log): PendingCommands {
  return {
    entries: new Map(),
    quarantined: new Set(),
    endsElsewhere: new Map(),
    log,
    orphan: () => {},
    refs,
    waiting: 0,
  }
}

const fingerprint = ({ player, command, params }: NewSubmission): string =>
  `${player} ${command} ${JSON.stringify(params)}`

/** Builds the final answer to a submission. */
export function finalAnswer(
  submission: Submission,
  tick: number,
  outcome: Outcome<unknown>,
): Answer {
  const { ref, player, command, framing, requestId } = submission
  const head = { ref, player, command, framing, stage: 'final' as const, tick, outcome }
  return requestId === undefined ? head : { ...head, requestId }
}

/** Refuses a new command if the inbox is full or the command is quarantined. */
export function submitRefusal(
  pending: PendingCommands,
  command: NewSubmission,
): Outcome<unknown> | undefined {
  if (pending.waiting >= INBOX_MAX) return inboxFull()
  if (pending.quarantined.size > 0 && pending.quarantined.has(fingerprint(command)))
    return fail('internal_error')
  return undefined
}

/** Assigns a ref to a new command. */
export function numberSubmission(pending: PendingCommands, command: NewSubmission): Submission {
  const ref = pending.refs.next()
  const { player, command: name, params, framing, requestId, secret } = command
  if (secret !== undefined) return { ...command, ref }
  return requestId === undefined
    ? { player, command: name, params, framing, ref }
    : { player, command: name, params, framing, requestId, ref }
}

/** Records a command that is sent to the world, with the sink of its answers. */
export function addPending(
  pending: PendingCommands,
  submission: Submission,
  sink: AnswerSink,
): void {
  pending.entries.set(submission.ref, {
    submission,
    sink,
    acknowledged: false,
    ran: false,
    isElsewhere: false,
    ends: 0,
  })
  pending.waiting += 1
}

/** Counts the acknowledged mutations without an answer. */
export function countAcknowledged(pending: PendingCommands): number {
  let count = 0
  for (const { acknowledged } of pending.entries.values()) if (acknowledged) count += 1
  return count
}

function removePending(pending: PendingCommands, ref: number, entry: Entry): void {
  pending.entries.delete(ref)
  if (!entry.ran) pending.waiting -= 1
}

/** Records that a batch contains a command. */
export function markRan(pending: PendingCommands, ref: number): void {
  const entry = pending.entries.get(ref)
  if (!entry || entry.ran) return
  entry.ran = true
  pending.waiting -= 1
}

/**
 * Marks commands that players sent on sockets here before they logged in at another node: that node
 * delivers the outcomes, even if the socket here is still open. O(pending commands).
 */
export function leaveElsewhere(pending: PendingCommands, players: ReadonlySet<number>): void {
  for (const entry of pending.entries.values()) {
    const { player, framing } = entry.submission
    if (players.has(player) && (framing === 'ws1' || framing === 'ws2')) entry.isElsewhere = true
  }
}

/**
 * Delivers an answer to its client; the outcome of a mutation whose client is gone goes to
 * `orphan`.
 */
export function deliver(pending: PendingCommands, answer: Answer, isFromTick = false): void {
  const entry = pending.entries.get(answer.ref)
  if (!entry) {
    // A ref of this process without an entry has been answered already; one of another process has
    // not.
    if (answer.stage === 'final' && !pending.refs.isOwn(answer.ref)) pending.orphan(answer)
    return
  }
  if (answer.stage === 'final') removePending(pending, answer.ref, entry)
  else if (entry.acknowledged) return
  else entry.acknowledged = true
  let isTaken = true
  try {
    isTaken = !(isFromTick && entry.isElsewhere) && entry.sink(answer)
  } catch (error) {
    // A bug in net ends only this exchange (DESIGN 4).
    const { command, requestId } = entry.submission
    pending.log.error({ err: error, command, requestId }, 'an answer could not be delivered')
  }
  if (!isTaken && answer.stage === 'final' && entry.acknowledged) pending.orphan(answer)
}

/**
 * Returns, for a new world thread, the commands that no batch contains, in order of acceptance, and
 * marks the others as run. `contained`: refs of the commands that a batch contains.
 */
export function commandsToResend(
  pending: PendingCommands,
  contained: readonly number[],
): Submission[] {
  for (const ref of contained) markRan(pending, ref)
  return [...pending.entries.values()].flatMap(({ ran, submission }) => (ran ? [] : [submission]))
}

/**
 * Records that the world thread ended while running a command. After QUARANTINE_ENDS such ends the
 * command is answered with an error, and refused when it is sent again.
 */
export function recordThreadEnd(pending: PendingCommands, ref: number, tick: number): void {
  const entry = pending.entries.get(ref)
  if (!entry) {
    recordThreadEndElsewhere(pending, ref)
    return
  }
  entry.ends += 1
  if (entry.ends < QUARANTINE_ENDS) return
  const { submission } = entry
  const { player, command, params, requestId } = submission
  pending.log.error(
    { ref, player, command, params, requestId },
    'command quarantined: the world thread ended while running it',
  )
  pending.quarantined.add(fingerprint(submission))
  evictOldest(pending.quarantined, QUARANTINED_MAX)
  deliver(pending, finalAnswer(submission, tick, fail('internal_error')))
}

/** Counts the end for a command of another node, which resends it to the next thread. */
function recordThreadEndElsewhere({ endsElsewhere, log }: PendingCommands, ref: number): void {
  const ends = (endsElsewhere.get(ref) ?? 0) + 1
  endsElsewhere.delete(ref)
  endsElsewhere.set(ref, ends)
  evictOldest(endsElsewhere, QUARANTINED_MAX)
  if (ends === QUARANTINE_ENDS) {
    log.error(
      { ref },
      'command quarantined: another node sent it, and the world thread ended while running it',
    )
  }
}

/** Returns the refs of commands of other nodes that the next thread must not run. */
export const quarantinedElsewhere = ({ endsElsewhere }: PendingCommands): number[] =>
  [...endsElsewhere].flatMap(([ref, ends]) => (ends >= QUARANTINE_ENDS ? [ref] : []))

/**
 * Refuses pending commands with `restarting` before the process stops. Acknowledged ones get no
 * answer, as it could be wrong: the next process sends their outcome.
 */
export function refusePending(pending: PendingCommands, tick: number): void {
  for (const { submission, acknowledged } of [...pending.entries.values()])
    if (!acknowledged) deliver(pending, finalAnswer(submission, tick, fail('restarting')))
}
