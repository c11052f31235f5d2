/**
 * The commands of chat: writing, what a player has not read yet, and history. Permission, limits
 * and audience are checked here; the archive stores the texts.
 */
import { archive, immediate } from '../../core/command.ts'
import { type Failure, invalidFields, ok } from '../../core/errors.ts'
import { toPlayer } from '../../core/event.ts'
import {
  CHAT_CHARACTERS_MAX,
  CHAT_HISTORY_ROWS_DEFAULT,
  CHAT_HISTORY_ROWS_MAX,
  TEXT_CHARACTERS_MAX,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import {
  anyObject,
  bools,
  choice,
  int,
  ints,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  str,
  strings,
  words,
} from '../../core/params.ts'
import { playerNumber } from '../../core/pending.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Audience, Eid, Emission, World, WorldView } from '../../core/types.ts'
import { isBound, playerById, playerId, usernameOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { factionOf, membersOf } from '../faction/model.ts'
import { poiOf, systemOf } from '../travel/location-model.ts'
import { admitChat, countChat, isOneOf, mayPush, type OutgoingMessage } from './model.ts'
import { type ChatScope, scopeToRead, scopeToWrite } from './rules.ts'
import { chatMessage } from './schemas.ts'
import { UNREAD_CHANNELS, type UnreadChannel, WATERMARKS } from './state.ts'
import { parseTime } from './time-model.ts'

/* Writing: `chat` */

/** What the archive stores of a message: the arguments of `postChat`. */
type Message = ChatScope & {
  readonly senderId: string
  readonly sender: string
  readonly content: string
}

/** What `postChat` returns. */
interface Posted {
  readonly id: string | number
  /** RFC 3339. */
  readonly timestamp: string
}

/** Returns the recipient of a private message; 0 in other channels. */
function partnerOf(view: WorldView, message: ChatScope, senderId: string): Eid {
  if (message.channel !== 'private') return 0
  const [a, b] = message.targetId.split(':')
  return playerById(view, a === senderId ? b : a)
}

function outgoingMessage(view: WorldView, player: Eid, message: Message): OutgoingMessage {
  const { scope, content } = message
  const partner = partnerOf(view, message, message.senderId)
  // A faction's channel has no limit of its own besides those of each member.
  return partner === 0
    ? { player, scope, text: content, isShared: message.channel !== 'faction' }
    : { player, scope, text: content, isShared: false, partner }
}

function audienceOf(view: WorldView, player: Eid, message: Message): Audience {
  const partner = partnerOf(view, message, message.senderId)
  if (partner !== 0) return toPlayer(partner)
  if (message.channel === 'faction') {
    const members = membersOf(view, factionOf(view, player))
    return { kind: 'players', rows: members.filter((member) => member !== player) }
  }
  return message.channel === 'local'
    ? { kind: 'poi', row: poiOf(view, player), except: player }
    : { kind: 'system', row: systemOf(view, player), except: player }
}

function payloadOf(message: Message, posted: Posted): Record<string, unknown> {
  const { channel, senderId, sender, content, targetId, targetName, systemId, poiId } = message
  const { factionId } = message
  return {
    id: String(posted.id),
    channel,
    sender_id: senderId,
    sender,
    content,
    timestamp: posted.timestamp,
    timestamp_utc: posted.timestamp,
    target_id: targetId,
    ...(targetName === undefined ? {} : { target_name: targetName }),
    ...(systemId === undefined ? {} : { system_id: systemId }),
    ...(poiId === undefined ? {} : { poi_id: poiId }),
    ...(factionId === undefined ? {} : { faction_id: factionId }),
  }
}

/**
 * Counts a stored message and returns the push to its recipients, unless the recipient has
 * had too many from strangers. Source: social.md sections 1, 6.
 */
function notifyMessage(world: World, message: Message, posted: Posted): Emission[] {
  const player = playerById(world, message.senderId)
  countChat(world, outgoingMessage(world, player, message))
  addStat(world, player, 'chat_messages_sent', 1)
  const partner = partnerOf(world, message, message.senderId)
  if (partner !== 0 && isBound(world, partner) && !mayPush(world, partner, player)) return []
  return [
    {
      type: chatMessage.type,
      payload: payloadOf(message, posted),
      audience: audienceOf(world, player, message),
    },
  ]
}

export const chat = archive({
  name: 'chat',
  v2: { tool: 'game_social', action: 'chat', rename: { channel: 'target' } },
  summary: 'Write to everyone at your place, in your system, in your faction, or to one player.',
  category: 'social',
  as: 'immediate',
  method: 'postChat',
  params: obj({
    channel: str('system, local, faction or private.', { min: 1, max: 64, example: 'system' }),
    content: str(`What to say, at most ${CHAT_CHARACTERS_MAX} characters.`, {
      max: TEXT_CHARACTERS_MAX,
      example: 'Buying iron at the capital.',
    }),
    target_id: optional(
      str('Recipient of a private message: player id or user name.', { example: 'Ada' }),
    ),
  }),
  result: obj({ ...strings('channel', 'message'), ...ints('sent_at'), ...opt(strings('warning')) }),
  needs: [],
  errors: words(
    'invalid_channel channel_read_only not_in_faction no_permission player_not_found',
    'invalid_target in_transit too_long rate_limited invalid_payload',
  ),
  scope(view, player, { channel, content, target_id }) {
    const scope = scopeToWrite(view, player, channel, target_id)
    if (!scope.ok) return scope
    const text = cleanText(content, {
      max: CHAT_CHARACTERS_MAX,
      unit: 'codepoints',
      field: 'content',
    })
    if (!text.ok) return text
    const message: Message = {
      ...scope.result,
      senderId: playerId(view, player),
      sender: usernameOf(view, player),
      content: text.result,
    }
    return admitChat(view, outgoingMessage(view, player, message)) ?? ok(message)
  },
  notify: (world, message: Message, posted: Posted) => notifyMessage(world, message, posted),
  answer(view, message: Message, posted: Posted) {
    const partner = partnerOf(view, message, message.senderId)
    const answer = {
      channel: message.channel,
      message: partner === 0 ? 'Sent.' : `Sent to ${message.targetName}.`,
      sent_at: divFloor(parseTime(posted.timestamp) ?? view.wallMs, 1000),
    }
    if (partner === 0 || isBound(view, partner)) return answer
    return { ...answer, warning: `${message.targetName} is offline and can read this later.` }
  },
})

/*
 * What a player has not read yet: a watermark for each channel, which reading moves, and the
 * summary that a login shows. Source: social.md section 1, Unread. Clients cannot send these
 * commands.
 */

/** Returns the wall time up to which a player has read a channel, ms; 0 for never. */
function readUpTo(view: WorldView, player: Eid, channel: UnreadChannel): number {
  const marks = view.records(WATERMARKS).get(String(playerNumber(view, player)))
  return marks?.[channel] ?? 0
}

/** Marks a channel as read up to now, after `get_chat_history` has shown it. */
export const chatSeen = immediate({
  name: 'internal:chat_seen',
  summary: 'A player has read a channel.',
  category: 'internal',
  params: obj({ channel: choice('Channel that was read.', UNREAD_CHANNELS) }),
  result: NO_PARAMS,
  needs: [],
  errors: [],
  run(world, player, { channel }) {
    const key = String(playerNumber(world, player))
    const marks = world.records(WATERMARKS).get(key) ?? {}
    world.records(WATERMARKS).set(key, { ...marks, [channel]: world.wallMs })
    return ok({})
  },
})

/** Returns what of a channel is unread for a player; empty in transit, or without a faction. */
function watchedScope(view: WorldView, player: Eid, channel: 'system' | 'local' | 'faction') {
  const scope = scopeToRead(view, player, channel, undefined)
  const [key] = scope.ok ? scope.result.scopes : []
  return key === undefined
    ? {}
    : { [channel]: { scope: key, sinceMs: readUpTo(view, player, channel) } }
}

/** Counts what is new since a player last read, and shows the newest of what they may read. */
export const chatSummary = archive({
  name: 'internal:chat_summary',
  summary: 'What a login shows of the chat.',
  category: 'internal',
  as: 'query',
  method: 'chatSummary',
  params: NO_PARAMS,
  result: anyObject(),
  needs: [],
  errors: [],
  scope(view, player) {
    return ok({
      ...watchedScope(view, player, 'system'),
      ...watchedScope(view, player, 'local'),
      ...watchedScope(view, player, 'faction'),
      party: playerId(view, player),
      privateSinceMs: readUpTo(view, player, 'private'),
    })
  },
})

/* Reading: `get_chat_history` */

const storedMessage = obj({
  ...strings('id', 'channel', 'sender_id', 'sender', 'content', 'timestamp_utc'),
  ...opt(strings('target_id', 'target_name', 'system_id', 'poi_id', 'faction_id')),
  ...opt(bools('empire_official')),
})

const TIME_EXAMPLE = '2026-11-21T08:30:00Z'

function badTime(field: string): Failure<'invalid_payload'> {
  return invalidFields({ field, expected: `RFC 3339 time, such as ${TIME_EXAMPLE}` })
}

/**
 * Refuses bounds that are not times, or are in the wrong order. Both are exclusive; the archive
 * receives them as text, since its times are finer than milliseconds.
 */
function windowRefusal(
  before: string | undefined,
  after: string | undefined,
): Failure<'invalid_payload'> | undefined {
  const beforeMs = before === undefined ? undefined : parseTime(before)
  const afterMs = after === undefined ? undefined : parseTime(after)
  if (before !== undefined && beforeMs === undefined) return badTime('before')
  if (after !== undefined && afterMs === undefined) return badTime('after')
  if (beforeMs === undefined || afterMs === undefined || afterMs <= beforeMs) return undefined
  return invalidFields({ field: 'after', expected: 'a time before `before`' })
}

export const getChatHistory = archive({
  name: 'get_chat_history',
  v2: { tool: 'game_social', action: 'get_chat_history', rename: { channel: 'target' } },
  summary: 'Read a channel of yours, newest message first.',
  category: 'social',
  as: 'query',
  method: 'chatHistory',
  params: obj({
    channel: str('system, local, faction, private or emergency.', {
      min: 1,
      max: 64,
      example: 'system',
    }),
    target_id: optional(
      str('Private only: id or user name of the other player; without it your whole inbox.', {
        example: 'Ada',
      }),
    ),
    before: optional(
      str('Only messages before this time (RFC 3339).', { max: 64, example: TIME_EXAMPLE }),
    ),
    after: optional(
      str('Only messages after this time (RFC 3339).', { max: 64, example: TIME_EXAMPLE }),
    ),
    limit: optional(
      int(`Messages wanted, at most ${CHAT_HISTORY_ROWS_MAX}.`, {
        min: 1,
        example: CHAT_HISTORY_ROWS_DEFAULT,
      }),
    ),
  }),
  result: obj({
    ...strings('channel'),
    ...bools('has_more'),
    ...ints('total_count'),
    messages: list(storedMessage),
  }),
  needs: [],
  errors: ['invalid_channel', 'not_in_faction', 'player_not_found', 'invalid_payload'],
  touch: (view, player, { channel }) =>
    isOneOf(UNREAD_CHANNELS, channel) && readUpTo(view, player, channel) < view.wallMs
      ? { command: 'internal:chat_seen', params: { channel } }
      : undefined,
  scope(view, player, { channel, target_id, before, after, limit }) {
    const scope = scopeToRead(view, player, channel, target_id)
    if (!scope.ok) return scope
    const refused = windowRefusal(before, after)
    if (refused) return refused
    return ok({
      ...scope.result,
      channel,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      limit: Math.min(limit ?? CHAT_HISTORY_ROWS_DEFAULT, CHAT_HISTORY_ROWS_MAX),
    })
  },
})
