/** The page of both WebSockets: prose by hand, tables and examples from data. */
import { examplesIn, type Part, partsText } from './examples.ts'
import { channelTable, closeTable, eventTable, FACTS, limitTable, openCommands } from './facts.ts'
import { type DocsPage, type DocsSources, table } from './page.ts'
import { SOCKET_V1 as V1, SOCKET_V2 as V2 } from './websocket-examples.ts'

const lines = (...text: readonly string[]): string => text.join('\n')

const CONNECT: readonly Part[] = [
  '# WebSocket protocol',
  lines(
    'A connection carries commands to the server and answers, outcomes and events back, each as one JSON',
    'object per message. There are two versions. They differ in how a frame names its command and in how a',
    'success looks; login, events, limits and closing are the same. Examples are shortened: an answer may',
    'have more fields than are shown. [Commands](commands.md) lists what can be sent,',
    '[Events](events.md) what is pushed, [Errors](errors.md) what can go wrong.',
  ),
  '## Connect',
  table(
    ['Version', 'Address', 'A frame in', 'A success'],
    [
      ['v1', '`/ws`', '`{type, payload?, request_id?}`', '`{type: "ok", payload}`'],
      [
        'v2',
        '`/ws/v2`',
        '`{tool, action, payload?, request_id?}`',
        '`{type: "result", payload: {result, structuredContent}}`',
      ],
    ],
  ),
  lines(
    'RFC 6455, text messages in UTF-8, exactly one object per message, no compression. Unknown fields are',
    'ignored. With a subprotocol of [MessagePack](messagepack.md) in the handshake, frames arrive in that format;',
    'clients still send JSON. A browser may connect from any origin, unless the operator lists some; only the login',
    'counts, no cookie is read.',
  ),
  'The first frame is `welcome`. `tick_rate` is the length of a tick in seconds.',
  V1.welcome,
]

const loginParts = (sources: DocsSources): readonly Part[] => [
  '## Log in',
  lines(
    `A connection has ${FACTS.authWindow} to log in; then it is closed with 4002. Before that only these`,
    'commands are answered:',
  ),
  openCommands(sources),
  'All other commands are refused:',
  V1.early,
  '### A new player',
  lines(
    '`register` creates a player. `registered` has the password, which is shown only once, and echoes',
    'the `request_id`. `logged_in` with the whole state follows without it.',
  ),
  V1.register,
  '### An existing player',
  lines(
    '`login` is answered by `logged_in` with the `request_id`. If the ship was left without a pilot in a',
    'battle, `reconnected` comes before it, without a `request_id`. [login_token](commands.md#login_token)',
    'logs in with a single-use token of the website, [login_link](commands.md#login_link) with a human in a',
    'browser. On v2 the same is sent with tool and action:',
  ),
  V2.login,
  lines(
    'A player has one connection: logging in on another closes the older with 4001, on either version. A',
    'connection that is logged in is refused a second login with `already_authenticated`, also as the same',
    'player; `logout` first. Over HTTP and MCP a second login as the same player succeeds.',
  ),
]

const COMMAND_PARTS: readonly Part[] = [
  '## Queries',
  lines(
    'A query is answered at once by `ok` (v2: `result`) or `error`. On v1 the fields of the result are in',
    'the payload, with the name of the command as `action` unless the result names one. A query answered',
    'in the middle of a tick sees whole commands, though not all that the tick does.',
  ),
  V1.query,
  lines(
    'On v2 `structuredContent` is the answer as an object, for programs, and `result` the answer as text, for',
    'people and language models.',
  ),
  V2.query,
  '## Mutations and their two answers',
  lines(
    'A mutation is acknowledged at once with `pending: true`, and answered when its tick has run: by',
    '`action_result`, or by `action_error` when the rules refuse it then. Both echo its `request_id`.',
  ),
  V1.mutation,
  lines(
    'On v2 `result` holds the sections of the [state](types.md#v2gamestate) that changed, each whole; an',
    'absent section is unchanged, an empty list is empty. The command’s own result is under',
    '`details`.',
  ),
  V2.mutation,
  V1.refused,
  lines(
    'A player has one slot a tick. A second mutation before the outcome of the first is refused with',
    '`action_pending` and discarded:',
  ),
  V1.pending,
  lines(
    'Flights take longer than a tick: the acknowledgement names the tick of arrival, and the outcome follows',
    'in it. Meanwhile mutations are refused with `in_transit`. Allow 600 seconds for `travel` and `jump`.',
  ),
  V1.travel,
  lines(
    'More about outcomes:',
    '',
    '- A docking or undocking that a command needs happens automatically first and is flagged by',
    '  `auto_docked` or `auto_undocked`, in refusals too, as it is not undone.',
    '- A battle that draws the ship in drops a pending mutation, except `use_item` and `reload`: an',
    '  `error` with `combat_interrupt` comes with its `request_id`. It is not tried again.',
    '- Events of a tick come before the outcomes of its mutations: `mining_yield` before `action_result`.',
    '- Forms that only read, such as `dry_run`, are answered like queries, without an acknowledgement.',
    '- The outcome is not lost with the connection: it goes to the connection of the same version that the',
    '  player has by then, otherwise to a session of HTTP or MCP; `get_action_log` has it in any case.',
  ),
  '## request_id',
  lines(
    `A text of at most ${FACTS.requestId} characters (code points), opaque to the server. A longer one is`,
    'refused with `invalid_request_id`, another type with `invalid_payload`, and neither is echoed.',
  ),
  table(
    ['Frame', 'Echoes the request_id'],
    [
      ['`ok`, `result`, `error` that answer a command', 'yes'],
      ['`ok`, `result` that acknowledge a mutation', 'yes'],
      [
        '`action_result`, `action_error`, `error` with `combat_interrupt`',
        'yes, that of the mutation',
      ],
      ['`registered`', 'yes'],
      ['`logged_in` after a login', 'yes'],
      ['`logged_in` after a registration, `reconnected`', 'no'],
      ['`welcome` and events', 'no'],
    ],
  ),
  lines(
    'On v1 answers without a `request_id` come in the order of their commands, outcomes of mutations',
    'excepted. On v2 every answer is sent as soon as it is ready: use a `request_id` if several are pending.',
  ),
]

