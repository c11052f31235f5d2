/**
 * The commands main has accepted and still owes an answer for: sent, run by a batch, answered. They
 * outlive the world thread, so that a replacement gets what no batch holds, and nothing is answered
 * twice (DESIGN 2).
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

export interface Owed {
  readonly entries: Map<number, Entry>
  readonly quarantined: Set<string>
  readonly log: Log
  orphan: (answer: Answer) => void
  /** Refs up to here belong to earlier processes. */
  firstRef: number
  nextRef: number
  /** Commands that no batch holds yet: what fills the inbox. */
  unrun: number
}

export function createOwed(firstRef: number, log: Log): Owed {
  return {
    entries: new Map(),
    quarantined: new Set(),
    log,
    orphan: () => {},
    firstRef,
    nextRef: firstRef,
    unrun: 0,
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

/** Why a new command is not taken; undefined when it is. */
export function refusal(owed: Owed, command: NewSubmission): Outcome<unknown> | undefined {
  if (owed.unrun >= INBOX_MAX) return fail('rate_limited', { wait_seconds: 1 })
  if (owed.quarantined.size > 0 && owed.quarantined.has(fingerprint(command)))
    return fail('internal_error')
  return undefined
}

export function numberSubmission(owed: Owed, command: NewSubmission): Submission {
  owed.nextRef += 1
  return { ...command, ref: owed.nextRef }
}

export function keep(owed: Owed, submission: Submission, sink: AnswerSink): void {
  owed.entries.set(submission.ref, { submission, sink, acknowledged: false, ran: false, ends: 0 })
  owed.unrun += 1
}

/** Mutations that were acknowledged and are not answered. */
export function countAcknowledged(owed: Owed): number {
  let count = 0
  for (const { acknowledged } of owed.entries.values()) if (acknowledged) count += 1
  return count
}

function takeOut(owed: Owed, ref: number, entry: Entry): void {
  owed.entries.delete(ref)
  if (!entry.ran) owed.unrun -= 1
}

export function markRan(owed: Owed, ref: number): void {
  const entry = owed.entries.get(ref)
  if (!entry || entry.ran) return
  entry.ran = true
  owed.unrun -= 1
}

/**
 * Gives an answer to whoever waits; a mutation's outcome that nobody waits for goes to `orphan`.
 */
export function deliver(owed: Owed, answer: Answer): void {
  const entry = owed.entries.get(answer.ref)
  if (!entry) {
    // Without an entry, a ref of this process was answered before; one of an earlier process is
    // still owed.
    if (answer.stage === 'final' && answer.ref <= owed.firstRef) owed.orphan(answer)
    return
  }
  if (answer.stage === 'final') takeOut(owed, answer.ref, entry)
  else if (entry.acknowledged) return
  else entry.acknowledged = true
  let taken = true
  try {
    taken = entry.sink(answer)
  } catch (error) {
    // A bug in net ends only this exchange (DESIGN 4).
    owed.log.error({ err: error, command: answer.command }, 'an answer could not be delivered')
  }
  if (!taken && answer.stage === 'final' && entry.acknowledged) owed.orphan(answer)
}

/** After a replacement: what no batch holds, in the order it was accepted. */
export function unheld(owed: Owed, held: readonly number[]): Submission[] {
  for (const ref of held) markRan(owed, ref)
  const again: Submission[] = []
  for (const entry of owed.entries.values()) if (!entry.ran) again.push(entry.submission)
  return again
}

/**
 * Notes that the world thread ended on this command; sets it aside when that happened often enough.
 */
export function recordEnd(owed: Owed, ref: number, tick: number): void {
  const entry = owed.entries.get(ref)
  if (!entry) return
  entry.ends += 1
  if (entry.ends < QUARANTINE_ENDS) return
  const { submission } = entry
  const { player, command, params } = submission
  owed.log.error({ ref, player, command, params }, 'command quarantined: the world ended on it')
  if (owed.quarantined.size >= QUARANTINED_MAX) {
    const [oldest] = owed.quarantined
    owed.quarantined.delete(oldest)
  }
  owed.quarantined.add(fingerprint(submission))
  deliver(owed, finalAnswer(submission, tick, fail('internal_error')))
}

/**
 * The process is about to stop: whoever waits hears so. What was acknowledged gets no answer that
 * could be wrong; the next process tells what became of it.
 */
export function abandon(owed: Owed, tick: number): void {
  for (const { submission, acknowledged } of [...owed.entries.values()])
    if (!acknowledged) deliver(owed, finalAnswer(submission, tick, fail('restarting')))
}
