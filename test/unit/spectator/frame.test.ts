/** The public frame of a real world, and the bodies that main makes of it. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { applyFrame, type PublicState } from '../../../net/public/state.ts'
import { PUBLIC_ROWS } from '../../../net/public/table.ts'
import { Player, PlayerStats, STATS_WIDTH } from '../../../systems/account/state.ts'
import { createProjection } from '../../../systems/spectator/frame-views.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { askPublic, faultsIn, frameOf, INFO, rowOf, stateOf } from '../../public-world.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let ada: Eid
let bea: Eid

beforeAll(async () => {
  small = await smallWorld()
  ada = small.join('Ada')
  bea = small.join('Bea')
  small.act(ada, 'create_faction', { name: 'Ore Guild', tag: 'ORE1' })
  small.ticks(1)
})

const bodyOf = async (state: PublicState, path: string, params = {}, about = INFO) => {
  const outcome = await askPublic(state, rowOf(path), params, about)
  if (!outcome.ok) return outcome.code
  return JSON.parse(JSON.stringify(outcome.result))
}

describe('bodies', () => {
  test('have exactly the public fields, each of its type', async () => {
    const state = stateOf(frameOf(small.world))
    const [station] = state.docs.stations.keys()
    const [system] = state.systemIndexes.keys()
    const params = { name: 'ADA', tag: 'ore1', item_id: 'iron_ore' }
    const ids = { station_id: station, system_id: system }
    const rows = PUBLIC_ROWS.filter(({ source }) => source !== 'archive')
    expect(rows.length).toBeGreaterThan(15)
    for (const row of rows.filter(({ bucket }) => bucket === 'page')) {
      const body = await bodyOf(state, row.path, { ...params, ...ids })
      expect(typeof body, row.path).toBe('object')
      expect(faultsIn(row.schema, body), row.path).toEqual([])
    }
  })

  test('of unknown things are refused: not_found', async () => {
    const state = stateOf(frameOf(small.world))
    const params = { name: 'Nobody', tag: 'NONE', item_id: 'x', station_id: 'x', system_id: 'x' }
    for (const row of PUBLIC_ROWS.filter(({ param, source }) => param && source === 'frame'))
      expect(await bodyOf(state, row.path, params), row.path).toBe('not_found')
  })

  test('name nobody if the host shows no names', async () => {
    const state = stateOf(frameOf(small.world))
    const about = { ...INFO, showsNames: false }
    const profile = await bodyOf(state, '/api/players/:name', { name: 'Ada' }, about)
    expect(profile.location).toBeUndefined()
    const system_id = (await bodyOf(state, '/api/players/:name', { name: 'Ada' })).location
      .system_id
    const text = JSON.stringify(
      await bodyOf(state, '/api/map/system/:system_id', { system_id }, about),
    )
    expect(text).not.toContain('Ada')
    expect(text).toContain('"online":2')
  })
})

describe('hidden players and places', () => {
  const placeOfAda = async () => {
    const state = stateOf(frameOf(small.world))
    const { location } = await bodyOf(state, '/api/players/:name', { name: 'Ada' })
    const { online } = await bodyOf(state, '/api/map/activity')
    return { location, online: Object.values(online).reduce((a, b) => Number(a) + Number(b), 0) }
  }

  test('are in no list and no count under a cloak', async () => {
    const { cloaked } = small.world.write(Player)
    expect(await placeOfAda()).toMatchObject({
      location: { docked_station_id: expect.any(String) },
    })
    cloaked[ada] = 1
    expect(await placeOfAda()).toEqual({ location: undefined, online: 1 })
    cloaked[ada] = 0
  })

  test('are counted, but not located, while anonymous', async () => {
    const { anonymous } = small.world.write(Player)
    anonymous[ada] = 1
    expect(await placeOfAda()).toEqual({ location: undefined, online: 2 })
    anonymous[ada] = 0
  })

  test('are left off the chart if they are places', async () => {
    const state = stateOf(frameOf(small.world))
    const { hidden } = small.world.read(Poi)
    const all = Array.from({ length: small.world.highOf(Poi) }, (_, i) => hidden[i + 1])
    expect(state.chart.pois).toHaveLength(all.filter((value) => value === 0).length)
    expect(all).toContain(1)
  })
})

describe('later frames', () => {
  test('add up to the same as a full frame', () => {
    const projection = createProjection()
    const state = stateOf(frameOf(small.world, projection))
    small.ask(bea, 'set_status', { status_message: 'Here I am.', clan_tag: 'AB' })
    small.join('Cid')
    for (let i = 0; i < 8; i++) {
      small.ticks(1)
      const frame = frameOf(small.world, projection, false)
      expect(frame.isFull).toBe(false)
      applyFrame(state, frame)
    }
    const fresh = stateOf(frameOf(small.world))
    expect(state.presence).toEqual(fresh.presence)
    for (const section of ['stations', 'factions', 'players'] as const)
      expect(Object.fromEntries(state.docs[section])).toEqual(
        Object.fromEntries(fresh.docs[section]),
      )
    expect([...state.docs.players.values()].join()).toContain('Here I am.')
    const linesOf = ({ books }: PublicState) =>
      [...books].map(([key, { bid, ask }]) => `${key} ${bid.levels} ${ask.levels}`).sort()
    expect(linesOf(state)).toEqual(linesOf(fresh))
  })

  test('report a counter once an hour', () => {
    const projection = createProjection()
    const state = stateOf(frameOf(small.world, projection))
    const { values } = small.world.write(PlayerStats)
    const key = String(small.world.read(Player).seq[bea])
    const before = state.docs.playerRecords.get(key)
    values[bea * STATS_WIDTH + 2] += 77
    let shownTick = -1
    for (let i = 0; i < 360 && shownTick < 0; i++) {
      small.world.tick++
      applyFrame(state, frameOf(small.world, projection, false))
      if (state.docs.playerRecords.get(key) !== before) shownTick = small.world.tick
    }
    values[bea * STATS_WIDTH + 2] -= 77
    expect(shownTick % 360).toBe(Math.floor(bea / 16) % 360)
  })
})
