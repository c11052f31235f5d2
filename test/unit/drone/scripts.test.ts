/** Evaluation of drone scripts: conditions, steps, memory and slots. drones.md 3.4, 3.5, 6. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid, Row, World } from '../../../core/types.ts'
import { COUNTERS } from '../../../core/world.ts'
import { Player } from '../../../systems/account/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { participantOf } from '../../../systems/combat/model.ts'
import { hop } from '../../../systems/drone/lifecycle-rules.ts'
import { memoryOf } from '../../../systems/drone/model.ts'
import { Drone } from '../../../systems/drone/state.ts'
import { npcOf } from '../../../systems/npc/model.ts'
import { makePirate } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  deployed,
  dock,
  lastAction,
  park,
  placeId,
  shipOf,
  show,
  stockUp,
  teachDrones,
  write,
  type Yard,
  yard,
} from './scene.ts'

onSmallMap()

let scene: Yard
let world: World
let drone: Row
beforeEach(async () => {
  scene = await yard({ lawless: true })
  world = scene.world
  teachDrones(world, scene.owner)
  park(world, scene.other, scene.open)
})

/** Returns whether a condition is true for a drone, after a tick. */
function isTrue(condition: string, row: Row = drone): boolean {
  write(world, row, `IF ${condition} SET_MEM "is" "yes" ELSE SET_MEM "is" "no" END`)
  scene.small.ticks(1)
  return memoryOf(world, row).is === 'yes'
}

