/**
 * The command get_notifications, by which a session reads its queue. Source: social.md section 7.
 */
import { type Failure, fail, invalidFields, ok } from '../../core/errors.ts'
import { drain, type Notification, type Poll, poll, takeDropped } from './notifications.ts'
import type { Session } from './session.ts'
import type { MainHandler, Net } from './types.ts'

/** Entries that a poll returns. */
export const POLL_ENTRIES = { default: 50, max: 100 } as const

/** Refuses a number of entries out of bounds. */
export const pollLimitRefusal = (limit: number): Failure | undefined =>
  Number.isInteger(limit) && limit >= 1 && limit <= POLL_ENTRIES.max
    ? undefined
    : invalidFields({ field: 'limit', expected: `integer from 1 to ${POLL_ENTRIES.max}` })

/** The result of get_notifications. */
interface Polled {
  readonly count: number
  readonly notifications: readonly Notification[]
  readonly remaining: number
  readonly current_tick: number
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Required by the contract; always false, since every poll is answered in full. */
  readonly throttled: false
  /** Entries dropped from a full queue since the last poll. */
  readonly dropped?: number
  readonly message?: string
}

/** Reads the queue. A poll that clears it also resets the count of dropped entries. */
export function pollNotifications(net: Net, session: Session, request: Poll): Polled {
  const { queue } = session
  const { clear } = request
  const notifications = poll(queue, request)
  const remaining = clear ? queue.entries.length : queue.entries.length - notifications.length
  const dropped = clear ? takeDropped(queue) : queue.dropped
  const message = messageOf(notifications.length, dropped)
  return {
    count: notifications.length,
    notifications,
    remaining,
    current_tick: net.link.state().tick,
    timestamp: Math.floor(net.clock.wallMs() / 1000),
    throttled: false,
    ...(dropped > 0 ? { dropped } : {}),
    ...(message === '' ? {} : { message }),
  }
}

/** Takes all notifications, as each HTTP answer carries them. */
export function drainAll(session: Session): {
  readonly notifications: readonly Notification[]
  readonly notifications_dropped?: number
} {
  const notifications = drain(session.queue)
  const dropped = takeDropped(session.queue)
  return { notifications, ...(dropped > 0 ? { notifications_dropped: dropped } : {}) }
}

function messageOf(count: number, dropped: number): string {
  const droppedText =
    dropped > 0
      ? `The queue was full; dropped unread, the least important first: ${dropped}. Poll more often.`
      : ''
  return [count === 0 ? 'No notifications.' : '', droppedText].filter(Boolean).join(' ')
}

/** Renders the result as text. */
export function pollText(polled: Polled): string {
  const { count, remaining, message } = polled
  const lines = polled.notifications.map(
    ({ msg_type, data }) => `${msg_type}: ${JSON.stringify(data)}`,
  )
  const head = count === 0 ? '' : `Notifications: ${count}; still queued: ${remaining}.`
  return [head, message ?? '', ...lines].filter(Boolean).join('\n')
}

/** Returns the handler of get_notifications. */
export function notificationsHandler(net: Net): MainHandler {
  return async (request, params) => {
    const { client } = request
    if (client.channel === 'ws') return { outcome: fail('not_available_on_websocket') }
    const { limit, clear, types } = params
    const wanted = typeof limit === 'number' ? Math.floor(limit) : POLL_ENTRIES.default
    const refusal = pollLimitRefusal(wanted)
    if (refusal) return { outcome: refusal }
    const polled = pollNotifications(net, client as Session, {
      limit: wanted,
      clear: clear !== false,
      types: Array.isArray(types) ? types.map(String) : [],
    })
    return { outcome: ok(polled) }
  }
}
