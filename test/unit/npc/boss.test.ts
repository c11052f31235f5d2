/** Bosses of the strongholds: places, rewards and successors. Source: combat.md section 13. */
import { beforeAll, describe, expect, test } from 'vitest'
import { CREWS } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Base } from '../../../systems/base/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { endedParticipants } from '../../../systems/combat/log-model.ts'
import { battleIn } from '../../../systems/combat/model.ts'
import { callAfterLoss } from '../../../systems/combat/reinforcement-rules.ts'
import { crewIn, isBoss, npcName, npcsOf, strongholdBase } from '../../../systems/npc/model.ts'
import { makePirate } from '../../../systems/npc/spawn-systems.ts'
import { Npc, SystemNpcs } from '../../../systems/npc/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { Siege } from '../../../systems/siege/state.ts'
import { Location, StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { piratesIn, pirateWorld, putAt, remove } from './scene.ts'

let small: SmallWorld
let world: World
let strongholds: Eid[]
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
  const { stronghold } = world.read(StarSystem)
  const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
  strongholds = systems.filter((system) => stronghold[system] === 1)
})

const bossesIn = (system: Eid): Eid[] => {
  const { ship } = world.read(Npc)
  return npcsOf(world, system)
    .map((npc) => ship[npc])
    .filter((hull) => isBoss(world, hull))
}

/** Removes all pirates of a stronghold but its boss and disarms its station; returns the boss. */
function isolate(system: Eid): Eid {
  const [boss] = bossesIn(system)
  for (const ship of piratesIn(world, system)) if (ship !== boss) remove(world, ship)
  const base = strongholdBase(world, system)
  world.write(Base).weaponDamage[base] = 0
  return boss
}

describe('a boss', () => {
  test('is at the station of each stronghold, with the name that its crew gives', () => {
    expect(strongholds.length).toBe(CREWS.length)
    const names = strongholds.map((system) => {
      const bosses = bossesIn(system)
      expect(bosses.length).toBe(1)
      const { poi } = world.read(Base)
      expect(world.read(Location).poi[bosses[0]]).toBe(poi[strongholdBase(world, system)])
      expect(world.read(Ship).hullMax[bosses[0]]).toBe(1_500)
      return npcName(world, bosses[0])
    })
    expect(names.toSorted()).toEqual(CREWS.map(({ boss }) => boss).toSorted())
    expect(new Set(strongholds.map((system) => crewIn(world, system))).size).toBe(CREWS.length)
  })

  test('calls for help only once in a battle', () => {
    const system = strongholds[1]
    const boss = isolate(system)
    const hunter = small.join(`Boss Baiter ${small.players.length}`)
    const ship = putAt(world, hunter, world.read(Location).poi[boss], 'black_tithe')
    expect(aggress(world, ship, boss).ok).toBe(true)
    const late = makePirate(world, system, 0)
    const { call, thinkTick } = world.read(Npc)
    callAfterLoss(world, battleIn(world, system))
    const joinTick = thinkTick[late]
    expect(call[late]).not.toBe(0)
    small.ticks(2)
    callAfterLoss(world, battleIn(world, system))
    expect(thinkTick[late]).toBe(joinTick)
  })

  test('is reported as pirate_destroyed to its killer and, without a wreck, to its system', () => {
    const [system] = strongholds
    const boss = isolate(system)
    const name = npcName(world, boss)
    const hunter = small.join('Boss Hunter')
    const watcher = small.join('Boss Watcher')
    const poi = world.read(Location).poi[boss]
    for (const player of [hunter, watcher]) {
      putAt(world, player, poi, 'black_tithe', ['beam_laser_ii', 'beam_laser_ii'])
    }
    world.write(Ship).hull[boss] = 1
    world.write(Ship).shield[boss] = 0
    const paidBefore = balanceOf(world, namedAccount('pirate_bounty'))
    small.takeEmissions()
    expect(small.act(hunter, 'attack', { target_id: shipId(world, boss) }).ok).toBe(true)
    const bosses = endedParticipants(world, battleIn(world, system)).filter(
      ({ is_boss }) => is_boss,
    )
    expect(bosses.map(({ username }) => username)).toEqual([name])
    for (let i = 0; i < 20 && bossesIn(system).length > 0; i++) {
      world.write(Ship).shield[boss] = 0
      small.ticks(1)
    }
    const reports = small.takeEmissions().filter(({ type }) => type === 'pirate_destroyed')
    expect(reports.length).toBe(2)
    const [own, systemWide] = reports
    expect(own.to.length).toBe(1)
    expect(own.payload).toMatchObject({
      pirate_name: name,
      pirate_role: 'warlord',
      is_boss: true,
      credits_earned: 60_000,
      combat_xp: expect.any(Number),
      wreck_id: expect.any(String),
    })
    expect(balanceOf(world, namedAccount('pirate_bounty')) - paidBefore).toBe(-60_000)
    expect(systemWide.to.length).toBeGreaterThanOrEqual(2)
    expect(systemWide.payload).toMatchObject({
      is_boss: true,
      killer: 'Boss Hunter',
      system_id: expect.any(String),
      system_name: expect.any(String),
      message: expect.stringContaining(name),
    })
    expect(JSON.stringify(systemWide.payload)).not.toContain('wreck')
  })

  test('is replaced after 8,640 ticks, which arms the stronghold again', () => {
    const system = strongholds[1]
    const base = strongholdBase(world, system)
    remove(world, isolate(system))
    const { bossTick } = world.write(SystemNpcs)
    expect(bossTick[system]).toBe(world.tick + 8_640)
    world.write(Siege).disarmed[base] = 1
    small.ticks(60)
    expect(bossesIn(system)).toEqual([])
    bossTick[system] = world.tick + 1
    small.ticks(60)
    expect(bossesIn(system).length).toBe(1)
    expect(world.read(Siege).disarmed[base]).toBe(0)
  })
})
