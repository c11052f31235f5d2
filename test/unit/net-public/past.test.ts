/** Bodies about the past: their requests to the archive, and what they render of its answers. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ArchiveRead } from '../../../core/archive-calls.ts'
import { RELEASES } from '../../../core/catalog/changelog.ts'
import { fail, type Outcome, ok } from '../../../core/errors.ts'
import type { BattleSummary } from '../../../core/public/past.ts'
import { readQuery } from '../../../net/public/routes.ts'
import type { PublicContext, PublicRow } from '../../../net/public/row.ts'
import type { PublicState } from '../../../net/public/state.ts'
import { PUBLIC_ROWS } from '../../../net/public/table.ts'

const NOW_MS = Date.UTC(2031, 0, 10, 12)
const TICK = 100_000

const battle = (battle_id: string, overrides: Partial<BattleSummary> = {}): BattleSummary => ({
  battle_id,
  system_id: 's',
  system_name: 'S',
  status: 'active',
  category: 'pvp',
  start_tick: 1,
  duration_ticks: 2,
  participant_count: 2,
  total_damage: 5,
  ships_destroyed: 1,
  ships_captured: 0,
  sides: [],
  captures: [],
  ...overrides,
})

const stateOf = (overrides: Partial<PublicState> = {}): PublicState =>
  ({
    tick: TICK,
    wallMs: NOW_MS,
    figures: { online: 7, players: 9, systems: 1 },
    battles: [],
    docs: { stations: new Map([['a', JSON.stringify({ name: 'Port' })]]) },
    ...overrides,
  }) as unknown as PublicState

const rowOf = (path: string): PublicRow => {
  const row = PUBLIC_ROWS.find((publicRow) => publicRow.path === path)
  if (!row) throw new Error(`there is no ${path}`)
  return row
}

let reads: ArchiveRead[]
let answer: Outcome<unknown>

beforeEach(() => {
  reads = []
  answer = ok({})
})

/** Requests a public address; returns its body and how long that may be cached. */
async function get(address: string, params: Record<string, string> = {}, state = stateOf()) {
  const [path, query = ''] = address.split('?')
  const row = rowOf(path)
  const context: PublicContext = {
    params,
    query: readQuery(row, new URLSearchParams(query)),
    archive: {
      async read(call) {
        reads.push(call)
        return answer
      },
    },
    about: {
      version: '1',
      epoch: 'e',
      delay: 2,
      tickMs: 10_000,
      wallMs: () => NOW_MS,
      showsNames: true,
      forum: async () => ({ threads: 0, replies: 0 }),
    },
  }
  const outcome = await (row.source === 'timeless' ? row.body(context) : row.body(state, context))
  if (!outcome.ok) return { code: outcome.code }
  const kept = typeof row.cache === 'function' ? row.cache(outcome.result, params) : row.cache
  return { body: outcome.result as Record<string, unknown>, kept }
}

const lastArgs = (): unknown => reads.at(-1)?.args

