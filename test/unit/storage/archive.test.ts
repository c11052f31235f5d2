/** Archive methods: chat, logs, registrations, battles, books, prices and petitions. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ArchiveRead } from '../../../core/archive-calls.ts'
import type { Outcome } from '../../../core/errors.ts'
import { createAccounts } from '../../../storage/accounts.ts'
import { lastBooks } from '../../../storage/archive/economy.ts'
import { type Archive, createArchive } from '../../../storage/archive/index.ts'
import { readPrices } from '../../../storage/archive/prices.ts'
import { createPruneState, pruneArchive } from '../../../storage/archive/prune.ts'
import { connect, disconnect } from '../../../storage/db.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { archiveWrites, type WrittenDown } from '../../archive-writes.ts'
import { journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'
import { startProxy } from './proxy.ts'

let database: TestDatabase
let store: PostgresStore
let archive: Archive

beforeAll(async () => {
  database = await testDatabase()
  archive = createArchive(database.sql)
})
beforeEach(async () => {
  store = await openStore(database.connection)
})
afterEach(async () => {
  await store.close()
})
afterAll(async () => {
  await database.close()
})

/** Commits writes as one batch and returns their outcomes in order. */
async function write(calls: Omit<WrittenDown, 'ref'>[], wallMs?: number) {
  const row = journalRow(store.headBatch + 1, wallMs === undefined ? {} : { wallMs })
  const writes = calls.map((call, index) => ({ ...call, ref: index + 1 }))
  const committed = await store.commit(row, archiveWrites(writes))
  return writes.map(({ ref }) => committed.archived[ref])
}

async function read(method: string, args: Record<string, unknown>): Promise<Outcome<unknown>> {
  return archive.read({ method, args } as ArchiveRead)
}

const resultOf = (outcome: Outcome<unknown>): Record<string, unknown> => {
  expect(outcome.ok).toBe(true)
  return (outcome as { result: Record<string, unknown> }).result
}

const chat = (scope: string, content: string, more: Record<string, unknown> = {}) => ({
  method: 'postChat',
  args: { channel: scope.split(':')[0], scope, senderId: 'a', sender: 'A', content, ...more },
})

const contents = (result: Record<string, unknown>): string[] =>
  (result.messages as { content: string }[]).map((message) => message.content)

test('pages of chat are newest first, without gaps or repeats', async () => {
  const texts = Array.from({ length: 130 }, (_, i) => `m${i}`)
  // Their times differ although they are in one batch.
  await write(texts.map((text) => chat('system:s1', text, { systemId: 's1' })))
  await write([chat('system:s2', 'elsewhere')])
  const seen: string[] = []
  let before: string | undefined
  for (;;) {
    const page = resultOf(
      await read('chatHistory', { channel: 'system', scopes: ['system:s1'], limit: 50, before }),
    )
    expect(page.total_count).toBe(130)
    seen.push(...contents(page))
    const last = (page.messages as { timestamp_utc: string }[]).at(-1)
    before = last?.timestamp_utc
    if (!page.has_more) break
  }
  expect(seen).toEqual([...texts].reverse())
  const page = resultOf(await read('chatHistory', { channel: 'system', scopes: ['system:s1'] }))
  expect((page.messages as unknown[])[0]).toEqual({
    id: expect.stringMatching(/^\d+$/),
    channel: 'system',
    sender_id: 'a',
    sender: 'A',
    content: 'm129',
    system_id: 's1',
    timestamp_utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  })
})

test('ids and times of messages grow even when the wall clock goes back', async () => {
  const [first] = await write([chat('local:clock', '1')])
  const [second] = await write([chat('local:clock', '2')], 1_000_000)
  const [a, b] = [resultOf(first), resultOf(second)]
  expect(Number(b.id)).toBeGreaterThan(Number(a.id))
  expect(String(b.timestamp) > String(a.timestamp)).toBe(true)
})

