/**
 * Writes of the forum: threads, replies, votes. A deleted post keeps its row. The tick limits the
 * calls (FORUM_WRITES_PER_TICK_MAX), so each may run its own statements. Source: social.md 2.
 */
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { FORUM_REPLIES_PER_THREAD_MAX } from '../../core/limits.ts'
import type { Sql, Tx } from '../db.ts'
import { oneByOne } from './call.ts'
import { optionalText, storableText } from './fields.ts'

/** Replaces the text of a deleted post. */
const DELETED_TEXT = '[deleted]'
/** Threads beyond this number are deleted after QUIET_THREAD_DAYS without a post. */
const THREADS_MAX = 100_000
export const QUIET_THREAD_DAYS = 90
const SLICE_ROWS = 1_000

/**
 * `createThread` { player, authorId, author, authorKey, empire, factionTag?, category, title,
 * content }: returns { thread_id }.
 */
export const createThreads = oneByOne<'createThread'>(async ({ tx, batch, at }, { args }) => {
  const rows = await tx<{ id: number }[]>`
    insert into forum_thread (category, title, content, author, author_id, author_name, author_key,
      author_empire, author_faction_tag, batch, at, updated_at)
    values (${storableText(args.category)}, ${storableText(args.title)},
      ${storableText(args.content)},
      ${args.player}, ${storableText(args.authorId)}, ${storableText(args.author)},
      ${storableText(args.authorKey)}, ${storableText(args.empire)},
      ${optionalText(args.factionTag)}, ${batch}, ${at}, ${at})
    returning id`
  return ok({ thread_id: String(rows[0].id) })
})

interface ThreadState {
  readonly author: number
  readonly locked: boolean
  readonly deleted: boolean
  readonly reply_count: number
}

async function threadState(tx: Tx, thread: number): Promise<ThreadState | undefined> {
  const rows = await tx<ThreadState[]>`
    select author, locked, deleted, reply_count from forum_thread where id = ${thread}`
  return rows[0]
}

const noThread = (thread: number): Outcome<never> =>
  fail('thread_not_found', { thread_id: String(thread) })
const noReply = (reply: number): Outcome<never> =>
  fail('reply_not_found', { reply_id: String(reply) })

/**
 * `createReply` { player, authorId, author, empire, factionTag?, thread, content } gives
 * { reply_id }. Refuses: thread_not_found, thread_locked.
 */
export const createReplies = oneByOne<'createReply'>(async ({ tx, batch, at }, { args }) => {
  const { thread } = args
  const state = await threadState(tx, thread)
  if (!state) return noThread(thread)
  if (state.locked || state.reply_count >= FORUM_REPLIES_PER_THREAD_MAX) {
    return fail('thread_locked', { thread_id: String(thread) })
  }
  const rows = await tx<{ id: number }[]>`
    insert into forum_reply (thread, content, author, author_id, author_name, author_empire,
      author_faction_tag, batch, at)
    values (${thread}, ${storableText(args.content)}, ${args.player},
      ${storableText(args.authorId)}, ${storableText(args.author)}, ${storableText(args.empire)},
      ${optionalText(args.factionTag)}, ${batch}, ${at})
    returning id`
  await tx`
    update forum_thread set reply_count = reply_count + 1, updated_at = greatest(updated_at, ${at}),
      locked = reply_count + 1 >= ${FORUM_REPLIES_PER_THREAD_MAX}
    where id = ${thread}`
  return ok({ reply_id: String(rows[0].id) })
})

interface ReplyState {
  readonly author: number
  readonly deleted: boolean
}

async function replyState(tx: Tx, reply: number, thread?: number): Promise<ReplyState | undefined> {
  const rows = await tx<ReplyState[]>`
    select author, deleted from forum_reply
    where id = ${reply} ${thread === undefined ? tx`` : tx`and thread = ${thread}`}`
  return rows[0]
}

/**
 * `castVote` { player, thread, reply }: upvotes a post, with reply 0 the thread itself. Refuses:
 * thread_not_found, reply_not_found, invalid_target (own post), already_upvoted.
 */
export const castVotes = oneByOne<'castVote'>(async ({ tx, batch }, { args }) => {
  const { player, thread, reply } = args
  const opening = await threadState(tx, thread)
  if (!opening) return noThread(thread)
  const post = reply === 0 ? opening : await replyState(tx, reply, thread)
  if (!post || post.deleted) return reply === 0 ? noThread(thread) : noReply(reply)
  if (post.author === player) return fail('invalid_target', undefined, 'That post is your own.')
  const cast = await tx`
    insert into forum_vote (thread, reply, player, batch)
    values (${thread}, ${reply}, ${player}, ${batch}) on conflict do nothing`
  if (cast.count === 0) return fail('already_upvoted')
  if (reply === 0) await tx`update forum_thread set upvotes = upvotes + 1 where id = ${thread}`
  else await tx`update forum_reply set upvotes = upvotes + 1 where id = ${reply}`
  return ok({})
})

/**
 * `deleteThread` { player, thread }: blanks and locks a thread. Refuses: thread_not_found,
 * not_author.
 */
export const deleteThreads = oneByOne<'deleteThread'>(async ({ tx }, { args }) => {
  const { thread } = args
  const state = await threadState(tx, thread)
  if (!state || state.deleted) return noThread(thread)
  if (state.author !== args.player) return fail('not_author')
  await tx`
    update forum_thread set deleted = true, locked = true, title = ${DELETED_TEXT},
      content = ${DELETED_TEXT}
    where id = ${thread}`
  return ok({})
})

/** `deleteReply` { player, reply }: blanks a reply. Refuses: reply_not_found, not_author. */
export const deleteReplies = oneByOne<'deleteReply'>(async ({ tx }, { args }) => {
  const { reply } = args
  const state = await replyState(tx, reply)
  if (!state || state.deleted) return noReply(reply)
  if (state.author !== args.player) return fail('not_author')
  await tx`update forum_reply set deleted = true, content = ${DELETED_TEXT} where id = ${reply}`
  return ok({})
})

/** Deletes threads beyond the newest THREADS_MAX by last post, if that is older than `before`. */
export async function pruneThreads(sql: Sql, before: Date): Promise<number> {
  const done = await sql`
    delete from forum_thread where id in (
      select id from (
        select id, updated_at from forum_thread where not pinned
        order by updated_at desc, id desc offset ${THREADS_MAX}) as beyond
      where updated_at < ${before} order by updated_at limit ${SLICE_ROWS})`
  return done.count
}
