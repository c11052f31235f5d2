/**
 * Text on the WebSockets for the documentation server (MCP). Source: spec (WebSocket v1 and v2),
 * accounts.md 7 to 9.
 */
import {
  AUTH_WINDOW_MS,
  FRAME_BYTES_BEFORE_LOGIN_MAX,
  FRAME_BYTES_MAX,
  FRAMES_PER_SECOND_MAX,
  IDLE_MS,
  PING_EVERY_MS,
  REQUEST_ID_CHARACTERS_MAX,
} from '../core/limits.ts'
import { bytesText, spanText } from './docs/page.ts'

export const WEBSOCKET_PROTOCOL = `WebSocket protocol

Addresses: /ws (v1) and /ws/v2. One JSON object a message, UTF-8. Messages in: v1 {type, payload?, request_id?};
v2 {tool, action, payload?, request_id?}. request_id: text of at most ${REQUEST_ID_CHARACTERS_MAX} characters, echoed on every answer to it.

1. The server sends welcome {version, tick_rate (seconds), current_tick, ...}.
2. Log in within ${spanText(AUTH_WINDOW_MS)}, else close 4002. register answers registered {password, player_id} with the request_id,
   then logged_in without it. login answers logged_in with it; reconnected, which has none, may come before.
3. A query answers ok (v2: result {result: text, structuredContent}) or error {code, message, details?}.
4. A mutation is acknowledged at once: ok or result with pending true, command, message. When its tick has run,
   action_result {command, tick, result, auto_docked?, auto_undocked?} or action_error {command, tick, code, message} follows; action_error has the same flags.
   On v2 the result holds the changed sections of the state and the command's own result under details; an absent
   section is unchanged. travel and jump end when the ship arrives. A second mutation while one is pending is refused with action_pending.
5. Events are pushed as {type, payload} without request_id. mute_notifications silences channels of them.
   get_notifications is not available here.
6. rate_limited carries wait_seconds. Frames are at most ${bytesText(FRAME_BYTES_MAX)}
   (${bytesText(FRAME_BYTES_BEFORE_LOGIN_MAX)} before login), ${FRAMES_PER_SECOND_MAX} a second.
7. With the subprotocol game.msgpack the server sends the same frames as MessagePack, in binary messages; the client still
   sends JSON. With game.msgpack.patch a battle_update after the first lists only what changed: field patch instead of
   participants {gone: places, added: [place, participant] pairs, changed: {step, and a list a field}}.
8. The server pings every ${spanText(PING_EVERY_MS)}; ${spanText(IDLE_MS)} without a frame or pong close the socket.

Close codes: 1000 normal (logout, idle, restart, queue full): connect again. 4001 session_replaced: the player logged in
elsewhere, do not reconnect automatically. 4002 auth_timeout. 4003 rate_limited: wait for the retry_after in the reason.`
