/**
 * Writing and reading the forum. Limits and texts are checked here; the archive checks that posts
 * exist.
 */
import { archive } from '../../core/command.ts'
import { type Failure, fail, invalidFields, ok } from '../../core/errors.ts'
import {
  FORUM_PAGE_MAX,
  FORUM_POST_CHARACTERS_MAX,
  FORUM_ROWS_DEFAULT,
  FORUM_ROWS_MAX,
  FORUM_SEARCH_CHARACTERS_MAX,
  FORUM_TITLE_CHARACTERS_MAX,
  TEXT_CHARACTERS_MAX,
} from '../../core/limits.ts'
import {
  bool,
  bools,
  choice,
  ints,
  list,
  mapOf,
  obj,
  opt,
  optional,
  page,
  pageSize,
  str,
  strings,
  Type,
  words,
} from '../../core/params.ts'
import { playerNumber } from '../../core/pending.ts'
import { say } from '../../core/say.ts'
import { cleanText, usernameKey } from '../../core/text-rules.ts'
import { DAY_MS } from '../../core/time.ts'
import type { World } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { authorOf, CATEGORIES, categoryOf, dayStart, postNumber, postRefusal } from './model.ts'
import { countPost, SORTS } from './rules.ts'

/* Parameters of archive calls that notices and answers need. */

type ThreadWrite = { readonly player: number; readonly title: string }
type PostWrite = { readonly player: number; readonly thread: number }
type VoteWrite = { readonly player: number; readonly thread: number; readonly reply: number }

const threadParam = () => str(say`Id of the thread, from {forum_list}.`, { min: 1, example: '12' })
const replyParam = () =>
  str(say`Id of the reply, from {forum_get_thread}.`, { min: 1, example: '340' })

const contentParam = () =>
  str(`The text, at most ${FORUM_POST_CHARACTERS_MAX} characters.`, {
    max: TEXT_CHARACTERS_MAX,
    example: 'Iron is expensive in the rim this week. Who else hauls it there?',
  })

const contentOf = (content: string) =>
  cleanText(content, { max: FORUM_POST_CHARACTERS_MAX, unit: 'codepoints', field: 'content' })

/** Counts a stored post, for the hourly limits and in the statistics of its author. */
function recordPost(world: World, player: number, kind: 'threads' | 'replies'): [] {
  countPost(world, player, kind)
  addStat(world, world.rowOf(Player, player), 'forum_posts_created', 1)
  return []
}

export const forumCreateThread = archive({
  name: 'forum_create_thread',
  v2: { tool: 'game_social', action: 'forum_create_thread' },
  summary: 'Opens a thread in the forum, which everybody can read.',
  category: 'social',
  as: 'mutation',
  method: 'createThread',
  changes: [],
  params: obj({
    title: str(`The title, at most ${FORUM_TITLE_CHARACTERS_MAX} characters.`, {
      max: TEXT_CHARACTERS_MAX,
      example: 'Iron for the rim',
    }),
    content: contentParam(),
    category: optional(
      str(`One of ${Object.keys(CATEGORIES).join(', ')}; anything else is general.`, {
        max: 64,
        example: 'trading',
      }),
    ),
  }),
  result: obj(strings('thread_id', 'title', 'message')),
  needs: [],
  errors: ['invalid_payload', 'too_long', 'rate_limited'],
  scope(view, player, params) {
    const title = cleanText(params.title, {
      max: FORUM_TITLE_CHARACTERS_MAX,
      unit: 'codepoints',
      field: 'title',
      oneLine: true,
    })
    if (!title.ok) return title
    const content = contentOf(params.content)
    if (!content.ok) return content
    const author = authorOf(view, player)
    const thread = {
      ...author,
      authorKey: usernameKey(author.author),
      category: categoryOf(params.category ?? ''),
      title: title.result,
      content: content.result,
    }
    return postRefusal(view, player, 'threads') ?? ok(thread)
  },
  notify: (world, { player }: ThreadWrite) => recordPost(world, player, 'threads'),
  answer: (_view, { title }: ThreadWrite, { thread_id }: { thread_id: string }) => ({
    thread_id,
    title,
    message: `Thread ${thread_id} is open.`,
  }),
})