describe('conditions', () => {
  beforeEach(() => {
    drone = deployed(scene, 'mining')
  })

  test('hull_pct: the hull of the drone in percent, truncated', () => {
    world.write(Ship).hull[world.read(Drone).body[drone]] = 13
    expect(isTrue('hull_pct() == 32')).toBe(true)
    expect(isTrue('hull_pct() > 32')).toBe(false)
    expect(isTrue('hull_pct() >= 32')).toBe(true)
    expect(isTrue('hull_pct() < 33')).toBe(true)
    expect(isTrue('hull_pct() <= 31')).toBe(false)
    expect(isTrue('hull_pct() != 32')).toBe(false)
  })

  test('cargo_pct and cargo_full: how full the hold is, or 0 and false without one', () => {
    expect(isTrue('cargo_pct() == 0')).toBe(true)
    write(world, drone, 'MINE')
    scene.small.ticks(1)
    expect(isTrue('cargo_pct() > 0')).toBe(true)
    expect(isTrue('cargo_full()')).toBe(false)
    write(world, drone, 'MINE')
    scene.small.ticks(60)
    expect(isTrue('cargo_full()')).toBe(true)
    expect(isTrue('cargo_pct() == 100')).toBe(true)
    const scout = deployed(scene, 'scout')
    expect(isTrue('cargo_pct() == 0', scout)).toBe(true)
    expect(isTrue('cargo_full()', scout)).toBe(false)
  })

  test('at: whether the drone is at the place of an id', () => {
    expect(isTrue(`at("${placeId(scene, scene.belt)}")`)).toBe(true)
    expect(isTrue(`at("${placeId(scene, scene.port)}")`)).toBe(false)
    expect(isTrue('at("nowhere at all")')).toBe(false)
    expect(isTrue('at("")')).toBe(false)
  })

  test('tick: the current tick, also as a remainder', () => {
    const next = world.tick + 1
    expect(isTrue(`tick() == ${next}`)).toBe(true)
    expect(isTrue(`tick() % 7 == ${(next + 1) % 7}`)).toBe(true)
    expect(isTrue(`tick() % 7 == ${(next + 2) % 7}`)).toBe(true)
    expect(isTrue(`tick() < ${next}`)).toBe(false)
  })

  test('mem: a stored text, or "" for an unknown key', () => {
    expect(isTrue('mem("k") == ""')).toBe(true)
    write(world, drone, 'SET_MEM "k" "v"')
    scene.small.ticks(1)
    expect(isTrue('mem("k") == "v"')).toBe(true)
    expect(isTrue('mem("k") != "w"')).toBe(true)
    expect(isTrue('mem("k") != "v"')).toBe(false)
  })

  test('enemy_nearby: another player at the place, unless cloaked or docked', () => {
    expect(isTrue('enemy_nearby()')).toBe(false)
    park(world, scene.other, scene.belt)
    expect(isTrue('enemy_nearby()')).toBe(true)
    world.write(Player).cloaked[scene.other] = 1
    expect(isTrue('enemy_nearby()')).toBe(false)
    world.write(Player).cloaked[scene.other] = 0
    const dockside = deployed(scene, 'mining', '', scene.port)
    dock(world, scene.other, scene.port)
    expect(isTrue('enemy_nearby()', dockside)).toBe(false)
    park(world, scene.other, scene.port)
    expect(isTrue('enemy_nearby()', dockside)).toBe(true)
  })

  test('pirate_nearby: a pirate at the place', () => {
    expect(isTrue('pirate_nearby()')).toBe(false)
    placeInSpace(world, pirate(), scene.belt)
    expect(isTrue('pirate_nearby()')).toBe(true)
  })

  test('in_battle: a battle anywhere in the system', () => {
    expect(isTrue('in_battle()')).toBe(false)
    const hull = pirate()
    placeInSpace(world, hull, scene.open)
    expect(aggress(world, shipOf(world, scene.other), hull).ok).toBe(true)
    expect(isTrue('in_battle()')).toBe(true)
  })

  test('owner_hull_pct: the hull of the owner, 100 when docked or elsewhere', () => {
    const ship = shipOf(world, scene.owner)
    world.write(Ship).hull[ship] = Math.floor(world.read(Ship).hullMax[ship] / 2)
    expect(isTrue('owner_hull_pct() == 50')).toBe(true)
    park(world, scene.owner, scene.open)
    expect(isTrue('owner_hull_pct() == 100')).toBe(true)
    const dockside = deployed(scene, 'mining', '', scene.port)
    park(world, scene.owner, scene.port)
    expect(isTrue('owner_hull_pct() == 50', dockside)).toBe(true)
    dock(world, scene.owner, scene.port)
    expect(isTrue('owner_hull_pct() == 100', dockside)).toBe(true)
  })

  test('resource_available: units left in a deposit, of the item if one is named', () => {
    stockUp(world, scene.belt)
    expect(isTrue('resource_available()')).toBe(true)
    expect(isTrue('resource_available("fuel_cell")')).toBe(false)
    expect(isTrue('resource_available("no such thing")')).toBe(false)
    expect(isTrue('resource_available()', deployed(scene, 'mining', '', scene.open))).toBe(false)
    expect(isTrue('resource_available()', deployed(scene, 'scout'))).toBe(true)
  })

  test('ally_hull_below: false for players who are no allies', () => {
    park(world, scene.other, scene.belt)
    expect(isTrue('ally_hull_below(100)')).toBe(false)
  })

  test('traveling: on the way between places, where conditions of a place are false', () => {
    expect(isTrue('traveling()')).toBe(false)
    park(world, scene.other, scene.belt)
    world.write(Ship).hull[shipOf(world, scene.owner)] = 1
    hop(world, drone, scene.open)
    expect(isTrue('traveling()')).toBe(true)
    const here = `at("${placeId(scene, scene.belt)}")`
    for (const condition of [here, 'enemy_nearby()', 'pirate_nearby()', 'resource_available()']) {
      const traveller = deployed(scene, 'mining')
      hop(world, traveller, scene.open)
      expect(isTrue(condition, traveller), condition).toBe(false)
    }
    expect(isTrue('owner_hull_pct() == 100')).toBe(true)
  })
})

/** Makes a pirate somewhere in the system. */
function pirate(): Eid {
  const hull = world.read(Npc).ship[makePirate(world, scene.system, 0)]
  expect(npcOf(world, hull)).not.toBe(0)
  return hull
}

