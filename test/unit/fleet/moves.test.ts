/** A fleet moves as one. Source: factions.md section 8; travel.md sections 6, 9. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { fleetOf } from '../../../systems/fleet/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { flightOf, jumpTicks } from '../../../systems/travel/flight-model.ts'
import { dockedBase, poiOf, systemOf } from '../../../systems/travel/location-model.ts'
import { neighboursOf, poiId, poisOf, systemId } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, Poi, TRAVELLING } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import { fleet, form, heard, hullOf, refuses } from './scene.ts'

onSmallMap()

let template: SmallWorld
let small: SmallWorld
let ada: Eid
let ben: Eid
let cleo: Eid
let harbour: Eid
let base: Eid

beforeAll(async () => {
  template = await smallWorld({ players: 3 })
  ;[ada, ben, cleo] = template.players
  base = dockedBase(template.world, ada)
  harbour = poiOf(template.world, ada)
  expect(base).not.toBe(0)
  for (const player of [ben, cleo]) dockShip(template.world, hullOf(template, player), base)
  form(template, ada, ben, cleo)
})
beforeEach(async () => {
  small = await template.reload()
})

const bases = (): Eid[] => [ada, ben, cleo].map((player) => dockedBase(small.world, player))
const places = (): Eid[] => [ada, ben, cleo].map((player) => poiOf(small.world, player))
const state = (player: Eid) => small.world.read(Location).state[hullOf(small, player)]

/** Returns another open place of the system, without a base. */
function otherPlace(): Eid {
  const { hidden, base: baseOf, class: kind } = small.world.read(Poi)
  const found = poisOf(small.world, systemOf(small.world, ada)).find(
    (poi) =>
      hidden[poi] === 0 && baseOf[poi] === 0 && small.world.texts.get(kind[poi]) !== 'deep_core',
  )
  if (found === undefined) throw new Error('there is no other place')
  return found
}
const travel = () => ['travel', { target_poi: poiId(small.world, otherPlace()) }] as const
const nextSystem = (): Eid => neighboursOf(small.world, systemOf(small.world, ada))[0].to

describe('undock and dock', () => {
  test('members docked with the leader undock and dock with them', () => {
    expect(small.act(ada, 'undock').ok).toBe(true)
    expect(bases()).toEqual([0, 0, 0])
    expect(heard(small, cleo)).toMatchObject([{ event: 'undocked', leader: 'Tester 1' }])
    expect(small.act(ada, 'dock').ok).toBe(true)
    expect(bases()).toEqual([base, base, base])
    expect(heard(small, cleo)).toMatchObject([{ event: 'docked' }])
  })

  test('in_fleet: a member at the place of the leader cannot move alone', async () => {
    await refuses(small, ben, ['undock', {}], 'in_fleet')
    await refuses(small, ben, travel(), 'in_fleet')
    await refuses(small, ben, ['mine', {}], 'in_fleet')
    small.act(ada, 'undock')
    await refuses(small, ben, ['dock', {}], 'in_fleet')
    await refuses(
      small,
      ben,
      ['jump', { target_system: systemId(small.world, nextSystem()) }],
      'in_fleet',
    )
  })

  test('a leader who travels from a base undocks the fleet', () => {
    expect(small.act(ada, ...travel()).ok).toBe(true)
    expect(bases()).toEqual([0, 0, 0])
  })

  test('a command of a member that the move makes impossible is refused', () => {
    small.act(ada, 'undock')
    const answers = small.tick(
      { player: ada, command: 'dock' },
      { player: ben, command: 'survey_system' },
    )
    expect(answers.get(ada)?.ok).toBe(true)
    expect(answers.get(ben)).toMatchObject({ ok: false, code: 'docked' })
    expect(bases()).toEqual([base, base, base])
  })
})

