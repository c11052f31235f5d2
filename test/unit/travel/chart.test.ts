/** The chart, routes and nearby players: travel.md sections 1, 5, 8, 9. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import {
  neighboursOf,
  poiId,
  poisOf,
  poiType,
  routeBetween,
  shipsAt,
  systemId,
  systemName,
} from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, StarSystem } from '../../../systems/travel/state.ts'
import { securityStatus } from '../../../systems/travel/views.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let viewer: Eid
let other: Eid

beforeAll(async () => {
  small = await smallWorld({ players: 2 })
  viewer = small.players[0]
  other = small.players[1]
})

const resultOf = (outcome: unknown) => (outcome as { result: Record<string, unknown> }).result
const route = (target: string) =>
  resultOf(small.ask(viewer, 'find_route', { target_system: target }))

/** Computes distances from a system by plain relaxation. */
function distances(start: Eid): number[] {
  const { world } = small
  const jumpsTo: number[] = Array(world.highOf(StarSystem) + 1).fill(Number.POSITIVE_INFINITY)
  jumpsTo[start] = 0
  for (let changed = true; changed; ) {
    changed = false
    for (let system = 1; system < jumpsTo.length; system++) {
      for (const { to } of neighboursOf(world, system)) {
        if (jumpsTo[system] + 1 >= jumpsTo[to]) continue
        jumpsTo[to] = jumpsTo[system] + 1
        changed = true
      }
    }
  }
  return jumpsTo
}

describe('routes', () => {
  test('are the shortest, and each of their steps is a lane', () => {
    const start = systemOf(small.world, viewer)
    const jumpsTo = distances(start)
    for (let target = 1; target < jumpsTo.length; target += 7) {
      const found = routeBetween(small.world, start, target) as Eid[]
      expect(found.length - 1).toBe(jumpsTo[target])
      for (let i = 1; i < found.length; i++) {
        const lanes = neighboursOf(small.world, found[i - 1]).map(({ to }) => to)
        expect(lanes).toContain(found[i])
      }
    }
  })

  test('lead to systems by id or name, to places and to bases', () => {
    const { world } = small
    const target = neighboursOf(world, systemOf(world, viewer))[0].to
    const byId = route(systemId(world, target))
    expect(byId).toMatchObject({ found: true, total_jumps: 1, estimated_fuel: 2 })
    expect((byId.route as unknown[]).length).toBe(2)
    const { police } = world.read(StarSystem)
    expect(byId.route).toMatchObject([{}, { police_level: police[target] }])
    expect(byId.estimated_ticks).toBe(5)
    expect(
      resultOf(small.ask(viewer, 'get_map', { system_id: systemId(world, target) })),
    ).toMatchObject({ police_level: police[target] })
    expect(route(systemName(world, target))).toMatchObject({
      target_system: systemId(world, target),
    })
    const base = resultOf(small.ask(viewer, 'get_base')).base as { id: string; poi_id: string }
    expect(route(base.id)).toMatchObject({ found: true, total_jumps: 0, target_poi: base.poi_id })
    expect(route(base.poi_id)).toMatchObject({ target_poi: base.poi_id })
  })

  test('name the fuel aboard if it does not suffice', () => {
    const { world } = small
    const target = neighboursOf(world, systemOf(world, viewer))[0].to
    const ship = shipOf(world, viewer)
    const full = world.read(Ship).fuel[ship]
    expect(route(systemId(world, target)).message).toMatch(/, 2 units of fuel\.$/)
    world.write(Ship).fuel[ship] = 1
    expect(route(systemId(world, target)).message).toMatch(/fuel; you have 1: .*refuel/)
    world.write(Ship).fuel[ship] = full
  })

  test('to unknown targets are answered as not found, without a refusal', () => {
    expect(route('nowhere')).toMatchObject({ found: false, route: [], target_system: 'nowhere' })
    expect(small.ask(viewer, 'find_route', { target_system: '  ' })).toMatchObject({
      code: 'invalid_payload',
    })
  })
})