describe('an evaluation', () => {
  test('ends with the first action', () => {
    drone = deployed(scene, 'mining', 'IF traveling() JETTISON END\nWAIT\nMINE')
    scene.small.ticks(1)
    expect(lastAction(scene, drone)).toBe('WAIT')
    write(world, drone, 'IF cargo_full() DEPOSIT ELSE IF hull_pct() > 50 MINE ELSE WAIT END')
    scene.small.ticks(1)
    expect(lastAction(scene, drone)).toBe('MINE')
  })

  test('continues after END when the branch it took had no action', () => {
    drone = deployed(scene, 'mining', 'IF hull_pct() > 50 SET_MEM "a" "1" END SET_MEM "b" "2" MINE')
    scene.small.ticks(1)
    expect(lastAction(scene, drone)).toBe('MINE')
    expect(memoryOf(world, drone)).toEqual({ a: '1', b: '2' })
  })

  test('takes one branch only, ELSE when no condition holds', () => {
    const source = 'IF traveling() WAIT ELSE IF cargo_full() WAIT ELSE SET_MEM "e" "1" END MINE'
    drone = deployed(scene, 'mining', source)
    scene.small.ticks(1)
    expect(lastAction(scene, drone)).toBe('MINE')
    expect(memoryOf(world, drone)).toEqual({ e: '1' })
    write(world, drone, 'IF hull_pct() > 1 SET_MEM "t" "1" ELSE SET_MEM "f" "1" END')
    scene.small.ticks(1)
    expect(memoryOf(world, drone)).toEqual({ e: '1', t: '1' })
  })

  test('waits when it reaches no action', () => {
    drone = deployed(scene, 'mining', '// nothing')
    scene.small.ticks(1)
    expect(lastAction(scene, drone)).toBe('WAIT')
    expect(show(scene, drone).status).toBe('running')
  })

  test('reads the memory of its start, and applies its writes in order at its end', () => {
    const source =
      'IF mem("n") == "1" SET_MEM "n" "2" SET_MEM "seen" "one" END ' +
      'IF mem("n") == "" SET_MEM "n" "0" SET_MEM "n" "1" END ' +
      'IF mem("n") == "2" SET_MEM "seen" "two" END'
    drone = deployed(scene, 'mining', source)
    scene.small.ticks(1)
    expect(memoryOf(world, drone)).toEqual({ n: '1' })
    scene.small.ticks(1)
    expect(memoryOf(world, drone)).toEqual({ n: '2', seen: 'one' })
    scene.small.ticks(1)
    expect(memoryOf(world, drone)).toEqual({ n: '2', seen: 'two' })
  })

  test('changes nothing but memory while the drone travels', () => {
    drone = deployed(scene, 'mining', 'IF traveling() SET_MEM "on" "way" MINE END MOVE "x"')
    hop(world, drone, scene.open)
    scene.small.ticks(2)
    expect(memoryOf(world, drone)).toEqual({ on: 'way' })
    expect(show(scene, drone)).toMatchObject({ status: 'traveling', cargo_used: 0 })
  })
})

/** Returns a script of this many steps: IF ... END costs three, SET_MEM and MINE one each. */
const scriptOfSteps = (count: number): string =>
  `${'IF traveling() END '.repeat(Math.floor((count - 1) / 3))}${'SET_MEM "m" "1" '.repeat(
    (count - 1) % 3,
  )}MINE`

describe('the step budget', () => {
  const limitHits = (): number => world.records(COUNTERS).get('drone step_limit') ?? 0

  test('allows a script of 200 steps', () => {
    // 66 IF of 3 steps, one write, one action
    drone = deployed(scene, 'mining', scriptOfSteps(200))
    scene.small.ticks(1)
    expect(lastAction(scene, drone)).toBe('MINE')
    expect(show(scene, drone).status).toBe('running')
    expect(limitHits()).toBe(0)
  })

  test('stops a script of 201 steps, which has no effect and is counted', () => {
    drone = deployed(scene, 'mining', `SET_MEM "m" "1" ${scriptOfSteps(200)}`)
    scene.small.ticks(1)
    expect(lastAction(scene, drone)).toBe('WAIT')
    expect(memoryOf(world, drone)).toEqual({})
    expect(show(scene, drone)).toMatchObject({ status: 'step_limit', cargo_used: 0 })
    expect(limitHits()).toBe(1)
    scene.small.ticks(1)
    expect(limitHits()).toBe(2)
  })

  test('is renewed each tick, and step_limit lasts until the next complete run', () => {
    const expensive = 'IF hull_pct() > 50 SET_MEM "m" "1" END '.repeat(45)
    drone = deployed(scene, 'mining', `IF tick() % 2 == ${world.tick % 2} MINE END ${expensive}`)
    scene.small.ticks(1)
    expect(show(scene, drone).status).toBe('step_limit')
    scene.small.ticks(1)
    expect(show(scene, drone).status).toBe('running')
  })

  test('counts a statement, a branch, a call and a literal as one each', () => {
    // 4 steps each: statement, branch, call, literal
    drone = deployed(scene, 'mining', `${'IF hull_pct() < 5 END '.repeat(49)}WAIT WAIT`)
    scene.small.ticks(1)
    expect(limitHits()).toBe(0)
    write(world, drone, `${'IF hull_pct() < 5 END '.repeat(50)}WAIT`)
    scene.small.ticks(1)
    expect(limitHits()).toBe(1)
    // 4 steps each: statement, branch, call, and the ELSE
    write(
      world,
      drone,
      `${'IF traveling() ELSE END '.repeat(49)}SET_MEM "a" "b" SET_MEM "a" "b" MINE`,
    )
    scene.small.ticks(1)
    expect(limitHits()).toBe(1)
    write(world, drone, `${'IF traveling() ELSE END '.repeat(50)}MINE`)
    scene.small.ticks(1)
    expect(limitHits()).toBe(2)
  })
})

