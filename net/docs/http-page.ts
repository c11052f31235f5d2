/** The page of HTTP v1 and v2: prose by hand, tables and examples from data. */
import { shownPath } from '../public/table.ts'
import { statusTable } from './errors-page.ts'
import { examplesIn, type Part, partsText, pretty } from './examples.ts'
import { FACTS, limitTable, openCommands } from './facts.ts'
import {
  ACCOUNT_ADDRESSES,
  GAME_ADDRESSES,
  type HttpAddress,
  PUBLIC_ADDRESSES,
} from './http-addresses.ts'
import { HTTP_EXAMPLES as EXAMPLES, LIMITED_BODY } from './http-examples.ts'
import { malformedTable } from './malformed.ts'
import { cell, code, type DocsPage, type DocsSources, table } from './page.ts'

const lines = (...text: readonly string[]): string => text.join('\n')

const addressTable = (addresses: readonly HttpAddress[]): string =>
  table(
    ['Method', 'Path', 'What'],
    addresses.map(({ method, path, about }) => [method, code(shownPath(path)), cell(about)]),
  )

const SESSIONS: readonly Part[] = [
  '# HTTP API',
  lines(
    'Every command is a POST with a JSON object. v2 (`/api/v2/{tool}/{action}`) answers with text and a',
    'typed object, v1 (`/api/v1/{command}`) with the object alone. Both run the same commands; v2 is the',
    'one to build on. Examples are shortened: an answer may have more fields than are shown.',
    '[Commands](commands.md) lists what can be sent, [Errors](errors.md) what can go wrong. The OpenAPI',
    'documents describe every request and answer; the explorers, `/api/docs` and `/api/v2/docs`, send them',
    'from a browser.',
  ),
  addressTable(GAME_ADDRESSES),
  '## Sessions',
  lines(
    'A session holds a login. Create one, send its id in the header `X-Session-Id` with every request,',
    'and register or log in on it.',
  ),
  EXAMPLES.session,
  EXAMPLES.register,
  lines(
    'The password is shown only once. `login` with user name and password answers the same, without',
    'the password. `login`, `register`, `login_token` and `login_link` without a session create one',
    'automatically: its id is `session.id` of the answer.',
  ),
]

const sessionParts = (sources: DocsSources): readonly Part[] => [
  lines(
    `A session ends after ${FACTS.sessionIdle} without a request, at a restart of the server, at a logout`,
    `and at a reset of the password. A player may have ${FACTS.sessionsOfPlayer} at a time; the oldest ends`,
    'when one more is created. Every request extends `session.expires_at`. v1 and v2 have separate',
    'sessions: one of the other version is unknown. Whenever an answer is `session_invalid` or',
    '`not_authenticated`: create a session, log in, send the request again with the new id.',
  ),
  EXAMPLES.noSession,
  lines('With a session but before login only these are answered:'),
  openCommands(sources),
  lines(
    'A session and a WebSocket of the same player do not end each other. Header names may be written in',
    'any case.',
  ),
]

const COMMANDS: readonly Part[] = [
  '## The envelope',
  table(
    ['Field', 'v1', 'v2'],
    [
      ['`result`', 'the result, an object; null with an error', 'the result or the error as text'],
      [
        '`structuredContent`',
        'not there',
        'the result as an object; left out of session, help, notification and error answers',
      ],
      ['`notifications`', 'events since the last answer', 'the same'],
      ['`session`', '`id`, `player_id` once logged in, `created_at`, `expires_at`', 'the same'],
      [
        '`error`',
        'null, or `code` and `message`; optionally `details`, an object, and `retry_after` or `pending_command`',
        'the same',
      ],
    ],
  ),
  '## Queries',
  lines(
    'Send a JSON object, or nothing if nothing is needed. Numbers are JSON numbers, ids are strings,',
    'unknown fields are ignored. On v2 the action may be in the body as `action` instead of the path.',
  ),
  EXAMPLES.query,
  'The same on v1, after a separate login:',
  EXAMPLES.v1,
  '## Mutations',
  lines(
    'A mutation takes the player’s slot of a tick. The request is held open until its tick has run, and',
    'answers with the outcome. On v2 `structuredContent` holds the sections of the',
    '[state](types.md#v2gamestate) that changed, each whole, and the result of the command itself under',
    '`details`; on v1 `result` is the result of the command.',
  ),
  EXAMPLES.mutation,
  EXAMPLES.refused,
  lines(
    `\`travel\` and \`jump\` answer when the ship has arrived: allow ${FACTS.blocked} before giving up. A`,
    'client that disconnects changes nothing: the action runs, and its outcome is in the queue of a session',
    'of the player, and in `get_action_log`. A second mutation meanwhile waits behind the first, in any',
    'session of the player, and runs a tick after it; a third is refused with `action_pending`. In transit,',
    'a new mutation is refused with `in_transit` at once.',
  ),
  '## Notifications',
  lines(
    `Events wait in the queue of the session, ${FACTS.queue} at most. When it is full, routine events (feeds,`,
    'yields, drones, volleys) are dropped first, then news, then what concerns only you (whispers, trades, losses,',
    'outcomes); among equals the oldest. `notifications_dropped` is their number. Yields of one source are one entry:',
    '`count` pulls, `units` in total (as `quantity`), `last` of the last pull. Every answer takes all entries',
    'along in `notifications`. To read only these, or some of them, request them: on v2 with GET, on both with',
    '[get_notifications](commands.md#get_notifications), as often as you like.',
  ),
  EXAMPLES.notifications,
  lines(
    'An entry is `{id, type, msg_type, data, timestamp}`: the category, the name of the',
    '[event](events.md), its payload and the time. `limit` is 1 to 100, `clear=false` leaves the entries',
    'queued, `types` names categories and may be repeated.',
  ),
  '## Help',
  'Help needs no session. Without `topic` it lists all actions of the tool.',
  EXAMPLES.help,
]

