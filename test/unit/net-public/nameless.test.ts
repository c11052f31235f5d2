/** SPECTATOR_NAMES=off: nothing that the public can read of a battle tells who fights in it. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ArchiveRead, KeptFrame } from '../../../core/archive-calls.ts'
import { ACHIEVEMENTS } from '../../../core/catalog/index.ts'
import { ok } from '../../../core/errors.ts'
import type { LogRow } from '../../../core/public/battle-log.ts'
import { FEED_EVENTS, type FeedMessage } from '../../../core/public/events.ts'
import type { PublicFrame } from '../../../core/public/frame.ts'
import type { BattleSummary } from '../../../core/public/past.ts'
import { TOPIC_EVENTS } from '../../../core/public/topics.ts'
import type { AchievementsBody } from '../../../core/public/world.ts'
import { createPublicFrames } from '../../../net/public/frames.ts'
import { keepFrames } from '../../../net/public/keeper.ts'
import { namelessFrame } from '../../../net/public/nameless.ts'
import { readQuery } from '../../../net/public/routes.ts'
import { playerId, usernameOf } from '../../../systems/account/model.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { createProjection } from '../../../systems/spectator/frame-views.ts'
import { differsFrom } from '../../exact-schema.ts'
import { faultsIn, frameOf, INFO, rowOf, stateOf } from '../../public-world.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting } from '../combat/scene.ts'

onSmallMap()

/** The frame of a duel, its rows in the archive, and all texts that identify its pilots. */
let frame: PublicFrame
let rows: LogRow[]
let secrets: readonly string[]

beforeAll(async () => {
  const scene = await meeting(2)
  const { small, world, players } = scene
  const projection = createProjection()
  frameOf(world, projection)
  const attack = () => small.act(players[0], 'attack', { target_id: scene.id(players[1]) })
  expect(attack()).toMatchObject({ ok: true })
  rows = []
  const observe = () => {
    projection.observe(world, world.outbox)
    for (const write of world.outbox.writes)
      if (write.method === 'logBattles')
        rows.push(...write.args.rows.map(({ entry }) => entry as LogRow))
  }
  observe()
  small.ticks(1)
  observe()
  frame = frameOf(world, projection, true)
  secrets = players.flatMap((player) => [
    usernameOf(world, player),
    playerId(world, player),
    shipId(world, hullOf(world, player)),
  ])
})

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? [...(part as never)] : part))

const expectNameless = (value: unknown): void => {
  for (const secret of secrets) expect(textOf(value)).not.toContain(secret)
}

/** Requests a public address about battles; the archive answers with `result`. */
async function get(address: string, result: unknown, showsNames = false) {
  const [path, query = ''] = address.split('?')
  const row = rowOf(path.replace(/\d+$/, ':tick'))
  if (row.source === 'timeless') throw new Error(`${path} is of no tick`)
  const reads: ArchiveRead[] = []
  const archive = {
    async read(call: ArchiveRead) {
      reads.push(call)
      return ok(result)
    },
  }
  const shown = showsNames ? frame : namelessFrame(frame)
  const params = { tick: /\d+$/.exec(path)?.[0] ?? '' }
  const about = { ...INFO, showsNames }
  const values = readQuery(row, new URLSearchParams(query))
  const outcome = await row.body(stateOf(shown), { params, query: values, archive, about })
  if (!outcome.ok) throw new Error(outcome.code)
  expect(faultsIn(row.schema, outcome.result)).toEqual([])
  return { body: outcome.result as Record<string, unknown>, reads }
}

/** Returns the battle of the frame as the archive keeps it once it is over. */
const past = (): BattleSummary => {
  const [battle] = frame.battles
  const from = battle.player_names?.[0] ?? ''
  const captures = [{ tick: 1, ship_class: 'penny', from, to: from }]
  const top_damage = { username: from, damage: 5 }
  return { ...battle, status: 'completed', destroyed_names: [from], captures, top_damage }
}

test('with names the frame, the archive and the summary do name the pilots', async () => {
  const id = frame.battles[0].battle_id
  for (const text of [
    textOf(frame.battles),
    textOf(frame.turns),
    textOf(frame.events),
    textOf(rows),
  ]) {
    expect(secrets.some((secret) => text.includes(secret))).toBe(true)
  }
  const { body } = await get(`/api/battle/summary?battle_id=${id}`, past(), true)
  expect(textOf(body)).toContain(secrets[0])
})

