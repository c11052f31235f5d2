/**
 * Tables of the protocol pages, generated from the server's own limits, registry, error table and
 * mute channels, so that no value is written twice.
 */
import { MUTE_CHANNELS } from '../../core/event.ts'
import {
  ANSWER_WHOLE_MS,
  AUTH_WINDOW_MS,
  BATTLE_ORDERS_PER_TICK_MAX,
  BLOCKED_REQUEST_MS,
  BODY_BYTES_UNDER_WAY_MAX,
  BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX,
  BODY_CHUNK_BYTES_MIN,
  BODY_WHOLE_MS,
  BYTES_PER_SECOND_MAX,
  BYTES_WAITING_MAX,
  CHATS_PER_MINUTE,
  CONNECTS_PER_MINUTE,
  DEVICE_LINKS_PER_ADDRESS_MAX,
  DOOR_REFUSALS_MAX,
  DOOR_REQUESTS_BURST_MAX,
  DOOR_REQUESTS_PER_SECOND_MAX,
  FAILED_LOGINS_PER_MINUTE,
  FAILED_LOGINS_PER_NAME_AND_MINUTE,
  FRAME_BYTES_BEFORE_LOGIN_MAX,
  FRAME_BYTES_MAX,
  FRAMES_BURST_MAX,
  FRAMES_PER_SECOND_MAX,
  FRAMES_WAITING_MAX,
  IDLE_MS,
  IMMEDIATE_TEXT_BYTES_PER_MINUTE,
  IMMEDIATES_PER_MINUTE,
  LINK_POLLS_PER_MINUTE,
  MCP_ANSWER_BYTES_MAX,
  MCP_BATCH_ANSWER_BYTES_MAX,
  MCP_BATCH_MESSAGES_MAX,
  MCP_UNBOUND_SESSIONS_MAX,
  NEW_PLAYERS_PER_ADDRESS_AND_DAY,
  NOTIFICATIONS_MAX,
  OUTBOUND_BYTES_MAX,
  OUTBOUND_DRAIN_MS,
  OUTBOUND_FRAMES_MAX,
  OUTBOUND_STALL_MS,
  PAGE_REQUESTS_PER_MINUTE,
  PING_EVERY_MS,
  PINGS_REFUSED_MAX,
  PLAYERS_PER_ACCOUNT_MAX,
  PUBLIC_REQUESTS_PER_MINUTE,
  REFUSALS_IN_A_ROW_MAX,
  REJECTIONS_BEFORE_TIMEOUT,
  REQUEST_ID_CHARACTERS_MAX,
  SELF_DESTRUCTS_PER_MINUTE,
  SESSION_ATTEMPTS_PER_MINUTE,
  SESSION_IDLE_MS,
  SESSIONS_PER_PLAYER_MAX,
  SHUT_BODIES_MS,
  SHUT_REFUSALS_MAX,
  SLOWED_LOGIN_MS,
  STRANGERS_MAX,
  STRANGERS_PER_ADDRESS_MAX,
  TIMEOUT_MINUTES,
  TOKEN_LOGINS_PER_MINUTE,
  UNANSWERED_MAX,
  UNREAD_BYTES_MAX,
  UNREAD_BYTES_PER_ADDRESS_MAX,
  WATCHERS_MAX,
  WATCHERS_PER_ADDRESS_MAX,
} from '../../core/limits.ts'
import { documentedCommands, linkTo } from './commands-page.ts'
import { channelsOf, sortedEvents } from './events-page.ts'
import { bytesText, code, type DocsSources, grouped, spanText, table } from './page.ts'

const perMinute = (count: number): string => `${grouped(count)} a minute`

type Row = readonly [what: string, bound: string, over: string]