const errorParts = (): readonly Part[] => [
  '## Errors and status codes',
  EXAMPLES.payload,
  statusTable(),
  lines(
    'A 429 has a header `Retry-After`, in whole seconds. Under `/api/v1` and `/api/v2` its `error` is an',
    'object like any other; `details` name the bucket (`limit`, `limit_per_min`, `current`, `scope`) and the',
    'wait (`retry_after`), and `code`, `message`, `retry_after` and `wait_seconds` are beside `error` too.',
    'On all other addresses, and everywhere for an address in a time-out, the body is flat:',
  ),
  // Played by documents.test.ts, the only test of the pages with the limits per address on.
  `\`\`\`json\n${pretty(LIMITED_BODY)}\n\`\`\``,
  lines(
    'Outside of `/api/v1` and `/api/v2` errors are flat: `{error, code, message}`, `error` being the code.',
    'Requests that match no address are refused in both forms, `error` as an object with `code` and `message` beside it:',
    'an unknown path is 404, a wrong method 405 with the header `Allow`, an origin that the operator does',
    'not list 403. Where there is a GET, HEAD answers as it does without the body.',
  ),
]

const REST: readonly Part[] = [
  '## Malformed requests',
  lines(
    'An ambiguous request is refused and its connection closed, so that nothing after',
    'it is taken for the next one. How this happens depends on the socket library; requests that are not refused',
    'at once end without an answer after about 12 seconds (the newer native build: 32).',
  ),
  malformedTable(),
  '## Limits',
  limitTable('request'),
  'Per player, over all channels:',
  limitTable('player'),
  'Per address (for IPv6 per /64), over all channels. In a time-out every request is answered with 429.',
  limitTable('address'),
  '## Browsers',
  lines(
    'Pages of any origin may call the API unless the operator lists origins; then others get 403. Answers',
    'and errors carry `Access-Control-Allow-Origin`, a preflight allows the headers that are needed, and',
    '`ETag`, `Retry-After`, `Mcp-Session-Id` and `X-Request-Id` can be read. No cookie is set or read.',
  ),
  '## Public data',
  'No session is needed here.',
  addressTable(PUBLIC_ADDRESSES),
  lines(
    'The catalogue is large and changes only with a release: fetch it once per version, keep it with its',
    '`ETag`, and ask with `If-None-Match`. The command [catalog](commands.md#catalog) pages through the',
    'same entries. Larger bodies of the addresses above are compressed as the request accepts,',
    'with Brotli, gzip, or Zstandard if the server supports it; each form has its own `ETag`.',
  ),
  EXAMPLES.catalog,
  lines(
    'Statistics, map, stations and quotes are answers of the world, cached for a few seconds: ask no more',
    'often than their `Cache-Control` says. While the world is down the last ones are served, and',
    '`/health` answers without `estimated_next_tick`. A quote has the best price of a side, 0 for none,',
    'and the units on all its levels.',
  ),
  EXAMPLES.publicData,
  lines(
    'A proof of a tick is signed with Ed25519 by the key from `/api/proof`. The signature covers',
    'these lines, each ended by a line feed: `orrery proof 1`, then a name, a space and the value of',
    '`epoch`, `tick`, `batch`, `rules_version`, `state_hash` (`-` where it is null), `journal_chain` and',
    '`public_key`. Keys are base64url, as `x` of a JSON Web Key (OKP); signatures are base64url too.',
    '`state_hash` is null for ticks without one; `hashed_ticks` are the nearest that have one.',
    'With an export of that world, `npx orrery verify` checks it against a proof.',
  ),
  '## Account endpoints',
  lines(
    'For the website of account holders, not for game clients. Each needs `Authorization: Bearer` with a',
    'token of the identity provider that the operator has set; without one all of them answer 401. A',
    'player of another account is 403, an unknown one 404.',
  ),
  addressTable(ACCOUNT_ADDRESSES),
  EXAMPLES.account,
]

const partsOf = (sources: DocsSources): readonly Part[] => [
  ...SESSIONS,
  ...sessionParts(sources),
  ...COMMANDS,
  ...errorParts(),
  ...REST,
]

export const HTTP_PAGE: DocsPage = {
  name: 'http',
  title: 'HTTP',
  summary: 'Both versions: sessions, envelopes, held requests, errors, limits, public data.',
  pieces: (sources) => partsText(partsOf(sources)),
  examples: (sources) => examplesIn(partsOf(sources)),
}
