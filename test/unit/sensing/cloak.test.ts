/** cloak: on and off, what it costs, what ends it. Source: travel.md sections 8-10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Boarding } from '../../../systems/boarding/state.ts'
import { seePlayer } from '../../../systems/sensing/model.ts'
import { modulesOf } from '../../../systems/ship/model.ts'
import { recompute, unfitModule } from '../../../systems/ship/rules.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { locationState } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { POI_TYPES, Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseIn, hullOf, rowOf } from '../combat/scene.ts'
import { codeOf, fuelOf, isCloaked, resultOf, type Sensing, sensing, setFuel } from './scene.ts'

onSmallMap()

let scene: Sensing
let one: Eid
let two: Eid
beforeEach(async () => {
  scene = await sensing(3)
  ;[one, two] = scene.players
})

const cloak = (params: object = {}, by = one) => scene.small.act(by, 'cloak', params)

describe('cloak', () => {
  test('is refused no_cloak without a device, and no_fuel with an empty tank', () => {
    expect(codeOf(cloak())).toBe('no_cloak')
    scene.fit(one, 'cloak_i')
    setFuel(scene, one, 0)
    expect(codeOf(cloak())).toBe('no_fuel')
    expect(isCloaked(scene, one)).toBe(false)
    scene.skill(one, 'stealth', 10)
    expect(codeOf(cloak())).toBe('ok')
  })

  test('answers with the strength of device, hull and skills', () => {
    scene.fit(one, 'cloak_i')
    scene.skill(one, 'stealth', 20)
    expect(resultOf(cloak())).toMatchObject({ enabled: true, cloak_strength: 18 })
    expect(statOf(scene.world, one, 'cloak_activations')).toBe(1)
    expect(scene.world.section('player', one)).toMatchObject({ is_cloaked: true })
    expect(resultOf(cloak())).toMatchObject({ enabled: false, cloak_strength: 0 })
  })

  test('follows enable or quantity, and is refused already_cloaked without a change', () => {
    scene.fit(one, 'cloak_i')
    expect(codeOf(cloak({ enable: false }))).toBe('already_cloaked')
    expect(codeOf(cloak({ quantity: 1 }))).toBe('ok')
    expect(codeOf(cloak({ enable: true }))).toBe('already_cloaked')
    expect(codeOf(cloak({ quantity: 0 }))).toBe('ok')
    expect(codeOf(cloak({ quantity: 0 }))).toBe('already_cloaked')
    expect(isCloaked(scene, one)).toBe(false)
  })

  test('undocks the ship to switch on, but not to switch off', () => {
    const { world, system } = scene
    scene.fit(one, 'cloak_i')
    dockShip(world, hullOf(world, one), baseIn(world, system))
    expect(scene.small.answer(one, 'cloak')).toMatchObject({ autoUndocked: true })
    dockShip(world, hullOf(world, one), baseIn(world, system))
    const off = scene.small.answer(one, 'cloak')
    expect(off).toMatchObject({ outcome: { ok: true, result: { enabled: false } } })
    expect(off.autoUndocked).toBeUndefined()
    expect(locationState(world, hullOf(world, one))).toBe('docked')
  })

  test('is refused in_combat in a battle, and boarding_locked while boarders hold the ship', () => {
    scene.fit(one, 'cloak_i')
    scene.small.act(one, 'attack', { target_id: 'Tester 2' })
    expect(codeOf(cloak())).toBe('in_combat')
    scene.world.write(Boarding).locked[rowOf(scene.world, one)] = 1
    expect(codeOf(cloak())).toBe('boarding_locked')
    scene.world.write(Boarding).locked[rowOf(scene.world, one)] = 0
  })
})

describe('a cloak', () => {
  beforeEach(() => {
    scene.fit(one, 'cloak_i')
    scene.hide(one)
  })

  test('hides the ship, burns a unit of fuel a tick in space and trains stealth', () => {
    expect(seePlayer(scene.world, two, one)).toBe('nothing')
    scene.skill(one, 'scanning', 2)
    const fuel = fuelOf(scene, one)
    scene.small.ticks(3)
    expect(fuelOf(scene, one)).toBe(fuel - 3)
    expect(xpOf(scene.world, one, 'stealth')).toBe(3)
    scene.skill(one, 'stealth', 10)
    scene.small.ticks(3)
    expect(fuelOf(scene, one)).toBe(fuel - 3)
  })

  test('burns no fuel at the dock', () => {
    dockShip(scene.world, hullOf(scene.world, one), baseIn(scene.world, scene.system))
    const fuel = fuelOf(scene, one)
    scene.small.ticks(2)
    expect([fuelOf(scene, one), isCloaked(scene, one)]).toEqual([fuel, true])
  })

  test('goes off in the tick after the last of the fuel', () => {
    setFuel(scene, one, 1)
    scene.small.ticks(1)
    expect([fuelOf(scene, one), isCloaked(scene, one)]).toEqual([0, true])
    scene.small.ticks(1)
    expect(isCloaked(scene, one)).toBe(false)
  })

  test('goes off when its device is removed', () => {
    const { world } = scene
    const ship = hullOf(world, one)
    const device = modulesOf(world, ship).find(
      (row) => world.read(Module).type[row] === itemIndex('cloak_i'),
    )!
    unfitModule(world, device)
    recompute(world, ship)
    scene.small.ticks(1)
    expect(isCloaked(scene, one)).toBe(false)
  })

  test('goes off by attacking', () => {
    scene.small.act(one, 'attack', { target_id: 'Tester 2' })
    expect(isCloaked(scene, one)).toBe(false)
  })

  test('goes off by being drawn into a battle', () => {
    scene.fit(two, 'scanner_ii')
    resultOf(scene.small.act(two, 'scan', { target_id: 'Tester 1' }))
    expect(codeOf(scene.small.act(two, 'attack', { target_id: 'Tester 1' }))).toBe('ok')
    expect(isCloaked(scene, one)).toBe(false)
  })

  test('goes off by mining', () => {
    const { world } = scene
    scene.fit(one, 'mining_laser_i')
    const { type } = world.read(Poi)
    const asteroidBelt = POI_TYPES.indexOf('asteroid_belt')
    const belt = [...Array(world.highOf(Poi)).keys()].find(
      (poi) => poi > 0 && type[poi] === asteroidBelt,
    )!
    placeInSpace(world, hullOf(world, one), belt)
    scene.small.act(one, 'mine')
    expect(isCloaked(scene, one)).toBe(false)
  })

  test('stays on during a scan and a flight, and over a restart', async () => {
    scene.small.act(one, 'scan', { target_id: 'Tester 2' })
    expect(isCloaked(scene, one)).toBe(true)
    const { world, system, poi } = scene
    const target = poisOf(world, system).find(
      (other) => other !== poi && world.read(Poi).hidden[other] === 0,
    )!
    const target_poi = world.texts.get(world.read(Poi).id[target])
    resultOf(scene.small.act(one, 'travel', { target_poi }))
    expect(isCloaked(scene, one)).toBe(true)
    const restored = await scene.small.reload()
    const { fuel } = restored.world.read(Ship)
    const before = fuel[hullOf(world, one)]
    restored.ticks(1)
    expect(fuel[hullOf(world, one)]).toBe(before - 1)
  })
})

test('a ship that tows a wreck cannot cloak', () => {
  const { world } = scene
  scene.fit(one, 'cloak_i', 'tow_rig_basic')
  placeInSpace(world, hullOf(world, two), scene.poi)
  scene.small.act(one, 'attack', { target_id: 'Tester 2' })
  scene.doom(two, 'destroyed', one)
  scene.small.ticks(3)
  const { wrecks } = resultOf<{ wrecks: { id: string }[] }>(scene.small.ask(one, 'get_wrecks'))
  resultOf(scene.small.act(one, 'tow_wreck', { wreck_id: wrecks[0].id }))
  expect(codeOf(cloak())).toBe('already_towing')
  resultOf(scene.small.act(one, 'release_tow'))
  expect(codeOf(cloak())).toBe('ok')
})