describe('the chart', () => {
  test('lists every system, with visits and the number of players online', () => {
    const map = resultOf(small.ask(viewer, 'get_map'))
    const systems = map.systems as { visited: boolean; online: number; visited_at: string }[]
    expect(systems.length).toBe(small.world.countOf(StarSystem))
    expect(systems.filter((system) => system.visited).length).toBe(1)
    expect(systems.find((system) => system.visited)).toMatchObject({ online: 2 })
    expect(systems.find((system) => !system.visited)).toMatchObject({ visited_at: '' })
    expect(small.ask(viewer, 'get_map', { system_id: 'nowhere' })).toMatchObject({
      code: 'invalid_system',
    })
  })

  test('is searched by name in any case, with at most 20 results', () => {
    const found = resultOf(small.ask(viewer, 'search_systems', { query: 'A' }))
    const names = (found.systems as { name: string }[]).map(({ name }) => name)
    expect(names.length).toBe(20)
    expect(names).toEqual([...names].sort())
    expect(found.total_found).toBeGreaterThan(20)
    expect(small.ask(viewer, 'search_systems', { query: ' ' })).toMatchObject({ ok: false })
  })

  test('describes police levels in words', () => {
    expect([100, 99, 60, 59, 20, 19, 1, 0].map(securityStatus)).toEqual([
      'max',
      'high',
      'high',
      'medium',
      'medium',
      'low',
      'low',
      'lawless',
    ])
  })
})

describe('nearby players', () => {
  const nearby = () => resultOf(small.ask(viewer, 'get_nearby')).nearby as object[]

  test('are listed with what they show, without the viewer', () => {
    expect(nearby()).toMatchObject([{ username: 'Tester 2', docked: true, anonymous: false }])
    const agents = resultOf(small.ask(viewer, 'get_system_agents'))
    expect(agents).toMatchObject({ count: 1, agents: [{ username: 'Tester 2' }] })
  })

  test('are the same entries in a second answer unless they changed', () => {
    const [before] = nearby()
    expect(nearby()[0]).toBe(before)
    small.world.setText(Player, 'statusMessage', other, 'Back in an hour')
    expect(nearby()).toMatchObject([{ status_message: 'Back in an hour' }])
    small.world.setText(Player, 'statusMessage', other, '')
    expect(nearby()).toEqual([before])
  })

  test('appear in no answer while they are cloaked', () => {
    small.world.write(Player).cloaked[other] = 1
    const queries = ['get_nearby', 'get_system_agents', 'get_system', 'get_poi']
    const answers = queries.map((name) => JSON.stringify(small.ask(viewer, name))).join()
    const text = answers + JSON.stringify(small.world.section('location', viewer))
    expect(text).not.toContain('Tester 2')
    expect(text).not.toContain('"online":2')
    small.world.write(Player).cloaked[other] = 0
  })

  test('appear without a name while they are anonymous', () => {
    small.world.write(Player).anonymous[other] = 1
    const text = JSON.stringify(nearby())
    expect(text).not.toContain('Tester 2')
    expect(nearby()).toMatchObject([{ anonymous: true, username: '' }])
    small.world.write(Player).anonymous[other] = 0
  })

  test('are marked while offline, and only counted beyond 20', async () => {
    const crowd = await smallWorld({ players: 25 })
    const [watcher, ...rest] = crowd.players
    for (const player of rest) {
      crowd.world.write(Player).bound[player] = 0
    }
    const seen = resultOf(crowd.ask(watcher, 'get_nearby'))
    expect(seen).toMatchObject({ count: 24, offline_collapsed: 4 })
    expect((seen.nearby as object[]).length).toBe(20)
    expect((seen.nearby as object[])[0]).toMatchObject({ offline: true })
  })

  test('have their ships listed in the order of creation', () => {
    const { world } = small
    const poi = world.read(Location).poi[world.read(Player).ship[viewer]]
    const ships = shipsAt(world, poi)
    expect(ships).toEqual([viewer, other].map((player) => world.read(Player).ship[player]))
  })
})

test('every view of a place shows an ice field as its type', () => {
  const { world } = small
  const pois = poisOf(world, systemOf(world, viewer))
  const field = pois.find((poi) => poiType(world, poi) === 'ice_field') as Eid
  const id = poiId(world, field)
  const chart = resultOf(small.ask(viewer, 'get_system')).system as { pois: object[] }
  expect(chart.pois).toContainEqual(expect.objectContaining({ id, type: 'ice_field' }))
  placeInSpace(world, shipOf(world, viewer), field)
  const found = resultOf(small.ask(viewer, 'get_poi')).poi as { resources: object[] }
  expect(found).toMatchObject({ id, type: 'ice_field', class: 'ice_field' })
  expect(found.resources.length).toBeGreaterThan(0)
  const location = resultOf(small.ask(viewer, 'v2:game/get_location'))
  expect(JSON.stringify(location)).toContain('"poi_type":"ice_field"')
  const inspected = resultOf(small.ask(viewer, 'inspect', { id }))
  expect(JSON.stringify(inspected)).toContain('"type":"ice_field"')
})
