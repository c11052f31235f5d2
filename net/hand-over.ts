/** Hands over a durable batch: its events to sessions, its answers to the pending commands. */
import type { Answer, EndedLogins } from '../core/ports.ts'
import type { Log } from './ports.ts'
import type { Arrival } from './publish/arriving.ts'
import { deliver, leaveElsewhere, markRan, type PendingCommands } from './publish/pending.ts'
import type { Turns } from './publish/turns.ts'
import type { LinkSinks } from './world-thread.ts'

interface Recipients {
  readonly pending: PendingCommands
  readonly sinks: LinkSinks | undefined
  readonly log: Log
}

/** Ends logins here that another node has ended, and leaves their outcomes to the newer ones. */
function endLogins({ pending, sinks }: Recipients, logins: readonly EndedLogins[] = []): void {
  if (logins.length === 0) return
  const moved = logins.filter(({ what }) => what === 'socket').map(({ player }) => player)
  leaveElsewhere(pending, new Set(moved))
  for (const ended of logins) sinks?.ended?.(ended)
}

/**
 * Resolves with false if events could not be published; every answer is still delivered, unless the
 * world thread ends before the whole batch is here.
 */
export async function handOverBatch(
  arrival: Arrival,
  recipients: Recipients,
  turns: Turns,
): Promise<boolean> {
  const { pending, sinks, log } = recipients
  const { batch, answered } = arrival
  for (const ref of batch.ran) markRan(pending, ref)
  if (batch.elsewhere?.length) sinks?.ranElsewhere?.(batch.elsewhere)
  endLogins(
    recipients,
    batch.ended?.filter(({ isNewer }) => !isNewer),
  )
  const delivered = new Set<Answer>()
  const isTick = batch.tick > 0
  const answer = (given: Answer): void => {
    if (delivered.has(given)) return
    delivered.add(given)
    answered.add(given.ref)
    deliver(pending, given, isTick)
  }
  let isWhole = true
  try {
    await sinks?.publish(batch, answer, turns, arrival)
  } catch (error) {
    isWhole = false
    log.error({ err: error, batch: batch.batch }, 'a batch could not be published')
  }
  // After a failure there may be more to come.
  while (!arrival.isOver()) await turns.next(arrival.next())
  if (arrival.isCut()) return true
  for (const left of batch.answers) answer(left)
  // Newer logins end only after their answers have been sent.
  if (batch.ended?.length) await turns.next()
  endLogins(
    recipients,
    batch.ended?.filter(({ isNewer }) => isNewer),
  )
  return isWhole
}
