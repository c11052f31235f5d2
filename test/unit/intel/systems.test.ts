/** System intel of a faction: submitting, querying and counting, and what they require. */
import { beforeEach, describe, expect, test } from 'vitest'
import { FACILITIES } from '../../../core/catalog/index.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { factionFacilities } from '../../../systems/facility/model.ts'
import { DAMAGED } from '../../../systems/facility/state.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { bytesOf, mayKeepNotes, notedBy } from '../../../systems/intel/model.ts'
import { keepNotes } from '../../../systems/intel/rules.ts'
import {
  INTEL_FACTION_BYTES_MAX,
  INTEL_SYSTEM_BYTES_MAX,
  INTEL_WORLD_BYTES_MAX,
  SYSTEM_NOTES,
} from '../../../systems/intel/state.ts'
import {
  poiId,
  poiName,
  poisOf,
  poiType,
  systemId,
  systemName,
} from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { allPaths, entranceSystem, exitSystem } from '../../../systems/wormhole/model.ts'
import { learnPath } from '../../../systems/wormhole/rules.ts'
import { refusesNow } from '../faction/scene.ts'
import { act, ally, ask, type Bureau, bureau, elsewhere, refusesMove, setOptOut } from './scene.ts'

let scene: Bureau
beforeEach(async () => {
  scene = await bureau({ faction_intel: 1 })
})

const submit = (systems: readonly object[], player = scene.recruit) =>
  act(scene.small, player, 'faction_submit_intel', { systems })
const query = (params: object = {}, player = scene.leader) =>
  ask(scene.small, player, 'faction_query_intel', params)
const refusesSubmission = (systems: readonly object[], refusal: object | string) =>
  refusesMove(scene.small, scene.recruit, ['faction_submit_intel', { systems }], refusal)

/** Upgrades the intel facility to the second tier. */
function upgrade(): void {
  const { world } = scene.small
  const type = FACILITIES.findIndex(({ id }) => id === 'faction_intel_centre')
  changeState(world, factionFacilities(world, scene.faction)[0], { type })
}

const belt = (id = 'old_belt', resource_id = 'iron_ore') => ({
  id,
  name: 'Old Belt',
  type: 'Asteroid_Belt',
  position: { x: 1.25, y: -3 },
  resources: [{ resource_id, richness: 40, remaining: 900 }],
})

