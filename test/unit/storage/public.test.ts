/** What strangers may read of the past: battles, trades and frames, up to the public tick. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ArchiveRead, ArchiveWriteArgs } from '../../../core/archive-calls.ts'
import { wireId } from '../../../core/entity.ts'
import type { BattleSummary } from '../../../core/public/past.ts'
import { type Archive, createArchive } from '../../../storage/archive/index.ts'
import { createPruneState, pruneArchive } from '../../../storage/archive/prune.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { restoreWorld } from '../../../storage/restore.ts'
import { archiveWrites, type WrittenDown } from '../../archive-writes.ts'
import { imageAt, journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'

const SEED = 77
const DAY_MS = 86_400_000
const START_MS = Date.UTC(2031, 0, 10, 12)

let database: TestDatabase
let store: PostgresStore
let archive: Archive

beforeAll(async () => {
  database = await testDatabase()
  archive = createArchive(database.sql)
  const first = await openStore(database.connection)
  await first.ensureSeed(SEED)
  await first.close()
})
beforeEach(async () => {
  store = await openStore(database.connection)
})
afterEach(async () => {
  await store.close()
  for (const table of ['fill', 'fill_hour', 'price_hour', 'price_day', 'battle', 'battle_log']) {
    await database.sql`delete from ${database.sql(table)}`
  }
  await database.sql`delete from battle_name`
  await database.sql`delete from public_frame`
})
afterAll(async () => {
  await database.close()
})

/** Commits a batch of a tick with these writes, and waits until the archive has them. */
async function commitAt(
  tick: number,
  writes: readonly WrittenDown[],
  wallMs = START_MS + tick * 10_000,
) {
  await store.commit(journalRow(store.headBatch + 1, { tick, wallMs }), archiveWrites(writes))
  await store.projected?.()
}

async function read(method: string, args: object): Promise<Record<string, unknown>> {
  const outcome = await archive.read({ method, args } as ArchiveRead)
  if (!outcome.ok) return { code: outcome.code }
  return outcome.result as Record<string, unknown>
}

describe('battles', () => {
  const id = (battle: number): string => wireId(SEED, 'battle', battle)
  const account = (battle: number, more: Partial<BattleSummary>): BattleSummary => ({
    ...{ battle_id: id(battle), system_id: 's', system_name: 'S', status: 'completed' },
    ...{ category: 'pvp', start_tick: 1, duration_ticks: 2, participant_count: 2 },
    ...{ total_damage: 5, ships_destroyed: 1, ships_captured: 0, sides: [], captures: [] },
    ...more,
  })
  const turn = (battle: number, tick: number, more: object = {}) => ({
    ...{ battle, tick, kills: 0, entry: { battle_id: id(battle), tick, snapshots: [] } },
    ...more,
  })
  const ended = (battle: number, names: readonly string[], more: Partial<BattleSummary> = {}) => ({
    summary: { duration_ticks: 2 },
    told: account(battle, more),
    names,
  })
  const log = (...rows: object[]): WrittenDown => ({ method: 'logBattles', args: { rows } })
  const list = async (args: object) => {
    const { battles, total } = await read('publicBattles', {
      ...{ tick: 1_000, limit: 10, offset: 0 },
      ...args,
    })
    return { ids: (battles as BattleSummary[]).map(({ battle_id }) => battle_id), total }
  }

  beforeEach(async () => {
    await commitAt(10, [log(turn(1, 10), turn(9, 10))])
    await commitAt(11, [log(turn(1, 11, ended(1, ['ann', 'bob'])))])
    await commitAt(12, [log(turn(2, 12, ended(2, ['annie'], { category: 'pirate' })))])
    // off the chart
    await commitAt(13, [log(turn(3, 13, { summary: { duration_ticks: 1 } }))])
    await commitAt(20, [log(turn(4, 20, ended(4, ['zed'])))])
  })

  test('are listed latest first, without those off the chart', async () => {
    expect(await list({})).toEqual({ ids: [id(4), id(2), id(1)], total: 3 })
    expect(await list({ limit: 1, offset: 1 })).toEqual({ ids: [id(2)], total: 3 })
    expect(await list({ category: 'pirate' })).toEqual({ ids: [id(2)], total: 1 })
  })

  test('are found by the beginning of a name, whatever characters it has', async () => {
    expect((await list({ nameKey: 'ann' })).ids).toEqual([id(2), id(1)])
    expect((await list({ nameKey: 'anni' })).ids).toEqual([id(2)])
    expect((await list({ nameKey: 'nn' })).ids).toEqual([])
    for (const nameKey of ['%', 'a_n', "an'", '\u{10ffff}\0']) {
      expect((await list({ nameKey })).ids, nameKey).toEqual([])
    }
  })

  test('are listed once their end is public', async () => {
    expect((await list({ tick: 19 })).ids).toEqual([id(2), id(1)])
    expect(await read('publicBattle', { tick: 19, battle_id: id(4) })).toEqual({
      code: 'battle_not_found',
    })
    expect(await read('publicBattle', { tick: 20, battle_id: id(4) })).toEqual(account(4, {}))
  })

  test('have no account and no log off the chart, nor if there is no such battle', async () => {
    const ask = { tick: 1_000, from: 0, to: 1_000, limit: 10 }
    for (const battle_id of [id(3), id(77), 'nonsense', wireId(SEED, 'ship', 1)]) {
      for (const method of ['publicBattle', 'publicBattleLog']) {
        expect(await read(method, { ...ask, battle_id })).toEqual({ code: 'battle_not_found' })
      }
    }
  })

  test('have a log in pages, which ends at the public tick while they are fought', async () => {
    const ask = { tick: 1_000, battle_id: id(1), from: 0, to: 1_000, limit: 1 }
    expect(await read('publicBattleLog', ask)).toMatchObject({
      ...{ battle_id: id(1), status: 'completed', total_ticks: 2, has_more: true },
      entries: [{ tick: 10 }],
    })
    expect(await read('publicBattleLog', { ...ask, from: 11 })).toMatchObject({
      ...{ has_more: false, entries: [{ tick: 11 }] },
    })
    const active = account(9, { status: 'active', duration_ticks: 1 })
    const fought = { ...ask, battle_id: id(9), active }
    expect(await read('publicBattleLog', { ...fought, tick: 9 })).toMatchObject({ entries: [] })
    expect(await read('publicBattleLog', { ...fought, tick: 10 })).toMatchObject({
      ...{ status: 'active', total_ticks: 1, entries: [{ tick: 10 }] },
    })
  })

  test('are removed, with the names in them, after thirty days', async () => {
    const later = new Date(START_MS + 31 * DAY_MS)
    await pruneArchive(database.sql, createPruneState(), later)
    expect(await list({})).toEqual({ ids: [], total: 0 })
    expect(await database.sql`select 1 from battle_name`).toHaveLength(0)
  })
})

