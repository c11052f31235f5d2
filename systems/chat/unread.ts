/**
 * What a player has not read yet: a watermark a channel, moved by reading, and the summary that a
 * login shows. Source: social.md section 1, Unread. Nothing here is offered to clients.
 */
import { archive, immediate } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { anyObject, choice, NO_PARAMS, obj } from '../../core/params.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { playerId } from '../account/rules.ts'
import { UNREAD_CHANNELS, type UnreadChannel, WATERMARKS } from './columns.ts'
import { scopeToRead } from './rules.ts'

/** Wall time up to which a player has read a channel, ms; 0 for never. */
function readUpTo(view: WorldView, player: Eid, channel: UnreadChannel): number {
  const marks = view.records(WATERMARKS).get(String(playerNumber(view, player)))
  return marks?.[channel] ?? 0
}

/** The touch of get_chat_history: everything up to now counts as read. */
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

/** The scope of a channel as the player is; none under way, or without a faction. */
function scopeOf(view: WorldView, player: Eid, channel: 'system' | 'local' | 'faction') {
  const scope = scopeToRead(view, player, channel, undefined)
  const [key] = scope.ok ? scope.result.scopes : []
  return key === undefined
    ? {}
    : { [channel]: { scope: key, sinceMs: readUpTo(view, player, channel) } }
}

/** Messages that are new since the player read, and the newest of all the player may read. */
export const chatSummary = archive({
  name: 'internal:chat_summary',
  summary: 'What a login shows of chat.',
  category: 'internal',
  as: 'query',
  method: 'chatSummary',
  params: NO_PARAMS,
  result: anyObject(),
  needs: [],
  errors: [],
  scope(view, player) {
    return ok({
      ...scopeOf(view, player, 'system'),
      ...scopeOf(view, player, 'local'),
      ...scopeOf(view, player, 'faction'),
      party: playerId(view, player),
      privateSinceMs: readUpTo(view, player, 'private'),
    })
  },
})