/** Limits of an address, over all channels. */
const ADDRESS_LIMITS: readonly Row[] = [
  [
    'sessions, logins, registrations and handshakes of MCP, together',
    perMinute(SESSION_ATTEMPTS_PER_MINUTE),
    '`rate_limited`; counts towards a time-out',
  ],
  ['failed logins with one name', perMinute(FAILED_LOGINS_PER_MINUTE), '`rate_limited`'],
  ['new players', `${grouped(NEW_PLAYERS_PER_ADDRESS_AND_DAY)} a day`, '`rate_limited`'],
  ['open login links', grouped(DEVICE_LINKS_PER_ADDRESS_MAX), '`rate_limited`'],
  ['polls of login links', perMinute(LINK_POLLS_PER_MINUTE), '`rate_limited`'],
  ['self-destructs', perMinute(SELF_DESTRUCTS_PER_MINUTE), '`rate_limited`'],
  [
    'rejections of the first row',
    `${REJECTIONS_BEFORE_TIMEOUT} in a minute`,
    `time-outs of ${TIMEOUT_MINUTES.join(', ')} minutes, one after the other`,
  ],
  [
    'HTTP requests without a login',
    `${grouped(DOOR_REQUESTS_PER_SECOND_MAX)} a second, ${grouped(DOOR_REQUESTS_BURST_MAX)} at once`,
    `429 for the next ${DOOR_REFUSALS_MAX}; the connections of further ones are cut off`,
  ],
  [
    'bytes of the bodies of requests without a login, together',
    `${bytesText(BYTES_PER_SECOND_MAX)} a second`,
    `429, and no more bodies for ${spanText(SHUT_BODIES_MS)}: ${SHUT_REFUSALS_MAX} sent meanwhile get a 429, the connections of others are cut off`,
  ],
  [
    'bytes of bodies being received',
    `${bytesText(BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX)}; of all addresses ${bytesText(BODY_BYTES_UNDER_WAY_MAX)}`,
    '429',
  ],
  [
    'unread bytes of frames and answers',
    `${bytesText(UNREAD_BYTES_PER_ADDRESS_MAX)}; of all addresses ${bytesText(UNREAD_BYTES_MAX)}`,
    'the connection with the most of them is closed',
  ],
  [
    'sessions without a login',
    `${grouped(STRANGERS_PER_ADDRESS_MAX)}; of all addresses ${grouped(STRANGERS_MAX)}`,
    'the least recently used one of that address, or of the address with the most, ends',
  ],
  [
    'protocol sessions of MCP without a login',
    `${grouped(STRANGERS_PER_ADDRESS_MAX)}; of all addresses ${grouped(MCP_UNBOUND_SESSIONS_MAX)}`,
    'likewise',
  ],
]

/** Limits of a player, over all channels. */
const PLAYER_LIMITS: readonly Row[] = [
  ['mutations', '1 a tick; over HTTP and MCP one more waits', '`action_pending`'],
  ['queries', 'only that of frames or requests', ''],
  ['immediates', perMinute(IMMEDIATES_PER_MINUTE), '`rate_limited`'],
  [
    'text in immediates',
    `${bytesText(IMMEDIATE_TEXT_BYTES_PER_MINUTE)} a minute`,
    '`rate_limited`',
  ],
  ['orders in a battle', `${BATTLE_ORDERS_PER_TICK_MAX} a tick`, '`rate_limited`'],
  ['chat messages', perMinute(CHATS_PER_MINUTE), '`rate_limited`'],
  ['logins by token', perMinute(TOKEN_LOGINS_PER_MINUTE), '`rate_limited`'],
  [
    'failed logins with the name of the player, from any address',
    perMinute(FAILED_LOGINS_PER_NAME_AND_MINUTE),
    `a further login takes ${SLOWED_LOGIN_MS / 1000} seconds longer`,
  ],
]

