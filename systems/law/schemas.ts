/** Notices of empires to players. */
import { defineEvent } from '../../core/event.ts'
import { choice, ints, obj, opt, strings } from '../../core/params.ts'

const NOTICES = [
  'crime',
  'warning',
  'wanted',
  'customs',
  'bounty_added',
  'bounty_paid',
  'detained',
  'released',
  'citizenship',
] as const
export type NoticeKind = (typeof NOTICES)[number]

/** ours: the sheets specify what empires do to a player, but not how players are notified. */
export const empireNotice = defineEvent({
  type: 'empire_notice',
  summary: 'An empire notifies you of a charge, a fine, a debt, a detention or your citizenship.',
  fields: obj({
    ...strings('empire_id', 'empire_name', 'message'),
    kind: choice('What it is about.', NOTICES),
    ...ints('bounty', 'reputation'),
    ...opt({
      ...ints('amount', 'reputation_change', 'jailed_until_tick'),
      ...strings('system_id', 'system_name'),
    }),
  }),
  queue: 'system',
})