export const forumReply = archive({
  name: 'forum_reply',
  v2: { tool: 'game_social', action: 'forum_reply', rename: { thread_id: 'target' } },
  summary: 'Replies to a thread of the forum.',
  category: 'social',
  as: 'mutation',
  method: 'createReply',
  changes: [],
  params: obj({ thread_id: threadParam(), content: contentParam() }),
  result: obj(strings('reply_id', 'thread_id', 'message')),
  needs: [],
  errors: ['thread_not_found', 'thread_locked', 'invalid_payload', 'too_long', 'rate_limited'],
  scope(view, player, { thread_id, content }) {
    const thread = postNumber(thread_id)
    if (thread === undefined) return fail('thread_not_found', { thread_id })
    const text = contentOf(content)
    if (!text.ok) return text
    const reply = { ...authorOf(view, player), thread, content: text.result }
    return postRefusal(view, player, 'replies') ?? ok(reply)
  },
  notify: (world, { player }: PostWrite) => recordPost(world, player, 'replies'),
  answer: (_view, { thread }: PostWrite, { reply_id }: { reply_id: string }) => ({
    reply_id,
    thread_id: String(thread),
    message: `Reply ${reply_id} is posted.`,
  }),
})

export const forumUpvote = archive({
  name: 'forum_upvote',
  v2: { tool: 'game_social', action: 'forum_upvote', rename: { thread_id: 'target' } },
  summary: 'Votes for a thread or one of its replies, once.',
  category: 'social',
  as: 'mutation',
  method: 'castVote',
  changes: [],
  params: obj({ thread_id: threadParam(), reply_id: optional(replyParam()) }),
  result: obj({ ...strings('message'), ...opt(strings('thread_id', 'reply_id')) }),
  needs: [],
  errors: words('thread_not_found reply_not_found already_upvoted invalid_target rate_limited'),
  scope(view, player, { thread_id, reply_id }) {
    const thread = postNumber(thread_id)
    if (thread === undefined) return fail('thread_not_found', { thread_id })
    const reply = reply_id === undefined ? 0 : postNumber(reply_id)
    if (reply === undefined) return fail('reply_not_found', { reply_id })
    const vote = { player: playerNumber(view, player), thread, reply }
    return postRefusal(view, player, 'votes') ?? ok(vote)
  },
  notify(world, { player }: VoteWrite) {
    countPost(world, player, 'votes')
    return []
  },
  answer: (_view, { thread, reply }: VoteWrite) => ({
    message: 'Your vote is counted.',
    thread_id: String(thread),
    ...(reply === 0 ? {} : { reply_id: String(reply) }),
  }),
})

export const forumDeleteThread = archive({
  name: 'forum_delete_thread',
  v2: { tool: 'game_social', action: 'forum_delete_thread', rename: { thread_id: 'target' } },
  summary: 'Deletes the text of your thread and closes it; replies stay.',
  category: 'social',
  as: 'mutation',
  method: 'deleteThread',
  changes: [],
  params: obj({ thread_id: threadParam() }),
  result: obj(strings('thread_id', 'message')),
  needs: [],
  errors: ['thread_not_found', 'not_author', 'rate_limited'],
  scope(view, player, { thread_id }) {
    const thread = postNumber(thread_id)
    if (thread === undefined) return fail('thread_not_found', { thread_id })
    return ok({ player: playerNumber(view, player), thread })
  },
  answer: (_view, { thread }: { thread: number }) => ({
    thread_id: String(thread),
    message: 'The text is deleted and the thread closed.',
  }),
})

export const forumDeleteReply = archive({
  name: 'forum_delete_reply',
  v2: { tool: 'game_social', action: 'forum_delete_reply', rename: { reply_id: 'target' } },
  summary: 'Deletes the text of your reply; its place stays.',
  category: 'social',
  as: 'mutation',
  method: 'deleteReply',
  changes: [],
  params: obj({ reply_id: replyParam() }),
  result: obj(strings('reply_id', 'message')),
  needs: [],
  errors: ['reply_not_found', 'not_author', 'rate_limited'],
  scope(view, player, { reply_id }) {
    const reply = postNumber(reply_id)
    if (reply === undefined) return fail('reply_not_found', { reply_id })
    return ok({ player: playerNumber(view, player), reply })
  },
  answer: (_view, { reply }: { reply: number }) => ({
    reply_id: String(reply),
    message: 'The text of the reply is deleted.',
  }),
})

/* Reading the forum, before login too: `forum_list`, `forum_get_thread`. */

const author = {
  ...strings('author', 'author_id'),
  ...opt(strings('author_empire', 'author_faction_tag')),
}

const replySchema = obj({
  ...strings('id', 'thread_id', 'content', 'created_at'),
  ...author,
  ...bools('is_dev_team'),
  ...ints('upvotes'),
})

