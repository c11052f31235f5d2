/** The domain of chat: channels, private messages, their limits, and pushes from strangers. */
import type { DomainDef } from '../../core/registry.ts'
import { chat, chatSeen, chatSummary, getChatHistory } from './commands.ts'
import { chatMessage } from './schemas.ts'
import { CHATTERS, HELD_BACK, PUSH_BUDGETS, SCOPE_LOADS, WATERMARKS } from './state.ts'
import { chatWithinLimits, summarise } from './systems.ts'

export const chatDomain: DomainDef = {
  name: 'chat',
  records: [CHATTERS, SCOPE_LOADS, PUSH_BUDGETS, HELD_BACK, WATERMARKS],
  commands: [chat, getChatHistory, chatSeen, chatSummary],
  events: [chatMessage],
  systems: [summarise],
  checks: [chatWithinLimits],
}
