/** Stations of factions in battles of their own and of their members. Source: combat.md 13, 16. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { World } from '../../../core/types.ts'
import { workingServices } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { participantOf } from '../../../systems/combat/model.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { addMember } from '../../../systems/faction/member-rules.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { isWrecked, stationShipOf } from '../../../systems/siege/model.ts'
import { Siege } from '../../../systems/siege/state.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { idOf, stray } from '../creature/scene.ts'
import { besieger, newsOf, numberOf, rowOfBase, weaken } from '../siege/scene.ts'
import { addService, does, outpost, pilotAt, port, refuses } from './scene.ts'

let small: SmallWorld
let world: World
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})

describe('a station of a faction', () => {
  test('reports its destruction once to each member, and is repaired later', () => {
    const home = port(small)
    addService(small, home, 'market_hall')
    addService(small, home, 'fuel_dock')
    const away = pilotAt(small, 1)
    addMember(world, away, home.faction)
    weaken(world, home.base, 5)
    const foe = besieger(small, home.base)
    small.takeEmissions()
    does(small, foe, 'attack', { target_id: home.id })
    for (let i = 0; i < 40 && !isWrecked(world, home.base); i++) small.ticks(1)
    expect(isWrecked(world, home.base)).toBe(true)
    const news = small.takeEmissions()
    for (const member of [home.leader, away]) {
      const number = numberOf(world, member)
      const reports = newsOf(news, 'base_destroyed').filter(({ to }) => to.includes(number))
      expect(reports).toHaveLength(1)
      expect(reports[0].payload).toMatchObject({
        base_id: home.id,
        owner_id: factionIdOf(world, home.faction),
      })
      expect(newsOf(news, 'base_raid_update').some(({ to }) => to.includes(number))).toBe(true)
    }
    expect(workingServices(world, home.base)).toEqual(['market'])
    world.write(Siege).repairedTick[home.base] = world.tick + 1
    small.ticks(2)
    expect(isWrecked(world, home.base)).toBe(false)
    expect(workingServices(world, home.base)).toEqual(['refuel', 'market'])
    expect(newsOf(small.takeEmissions(), 'station_repaired').length).toBeGreaterThan(0)
  })

  test('joins the battle of an attacked member, but no battle between two members', () => {
    const home = port(small)
    const mate = pilotAt(small, home.poi)
    addMember(world, mate, home.faction)
    const rival = besieger(small, home.base)
    addMember(world, rival, home.faction)
    placeInSpace(world, shipOf(world, rival), home.poi)
    does(small, rival, 'attack', { target_id: String(nameOf(mate)) })
    expect(stationShipOf(world, home.base)).toBe(0)
    const second = port(small)
    const victim = pilotAt(small, second.poi)
    addMember(world, victim, second.faction)
    const foe = besieger(small, second.base)
    placeInSpace(world, shipOf(world, foe), second.poi)
    does(small, foe, 'attack', { target_id: String(nameOf(victim)) })
    const stationRow = rowOfBase(world, second.base)
    expect(stationRow).toBeGreaterThan(0)
    const { side } = world.read(Participant)
    expect(side[stationRow]).toBe(side[participantOf(world, shipOf(world, victim))])
    expect(side[stationRow]).not.toBe(side[participantOf(world, shipOf(world, foe))])
  })

  test('joins the battle of an attacking member, and nobody may dock while it lasts', () => {
    const home = port(small)
    const member = besieger(small, home.base)
    addMember(world, member, home.faction)
    const prey = pilotAt(small, home.poi)
    does(small, member, 'attack', { target_id: String(nameOf(prey)) })
    const stationRow = rowOfBase(world, home.base)
    expect(stationRow).toBeGreaterThan(0)
    const { side, battle } = world.read(Participant)
    const memberRow = participantOf(world, shipOf(world, member))
    expect([battle[stationRow], side[stationRow]]).toEqual([battle[memberRow], side[memberRow]])
    const latecomer = pilotAt(small, world.read(Base).poi[home.base])
    addMember(world, latecomer, home.faction)
    refuses(small, latecomer, ['dock', {}], 'station_under_attack')
  })

  test('without guns stays out of the battle of an attacking member', () => {
    const home = port(small)
    world.write(Base).weaponDamage[home.base] = 0
    const member = besieger(small, home.base)
    addMember(world, member, home.faction)
    const prey = pilotAt(small, home.poi)
    does(small, member, 'attack', { target_id: String(nameOf(prey)) })
    expect(participantOf(world, shipOf(world, member))).toBeGreaterThan(0)
    expect(stationShipOf(world, home.base)).toBe(0)
  })

  test.each([
    ['magnet_ox', false],
    ['noon_dragon', true],
  ])('joins the hunt of a %s by a member: %s', (id, joins) => {
    const home = port(small)
    const hunter = besieger(small, home.base)
    addMember(world, hunter, home.faction)
    const prey = stray(world, id, world.read(Base).poi[home.base])
    does(small, hunter, 'hunt', { target_id: idOf(world, prey) })
    const memberRow = participantOf(world, shipOf(world, hunter))
    expect(memberRow).toBeGreaterThan(0)
    const stationRow = rowOfBase(world, home.base)
    expect(stationRow > 0).toBe(joins)
    if (joins) {
      const { side, battle } = world.read(Participant)
      expect([battle[stationRow], side[stationRow]]).toEqual([battle[memberRow], side[memberRow]])
      small.ticks(30)
    }
  })

  test('cannot be dismantled as an outpost while it is under attack', () => {
    const depot = outpost(small)
    const foe = besieger(small, depot.base)
    does(small, foe, 'attack', { target_id: depot.id })
    expect(stationShipOf(world, depot.base)).toBeGreaterThan(0)
    refuses(small, depot.leader, ['dismantle_outpost', {}], 'station_under_attack')
    expect(world.read(Base).weaponDamage[depot.base]).toBe(0)
  })
})

const nameOf = (player: number): string => `Pilot ${small.players.indexOf(player)}`