describe('travel and jump', () => {
  test('all members leave and arrive together, each on their own fuel', () => {
    const { world } = small
    const before = [ada, ben, cleo].map((player) => world.read(Ship).fuel[hullOf(small, player)])
    const target = otherPlace()
    expect(small.act(ada, 'travel', { target_poi: poiId(world, target) })).toMatchObject({
      ok: true,
      result: { action: 'arrived' },
    })
    expect(places()).toEqual([target, target, target])
    const after = [ada, ben, cleo].map((player) => world.read(Ship).fuel[hullOf(small, player)])
    for (const i of [0, 1, 2]) expect(after[i]).toBeLessThan(before[i])
    const events = heard(small, ben)
    expect(events.map(({ event }) => event)).toEqual(['undocked', 'departed'])
    expect(events[1]).toMatchObject({ destination: poiId(world, target) })
  })

  test('a jump takes as long as the slowest member needs', () => {
    const { world } = small
    small.act(ada, 'undock')
    world.write(PlayerSkills).level[ada * SKILLS_WIDTH + skillIndex('navigation')] = 50
    const slowTicks = jumpTicks(flightOf(world, hullOf(small, ben)))
    const ownTicks = jumpTicks(flightOf(world, hullOf(small, ada)))
    expect(slowTicks).toBeGreaterThan(ownTicks)
    const start = world.tick
    const target = nextSystem()
    expect(small.act(ada, 'jump', { target_system: systemId(world, target) }).ok).toBe(true)
    expect(world.tick - start).toBe(slowTicks + 1)
    expect([ada, ben, cleo].map((player) => systemOf(world, player))).toEqual([
      target,
      target,
      target,
    ])
    expect(xpOf(world, ada, 'leadership')).toBe(2)
    expect(counted(world, ada, 'fleet_jumps_led')).toBe(2)
    expect(xpOf(world, ben, 'leadership')).toBe(0)
  })

  test('no_fuel: a member without fuel cancels the move and is named', async () => {
    small.act(ada, 'undock')
    const hull = hullOf(small, ben)
    small.world.write(Ship).issueFuel[hull] = 0
    small.world.write(Ship).fuel[hull] = 0
    await refuses(small, ada, travel(), {
      code: 'no_fuel',
      details: { player: 'Tester 2', player_id: playerId(small.world, ben), have: 0 },
    })
    expect(places()).toEqual([harbour, harbour, harbour])
  })

  test('a member at another place stays there and may travel alone', () => {
    small.act(ada, 'undock')
    const target = otherPlace()
    placeInSpace(small.world, hullOf(small, ben), target)
    expect(small.act(ada, 'dock').ok).toBe(true)
    expect(bases()).toEqual([base, 0, base])
    expect(small.act(ben, 'travel', { target_poi: poiId(small.world, harbour) }).ok).toBe(true)
    expect(places()).toEqual([harbour, harbour, harbour])
    expect(fleetOf(small.world, ben)).toBe(fleetOf(small.world, ada))
  })

  test('all members arrive in a world that was reloaded on their way', async () => {
    small.act(ada, 'undock')
    const target = otherPlace()
    small.tick({
      player: ada,
      command: 'travel',
      params: { target_poi: poiId(small.world, target) },
    })
    expect([ada, ben, cleo].map(state)).toEqual([TRAVELLING, TRAVELLING, TRAVELLING])
    small = await small.reload()
    small.ticks(40)
    expect(places()).toEqual([target, target, target])
  })
})

describe('lists of members', () => {
  test('refuel, repair and find_route show every member', () => {
    expect(small.act(ben, 'refuel', { target: 'fleet' })).toMatchObject({
      result: {
        members: [
          { username: 'Tester 1', is_leader: true, is_you: false },
          { username: 'Tester 2', is_leader: false, is_you: true },
          { username: 'Tester 3' },
        ],
      },
    })
    expect(small.act(ben, 'repair', { target: 'fleet' })).toMatchObject({
      result: { members: [{ is_leader: true }, { is_you: true }, { username: 'Tester 3' }] },
    })
    const target_system = systemId(small.world, nextSystem())
    expect(small.ask(ben, 'find_route', { target_system })).toMatchObject({
      result: {
        fleet_fuel: [
          { username: 'Tester 1', can_complete: true },
          { username: 'Tester 2' },
          { username: 'Tester 3' },
        ],
      },
    })
    expect(fleet(small, ben, 'leave').ok).toBe(true)
    expect(small.ask(ben, 'find_route', { target_system })).not.toHaveProperty('result.fleet_fuel')
  })
})