type Fills = ArchiveWriteArgs['recordFills']
type Trade = readonly [base: string, item: string, units: number, price: number, isNpc?: boolean]

const tape = (...rows: readonly Trade[]): WrittenDown => ({
  method: 'recordFills',
  args: {
    bases: rows.map(([base]) => base),
    items: rows.map(([, item]) => item),
    bought: rows.map(() => true),
    byStation: rows.map(() => false),
    fromStation: rows.map(([, , , , isNpc]) => isNpc === true),
    units: rows.map(([, , units]) => units),
    credits: rows.map(([, , units, price]) => units * price),
    trades: rows.map(() => 1),
  } satisfies Fills,
})

describe('fills', () => {
  const list = async (args: object) => {
    const ask = { tick: 10_000, since: 0, sinceMs: 0, limit: 100, ...args }
    const { fills } = await read('publicFills', ask)
    return (fills as { tick: number; n: number }[]).map(({ tick, n }) => `${tick}-${n}`)
  }
  const sums = (args: object) => read('fillStats', { tick: 10_000, since: 0, ...args })
  const top = async (args: object = {}) =>
    (await read('topFills', { tick: 10_000, since: 0, limit: 50, ...args })).items

  beforeEach(async () => {
    await commitAt(350, [tape(['a', 'ore', 10, 5], ['b', 'ore', 1, 8, true])])
    await commitAt(361, [tape(['a', 'ice', 4, 100])])
    await commitAt(362, [tape(['a', 'ore', 2, 6, true], ['a', 'ice', 1, 90])])
  })

  test('are listed latest first, by item and station', async () => {
    expect(await list({})).toEqual(['362-2', '362-1', '361-1', '350-2', '350-1'])
    expect(await list({ limit: 2 })).toEqual(['362-2', '362-1'])
    expect(await list({ item: 'ore' })).toEqual(['362-1', '350-2', '350-1'])
    expect(await list({ base: 'a' })).toEqual(['362-2', '362-1', '361-1', '350-1'])
    expect(await list({ base: 'b', item: 'ore' })).toEqual(['350-2'])
    expect(await list({ base: 'b', item: 'ice' })).toEqual([])
    expect(await list({ since: 361 })).toEqual(['362-2', '362-1', '361-1'])
    expect(await list({ sinceMs: START_MS + 3_615_000 })).toEqual(['362-2', '362-1'])
  })

  test('are listed with everything but the parties', async () => {
    const ask = { tick: 350, since: 0, sinceMs: 0, limit: 1 }
    expect((await read('publicFills', ask)).fills).toEqual([
      {
        ...{ tick: 350, n: 2, item: 'ore', base: 'b', bought: true, byStation: false },
        ...{ fromStation: true, units: 1, credits: 8, atMs: START_MS + 3_500_000 },
      },
    ])
  })

  test('are in no list and no sum before their tick is public', async () => {
    expect(await list({ tick: 361 })).toEqual(['361-1', '350-2', '350-1'])
    expect(await sums({ tick: 361 })).toEqual({ trades: 3, units: 15, npcTrades: 1, npcUnits: 1 })
    expect(await sums({})).toEqual({ trades: 5, units: 18, npcTrades: 2, npcUnits: 3 })
    // of an hour that is not public at all
    expect(await sums({ tick: 355 })).toEqual({ trades: 2, units: 11, npcTrades: 1, npcUnits: 1 })
    expect(await sums({ since: 361 })).toEqual({ trades: 3, units: 7, npcTrades: 1, npcUnits: 2 })
    expect(await sums({ tick: 0 })).toEqual({ trades: 0, units: 0, npcTrades: 0, npcUnits: 0 })
  })

  test('rank items by trades, with the average price', async () => {
    expect(await top()).toEqual([
      { item: 'ore', trades: 3, units: 13, vwap: 5.38 },
      { item: 'ice', trades: 2, units: 5, vwap: 98 },
    ])
    expect(await top({ limit: 1, tick: 361 })).toEqual([
      { item: 'ore', trades: 2, units: 11, vwap: 5.27 },
    ])
  })

  test('are kept for seven days, and so are their sums', async () => {
    await commitAt(70_000, [tape(['a', 'ore', 1, 1])])
    const now = new Date(START_MS + 7 * DAY_MS + 3_700_000)
    const pruned = await pruneArchive(database.sql, createPruneState(), now)
    expect(pruned.fills).toBe(5)
    expect(await list({ tick: 100_000 })).toEqual(['70000-1'])
    expect(await sums({ tick: 100_000 })).toMatchObject({ trades: 1 })
  })

  test('are cut out of lists, sums, days and frames by a restore to an earlier batch', async () => {
    const frame = { atMs: START_MS, tickMs: 10_000, ticks: 60, online: 1, battles: 0 }
    const body = new Uint8Array([1])
    await commitAt(363, [])
    await store.saveSnapshot(imageAt(store.headBatch, { tick: 363, wallMs: START_MS + 3_630_000 }))
    const batch = store.headBatch
    await commitAt(364, [tape(['a', 'ore', 50, 6])])
    for (const tick of [360, 420]) await archive.keepFrame({ ...frame, tick, body })
    await database.sql`
      insert into price_day (item, base, day, units, credits, fills)
      values ('ore', '', '2031-01-09', 1, 1, 1), ('ore', '', '2031-01-10', 1, 1, 1)`
    expect(await sums({})).toMatchObject({ trades: 6, units: 68 })
    await store.close()
    await restoreWorld(database.connection, batch)
    expect(await list({ since: 362 })).toEqual(['362-2', '362-1'])
    expect(await sums({})).toEqual({ trades: 5, units: 18, npcTrades: 2, npcUnits: 3 })
    expect(await database.sql`select tick from public_frame`).toMatchObject([{ tick: 360 }])
    const days = await database.sql`select to_char(day, 'DD') as day from price_day`
    expect(days).toMatchObject([{ day: '09' }])
    store = await openStore(database.connection)
  })
})

