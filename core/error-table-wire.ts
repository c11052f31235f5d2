/**
 * Codes of sessions, framing, accounts and the turn of a mutation. Sources: interface document
 * (Errors), accounts.md, newer.md section 2 (texts that clients match).
 */
import { type ErrorEntry, e } from './error-entry.ts'

export const WIRE_ERRORS = {
  /* Sessions and framing */
  not_authenticated: e('{login} or {register} first; this command needs a player.', 401),
  session_required: e(
    'Send the header X-Session-Id; POST /api/v2/session makes a s' +
      'ession, on v1 POST /api/v1/session.',
    401,
  ),
  session_invalid: e('This session is unknown or has expired. Make a new one and {login}.', 401),
  already_authenticated: e('This connection is logged in already; {logout} first.'),
  invalid_payload: e([
    'The payload is malformed: <fields>.',
    'The payload is malformed: <field> must be <expected>.',
    'The payload is malformed; {help} with the name of the command says what it takes.',
  ]),
  invalid_request_id: e(
    'request_id must be a text of at most 128 characters; send a shorter one, or none.',
  ),
  invalid_json: e('Send exactly one JSON object per message.'),
  request_timeout: e(
    'The body of this request took too long to arrive. Send it again, in one go: all of it must be there 15 seconds after the head.',
    408,
  ),
  payload_too_large: e(
    [
      'The message is larger than the <bytes_max byte> this connection may send; send less at a ' +
        'time.',
      'The message is larger than this connection may send; send less at a time.',
    ],
    413,
  ),
  unknown_command: e(
    [
      'There is no command “<command>”: did you mean <did_you_mean or>? {get_commands} lists ' +
        'them all.',
      'There is no command “<command>”; {get_commands} lists them all.',
      'There is no such command; {get_commands} lists them all.',
    ],
    404,
  ),
  unknown_tool: e(
    [
      'There is no tool “<tool>”: did you mean <did_you_mean or>? {get_commands} lists them all.',
      'There is no tool “<tool>”; there are <tools>.',
      'There is no tool “<tool>”; {get_commands} lists them all.',
      'There is no such tool; {get_commands} lists them all.',
    ],
    404,
  ),
  missing_action: e([
    'Name an action of the tool <tool>; its action "help" lists them.',
    'Name an action of this tool; action "help" lists them.',
  ]),
  invalid_action: e(
    [
      'The tool <tool> has no action “<action>”: did you mean <did_you_mean or>? Its action ' +
        '"help" lists all.',
      'The tool <tool> has no action “<action>”; its action "help" lists them.',
      'This tool has no such action; action "help" lists them.',
    ],
    404,
  ),
  method_not_allowed: e(
    [
      'This path takes another method: <allow>.',
      'This path takes another method: one of those that the header Allow names.',
    ],
    405,
  ),
  not_available_on_websocket: e(
    'Events are pushed on a WebSocket; there is no queue to read. Listen for them instead.',
  ),
  rate_limited: e(
    [
      'Too many requests (rate_limited: <limit>). Wait, then try again.',
      'Too many requests (rate_limited). Wait, then try again.',
    ],
    429,
  ),
  ip_timed_out: e(
    [
      'Too many refused attempts from this address (ip_timed_out); try again in <retry_after> ' +
        'seconds.',
      'Too many refused attempts from this address (ip_timed_out); try again in <wait_seconds> ' +
        'seconds.',
      'Too many refused attempts from this address (ip_timed_out); wait, then try again.',
    ],
    429,
  ),
  unauthorized: e(
    'A valid bearer token is needed: send Authorization: Bearer with one of the identity provider.',
    401,
  ),
  forbidden: e('This player belongs to another account; name one of your own.', 403),
  internal_error: e(
    'The server failed at this request and logged the error. Try once more, not in a loop.',
    500,
  ),
  restarting: e('The server is restarting. Connect again in a moment.', 503),
  past_world: e([
    'This is a past world, as it was at tick <tick>: it answers questions, and nothing in it can ' +
      'be changed.',
    'This is a past world: it answers questions, and nothing in it can be changed.',
  ]),
  not_ready: e('Nothing of this world is public yet; it will be in a few ticks. Ask again.', 503),
  persist_timeout: e('The archive does not answer at the moment. Try again shortly.', 503),

  /* Accounts */
  invalid_username: e(
    'This name breaks the rules for user names: choose 3 to 24 Latin letters, digits, single ' +
      'blanks and plain marks.',
  ),
  username_taken: e('This name is taken; choose another.'),
  invalid_credentials: e(
    'Unknown name or wrong password; check both. A lost password is reset on the account page.',
  ),
  invalid_empire: e([
    'There is no empire “<empire_id>”; choose solarian, voidborn, crimson, nebula or outerrim.',
    'Choose solarian, voidborn, crimson, nebula or outerrim.',
  ]),
  registration_code_required: e('A registration code is needed; your account page shows it.'),
  invalid_registration_code: e(
    'This registration code is unknown or was replaced; your account page shows the current one.',
  ),
  already_claimed: e('This player is linked to an account already; the link is permanent.'),
  invalid_token: e(
    'This token is unknown, used or expired; ask the website for a new one: each works once, ' +
      'for five minutes.',
  ),
  access_denied: e([
    'Access is denied: your standing with pirates must be at least <pirate_rep_required>. Go ' +
      'elsewhere, or earn it.',
    'Access is denied: this is open to <access> only. Go elsewhere, or ask the owner.',
    'Access is denied here; go elsewhere, or ask the owner.',
  ]),
  expired_token: e('This link has expired; {login_link} starts a new one.'),

  /* Mutations */
  action_pending: e([
    'An action is already pending [<pending_command>]; it resolves with the next tick. Wait for ' +
      'its outcome.',
    'An action is already pending; it resolves with the next tick. Wait for its outcome.',
  ]),
  in_transit: e([
    'The ship is under way and arrives in <seconds_until_arrival second>, at tick ' +
      '<arrival_tick>; wait until it is there.',
    'The ship is under way; wait until it arrives.',
  ]),
  combat_interrupt: e([
    'The pending action [<command>] was interrupted by battle and dropped; fight or flee, then ' +
      'send it again.',
    'The pending action was interrupted by battle and dropped; fight or flee, then send it again.',
  ]),
  in_combat: e(
    'Not possible during a battle: fight on, or {battle stance} with {battle stance.stance} flee; ' +
      '{reload} and {use_item} are possible.',
  ),
  detained: e([
    'You are detained by <empire_id> until tick <until_tick>, or until your wallet can pay the ' +
      'bounty; {chat} is open: another player can send you credits.',
    'You are detained until the time is served or your wallet can pay the bounty; {chat} is ' +
      'open: another player can send you credits.',
  ]),
  incapacitated: e(
    'No fit crew aboard: {treat_personnel} heals the injured, {recruit_personnel} hires others, ' +
      'docked at a base with the service personnel.',
  ),
  no_ship: e(
    'You fly no ship of your own at the moment; {switch_ship} to one, or {fleet disembark} from ' +
      'the ship you ride in.',
  ),
  in_fleet: e([
    'Your fleet’s leader <leader> moves the fleet; let them fly, or {fleet leave} first.',
    'Your fleet’s leader moves the fleet; let them fly, or {fleet leave} first.',
  ]),
} as const satisfies Record<string, ErrorEntry>
