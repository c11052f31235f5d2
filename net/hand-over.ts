/** Hands over a durable batch: its events to sessions, its answers to the pending commands. */
import type { Answer, PublishedBatch } from '../core/ports.ts'
import type { Log } from './ports.ts'
import { deliver, markRan, type PendingCommands } from './publish/pending.ts'
import type { Turns } from './publish/turns.ts'
import type { LinkSinks } from './world-thread.ts'

interface Recipients {
  readonly pending: PendingCommands
  readonly sinks: LinkSinks | undefined
  readonly log: Log
}

/** Resolves with false if events could not be published; every answer is still delivered. */
export async function publishBatch(
  batch: PublishedBatch,
  { pending, sinks, log }: Recipients,
  turns: Turns,
): Promise<boolean> {
  for (const ref of batch.ran) markRan(pending, ref)
  if (batch.elsewhere?.length) sinks?.ranElsewhere?.(batch.elsewhere)
  for (const logins of batch.ended ?? []) if (!logins.isNewer) sinks?.ended?.(logins)
  const waiting = new Set(batch.answers)
  const answer = (given: Answer): void => void (waiting.delete(given) && deliver(pending, given))
  let isWhole = true
  try {
    await sinks?.publish(batch, answer, turns)
  } catch (error) {
    isWhole = false
    log.error({ err: error, batch: batch.batch }, 'a batch could not be published')
  }
  for (const left of waiting) answer(left)
  // Newer logins end only after their answers have been sent.
  if (batch.ended?.length) await turns.next()
  for (const logins of batch.ended ?? []) if (logins.isNewer) sinks?.ended?.(logins)
  return isWhole
}