test('the private inbox has messages sent and received by the player, and no others', async () => {
  const send = (pair: string, senderId: string, content: string) =>
    chat(`private:${pair}`, content, { targetId: pair, targetName: 'N', senderId })
  await write([send('p1:p2', 'p1', 'hi'), send('p1:p2', 'p2', 'ho'), send('p2:p3', 'p3', 'other')])
  const inbox = async (party: string) =>
    contents(resultOf(await read('chatHistory', { channel: 'private', scopes: [], party })))
  expect(await inbox('p1')).toEqual(['ho', 'hi'])
  expect(await inbox('p2')).toEqual(['other', 'ho', 'hi'])
  expect(await inbox('p4')).toEqual([])
  const summary = resultOf(
    await read('chatSummary', {
      system: { scope: 'system:s2', sinceMs: 0 },
      party: 'p3',
      privateSinceMs: 0,
    }),
  )
  const recent = summary.recent_chat as { content: string }[]
  expect(recent.map(({ content }) => content)).toEqual(['other', 'elsewhere'])
  // Own messages and those older than the watermark do not count as unread.
  expect(summary.unread_chat).toEqual({ system: 1, local: 0, faction: 0, private: 0 })
})

test('bounds of a chat history that are invalid or reversed are refused', async () => {
  const ask = (more: object) =>
    read('chatHistory', { channel: 'system', scopes: ['system:s1'], ...more })
  const none = ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01', '2026-02-30T00:00:00Z', '']
  for (const before of [...none, '2026-01-01T00:00:00', '2026-01-01T24:30:00Z']) {
    expect(await ask({ before })).toMatchObject({ ok: false, code: 'invalid_payload' })
  }
  for (const after of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999-23:59']) {
    expect((await ask({ after })).ok).toBe(true)
  }
  const reversed = { before: '2026-01-01T00:00:00Z', after: '2026-01-02T00:00:00Z' }
  expect(await ask(reversed)).toMatchObject({ ok: false, code: 'invalid_payload' })
  expect((await ask({ after: '2026-01-01T00:00:00.5+02:00' })).ok).toBe(true)
})

test('the captain’s log keeps twenty entries, numbered from the newest', async () => {
  const add = (entry: string) => ({ method: 'addLogEntry', args: { player: 3, entry } })
  expect(await read('listLog', { player: 3 })).toEqual({
    ok: true,
    result: { index: 0, has_next: false, has_prev: false, total_count: 0, max_entries: 20 },
  })
  const empty = { code: 'invalid_index', message: expect.stringContaining('has no entries') }
  expect(await read('listLog', { player: 3, index: 0 })).toMatchObject(empty)
  const added = await write(Array.from({ length: 23 }, (_, i) => add(`e${i}`)))
  expect(resultOf(added[22])).toMatchObject({ index: 0, created_at: expect.any(String) })
  const newest = { entry: { index: 0, entry: 'e22' }, has_next: true, has_prev: false }
  const listed = { ...newest, total_count: 20 }
  expect(resultOf(await read('listLog', { player: 3 }))).toMatchObject(listed)
  expect(resultOf(await read('getLogEntry', { player: 3, index: 19 })).entry).toBe('e3')
  expect(await read('getLogEntry', { player: 3, index: 20 })).toMatchObject({
    code: 'invalid_index',
  })
  const remove = { method: 'deleteLogEntry', args: { player: 3, index: 1 } }
  expect(resultOf((await write([remove]))[0])).toMatchObject({ remaining_count: 19 })
  const second = { entry: { entry: 'e20' }, has_prev: true }
  expect(resultOf(await read('listLog', { player: 3, index: 1 }))).toMatchObject(second)
  expect((resultOf(await read('readLog', { player: 3 })).entries as unknown[]).length).toBe(19)
})

