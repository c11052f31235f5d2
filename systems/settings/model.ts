/** Lookups of settings; writes only to its own columns. */
import { assert } from '../../core/assert.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { MUTE_CHANNELS, type MuteChannel } from '../../core/event.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'

export const ALL_MUTED = 2 ** MUTE_CHANNELS.length - 1

/** Names of the channels of a mask, in channel order. */
export function namesOfMask(mask: number): MuteChannel[] {
  assert(mask >= 0 && mask <= ALL_MUTED, `mute mask ${mask}`)
  return MUTE_CHANNELS.filter((_, bit) => (mask & (1 << bit)) !== 0)
}

/** True for a player who has muted a channel. */
export const mutes = (view: WorldView, player: Eid, channel: MuteChannel): boolean =>
  (view.read(Player).muteMask[player] & (1 << MUTE_CHANNELS.indexOf(channel))) !== 0

/**
 * The mask of channel names. Refuses `unknown_channel` for the first that does not exist: all or
 * nothing.
 */
export function maskOfNames(names: readonly string[]): Outcome<number, 'unknown_channel'> {
  let mask = 0
  for (const name of names) {
    const bit = (MUTE_CHANNELS as readonly string[]).indexOf(name)
    if (bit < 0) return fail('unknown_channel', { channel: name, channels: [...MUTE_CHANNELS] })
    mask |= 1 << bit
  }
  return ok(mask)
}

const COLOR = /^#?([0-9a-f]{6})$/i

/** 0xRRGGBB of `#RRGGBB` or `RRGGBB`; refuses `invalid_color`. Source: social.md section 4. */
export function parseColor(value: string, field: string): Outcome<number, 'invalid_color'> {
  const found = COLOR.exec(value.trim())
  if (!found) return fail('invalid_color', { field, value })
  return ok(Number.parseInt(found[1], 16))
}

/** Visible characters without a gap. ours: the sheet gives the length only. */
const CLAN_TAG = /^\S+$/u

/**
 * A clan tag as it is kept; the empty one clears. Refuses `invalid_tag`. The length is checked
 * before.
 */
export function checkTag(tag: string): Outcome<string, 'invalid_tag'> {
  return tag === '' || CLAN_TAG.test(tag) ? ok(tag) : fail('invalid_tag', { clan_tag: tag })
}