describe('faction_submit_intel', () => {
  test('keeps intel as given, with its submitter and tick, for every member', () => {
    const { id } = elsewhere(scene.small, scene.system)
    const given = {
      system_id: id,
      name: 'Dust',
      description: 'Nobody\nthere.',
      empire: 'crimson',
      police_level: 7,
      connections: [{ system_id: 'far', name: 'Far', distance: 3 }],
      pois: [belt()],
    }
    expect(submit([given])).toMatchObject({ count: 1, status: 'submitted' })
    const { world } = scene.small
    expect(query()).toMatchObject({ count: 1, total: 1, intel_level: 1, live_systems: [] })
    expect(query().entries).toEqual([
      {
        ...given,
        submitted_at_tick: world.tick,
        submitted_by: playerId(world, scene.recruit),
        submitter_name: 'Recruit',
        auto_synced: false,
      },
    ])
  })

  test('needs only the id of a system', () => {
    const { id, system } = elsewhere(scene.small, scene.system)
    submit([{ system_id: id, pois: [{ id: 'x' }] }])
    const police_level = scene.small.world.read(StarSystem).police[system]
    expect(query().entries).toMatchObject([
      { system_id: id, name: systemName(scene.small.world, system), police_level },
    ])
    expect(query().entries).toMatchObject([
      { pois: [{ id: 'x', name: 'x', type: 'unknown', position: { x: 0, y: 0 } }] },
    ])
  })

  test('takes name, type and position of a place from the chart where they are not given', () => {
    const { world } = scene.small
    const { id, system } = elsewhere(scene.small, scene.system)
    const poi = poisOf(world, system).find((row) => world.read(Poi).hidden[row] === 0) ?? 0
    const { x, y } = world.read(Poi)
    const pois = [{ id: poiId(world, poi) }]
    submit([{ system_id: id, pois }])
    const position = { x: x[poi] / 1_000, y: y[poi] / 1_000 }
    const charted = { ...pois[0], name: poiName(world, poi), type: poiType(world, poi), position }
    expect(query().entries).toMatchObject([{ pois: [charted] }])
    world.write(Poi).hidden[poi] = 1
    expect(query().entries).toMatchObject([{ pois: [{ name: pois[0].id, type: 'unknown' }] }])
    world.write(Poi).hidden[poi] = 0
  })

  test('shares the wormholes that the member knows there, which others may then jump', () => {
    const { world } = scene.small
    scene.small.ticks(1)
    const [path] = allPaths(world)
    const far = systemId(world, exitSystem(world, path))
    learnPath(world, scene.recruit, path)
    const { leader } = scene
    const entry = world.read(StarSystem).entryPoi[entranceSystem(world, path)]
    placeInSpace(world, world.read(Player).ship[leader], entry)
    expect(scene.small.act(leader, 'jump', { target_system: far }).ok).toBe(false)
    const given = [{ system_id: systemId(world, entranceSystem(world, path)) }]
    const recorded = (message: string) => ({ message: expect.stringMatching(message) })
    expect(submit(given)).toMatchObject(recorded(' New to the faction: 1 wormhole.$'))
    expect(submit(given)).toMatchObject(recorded('1 system recorded.$'))
    expect(scene.small.act(leader, 'jump', { target_system: far }).ok).toBe(true)
  })

  test('keeps the newest intel of each system', () => {
    const [first, second] = [0, 1].map((nth) => elsewhere(scene.small, scene.system, nth).id)
    submit([
      { system_id: first, description: 'First.' },
      { system_id: second, description: 'Other.' },
    ])
    submit([{ system_id: first, description: 'Second.' }], scene.leader)
    expect(query({ system_id: first }).entries).toMatchObject([
      { description: 'Second.', submitter_name: 'Leader' },
    ])
    expect(query().total).toBe(2)
  })

  test('drops unknown fields, whatever their names', () => {
    const { id } = elsewhere(scene.small, scene.system)
    const odd = JSON.parse(`{"system_id":"${id}","__proto__":{"name":"x"},"constructor":1,"z":2}`)
    submit([odd])
    expect(query().entries).toMatchObject([{ system_id: id }])
    expect(Object.keys((query().entries as object[])[0])).not.toContain('z')
  })

  test('is refused as a whole, and changes nothing', async () => {
    const { id } = elsewhere(scene.small, scene.system)
    const entry = (fields: object) => ({ system_id: id, ...fields })
    const invalid = { code: 'invalid_payload' }
    refusesSubmission([{ system_id: 'constructor' }], invalid)
    refusesSubmission([entry({}), entry({})], invalid)
    refusesSubmission([entry({ pois: [belt(), belt()] })], invalid)
    refusesSubmission([entry({ description: 'a\u202eb' })], invalid)
    refusesSubmission([entry({ pois: [{ ...belt(), name: '\ud800' }] })], invalid)
    refusesSubmission([entry({ name: 'x'.repeat(129) })], 'too_long')
    const pois = Array.from({ length: 100 }, (_, i) => belt(`belt_${i}`))
    expect(JSON.stringify(pois).length).toBeGreaterThan(INTEL_SYSTEM_BYTES_MAX)
    refusesSubmission([entry({ pois })], invalid)
    refusesSubmission([], invalid)
  })

  test('needs a working intel facility and a faction', async () => {
    const { id } = elsewhere(scene.small, scene.system)
    const request = ['faction_submit_intel', { systems: [{ system_id: id }] }] as const
    refusesMove(scene.small, scene.stranger, request, 'no_intel_facility')
    const nobody = scene.small.join('Nobody')
    refusesMove(scene.small, nobody, request, 'not_in_faction')
    changeState(scene.small.world, factionFacilities(scene.small.world, scene.faction)[0], {
      status: DAMAGED,
    })
    refusesMove(scene.small, scene.recruit, request, 'no_intel_facility')
  })

  test('drops the oldest intel of a faction above its size limit', () => {
    const { world } = scene.small
    const given = JSON.stringify({ system_id: 'x', description: 'y'.repeat(8_000) })
    const note = { given, pois: 0, types: [], finds: [] }
    const countMax = Math.floor(INTEL_FACTION_BYTES_MAX / given.length)
    const keepFrom = (first: number, count: number) => {
      const notes = Array.from({ length: count }, (_, i) => ({ system: first + i, note }))
      return keepNotes(world, scene.recruit, notes).dropped
    }
    expect(keepFrom(1, countMax)).toBe(0)
    scene.small.tick()
    expect(keepFrom(countMax + 1, 3)).toBe(3)
    expect(bytesOf(world, scene.faction)).toBeLessThanOrEqual(INTEL_FACTION_BYTES_MAX)
    const left = notedBy(world, scene.faction)
    expect(left).toHaveLength(countMax)
    expect([left[0], left.at(-1)]).toEqual([4, countMax + 3])
  })

  test('is limited in size over all factions', () => {
    const { world } = scene.small
    const given = 'y'.repeat(INTEL_SYSTEM_BYTES_MAX)
    const notes = (count: number) =>
      Array.from({ length: count }, () => ({ system: 1, note: { given } }))
    const countMax = INTEL_WORLD_BYTES_MAX / INTEL_SYSTEM_BYTES_MAX
    expect(mayKeepNotes(world, scene.faction, notes(countMax))).toBe(true)
    expect(mayKeepNotes(world, scene.faction, notes(countMax + 1))).toBe(false)
  })
})