test('the action log pages both ways and filters', async () => {
  const rows = Array.from({ length: 120 }, (_, i) => ({
    player: 5,
    category: i % 2 ? 'mining' : 'trading',
    eventType: `x.${i % 3}`,
    summary: `s${i}`,
    data: { z: i, a: 'q"\\' },
  }))
  const other = [
    { player: 6, category: 'other', eventType: 'x.0', summary: 'not mine' },
    { player: 5, factionId: 'f1', category: 'faction', eventType: 'x.0', summary: 'faction' },
  ]
  await write([{ method: 'logActions', args: { rows: [...rows, ...other] } }])
  const page = resultOf(await read('actionLog', { player: 5, page: 2 }))
  expect(page).toMatchObject({ total: 120, total_pages: 3, page: 2, page_size: 50, has_more: true })
  const entries = page.entries as { id: number; summary: string; data: unknown }[]
  expect(entries[0]).toMatchObject({ summary: 's69', category: 'mining', event_type: 'x.0' })
  expect(JSON.stringify(entries[0].data)).toBe('{"z":69,"a":"q\\"\\\\"}')
  const since = resultOf(
    await read('actionLog', { player: 5, sinceId: entries[0].id, pageSize: 7 }),
  )
  expect((since.entries as { summary: string }[]).map((entry) => entry.summary)).toEqual(
    rows.slice(70, 77).map((row) => row.summary),
  )
  expect(since.next_since_id).toBe(entries[0].id + 7)
  const mining = { player: 5, category: 'mining', eventTypes: ['x.1', 'x.2'] }
  expect(resultOf(await read('actionLog', mining)).total).toBe(40)
  expect(resultOf(await read('actionLog', { factionId: 'f1' })).total).toBe(1)
})

const register = (number: number, more: Record<string, unknown> = {}) => ({
  method: 'createPlayer',
  secret: { passwordHash: '0a'.repeat(32) },
  args: {
    playerId: `99999999-0000-4000-8000-${String(number).padStart(12, '0')}`,
    number,
    username: `U${number}`,
    usernameKey: `u${number}`,
    empire: 'solarian',
    ...more,
  },
})

test('a registration is linked by its code; unknown codes and full accounts are refused', async () => {
  const accounts = createAccounts(database.sql)
  const code = await accounts.registrationCode('sub-1')
  const [unknown, linked, free] = await write([
    register(1, { code: 'wrong' }),
    register(2, { code }),
    register(3),
  ])
  expect(unknown).toMatchObject({ ok: false, code: 'invalid_registration_code' })
  expect(resultOf(linked).account_id).toBe('sub-1')
  expect(resultOf(free).account_id).toBeNull()
  expect((await accounts.findByUsernameKey('u1'))?.number).toBeUndefined()
  const many = await write(Array.from({ length: 51 }, (_, i) => register(100 + i, { code })))
  expect(many.map((outcome) => outcome.ok).lastIndexOf(true)).toBe(48)
  expect(many[50]).toMatchObject({ ok: false, code: 'limit_reached' })
})

test('pruning deletes only what the rules no longer keep', async () => {
  const state = createPruneState()
  const now = 1_800_000_000_000
  await write(
    Array.from({ length: 510 }, (_, i) => chat('local:full', `f${i}`)),
    now,
  )
  await pruneArchive(database.sql, state, new Date(now))
  const page = resultOf(await read('chatHistory', { channel: 'local', scopes: ['local:full'] }))
  expect(page.total_count).toBe(500)
  await pruneArchive(database.sql, state, new Date(now + 40 * 86_400_000))
  const later = resultOf(await read('chatHistory', { channel: 'local', scopes: ['local:full'] }))
  expect(later.total_count).toBe(0)
  expect(resultOf(await read('actionLog', { player: 5 })).total).toBe(0)
  const kept = resultOf(await read('chatHistory', { channel: 'private', scopes: [], party: 'p1' }))
  expect(kept.total_count).toBe(2)
})

test('a read without a database is answered persist_timeout', async () => {
  const proxy = await startProxy(database.connection)
  const sql = connect(proxy.connection, { name: 'test' })
  proxy.down()
  const away = createArchive(sql, 800)
  expect(await away.read({ method: 'readLog', args: { player: 1 } })).toMatchObject({
    ok: false,
    code: 'persist_timeout',
  })
  await disconnect(sql, 0)
  await proxy.close()
})

