/** Stations under attack: how they fight, are wrecked and repaired. Source: combat.md 13, 16. */
import { beforeAll, describe, expect, test } from 'vitest'
import { CREWS } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { PlayerStats, STATS, STATS_WIDTH } from '../../../systems/account/state.ts'
import { hasService, workingServices } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { GUNS_MAX, PARTICIPANT_KINDS, Participant } from '../../../systems/combat/state.ts'
import { crewIn } from '../../../systems/npc/model.ts'
import { SystemNpcs } from '../../../systems/npc/state.ts'
import { isWrecked, stationShipOf, systemOfBase } from '../../../systems/siege/model.ts'
import { rearm } from '../../../systems/siege/rules.ts'
import { Siege } from '../../../systems/siege/state.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import {
  besieger,
  freshBase,
  idOfBase,
  newsOf,
  numberOf,
  rowOfBase,
  shipOf,
  weaken,
} from './scene.ts'

let small: SmallWorld
let world: World
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
})

const attack = (player: Eid, base: Eid) =>
  small.act(player, 'attack', { target_id: idOfBase(world, base) })

/** Runs ticks until a station that is attacked is wrecked. */
function tickUntilWrecked(base: Eid): void {
  for (let i = 0; i < 12 && !isWrecked(world, base); i++) small.ticks(1)
}

describe('an attack on a station', () => {
  test('opens a battle with the station at the engaged ring, under its own id and name', () => {
    const base = freshBase(small, 'independent')
    const player = besieger(small, base)
    const name = world.texts.get(world.read(Base).name[base])
    expect(attack(player, base)).toMatchObject({
      ok: true,
      result: { kind: 'npc', target: idOfBase(world, base), target_type: 'station' },
    })
    const row = rowOfBase(world, base)
    expect(PARTICIPANT_KINDS[world.read(Participant).kind[row]]).toBe('station')
    small.ticks(2)
    expect(world.read(Participant).ring[row]).toBe(0)
    const status = small.ask(player, 'get_battle_status')
    expect(status).toMatchObject({
      result: {
        participants: expect.arrayContaining([
          expect.objectContaining({
            player_id: idOfBase(world, base),
            username: name,
            kind: 'station',
            zone: 'engaged',
            is_npc: true,
          }),
        ]),
      },
    })
  })

  test('may name the place of the station, from anywhere in the system', () => {
    const base = freshBase(small, 'independent')
    const player = besieger(small, base)
    const { poi } = world.read(Base)
    const system = small.ask(player, 'get_system')
    const { pois } = (
      system as { result: { system: { pois: { id: string; has_base: boolean }[] } } }
    ).result.system
    const home = pois.find(({ has_base }) => has_base)
    const starSystem = world.read(Poi).system[poi[base]]
    const [elsewhere] = poisOf(world, starSystem).filter((place) => place !== poi[base])
    placeInSpace(world, shipOf(world, player), elsewhere)
    expect(small.act(player, 'attack', { target_id: home?.id ?? '' }).ok).toBe(true)
    expect(stationShipOf(world, base)).not.toBe(0)
  })

  test('is refused invalid_target for a station of another system', () => {
    const [near, far] = [freshBase(small, 'independent'), freshBase(small, 'independent')]
    const player = besieger(small, near)
    expect(attack(player, far)).toMatchObject({ ok: false, code: 'invalid_target' })
    expect(stationShipOf(world, far)).toBe(0)
  })

  test('on a stronghold meets flak at two rings and harpoons at three', () => {
    const base = freshBase(small, 'pirate')
    const player = besieger(small, base)
    expect(attack(player, base).ok).toBe(true)
    const row = rowOfBase(world, base)
    const { guns, gunDamage, gunReach, gunPeriod } = world.read(Participant)
    expect(guns[row]).toBe(2)
    const first = row * GUNS_MAX
    const figures = [first, first + 1].map((gun) => [gunDamage[gun], gunReach[gun], gunPeriod[gun]])
    expect(figures).toEqual([
      [70, 2, 2],
      [300, 3, 6],
    ])
    const { hullMax, shieldMax, armor } = world.read(Base)
    expect([hullMax[base], shieldMax[base], armor[base]]).toEqual([120_000, 30_000, 30])
  })

  test('sends base_raid_update to the players at the station when it is hit', () => {
    const base = freshBase(small, 'independent')
    const player = besieger(small, base)
    const watcher = besieger(small, base)
    weaken(world, base, 5_000)
    attack(player, base)
    small.ticks(4)
    const id = idOfBase(world, base)
    const updates = newsOf(small.takeEmissions(), 'base_raid_update').filter(
      ({ payload }) => (payload as { base_id: string }).base_id === id,
    )
    expect(updates.length).toBeGreaterThan(0)
    expect(updates[0].to).toEqual([numberOf(world, player), numberOf(world, watcher)])
    const { payload } = updates[0]
    expect(payload).toMatchObject({ base_id: id, attacker_name: expect.any(String) })
    const { damage, current_health, max_health } = payload as Record<string, number>
    expect(damage).toBeGreaterThan(0)
    expect(current_health).toBe(5_000 - damage)
    expect(max_health).toBe(world.read(Base).hullMax[base])
  })

  test('does damage that is repaired automatically after the battle', () => {
    const base = freshBase(small, 'independent')
    const player = besieger(small, base)
    weaken(world, base, 5_000)
    attack(player, base)
    small.ticks(3)
    const hurt = world.read(Base).hull[base]
    expect(hurt).toBeLessThan(5_000)
    const ship = shipOf(world, player)
    small.act(player, 'self_destruct')
    for (let i = 0; i < 6 && stationShipOf(world, base) !== 0; i++) small.ticks(1)
    expect(stationShipOf(world, base)).toBe(0)
    expect(shipOf(world, player)).not.toBe(ship)
    const left = world.read(Base).hull[base]
    small.ticks(10)
    expect(world.read(Base).hull[base]).toBeGreaterThan(left)
  })
})

