/** Reads of the forum: threads by filters, in four orders, and one thread with its replies. */
import type { ArchiveReadArgs } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { Sql } from '../db.ts'
import { optionalText } from './fields.ts'

interface Post {
  readonly id: number
  readonly content: string
  readonly author_id: string
  readonly author_name: string
  readonly author_empire: string
  readonly author_faction_tag: string | null
  readonly is_dev_team: boolean
  readonly upvotes: number
  readonly at: Date
}

interface Thread extends Post {
  readonly category: string
  readonly title: string
  readonly pinned: boolean
  readonly locked: boolean
  readonly reply_count: number
  readonly updated_at: Date
}

interface Reply extends Post {
  readonly thread: number
}

const showPost = (post: Post): Record<string, unknown> => ({
  id: String(post.id),
  content: post.content,
  author: post.author_name,
  author_id: post.author_id,
  author_empire: post.author_empire,
  ...(post.author_faction_tag === null ? {} : { author_faction_tag: post.author_faction_tag }),
  is_dev_team: post.is_dev_team,
  upvotes: post.upvotes,
  created_at: post.at.toISOString(),
})

const showThread = (thread: Thread): Record<string, unknown> => ({
  ...showPost(thread),
  category: thread.category,
  title: thread.title,
  pinned: thread.pinned,
  locked: thread.locked,
  reply_count: thread.reply_count,
  updated_at: thread.updated_at.toISOString(),
})

const showReply = (reply: Reply): Record<string, unknown> => ({
  ...showPost(reply),
  thread_id: String(reply.thread),
})

const threadColumns = (sql: Sql) => sql`id, category, title, content, author_id, author_name,
  author_empire, author_faction_tag, is_dev_team, pinned, locked, reply_count, upvotes, at,
  updated_at`

/** Returns the condition of listed threads: a deleted one stays listed while it has replies. */
const isListed = (sql: Sql) => sql`not (deleted and reply_count = 0)`

type ThreadsArgs = ArchiveReadArgs['listThreads']
/** `searchedFrom`: the id after which threads are searched for words. */
type ThreadQuery = ThreadsArgs & { readonly searchedFrom?: number }

const FILTERS = ['category', 'author', 'factionTag', 'devOnly', 'fromMs', 'toMs', 'search'] as const

const isFiltered = (args: ThreadQuery): boolean =>
  FILTERS.some((name) => args[name] !== undefined && args[name] !== false)

/** Number of the newest threads that are searched for words. */
const SEARCHED_MAX = 10_000

/** Adds the start of the search range to the arguments. */
async function withSearchRange(sql: Sql, args: ThreadsArgs): Promise<ThreadQuery> {
  if (args.search === undefined) return args
  const rows = await sql<{ newest: number }[]>`
    select coalesce(max(id), 0) as newest from forum_thread`
  return { ...args, searchedFrom: Math.max(0, rows[0].newest - SEARCHED_MAX) }
}

/** Returns the condition of the filters. Ids grow with time: a period is a range of them. */
function whereOf(sql: Sql, args: ThreadQuery) {
  const category = optionalText(args.category)
  const author = optionalText(args.author)
  const tag = optionalText(args.factionTag)
  const from = args.fromMs
  const to = args.toMs
  const search = optionalText(args.search)
  const firstAt = (ms: number) => sql`coalesce((select id from forum_thread
    where at >= ${new Date(ms)} order by at, id limit 1), ${Number.MAX_SAFE_INTEGER}::bigint)`
  return sql`${isListed(sql)}
    ${category === null ? sql`` : sql`and category = ${category}`}
    ${
      author === null
        ? sql``
        : sql`and (author_key = ${optionalText(args.authorKey)} or author_id = ${author})`
    }
    ${tag === null ? sql`` : sql`and upper(author_faction_tag) = ${tag}`}
    ${args.devOnly === true ? sql`and is_dev_team` : sql``}
    ${from === undefined ? sql`` : sql`and id >= ${firstAt(from)}`}
    ${to === undefined ? sql`` : sql`and id < ${firstAt(to)}`}
    ${
      search === null
        ? sql``
        : sql`and words @@ plainto_tsquery('simple', ${search})
            and id > ${args.searchedFrom ?? 0}`
    }`
}

interface Found {
  readonly threads: readonly Thread[]
  readonly total: number
}

