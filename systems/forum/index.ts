/** The domain of the forum: threads, replies and votes, out of character and for everybody. */
import type { DomainDef } from '../../core/registry.ts'
import { forumWithinLimits } from './checks.ts'
import {
  forumCreateThread,
  forumDeleteReply,
  forumDeleteThread,
  forumGetThread,
  forumList,
  forumReply,
  forumUpvote,
} from './commands.ts'
import { FORUM_USE } from './state.ts'

export const forumDomain: DomainDef = {
  name: 'forum',
  records: [FORUM_USE],
  commands: [
    forumList,
    forumGetThread,
    forumCreateThread,
    forumReply,
    forumUpvote,
    forumDeleteThread,
    forumDeleteReply,
  ],
  checks: [forumWithinLimits],
}