describe('faction_query_intel', () => {
  test('filters by id and by part of a name, in pages', () => {
    const found = [0, 1, 2].map((nth) => elsewhere(scene.small, scene.system, nth))
    submit(found.map(({ id }) => ({ system_id: id })))
    expect(query({ system_id: found[1].id })).toMatchObject({ total: 1 })
    expect(query({ system_id: 'constructor' })).toMatchObject({ total: 0, entries: [] })
    const name = systemName(scene.small.world, found[2].system).toUpperCase()
    expect(query({ system_name: name.slice(0, -1) }).total).toBeGreaterThan(0)
    expect(query({ limit: 2, offset: 1 })).toMatchObject({
      count: 2,
      total: 3,
      limit: 2,
      offset: 1,
      entries: [{ system_id: found[1].id }, { system_id: found[2].id }],
    })
    expect(query({ limit: 1_000 })).toMatchObject({ limit: 100 })
    expect(query()).toMatchObject({ limit: 50, current_tick: scene.small.world.tick })
  })

  test('filters by place type and by resource on the second tier only', () => {
    const [first, second] = [0, 1].map((nth) => elsewhere(scene.small, scene.system, nth).id)
    submit([{ system_id: first, pois: [belt('b', 'Gold_Ore')] }, { system_id: second }])
    for (const filter of [{ poi_type: 'asteroid_belt' }, { resource_type: 'gold_ore' }]) {
      refusesNow(scene.small, scene.leader, ['faction_query_intel', filter], 'intel_level_too_low')
    }
    upgrade()
    expect(query({ poi_type: ' ASTEROID_belt', system_id: first })).toMatchObject({ total: 1 })
    expect(query({ resource_type: 'gold_ore', system_id: first })).toMatchObject({ total: 1 })
    expect(query({ resource_type: 'gold_ore', system_id: second })).toMatchObject({ total: 0 })
    expect(query({ poi_type: 'asteroid_belt', system_id: second })).toMatchObject({ total: 0 })
    const hole = { id: 'hole', type: 'relic', class: 'wormhole_exit' }
    submit([{ system_id: second, pois: [hole, { id: 'cold', type: 'ice_field' }] }])
    for (const poi_type of ['relic', 'wormhole_exit', 'ice_field']) {
      expect(query({ poi_type, system_id: second }), poi_type).toMatchObject({ total: 1 })
    }
  })

  test('returns live intel of the system of its base on the second tier', () => {
    upgrade()
    const { world } = scene.small
    const id = systemId(world, scene.system)
    expect(query()).toMatchObject({
      total: 1,
      intel_level: 2,
      live_systems: [id],
      entries: [{ system_id: id, submitted_at_tick: world.tick, submitter_name: 'Free Haulers' }],
    })
    scene.small.tick()
    expect(query().entries).toMatchObject([{ submitted_at_tick: world.tick, auto_synced: true }])
  })

  test('returns the intel of an ally unless it opts out', () => {
    const { world } = scene.small
    submit([{ system_id: elsewhere(scene.small, scene.system).id }])
    const request = (source_faction_id: string) =>
      ['faction_query_intel', { source_faction_id }] as const
    refusesNow(scene.small, scene.stranger, request('FREE'), 'no_intel_facility')
    refusesNow(scene.small, scene.leader, request('HUSH'), 'not_allied')
    refusesNow(scene.small, scene.leader, request('__proto__'), 'faction_not_found')
    expect(query({ source_faction_id: 'free' })).toMatchObject({ total: 1 })
    ally(scene)
    setOptOut(scene.small, scene.rivals, true)
    refusesNow(scene.small, scene.leader, request('hush'), 'intel_withheld')
    setOptOut(scene.small, scene.rivals, false)
    expect(query({ source_faction_id: factionIdOf(world, scene.rivals) })).toMatchObject({
      total: 0,
    })
  })

  test('needs a faction', () => {
    const nobody = scene.small.join('Nobody')
    for (const command of ['faction_query_intel', 'faction_intel_status']) {
      refusesNow(scene.small, nobody, [command, {}], 'not_in_faction')
      refusesNow(scene.small, scene.stranger, [command, {}], 'no_intel_facility')
    }
  })
})

