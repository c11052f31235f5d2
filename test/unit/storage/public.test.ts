/** Public reads of past battles and frames, up to the public tick. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { KeptFrames } from '../../../core/archive-calls.ts'
import { wireId } from '../../../core/entity.ts'
import type { BattleSummary } from '../../../core/public/past.ts'
import { createPruneState, pruneArchive } from '../../../storage/archive/prune.ts'
import { pruneSteps } from '../../../storage/archive/public-frames.ts'
import type { WrittenDown } from '../../archive-writes.ts'
import { commitAt, DAY_MS, past, read, SEED, START_MS, tape, usePast } from './past-scene.ts'

usePast()

describe('battles', () => {
  const id = (battle: number): string => wireId(SEED, 'battle', battle)
  const account = (battle: number, more: Partial<BattleSummary>): BattleSummary => ({
    battle_id: id(battle),
    system_id: 's',
    system_name: 'S',
    status: 'completed',
    category: 'pvp',
    start_tick: 1,
    duration_ticks: 2,
    participant_count: 2,
    total_damage: 5,
    ships_destroyed: 1,
    ships_captured: 0,
    sides: [],
    captures: [],
    ...more,
  })
  const turn = (battle: number, tick: number, more: object = {}) => ({
    battle,
    tick,
    kills: 0,
    entry: { battle_id: id(battle), tick, snapshots: [] },
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
      tick: 1_000,
      limit: 10,
      offset: 0,
      ...args,
    })
    return { ids: (battles as BattleSummary[]).map(({ battle_id }) => battle_id), total }
  }

  beforeEach(async () => {
    await commitAt(10, [log(turn(1, 10), turn(9, 10))])
    await commitAt(11, [log(turn(1, 11, ended(1, ['ann', 'bob'])))])
    await commitAt(12, [log(turn(2, 12, ended(2, ['annie'], { category: 'pirate' })))])
    // In an uncharted system.
    await commitAt(13, [log(turn(3, 13, { summary: { duration_ticks: 1 } }))])
    await commitAt(20, [log(turn(4, 20, ended(4, ['zed'])))])
  })

  test('are listed latest first, without battles in uncharted systems', async () => {
    expect(await list({})).toEqual({ ids: [id(4), id(2), id(1)], total: 3 })
    expect(await list({ limit: 1, offset: 1 })).toEqual({ ids: [id(2)], total: 3 })
    expect(await list({ category: 'pirate' })).toEqual({ ids: [id(2)], total: 1 })
  })

  test('are found by the beginning of a name, in which no character is special', async () => {
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

  test('are not found in uncharted systems or by an unknown id', async () => {
    const ask = { tick: 1_000, from: 0, to: 1_000, limit: 10 }
    for (const battle_id of [id(3), id(77), 'nonsense', wireId(SEED, 'ship', 1)]) {
      for (const method of ['publicBattle', 'publicBattleLog']) {
        expect(await read(method, { ...ask, battle_id })).toEqual({ code: 'battle_not_found' })
      }
    }
  })

  test('have a log in pages, which ends at the public tick while they last', async () => {
    const ask = { tick: 1_000, battle_id: id(1), from: 0, to: 1_000, limit: 1 }
    expect(await read('publicBattleLog', ask)).toMatchObject({
      battle_id: id(1),
      status: 'completed',
      total_ticks: 2,
      has_more: true,
      entries: [{ tick: 10 }],
    })
    expect(await read('publicBattleLog', { ...ask, from: 11 })).toMatchObject({
      has_more: false,
      entries: [{ tick: 11 }],
    })
    const active = account(9, { status: 'active', duration_ticks: 1 })
    const fought = { ...ask, battle_id: id(9), active }
    expect(await read('publicBattleLog', { ...fought, tick: 9 })).toMatchObject({ entries: [] })
    expect(await read('publicBattleLog', { ...fought, tick: 10 })).toMatchObject({
      status: 'active',
      total_ticks: 1,
      entries: [{ tick: 10 }],
    })
  })

  test('are removed, with the names in them, after thirty days', async () => {
    const later = new Date(START_MS + 31 * DAY_MS)
    await pruneArchive(past.database.sql, createPruneState(), later)
    expect(await list({})).toEqual({ ids: [], total: 0 })
    expect(await past.database.sql`select 1 from battle_name`).toHaveLength(0)
  })
})

describe('frames', () => {
  const keep = (tick: number, online: number) =>
    past.archive.keepFrame({
      tick,
      online,
      battles: 1,
      ticks: 60,
      tickMs: 10_000,
      atMs: START_MS + tick * 10_000,
      body: Buffer.from(`frame ${tick}`),
    })
  const keepStep = (tick: number, base: number | null) =>
    past.archive.keepStep({ tick, base, body: Buffer.from(`step ${tick}`) })
  const textOf = (body: Uint8Array): string => Buffer.from(body).toString()
  const textAt = async (tick: number) => {
    const { frame, code } = (await read('publicFrame', { tick })) as Partial<
      KeptFrames & { code: string }
    >
    return frame ? textOf(frame.body) : code
  }
  const stepsAt = async (tick: number) => {
    const { steps } = (await read('publicFrame', { tick })) as unknown as KeptFrames
    return steps.map(({ tick, base, body }) => [tick, base, textOf(body)])
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

  test('are stored once a tick, with fills and kills since the previous frame', async () => {
    await keep(120, 99)
    const { ticks } = await read('publicMoments', { from: 0, to: 1_000, step: 60 })
    expect(ticks).toEqual([
      {
        tick: 60,
        online: 5,
        battles: 1,
        fills: 1,
        kills: 1,
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

  test('come with the steps between them and the tick', async () => {
    for (const tick of [58, 59, 61, 62, 119, 121])
      await keepStep(tick, tick === 58 ? null : tick - 1)
    // A gateway beside this one has written it already.
    await keepStep(62, 1)
    expect(await stepsAt(59)).toEqual([
      [58, null, 'step 58'],
      [59, 58, 'step 59'],
    ])
    expect(await textAt(59)).toBeUndefined()
    expect(await stepsAt(60)).toEqual([])
    expect(await stepsAt(118)).toEqual([
      [61, 60, 'step 61'],
      [62, 61, 'step 62'],
    ])
    expect(await stepsAt(239)).toEqual([[121, 120, 'step 121']])
    expect(await stepsAt(240)).toEqual([])
  })

  test('the oldest steps go when all together have too many bytes', async () => {
    for (const tick of [61, 62, 121, 122]) await keepStep(tick, tick - 1)
    const { sql } = past.database
    expect(await pruneSteps(sql, 4 * 'step 121'.length)).toBe(0)
    expect(await pruneSteps(sql, 20)).toBe(2)
    expect(await stepsAt(62)).toEqual([])
    expect(await stepsAt(122)).toHaveLength(2)
  })

  test('steps go with the frames before them', async () => {
    for (const tick of [1, 61, 241]) await keepStep(tick, null)
    await past.database.sql`delete from public_frame where tick < 240`
    expect(await pruneSteps(past.database.sql)).toBe(2)
    expect(await stepsAt(241)).toHaveLength(1)
  })

  test('are kept for thirty days', async () => {
    const pruned = await pruneArchive(
      past.database.sql,
      createPruneState(),
      new Date(START_MS + 30 * DAY_MS + 1_500_000),
    )
    expect(pruned.frames).toBe(2)
    expect(await textAt(1_000)).toBe('frame 240')
  })
})
