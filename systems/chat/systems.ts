/**
 * Once a tick: tells players how many pushes of strangers were held back. Walks only those who were
 * flooded.
 */
import { emit, toPlayer } from '../../core/event.ts'
import { counted, say } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import { isoTime } from '../../core/time.ts'
import { chatMessage } from './events.ts'
import { takeHeldBack } from './limits.ts'

/** Source: social.md section 6, stranger budget: one summary a minute tells the count. */
export const summarise: SystemDef = {
  name: 'chat.summarise',
  phase: 'settle',
  reads: [],
  writes: [],
  run(world) {
    for (const [recipient, count] of takeHeldBack(world)) {
      const at = isoTime(world.wallMs)
      const message = {
        id: `server-${world.nextNumber('server_messages')}`,
        channel: 'system',
        sender_id: 'server',
        sender: 'server',
        content: say`Not shown on arrival: ${counted(count, 'message')}; see {get_chat_history}.`,
        timestamp: at,
        timestamp_utc: at,
      }
      emit(world, chatMessage, message, toPlayer(recipient))
    }
  },
}