describe('faction_intel_status', () => {
  const status = () => ask(scene.small, scene.leader, 'faction_intel_status')

  test('counts systems and places, and names the top contributor', () => {
    const { world } = scene.small
    const total = world.countOf(StarSystem)
    const nothing = { systems_known: 0, pois_known: 0, coverage_pct: 0, contributors: 0 }
    expect(status()).toEqual({ intel_level: 1, total_systems: total, ...nothing })
    const ids = [0, 1, 2].map((nth) => elsewhere(scene.small, scene.system, nth).id)
    submit([{ system_id: ids[0], pois: [belt('a'), belt('b')] }], scene.leader)
    submit([{ system_id: ids[1] }, { system_id: ids[2], pois: [belt()] }])
    expect(status()).toEqual({
      intel_level: 1,
      systems_known: 3,
      total_systems: total,
      pois_known: 3,
      coverage_pct: Math.floor(3_000 / total) / 10,
      contributors: 2,
      top_contributor: 'Recruit',
      top_contributions: 2,
      most_recent_tick: world.tick,
    })
  })
})

test('system intel survives a restart and is deleted with the faction', async () => {
  const { small, leader, recruit, faction } = scene
  submit([{ system_id: elsewhere(small, scene.system).id, description: 'Ünique.' }])
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  expect(ask(restored, leader, 'faction_query_intel')).toEqual(query())
  restored.tick()
  act(small, recruit, 'leave_faction')
  act(small, leader, 'leave_faction')
  expect(small.world.records(SYSTEM_NOTES).size).toBe(0)
  expect(bytesOf(small.world, faction)).toBe(0)
})
