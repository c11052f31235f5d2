/**
 * Channels: which exist, who may write or read them, and the scope a message belongs to.
 */
import { fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { playerById, playerId, usernameOf } from '../account/model.ts'
import { factionIdOf, factionOf, permissionRefusal } from '../faction/model.ts'
import { inTransit, poiOf, systemOf } from '../travel/location-model.ts'
import { poiId, systemId } from '../travel/model.ts'
import { isOneOf, privateKey } from './model.ts'

/** Channels that players write to. Source: spec, chat message channels. */
const SENDABLE_CHANNELS = ['system', 'local', 'faction', 'private'] as const
/** Channels that only the server writes to. Source: social.md section 1. */
const SERVER_CHANNELS = ['emergency', 'pirate_radio', 'admin'] as const
/** Channels whose history can be read. */
const READABLE_CHANNELS = [...SENDABLE_CHANNELS, 'emergency'] as const

/** Where a message belongs: the key the archive files it under, and the fields of the wire. */
export type ChatScope = {
  readonly channel: string
  /** `channel:id`; the archive numbers the messages of each scope. */
  readonly scope: string
  readonly targetId: string
  readonly targetName?: string
  readonly systemId?: string
  readonly poiId?: string
  readonly factionId?: string
}

/**
 * Returns the scope a player writes to. Refuses `invalid_channel`, `channel_read_only`,
 * `not_in_faction`, `no_permission`, `in_transit`, `player_not_found`, `invalid_target` (oneself)
 * and `invalid_payload` (private without a target).
 */
export function scopeToWrite(
  view: WorldView,
  player: Eid,
  channel: string,
  targetId: string | undefined,
) {
  if (isOneOf(SERVER_CHANNELS, channel)) return fail('channel_read_only', { channel })
  if (!isOneOf(SENDABLE_CHANNELS, channel)) {
    return fail('invalid_channel', { channel, channels: [...SENDABLE_CHANNELS] })
  }
  if (channel === 'private') return privateScope(view, player, targetId)
  if (channel === 'faction') {
    return permissionRefusal(view, player, 'broadcast') ?? ok(factionScope(view, player))
  }
  return inTransit(view, player) ?? ok(placeScope(view, player, channel))
}

function privateScope(
  view: WorldView,
  player: Eid,
  targetId: string | undefined,
): Outcome<ChatScope, 'invalid_payload' | 'invalid_target' | 'player_not_found'> {
  if (!targetId) {
    return invalidFields({ field: 'target_id', expected: 'id or user name of the recipient' })
  }
  const target = playerById(view, targetId)
  if (target === 0) return fail('player_not_found', { target_id: targetId })
  if (target === player) return fail('invalid_target', undefined, 'You cannot write to yourself.')
  const key = privateKey(playerId(view, player), playerId(view, target))
  return ok({
    channel: 'private',
    scope: `private:${key}`,
    targetId: key,
    targetName: usernameOf(view, target),
  })
}

/** Returns the scope of a member's faction. */
function factionScope(view: WorldView, player: Eid): ChatScope {
  const factionId = factionIdOf(view, factionOf(view, player))
  return { channel: 'faction', scope: `faction:${factionId}`, targetId: factionId, factionId }
}

/** Returns the scope `local` or `system` of a player who is at a place. */
function placeScope(view: WorldView, player: Eid, channel: 'local' | 'system'): ChatScope {
  const system = systemId(view, systemOf(view, player))
  if (channel === 'system') {
    return { channel, scope: `system:${system}`, targetId: system, systemId: system }
  }
  const poi = poiId(view, poiOf(view, player))
  return { channel, scope: `local:${poi}`, targetId: poi, systemId: system, poiId: poi }
}

/** What a player reads: whole scopes, or all private messages to and from `party`. */
type ReadScope = { readonly scopes: readonly string[]; readonly party?: string }

/**
 * Returns the scopes a player reads in a channel; none in transit where the channel needs a place.
 * Refuses `invalid_channel`, `not_in_faction`, `player_not_found`.
 */
export function scopeToRead(
  view: WorldView,
  player: Eid,
  channel: string,
  targetId: string | undefined,
): Outcome<ReadScope, 'invalid_channel' | 'not_in_faction' | 'player_not_found'> {
  if (!isOneOf(READABLE_CHANNELS, channel)) {
    return fail('invalid_channel', { channel, channels: [...READABLE_CHANNELS] })
  }
  switch (channel) {
    case 'faction':
      if (factionOf(view, player) === 0) return fail('not_in_faction')
      return ok({ scopes: [factionScope(view, player).scope] })
    case 'private': {
      if (!targetId) return ok({ scopes: [], party: playerId(view, player) })
      const target = playerById(view, targetId)
      if (target === 0) return fail('player_not_found', { target_id: targetId })
      return ok({
        scopes: [`private:${privateKey(playerId(view, player), playerId(view, target))}`],
      })
    }
    case 'local': {
      const poi = poiOf(view, player)
      return ok({ scopes: poi === 0 ? [] : [`local:${poiId(view, poi)}`] })
    }
    default: {
      const system = systemOf(view, player)
      return ok({ scopes: system === 0 ? [] : [`${channel}:${systemId(view, system)}`] })
    }
  }
}
