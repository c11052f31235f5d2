/**
 * Counts threads and replies of the forum, at most once a minute. While the archive cannot be read,
 * the last counts are used.
 */
import type { Net } from '../session/types.ts'
import { isObject } from '../validate.ts'
import type { PublicInfo } from './row.ts'

const COUNT_EVERY_MS = 60_000

/** Returns a function that resolves with the counts. */
export function createForumCount({
  archive,
  clock,
}: Pick<Net, 'archive' | 'clock'>): PublicInfo['forum'] {
  let latest = { threads: 0, replies: 0 }
  let nextCountMs = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined
  const count = async (): Promise<void> => {
    nextCountMs = clock.monoMs() + COUNT_EVERY_MS
    try {
      const outcome = await archive.read({ method: 'countForum', args: {} })
      if (!outcome.ok || !isObject(outcome.result)) return
      const { forum_threads, forum_replies } = outcome.result
      latest = { threads: Number(forum_threads) || 0, replies: Number(forum_replies) || 0 }
    } finally {
      counting = undefined
    }
  }
  return async () => {
    if (clock.monoMs() >= nextCountMs) counting ??= count()
    await counting
    return latest
  }
}
