/**
 * Bodies of the forum and of the changelog. They do not depend on ticks. Pages of the forum count
 * from 0 here and from 1 in the archive. Source: WEB 1.3.
 */
import type { ArchiveReadArgs } from '../../core/archive-calls.ts'
import { RELEASES } from '../../core/catalog/changelog.ts'
import { fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { FORUM_PAGE_MAX, FORUM_SEARCH_CHARACTERS_MAX } from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import { pageOf } from '../../core/paging.ts'
import {
  type ChangelogBody,
  changelogBody,
  type ForumBody,
  forumBody,
  type ThreadBody,
  threadBody,
} from '../../core/public/past.ts'
import { usernameKey } from '../../core/text-rules.ts'
import { DAY_MS, readPast } from './past.ts'
import type { PublicContext, PublicRow } from './row.ts'

const SORTS = ['newest', 'hot', 'most_replies', 'most_upvotes'] as const
const THREADS_MAX = 50
/** Replies on one page of a thread. */
const REPLIES_MAX = 500
const RELEASES_A_PAGE = 20

type Post = Pick<ThreadBody['thread'], 'author' | 'author_empire' | 'author_faction_tag'> & {
  readonly content: string
  readonly created_at: string
  readonly is_dev_team: boolean
  readonly upvotes: number
}
type Head = Omit<ForumBody['threads'][number], 'is_dev_team'> & Post

const renderPost = ({ author, author_empire, author_faction_tag, created_at, ...post }: Post) => ({
  author,
  ...(author_empire === undefined ? {} : { author_empire }),
  ...(author_faction_tag === undefined ? {} : { author_faction_tag }),
  created_at,
  is_dev_team: post.is_dev_team,
  upvotes: post.upvotes,
})

const renderHead = (thread: Head): ForumBody['threads'][number] => ({
  id: thread.id,
  title: thread.title,
  category: thread.category,
  ...renderPost(thread),
  reply_count: thread.reply_count,
  pinned: thread.pinned,
})

/** Years 1 to 9999: PostgreSQL and JavaScript write them in the same way. */
const TIME_MIN_MS = Date.parse('0001-01-01')
const TIME_MAX_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Parses a time; returns undefined for an empty text. */
function timeOf(field: string, value: string | number): Outcome<number | undefined> {
  if (value === '') return ok(undefined)
  const ms = Date.parse(String(value))
  const isTime = ms >= TIME_MIN_MS && ms <= TIME_MAX_MS
  return isTime ? ok(ms) : invalidFields({ field, expected: 'a day, such as 2026-11-21' })
}

const ONLY_DAY = /^\d{4}-\d\d-\d\d$/

function threadArgs({ query, about }: PublicContext): Outcome<ArchiveReadArgs['listThreads']> {
  const from = timeOf('date_from', query.date_from)
  const to = timeOf('date_to', query.date_to)
  if (!from.ok) return from
  if (!to.ok) return to
  // A date includes its whole day.
  const spanMs = ONLY_DAY.test(String(query.date_to)) ? DAY_MS : 1
  const [category, tag] = [String(query.category), String(query.faction_tag).trim().toUpperCase()]
  const [author, search] = [String(query.author).trim(), String(query.search).trim()]
  return ok({
    page: Number(query.page) + 1,
    limit: Number(query.page_size),
    sort: query.sort_by as (typeof SORTS)[number],
    nowMs: about.wallMs(),
    categories: {},
    ...(category === '' || category === 'all' ? {} : { category }),
    ...(author === '' ? {} : { author, authorKey: usernameKey(author) }),
    ...(tag === '' ? {} : { factionTag: tag }),
    ...(query.dev_only === 'true' || query.dev_only === '1' ? { devOnly: true } : {}),
    ...(from.result === undefined ? {} : { fromMs: from.result }),
    ...(to.result === undefined ? {} : { toMs: Math.min(to.result + spanMs, TIME_MAX_MS) }),
    ...(search === '' ? {} : { search }),
  })
}

async function listThreads(context: PublicContext): Promise<Outcome<unknown>> {
  const parsed = threadArgs(context)
  if (!parsed.ok) return parsed
  const args = parsed.result
  return readPast<{ threads: Head[]; total: number }>(
    context,
    { method: 'listThreads', args },
    ({ threads, total }): ForumBody => ({
      threads: threads.map(renderHead),
      total_pages: Math.min(FORUM_PAGE_MAX, divCeil(total, args.limit)),
      total,
    }),
  )
}

async function readThread(context: PublicContext): Promise<Outcome<unknown>> {
  const id = context.params.thread_id
  const thread = /^\d{1,15}$/.test(id) ? Number(id) : 0
  if (thread === 0) return fail('thread_not_found', { thread_id: id })
  const args = { thread, page: Number(context.query.page) + 1, limit: REPLIES_MAX }
  return readPast<{ thread: Head; replies: Post[] }>(
    context,
    { method: 'readThread', args },
    (found): ThreadBody => ({
      thread: {
        ...renderHead(found.thread),
        content: found.thread.content,
        replies: found.replies.map((reply) => ({ ...renderPost(reply), content: reply.content })),
      },
    }),
  )
}

function readChanges({ query }: PublicContext): Outcome<ChangelogBody> {
  const bounds = { default: RELEASES_A_PAGE, max: RELEASES_A_PAGE }
  const { items, page, total, total_pages } = pageOf(RELEASES, { page: Number(query.page) }, bounds)
  return ok({
    current_version: RELEASES[0].release,
    page,
    per_page: RELEASES_A_PAGE,
    total,
    total_pages,
    releases: items.map(({ release: version, release_date, notes }) => ({
      version,
      release_date,
      notes: [...notes],
    })),
  })
}

export const FORUM_ROWS: readonly PublicRow[] = [
  {
    path: '/api/forum',
    operationId: 'getForum',
    about: 'threads of the forum, pinned ones first',
    query: [
      {
        name: 'page',
        about: 'Page, from 0.',
        kind: 'int',
        min: 0,
        max: FORUM_PAGE_MAX - 1,
        fallback: 0,
      },
      {
        name: 'page_size',
        about: 'Threads per page.',
        kind: 'int',
        min: 1,
        max: THREADS_MAX,
        fallback: 20,
      },
      { name: 'category', about: 'Only threads of this category.', kind: 'text', max: 64 },
      {
        name: 'search',
        about: 'Only threads that have all these words.',
        kind: 'text',
        max: FORUM_SEARCH_CHARACTERS_MAX,
      },
      { name: 'sort_by', about: 'Order.', kind: 'choice', values: SORTS, fallback: 'newest' },
      { name: 'date_from', about: 'Only threads opened then or later.', kind: 'text', max: 64 },
      { name: 'date_to', about: 'Only threads opened then or earlier.', kind: 'text', max: 64 },
      { name: 'author', about: 'Only threads of this player.', kind: 'text', max: 64 },
      { name: 'faction_tag', about: 'Only threads of this faction.', kind: 'text', max: 64 },
      { name: 'dev_only', about: 'true: only threads of the team.', kind: 'text', max: 5 },
    ],
    cache: 'M',
    bucket: 'public',
    schema: forumBody,
    source: 'timeless',
    body: listThreads,
  },
  {
    path: '/api/forum/thread/:thread_id',
    operationId: 'getForumThread',
    about: 'a thread of the forum with its replies, oldest first',
    param: { name: 'thread_id', about: 'Id of a thread.', example: '1' },
    query: [
      {
        name: 'page',
        about: `Page of ${REPLIES_MAX} replies, from 0.`,
        kind: 'int',
        min: 0,
        max: FORUM_PAGE_MAX - 1,
        fallback: 0,
      },
    ],
    cache: 'M',
    bucket: 'public',
    schema: threadBody,
    errors: ['thread_not_found'],
    source: 'timeless',
    body: readThread,
  },
  {
    path: '/api/changelog',
    operationId: 'getChangelog',
    about: 'what each release changed, newest first',
    query: [{ name: 'page', about: 'Page, from 1.', kind: 'int', min: 1, max: 1_000, fallback: 1 }],
    cache: 'H',
    bucket: 'page',
    schema: changelogBody,
    source: 'timeless',
    body: readChanges,
  },
]
