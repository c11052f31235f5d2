/** Public reads of past trades and prices, up to the public tick. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ArchiveWriteArgs } from '../../../core/archive-calls.ts'
import { createPruneState, pruneArchive } from '../../../storage/archive/prune.ts'
import { restoreWorld } from '../../../storage/restore.ts'
import type { WrittenDown } from '../../archive-writes.ts'
import { imageAt } from './fixture.ts'
import { commitAt, DAY_MS, past, read, START_MS, tape, usePast } from './past-scene.ts'

usePast()

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

  test('are listed with all fields but the parties', async () => {
    const ask = { tick: 350, since: 0, sinceMs: 0, limit: 1 }
    expect((await read('publicFills', ask)).fills).toEqual([
      {
        tick: 350,
        n: 2,
        item: 'ore',
        base: 'b',
        bought: true,
        byStation: false,
        fromStation: true,
        units: 1,
        credits: 8,
        atMs: START_MS + 3_500_000,
      },
    ])
  })

  test('are in no list and no sum before their tick is public', async () => {
    expect(await list({ tick: 361 })).toEqual(['361-1', '350-2', '350-1'])
    expect(await sums({ tick: 361 })).toEqual({ trades: 3, units: 15, npcTrades: 1, npcUnits: 1 })
    expect(await sums({})).toEqual({ trades: 5, units: 18, npcTrades: 2, npcUnits: 3 })
    // The hour of this tick is not public as a whole.
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
    const pruned = await pruneArchive(past.database.sql, createPruneState(), now)
    expect(pruned.fills).toBe(5)
    expect(await list({ tick: 100_000 })).toEqual(['70000-1'])
    expect(await sums({ tick: 100_000 })).toMatchObject({ trades: 1 })
  })

  test('are removed by a restore to an earlier batch, as are days and frames', async () => {
    const frame = { atMs: START_MS, tickMs: 10_000, ticks: 60, online: 1, battles: 0 }
    const body = new Uint8Array([1])
    await commitAt(363, [])
    await past.store.saveSnapshot(
      imageAt(past.store.headBatch, { tick: 363, wallMs: START_MS + 3_630_000 }),
    )
    const batch = past.store.headBatch
    await commitAt(364, [tape(['a', 'ore', 50, 6])])
    for (const tick of [360, 420]) {
      await past.archive.keepFrame({ ...frame, tick, body })
      await past.archive.keepStep({ tick: tick + 1, base: tick, body })
    }
    await past.database.sql`
      insert into price_day (item, base, day, units, credits, fills)
      values ('ore', '', '2031-01-09', 1, 1, 1), ('ore', '', '2031-01-10', 1, 1, 1)`
    expect(await sums({})).toMatchObject({ trades: 6, units: 68 })
    await past.store.close()
    await restoreWorld(past.database.connection, batch)
    expect(await list({ since: 362 })).toEqual(['362-2', '362-1'])
    expect(await sums({})).toEqual({ trades: 5, units: 18, npcTrades: 2, npcUnits: 3 })
    expect(await past.database.sql`select tick from public_frame`).toMatchObject([{ tick: 360 }])
    expect(await past.database.sql`select tick from public_step`).toMatchObject([{ tick: 361 }])
    const days = await past.database.sql`select to_char(day, 'DD') as day from price_day`
    expect(days).toMatchObject([{ day: '09' }])
    await past.openStore()
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
  ) => ({ date, vwap, volume, notional, fill_count })
  const all = [
    day('2031-01-10', 6.33, 12, 76, 6),
    day('2031-01-11', 7, 1, 7, 2),
    day('2031-01-12', 9, 2, 18, 2),
  ]

  beforeEach(async () => {
    // Noon of the 10th is tick 0, midnight 4,320.
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

  test('are the same from stored sums by day, also after their hours are removed', async () => {
    const sweep = (ms: number) =>
      pruneArchive(past.database.sql, createPruneState(), new Date(START_MS + ms))
    await sweep(DAY_MS * 2)
    const rows = await past.database.sql`
      select base, to_char(day, 'DD') as day from price_day order by base, day`
    expect(rows.map(({ base, day: date }) => `${base}/${date}`)).toEqual([
      '/10',
      '/11',
      'a/10',
      'a/11',
      'b/10',
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
    expect(await past.database.sql`select 1 from price_hour`).toHaveLength(0)
    expect(await history()).toEqual(all)
  })
})