describe('the memory', () => {
  const repeatX = (count: number): string => 'x'.repeat(count)

  test('holds 512 characters of keys and values, and drops only writes beyond them', () => {
    drone = deployed(scene, 'mining', `SET_MEM "a" "${repeatX(500)}" SET_MEM "b" "${repeatX(10)}"`)
    scene.small.ticks(1)
    expect(memoryOf(world, drone)).toEqual({ a: repeatX(500), b: repeatX(10) })
    write(world, drone, 'SET_MEM "c" "" MINE')
    scene.small.ticks(1)
    expect(Object.keys(memoryOf(world, drone))).toEqual(['a', 'b'])
    expect(lastAction(scene, drone)).toBe('MINE')
  })

  test('drops a large write and takes a smaller one that follows it', () => {
    drone = deployed(scene, 'mining', `SET_MEM "a" "${repeatX(512)}" SET_MEM "b" "${repeatX(511)}"`)
    scene.small.ticks(1)
    expect(memoryOf(world, drone)).toEqual({ b: repeatX(511) })
  })

  test('keeps a key whose value is made empty, and counts it', () => {
    drone = deployed(scene, 'mining', 'SET_MEM "key" "value" SET_MEM "key" ""')
    scene.small.ticks(1)
    expect(memoryOf(world, drone)).toEqual({ key: '' })
    expect(world.read(Drone).memorySize[drone]).toBe(3)
  })

  test('counts code points', () => {
    drone = deployed(scene, 'mining', `SET_MEM "k" "${'\u{1f680}'.repeat(511)}"`)
    scene.small.ticks(1)
    expect(Object.keys(memoryOf(world, drone))).toEqual(['k'])
  })

  test('is kept when the script changes and when the world is reloaded', async () => {
    drone = deployed(scene, 'mining', 'SET_MEM "k" "v"')
    scene.small.ticks(1)
    write(world, drone, 'IF mem("k") == "v" MINE END')
    const reloaded = await scene.small.reload()
    for (const copy of [scene.small, reloaded]) copy.ticks(3)
    expect(reloaded.hash()).toBe(scene.small.hash())
    expect(show(scene, drone).cargo_used).toBeGreaterThan(0)
  })
})

describe('script slots', () => {
  test('are one more than the drone control level, for the drones deployed first', () => {
    teachDrones(world, scene.owner, 1)
    const drones = [1, 2, 3].map(() => deployed(scene, 'mining', 'WAIT'))
    scene.small.ticks(1)
    const statuses = (): string[] => drones.map((row) => show(scene, row).status)
    expect(statuses()).toEqual(['running', 'running', 'no_script_slot'])
    teachDrones(world, scene.owner, 2)
    scene.small.ticks(1)
    expect(statuses()).toEqual(['running', 'running', 'running'])
  })

  test('are not taken by drones without a script', () => {
    teachDrones(world, scene.owner, 0)
    const [plain, first, second] = ['', 'WAIT', 'WAIT'].map((text) =>
      deployed(scene, 'mining', text),
    )
    scene.small.ticks(1)
    const statuses = [plain, first, second].map((row) => show(scene, row).status)
    expect(statuses).toEqual(['idle', 'running', 'no_script_slot'])
  })

  test('of a recalled drone go to the next one', () => {
    teachDrones(world, scene.owner, 0)
    const [first, second] = [1, 2].map(() => deployed(scene, 'mining', 'MINE'))
    scene.small.ticks(1)
    expect(show(scene, second).status).toBe('no_script_slot')
    expect(
      scene.small.act(scene.owner, 'recall_drone', { drone_id: show(scene, first).id }).ok,
    ).toBe(true)
    expect(show(scene, second)).toMatchObject({ status: 'running' })
    expect(participantOf(world, world.read(Drone).body[second])).toBe(0)
  })
})
