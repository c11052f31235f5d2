/**
 * Once a tick: tells players how many pushes of strangers were held back. Walks only those who were
 * flooded.
 */
import { assert } from '../../core/assert.ts'
import { emit, toPlayer } from '../../core/event.ts'
import {
  CHAT_KNOWN_PARTNERS_MAX,
  CHAT_NEW_PARTNERS_PER_HOUR,
  CHATS_PER_MINUTE,
  STRANGER_PUSHES_FROM_ONE_PER_MINUTE,
  STRANGER_PUSHES_PER_MINUTE,
} from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { counted, say } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import { isoTime } from '../../core/time.ts'
import { takeHeldBack } from './model.ts'
import { chatMessage } from './schemas.ts'
import { CHATTERS, PUSH_BUDGETS } from './state.ts'

/* Checks of chat: what the limits remember stays within them. */

/** Source: social.md sections 1, 6. */
export const chatWithinLimits: CheckDef = {
  name: 'chat limits hold',
  run(view, full) {
    if (!full) return
    for (const [player, { sent, known, firsts }] of view.records(CHATTERS).entries()) {
      assert(sent.length <= CHATS_PER_MINUTE, `player ${player} said ${sent.length} things`)
      assert(known.length <= CHAT_KNOWN_PARTNERS_MAX, `player ${player} knows too many`)
      assert(firsts.length <= CHAT_NEW_PARTNERS_PER_HOUR, `player ${player} met too many`)
    }
    for (const [player, { count, from }] of view.records(PUSH_BUDGETS).entries()) {
      assert(count <= STRANGER_PUSHES_PER_MINUTE, `player ${player} was told ${count} things`)
      let sum = 0
      for (const pushes of Object.values(from)) {
        assert(pushes <= STRANGER_PUSHES_FROM_ONE_PER_MINUTE, `player ${player} was flooded`)
        sum += pushes
      }
      assert(sum === count, `budget of player ${player} does not add up`)
    }
  },
}

/** Source: social.md section 6, stranger budget: one summary a minute tells the count. */
export const summarise: SystemDef = {
  name: 'chat.summarise',
  phase: 'settle',
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
