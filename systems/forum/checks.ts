/** Checks of the forum: no player has written more than the limits allow. */
import { assert } from '../../core/assert.ts'
import {
  FORUM_REPLIES_PER_HOUR,
  FORUM_THREADS_PER_HOUR,
  FORUM_VOTES_PER_HOUR,
} from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { FORUM_USE } from './state.ts'

/** Checks the hourly limits of every player. Source: accounts.md section 10. */
export const forumWithinLimits: CheckDef = {
  name: 'forum limits hold',
  run(view, full) {
    if (!full) return
    for (const [player, { threads, replies, votes }] of view.records(FORUM_USE).entries()) {
      const message = `player ${player} exceeds a limit of the forum`
      assert((threads?.length ?? 0) <= FORUM_THREADS_PER_HOUR, message)
      assert((replies?.length ?? 0) <= FORUM_REPLIES_PER_HOUR, message)
      assert((votes?.length ?? 0) <= FORUM_VOTES_PER_HOUR, message)
    }
  },
}
