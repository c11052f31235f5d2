/** Mute masks, colours and clan tags: how they are read and parsed. */
import { assert } from '../../core/assert.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { MUTE_CHANNELS, type MuteChannel } from '../../core/event.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'

/** The mask that mutes every channel. */
export const ALL_MUTED = 2 ** MUTE_CHANNELS.length - 1

/** Returns the names of the channels of a mask, in channel order. */
export function namesOfMask(mask: number): MuteChannel[] {
  assert(mask >= 0 && mask <= ALL_MUTED, `mute mask ${mask}`)
  return MUTE_CHANNELS.filter((_, bit) => (mask & (1 << bit)) !== 0)
}

/** Returns whether a player has muted a channel. */
export const hasMuted = (view: WorldView, player: Eid, channel: MuteChannel): boolean =>
  (view.read(Player).muteMask[player] & (1 << MUTE_CHANNELS.indexOf(channel))) !== 0

/**
 * Returns the mask of channel names. Refuses `unknown_channel` if any of them does not exist.
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

/**
 * Parses a colour, `#RRGGBB` or `RRGGBB`, into a number. Refusal: invalid_color. Source: social.md
 * section 4.
 */
export function parseColor(value: string, field: string): Outcome<number, 'invalid_color'> {
  const found = COLOR.exec(value.trim())
  if (!found) return fail('invalid_color', { field, value })
  return ok(Number.parseInt(found[1], 16))
}

/** Any characters except white space. ours: the sheet gives the length only. */
const CLAN_TAG = /^\S*$/u

/** Refuses a clan tag with white space; an empty one clears. Refusal: invalid_tag. */
export function tagRefusal(tag: string): Failure<'invalid_tag'> | undefined {
  if (CLAN_TAG.test(tag)) return undefined
  return fail('invalid_tag', { clan_tag: tag }, 'A clan tag has no spaces or line breaks.')
}
