/** Hands over a durable batch: its events to sessions, its answers to the pending commands. */
import type { Answer, EndedLogins, PublishedBatch, ToMain } from '../core/ports.ts'
import type { Log } from './ports.ts'
import { deliver, leaveElsewhere, markRan, type PendingCommands } from './publish/pending.ts'
import type { Turns } from './publish/turns.ts'
import type { LinkSinks } from './world-thread.ts'

interface Recipients {
  readonly pending: PendingCommands
  readonly sinks: LinkSinks | undefined
  readonly log: Log
}

/** Messages of a tick that is not durable yet. */
export type MessagesAhead = Extract<ToMain, { kind: 'ahead' }>

/** Returns a durable batch with those of its messages that came ahead of it. */
export function withAhead(batch: PublishedBatch, ahead: readonly MessagesAhead[]): PublishedBatch {
  if (ahead.length === 0) return batch
  const parts = [...ahead.filter((part) => part.batch === batch.batch), batch]
  const answers = parts.flatMap((part) => part.answers)
  const emissions = parts.flatMap((part) => part.emissions)
  return { ...batch, answers, emissions }
}

/** Ends logins here that another node has ended, and leaves their outcomes to the newer ones. */
function endLogins({ pending, sinks }: Recipients, logins: readonly EndedLogins[] = []): void {
  if (logins.length === 0) return
  const moved = logins.filter(({ what }) => what === 'socket').map(({ player }) => player)
  leaveElsewhere(pending, new Set(moved))
  for (const ended of logins) sinks?.ended?.(ended)
}

/** Resolves with false if events could not be published; every answer is still delivered. */
export async function publishBatch(
  batch: PublishedBatch,
  recipients: Recipients,
  turns: Turns,
): Promise<boolean> {
  const { pending, sinks, log } = recipients
  for (const ref of batch.ran) markRan(pending, ref)
  if (batch.elsewhere?.length) sinks?.ranElsewhere?.(batch.elsewhere)
  endLogins(
    recipients,
    batch.ended?.filter(({ isNewer }) => !isNewer),
  )
  const waiting = new Set(batch.answers)
  const isTick = batch.tick > 0
  const answer = (given: Answer): void =>
    void (waiting.delete(given) && deliver(pending, given, isTick))
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
  endLogins(
    recipients,
    batch.ended?.filter(({ isNewer }) => isNewer),
  )
  return isWhole
}
