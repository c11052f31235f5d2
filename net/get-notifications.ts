/**
 * get_notifications: a session reads its own queue, once a tick. Source: social.md section 7.
 */
import { badFields, fail, ok } from '../core/errors.ts'
import type { Net } from './context.ts'
import type { MainHandler } from './dispatch.ts'
import { type Notification, type Poll, poll } from './notifications.ts'
import type { Session } from './session.ts'

const LIMIT_DEFAULT = 50
const LIMIT_MAX = 100

export interface Polled {
  readonly count: number
  readonly notifications: readonly Notification[]
  readonly remaining: number
  readonly current_tick: number
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly throttled?: true
  readonly retry_after?: number
  readonly message?: string
}

/** Reads the queue; a second time in a tick it says `throttled` instead. */
export function pollNotifications(net: Net, session: Session, ask: Poll): Polled {
  const { tick, tickMs } = net.link.state()
  const { queue } = session
  const about = { current_tick: tick, timestamp: Math.floor(net.clock.wallMs() / 1000) }
  if (queue.polledTick === tick) {
    return {
      count: 0,
      notifications: [],
      remaining: queue.entries.length,
      ...about,
      throttled: true,
      retry_after: Math.max(1, Math.ceil(tickMs / 1000)),
      message: 'Notifications can be read once a tick.',
    }
  }
  queue.polledTick = tick
  const notifications = poll(queue, ask)
  const remaining = ask.clear ? queue.entries.length : queue.entries.length - notifications.length
  return {
    count: notifications.length,
    notifications,
    remaining,
    ...about,
    ...(notifications.length === 0 ? { message: 'No notifications.' } : {}),
  }
}

export function pollText(polled: Polled): string {
  if (polled.count === 0) return polled.message ?? 'No notifications.'
  const lines = polled.notifications.map(
    ({ msg_type, data }) => `${msg_type}: ${JSON.stringify(data)}`,
  )
  return [`${polled.count} notifications, ${polled.remaining} more waiting.`, ...lines].join('\n')
}

export function notificationsHandler(net: Net): MainHandler {
  return async (request, params) => {
    const { client } = request
    if (client.channel === 'ws') return { outcome: fail('not_available_on_websocket') }
    const { limit, clear, types } = params
    const wanted = typeof limit === 'number' ? Math.floor(limit) : LIMIT_DEFAULT
    if (wanted < 1 || wanted > LIMIT_MAX)
      return {
        outcome: badFields({ field: 'limit', expected: `integer from 1 to ${LIMIT_MAX}` }),
      }
    const polled = pollNotifications(net, client as Session, {
      limit: wanted,
      clear: clear !== false,
      types: Array.isArray(types) ? types.map(String) : [],
    })
    return { outcome: ok(polled) }
  }
}
