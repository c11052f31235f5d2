/** Docking, travel and jumps over real ticks: travel.md sections 2, 3, 4, 6, 9. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import { recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { levelOf, xpOf } from '../../../systems/skill/model.ts'
import { jump } from '../../../systems/travel/commands.ts'
import { poiOf, shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import {
  neighboursOf,
  poiId,
  poisOf,
  routeBetween,
  systemId,
} from '../../../systems/travel/model.ts'
import { Location, Poi, REVEALED, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let first: Eid
let second: Eid

let start: SmallWorld

beforeAll(async () => {
  start = await smallWorld({ players: 2 })
})
beforeEach(async () => {
  small = await start.reload()
  const rows = [1, 2].map((number) => small.world.rowOf(Player, number))
  first = rows[0]
  second = rows[1]
})

const place = (id: string) => ({ target_poi: id })
const system = (id: string) => ({ target_system: id })
const here = () => poisOf(small.world, systemOf(small.world, first))
const ids = () => here().map((poi) => poiId(small.world, poi))
const station = () => poiId(small.world, poiOf(small.world, first))
const elsewhere = () => ids().find((id) => id !== station()) as string
const neighbour = () => {
  const [lane] = neighboursOf(small.world, systemOf(small.world, first))
  return systemId(small.world, lane.to)
}
const fuelOf = (player: Eid) => small.world.read(Ship).fuel[shipOf(small.world, player)]
const codeOf = (outcome: unknown) => (outcome as { code?: string }).code
const resultOf = (outcome: unknown) => (outcome as { result: Record<string, unknown> }).result

describe('docking', () => {
  test('ends with undock, after which undock and get_base are refused: not_docked', () => {
    const docked = poiOf(small.world, first)
    expect(small.act(first, 'undock')).toEqual({ ok: true, result: { action: 'undock' } })
    expect(poiOf(small.world, first)).toBe(docked)
    expect(small.act(first, 'undock')).toMatchObject({
      code: 'not_docked',
      message: 'You are in space already: there is nothing to undock from.',
    })
    expect(small.ask(first, 'get_base')).toMatchObject({
      code: 'not_docked',
      message: expect.stringMatching(/^You are beside .+: .*dock.* first\.$/),
    })
  })

  test('returns a briefing, and is refused to a docked ship: already_docked', () => {
    small.act(first, 'undock')
    const briefing = resultOf(small.act(first, 'dock'))
    expect(briefing).toMatchObject({ action: 'dock', storage_items: 0, open_orders: [] })
    expect(briefing.station_condition).toMatchObject({ condition: 'thriving' })
    expect(codeOf(small.act(first, 'dock'))).toBe('already_docked')
    expect(statOf(small.world, first, 'times_docked')).toBe(1)
  })

  test('is refused where there is no base: no_base', () => {
    small.act(first, 'travel', place(elsewhere()))
    expect(codeOf(small.act(first, 'dock'))).toBe('no_base')
  })

  test('warns of a nearly empty tank', () => {
    small.act(first, 'undock')
    small.world.write(Ship).fuel[shipOf(small.world, first)] = 0
    expect(resultOf(small.act(first, 'dock')).fuel_warning).toContain('a jump takes 2')
  })

  test('is refused at a pirate base without standing: access_denied', () => {
    const base = small.world.read(Location).base[shipOf(small.world, first)]
    small.act(first, 'undock')
    const { pirateRepRequired } = small.world.write(Base)
    pirateRepRequired[base] = 10
    expect(small.act(first, 'dock')).toMatchObject({
      code: 'access_denied',
      details: { pirate_rep_required: 10 },
    })
  })
})

describe('travel', () => {
  test('undocks first, burns fuel and answers on arrival', () => {
    const before = fuelOf(first)
    const target = elsewhere()
    const answer = small.answer(first, 'travel', place(target))
    expect(answer.autoUndocked).toBe(true)
    expect(resultOf(answer.outcome)).toMatchObject({
      action: 'arrived',
      poi_id: target,
      online_players: [],
      xp_gained: { navigation: 3, piloting: 5 },
    })
    expect(poiId(small.world, poiOf(small.world, first))).toBe(target)
    expect(fuelOf(first)).toBeLessThan(before)
    expect(xpOf(small.world, first, 'navigation')).toBe(3)
  })

  test('accepts the id of a base for its place', () => {
    const home = station()
    const base = resultOf(small.ask(first, 'get_base')).base as { id: string }
    small.act(first, 'travel', place(elsewhere()))
    expect(resultOf(small.act(first, 'travel', place(base.id))).poi_id).toBe(home)
  })

  test('is refused without fuel, and to a place that is unknown, current or elsewhere', () => {
    const [far] = poisOf(small.world, neighboursOf(small.world, systemOf(small.world, first))[0].to)
    const code = (target: string) => codeOf(small.act(first, 'travel', place(target)))
    expect(code('no_such_place')).toBe('invalid_poi')
    expect(code(poiId(small.world, far))).toBe('wrong_system')
    expect(code(station())).toBe('already_there')
    small.world.write(Ship).fuel[shipOf(small.world, first)] = 0
    expect(small.act(first, 'travel', place(elsewhere()))).toMatchObject({
      code: 'no_fuel',
      details: { have: 0 },
    })
  })

  test('finds hidden places once they are revealed, and deep cores with a module only', () => {
    const { world } = small
    const target = here().find((poi) => poiId(world, poi) === elsewhere()) as Eid
    world.write(Poi).hidden[target] = 1
    world.setText(Poi, 'class', target, 'deep_core')
    const travelCode = () => codeOf(small.act(first, 'travel', place(poiId(world, target))))
    expect(travelCode()).toBe('invalid_poi')
    expect(JSON.stringify(small.ask(first, 'get_system'))).not.toContain(poiId(world, target))
    world.records(REVEALED).set('1', [world.read(Poi).seq[target]])
    expect(travelCode()).toBe('no_deep_core_access')
    expect(JSON.stringify(small.ask(second, 'get_system'))).not.toContain(poiId(world, target))
    world.write(Ship).deepCore[shipOf(world, first)] = 1
    expect(travelCode()).toBeUndefined()
  })

  test('has an acknowledgement with destination and arrival tick', () => {
    const params = system(neighbour())
    const previewed = jump.preview?.(small.world, first, params)
    small.tick({ player: first, command: 'jump', params })
    expect(previewed).toEqual({
      destination: neighbour(),
      arrival_tick: small.world.read(Location).arriveTick[shipOf(small.world, first)],
    })
    expect(jump.preview?.(small.world, second, system('nowhere'))).toEqual({})
  })

  test('refuses every mutation during a flight, with the seconds left', () => {
    const ship = shipOf(small.world, first)
    const jumping = { player: first, command: 'jump', params: system(neighbour()) }
    expect(small.tick(jumping).size).toBe(0)
    const arriveTick = small.world.read(Location).arriveTick[ship]
    expect(arriveTick).toBe(small.world.tick + 5)
    expect(small.answer(first, 'mine').outcome).toMatchObject({
      code: 'in_transit',
      details: { seconds_until_arrival: 50, arrival_tick: arriveTick },
    })
    expect(resultOf(small.ask(first, 'get_system')).kind).toBe('transit')
    expect(resultOf(small.ask(first, 'get_poi')).kind).toBe('transit')
    expect(resultOf(small.ask(first, 'get_nearby'))).toMatchObject({ nearby: [], poi_id: '' })
    expect(codeOf(small.ask(first, 'get_system_agents'))).toBe('in_transit')
  })

  test('lets queries that need a dock fail with not_docked during a flight', () => {
    small.tick({ player: first, command: 'jump', params: system(neighbour()) })
    const queries = [...small.registry.commands.entries()].filter(
      ([key, { kind }]) => kind === 'query' && !key.startsWith('internal:'),
    )
    const refused = queries.flatMap(([key, def]) => {
      const params = (def.params.properties ?? {}) as Record<string, { examples?: unknown[] }>
      const required = (def.params as { required?: string[] }).required ?? []
      const sample = Object.fromEntries(required.map((name) => [name, params[name].examples?.[0]]))
      return codeOf(small.ask(first, key, sample)) === 'in_transit' ? [def.name] : []
    })
    expect(refused).toEqual(['get_system_agents'])
    const facility = small.ask(first, 'facility', { action: 'list' })
    expect([facility, small.ask(first, 'view_market')]).toMatchObject(
      Array(2).fill({
        code: 'not_docked',
        details: { seconds_until_arrival: 50 },
        message:
          'The ship is under way and arrives in 50 seconds. \u0091dock\u0092 at a station there.',
      }),
    )
  })

  test('shows players who arrive together to each other', () => {
    const target = elsewhere()
    const go = (player: Eid) => ({ player, command: 'travel', params: place(target) })
    let answers = small.tick(go(first), go(second))
    while (answers.size === 0) answers = small.tick()
    expect(resultOf(answers.get(first))).toMatchObject({
      online_players: [{ username: 'Tester 2' }],
      online_players_count: 1,
    })
    expect(resultOf(answers.get(second)).online_players).toMatchObject([{ username: 'Tester 1' }])
  })

  test('continues a flight in a loaded world', async () => {
    small.tick({ player: first, command: 'jump', params: system(neighbour()) })
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    for (const instance of [small, restored]) instance.ticks(6)
    expect(restored.hash()).toBe(small.hash())
    expect(restored.world.read(Location).state[shipOf(restored.world, first)]).toBe(1)
  })
})

describe('jump', () => {
  test('needs the piloting level of the ship class: piloting_required', () => {
    const need = SHIP_CLASSES.find(({ piloting_required }) => piloting_required > 0)
    small.world.write(Ship).class[shipOf(small.world, first)] = SHIP_CLASSES.indexOf(need as never)
    recompute(small.world, shipOf(small.world, first))
    expect(small.act(first, 'jump', system(neighbour()))).toMatchObject({
      code: 'piloting_required',
      details: { need: need?.piloting_required, level: levelOf(small.world, first, 'piloting') },
    })
  })

  test('goes along lanes only', () => {
    const { world } = small
    const from = systemOf(world, first)
    const lanes = new Set(neighboursOf(world, from).map(({ to }) => to))
    const far = [...Array(world.highOf(StarSystem)).keys()].map((i) => i + 1)
    const isFar = (row: Eid): boolean => row !== from && !lanes.has(row)
    const other = far.find((row) => isFar(row) && routeBetween(world, from, row)) as Eid
    const code = (target: string) => codeOf(small.act(first, 'jump', system(target)))
    expect(code('nowhere')).toBe('invalid_system')
    const route = routeBetween(world, from, other) as Eid[]
    const next = systemId(world, route[1])
    expect(small.act(first, 'jump', system(systemId(world, other)))).toMatchObject({
      code: 'not_connected',
      message: expect.stringContaining(`${route.length - 1} jumps away, by ${next} first`),
      details: { next },
    })
    expect(code(systemId(world, from))).toBe('already_there')
    expect(code('270.5')).toBe('no_pathfinder_drive')
  })

  test('arrives at the entry, and only a first visit trains exploration', () => {
    const home = systemId(small.world, systemOf(small.world, first))
    const there = neighbour()
    const result = resultOf(small.act(first, 'jump', system(there)))
    expect(result).toMatchObject({
      action: 'jumped',
      system_id: there,
      navigation_xp: 15,
      exploration_xp: 50,
    })
    const { entryPoi } = small.world.read(StarSystem)
    expect(poiOf(small.world, first)).toBe(entryPoi[systemOf(small.world, first)])
    expect(statOf(small.world, first, 'systems_visited')).toBe(2)
    expect(statOf(small.world, first, 'jumps_completed')).toBe(1)
    expect(resultOf(small.act(first, 'jump', system(home))).exploration_xp).toBeUndefined()
    expect(levelOf(small.world, first, 'exploration')).toBe(0)
    expect(xpOf(small.world, first, 'exploration')).toBe(50)
  })
})
