/** The intel map: the players of an account, and what only they and their factions know. */
import { beforeEach, describe, expect, test } from 'vitest'
import { INTEL_SOURCES_MAX } from '../../../core/limits.ts'
import {
  type IntelMap,
  type IntelSystem,
  intelMapBody,
  intelSystemBody,
} from '../../../core/public/intel-map.ts'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId } from '../../../systems/base/model.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { collectSystem } from '../../../systems/intel/rules.ts'
import { reveal } from '../../../systems/sensing/rules.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { lanesFrom, poiId, poisOf, systemId } from '../../../systems/travel/model.ts'
import { placeInSpace, startFlight } from '../../../systems/travel/rules.ts'
import { Location, Poi, StarSystem } from '../../../systems/travel/state.ts'
import { allPaths, entranceSystem, exitSystem } from '../../../systems/wormhole/model.ts'
import { learnPath } from '../../../systems/wormhole/rules.ts'
import { Wormhole } from '../../../systems/wormhole/state.ts'
import { differsFrom } from '../../exact-schema.ts'
import { addService } from '../faction/scene.ts'
import { act, ally, type Bureau, bureau, elsewhere, setOptOut } from './scene.ts'

let scene: Bureau
beforeEach(async () => {
  scene = await bureau({ faction_intel: 1 })
})

/**
 * Returns the answer to an account of these players; it must have exactly the fields of its schema.
 */
function ask<T>(
  command: string,
  players: readonly Eid[],
  params: object,
  schema: typeof intelMapBody,
): T {
  const { small } = scene
  const { seq } = small.world.read(Player)
  const before = small.hash()
  const numbers = players.map((player) => seq[player])
  const outcome = small.ask(0, command, { players: numbers, ...params })
  expect(outcome).toMatchObject({ ok: true })
  const { result } = outcome as { result: T }
  expect(differsFrom(schema, result)).toEqual([])
  expect(small.hash()).toBe(before)
  return result
}
const mapOf = (...players: Eid[]): IntelMap => ask('internal:intel_map', players, {}, intelMapBody)
const systemFor = (id: string, ...players: Eid[]): IntelSystem =>
  ask('internal:intel_system', players, { system_id: id }, intelSystemBody as never)

const idOfSystem = (system: Eid): string => systemId(scene.small.world, system)

/** Returns a hidden place, whether or not a player knows it. */
function hiddenPlace(): { poi: Eid; id: string; system: string } {
  const { world } = scene.small
  const { hidden, system } = world.read(Poi)
  const poi = Array.from({ length: world.highOf(Poi) }, (_, i) => i + 1).find((row) => hidden[row])
  if (!poi) throw new Error('nothing is hidden')
  return { poi, id: poiId(world, poi), system: idOfSystem(system[poi]) }
}

test('an account without players has an empty map', () => {
  const map = mapOf()
  expect(map).toMatchObject({
    current_tick: scene.small.world.tick,
    truncated: false,
    agents: [],
    explored_systems: [],
    revealed_pois: [],
    known_wormholes: [],
    faction_intel: { sources: [], systems: {} },
  })
  expect(Object.keys(map).sort()).toEqual([
    'agents',
    'current_tick',
    'explored_systems',
    'faction_intel',
    'generated_at',
    'known_wormholes',
    'revealed_pois',
    'truncated',
  ])
  expect(systemFor(idOfSystem(scene.system))).toMatchObject({
    has_intel: false,
    agents_here: [],
    nearby_by_poi: {},
    intel_entries: [],
    pois: expect.arrayContaining([expect.objectContaining({ base_id: expect.any(String) })]),
  })
})

test('unknown player numbers are ignored, and repeated ones count once', () => {
  const { world } = scene.small
  const number = world.read(Player).seq[scene.leader]
  const outcome = scene.small.ask(0, 'internal:intel_map', { players: [number, 9_999, number] })
  expect(outcome).toMatchObject({ result: { agents: [{ username: 'Leader' }] } })
})

