/** Pilotless ships: connections that end in a battle, and pilots who reconnect. */
import { describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { attackRefusal } from '../../../systems/combat/engage-model.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { Participant, PlayerCombat, ShipCombat, STANCES } from '../../../systems/combat/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { poiId, systemId } from '../../../systems/travel/model.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, payloadsTo, rowOf, type Scene } from './scene.ts'

onSmallMap()

const setChannel = (
  { small, world }: Scene,
  player: Eid,
  action: 'bind' | 'unbind',
  channel = 'ws',
) => small.ask(0, `internal:${action}`, { player: world.read(Player).seq[player], channel })

async function duel(players = 2): Promise<Scene> {
  const scene = await meeting(players)
  const [one, two] = scene.players
  scene.small.act(one, 'attack', { target_id: scene.id(two) })
  scene.takeEmissions()
  return scene
}

describe('a pilot whose connection ends in a battle', () => {
  test('leaves the ship pilotless for 30 ticks and sends pilotless_ship', async () => {
    const scene = await duel(3)
    const { world } = scene
    const [one, two, three] = scene.players
    setChannel(scene, two, 'unbind')
    const emissions = scene.takeEmissions()
    const ship = hullOf(world, two)
    for (const player of [one, three]) {
      expect(payloadsTo(scene, emissions, player, 'pilotless_ship')).toEqual([
        {
          player_id: scene.id(two),
          player_username: 'Tester 2',
          ship_id: shipId(world, ship),
          ship_class: expect.any(String),
          system_id: systemId(world, scene.system),
          poi_id: poiId(world, scene.poi),
          expire_tick: world.tick + 30,
          ticks_remaining: 30,
        },
      ])
    }
  })

  test('leaves a ship that braces, holds its ring and can be attacked', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [, two, three] = scene.players
    small.ask(two, 'battle', { action: 'stance', stance: 'evade' })
    setChannel(scene, two, 'unbind')
    const row = rowOf(world, two)
    const { stance, ring, orderTick } = world.read(Participant)
    const before = ring[row]
    small.ticks(2)
    expect(STANCES[stance[row]]).toBe('brace')
    expect([ring[row], orderTick[row]]).toEqual([before, 0])
    expect(small.act(three, 'attack', { target_id: scene.id(two) }).ok).toBe(true)
  })

  test('keeps the ship piloted while another channel is open', async () => {
    const scene = await duel()
    const [, two] = scene.players
    setChannel(scene, two, 'bind', 'http')
    setChannel(scene, two, 'unbind', 'ws')
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
    setChannel(scene, two, 'unbind', 'http')
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(scene.world.tick + 30)
  })

  test('pilots the ship again on return and gets the event reconnected', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [, two] = scene.players
    setChannel(scene, two, 'unbind')
    small.ticks(4)
    expect(setChannel(scene, two, 'bind')).toMatchObject({
      result: {
        reconnected: { message: expect.any(String), was_pilotless: true, ticks_remaining: 26 },
      },
    })
    expect(world.read(Participant).pilotless[rowOf(world, two)]).toBe(0)
    small.ticks(1)
    expect(STANCES[world.read(Participant).stance[rowOf(world, two)]]).toBe('fire')
    expect(setChannel(scene, two, 'bind')).not.toHaveProperty('result.reconnected')
  })

  test('is offline after 30 ticks, and cannot be attacked after the battle', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one, two] = scene.players
    setChannel(scene, two, 'unbind')
    world.write(ShipCombat).aggressiveUntil[hullOf(world, two)] = world.tick + 40
    small.ticks(25)
    expect(inBattle(world, two)).toBe(true)
    small.ticks(6)
    expect(world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
    expect(inBattle(world, two)).toBe(false)
    world.write(ShipCombat).graceUntil[hullOf(world, two)] = 0
    const refused = attackRefusal(world, hullOf(world, one), hullOf(world, two))
    expect(refused).toMatchObject({ code: 'invalid_target' })
    expect(setChannel(scene, two, 'bind')).not.toHaveProperty('result.reconnected')
  })

  test('leaves a ship that continues identically after a restart', async () => {
    const scene = await duel()
    const [, two] = scene.players
    setChannel(scene, two, 'unbind')
    const restored = await scene.small.reload()
    for (const small of [scene.small, restored]) small.ticks(35)
    expect(restored.hash()).toBe(scene.small.hash())
  })

  test('is no longer pilotless once the ship is destroyed', async () => {
    const scene = await duel()
    const [one, two] = scene.players
    setChannel(scene, two, 'unbind')
    scene.doom(two, 'destroyed', one)
    scene.small.ticks(1)
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
  })
})

describe('a pilot whose connection ends elsewhere', () => {
  test('goes offline at once without a flag of aggression', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    scene.takeEmissions()
    setChannel(scene, two, 'unbind')
    expect(payloadsTo(scene, scene.takeEmissions(), one, 'pilotless_ship')).toEqual([])
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
  })

  test('leaves the ship pilotless if flagged as an aggressor', async () => {
    const scene = await meeting(2)
    const { world } = scene
    const [one, two] = scene.players
    world.write(ShipCombat).aggressiveUntil[hullOf(world, two)] = world.tick + 5
    scene.takeEmissions()
    setChannel(scene, two, 'unbind')
    expect(payloadsTo(scene, scene.takeEmissions(), one, 'pilotless_ship')).toHaveLength(1)
  })

  test('is identified only by the id of the ship when anonymous', async () => {
    const scene = await duel()
    const { world } = scene
    const [one, two] = scene.players
    world.write(Player).anonymous[two] = 1
    setChannel(scene, two, 'unbind')
    const [payload] = payloadsTo(scene, scene.takeEmissions(), one, 'pilotless_ship')
    expect(payload).toMatchObject({
      player_id: shipId(world, hullOf(world, two)),
      player_username: '',
    })
  })
})
