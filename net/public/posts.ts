/**
 * Publishes forum posts to the feed. Like the forum itself they are not delayed until the public
 * tick; each is published once the archive has the post. Source: WEB 2.
 */
import type { Answer, PublishedBatch } from '../../core/ports.ts'
import type { FeedMessage } from '../../core/public/events.ts'
import { unpack } from '../../core/wire/packed.ts'
import type { Net } from '../session/types.ts'
import type { Feed } from './feed.ts'

interface Post {
  readonly id?: string
  readonly author: string
  readonly author_empire?: string
  readonly author_faction_tag?: string | null
  readonly is_dev_team: boolean
}

interface Thread {
  readonly thread: Post & { readonly title: string }
  readonly replies: readonly Post[]
  readonly total_replies: number
}

/** Commands that write a post. */
const POSTS: ReadonlySet<string> = new Set(['forum_create_thread', 'forum_reply'])

const hasWrittenPost = ({ command, stage, outcome }: Answer): boolean =>
  POSTS.has(command) && stage === 'final' && outcome.ok

function namesOf({ author, author_empire, author_faction_tag }: Post): FeedMessage['player_info'] {
  const tag = author_faction_tag ? { faction_tag: author_faction_tag } : {}
  return author_empire ? { [author]: { empire: author_empire, ...tag } } : {}
}

/**
 * Reads a thread with the reply on a page of one; undefined if it was removed or the archive is
 * away.
 */
async function readAt(net: Net, thread: number, page: number): Promise<Thread | undefined> {
  const args = { thread, page, limit: 1 }
  const found = await net.archive.read({ method: 'readThread', args })
  return found.ok ? (found.result as Thread) : undefined
}

async function publishPost(net: Net, feed: Feed, answer: Answer): Promise<void> {
  const { outcome } = unpack(answer)
  if (!outcome.ok) return
  const { thread_id, reply_id } = outcome.result as { thread_id: string; reply_id?: string }
  const thread = Number(thread_id)
  const head = await readAt(net, thread, 1)
  if (!head) return
  const { title, author, is_dev_team } = head.thread
  if (reply_id === undefined) {
    feed.publishEvent('forum_post', { author, title, is_dev_team }, namesOf(head.thread))
    return
  }
  const last = await readAt(net, thread, Math.max(1, head.total_replies))
  const reply = last?.replies.find(({ id }) => id === reply_id)
  if (!reply) return
  const data = { author: reply.author, thread_title: title, is_dev_team: reply.is_dev_team }
  feed.publishEvent('forum_reply', data, namesOf(reply))
}

/** Publishes the posts of a batch to the feed. */
export function publishPosts(net: Net, feed: Feed, { answers }: PublishedBatch): void {
  for (const answer of answers) {
    if (!hasWrittenPost(answer)) continue
    publishPost(net, feed, answer).catch((error: unknown) => {
      net.log.warn({ err: error }, 'a forum post could not be published to the feed')
    })
  }
}
