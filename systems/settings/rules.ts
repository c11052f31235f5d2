/** Mute masks and colours: how they are written, and how net learns of a mask. */
import { assert } from '../../core/assert.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { emit, MUTE_CHANNELS, type MuteChannel, toPlayer } from '../../core/event.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { maskChanged } from './events.ts'

interface ChannelInfo {
  readonly description: string
  /** Frame types the channel mutes; of `chat_message` those of its own chat channel. */
  readonly messageTypes: readonly string[]
}

/** Source: social.md section 6, push channels. */
export const CHANNEL_INFO: Readonly<Record<MuteChannel, ChannelInfo>> = {
  'chat.system': { description: 'Chat of your system.', messageTypes: ['chat_message'] },
  'chat.local': { description: 'Chat at your place.', messageTypes: ['chat_message'] },
  'chat.faction': { description: 'Chat of your faction.', messageTypes: ['chat_message'] },
  'chat.emergency': {
    description: 'Distress calls near you; muted, you are offered no rescues either.',
    messageTypes: ['chat_message'],
  },
  pirate_radio: {
    description: 'What a pirate-radio scanner overhears.',
    messageTypes: ['pirate_radio'],
  },
  battle_alerts: { description: 'Battles that begin near you.', messageTypes: ['battle_alert'] },
  battle_ticker: {
    description: 'Every tick of a battle you are in.',
    messageTypes: ['battle_update', 'battle_damage', 'base_raid_update'],
  },
  battle_events: {
    description: 'Turns of battles: who joins, leaves, wins; scans; repairs of a station.',
    messageTypes: [
      'battle_started',
      'battle_joined',
      'battle_left',
      'battle_ended',
      'pirate_destroyed',
      'pilotless_ship',
      'scan_detected',
      'station_repaired',
    ],
  },
  activity: {
    description: 'Progress of what you do: mining, crafting, missions.',
    messageTypes: ['mining_yield', 'crafting_update', 'mission_update'],
  },
  drones: {
    description: 'Reports of your drones.',
    messageTypes: ['drone_update', 'drone_destroyed', 'drone_scan', 'drone_survey', 'drone_adrift'],
  },
  progression: {
    description: 'Skill levels and achievements.',
    messageTypes: ['skill_level_up', 'achievement_unlocked'],
  },
  support: {
    description: 'Others refuelling or repairing your ship.',
    messageTypes: ['refueled_by', 'repaired_by'],
  },
}

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
export function maskOfNames(names: readonly string[]): Outcome<number> {
  let mask = 0
  for (const name of names) {
    const bit = (MUTE_CHANNELS as readonly string[]).indexOf(name)
    if (bit < 0) return fail('unknown_channel', { channel: name, channels: [...MUTE_CHANNELS] })
    mask |= 1 << bit
  }
  return ok(mask)
}

/** Tells net the player's mute mask: at a bind and at each change. Source: DESIGN 2, Telling. */
export function tellMask(world: World, player: Eid): void {
  emit(world, maskChanged, { mask: world.read(Player).muteMask[player] }, toPlayer(player))
}

const COLOR = /^#?([0-9a-f]{6})$/i

/** 0xRRGGBB of `#RRGGBB` or `RRGGBB`; refuses `invalid_color`. Source: social.md section 4. */
export function parseColor(value: string, field: string): Outcome<number> {
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
export function checkTag(tag: string): Outcome<string> {
  return tag === '' || CLAN_TAG.test(tag) ? ok(tag) : fail('invalid_tag', { clan_tag: tag })
}
