/**
 * Notifies players that ticks have become longer: one `admin` chat message when an overload starts.
 * It is not an event of the world, since it depends on the machine's clock. Source: RELIABILITY 5
 * (L5), social.md section 1 (admin: server only, all).
 */
import { OVERLOAD_NOTICE_EVERY_MS } from '../../core/limits.ts'
import { isoTime } from '../../core/time.ts'
import type { Clock } from '../ports.ts'
import { type FanOut, publishBatch } from './publish.ts'

interface OverloadParts {
  readonly fan: FanOut
  readonly clock: Clock
  /** Returns the numbers of all players online. */
  readonly players: () => Iterable<number>
  /** Returns the configured length of a tick in milliseconds. */
  readonly tickMs: () => number
}

/** Takes the stretch of a tick; resolves once a notice, if any, has been published. */
type OverloadWatch = (stretch: number) => Promise<void>

export function createOverloadWatch(parts: OverloadParts): OverloadWatch {
  const { fan, clock } = parts
  let isStretched = false
  let noticeAtMs = -Infinity
  let notices = 0
  return async (stretch) => {
    const begins = stretch > 1 && !isStretched
    isStretched = stretch > 1
    const nowMs = clock.monoMs()
    if (!begins || nowMs - noticeAtMs < OVERLOAD_NOTICE_EVERY_MS) return
    noticeAtMs = nowMs
    notices += 1
    const time = isoTime(clock.wallMs())
    const seconds = (stretch * parts.tickMs()) / 1000
    const payload = {
      id: `overload-${Math.floor(clock.wallMs())}-${notices}`,
      channel: 'admin',
      sender_id: 'server',
      sender: 'server',
      content:
        `The server has more to do than fits a tick: for now a tick lasts about ${seconds} s. ` +
        'Nothing you sent is lost; everyone waits alike.',
      timestamp: time,
      timestamp_utc: time,
    }
    const emission = { type: 'chat_message', payload, to: [...parts.players()] }
    await publishBatch(fan, { tick: 0, answers: [], emissions: [emission] }, () => {})
  }
}
