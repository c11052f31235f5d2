/** What each notification channel mutes, and how net learns of a player's mute mask. */
import { emit, type MuteChannel, toPlayer } from '../../core/event.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { maskChanged } from './schemas.ts'

interface ChannelInfo {
  readonly description: string
  /** Types of frames it mutes; a chat channel mutes only its own `chat_message` frames. */
  readonly messageTypes: readonly string[]
}

/** The notification channels and what each mutes. Source: social.md section 6, push channels. */
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

/** Sends net the mute mask of a player: when they connect, and at each change. */
export function notifyMask(world: World, player: Eid): void {
  emit(world, maskChanged, { mask: world.read(Player).muteMask[player] }, toPlayer(player))
}
