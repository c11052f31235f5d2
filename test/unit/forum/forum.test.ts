/** The commands of the forum: what is archived, what is refused, and their limits. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player, PlayerStats, STATS } from '../../../systems/account/state.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { FORUM_USE } from '../../../systems/forum/state.ts'
import { poiOf } from '../../../systems/travel/location-model.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 2 })
  ;[ada, ben] = small.players
})

const numberOf = (player: Eid): number => small.world.read(Player).seq[player]
const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.code)
const archived = (method: string) =>
  (small.store.archive.rows.get(method) ?? []).map(({ args }) => args)
const posts = (player: Eid): number =>
  small.world.read(PlayerStats).values[
    player * PlayerStats.columns.values.width + STATS.indexOf('forum_posts_created')
  ]
const createThread = (player: Eid, overrides: object = {}) =>
  small.act(player, 'forum_create_thread', {
    title: 'Iron',
    content: 'Who has some?',
    ...overrides,
  })

/** Expects a mutation to be refused: the tick passes, and nothing else changes. */
function refuses(command: string, params: object, code: string): void {
  const use = small.world.records(FORUM_USE).size
  expect(codeOf(small.act(ada, command, params))).toBe(code)
  expect(small.world.records(FORUM_USE).size).toBe(use)
  expect(posts(ada)).toBe(0)
}

describe('forum_create_thread', () => {
  test('is archived with the current details of its author', () => {
    foundFaction(small.world, ada, 'Free Haulers', 'FREE')
    const outcome = createThread(ada, { title: ' Iron ', category: 'Trading' })
    expect(outcome).toMatchObject({ ok: true, result: { thread_id: '1', title: 'Iron' } })
    expect(archived('createThread')).toEqual([
      {
        player: numberOf(ada),
        authorId: playerId(small.world, ada),
        author: 'Tester 1',
        authorKey: 'tester 1',
        empire: 'solarian',
        factionTag: 'FREE',
        category: 'trading',
        title: 'Iron',
        content: 'Who has some?',
      },
    ])
    expect(posts(ada)).toBe(1)
  })

  test('treats an unknown or missing category as general', () => {
    createThread(ada, { category: 'gossip' })
    createThread(ben)
    expect(archived('createThread').map(({ category }) => category)).toEqual(['general', 'general'])
  })

  test.each([
    ['too_long', { title: 'x'.repeat(201) }],
    ['too_long', { content: 'x'.repeat(5_001) }],
    ['invalid_payload', { title: ' ' }],
    ['invalid_payload', { title: 'two\nlines' }],
    ['invalid_payload', { title: 'two\u2029lines' }],
    ['invalid_payload', { content: '\n\t' }],
    ['invalid_payload', { content: 'a\u202eb' }],
    ['invalid_payload', { content: 'a\u200fb' }],
    ['invalid_payload', { content: 'a\u0000b' }],
    ['invalid_payload', { content: 'a\udfffb' }],
  ])('refuses %s', (code, overrides) => {
    refuses('forum_create_thread', { title: 'Iron', content: 'Who?', ...overrides }, code)
    expect(archived('createThread')).toEqual([])
  })

  test('keeps markup as it is written', () => {
    const content = '<b>Iron</b> & **steel** [here](javascript:x)'
    createThread(ada, { content })
    expect(archived('createThread')[0].content).toBe(content)
  })

  test('is allowed 30 times an hour: rate_limited', () => {
    for (let i = 0; i < 30; i++) expect(codeOf(createThread(ada))).toBe('ok')
    expect(createThread(ada)).toMatchObject({
      code: 'rate_limited',
      details: { wait_seconds: 3_300 },
    })
    expect(codeOf(createThread(ben))).toBe('ok')
    small.ticks(327)
    expect(codeOf(createThread(ada))).toBe('rate_limited')
    expect(codeOf(createThread(ada))).toBe('ok')
    expect(codeOf(createThread(ada))).toBe('ok')
  })

  test('is refused in_transit as every mutation is', () => {
    const { result } = small.ask(ada, 'get_system', {}) as {
      result: { system: { pois: { id: string }[] } }
    }
    const here = poiId(small.world, poiOf(small.world, ada))
    const far = result.system.pois.filter(({ id }) => id !== here).at(-1)
    small.tick({ player: ada, command: 'travel', params: { target_poi: far?.id } })
    expect(codeOf(createThread(ada))).toBe('in_transit')
  })

  test('is a mutation that several players can send in one tick', () => {
    const answers = small.tick(
      { player: ada, command: 'forum_create_thread', params: { title: 'A', content: 'a' } },
      { player: ben, command: 'forum_create_thread', params: { title: 'B', content: 'b' } },
    )
    expect([...answers.values()].map(codeOf)).toEqual(['ok', 'ok'])
    expect(archived('createThread')).toHaveLength(2)
  })
})