describe('without names', () => {
  test('neither battles, turns nor events of a frame name pilots', () => {
    const shown = namelessFrame(frame)
    expectNameless([shown.battles, shown.turns, shown.events])
    const [battle] = shown.battles
    expect(battle).toMatchObject({ participant_count: 2, category: 'pvp', status: 'active' })
    const [turn] = shown.turns
    expect(differsFrom(TOPIC_EVENTS.battle, turn)).toEqual([])
    expect(turn.ships).toMatchObject([
      { name: '', side: 1, kind: 'player' },
      { name: '', side: 2, kind: 'player' },
    ])
    expect(new Set(turn.ships?.map(({ id }) => id)).size).toBe(2)
    expect(turn.states).toEqual(frame.turns[0].states)
    for (const { type, data } of shown.events)
      expect(differsFrom(FEED_EVENTS[type], data)).toEqual([])
  })

  test('the conquest of a station is public without its conqueror', () => {
    const attacker = secrets[0]
    const event: FeedMessage<'base_destroyed'> = {
      type: 'base_destroyed',
      timestamp: '',
      tick: 1,
      data: { base_name: 'Port', attacker },
      player_info: { [attacker]: { empire: 'solarian' } },
    }
    const { events } = namelessFrame({ ...frame, events: [event] })
    expect(events).toEqual([
      { type: 'base_destroyed', timestamp: '', tick: 1, data: { base_name: 'Port' } },
    ])
  })

  test('a battle in the archive is shown without its pilots and not found by their names', async () => {
    const id = frame.battles[0].battle_id
    const list = await get('/api/battles', { battles: [past()], total: 1 })
    expect(list.body.battles).toHaveLength(2)
    expectNameless(list.body)
    const summary = await get('/api/battle/summary?battle_id=another', past())
    expect(summary.body).toMatchObject({ battle_id: id, participant_count: 2 })
    expectNameless(summary.body)
    const search = `/api/battles?search=${encodeURIComponent(secrets[0].slice(0, 4))}`
    const found = await get(search, { battles: [past()], total: 1 })
    expect(found).toEqual({ body: { battles: [], total: 0, has_more: false }, reads: [] })
    const named = await get(search, { battles: [], total: 0 }, true)
    expect(named.body.battles).toHaveLength(1)
  })

  test('the log of a battle has the ship ids of its turns, which no other battle has', async () => {
    const { battle_id } = rows[0]
    const body = { battle_id, status: 'active', total_ticks: 2, has_more: false, entries: rows }
    const log = await get(`/api/battle/log?battle_id=${battle_id}`, body)
    expectNameless(log.body)
    const entries = log.body.entries as LogRow[]
    const ids = entries[0].snapshots.map(({ player_id }) => player_id)
    expect(ids).toEqual(namelessFrame(frame).turns[0].ships?.map(({ id }) => id))
    expect(entries[0].snapshots.map(({ hull }) => hull)).toEqual(
      rows[0].snapshots.map(({ hull }) => hull),
    )
    const other = { ...body, battle_id: 'other' }
    const elsewhere = (await get('/api/battle/log?battle_id=other', other)).body.entries as LogRow[]
    expect(ids).not.toContain(elsewhere[0].snapshots[0].player_id)
  })

  test('frames are kept without names, and those kept with names are shown without', async () => {
    const kept: KeptFrame[] = []
    const frames = createPublicFrames({
      delay: 0,
      clock: { wallMs: () => 0, monoMs: () => 0 },
      log: { error: () => {} },
      tickMs: () => 10_000,
      shown: namelessFrame,
    })
    const net = {
      frames,
      archive: { keepFrame: async (keptFrame: KeptFrame) => void kept.push(keptFrame) },
      link: { state: () => ({ tickMs: 10_000 }) },
      log: { warn: () => {} },
    }
    keepFrames(net as unknown as Parameters<typeof keepFrames>[0], true)
    const tick = Math.ceil((frame.tick + 1) / 60) * 60
    frames.take({ ...frame, tick: tick - 1 })
    frames.take({ ...frame, tick })
    await expect.poll(() => kept.length).toBe(1)
    expectNameless((await promisify(gunzip)(kept[0].body as Uint8Array)).toString())
    const moment = {
      tick: 60,
      at: '',
      territory: { systems: {}, wars: [] },
      battles: [past()],
      activity: {
        current_tick: 60,
        online: {},
        battles: {},
        strongholds: {},
        transits: [],
        npc: {},
        heat: {},
      },
    }
    const frame60 = { tick: 60, body: await promisify(gzip)(JSON.stringify(moment)) }
    const before = { frame: frame60, steps: [] }
    const { body } = await get('/api/history/1', before)
    expect(body.battles).toHaveLength(1)
    expectNameless(body)
  })
})

test('without names achievements are dated to the hour, not to the tick of a kill', async () => {
  const state = stateOf(frame)
  const [[name, number]] = [...state.playerNumbers]
  const docs = state.docs.playerRecords as Map<string, string>
  const [{ no }] = ACHIEVEMENTS
  const atMs = Date.parse('2026-09-01T10:42:07.000Z')
  docs.set(`${number}`, JSON.stringify({ stats: {}, earned: [[no, atMs]] }))
  const row = rowOf('/api/players/:name/achievements')
  const timeFor = async (showsNames: boolean): Promise<unknown> => {
    if (row.source === 'timeless') throw new Error('achievements are of no tick')
    const context = { params: { name }, query: {}, about: { ...INFO, showsNames } }
    const outcome = await row.body(state, context as never)
    const { achievements } = (outcome as { result: AchievementsBody }).result
    return achievements.find(({ earned }) => earned)?.earned_at
  }
  expect(await timeFor(true)).toContain('10:42:07')
  expect(await timeFor(false)).toContain('10:00:00')
})
