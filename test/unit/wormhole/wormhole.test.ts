/** Wormholes: opening, transit, known paths and collapse. Source: travel.md sections 1, 4, 5. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Eid, Row, World } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { reveal } from '../../../systems/sensing/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import { poiId, poiName, routeBetween, systemId } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import {
  allPaths,
  entranceSystem,
  exitSystem,
  jumpsFrom,
  knowsPath,
  routeFor,
} from '../../../systems/wormhole/model.ts'
import { collapsePath, learnPath, linkMouths } from '../../../systems/wormhole/rules.ts'
import {
  LIFE_TICKS,
  MOUTHS_MAX,
  Mouth,
  PATH_JUMPS_MIN,
  PATHS_OPEN_MAX,
  SETTLING_TICKS,
  Wormhole,
} from '../../../systems/wormhole/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let start: SmallWorld
let small: SmallWorld
let pilot: Eid
let path: Row

beforeAll(async () => {
  start = await smallWorld({ players: 2 })
  start.tick()
})
beforeEach(async () => {
  small = await start.reload()
  pilot = small.world.rowOf(Player, 1)
  path = allPaths(small.world)[0]
  goTo(entranceSystem(small.world, path))
})

const entrance = (): Eid => small.world.read(Wormhole).entrance[path]
const exit = (): Eid => small.world.read(Wormhole).exit[path]

const places = (world: World): Eid[] => Array.from({ length: world.highOf(Poi) }, (_, i) => i + 1)

function goTo(system: Eid): void {
  const { world } = small
  placeInSpace(world, shipOf(world, pilot), world.read(StarSystem).entryPoi[system])
  const { fuel, fuelMax } = world.write(Ship)
  fuel[shipOf(world, pilot)] = fuelMax[shipOf(world, pilot)]
}

function setLevel(skill: string, level: number): void {
  small.world.write(PlayerSkills).level[pilot * SKILLS_WIDTH + skillIndex(skill)] = level
}

const jumpTo = (target_system: string) => small.act(pilot, 'jump', { target_system })
const resultOf = (command: string, params: object = {}) => {
  const outcome = small.ask(pilot, command, params)
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as Record<string, unknown>
}

describe('opening', () => {
  test('a galaxy has paths from its first tick, between mouths far apart', () => {
    const { world } = small
    const { system } = world.read(Poi)
    const paths = allPaths(world)
    expect(paths.length).toBeGreaterThan(PATHS_OPEN_MAX / 2)
    const { entrance: from, exit: to, endTick, stability } = world.read(Wormhole)
    for (const row of paths) {
      const route = routeBetween(world, system[from[row]], system[to[row]])
      expect(route?.length).toBeGreaterThan(PATH_JUMPS_MIN)
      const life = endTick[row] - world.tick
      expect(life).toBeGreaterThanOrEqual(LIFE_TICKS.min)
      expect(life).toBeLessThanOrEqual(LIFE_TICKS.max)
      expect(stability[row]).toBeGreaterThanOrEqual(1)
      expect(stability[row]).toBeLessThanOrEqual(5)
    }
    const { state } = world.read(Mouth)
    const mouths = places(world).filter((poi) => state[poi] > 0)
    expect(mouths).toHaveLength(MOUTHS_MAX)
  })

  test('a path of the longest life has the highest stability', () => {
    const { world } = small
    const { state } = world.read(Mouth)
    const dormant = places(world).filter((poi) => state[poi] === 1)
    const row = linkMouths(world, dormant[0], dormant[1], LIFE_TICKS.max - LIFE_TICKS.min)
    expect(world.read(Wormhole).stability[row]).toBe(5)
  })
})

describe('entering', () => {
  test('an entrance that is not revealed cannot be entered', () => {
    const id = poiId(small.world, entrance())
    expect(jumpTo(id)).toMatchObject({ ok: false, code: 'invalid_system' })
  })

  test('a revealed entrance takes the ship to the exit and makes the path known', () => {
    const { world } = small
    setLevel('navigation', 5)
    setLevel('exploration', 3)
    reveal(world, pilot, [entrance()])
    const far = exitSystem(world, path)
    expect(jumpTo(systemId(world, far))).toMatchObject({ ok: false, code: 'not_connected' })
    const { fuel } = world.read(Ship)
    const before = fuel[shipOf(world, pilot)]
    expect(jumpTo(poiId(world, entrance()))).toMatchObject({
      ok: true,
      result: { system_id: systemId(world, far), poi_id: poiId(world, exit()) },
    })
    expect(fuel[shipOf(world, pilot)]).toBeLessThan(before)
    expect(systemOf(world, pilot)).toBe(far)
    expect(knowsPath(world, pilot, path)).toBe(true)
    expect(statOf(world, pilot, 'wormholes_traversed')).toBe(1)
    const xp = world.read(PlayerSkills).xp[pilot * SKILLS_WIDTH + skillIndex('wormhole_navigation')]
    expect(xp).toBe(50)
    expect(resultOf('get_poi')).toMatchObject({ poi: { class: 'wormhole_exit', hidden: true } })
  })

  test('a path trains wormhole_navigation once a day', () => {
    const { world } = small
    setLevel('navigation', 5)
    setLevel('exploration', 3)
    reveal(world, pilot, [entrance()])
    const slot = pilot * SKILLS_WIDTH + skillIndex('wormhole_navigation')
    for (let transit = 0; transit < 2; transit++) {
      goTo(entranceSystem(world, path))
      expect(jumpTo(poiId(world, entrance())).ok).toBe(true)
    }
    expect(world.read(PlayerSkills).xp[slot]).toBe(50)
    expect(statOf(world, pilot, 'wormholes_traversed')).toBe(2)
  })

  test('an exit cannot be entered', () => {
    const { world } = small
    reveal(world, pilot, [exit()])
    goTo(exitSystem(world, path))
    const refused = jumpTo(poiId(world, exit()))
    expect(refused).toMatchObject({ ok: false, code: 'not_connected' })
  })

  test('get_poi at an unidentified entrance names the skill that identifies it', () => {
    const { world } = small
    reveal(world, pilot, [entrance()])
    placeInSpace(world, shipOf(world, pilot), entrance())
    expect(resultOf('get_poi')).toMatchObject({
      poi: { type: 'relic', class: 'wormhole_entrance' },
      wormhole_prediction_hint: expect.stringContaining('wormhole_navigation'),
    })
  })
})

describe('a known path', () => {
  test('is learned by a survey with enough skill', () => {
    const { world } = small
    reveal(world, pilot, [entrance()])
    const ship = shipOf(world, pilot)
    world.write(Ship).surveyPower[ship] = 1
    setLevel('wormhole_navigation', 20 * world.read(Wormhole).stability[path] - 1)
    small.act(pilot, 'survey_system')
    expect(knowsPath(world, pilot, path)).toBe(false)
    setLevel('wormhole_navigation', 20 * world.read(Wormhole).stability[path])
    const far = systemId(world, exitSystem(world, path))
    const survey = small.act(pilot, 'survey_system')
    expect(survey).toMatchObject({ ok: true, result: { message: expect.stringContaining(far) } })
    expect(knowsPath(world, pilot, path)).toBe(true)
  })

  test('counts as one jump in find_route', () => {
    const { world } = small
    const target_system = systemId(world, exitSystem(world, path))
    const before = resultOf('find_route', { target_system })
    expect(before.total_jumps).toBeGreaterThanOrEqual(PATH_JUMPS_MIN)
    learnPath(world, pilot, path)
    expect(resultOf('find_route', { target_system })).toMatchObject({
      total_jumps: 1,
      route: [
        { jumps: 0 },
        {
          system_id: target_system,
          jumps: 1,
          via_wormhole: true,
          entrance_poi: poiId(world, entrance()),
        },
      ],
    })
    expect(jumpTo(target_system).ok).toBe(true)
  })

  test('can be entered by the name of its entrance, at the entrance', () => {
    const { world } = small
    learnPath(world, pilot, path)
    reveal(world, pilot, [entrance()])
    placeInSpace(world, shipOf(world, pilot), entrance())
    expect(jumpTo(poiName(world, entrance())).ok).toBe(true)
  })

  test('shortens jumpsFrom and routeFor alike, for every system', () => {
    const { world } = small
    const start = entranceSystem(world, path)
    const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
    const counted = () => systems.map(jumpsFrom(world, pilot, start))
    const routed = () =>
      systems.map((system) => (routeFor(world, pilot, start, system)?.length ?? 0) - 1)
    const byLanes = counted()
    expect(byLanes).toEqual(routed())
    learnPath(world, pilot, path)
    const nearer = counted()
    expect(nearer).toEqual(routed())
    expect(nearer).not.toEqual(byLanes)
  })

  test('is shown by get_poi at its entrance, with destination and remaining life', () => {
    const { world } = small
    learnPath(world, pilot, path)
    placeInSpace(world, shipOf(world, pilot), entrance())
    const left = world.read(Wormhole).endTick[path] - world.tick
    expect(resultOf('get_poi')).toMatchObject({
      wormhole_destination_id: systemId(world, exitSystem(world, path)),
      wormhole_expires_in: `${left} ticks`,
    })
  })
})

describe('collapsing', () => {
  test('a path ends at its last tick and is removed after its mouths have settled', () => {
    const { world } = small
    const mouths = [entrance(), exit()]
    const number = world.read(Wormhole).seq[path]
    learnPath(world, pilot, path)
    reveal(world, pilot, mouths)
    world.write(Wormhole).endTick[path] = world.tick + 1
    small.tick()
    expect(mouths.map((poi) => world.texts.get(world.read(Poi).class[poi]))).toEqual([
      'wormhole_collapsed',
      'wormhole_collapsed',
    ])
    const refused = jumpTo(poiId(world, mouths[0]))
    expect(refused).toMatchObject({ ok: false, code: 'not_connected' })
    const target_system = systemId(world, exitSystem(world, path))
    expect(resultOf('find_route', { target_system }).total_jumps).toBeGreaterThan(1)
    small.ticks(SETTLING_TICKS)
    expect(world.rowOf(Wormhole, number)).toBe(0)
  })

  test('a ship in transit arrives even if the path collapses meanwhile', () => {
    const { world } = small
    reveal(world, pilot, [entrance()])
    const far = exitSystem(world, path)
    small.tick({
      player: pilot,
      command: 'jump',
      params: { target_system: poiId(world, entrance()) },
    })
    collapsePath(world, path)
    small.ticks(10)
    expect(systemOf(world, pilot)).toBe(far)
    expect(resultOf('get_poi')).toMatchObject({ poi: { class: 'wormhole_collapsed' } })
  })
})
