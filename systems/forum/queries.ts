/** Reading the forum, before login too: `forum_list`, `forum_get_thread`. */
import { archive } from '../../core/command.ts'
import { badFields, type Failure, fail, ok } from '../../core/errors.ts'
import {
  FORUM_PAGE_MAX,
  FORUM_ROWS_DEFAULT,
  FORUM_ROWS_MAX,
  FORUM_SEARCH_CHARACTERS_MAX,
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
} from '../../core/params.ts'
import { usernameKey } from '../../core/text-rules.ts'
import { DAY_MS } from '../../core/time.ts'
import { threadParam } from './commands.ts'
import { CATEGORIES, categoryOf, dayStart, postNumber } from './model.ts'
import { SORTS } from './rules.ts'

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

const badDay = (field: string, expected = 'a day, such as 2026-11-21'): Failure =>
  badFields({ field, expected })

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
      str('Only threads of authors who bore this tag.', { max: 64, example: 'FREE' }),
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
    sort_by: optional(choice('Order, newest when absent.', SORTS)),
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
    if (date_from !== undefined && from === undefined) return badDay('date_from')
    if (date_to !== undefined && to === undefined) return badDay('date_to')
    if (from !== undefined && to !== undefined && to < from) {
      return badDay('date_to', 'a day not before date_from')
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
