/** The forum in SQL: posts, votes, deletions, lists in every order, and pruning. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import { type Archive, createArchive } from '../../../storage/archive/index.ts'
import { createPruneState, pruneArchive } from '../../../storage/archive/prune.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { cutSums } from '../../../storage/restore.ts'
import { archiveWrites, type WrittenDown } from '../../archive-writes.ts'
import { journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase
let store: PostgresStore
let archive: Archive

beforeAll(async () => {
  database = await testDatabase()
  archive = createArchive(database.sql)
  store = await openStore(database.connection)
})
beforeEach(async () => {
  await database.sql`delete from forum_thread`
})
afterAll(async () => {
  await store.close()
  await database.close()
})

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 1_900_000_000_000

async function write(calls: Omit<WrittenDown, 'ref'>[], wallMs = NOW) {
  const row = journalRow(store.headBatch + 1, { wallMs })
  const writes = calls.map((call, index) => ({ ...call, ref: index + 1 }))
  const committed = await store.commit(row, archiveWrites(writes))
  return writes.map(({ ref }) => committed.archived[ref])
}

const resultOf = (outcome: Outcome<unknown>): Record<string, unknown> => {
  expect(outcome.ok).toBe(true)
  return (outcome as { result: Record<string, unknown> }).result
}
const codesOf = (outcomes: Outcome<unknown>[]) =>
  outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))

const author = (player: number) => ({
  player,
  authorId: `p${player}`,
  author: `User ${player}`,
  empire: 'nebula',
})
const thread = (player: number, title: string, overrides: object = {}) => ({
  method: 'createThread',
  args: {
    ...author(player),
    authorKey: `user ${player}`,
    category: 'general',
    title,
    content: `About ${title}.`,
    ...overrides,
  },
})
const reply = (player: number, to: number, content = 'Yes.') => ({
  method: 'createReply',
  args: { ...author(player), thread: to, content },
})
const vote = (player: number, to: number, on = 0) => ({
  method: 'castVote',
  args: { player, thread: to, reply: on },
})
const idsOf = (outcomes: Outcome<unknown>[], name: string): number[] =>
  outcomes.map((outcome) => Number(resultOf(outcome)[name]))

const list = async (overrides: Record<string, unknown> = {}) =>
  resultOf(
    await archive.read({
      method: 'listThreads',
      args: {
        sort: 'newest',
        page: 1,
        limit: 20,
        nowMs: NOW,
        categories: { general: 'All.' },
        ...overrides,
      },
    }),
  ) as { threads: Record<string, unknown>[]; total: number; has_more: boolean }
const titles = async (overrides: Record<string, unknown> = {}) =>
  (await list(overrides)).threads.map(({ title }) => title)
const readThread = (id: number, overrides: object = {}) =>
  archive.read({ method: 'readThread', args: { thread: id, page: 1, limit: 20, ...overrides } })

test('a thread is read with its replies, oldest first, page by page', async () => {
  const [id] = idsOf(await write([thread(1, 'Iron', { factionTag: 'FREE' })]), 'thread_id')
  await write(
    Array.from({ length: 25 }, (_, i) => reply(2, id, `r${i}`)),
    NOW + HOUR,
  )
  const first = resultOf(await readThread(id))
  expect(first).toMatchObject({ page: 1, per_page: 20, total_replies: 25, has_more: true })
  expect(first.thread).toEqual({
    id: String(id),
    title: 'Iron',
    content: 'About Iron.',
    category: 'general',
    author: 'User 1',
    author_id: 'p1',
    author_empire: 'nebula',
    author_faction_tag: 'FREE',
    is_dev_team: false,
    locked: false,
    pinned: false,
    reply_count: 25,
    upvotes: 0,
    created_at: new Date(NOW).toISOString(),
    updated_at: new Date(NOW + HOUR).toISOString(),
  })
  const last = resultOf(await readThread(id, { page: 2 }))
  expect(last.has_more).toBe(false)
  const contents = [first, last].flatMap(({ replies }) =>
    (replies as { content: string; thread_id: string }[]).map(({ content }) => content),
  )
  expect(contents).toEqual(Array.from({ length: 25 }, (_, i) => `r${i}`))
  expect(codesOf([await readThread(id + 1_000)])).toEqual(['thread_not_found'])
})

test('a thread is locked after 1,000 replies', async () => {
  const [id] = idsOf(await write([thread(1, 'Long')]), 'thread_id')
  expect(new Set(codesOf(await write(Array.from({ length: 1_000 }, () => reply(2, id)))))).toEqual(
    new Set(['ok']),
  )
  expect(codesOf(await write([reply(2, id), reply(2, id + 1_000)]))).toEqual([
    'thread_locked',
    'thread_not_found',
  ])
  expect(resultOf(await readThread(id)).thread).toMatchObject({ locked: true, reply_count: 1_000 })
})

test('a restore to a moment at which a thread still had room unlocks it, unless it was closed', async () => {
  const [id, closed] = idsOf(await write([thread(1, 'Long'), thread(1, 'Closed')]), 'thread_id')
  await write(Array.from({ length: 1_000 }, () => reply(2, id)))
  const { sql } = database
  await sql`update forum_thread set locked = true where id = ${closed}`
  await sql`delete from forum_reply where id = (select max(id) from forum_reply)`
  const { headBatch: batch } = store
  await sql.begin((tx) => cutSums(tx, { batch, tick: Number.MAX_SAFE_INTEGER, wallMs: NOW }))
  const found = { locked: false, reply_count: 999 }
  expect(resultOf(await readThread(id)).thread).toMatchObject(found)
  expect(resultOf(await readThread(closed)).thread).toMatchObject({ locked: true })
})

test('a player has one vote for each post of others', async () => {
  const [id, other] = idsOf(await write([thread(1, 'Iron'), thread(1, 'Steel')]), 'thread_id')
  const [answer] = idsOf(await write([reply(2, id)]), 'reply_id')
  expect(
    codesOf(
      await write([
        vote(2, id),
        vote(2, id),
        vote(1, id),
        vote(1, id, answer),
        vote(1, id, answer),
        vote(2, id, answer),
        vote(3, other, answer),
        vote(3, id + 1_000),
        vote(3, id),
      ]),
    ),
  ).toEqual([
    'ok',
    'already_upvoted',
    'invalid_target',
    'ok',
    'already_upvoted',
    'invalid_target',
    'reply_not_found',
    'thread_not_found',
    'ok',
  ])
  const read = resultOf(await readThread(id))
  expect(read).toMatchObject({ thread: { upvotes: 2 }, replies: [{ upvotes: 1 }] })
})

test('a deleted post keeps its place as a placeholder with the replies of others', async () => {
  const [id] = idsOf(await write([thread(1, 'Secret')]), 'thread_id')
  const [first] = idsOf(await write([reply(2, id, 'hidden'), reply(3, id, 'seen')]), 'reply_id')
  const remove = (method: string, args: object) => ({ method, args })
  expect(
    codesOf(
      await write([
        remove('deleteReply', { player: 1, reply: first }),
        remove('deleteReply', { player: 2, reply: first }),
        remove('deleteReply', { player: 2, reply: first }),
        remove('deleteThread', { player: 2, thread: id }),
        remove('deleteThread', { player: 1, thread: id }),
        remove('deleteThread', { player: 1, thread: id }),
        vote(4, id),
        vote(4, id, first),
        reply(4, id),
      ]),
    ),
  ).toEqual([
    'not_author',
    'ok',
    'reply_not_found',
    'not_author',
    'ok',
    'thread_not_found',
    'thread_not_found',
    'reply_not_found',
    'thread_locked',
  ])
  const read = resultOf(await readThread(id))
  expect(read.thread).toMatchObject({ title: '[deleted]', content: '[deleted]', locked: true })
  expect(read.replies).toMatchObject([{ content: '[deleted]' }, { content: 'seen' }])
  expect(await titles()).toEqual(['[deleted]'])
  const [lonely] = idsOf(await write([thread(1, 'Lonely')]), 'thread_id')
  await write([remove('deleteThread', { player: 1, thread: lonely })])
  expect(await titles()).toEqual(['[deleted]'])
})

test('a list filters by author, category, tag, team, day and words', async () => {
  await write([thread(1, 'Iron ore', { category: 'trading', factionTag: 'FREE' })], NOW - 2 * DAY)
  await write([thread(2, 'Steel'), thread(1, 'Songs of iron', { category: 'lore' })], NOW)
  await database.sql`update forum_thread set is_dev_team = true where title = 'Steel'`
  expect(await titles()).toEqual(['Songs of iron', 'Steel', 'Iron ore'])
  expect(await titles({ author: 'User 2', authorKey: 'user 2' })).toEqual(['Steel'])
  expect(await titles({ author: 'p2', authorKey: 'p2' })).toEqual(['Steel'])
  expect(await titles({ category: 'lore' })).toEqual(['Songs of iron'])
  expect(await titles({ factionTag: 'FREE' })).toEqual(['Iron ore'])
  expect(await titles({ devOnly: true })).toEqual(['Steel'])
  expect(await titles({ fromMs: NOW - DAY })).toEqual(['Songs of iron', 'Steel'])
  expect(await titles({ toMs: NOW - DAY })).toEqual(['Iron ore'])
  expect(await titles({ search: 'IRON' })).toEqual(['Songs of iron', 'Iron ore'])
  expect(await titles({ search: 'ore iron' })).toEqual(['Iron ore'])
  for (const search of ["'; drop table forum_thread; --", '%', '& | !', ':*']) {
    expect(await titles({ search })).toEqual([])
  }
})

test('a list is paged in each order, with pinned threads first', async () => {
  const created = await write(['a', 'b', 'c', 'd'].map((title) => thread(1, title)))
  const [a, b, c] = idsOf(created, 'thread_id')
  await write([reply(2, a), reply(2, a), reply(2, b), vote(2, b), vote(3, b), vote(2, c)])
  expect(await titles()).toEqual(['d', 'c', 'b', 'a'])
  expect(await titles({ sort: 'most_replies' })).toEqual(['a', 'b', 'd', 'c'])
  expect(await titles({ sort: 'most_upvotes' })).toEqual(['b', 'c', 'd', 'a'])
  expect(await titles({ sort: 'hot' })).toEqual(['b', 'a', 'c', 'd'])
  await database.sql`update forum_thread set pinned = true where title = 'a'`
  const page = await list({ limit: 2 })
  expect(page).toMatchObject({ total: 4, has_more: true, page: 1, per_page: 2 })
  expect(page.threads.map(({ title }) => title)).toEqual(['a', 'd'])
  expect(await list({ limit: 2, page: 2 })).toMatchObject({ has_more: false })
  expect(await titles({ limit: 2, page: 2 })).toEqual(['c', 'b'])
  expect(await titles({ limit: 2, page: 3 })).toEqual([])
})

test('the rank of a hot thread falls with age and is computed every ten seconds', async () => {
  const nowMs = NOW + 100 * DAY
  const [old] = idsOf(await write([thread(1, 'old')], nowMs - 2 * DAY), 'thread_id')
  await write([vote(2, old), vote(3, old), thread(1, 'fresh')], nowMs)
  const hot = (atMs: number, page: object = {}) => titles({ sort: 'hot', nowMs: atMs, ...page })
  expect(await hot(nowMs)).toEqual(['fresh', 'old'])
  await write([thread(1, 'newer'), vote(5, old)], nowMs + 1_000)
  expect(await hot(nowMs + 9_999)).toEqual(['fresh', 'old'])
  expect(await hot(nowMs + 10_000)).toEqual(['newer', 'fresh', 'old'])
  expect(await hot(nowMs + 10_000, { limit: 1, page: 3 })).toEqual(['old'])
})

test('threads beyond 100,000 are removed once they are quiet for 90 days', async () => {
  await database.sql`
    insert into forum_thread (category, title, content, author, author_id, author_name, author_key,
      author_empire, batch, at, updated_at)
    select 'general', 't' || i, 'c', 1, 'p1', 'User 1', 'user 1', 'nebula', 1, now,
      now - (i || ' minutes')::interval
    from generate_series(1, 100002) as i, (select ${new Date(NOW)}::timestamptz as now) as at`
  const sweep = (now: number) => pruneArchive(database.sql, createPruneState(), new Date(now))
  expect((await sweep(NOW)).threads).toBe(0)
  expect((await sweep(NOW + 91 * DAY)).threads).toBe(2)
  const left = await database.sql<{ count: number }[]>`
    select count(*)::int as count from forum_thread where title in ('t100000', 't100001', 't100002')`
  expect(left[0].count).toBe(1)
})

test('threads and replies are counted without deleted ones', async () => {
  const count = async () =>
    resultOf(await archive.read({ method: 'countForum', args: { tick: 5 } })) as {
      tick: number
      forum_threads: number
      forum_replies: number
    }
  const before = await count()
  const [kept, gone] = idsOf(await write([thread(1, 'Kept'), thread(1, 'Gone')]), 'thread_id')
  await write([reply(2, kept), reply(2, kept), reply(2, gone)])
  await write([{ method: 'deleteThread', args: { player: 1, thread: gone } }])
  expect(await count()).toEqual({
    tick: 5,
    forum_threads: before.forum_threads + 1,
    forum_replies: before.forum_replies + 2,
  })
})
