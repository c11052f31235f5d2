/**
 * The commands that main has accepted and not answered yet. They outlive the world thread, so that
 * a replacement gets what no batch holds, and nothing is answered twice (DESIGN 2).
 */
import { fail, type Outcome } from '../../core/errors.ts'
import { INBOX_MAX, QUARANTINE_ENDS } from '../../core/limits.ts'
import type { Answer } from '../../core/ports.ts'
import type { Submission } from '../../core/types.ts'
import type { Log } from '../ports.ts'

/** Quarantined commands remembered; the oldest is forgotten first. */
const QUARANTINED_MAX = 1_000

/** Takes an answer; false when nobody waits here any more. */
export type AnswerSink = (answer: Answer) => boolean
export type NewSubmission = Omit<Submission, 'ref'>

interface Entry {
  readonly submission: Submission
  readonly sink: AnswerSink
  acknowledged: boolean
  ran: boolean
  /** Ends of the world thread at which this command was the running one. */
  ends: number
}

export interface PendingCommands {
  readonly entries: Map<number, Entry>
  readonly quarantined: Set<string>
  readonly log: Log
  orphan: (answer: Answer) => void
  /** Refs up to here belong to earlier processes. */
  firstRef: number
  nextRef: number
  /** Commands that no batch holds yet: what fills the inbox. */
  waiting: number
}

export function createPending(firstRef: number, log: Log): PendingCommands {
  return {
    entries: new Map(),
    quarantined: new Set(),
    log,
    orphan: () => {},
    firstRef,
    nextRef: firstRef,
    waiting: 0,
  }
}

const fingerprint = (s: NewSubmission): string =>
  `${s.player} ${s.command} ${JSON.stringify(s.params)}`

export function finalAnswer(
  submission: Submission,
  tick: number,
  outcome: Outcome<unknown>,
): Answer {
  const { ref, player, command, framing, requestId } = submission
  const head = { ref, player, command, framing, stage: 'final' as const, tick, outcome }
  return requestId === undefined ? head : { ...head, requestId }
}

/** Returns why a new command is not accepted; undefined when it is. */
export function submitRefusal(
  pending: PendingCommands,
  command: NewSubmission,
): Outcome<unknown> | undefined {
  if (pending.waiting >= INBOX_MAX) return fail('rate_limited', { wait_seconds: 1 })
  if (pending.quarantined.size > 0 && pending.quarantined.has(fingerprint(command)))
    return fail('internal_error')
  return undefined
}

export function numberSubmission(pending: PendingCommands, command: NewSubmission): Submission {
  pending.nextRef += 1
  return { ...command, ref: pending.nextRef }
}

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
    ends: 0,
  })
  pending.waiting += 1
}

/** Counts mutations that were acknowledged and are not answered. */
export function countAcknowledged(pending: PendingCommands): number {
  let count = 0
  for (const { acknowledged } of pending.entries.values()) if (acknowledged) count += 1
  return count
}

function removePending(pending: PendingCommands, ref: number, entry: Entry): void {
  pending.entries.delete(ref)
  if (!entry.ran) pending.waiting -= 1
}

export function markRan(pending: PendingCommands, ref: number): void {
  const entry = pending.entries.get(ref)
  if (!entry || entry.ran) return
  entry.ran = true
  pending.waiting -= 1
}

/**
 * Gives an answer to whoever waits; a mutation's outcome that nobody waits for goes to `orphan`.
 */
export function deliver(pending: PendingCommands, answer: Answer): void {
  const entry = pending.entries.get(answer.ref)
  if (!entry) {
    // Without an entry, a ref of this process was answered before; one of an earlier process is
    // still pending.
    if (answer.stage === 'final' && answer.ref <= pending.firstRef) pending.orphan(answer)
    return
  }
  if (answer.stage === 'final') removePending(pending, answer.ref, entry)
  else if (entry.acknowledged) return
  else entry.acknowledged = true
  let taken = true
  try {
    taken = entry.sink(answer)
  } catch (error) {
    // A bug in net ends only this exchange (DESIGN 4).
    const { command, requestId } = entry.submission
    pending.log.error({ err: error, command, requestId }, 'an answer could not be delivered')
  }
  if (!taken && answer.stage === 'final' && entry.acknowledged) pending.orphan(answer)
}

/** Returns, after a replacement, the commands that no batch holds, in the order of acceptance. */
export function notHeld(pending: PendingCommands, held: readonly number[]): Submission[] {
  for (const ref of held) markRan(pending, ref)
  const again: Submission[] = []
  for (const entry of pending.entries.values()) if (!entry.ran) again.push(entry.submission)
  return again
}

/**
 * Records that the world thread ended on this command; quarantines it after QUARANTINE_ENDS.
 */
export function recordEnd(pending: PendingCommands, ref: number, tick: number): void {
  const entry = pending.entries.get(ref)
  if (!entry) return
  entry.ends += 1
  if (entry.ends < QUARANTINE_ENDS) return
  const { submission } = entry
  const { player, command, params, requestId } = submission
  pending.log.error(
    { ref, player, command, params, requestId },
    'command quarantined: the world ended on it',
  )
  if (pending.quarantined.size >= QUARANTINED_MAX) {
    const [oldest] = pending.quarantined
    pending.quarantined.delete(oldest)
  }
  pending.quarantined.add(fingerprint(submission))
  deliver(pending, finalAnswer(submission, tick, fail('internal_error')))
}

/**
 * Refuses pending commands with restarting, as the process is about to stop. Acknowledged ones get
 * no answer, which could be wrong: the next process sends their outcome.
 */
export function refusePending(pending: PendingCommands, tick: number): void {
  for (const { submission, acknowledged } of [...pending.entries.values()])
    if (!acknowledged) deliver(pending, finalAnswer(submission, tick, fail('restarting')))
}
