/**
 * Public and operator addresses besides the table of bodies: the feed, the data of the play
 * console, the state of the server. OpenAPI and the list of addresses are derived from this table.
 */
import { list, named, strings, type TSchema, Type } from '../../core/params.ts'
import { FEED_EVENTS, playerInfo } from '../../core/public/events.ts'
import { opsBody } from '../../core/public/ops.ts'
import { TOPIC_EVENTS } from '../../core/public/topics.ts'
import type { QueryParam } from './row.ts'

export interface LiveRow {
  readonly path: string
  readonly operationId: string
  /** A sentence for OpenAPI. */
  readonly about: string
  readonly query?: readonly QueryParam[]
  readonly type: 'application/json' | 'text/event-stream'
  readonly schema: TSchema
  /** Only for operators: from loopback, or with METRICS_TOKEN as bearer token. */
  readonly isOperators?: true
  /** Codes by status. */
  readonly refusals: Readonly<Record<string, string>>
}

/** Returns the schema of a feed message of a type: what follows `data:`. */
const messageOf = ([type, data]: readonly [string, TSchema]): TSchema =>
  Type.Object({
    type: Type.Literal(type),
    data,
    timestamp: Type.String(),
    tick: Type.Integer(),
    ...(type in FEED_EVENTS ? { player_info: Type.Optional(playerInfo) } : {}),
  })

const feedMessage = Type.Union(
  Object.entries({ ...FEED_EVENTS, ...TOPIC_EVENTS, ops: opsBody }).map(messageOf),
  { $id: 'FeedMessage', description: 'What follows `data:` of a message, by its type.' },
)

const consoleBody = named('Console', {
  operations: list(
    named('ConsoleOperation', {
      ...strings('path', 'group', 'summary', 'about'),
      mutation: Type.Boolean(),
      open: Type.Boolean(),
      errors: list(Type.String()),
      params: list(
        named('ConsoleParam', {
          ...strings('name', 'type', 'description'),
          required: Type.Boolean(),
          values: list(Type.String()),
          /** Of any type; null where there is none. */
          example: Type.Unknown(),
        }),
      ),
    }),
  ),
})

const TEXT_MAX = 1_024

export const LIVE_ROWS: readonly LiveRow[] = [
  {
    path: '/events',
    operationId: 'getEvents',
    about:
      'The public feed as an event stream; each message has an id `<tick>.<n>`, with which a ' +
      'reader comes back (`Last-Event-ID`).',
    query: [
      {
        name: 'topics',
        kind: 'text',
        max: TEXT_MAX,
        about:
          'Up to 8, with commas between them: feed (the default), map, market, ops, system:<id>, ' +
          'item:<station>/<item>, battle:<id>.',
      },
      { name: 'after', kind: 'text', max: 32, about: 'The id of the last message read.' },
    ],
    type: 'text/event-stream',
    schema: feedMessage,
    refusals: {
      400: 'invalid_payload',
      401: 'unauthorized (topic ops)',
      403: 'forbidden (topic ops)',
      404: 'not_found',
      429: 'rate_limited',
      503: 'not_ready or restarting',
    },
  },
  {
    path: '/api/console.json',
    operationId: 'getConsole',
    about: 'The operations of v2 as the play console reads them.',
    type: 'application/json',
    schema: consoleBody,
    refusals: { 429: 'rate_limited' },
  },
  {
    path: '/api/ops',
    operationId: 'getOps',
    about:
      'For operators, from loopback or with their token: ticks, queues, sockets and memory as ' +
      'the live page shows them.',
    type: 'application/json',
    schema: opsBody,
    isOperators: true,
    refusals: { 401: 'unauthorized', 403: 'forbidden' },
  },
]