describe('prices by day', () => {
  type Hour = readonly [base: string, units: number, credits: number, isCharted?: boolean]
  const hour = (tick: number, ...rows: readonly Hour[]): WrittenDown => ({
    method: 'recordPrices',
    args: {
      tick,
      bases: rows.map(([base]) => base),
      items: rows.map(() => 'ore'),
      units: rows.map(([, units]) => units),
      credits: rows.map(([, , credits]) => credits),
      fills: rows.map(() => 2),
      charted: rows.map(([, , , isCharted = true]) => isCharted),
    } satisfies ArchiveWriteArgs['recordPrices'],
  })
  const record = (first: number, ...rows: readonly Hour[]) =>
    commitAt(first + 359, [hour(first, ...rows)])
  const ask = { tick: 20_000, atMs: START_MS + 2 * DAY_MS, since: 0, item: 'ore' }
  const history = async (args: object = {}) =>
    (await read('priceHistory', { ...ask, ...args })).history
  const day = (
    date: string,
    vwap: number,
    volume: number,
    notional: number,
    fill_count: number,
  ) => ({
    ...{ date, vwap, volume, notional, fill_count },
  })
  const all = [
    day('2031-01-10', 6.33, 12, 76, 6),
    day('2031-01-11', 7, 1, 7, 2),
    day('2031-01-12', 9, 2, 18, 2),
  ]

  beforeEach(async () => {
    // noon of the 10th is tick 0, midnight 4,320
    await record(0, ['a', 10, 60], ['b', 1, 10], ['hidden', 500, 1, false])
    await record(3_600, ['a', 1, 6])
    await record(4_320, ['a', 1, 7])
    await record(12_960, ['a', 2, 18])
  })

  test('are summed from hours, for all charted bases or for one', async () => {
    expect(await history()).toEqual(all)
    expect(await history({ base: 'b' })).toEqual([day('2031-01-10', 10, 1, 10, 2)])
    expect(await history({ base: 'hidden' })).toEqual([])
    expect(await history({ days: 2 })).toEqual(all.slice(1))
    expect(await history({ item: 'ice' })).toEqual([])
  })

  test('include an hour once its last tick is public', async () => {
    expect(await history({ tick: 4_320 + 358 })).toEqual(all.slice(0, 1))
    expect(await history({ tick: 4_320 + 359 })).toEqual(all.slice(0, 2))
  })

  test('are the same once sums by day are stored, and stay when hours are removed', async () => {
    const sweep = (ms: number) =>
      pruneArchive(database.sql, createPruneState(), new Date(START_MS + ms))
    await sweep(DAY_MS * 2)
    const rows = await database.sql`
      select base, to_char(day, 'DD') as day from price_day order by base, day`
    expect(rows.map(({ base, day: date }) => `${base}/${date}`)).toEqual([
      ...['/10', '/11', 'a/10', 'a/11', 'b/10'],
    ])
    expect(await history()).toEqual(all)
    expect(await history({ base: 'a' })).toMatchObject([
      { volume: 11 },
      { volume: 1 },
      { volume: 2 },
    ])
    await sweep(DAY_MS * 2)
    expect(await history()).toEqual(all)
    await sweep(DAY_MS * 100)
    expect(await database.sql`select 1 from price_hour`).toHaveLength(0)
    expect(await history()).toEqual(all)
  })
})