describe('battles', () => {
  const active = [battle('one', { start_tick: 5, player_names: ['Ann'] }), battle('two')]
  const state = stateOf({ battles: active })
  const list = async (query: string) => {
    const { body } = await get(`/api/battles?${query}`, {}, state)
    const { battles, ...rest } = body as { battles: BattleSummary[] }
    return { ids: battles.map(({ battle_id }) => battle_id), ...rest }
  }

  beforeEach(() => {
    answer = ok({ battles: [battle('old', { status: 'completed' })], total: 41 })
  })

  test('in progress are listed before those that are over', async () => {
    expect(await list('')).toEqual({ ids: ['one', 'two', 'old'], total: 43, has_more: true })
    expect(lastArgs()).toEqual({ tick: TICK, limit: 18, offset: 0 })
    await list('offset=30&limit=10')
    expect(lastArgs()).toEqual({ tick: TICK, limit: 10, offset: 28 })
  })

  test('in progress are listed without the archive', async () => {
    answer = fail('persist_timeout')
    expect(await list('status=active&limit=1')).toEqual({ ids: ['one'], total: 2, has_more: true })
    expect(reads).toEqual([])
    expect(await get('/api/battles', {}, state)).toEqual({ code: 'persist_timeout' })
  })

  test('are filtered by category, and by at least two letters of a name', async () => {
    expect((await list('category=pirate&status=active')).ids).toEqual([])
    expect((await list('search=%20AN&status=active')).ids).toEqual(['one'])
    expect((await list('search=nn&status=active')).ids).toEqual([])
    expect((await list('search=n&status=active')).ids).toEqual(['one', 'two'])
    await list('category=pve&search=Zo%C3%8B&status=completed')
    expect(lastArgs()).toEqual({
      tick: TICK,
      category: 'pve',
      nameKey: 'zoë',
      limit: 20,
      offset: 0,
    })
  })

  test('are listed with limits cut to their bounds, not refused', async () => {
    await list('limit=9999&offset=999999&status=completed')
    expect(lastArgs()).toEqual({ tick: TICK, limit: 100, offset: 5_000 })
    await list('limit=-3&offset=x&status=nonsense&category=general')
    expect(lastArgs()).toEqual({ tick: TICK, limit: 0, offset: 0 })
  })

  test('have a summary from the frame or else from the archive, unknown ones are 404', async () => {
    const { body, kept } = await get('/api/battle/summary?battle_id=ONE', {}, state)
    expect([body?.battle_id, kept]).toEqual(['one', 'T'])
    answer = ok(battle('old', { status: 'completed' }))
    const old = await get('/api/battle/summary?battle_id=old', {}, state)
    expect([old.body?.battle_id, old.kept]).toEqual(['old', 'M'])
    expect(lastArgs()).toEqual({ tick: TICK, battle_id: 'old' })
    answer = fail('battle_not_found')
    expect(await get('/api/battle/summary?battle_id=x')).toEqual({ code: 'battle_not_found' })
    for (const path of ['/api/battle/summary', '/api/battle/log']) {
      expect(await get(path)).toEqual({ code: 'invalid_payload' })
    }
  })

  test('have a log up to the public tick; full pages of finished battles are immutable', async () => {
    const page = (status: string, has_more: boolean) => ok({ status, has_more, entries: [] })
    answer = page('completed', true)
    const log = '/api/battle/log?battle_id=old'
    expect((await get(`${log}&tick_start=3&tick_end=9&limit=999`)).kept).toBe('I')
    expect(lastArgs()).toEqual({ tick: TICK, battle_id: 'old', from: 3, to: 9, limit: 200 })
    answer = page('completed', false)
    expect((await get(log)).kept).toBe('M')
    answer = page('active', true)
    expect((await get('/api/battle/log?battle_id=one', {}, state)).kept).toBe('T')
    expect(lastArgs()).toMatchObject({ battle_id: 'one', active: { battle_id: 'one' }, from: 0 })
  })
})

describe('trade', () => {
  const fill = {
    tick: 7,
    n: 2,
    item: 'iron_ore',
    base: 'a',
    bought: true,
    byStation: false,
    fromStation: true,
    units: 3,
    credits: 14,
    atMs: NOW_MS,
  }

  test('names the station in a fill, but no player', async () => {
    answer = ok({ fills: [fill, { ...fill, base: 'gone', bought: false, fromStation: false }] })
    const { body } = await get('/api/market/fills?hours=2&item=iron_ore&station=a')
    expect(lastArgs()).toEqual({
      tick: TICK,
      since: TICK - 720,
      sinceMs: NOW_MS - 7_200_000,
      limit: 50,
      item: 'iron_ore',
      base: 'a',
    })
    const shown = {
      id: '7-2',
      timestamp: '2031-01-10T12:00:00.000Z',
      item_id: 'iron_ore',
      item_name: 'Iron Ore',
      station_id: 'a',
      station_name: 'Port',
      quantity: 3,
      price_each: 4,
      total: 14,
      buyer_name: '',
      seller_name: 'Port',
      is_npc: true,
      order_type: 'buy',
    }
    const gone = { station_id: 'gone', station_name: 'gone', seller_name: '', is_npc: false }
    expect(body).toEqual({ fills: [shown, { ...shown, ...gone, order_type: 'sell' }] })
  })

  test('has bounds on hours and rows, and begins at the first tick', async () => {
    answer = ok({ fills: [] })
    await get('/api/market/fills?hours=9999&limit=9999', {}, stateOf({ tick: 50 }))
    expect(lastArgs()).toMatchObject({ since: 0, limit: 200, sinceMs: NOW_MS - 168 * 3_600_000 })
    answer = ok({ items: [] })
    await get('/api/market/fills/top?limit=9999')
    expect(lastArgs()).toEqual({ tick: TICK, since: TICK - 8_640, limit: 50 })
  })

  test('lists the items traded most, and sums with stations and among players', async () => {
    answer = ok({ items: [{ item: 'iron_ore', trades: 3, units: 13, vwap: 5.38 }] })
    expect((await get('/api/market/fills/top')).body).toEqual({
      items: [
        { item_id: 'iron_ore', item_name: 'Iron Ore', trade_count: 3, volume: 13, vwap: 5.38 },
      ],
    })
    answer = ok({ trades: 5, units: 18, npcTrades: 2, npcUnits: 3 })
    expect((await get('/api/market/fills/stats')).body).toEqual({
      total_count: 5,
      total_volume: 18,
      npc_fill_count: 2,
      npc_fill_volume: 3,
      player_fill_count: 3,
      player_fill_volume: 15,
    })
  })

  test('has prices by day of any item in the catalogue; 0 days means all', async () => {
    answer = ok({ history: [] })
    const path = '/api/market/vwap-history/:item_id'
    const { body } = await get(`${path}?days=90&station=a`, { item_id: 'iron_ore' })
    expect(body).toEqual({ item_id: 'iron_ore', item_name: 'Iron Ore', history: [] })
    expect(lastArgs()).toEqual({
      tick: TICK,
      atMs: NOW_MS,
      since: TICK - 3 * 8_640,
      item: 'iron_ore',
      base: 'a',
      days: 90,
    })
    await get(`${path}?days=0`, { item_id: 'iron_ore' })
    expect(lastArgs()).not.toHaveProperty('days')
    expect(await get(path, { item_id: 'none' })).toEqual({ code: 'not_found' })
  })
})

