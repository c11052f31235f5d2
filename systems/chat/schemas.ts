/** The event of a chat message. */
import { defineEvent, type MuteChannel } from '../../core/event.ts'
import { bools, obj, opt, strings } from '../../core/params.ts'

const MUTED_BY: Readonly<Record<string, MuteChannel>> = {
  system: 'chat.system',
  local: 'chat.local',
  faction: 'chat.faction',
  emergency: 'chat.emergency',
}

/**
 * Private messages cannot be muted; those of strangers have a budget. Source: social.md 1, 6.
 */
export const chatMessage = defineEvent({
  type: 'chat_message',
  summary: 'Somebody wrote in a channel you can read.',
  fields: obj({
    ...strings('id', 'channel', 'sender_id', 'sender', 'content', 'timestamp', 'timestamp_utc'),
    ...opt(strings('target_id', 'target_name', 'system_id', 'poi_id', 'faction_id')),
    ...opt(bools('empire_official')),
    // A call for help on the channel `emergency`: where it comes from, and the mission to accept.
    ...opt(strings('distress_type', 'system', 'mission_id')),
  }),
  queue: 'chat',
  channel: (payload) => MUTED_BY[payload.channel],
})