describe('forum_reply', () => {
  test('is archived and counted', () => {
    expect(small.act(ada, 'forum_reply', { thread_id: '12', content: ' Me. ' })).toMatchObject({
      result: { thread_id: '12', reply_id: '1' },
    })
    expect(archived('createReply')).toMatchObject([
      { player: numberOf(ada), thread: 12, content: 'Me.', author: 'Tester 1' },
    ])
    expect(posts(ada)).toBe(1)
  })

  test('refuses thread_not_found, too_long, invalid_payload', () => {
    for (const thread_id of ['x', '0', '-1', '1e3', '9'.repeat(16), '١']) {
      refuses('forum_reply', { thread_id, content: 'Me.' }, 'thread_not_found')
    }
    refuses('forum_reply', { thread_id: '1', content: 'x'.repeat(5_001) }, 'too_long')
    refuses('forum_reply', { thread_id: '1', content: ' ' }, 'invalid_payload')
  })

  test('does not count if the archive refuses it: thread_locked', () => {
    small.store.archive.refuse('createReply', 'thread_locked')
    refuses('forum_reply', { thread_id: '1', content: 'Me.' }, 'thread_locked')
  })

  test('is allowed 120 times an hour: rate_limited', () => {
    const times = Array.from({ length: 120 }, () => small.world.wallMs)
    small.world.records(FORUM_USE).set(String(numberOf(ada)), { replies: times })
    expect(codeOf(small.act(ada, 'forum_reply', { thread_id: '1', content: 'Me.' }))).toBe(
      'rate_limited',
    )
  })
})

describe('forum_upvote', () => {
  test('votes for a thread, or for a reply in it', () => {
    expect(small.act(ada, 'forum_upvote', { thread_id: '3' })).toMatchObject({
      result: { thread_id: '3' },
    })
    expect(small.act(ada, 'forum_upvote', { thread_id: '3', reply_id: '8' })).toMatchObject({
      result: { thread_id: '3', reply_id: '8' },
    })
    const player = numberOf(ada)
    expect(archived('castVote')).toEqual([
      { player, thread: 3, reply: 0 },
      { player, thread: 3, reply: 8 },
    ])
  })

  test('refuses thread_not_found, reply_not_found', () => {
    refuses('forum_upvote', { thread_id: 'x' }, 'thread_not_found')
    refuses('forum_upvote', { thread_id: '1', reply_id: 'x' }, 'reply_not_found')
  })

  test('does not count if the archive refuses it: already_upvoted, invalid_target', () => {
    for (const code of ['already_upvoted', 'invalid_target'] as const) {
      small.store.archive.refuse('castVote', code)
      refuses('forum_upvote', { thread_id: '1' }, code)
    }
  })

  test('is allowed 300 times an hour: rate_limited', () => {
    const times = Array.from({ length: 300 }, () => small.world.wallMs)
    small.world.records(FORUM_USE).set(String(numberOf(ada)), { votes: times })
    expect(codeOf(small.act(ada, 'forum_upvote', { thread_id: '1' }))).toBe('rate_limited')
  })
})

describe('deleting', () => {
  test('forum_delete_thread and forum_delete_reply name the author', () => {
    const player = numberOf(ada)
    expect(small.act(ada, 'forum_delete_thread', { thread_id: '3' })).toMatchObject({
      result: { thread_id: '3' },
    })
    expect(small.act(ada, 'forum_delete_reply', { reply_id: '4' })).toMatchObject({
      result: { reply_id: '4' },
    })
    expect(archived('deleteThread')).toEqual([{ player, thread: 3 }])
    expect(archived('deleteReply')).toEqual([{ player, reply: 4 }])
  })

  test('refuses thread_not_found, reply_not_found, not_author', () => {
    refuses('forum_delete_thread', { thread_id: '' }, 'thread_not_found')
    refuses('forum_delete_reply', { reply_id: 'x' }, 'reply_not_found')
    small.store.archive.refuse('deleteThread', 'not_author')
    refuses('forum_delete_thread', { thread_id: '1' }, 'not_author')
    small.store.archive.refuse('deleteReply', 'not_author')
    refuses('forum_delete_reply', { reply_id: '1' }, 'not_author')
  })
})

describe('reading', () => {
  const list = (params: object, player = 0) => small.ask(player, 'forum_list', params)

  test('forum_list is open to everybody: 20 a page, newest first', () => {
    expect(list({})).toMatchObject({
      ok: true,
      result: { page: 1, limit: 20, sort: 'newest', nowMs: small.world.wallMs },
    })
    expect(list({ page: 900, limit: 900 })).toMatchObject({ result: { page: 100, limit: 100 } })
  })

  test('forum_list passes on its filters, with days that are whole and inclusive', () => {
    const filters = {
      author: ' Tester 1 ',
      category: 'LORE',
      faction_tag: 'free',
      dev_only: true,
      date_from: '2026-01-01',
      date_to: '2026-01-01',
      search: ' iron ',
      sort_by: 'hot',
    }
    const fromMs = Date.UTC(2026, 0, 1)
    expect(list(filters, ada)).toMatchObject({
      result: {
        author: 'Tester 1',
        category: 'lore',
        factionTag: 'FREE',
        devOnly: true,
        fromMs,
        toMs: fromMs + 86_400_000,
        search: 'iron',
        sort: 'hot',
      },
    })
  })

  test.each([
    { date_from: '2026-02-30' },
    { date_from: '2026-1-1' },
    { date_to: 'today' },
    { date_from: '2026-01-02', date_to: '2026-01-01' },
  ])('forum_list refuses %j: invalid_payload', (params) => {
    expect(codeOf(list(params))).toBe('invalid_payload')
  })

  test('forum_get_thread is open to everybody, and refuses invalid ids: thread_not_found', () => {
    const read = (params: object) => small.ask(0, 'forum_get_thread', params)
    expect(read({ thread_id: '7', limit: 500 })).toMatchObject({
      result: { thread: 7, page: 1, limit: 100 },
    })
    expect(codeOf(read({ thread_id: 'seven' }))).toBe('thread_not_found')
  })
})

test('a restored world remembers who wrote within the hour', async () => {
  createThread(ada)
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  expect(restored.world.records(FORUM_USE).size).toBe(1)
})
