/** Ships of the empires: their places and whom they defend. Source: combat.md section 13, ours. */
import { beforeAll, describe, expect, test } from 'vitest'
import { EMPIRE_NPCS, EMPIRES } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { PARTICIPANT_KINDS, Participant, STANCES } from '../../../systems/combat/state.ts'
import { isBorder, shipTypesWanted } from '../../../systems/npc/empire-model.ts'
import { EMPIRE_SHIP, empireNpcOf, empireOfNpc, npcOf, npcsOf } from '../../../systems/npc/model.ts'
import { scheduleDecision } from '../../../systems/npc/rules.ts'
import { makePirate, spawn } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { stationIn, stationShipOf } from '../../../systems/siege/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { pirateWorld, putAt, remove, standing } from './scene.ts'

let small: SmallWorld
let world: World
const given = new Set<Eid>()
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})

/** Returns an empire's system with a patrol and a trader, a different one each time. */
function port(): Eid {
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    const types = shipTypesWanted(world, system)
    if (given.has(system) || types.length < 2 || types.length > 3) continue
    given.add(system)
    return system
  }
  throw new Error('no port is left')
}

const shipIn = (system: Eid, role: string): Eid => {
  const { ship } = world.read(Npc)
  const found = npcsOf(world, system)
    .map((npc) => ship[npc])
    .find((hull) => empireNpcOf(world, hull)?.role === role)
  if (found === undefined) throw new Error(`no ${role} in system ${system}`)
  return found
}

describe('ships of an empire', () => {
  test('are of the types wanted in each system, with customs at the borders', () => {
    const { kind, type, ship } = world.read(Npc)
    for (let system = 1; system <= world.highOf(StarSystem); system++) {
      const there = npcsOf(world, system).filter((npc) => kind[npc] === EMPIRE_SHIP)
      expect(there.map((npc) => type[npc]).toSorted()).toEqual(
        shipTypesWanted(world, system).toSorted(),
      )
      const roles = there.map((npc) => EMPIRE_NPCS[type[npc]].role)
      expect(roles.includes('customs')).toBe(isBorder(world, system))
      for (const npc of there) {
        expect(empireOfNpc(world, ship[npc])).toBe(world.read(StarSystem).empire[system] - 1)
      }
    }
  })

  test('count as npcs_destroyed for the player who destroys them, and pay no bounty', () => {
    const system = port()
    const trader = shipIn(system, 'trader')
    remove(world, shipIn(system, 'patrol'))
    const robber = small.join('Wrecker')
    putAt(world, robber, world.read(Location).poi[trader], 'black_tithe', [
      'beam_laser_ii',
      'beam_laser_ii',
    ])
    world.write(Ship).hull[trader] = 1
    world.write(Ship).shield[trader] = 0
    small.takeEmissions()
    const attacked = small.act(robber, 'attack', { target_id: shipId(world, trader) })
    expect(attacked).toMatchObject({ ok: true })
    for (let i = 0; i < 30 && npcOf(world, trader) !== 0; i++) small.ticks(1)
    expect(npcOf(world, trader)).toBe(0)
    expect(statOf(world, robber, 'npcs_destroyed')).toBe(1)
    expect(small.takeEmissions().some(({ type }) => type === 'pirate_destroyed')).toBe(false)
  })

  test('are listed by get_nearby', () => {
    const system = port()
    const trader = shipIn(system, 'trader')
    const player = small.join('Window Shopper')
    putAt(world, player, world.read(Location).poi[trader])
    const empire = EMPIRES[empireOfNpc(world, trader)].id
    expect(small.ask(player, 'get_nearby')).toMatchObject({
      ok: true,
      result: {
        empire_npcs: expect.arrayContaining([
          expect.objectContaining({
            npc_id: shipId(world, trader),
            empire,
            role: 'trader',
            in_combat: false,
            ship_class: 'barge',
          }),
        ]),
      },
    })
  })

  test('are replaced in the next turn of their system after a loss', () => {
    const system = port()
    remove(world, shipIn(system, 'patrol'))
    expect(() => shipIn(system, 'patrol')).toThrow()
    const now = world.tick
    const turnOf = (round: number): number => 360 * (Math.trunc(now / 360) + round) + (system % 60)
    world.tick = turnOf(1) + 60
    spawn.run?.(world)
    expect(() => shipIn(system, 'patrol')).toThrow()
    world.tick = turnOf(2)
    spawn.run?.(world)
    world.tick = now
    expect(shipIn(system, 'patrol')).toBeGreaterThan(0)
  })

  test('flee as traders under attack and are defended by patrol and station', () => {
    const system = port()
    const trader = shipIn(system, 'trader')
    const patrol = shipIn(system, 'patrol')
    const robber = small.join('Robber')
    putAt(world, robber, world.read(Location).poi[trader], 'black_tithe', [
      'beam_laser_ii',
      'beam_laser_ii',
    ])
    placeInSpace(world, patrol, world.read(StarSystem).entryPoi[system])
    expect(small.act(robber, 'attack', { target_id: shipId(world, trader) }).ok).toBe(true)
    const victim = standing(world, trader)
    expect(PARTICIPANT_KINDS[world.read(Participant).kind[victim.row]]).toBe('npc')
    expect(standing(world, patrol).side).toBe(victim.side)
    const station = stationShipOf(world, stationIn(world, system, false))
    expect(standing(world, station).side).toBe(victim.side)
    small.ticks(1)
    const { stance } = world.read(Participant)
    expect(STANCES[stance[standing(world, trader).row]]).toBe('flee')
  })

  test('on patrol join the side of a player whom a pirate attacks', () => {
    const system = port()
    const patrol = shipIn(system, 'patrol')
    const npc = makePirate(world, system, 0)
    const pirate = world.read(Npc).ship[npc]
    const player = small.join('Grateful')
    const ship = putAt(world, player, world.read(Location).poi[pirate], 'black_tithe')
    expect(aggress(world, pirate, ship).ok).toBe(true)
    placeInSpace(world, patrol, world.read(StarSystem).entryPoi[system])
    scheduleDecision(world, npcOf(world, patrol), world.tick + 1)
    small.ticks(2)
    expect(standing(world, patrol).side).toBe(standing(world, ship).side)
  })
})