describe('a station whose hull is gone', () => {
  test('is wrecked and offers no services but market and storage', () => {
    const base = freshBase(small, 'empire')
    const player = besieger(small, base)
    const offered = workingServices(world, base)
    weaken(world, base, 3)
    expect(attack(player, base).ok).toBe(true)
    tickUntilWrecked(base)
    expect(isWrecked(world, base)).toBe(true)
    expect(offered.length).toBeGreaterThan(2)
    expect(workingServices(world, base)).toEqual(['market', 'storage'])
    const [report] = newsOf(small.takeEmissions(), 'base_destroyed')
    expect(report.payload).toMatchObject({
      base_id: idOfBase(world, base),
      attacker_name: expect.stringContaining('Besieger'),
      owner_id: expect.stringMatching(/^[a-z]+$/),
      system_id: expect.any(String),
    })
    const stat = STATS.indexOf('bases_destroyed')
    expect(world.read(PlayerStats).values[player * STATS_WIDTH + stat]).toBe(1)
    expect(stationShipOf(world, base)).toBe(0)
    small.ticks(3)
    expect(attack(player, base)).toMatchObject({ ok: false, code: 'target_wrecked' })
  })

  test('leaves debris that can be neither towed nor looted', () => {
    const base = freshBase(small, 'independent')
    const player = besieger(small, base, ['blaster_ii', 'tow_rig_basic'])
    weaken(world, base, 3)
    attack(player, base)
    tickUntilWrecked(base)
    const { wrecks } = (
      small.ask(player, 'get_wrecks') as {
        result: { wrecks: { id: string; type: string; salvage_value: number }[] }
      }
    ).result
    const debris = wrecks.filter(({ type }) => type === 'debris')
    const { hullMax, name } = world.read(Base)
    expect(debris).toMatchObject([
      {
        victim_id: idOfBase(world, base),
        victim_name: world.texts.get(name[base]),
        killer_name: expect.stringContaining('Besieger'),
        // A tenth of the cost of repair, at five credits a point.
        salvage_value: Math.floor(hullMax[base] / 2),
        expire_tick: world.tick + 17_280,
        cargo: [],
      },
    ])
    const wreck_id = debris[0].id
    small.ticks(3)
    expect(small.act(player, 'tow_wreck', { wreck_id })).toMatchObject({ code: 'not_towable' })
    expect(small.act(player, 'loot_wreck', { wreck_id })).toMatchObject({ code: 'wreck_empty' })
  })

  test('is repaired and armed again after 8,640 ticks', () => {
    const base = freshBase(small, 'independent')
    const player = besieger(small, base)
    weaken(world, base, 3)
    attack(player, base)
    tickUntilWrecked(base)
    const { repairedTick, disarmed } = world.read(Siege)
    expect(repairedTick[base] - world.tick).toBeGreaterThan(8_620)
    expect(disarmed[base]).toBe(1)
    small.takeEmissions()
    world.write(Siege).repairedTick[base] = world.tick + 2
    small.ticks(2)
    const [report] = newsOf(small.takeEmissions(), 'station_repaired')
    expect(report.payload).toMatchObject({ base_id: idOfBase(world, base) })
    const { hull, hullMax } = world.read(Base)
    expect(hull[base]).toBe(hullMax[base])
    expect(disarmed[base]).toBe(0)
    expect(hasService(world, base, 'refuel')).toBe(true)
  })

  test('of a pirate crew is armed again only when it has a boss', () => {
    const base = freshBase(small, 'pirate')
    const player = besieger(small, base)
    weaken(world, base, 3)
    attack(player, base)
    tickUntilWrecked(base)
    expect(isWrecked(world, base)).toBe(true)
    const [report] = newsOf(small.takeEmissions(), 'base_destroyed')
    expect(report.payload).toMatchObject({
      owner_id: CREWS[crewIn(world, systemOfBase(world, base))].key,
    })
    const { repairedTick, disarmed } = world.write(Siege)
    world.write(SystemNpcs).bossTick[systemOfBase(world, base)] = world.tick + 500
    repairedTick[base] = world.tick + 1
    small.ticks(2)
    expect([isWrecked(world, base), disarmed[base]]).toEqual([false, 1])
    rearm(world, base)
    expect(disarmed[base]).toBe(0)
  })
})