const battleTick = (battle: number, tick: number, summary?: object) => ({
  battle,
  tick,
  kills: 0,
  entry: { battle_id: `b${battle}`, system_id: 's', tick, snapshots: [] },
  ...(summary ? { summary } : {}),
})

test('pages of a battle log are in order of ticks, with the length of the battle', async () => {
  const rows = Array.from({ length: 7 }, (_, i) => battleTick(41, 100 + i))
  await write([{ method: 'logBattles', args: { rows: [...rows, battleTick(42, 100)] } }])
  const summary = { battle_id: 'b41', duration_ticks: 8, winning_side: 2 }
  await write([{ method: 'logBattles', args: { rows: [battleTick(41, 107, summary)] } }])
  const args = { battle: 41, battle_id: 'b41' }
  const ticksOf = (result: Record<string, unknown>) =>
    (result.entries as { tick: number }[]).map(({ tick }) => tick)
  const first = resultOf(await read('battleLog', { ...args, limit: 3 }))
  expect(first).toMatchObject({ has_more: true, status: 'ended', total_ticks: 8 })
  expect(ticksOf(first)).toEqual([100, 101, 102])
  const last = resultOf(await read('battleLog', { ...args, limit: 3, tickStart: 106 }))
  expect(last.has_more).toBe(false)
  expect(ticksOf(last)).toEqual([106, 107])
  const some = await read('battleLog', { ...args, limit: 50, tickStart: 101, tickEnd: 103 })
  expect(ticksOf(resultOf(some))).toEqual([101, 102, 103])
  expect(resultOf(await read('battleSummary', args))).toEqual(summary)
})

test('an active battle is shown as the world has it, and an unknown one is not found', async () => {
  await write([{ method: 'logBattles', args: { rows: [battleTick(51, 1)] } }])
  const args = { battle: 51, battle_id: 'b51' }
  const active = resultOf(await read('battleLog', { ...args, limit: 5, activeTicks: 4 }))
  expect(active).toMatchObject({ status: 'active', total_ticks: 4, has_more: false })
  expect(active.entries).toHaveLength(1)
  const summary = { battle_id: 'b51', status: 'active' }
  expect(resultOf(await read('battleSummary', { ...args, active: summary }))).toEqual(summary)
  const nowhere = { battle: 52, battle_id: 'b52', limit: 5 }
  expect(await read('battleLog', nowhere)).toMatchObject({ code: 'battle_not_found' })
  expect(await read('battleSummary', nowhere)).toMatchObject({ code: 'battle_not_found' })
})

test('battle logs are deleted after 30 days', async () => {
  const day = 86_400_000
  const now = 1_950_000_000_000
  const summary = { duration_ticks: 1 }
  const rows = (battle: number) => ({ rows: [battleTick(battle, 1, summary)] })
  await write([{ method: 'logBattles', args: rows(61) }], now - 31 * day)
  await write([{ method: 'logBattles', args: rows(62) }], now - 29 * day)
  const pruned = await pruneArchive(database.sql, createPruneState(), new Date(now))
  expect(pruned.battles).toBeGreaterThanOrEqual(2)
  const found = (battle: number) => read('battleSummary', { battle, battle_id: 'b' })
  expect(await found(61)).toMatchObject({ code: 'battle_not_found' })
  expect(resultOf(await found(62))).toEqual(summary)
})

test('the last books of days are read oldest first', async () => {
  const books = (tick: number) => ({ tick, credits: { missions: -tick }, goods: { mined: {} } })
  for (const tick of [10, 20, 30]) await write([{ method: 'closeBooks', args: books(tick) }])
  expect(await lastBooks(database.sql, 2)).toEqual([books(20), books(30)])
})

