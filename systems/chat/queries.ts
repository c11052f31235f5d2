/**
 * Reading: `get_chat_history`. Who may read what is judged here; the archive finds the messages.
 */
import { archive } from '../../core/command.ts'
import { badFields, type Failure, ok } from '../../core/errors.ts'
import { CHAT_HISTORY_ROWS_DEFAULT, CHAT_HISTORY_ROWS_MAX } from '../../core/limits.ts'
import { bools, int, ints, list, obj, opt, optional, str, strings } from '../../core/params.ts'
import { isOneOf, parseTime } from './model.ts'
import { scopeToRead } from './rules.ts'
import { UNREAD_CHANNELS } from './state.ts'

const storedMessage = obj({
  ...strings('id', 'channel', 'sender_id', 'sender', 'content', 'timestamp_utc'),
  ...opt(strings('target_id', 'target_name', 'system_id', 'poi_id', 'faction_id')),
  ...opt(bools('empire_official')),
})

const TIME_EXAMPLE = '2026-11-21T08:30:00Z'

function badTime(field: string): Failure {
  return badFields({ field, expected: `RFC 3339 time, such as ${TIME_EXAMPLE}` })
}

/**
 * Both bounds are exclusive and go on as written: the archive's times are finer than milliseconds.
 */
function checkWindow(before: string | undefined, after: string | undefined): Failure | undefined {
  const beforeMs = before === undefined ? undefined : parseTime(before)
  const afterMs = after === undefined ? undefined : parseTime(after)
  if (before !== undefined && beforeMs === undefined) return badTime('before')
  if (after !== undefined && afterMs === undefined) return badTime('after')
  if (beforeMs === undefined || afterMs === undefined || afterMs <= beforeMs) return undefined
  return badFields({ field: 'after', expected: 'a time before `before`' })
}

export const getChatHistory = archive({
  name: 'get_chat_history',
  v2: { tool: 'game_social', action: 'get_chat_history', rename: { channel: 'target' } },
  summary: 'Reads a channel of yours backwards in time, newest message first.',
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
  touch: (_view, _player, { channel }) =>
    isOneOf(UNREAD_CHANNELS, channel)
      ? { command: 'internal:chat_seen', params: { channel } }
      : undefined,
  scope(view, player, { channel, target_id, before, after, limit }) {
    const scope = scopeToRead(view, player, channel, target_id)
    if (!scope.ok) return scope
    const badWindow = checkWindow(before, after)
    if (badWindow) return badWindow
    return ok({
      ...scope.result,
      channel,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      limit: Math.min(limit ?? CHAT_HISTORY_ROWS_DEFAULT, CHAT_HISTORY_ROWS_MAX),
    })
  },
})
