/** Threads and replies of the forum, counted once a minute; without the archive, as before. */
import type { Net } from '../session/types.ts'
import { isObject } from '../validate.ts'
import type { PublicInfo } from './row.ts'

const COUNTED_FOR_MS = 60_000

export function createForumCount({ archive, clock }: Pick<Net, 'archive' | 'clock'>) {
  let counted = { threads: 0, replies: 0 }
  let untilMs = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined
  const count = async (): Promise<void> => {
    untilMs = clock.monoMs() + COUNTED_FOR_MS
    try {
      const outcome = await archive.read({ method: 'countForum', args: {} })
      if (!outcome.ok || !isObject(outcome.result)) return
      const { forum_threads, forum_replies } = outcome.result
      counted = { threads: Number(forum_threads) || 0, replies: Number(forum_replies) || 0 }
    } finally {
      counting = undefined
    }
  }
  const forum: PublicInfo['forum'] = async () => {
    if (clock.monoMs() >= untilMs) {
      counting ??= count()
      await counting
    }
    return counted
  }
  return forum
}