const hour = (tick: number, rows: readonly (readonly [string, string, number, number])[]) => ({
  method: 'recordPrices',
  args: {
    tick,
    bases: rows.map(([base]) => base),
    items: rows.map(([, item]) => item),
    units: rows.map(([, , units]) => units),
    credits: rows.map(([, , , credits]) => credits),
    fills: rows.map(() => 1),
    charted: rows.map(() => true),
  },
})

test('trades are summed by hour or day, at one base or at all bases', async () => {
  const day = 8_640
  await write([hour(day, [['a', 'iron_ore', 10, 50]])])
  await write([
    hour(2 * day, [
      ['a', 'iron_ore', 3, 10],
      ['b', 'iron_ore', 1, 6],
      ['a', 'copper_ore', 7, 70],
    ]),
    hour(2 * day + 360, [['a', 'iron_ore', 4, 40]]),
  ])
  const prices = (days: number, stepTicks: number, base?: string) =>
    readPrices(database.sql, { item: 'iron_ore', base, days, stepTicks })
  expect(await prices(1, 360)).toEqual([
    { tick: 2 * day, units: 4, credits: 16, mean: 4 },
    { tick: 2 * day + 360, units: 4, credits: 40, mean: 10 },
  ])
  expect(await prices(30, day, 'a')).toEqual([
    { tick: day, units: 10, credits: 50, mean: 5 },
    { tick: 2 * day, units: 7, credits: 50, mean: 7.14 },
  ])
  expect(await prices(30, day, 'c')).toEqual([])
})

test('sums of trades by hour are kept for ninety days', async () => {
  const now = Date.UTC(2031, 0, 1)
  const dayMs = 86_400_000
  await write([hour(720, [['a', 'tin_ore', 1, 1]])], now - 91 * dayMs)
  await write([hour(1_080, [['a', 'tin_ore', 2, 6]])], now - 89 * dayMs)
  const pruned = await pruneArchive(database.sql, createPruneState(), new Date(now))
  expect(pruned.prices).toBeGreaterThanOrEqual(1)
  const kept = await readPrices(database.sql, { item: 'tin_ore', days: 365, stepTicks: 360 })
  expect(kept).toEqual([{ tick: 1_080, units: 2, credits: 6, mean: 3 }])
})

test('petitions are kept for 90 days, at most 10,000 for each empire', async () => {
  const now = 1_960_000_000_000
  const petition = (empire: string, content: string) => ({
    method: 'filePetition',
    args: { empire, player: 7, playerId: 'p7', username: 'P', kind: 'petition', content },
  })
  const remaining = async () =>
    (
      await database.sql<{ content: string }[]>`
        select content from petition order by empire, id`
    ).map(({ content }) => content)
  await write([petition('nebula', 'old')], now - 91 * 86_400_000)
  await write([petition('nebula', 'new'), petition('crimson', 'other')], now)
  expect(await remaining()).toEqual(['other', 'old', 'new'])
  const pruned = await pruneArchive(database.sql, createPruneState(), new Date(now))
  expect(pruned.petitions).toBe(1)
  expect(await remaining()).toEqual(['other', 'new'])
  await write(
    Array.from({ length: 10_001 }, (_, i) => petition('nebula', `n${i}`)),
    now,
  )
  await pruneArchive(database.sql, createPruneState(), new Date(now))
  const kept = await remaining()
  expect(kept).toHaveLength(10_001)
  expect(kept.slice(0, 2)).toEqual(['other', 'n1'])
})

test('faction chat of other players counts as unread', async () => {
  const wallMs = 1_970_000_000_000
  await write([chat('faction:f9', 'one'), chat('faction:f9', 'mine', { senderId: 'me' })], wallMs)
  const summary = resultOf(
    await read('chatSummary', {
      faction: { scope: 'faction:f9', sinceMs: 0 },
      party: 'me',
      privateSinceMs: 0,
    }),
  )
  expect(summary.unread_chat).toEqual({ system: 0, local: 0, faction: 1, private: 0 })
  expect((summary.recent_chat as { content: string }[]).map(({ content }) => content)).toEqual([
    'mine',
    'one',
  ])
})
