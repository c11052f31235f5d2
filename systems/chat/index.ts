/**
 * The domain of chat: channels, private messages, their limits, and pushes that strangers cause.
 */
import type { DomainDef } from '../../core/registry.ts'
import { chatWithinLimits } from './checks.ts'
import { CHATTERS, HELD_BACK, PUSH_BUDGETS, SCOPE_LOADS, WATERMARKS } from './columns.ts'
import { chat } from './commands.ts'
import { chatMessage } from './events.ts'
import { getChatHistory } from './queries.ts'
import { summarise } from './systems.ts'
import { chatSeen, chatSummary } from './unread.ts'

export const chatDomain: DomainDef = {
  name: 'chat',
  records: [CHATTERS, SCOPE_LOADS, PUSH_BUDGETS, HELD_BACK, WATERMARKS],
  commands: [chat, getChatHistory, chatSeen, chatSummary],
  events: [chatMessage],
  systems: [summarise],
  checks: [chatWithinLimits],
}