/** Reads threads by id, in the order of the ids. */
async function threadsOf(sql: Sql, ids: readonly number[]): Promise<Thread[]> {
  if (ids.length === 0) return []
  const rows = await sql<Thread[]>`
    select ${threadColumns(sql)} from forum_thread where id in ${sql(ids as number[])}`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const ORDERS: Readonly<Record<string, string>> = {
  newest: 'id',
  most_replies: 'reply_count',
  most_upvotes: 'upvotes',
}

/** An unfiltered list counts at most this many threads. */
const LISTED_MAX = 10_000
/** Limits of the threads that match filters: the newest, and in addition pinned ones. */
const MATCHED_MAX = 1_000
const PINNED_MAX = 100

/** Finds threads without filters, in the order of an index. */
async function findSorted(sql: Sql, args: ThreadQuery, order: string): Promise<Found> {
  const limit = args.limit
  const offset = (args.page - 1) * limit
  const [ids, counts] = await Promise.all([
    sql<{ id: number }[]>`select id from forum_thread where ${isListed(sql)}
      order by pinned desc, ${sql(order)} desc, id desc offset ${offset} limit ${limit}`,
    sql<{ count: number }[]>`select count(*)::int as count from (
      select 1 from forum_thread where ${isListed(sql)}
      order by pinned desc, id desc limit ${LISTED_MAX}) as listed`,
  ])
  const threads = await threadsOf(
    sql,
    ids.map(({ id }) => id),
  )
  return { threads, total: counts[0].count }
}

/** Selects the newest threads that match the filters, and pinned ones, unsorted. */
const matching = (sql: Sql, args: ThreadQuery, limit: number) => sql`(
    select id, pinned, upvotes, reply_count, updated_at from forum_thread
    where ${whereOf(sql, args)} and not pinned order by id desc limit ${limit})
  union all (
    select id, pinned, upvotes, reply_count, updated_at from forum_thread
    where ${whereOf(sql, args)} and pinned order by id desc limit ${PINNED_MAX})`

async function findFiltered(sql: Sql, args: ThreadQuery, order: string): Promise<Found> {
  const limit = args.limit
  const rows = await sql<{ id: number }[]>`
    select id from (${matching(sql, args, MATCHED_MAX)}) as matched
    order by pinned desc, ${sql(order)} desc, id desc`
  const start = (args.page - 1) * limit
  const ids = rows.slice(start, start + limit).map(({ id }) => id)
  return { threads: await threadsOf(sql, ids), total: rows.length }
}

/** Threads ranked by the order `hot`, how long a ranking is cached, and rankings cached. */
const HOT_THREADS_MAX = 500
const HOT_MS = 10_000
const HOT_CACHED_MAX = 64

interface Hot {
  readonly atMs: number
  readonly ids: readonly number[]
}

/** Cached rankings by filters, for each pool of connections. */
const HOT = new WeakMap<Sql, Map<string, Hot>>()

/**
 * Returns ids of the newest threads that match the filters, the hottest first; cached for HOT_MS.
 */
async function hotIds(sql: Sql, args: ThreadQuery): Promise<readonly number[]> {
  const { limit, page, nowMs, categories, searchedFrom, ...filters } = args
  const key = JSON.stringify(filters)
  const kept = HOT.get(sql) ?? new Map<string, Hot>()
  HOT.set(sql, kept)
  const cached = kept.get(key)
  if (cached && nowMs >= cached.atMs && nowMs < cached.atMs + HOT_MS) return cached.ids
  const rows = await sql<{ id: number }[]>`
    select id from (${matching(sql, args, HOT_THREADS_MAX)}) as newest
    order by pinned desc,
      (upvotes + 2 * reply_count + 1) / power(
        greatest(0, extract(epoch from ${new Date(nowMs)}::timestamptz - updated_at)) / 3600 + 2,
        1.5) desc,
      id desc`
  const ids = rows.map(({ id }) => id)
  kept.delete(key)
  kept.set(key, { atMs: nowMs, ids })
  for (const oldest of kept.keys()) {
    if (kept.size <= HOT_CACHED_MAX) break
    kept.delete(oldest)
  }
  return ids
}

async function findHot(sql: Sql, args: ThreadQuery): Promise<Found> {
  const ids = await hotIds(sql, args)
  const limit = args.limit
  const start = (args.page - 1) * limit
  return { threads: await threadsOf(sql, ids.slice(start, start + limit)), total: ids.length }
}

/**
 * `listThreads` { sort, page, limit, nowMs, categories, category?, author? with authorKey,
 * factionTag?, devOnly?, fromMs?, toMs? (exclusive), search? }: lists pinned ones first. Words are
 * searched for in the newest SEARCHED_MAX threads; of those that match filters the newest
 * MATCHED_MAX are listed, and without filters LISTED_MAX are counted.
 */
export async function listThreads(
  sql: Sql,
  args: ArchiveReadArgs['listThreads'],
): Promise<Outcome<unknown>> {
  const [page, limit] = [args.page, args.limit]
  const order = ORDERS[args.sort]
  const find = isFiltered(args) ? findFiltered : findSorted
  const query = await withSearchRange(sql, args)
  const { threads, total } =
    order === undefined ? await findHot(sql, query) : await find(sql, query, order)
  const { categories } = args
  return ok({
    categories: Object.keys(categories),
    category_descriptions: categories,
    threads: threads.map(showThread),
    has_more: page * limit < total,
    page,
    per_page: limit,
    total,
  })
}

/** `readThread` { thread, page, limit }: replies oldest first. Refuses: thread_not_found. */
export async function readThread(
  sql: Sql,
  args: ArchiveReadArgs['readThread'],
): Promise<Outcome<unknown>> {
  const [id, page, limit] = [args.thread, args.page, args.limit]
  const found = await sql<Thread[]>`
    select ${threadColumns(sql)} from forum_thread where id = ${id}`
  if (found.length === 0) return fail('thread_not_found', { thread_id: String(id) })
  const replies = await sql<Reply[]>`
    select id, thread, content, author_id, author_name, author_empire, author_faction_tag,
      is_dev_team, upvotes, at
    from forum_reply where thread = ${id} order by id offset ${(page - 1) * limit} limit ${limit}`
  const total = found[0].reply_count
  return ok({
    thread: showThread(found[0]),
    replies: replies.map(showReply),
    has_more: page * limit < total,
    page,
    per_page: limit,
    total_replies: total,
  })
}

/** `countForum` {}: adds the numbers of threads and replies to its arguments. */
export async function countForum(
  sql: Sql,
  args: ArchiveReadArgs['countForum'],
): Promise<Outcome<unknown>> {
  const [counted] = await sql<{ threads: number; replies: number }[]>`
    select count(*)::int as threads, coalesce(sum(reply_count), 0)::int as replies
    from forum_thread where not deleted`
  return ok({ ...args, forum_threads: counted.threads, forum_replies: counted.replies })
}
