/**
 * Refusals by rate limits: each gives the bucket, its limit, its scope and the wait, both in its
 * details and in its sentence, since some clients read only one of them. Source: newer.md section
 * 2, WIRE 1.11 and 9.5, accounts.md section 10.
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
  PAGE_REQUESTS_PER_MINUTE,
  PUBLIC_REQUESTS_PER_MINUTE,
  REJECTIONS_BEFORE_TIMEOUT,
  SELF_DESTRUCTS_PER_MINUTE,
  SESSION_ATTEMPTS_PER_MINUTE,
  TOKEN_LOGINS_PER_MINUTE,
  UNANSWERED_MAX,
  WATCHERS_MAX,
  WATCHERS_PER_ADDRESS_MAX,
} from '../../core/limits.ts'
import { counted } from '../../core/say.ts'
import { type Gate, passAddress, timedOutFor, type WindowName } from './gate.ts'

interface Bucket {
  /** Its name on the wire. */
  readonly id: string
  readonly scope: 'ip' | 'player' | 'session' | 'server'
  /** Limit per minute; absent if it is not one per minute. */
  readonly perMinute?: number
  /** Sentence of its refusals. */
  readonly sentence: string
}

const BUCKETS = {
  session: {
    id: 'session',
    scope: 'ip',
    sentence: `At most ${SESSION_ATTEMPTS_PER_MINUTE} new sessions, logins and registrations a minute.`,
    perMinute: SESSION_ATTEMPTS_PER_MINUTE,
  },
  sessions: {
    id: 'sessions',
    scope: 'server',
    sentence: 'The server has no room for more sessions right now.',
  },
  failedLogin: {
    id: 'failed_login',
    scope: 'ip',
    sentence: `At most ${FAILED_LOGINS_PER_MINUTE} failed logins a minute for one name.`,
    perMinute: FAILED_LOGINS_PER_MINUTE,
  },
  public: {
    id: 'public_api',
    scope: 'ip',
    sentence: `At most ${PUBLIC_REQUESTS_PER_MINUTE} public API requests a minute.`,
    perMinute: PUBLIC_REQUESTS_PER_MINUTE,
  },
  page: {
    id: 'public_page',
    scope: 'ip',
    sentence: `At most ${PAGE_REQUESTS_PER_MINUTE} requests a minute for the page and its data.`,
    perMinute: PAGE_REQUESTS_PER_MINUTE,
  },
  openapi: {
    id: 'openapi',
    scope: 'ip',
    sentence: 'OpenAPI fetches: one a minute, whichever document. Keep what you have.',
    perMinute: DOCUMENTS_PER_MINUTE,
  },
  catalog: {
    id: 'catalog',
    scope: 'ip',
    sentence: 'Catalog downloads: one a minute. Keep the file until the version changes.',
    perMinute: DOCUMENTS_PER_MINUTE,
  },
  linkPoll: {
    id: 'link_poll',
    scope: 'ip',
    sentence: `At most ${LINK_POLLS_PER_MINUTE} polls of login links a minute.`,
    perMinute: LINK_POLLS_PER_MINUTE,
  },
  newPlayer: {
    id: 'new_player',
    scope: 'ip',
    sentence: `At most ${NEW_PLAYERS_PER_ADDRESS_AND_DAY} new players a day without an account.`,
  },
  selfDestruct: {
    id: 'self_destruct',
    scope: 'ip',
    sentence: `At most ${SELF_DESTRUCTS_PER_MINUTE} self-destructs a minute.`,
    perMinute: SELF_DESTRUCTS_PER_MINUTE,
  },
  immediate: {
    id: 'game_write',
    scope: 'player',
    sentence: `At most ${IMMEDIATES_PER_MINUTE} game actions with immediate effect a minute.`,
    perMinute: IMMEDIATES_PER_MINUTE,
  },
  battleOrder: {
    id: 'battle_order',
    scope: 'player',
    sentence: `At most ${BATTLE_ORDERS_PER_TICK_MAX} battle orders a tick.`,
  },
  tokenLogin: {
    id: 'token_login',
    scope: 'player',
    sentence: `At most ${TOKEN_LOGINS_PER_MINUTE} logins by token a minute.`,
    perMinute: TOKEN_LOGINS_PER_MINUTE,
  },
  requests: {
    id: 'requests',
    scope: 'session',
    sentence: 'Too many requests are waiting already; send more when some are answered.',
    perMinute: FRAMES_PER_SECOND_MAX * 60,
  },
  unanswered: {
    id: 'unanswered',
    scope: 'session',
    sentence: `${UNANSWERED_MAX} commands are unanswered, and the queue behind them is full.`,
  },
  watchers: {
    id: 'watchers',
    scope: 'ip',
    sentence: `At most ${WATCHERS_PER_ADDRESS_MAX} event streams for one address, and ${WATCHERS_MAX} in all.`,
  },
  topics: {
    id: 'topics',
    scope: 'server',
    sentence: 'The server has no room for more topics of this kind right now.',
  },
  timeOut: {
    id: 'ip_timeout',
    scope: 'ip',
    sentence: `This address is in a time-out: ${REJECTIONS_BEFORE_TIMEOUT} attempts were refused in a minute.`,
  },
} satisfies Record<string, Bucket>
type BucketName = keyof typeof BUCKETS

