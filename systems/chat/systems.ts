/**
 * Notifies players of how many pushes from strangers were held back, and checks the limits.
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

/** Checks that what the limits record stays within them. Source: social.md sections 1, 6. */
export const chatWithinLimits: CheckDef = {
  name: 'chat limits hold',
  run(view, full) {
    if (!full) return
    for (const [player, { sent, known, firsts }] of view.records(CHATTERS).entries()) {
      assert(
        sent.length <= CHATS_PER_MINUTE,
        `player ${player} sent ${sent.length} messages in a minute`,
      )
      assert(
        known.length <= CHAT_KNOWN_PARTNERS_MAX,
        `player ${player} has ${known.length} known partners`,
      )
      assert(
        firsts.length <= CHAT_NEW_PARTNERS_PER_HOUR,
        `player ${player} wrote to ${firsts.length} new partners`,
      )
    }
    for (const [player, { count, from }] of view.records(PUSH_BUDGETS).entries()) {
      assert(
        count <= STRANGER_PUSHES_PER_MINUTE,
        `player ${player} was sent ${count} pushes from strangers`,
      )
      let sum = 0
      for (const pushes of Object.values(from)) {
        assert(
          pushes <= STRANGER_PUSHES_FROM_ONE_PER_MINUTE,
          `player ${player} was sent ${pushes} pushes from one stranger`,
        )
        sum += pushes
      }
      assert(sum === count, `the push budget of player ${player} does not add up`)
    }
  },
}

/**
 * Sends each recipient of pushes that were held back one summary a minute with their count; reads
 * only those who are being flooded. Source: social.md section 6, stranger budget.
 */
export const summarise: SystemDef = {
  name: 'chat.summarise',
  phase: 'settle',
  writes: [],
  run(world) {
    for (const [recipient, count] of takeHeldBack(world)) {
      const timestamp = isoTime(world.wallMs)
      const message = {
        id: `server-${world.nextNumber('server_messages')}`,
        channel: 'system',
        sender_id: 'server',
        sender: 'server',
        content: say`Not shown on arrival, since too many came from strangers: ${counted(count, 'message, gift, offer or invitation', 'messages, gifts, offers or invitations')}. {get_chat_history} lists the messages.`,
        timestamp,
        timestamp_utc: timestamp,
      }
      emit(world, chatMessage, message, toPlayer(recipient))
    }
  },
}