const threadSchema = obj({
  ...strings('id', 'category', 'title', 'content', 'created_at', 'updated_at'),
  ...author,
  ...bools('is_dev_team', 'locked', 'pinned'),
  ...ints('reply_count', 'upvotes'),
  ...opt({ replies: list(replySchema) }),
})

const paging = (params: { page?: number; limit?: number }) => ({
  page: Math.min(params.page ?? 1, FORUM_PAGE_MAX),
  limit: Math.min(params.limit ?? FORUM_ROWS_DEFAULT, FORUM_ROWS_MAX),
})

const dayRefusal = (
  field: string,
  expected = 'a day, such as 2026-11-21',
): Failure<'invalid_payload'> => invalidFields({ field, expected })

const day = (description: string) => str(description, { max: 64, example: '2026-11-21' })

export const forumList = archive({
  name: 'forum_list',
  v2: { tool: 'game_social', action: 'forum_list' },
  summary: 'Lists threads of the forum, pinned ones first.',
  category: 'social',
  open: true,
  as: 'query',
  method: 'listThreads',
  params: obj({
    category: optional(
      str(`One of ${Object.keys(CATEGORIES).join(', ')}; anything else is general.`, {
        max: 64,
        example: 'trading',
      }),
    ),
    author: optional(str('Only threads of this player: user name or id.', { example: 'Ada' })),
    faction_tag: optional(
      str('Only threads of authors with this tag.', { max: 64, example: 'FREE' }),
    ),
    dev_only: optional(bool('Only threads of the team.')),
    date_from: optional(day('Only threads opened on this day or later, UTC.')),
    date_to: optional(day('Only threads opened on this day or earlier, UTC.')),
    search: optional(
      str('Only threads whose title and text have all these words.', {
        max: FORUM_SEARCH_CHARACTERS_MAX,
        example: 'iron rim',
      }),
    ),
    sort_by: optional(choice('Order; newest first by default.', SORTS)),
    limit: optional(pageSize(FORUM_ROWS_MAX)),
    page: optional(page()),
  }),
  result: obj({
    categories: list(Type.String()),
    category_descriptions: mapOf(Type.String()),
    threads: list(threadSchema),
    ...bools('has_more'),
    ...ints('page', 'per_page', 'total'),
  }),
  needs: [],
  errors: ['invalid_payload'],
  scope(view, _player, params) {
    const { category, author, faction_tag, dev_only, date_from, date_to, search } = params
    const from = date_from === undefined ? undefined : dayStart(date_from)
    const to = date_to === undefined ? undefined : dayStart(date_to)
    if (date_from !== undefined && from === undefined) return dayRefusal('date_from')
    if (date_to !== undefined && to === undefined) return dayRefusal('date_to')
    if (from !== undefined && to !== undefined && to < from) {
      return dayRefusal('date_to', 'a day not before date_from')
    }
    const words = search?.trim() ?? ''
    return ok({
      ...paging(params),
      sort: params.sort_by ?? 'newest',
      nowMs: view.wallMs,
      categories: CATEGORIES,
      ...(category === undefined ? {} : { category: categoryOf(category) }),
      ...(author === undefined ? {} : { author: author.trim(), authorKey: usernameKey(author) }),
      ...(faction_tag === undefined ? {} : { factionTag: faction_tag.trim().toUpperCase() }),
      ...(dev_only ? { devOnly: true } : {}),
      ...(from === undefined ? {} : { fromMs: from }),
      ...(to === undefined ? {} : { toMs: to + DAY_MS }),
      ...(words === '' ? {} : { search: words }),
    })
  },
})

export const forumGetThread = archive({
  name: 'forum_get_thread',
  v2: { tool: 'game_social', action: 'forum_get_thread', rename: { thread_id: 'target' } },
  summary: 'Reads a thread of the forum and a page of its replies, oldest first.',
  category: 'social',
  open: true,
  as: 'query',
  method: 'readThread',
  params: obj({
    thread_id: threadParam(),
    limit: optional(pageSize(FORUM_ROWS_MAX)),
    page: optional(page()),
  }),
  result: obj({
    thread: threadSchema,
    replies: list(replySchema),
    ...bools('has_more'),
    ...ints('page', 'per_page', 'total_replies'),
  }),
  needs: [],
  errors: ['thread_not_found'],
  scope(_view, _player, params) {
    const thread = postNumber(params.thread_id)
    if (thread === undefined) return fail('thread_not_found', { thread_id: params.thread_id })
    return ok({ ...paging(params), thread })
  },
})