const CONNECTION_LIMITS: readonly Row[] = [
  ['new connections of an address', perMinute(CONNECTS_PER_MINUTE), 'close 4003'],
  ['time to log in', spanText(AUTH_WINDOW_MS), 'close 4002'],
  ['silence: no frame and no pong', spanText(IDLE_MS), 'close 1000'],
  ['pings of the server', `every ${spanText(PING_EVERY_MS)}`, ''],
  ['a frame, before login', bytesText(FRAME_BYTES_BEFORE_LOGIN_MAX), '`payload_too_large`'],
  ['a frame, after login', bytesText(FRAME_BYTES_MAX), '`payload_too_large`'],
  [
    'frames',
    `${FRAMES_PER_SECOND_MAX} a second, ${FRAMES_BURST_MAX} at once`,
    `after login ${grouped(FRAMES_WAITING_MAX)} more wait, then \`rate_limited\`; after ${grouped(REFUSALS_IN_A_ROW_MAX)} refusals in a row close 4003`,
  ],
  [
    'bytes sent to the server',
    `${bytesText(BYTES_PER_SECOND_MAX)} a second`,
    `after login ${bytesText(BYTES_WAITING_MAX)} more wait, then \`rate_limited\``,
  ],
  ['unanswered commands', grouped(UNANSWERED_MAX), 'further ones wait, then `rate_limited`'],
  [
    'frames waiting for a slow reader',
    `${grouped(OUTBOUND_FRAMES_MAX)} or ${bytesText(OUTBOUND_BYTES_MAX)}`,
    'close 1000',
  ],
  ['a reader that reads nothing', spanText(OUTBOUND_STALL_MS), 'close 1000'],
  ['a reader that is too slow: for all queued bytes', spanText(OUTBOUND_DRAIN_MS), 'close 1000'],
  [
    'pings and pongs of a client',
    'each counts as a frame',
    `no error is sent; after ${grouped(PINGS_REFUSED_MAX)} refusals in a row close 4003`,
  ],
  ['request_id', `${REQUEST_ID_CHARACTERS_MAX} characters`, '`invalid_request_id`'],
]

const REQUEST_LIMITS: readonly Row[] = [
  ['a session without requests', spanText(SESSION_IDLE_MS), '`session_invalid`'],
  ['sessions of a player', grouped(SESSIONS_PER_PLAYER_MAX), 'the oldest ends'],
  ['a body, before login', bytesText(FRAME_BYTES_BEFORE_LOGIN_MAX), '`payload_too_large`'],
  ['a body, after login', bytesText(FRAME_BYTES_MAX), '`payload_too_large`'],
  ['a body, from the head to its end', spanText(BODY_WHOLE_MS), '`request_timeout`'],
  [
    'bytes of bodies of a session',
    `${bytesText(BYTES_PER_SECOND_MAX)} a second; a chunk counts as at least ${BODY_CHUNK_BYTES_MIN} B`,
    '`rate_limited`, answered before the end of the body',
  ],
  ['reading an answer', spanText(ANSWER_WHOLE_MS), 'the connection ends'],
  [
    'messages of a batch of MCP',
    `${MCP_BATCH_MESSAGES_MAX}, each counted as a request`,
    '400 with -32600',
  ],
  ['an answer of MCP', bytesText(MCP_ANSWER_BYTES_MAX), '-32600 in its place'],
  [
    'answers to a batch of MCP, together',
    bytesText(MCP_BATCH_ANSWER_BYTES_MAX),
    '-32600 for the rest of it',
  ],
  [
    'requests of a session',
    `${FRAMES_PER_SECOND_MAX} a second, ${FRAMES_BURST_MAX} at once`,
    `after login ${grouped(FRAMES_WAITING_MAX)} more wait, then \`rate_limited\``,
  ],
  [
    'unanswered requests of a session',
    grouped(UNANSWERED_MAX),
    `${grouped(FRAMES_WAITING_MAX)} more wait, then \`rate_limited\``,
  ],
  ['a mutation held open', spanText(BLOCKED_REQUEST_MS), 'answered with `pending: true`'],
  ['notifications waiting', grouped(NOTIFICATIONS_MAX), 'the least important is dropped'],
  ['/api/catalog.json', '1 a minute and address', '429'],
  ['the OpenAPI documents, together', '1 a minute and address', '429'],
  [
    'account endpoints, explorers, and public data of the past (battles, trades, history, forum, proofs), together',
    `${grouped(PUBLIC_REQUESTS_PER_MINUTE)} a minute and address`,
    '429',
  ],
  [
    'the live page with its files, other public data, and joining `/events`, together',
    `${grouped(PAGE_REQUESTS_PER_MINUTE)} a minute and address`,
    '429',
  ],
  [
    'streams of `/events`',
    `${grouped(WATCHERS_PER_ADDRESS_MAX)} of an address; of all addresses ${grouped(WATCHERS_MAX)}`,
    '429',
  ],
  ['players of an account', grouped(PLAYERS_PER_ACCOUNT_MAX), '`limit_reached`'],
]