const pushParts = (sources: DocsSources): readonly Part[] => [
  '## Pushes',
  lines(
    'Events arrive as `{type, payload}` without a `request_id`, at any time. There is no frame per tick; the',
    '`tick` of a payload gives the time.',
  ),
  V1.push,
  eventTable(sources),
  '### Feeds',
  lines(
    '[subscribe_market](commands.md#subscribe_market) answers with the whole exchange of the base;',
    '`market_update` then lists the items that changed, and an item with two empty lists has no orders',
    'left. This feed ends with `unsubscribe_market`, undocking, or the connection.',
    '[subscribe_observation](commands.md#subscribe_observation) answers with who is here;',
    '`observation_update` lists who came, changed and left. This feed ends when the ship leaves the place.',
  ),
  '### Mute channels',
  lines(
    '[mute_notifications](commands.md#mute_notifications) keeps events of a channel off the WebSocket. The mute',
    'is remembered with the player, and works on WebSockets only. Events in no channel cannot be muted.',
  ),
  channelTable(sources),
  V2.mute,
]

const ERROR_PARTS: readonly Part[] = [
  '## Errors',
  table(
    ['Field', 'Present', 'Meaning'],
    [
      ['`code`', 'always', 'for programs; [all of them](errors.md)'],
      ['`message`', 'always', 'a sentence that says what to do'],
      [
        '`details`',
        'may be absent',
        'an object; of `invalid_payload`, `fields` lists the wrong ones',
      ],
      ['`wait_seconds`, `retry_after`', 'with `rate_limited`', 'whole seconds to wait'],
      ['`pending_command`', 'with `action_pending`', 'the pending mutation'],
      ['`auto_docked`, `auto_undocked`', 'may be absent', 'what the ship did before the refusal'],
    ],
  ),
  lines(
    'A frame is checked in this order: size and rate, JSON (`invalid_json`, echoes nothing), `request_id`,',
    'a time-out of the address (`ip_timed_out`), tool and action or type (`unknown_tool`,',
    '`missing_action`, `invalid_action`, `unknown_command`), login (`not_authenticated`), the payload',
    '(`invalid_payload`), then the rules of the game.',
  ),
  V1.errors,
  V2.errors,
]

const END: readonly Part[] = [
  '## Limits',
  'Per connection:',
  limitTable('connection'),
  'Per player, over all channels:',
  limitTable('player'),
  lines(
    'Per address (for IPv6 per /64), over all channels. In a time-out frames of open connections',
    'are answered with `ip_timed_out`, pushes continue, and new connections are closed with 4003.',
  ),
  limitTable('address'),
  '## Close codes',
  closeTable(),
  '`logout` is answered before the close:',
  V1.logout,
  '## Reconnect',
  lines(
    'The state of a player does not depend on the connection. Connect again after 1 second, then',
    '2, 4, up to 30, and log in; after 4003 wait as long as its reason says, after 4001 do not reconnect',
    'automatically. `logged_in` has the current state, `welcome` the tick. Feeds have ended; mutes are as',
    'they were. A pending mutation is still pending, and its outcome is sent to the new connection; whether',
    'another one ran meanwhile is in `get_action_log`. Before a restart',
    '[server_restart_warning](events.md#server_restart_warning) is pushed where the operator announces it.',
    `The server pings every ${FACTS.ping}; any WebSocket library answers automatically, and ${FACTS.idle} without`,
    'a frame or pong close the connection. Ping the server yourself to notice a connection that is gone.',
  ),
]

const partsOf = (sources: DocsSources): readonly Part[] => [
  ...CONNECT,
  ...loginParts(sources),
  ...COMMAND_PARTS,
  ...pushParts(sources),
  ...ERROR_PARTS,
  ...END,
]

export const WEBSOCKET_PAGE: DocsPage = {
  name: 'websocket',
  title: 'WebSocket',
  summary:
    'Both versions: frames, login, mutations and their two answers, pushes, limits, closing.',
  pieces: (sources) => partsText(partsOf(sources)),
  examples: (sources) => examplesIn(partsOf(sources)),
}
