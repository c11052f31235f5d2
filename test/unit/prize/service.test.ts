/** service_prize: stop, resume, redirect, refuel and repair. Source: combat.md sections 11, 17. */
import { beforeEach, describe, expect, test } from 'vitest'
import { facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import { Base } from '../../../systems/base/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import {
  DAMAGED,
  Facility,
  OF_FACTION,
  ONLINE,
  UNDER_CONSTRUCTION,
} from '../../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { PRIZE_STATUS, Prize } from '../../../systems/prize/state.ts'
import { cargoUnits } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { isUnderWay } from '../../../systems/travel/location-model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { type PrizeScene, prizeScenes } from './scene.ts'

onSmallMap()

const freshScene = await prizeScenes()
let scene: PrizeScene

/** Claims the prize and stops it at its place. */
beforeEach(async () => {
  scene = await freshScene()
  scene.claim()
  expect(scene.service('stop')).toMatchObject({ ok: true, result: { status: 'held' } })
})

const status = () => PRIZE_STATUS[scene.world.read(Prize).status[scene.prize]]
const goAway = () =>
  placeInSpace(scene.world, scene.shipOf(scene.captor), scene.world.read(Base).poi[scene.near])

describe('service_prize', () => {
  test('stop holds the prize until resume', () => {
    expect(scene.takeUpdates().at(-1)).toMatchObject({ status: 'held' })
    scene.small.ticks(5)
    expect([status(), isUnderWay(scene.world, scene.hull)]).toEqual(['held', false])
    goAway()
    expect(scene.service('resume')).toMatchObject({ ok: true, result: { status: 'recovering' } })
    expect(scene.takeUpdates()).toMatchObject([{ status: 'recovering' }])
    scene.small.ticks(1)
    expect(isUnderWay(scene.world, scene.hull)).toBe(true)
  })

  test('stop and resume change nothing when repeated', () => {
    scene.takeUpdates()
    expect(scene.service('stop')).toMatchObject({ ok: true })
    expect(scene.takeUpdates()).toEqual([])
    scene.service('resume')
    scene.takeUpdates()
    expect(scene.service('resume')).toMatchObject({ ok: true })
    expect(scene.takeUpdates()).toEqual([])
  })

  test('redirect changes the destination from anywhere', () => {
    goAway()
    const destination_base_id = scene.baseId(scene.far)
    expect(scene.service('redirect', { destination_base_id })).toMatchObject({
      ok: true,
      result: { destination_base_id, status: 'held' },
    })
    expect(scene.takeUpdates().at(-1)).toMatchObject({ destination_base_id, status: 'held' })
  })

  test('redirect is refused without a base, for an unknown base and for a closed one', () => {
    const to = (destination_base_id?: string) =>
      scene.service('redirect', destination_base_id ? { destination_base_id } : {})
    expect(to()).toMatchObject({ code: 'invalid_payload' })
    expect(to('nowhere')).toMatchObject({ code: 'station_not_found' })
    scene.world.write(Base).pirateRepRequired[scene.far] = 1
    expect(to(scene.baseId(scene.far))).toMatchObject({ code: 'invalid_base' })
  })

  test('refuel moves the quantity requested, or all fuel but one unit', () => {
    const { fuel, issueFuel } = scene.world.write(Ship)
    const own = scene.shipOf(scene.captor)
    fuel[scene.hull] = 0
    fuel[own] = 30
    issueFuel[own] = 0
    expect(scene.service('refuel', { quantity: 7 })).toMatchObject({ result: { fuel_moved: 7 } })
    expect(scene.service('refuel')).toMatchObject({ result: { fuel_moved: 22, fuel: 29 } })
    expect([fuel[scene.hull], fuel[own]]).toEqual([29, 1])
    expect(scene.service('refuel')).toMatchObject({ code: 'no_fuel' })
  })

  test('refuel is refused with only issue fuel and for a full tank', () => {
    const { fuel, fuelMax, issueFuel } = scene.world.write(Ship)
    const own = scene.shipOf(scene.captor)
    fuel[scene.hull] = 0
    issueFuel[own] = fuel[own]
    expect(scene.service('refuel')).toMatchObject({ code: 'no_fuel' })
    fuel[scene.hull] = fuelMax[scene.hull]
    expect(scene.service('refuel')).toMatchObject({ code: 'tank_full' })
  })

  test('repair uses one kit, or the quantity requested', () => {
    const { hull: points, hullMax } = scene.world.write(Ship)
    expect(scene.service('repair')).toMatchObject({ code: 'hull_full' })
    points[scene.hull] = 1
    // Every ship starts with one kit.
    expect(scene.service('repair')).toMatchObject({ result: { kits_used: 1, repaired: 50 } })
    expect(scene.service('repair')).toMatchObject({ code: 'no_repair_kits' })
    scene.stow(scene.shipOf(scene.captor), 'hull_patch', 3)
    expect(scene.service('repair')).toMatchObject({ result: { kits_used: 1, repaired: 15 } })
    expect(scene.service('repair', { quantity: 2 })).toMatchObject({
      result: { kits_used: 2, message: expect.stringMatching(/ with \d .+\.$/) },
    })
    expect(points[scene.hull]).toBe(Math.min(96, hullMax[scene.hull]))
  })

  test('repair uses the kit that is named', () => {
    const { hull: points } = scene.world.write(Ship)
    points[scene.hull] = 1
    const own = scene.shipOf(scene.captor)
    scene.stow(own, 'hull_patch', 1)
    // A patch is cheaper than the kit every ship starts with.
    const named = { item_id: 'repair_kit', quantity: 0 }
    expect(scene.service('repair', named)).toMatchObject({
      result: { kits_used: 1, repaired: 50 },
    })
    expect(cargoUnits(scene.world, own, itemIndex('hull_patch'))).toBe(1)
    expect(scene.service('repair', named)).toMatchObject({ code: 'no_repair_kits' })
    expect(scene.service('repair', { item_id: 'no such kit' })).toMatchObject({
      code: 'unknown_item',
    })
  })

  test('lets a faction member repair only with a Prize Recovery Yard online', () => {
    const { world, small, captor, other } = scene
    world.write(Ship).hull[scene.hull] = 1
    const repair = () => scene.service('repair', {}, other)
    expect(repair()).toMatchObject({ code: 'not_owner' })
    const faction = foundFaction(world, captor, 'Salvors', 'SALV')
    addMember(world, other, faction)
    expect(repair()).toMatchObject({
      code: 'not_owner',
      message: expect.stringContaining('Prize Recovery Yard'),
    })
    const yard = addFacility(world, {
      base: scene.far,
      owner: { kind: OF_FACTION, player: 0, faction },
      type: facilityTypeIndex('faction_prize_yard'),
      status: UNDER_CONSTRUCTION,
    })
    const { status } = world.write(Facility)
    for (const idle of [UNDER_CONSTRUCTION, DAMAGED]) {
      status[yard] = idle
      expect(repair()).toMatchObject({ code: 'not_owner' })
    }
    status[yard] = ONLINE
    expect(repair()).toMatchObject({ ok: true, result: { kits_used: 1 } })
    for (const action of ['stop', 'resume', 'redirect']) {
      expect(scene.service(action, {}, other)).toMatchObject({ code: 'not_owner' })
    }
    expect(small.world.read(Prize).claimant[scene.prize]).toBe(captor)
  })

  test('stop, refuel and repair need the player at the prize and the prize at rest', () => {
    goAway()
    for (const action of ['stop', 'refuel', 'repair']) {
      expect(scene.service(action)).toMatchObject({ code: 'not_at_prize' })
    }
    scene.service('redirect', { destination_base_id: scene.baseId(scene.far) })
    // At this speed the prize is still under way when all three actions have been tried.
    scene.world.write(Ship).speed[scene.hull] = 1
    scene.service('resume')
    scene.small.ticks(1)
    expect(isUnderWay(scene.world, scene.hull)).toBe(true)
    for (const action of ['stop', 'refuel', 'repair']) {
      expect(scene.service(action)).toMatchObject({ code: 'prize_moving' })
    }
    expect(scene.service('resume')).toMatchObject({ ok: true })
  })

  test('is refused for the prize of another player and for an unknown one', () => {
    expect(scene.service('resume', {}, scene.other)).toMatchObject({ code: 'not_owner' })
    const unknown = scene.service('resume', { prize_id: 'nothing' })
    expect(unknown).toMatchObject({ code: 'prize_not_found' })
  })

  test('refuel and repair are refused in_combat during a battle for the prize', () => {
    expect(aggress(scene.world, scene.shipOf(scene.other), scene.hull)).toMatchObject({ ok: true })
    expect(scene.service('refuel')).toMatchObject({ code: 'in_combat' })
    expect(scene.service('repair')).toMatchObject({ code: 'in_combat' })
    expect(scene.service('stop')).toMatchObject({ ok: true })
  })
})