const LIMIT_TABLES = {
  address: ADDRESS_LIMITS,
  player: PLAYER_LIMITS,
  connection: CONNECTION_LIMITS,
  request: REQUEST_LIMITS,
} as const

/** Returns a table of limits, with what happens beyond them. */
export const limitTable = (scope: keyof typeof LIMIT_TABLES): string =>
  table(['What', 'Limit', 'Beyond it'], LIMIT_TABLES[scope])

/** Close codes with their reason texts and what to do. */
export const CLOSE_CODES: readonly {
  readonly code: number
  readonly name: string
  /** As the server sends them; `<seconds>` is a number. */
  readonly reasons: readonly string[]
  readonly next: string
}[] = [
  {
    code: 1000,
    name: 'normal closure',
    reasons: ['logged out', 'idle', 'outbound queue full', 'no progress', 'server restart'],
    next: 'Connect again, waiting longer each time; after your own logout there is nothing to do.',
  },
  {
    code: 4001,
    name: 'session_replaced',
    reasons: ['session_replaced'],
    next: 'The player logged in elsewhere, or the password was reset. Do not reconnect automatically.',
  },
  {
    code: 4002,
    name: 'auth_timeout',
    reasons: ['auth_timeout'],
    next: 'Connect again and log in right after `welcome`.',
  },
  {
    code: 4003,
    name: 'rate_limited',
    reasons: ['rate_limited retry_after=<seconds>'],
    next: 'Wait that many seconds before connecting again.',
  },
]

/** Returns the table of close codes. */
export const closeTable = (): string =>
  table(
    ['Code', 'Name', 'Reason text', 'What to do'],
    CLOSE_CODES.map(({ code: number, name, reasons, next }) => [
      String(number),
      name,
      reasons.map(code).join(', '),
      next,
    ]),
  )

/** Returns the commands that are answered before login. */
export const openCommands = (sources: DocsSources): string =>
  documentedCommands(sources)
    .filter(({ def }) => def.open)
    .map(linkTo)
    .join(', ')

/** Returns the mute channels with the events that each silences. */
export function channelTable(sources: DocsSources): string {
  const events = sortedEvents(sources)
  const rows = MUTE_CHANNELS.map((channel) => {
    const muted = events.filter((event) => channelsOf(event).includes(channel))
    return [code(channel), muted.map(({ type }) => `[${code(type)}](events.md#${type})`).join(', ')]
  })
  return table(['Channel', 'Events'], rows)
}

/** Returns the events with their summaries. */
export function eventTable(sources: DocsSources): string {
  const rows = sortedEvents(sources).map(({ type, queue, summary }) => [
    `[${code(type)}](events.md#${type})`,
    code(queue),
    summary.replaceAll('|', '\\|'),
  ])
  return table(['Event', 'Category', 'Sent when'], rows)
}

/** Values of the tables above that prose contains too. */
export const FACTS = {
  authWindow: spanText(AUTH_WINDOW_MS),
  idle: spanText(IDLE_MS),
  ping: spanText(PING_EVERY_MS),
  requestId: String(REQUEST_ID_CHARACTERS_MAX),
  sessionIdle: spanText(SESSION_IDLE_MS),
  sessionsOfPlayer: String(SESSIONS_PER_PLAYER_MAX),
  blocked: `${BLOCKED_REQUEST_MS / 1000} seconds`,
  queue: String(NOTIFICATIONS_MAX),
} as const