describe('players', () => {
  test('are shown with place, ship, fuel and faction', () => {
    const { world } = scene.small
    const [agent] = mapOf(scene.leader).agents
    expect(agent).toEqual({
      id: playerId(world, scene.leader),
      username: 'Leader',
      empire: 'solarian',
      hidden: false,
      online: true,
      cloaked: false,
      system: idOfSystem(scene.system),
      poi: poiId(world, world.read(Location).poi[shipOf(world, scene.leader)]),
      docked_at: baseId(world, scene.base),
      faction_id: factionIdOf(world, scene.faction),
      faction_tag: 'FREE',
      faction_name: 'Free Haulers',
      ship_class: expect.any(String),
      ship_name: expect.any(String),
      fuel: expect.any(Number),
      max_fuel: expect.any(Number),
      last_active_at: expect.stringMatching(/^\d{4}-/),
    })
  })

  test('are shown to their own account while cloaked, anonymous or offline', () => {
    const columns = scene.small.world.write(Player)
    for (const column of ['cloaked', 'anonymous'] as const) columns[column][scene.stranger] = 1
    columns.bound[scene.stranger] = 0
    expect(mapOf(scene.stranger).agents).toMatchObject([
      { username: 'Stranger', cloaked: true, hidden: true, online: false },
    ])
    columns.bound[scene.stranger] = 1
    columns.cloaked[scene.stranger] = 0
    columns.anonymous[scene.stranger] = 0
  })

  test('in transit are shown with the route of their travel or jump', () => {
    const { world } = scene.small
    const { small, leader } = scene
    const ship = shipOf(world, leader)
    const [from, to] = poisOf(world, scene.system)
    placeInSpace(world, ship, from)
    startFlight(world, ship, to, 5)
    const ticks = { start_tick: world.tick, arrival_tick: world.tick + 5 }
    const [travelling] = mapOf(leader).agents
    expect(travelling.in_transit).toEqual({
      type: 'travel',
      from: poiId(world, from),
      to: poiId(world, to),
      ...ticks,
    })
    expect(travelling).not.toHaveProperty('poi')
    expect(systemFor(idOfSystem(scene.system), leader)).toMatchObject({
      agents_here: [playerId(world, leader)],
      nearby_by_poi: {},
    })
    placeInSpace(world, ship, from)
    const [next] = lanesFrom(world, scene.system)
    startFlight(world, ship, world.read(StarSystem).entryPoi[next], 5)
    const [jumping] = mapOf(leader).agents
    expect(jumping.in_transit).toEqual({
      type: 'jump',
      from: idOfSystem(scene.system),
      to: idOfSystem(next),
      ...ticks,
    })
    expect(systemFor(idOfSystem(scene.system), leader).agents_here).toEqual([])
    small.tick()
  })
})

describe('the knowledge of players', () => {
  test('covers what any of them has explored, revealed or flown', () => {
    const { world } = scene.small
    scene.small.tick()
    const hidden = hiddenPlace()
    reveal(world, scene.recruit, [hidden.poi])
    const [path] = allPaths(world)
    learnPath(world, scene.recruit, path)
    const [both, leaderOnly] = [mapOf(scene.leader, scene.recruit), mapOf(scene.leader)]
    expect(both.explored_systems.length).toBeGreaterThan(0)
    expect(both.revealed_pois).toEqual([hidden.id])
    expect(both.known_wormholes).toMatchObject([
      {
        entry_system: idOfSystem(entranceSystem(world, path)),
        exit_system: idOfSystem(exitSystem(world, path)),
        exit_poi: '',
      },
    ])
    reveal(world, scene.recruit, [world.read(Wormhole).exit[path]])
    expect(mapOf(scene.recruit).known_wormholes[0].exit_poi).not.toBe('')
    expect(leaderOnly).toMatchObject({ revealed_pois: [], known_wormholes: [] })
    const shown = systemFor(hidden.system, scene.recruit)
    expect(shown).toMatchObject({ has_intel: true })
    expect(shown.pois).toContainEqual(expect.objectContaining({ id: hidden.id, hidden: true }))
    expect(JSON.stringify(systemFor(hidden.system, scene.leader))).not.toContain(hidden.id)
  })

  test('never includes what players of another account know, have or do', () => {
    const { small, leader, recruit, stranger } = scene
    const { world } = small
    small.tick()
    const hidden = hiddenPlace()
    const shown = () => JSON.stringify([mapOf(stranger), systemFor(hidden.system, stranger)])
    const untouched = shown()
    reveal(world, recruit, [hidden.poi])
    for (const path of allPaths(world)) learnPath(world, recruit, path)
    const { id, system } = elsewhere(small, scene.system)
    act(small, leader, 'faction_submit_intel', { systems: [{ system_id: id }] })
    const answers = JSON.stringify([
      mapOf(stranger),
      systemFor(hidden.system, stranger),
      systemFor(idOfSystem(system), stranger),
    ])
    for (const secret of [hidden.id, playerId(world, recruit), playerId(world, leader), 'FREE']) {
      expect(answers).not.toContain(secret)
    }
    const [map] = JSON.parse(untouched)
    const { generated_at: _, current_tick: __, ...rest } = JSON.parse(answers)[0]
    expect(rest).toEqual(
      Object.fromEntries(
        Object.entries(map).filter(([name]) => !['generated_at', 'current_tick'].includes(name)),
      ),
    )
  })
})