describe('frames', () => {
  const keep = (tick: number, online: number) =>
    archive.keepFrame({
      ...{ tick, online, battles: 1, ticks: 60, tickMs: 10_000 },
      ...{ atMs: START_MS + tick * 10_000, body: Buffer.from(`frame ${tick}`) },
    })
  const textAt = async (tick: number) => {
    const found = await read('publicFrame', { tick })
    return found.body ? Buffer.from(found.body as Uint8Array).toString() : found.code
  }

  beforeEach(async () => {
    const fight = (tick: number, kills: number) => ({
      method: 'logBattles',
      args: { rows: [{ battle: tick, tick, kills, entry: {} }] },
    })
    await commitAt(59, [tape(['a', 'ore', 1, 1]), fight(59, 1)])
    await commitAt(61, [tape(['a', 'ore', 1, 1], ['b', 'ore', 1, 1]), fight(61, 4)])
    for (const [tick, online] of [
      [60, 5],
      [120, 3],
      [240, 9],
    ]) {
      await keep(tick, online)
    }
  })

  test('are found by a tick: the latest one at or before it', async () => {
    expect(await textAt(59)).toBe('not_found')
    expect(await textAt(60)).toBe('frame 60')
    expect(await textAt(239)).toBe('frame 120')
  })

  test('are kept once, with counts of fills and kills since the previous frame', async () => {
    await keep(120, 99)
    const { ticks } = await read('publicMoments', { from: 0, to: 1_000, step: 60 })
    expect(ticks).toEqual([
      {
        ...{ tick: 60, online: 5, battles: 1, fills: 1, kills: 1 },
        at: new Date(START_MS + 600_000).toISOString(),
      },
      expect.objectContaining({ tick: 120, online: 3, fills: 2, kills: 4 }),
      expect.objectContaining({ tick: 240, online: 9, fills: 0, kills: 0 }),
    ])
  })

  test('are summed up by steps', async () => {
    const { ticks } = await read('publicMoments', { from: 0, to: 200, step: 180 })
    expect(ticks).toMatchObject([{ tick: 120, online: 5, fills: 3, kills: 5 }])
  })

  test('are kept for thirty days', async () => {
    const pruned = await pruneArchive(
      database.sql,
      createPruneState(),
      new Date(START_MS + 30 * DAY_MS + 1_500_000),
    )
    expect(pruned.frames).toBe(2)
    expect(await textAt(1_000)).toBe('frame 240')
  })
})
