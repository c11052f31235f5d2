/**
 * What a refusal for a limit says: which bucket, how much it takes, whom it counts, how long to
 * wait. Clients read it in the details, beside the code, or in the words alone; all three have it.
 * Source: newer.md section 2, WIRE 1.11 and 9.5, accounts.md section 10.
 */
import { type Failure, fail } from '../../core/errors.ts'
import {
  BATTLE_ORDERS_PER_TICK_MAX,
  DOCUMENTS_PER_MINUTE,
  FAILED_LOGINS_PER_MINUTE,
  FRAMES_PER_SECOND_MAX,
  IMMEDIATES_PER_MINUTE,
  LINK_POLLS_PER_MINUTE,
  NEW_PLAYERS_PER_ADDRESS_AND_DAY,
  PUBLIC_REQUESTS_PER_MINUTE,
  REJECTIONS_BEFORE_TIMEOUT,
  SELF_DESTRUCTS_PER_MINUTE,
  SESSION_ATTEMPTS_PER_MINUTE,
  TOKEN_LOGINS_PER_MINUTE,
  UNANSWERED_MAX,
} from '../../core/limits.ts'
import { type Gate, passAddress, timedOutFor, type WindowName } from './gate.ts'

interface Bucket {
  /** Its name on the wire. */
  readonly id: string
  readonly scope: 'ip' | 'player' | 'session' | 'server'
  /** Absent where it does not count by the minute. */
  readonly perMinute?: number
  readonly words: string
}

const BUCKETS = {
  session: {
    id: 'session',
    scope: 'ip',
    words: `At most ${SESSION_ATTEMPTS_PER_MINUTE} new sessions, logins and registrations a minute.`,
    perMinute: SESSION_ATTEMPTS_PER_MINUTE,
  },
  sessions: {
    id: 'sessions',
    scope: 'server',
    words: 'The server holds as many sessions as it can.',
  },
  failedLogin: {
    id: 'failed_login',
    scope: 'ip',
    words: `At most ${FAILED_LOGINS_PER_MINUTE} wrong secrets a minute for one name.`,
    perMinute: FAILED_LOGINS_PER_MINUTE,
  },
  public: {
    id: 'public_api',
    scope: 'ip',
    words: `At most ${PUBLIC_REQUESTS_PER_MINUTE} public API requests a minute.`,
    perMinute: PUBLIC_REQUESTS_PER_MINUTE,
  },
  openapi: {
    id: 'openapi',
    scope: 'ip',
    words: 'OpenAPI fetches: one a minute, whichever document. Keep what you have.',
    perMinute: DOCUMENTS_PER_MINUTE,
  },
  catalog: {
    id: 'catalog',
    scope: 'ip',
    words: 'Catalog downloads: one a minute. Keep the file until the version changes.',
    perMinute: DOCUMENTS_PER_MINUTE,
  },
  linkPoll: {
    id: 'link_poll',
    scope: 'ip',
    words: `At most ${LINK_POLLS_PER_MINUTE} polls of login links a minute.`,
    perMinute: LINK_POLLS_PER_MINUTE,
  },
  newPlayer: {
    id: 'new_player',
    scope: 'ip',
    words: `At most ${NEW_PLAYERS_PER_ADDRESS_AND_DAY} new players a day without an account.`,
  },
  selfDestruct: {
    id: 'self_destruct',
    scope: 'ip',
    words: `At most ${SELF_DESTRUCTS_PER_MINUTE} ships a minute may destroy themselves.`,
    perMinute: SELF_DESTRUCTS_PER_MINUTE,
  },
  immediate: {
    id: 'game_write',
    scope: 'player',
    words: `At most ${IMMEDIATES_PER_MINUTE} game actions a minute that take effect at once.`,
    perMinute: IMMEDIATES_PER_MINUTE,
  },
  battleOrder: {
    id: 'battle_order',
    scope: 'player',
    words: `At most ${BATTLE_ORDERS_PER_TICK_MAX} battle orders a tick.`,
  },
  tokenLogin: {
    id: 'token_login',
    scope: 'player',
    words: `At most ${TOKEN_LOGINS_PER_MINUTE} logins by token a minute.`,
    perMinute: TOKEN_LOGINS_PER_MINUTE,
  },
  requests: {
    id: 'requests',
    scope: 'session',
    words: 'As many requests as may wait are waiting already.',
    perMinute: FRAMES_PER_SECOND_MAX * 60,
  },
  unanswered: {
    id: 'unanswered',
    scope: 'session',
    words: `${UNANSWERED_MAX} commands are unanswered, and as many as may wait are behind them.`,
  },
  timeOut: {
    id: 'ip_timeout',
    scope: 'ip',
    words: `This address is in a time-out: ${REJECTIONS_BEFORE_TIMEOUT} attempts were refused in a minute.`,
  },
} satisfies Record<string, Bucket>
type BucketName = keyof typeof BUCKETS

/** A refused use is not counted, so that a bucket is never more than full. */
export function limited(name: BucketName, seconds: number): Failure {
  const { id, scope, words, perMinute }: Bucket = BUCKETS[name]
  const full = perMinute === undefined ? {} : { limit_per_min: perMinute, current: perMinute }
  const details = { limit: id, scope, ...full, wait_seconds: seconds }
  return fail(name === 'timeOut' ? 'ip_timed_out' : 'rate_limited', details, words)
}

/** A wait as a refusal: of the bucket, or of an address that is in time-out. */
export function refusal(
  gate: Gate,
  name: BucketName,
  ip: string,
  seconds: number,
): Failure | undefined {
  if (seconds === 0) return undefined
  return timeOutRefusal(gate, ip) ?? limited(name, seconds)
}

/** Why an address in time-out is refused; undefined where it is in none. */
export function timeOutRefusal(gate: Gate, ip: string): Failure | undefined {
  const seconds = timedOutFor(gate, ip)
  return seconds > 0 ? limited('timeOut', seconds) : undefined
}

/** Uses a bucket by address; why that is refused, if it is. */
export const addressRefusal = (
  gate: Gate,
  name: WindowName & BucketName,
  ip: string,
): Failure | undefined => refusal(gate, name, ip, passAddress(gate, name, ip))

/** Limits of the game itself, which counts them where it refuses. */
const GAME = { limit: 'game_action', scope: 'player' }

/** Seconds a refusal asks to wait; undefined when it asks for none. */
export function waitSeconds(failure: Failure): number | undefined {
  const wait = failure.details?.wait_seconds ?? failure.details?.retry_after
  return typeof wait === 'number' ? wait : undefined
}

export const secondsText = (seconds: number): string =>
  `${seconds} second${seconds === 1 ? '' : 's'}`

const NAMES_WAIT = /\b(?:retry|try again) in \d/i

/** A refusal with the wait it asks for in its details and words, and the bucket of a limit. */
export function withWait(failure: Failure): Failure {
  const seconds = waitSeconds(failure)
  if (seconds === undefined) return failure
  const { code, message } = failure
  const isLimit = code === 'rate_limited'
  const details = { ...(isLimit ? GAME : {}), ...failure.details, retry_after: seconds }
  const again = code === 'ip_timed_out' ? 'Try again' : 'Retry'
  const tail = NAMES_WAIT.test(message) ? '' : ` ${again} in ${secondsText(seconds)}.`
  const head = isLimit ? `rate_limited (${details.limit}): ` : ''
  return { ...failure, details, message: `${head}${message}${tail}` }
}