describe('a system', () => {
  test('shows who is near its own players, as get_nearby does, and nobody elsewhere', () => {
    const { small, leader, recruit, stranger } = scene
    const { world } = small
    const id = idOfSystem(scene.system)
    const poi = world.read(Location).poi[shipOf(world, leader)]
    const near = systemFor(id, leader).nearby_by_poi[poiId(world, poi)]
    const nearby = small.ask(leader, 'get_nearby') as { result: { count: number } }
    expect(near.count).toBe(nearby.result.count)
    expect(near.nearby).toContainEqual(
      expect.objectContaining({ player_id: playerId(world, recruit), username: 'Recruit' }),
    )
    const away = world.read(StarSystem).entryPoi[elsewhere(small, scene.system).system]
    placeInSpace(world, shipOf(world, stranger), away)
    expect(systemFor(id, stranger).nearby_by_poi).toEqual({})
    const { cloaked, anonymous } = world.write(Player)
    cloaked[recruit] = 1
    expect(JSON.stringify(systemFor(id, leader))).not.toContain(playerId(world, recruit))
    cloaked[recruit] = 0
    anonymous[recruit] = 1
    const unnamed = JSON.stringify(systemFor(id, leader).nearby_by_poi)
    expect(unnamed).not.toContain(playerId(world, recruit))
    expect(unnamed).not.toContain('Recruit')
    anonymous[recruit] = 0
  })

  test('shows deposits only where a player is', () => {
    const { small, leader } = scene
    const { world } = small
    const { depositCount, hidden } = world.read(Poi)
    const belt = poisOf(world, scene.system).find((poi) => depositCount[poi] > 0 && !hidden[poi])
    if (!belt) throw new Error('there is nothing to mine')
    const placeOf = () =>
      systemFor(idOfSystem(scene.system), leader).pois.find(({ id }) => id === poiId(world, belt))
    expect(placeOf()).not.toHaveProperty('resources')
    placeInSpace(world, shipOf(world, leader), belt)
    expect(placeOf()).toMatchObject({ resource_source: 'live', resources: expect.any(Array) })
  })

  test('that does not exist is refused: not_found', () => {
    for (const system_id of ['nowhere', '__proto__', '']) {
      const refused = scene.small.ask(0, 'internal:intel_system', { players: [], system_id })
      expect(refused).toMatchObject({ ok: false, code: 'not_found' })
    }
  })
})

describe('the knowledge of factions', () => {
  const submit = (player: Eid): string => {
    const { id } = elsewhere(scene.small, scene.system)
    const pois = [{ id: 'b', type: 'asteroid_belt', resources: [{ resource_id: 'iron_ore' }] }]
    act(scene.small, player, 'faction_submit_intel', { systems: [{ system_id: id, pois }] })
    return id
  }

  test('is shown to the account of a member, with its source', () => {
    const id = submit(scene.recruit)
    const { world } = scene.small
    const faction_id = factionIdOf(world, scene.faction)
    expect(mapOf(scene.leader).faction_intel).toEqual({
      sources: [{ faction_id, tag: 'FREE', name: 'Free Haulers', intel_level: 1, system_count: 1 }],
      systems: {
        [id]: { sources: [faction_id], latest_tick: world.tick, poi_count: 1, has_resources: true },
      },
    })
    expect(systemFor(id, scene.leader)).toMatchObject({
      has_intel: true,
      intel_entries: [
        {
          source_faction_id: faction_id,
          source_tag: 'FREE',
          intel_level: 1,
          live: false,
          entry: { system_id: id, submitter_name: 'Recruit', pois: [{ id: 'b' }] },
        },
      ],
    })
    expect(mapOf(scene.stranger).faction_intel).toEqual({ sources: [], systems: {} })
  })

  test('is shown to allies, unless their faction opts out', () => {
    const id = submit(scene.leader)
    const { small, faction, leader, recruit } = scene
    const { world } = small
    // The ally has no intel facility, so its members see nothing of others.
    ally(scene)
    expect(mapOf(scene.stranger).faction_intel.sources).toEqual([])
    collectSystem(world, scene.stranger, poisOf(world, scene.system)[0])
    const known = mapOf(leader, recruit)
    expect(known.faction_intel.sources).toMatchObject([
      { tag: 'FREE' },
      { tag: 'HUSH', via_ally_of: 'FREE' },
    ])
    expect(known.faction_intel.systems[id].sources).toEqual([factionIdOf(world, faction)])
    setOptOut(small, scene.rivals, true)
    expect(mapOf(leader).faction_intel.sources).toMatchObject([{ tag: 'FREE' }])
  })

  test('is limited to INTEL_SOURCES_MAX sources, and marked as truncated beyond', () => {
    const { small, base } = scene
    const { world } = small
    const leaders = Array.from({ length: INTEL_SOURCES_MAX + 1 }, (_, i) => {
      const player = small.join(`Founder ${i}`)
      const faction = foundFaction(world, player, `Faction ${i}`, `F${i}`)
      addService(world, faction, base, 'faction_intel', 1)
      return player
    })
    const sourcesOf = (players: readonly Eid[]): unknown => {
      const { truncated, faction_intel } = mapOf(...players)
      return [truncated, faction_intel.sources.length]
    }
    expect(sourcesOf(leaders.slice(1))).toEqual([false, INTEL_SOURCES_MAX])
    expect(sourcesOf(leaders)).toEqual([true, INTEL_SOURCES_MAX])
  })
})