/**
 * Refuses a use of a bucket for some seconds. Refused uses are not counted, so `current` never
 * exceeds the limit.
 */
export function limited(name: BucketName, seconds: number): Failure {
  const { id, scope, sentence, perMinute }: Bucket = BUCKETS[name]
  const full = perMinute === undefined ? {} : { limit_per_min: perMinute, current: perMinute }
  const details = { limit: id, scope, ...full, wait_seconds: seconds }
  return fail(name === 'timeOut' ? 'ip_timed_out' : 'rate_limited', details, sentence)
}

/**
 * Refuses a use of a bucket that has to wait: because of the bucket, or of a time-out of the
 * address.
 */
export function limitRefusal(
  gate: Gate,
  name: BucketName,
  ip: string,
  seconds: number,
): Failure | undefined {
  if (seconds === 0) return undefined
  return timeOutRefusal(gate, ip) ?? limited(name, seconds)
}

/** Refuses an address that is in time-out. */
export function timeOutRefusal(gate: Gate, ip: string): Failure | undefined {
  const seconds = timedOutFor(gate, ip)
  return seconds > 0 ? limited('timeOut', seconds) : undefined
}

/** Counts a use of a bucket by an address, or refuses it. */
export const addressRefusal = (
  gate: Gate,
  name: WindowName & BucketName,
  ip: string,
): Failure | undefined => limitRefusal(gate, name, ip, passAddress(gate, name, ip))

/** Details of a limit of the game itself, which has no bucket here. */
const GAME_LIMIT = { limit: 'game_action', scope: 'player' }

/** Returns the wait of a refusal in seconds; undefined if it has none. */
export function waitSeconds(failure: Failure): number | undefined {
  const wait = failure.details?.wait_seconds ?? failure.details?.retry_after
  return typeof wait === 'number' ? wait : undefined
}

/** Matches a message that already contains the wait. */
const NAMES_WAIT = /\b(?:retry|try again) in \d/i

/**
 * Completes a refusal for its client: adds the wait to details and sentence, and the bucket of a
 * limit.
 */
export function withWait(failure: Failure): Failure {
  const seconds = waitSeconds(failure)
  if (seconds === undefined) return failure
  const { code, message } = failure
  const isLimit = code === 'rate_limited'
  const details = { ...(isLimit ? GAME_LIMIT : {}), ...failure.details, retry_after: seconds }
  const again = code === 'ip_timed_out' ? 'Try again' : 'Retry'
  const tail = NAMES_WAIT.test(message) ? '' : ` ${again} in ${counted(seconds, 'second')}.`
  const head = isLimit ? `rate_limited (${details.limit}): ` : ''
  return { ...failure, details, message: `${head}${message}${tail}` }
}