describe('docking at a station that fights', () => {
  test('is refused in_combat to the attacker, but not to strangers at half of its hull', () => {
    const base = freshBase(small, 'independent')
    const attacker = besieger(small, base)
    const stranger = besieger(small, base)
    weaken(world, base, Math.trunc(world.read(Base).hullMax[base] / 2))
    attack(attacker, base)
    expect(small.act(stranger, 'dock').ok).toBe(true)
    expect(small.act(stranger, 'undock').ok).toBe(true)
    expect(stationShipOf(world, base)).not.toBe(0)
    expect(small.act(attacker, 'dock')).toMatchObject({ ok: false, code: 'in_combat' })
  })

  test('is refused station_under_attack below a quarter of its hull', () => {
    const base = freshBase(small, 'independent')
    const attacker = besieger(small, base)
    const stranger = besieger(small, base)
    weaken(world, base, Math.trunc(world.read(Base).hullMax[base] / 5))
    attack(attacker, base)
    const refused = small.act(stranger, 'dock')
    expect(refused).toMatchObject({ ok: false, code: 'station_under_attack' })
  })

  test('does not end for docked players when the station is wrecked', () => {
    const base = freshBase(small, 'independent')
    const attacker = besieger(small, base)
    const guest = besieger(small, base)
    dockShip(world, shipOf(world, guest), base)
    weaken(world, base, 3)
    attack(attacker, base)
    tickUntilWrecked(base)
    expect(small.ask(guest, 'get_base')).toMatchObject({
      ok: true,
      result: { base: { wrecked: true, hull: 0 }, services: ['market', 'storage'] },
    })
  })
})

test('a siege continues identically after a restart', async () => {
  const base = freshBase(small, 'independent')
  const player = besieger(small, base)
  weaken(world, base, 5_000)
  attack(player, base)
  small.ticks(2)
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  for (const server of [restored, small]) server.ticks(6)
  expect(restored.hash()).toBe(small.hash())
})