describe('the forum', () => {
  const post = {
    id: '4',
    author: 'A',
    author_id: 'secret',
    author_empire: 'nebula',
    content: 'c',
    is_dev_team: false,
    upvotes: 2,
    created_at: 't',
  }
  const thread = {
    ...post,
    category: 'lore',
    title: 'T',
    pinned: false,
    locked: false,
    reply_count: 1,
    updated_at: 'u',
  }

  test('counts pages from 0', async () => {
    answer = ok({ threads: [thread], total: 41 })
    const { body } = await get('/api/forum?page=1&page_size=20')
    expect(lastArgs()).toMatchObject({ page: 2, limit: 20, sort: 'newest' })
    expect(body).toMatchObject({ total: 41, total_pages: 3 })
    await get('/api/forum?page=-5&page_size=999')
    expect(lastArgs()).toMatchObject({ page: 1, limit: 50 })
  })

  test('lists threads without their texts and without ids of accounts', async () => {
    answer = ok({ threads: [thread], total: 1 })
    const { body } = await get('/api/forum')
    expect(body?.threads).toEqual([
      {
        id: '4',
        title: 'T',
        author: 'A',
        author_empire: 'nebula',
        category: 'lore',
        created_at: 't',
        reply_count: 1,
        upvotes: 2,
        pinned: false,
        is_dev_team: false,
      },
    ])
  })

  test('is filtered; the last day is included, and an invalid day is refused', async () => {
    answer = ok({ threads: [], total: 0 })
    const query = 'author=Ann&faction_tag=hand&dev_only=true&category=lore&search=%20iron%20'
    await get(`/api/forum?${query}&date_from=2031-01-01&date_to=2031-01-02&sort_by=hot`)
    expect(lastArgs()).toEqual({
      page: 1,
      limit: 20,
      sort: 'hot',
      nowMs: NOW_MS,
      categories: {},
      category: 'lore',
      author: 'Ann',
      authorKey: 'ann',
      factionTag: 'HAND',
      devOnly: true,
      search: 'iron',
      fromMs: Date.UTC(2031, 0, 1),
      toMs: Date.UTC(2031, 0, 3),
    })
    expect(await get('/api/forum?date_to=soon')).toEqual({ code: 'invalid_payload' })
    for (const time of ['%2B275760-09-13T00:00Z', '%2B010000-01-01', '-271821-04-20']) {
      expect(await get(`/api/forum?date_to=${time}`)).toEqual({ code: 'invalid_payload' })
      expect(await get(`/api/forum?date_from=${time}`)).toEqual({ code: 'invalid_payload' })
    }
    expect(await get('/api/forum?date_from=13')).not.toEqual({ code: 'persist_timeout' })
  })

  test('gives a thread with its replies, and 404 for an unknown one', async () => {
    answer = ok({ thread, replies: [{ ...post, thread_id: '4', content: 'r' }] })
    const path = '/api/forum/thread/:thread_id'
    const { body } = await get(`${path}?page=1`, { thread_id: '4' })
    expect(lastArgs()).toEqual({ thread: 4, page: 2, limit: 500 })
    const shown = body?.thread as { replies: object[] }
    expect(shown).toMatchObject({ id: '4', content: 'c', title: 'T' })
    expect(shown.replies).toEqual([
      {
        author: 'A',
        author_empire: 'nebula',
        content: 'r',
        created_at: 't',
        is_dev_team: false,
        upvotes: 2,
      },
    ])
    for (const thread_id of ['0', 'x', '-1', '9'.repeat(40)]) {
      expect(await get(path, { thread_id }), thread_id).toEqual({ code: 'thread_not_found' })
    }
  })
})

test('the changes of all releases are read page by page, from 1', async () => {
  const { body } = await get('/api/changelog?page=0')
  expect(body).toMatchObject({
    current_version: RELEASES[0].release,
    page: 1,
    per_page: 20,
    total: RELEASES.length,
  })
  expect((body as { releases: object[] }).releases[0]).toEqual({
    version: RELEASES[0].release,
    release_date: RELEASES[0].release_date,
    notes: RELEASES[0].notes,
  })
  expect((await get('/api/changelog?page=99')).body?.releases).toEqual([])
})
