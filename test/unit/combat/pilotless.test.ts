/** A connection that ends in a fight, and one that comes back. */
import { describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { attackRefusal } from '../../../systems/combat/engage-model.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { Participant, PlayerCombat, ShipCombat, STANCES } from '../../../systems/combat/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { poiId, systemId } from '../../../systems/travel/model.ts'
import { hullOf, meeting, payloadsTo, rowOf, type Scene } from './scene.ts'

const bind = ({ small, world }: Scene, player: Eid, action: 'bind' | 'unbind', channel = 'ws') =>
  small.ask(0, `internal:${action}`, { player: world.read(Player).seq[player], channel })

async function duel(players = 2): Promise<Scene> {
  const scene = await meeting(players)
  const [one, two] = scene.players
  scene.small.act(one, 'attack', { target_id: scene.id(two) })
  scene.takeEmissions()
  return scene
}

describe('a pilot whose connection ends in a battle', () => {
  test('leaves the ship pilotless for 30 ticks, and notifies the system: pilotless_ship', async () => {
    const scene = await duel(3)
    const { world } = scene
    const [one, two, three] = scene.players
    bind(scene, two, 'unbind')
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

  test('braces by autopilot, holds its ring and can be attacked', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [, two, three] = scene.players
    small.ask(two, 'battle', { action: 'stance', stance: 'evade' })
    bind(scene, two, 'unbind')
    const row = rowOf(world, two)
    const { stance, ring, orderTick } = world.read(Participant)
    const before = ring[row]
    small.ticks(2)
    expect(STANCES[stance[row]]).toBe('brace')
    expect([ring[row], orderTick[row]]).toEqual([before, 0])
    expect(small.act(three, 'attack', { target_id: scene.id(two) }).ok).toBe(true)
  })

  test('is still there on another channel', async () => {
    const scene = await duel()
    const [, two] = scene.players
    bind(scene, two, 'bind', 'http')
    bind(scene, two, 'unbind', 'ws')
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
    bind(scene, two, 'unbind', 'http')
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(scene.world.tick + 30)
  })

  test('comes back piloted, with the event reconnected that has what was left', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [, two] = scene.players
    bind(scene, two, 'unbind')
    small.ticks(4)
    expect(bind(scene, two, 'bind')).toMatchObject({
      result: {
        reconnected: { message: expect.any(String), was_pilotless: true, ticks_remaining: 26 },
      },
    })
    expect(world.read(Participant).pilotless[rowOf(world, two)]).toBe(0)
    small.ticks(1)
    expect(STANCES[world.read(Participant).stance[rowOf(world, two)]]).toBe('fire')
    expect(bind(scene, two, 'bind')).not.toHaveProperty('result.reconnected')
  })

  test('is offline after 30 ticks, and safe once no battle holds the ship', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one, two] = scene.players
    bind(scene, two, 'unbind')
    world.write(ShipCombat).aggressiveUntil[hullOf(world, two)] = world.tick + 40
    small.ticks(25)
    expect(inBattle(world, two)).toBe(true)
    small.ticks(6)
    expect(world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
    expect(inBattle(world, two)).toBe(false)
    world.write(ShipCombat).graceUntil[hullOf(world, two)] = 0
    const refused = attackRefusal(world, hullOf(world, one), hullOf(world, two))
    expect(refused).toMatchObject({ code: 'invalid_target' })
    expect(bind(scene, two, 'bind')).not.toHaveProperty('result.reconnected')
  })

  test('goes on the same after a restart', async () => {
    const scene = await duel()
    const [, two] = scene.players
    bind(scene, two, 'unbind')
    const again = await scene.small.reload()
    for (const small of [scene.small, again]) small.ticks(35)
    expect(again.hash()).toBe(scene.small.hash())
  })

  test('whose ship is lost meanwhile respawns at home, no longer pilotless', async () => {
    const scene = await duel()
    const [one, two] = scene.players
    bind(scene, two, 'unbind')
    scene.doom(two, 'destroyed', one)
    scene.small.ticks(1)
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
  })
})

describe('a pilot whose connection ends elsewhere', () => {
  test('just goes offline without a battle or flag', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    scene.takeEmissions()
    bind(scene, two, 'unbind')
    expect(payloadsTo(scene, scene.takeEmissions(), one, 'pilotless_ship')).toEqual([])
    expect(scene.world.read(PlayerCombat).pilotlessUntil[two]).toBe(0)
  })

  test('flagged in space leaves the ship pilotless as well', async () => {
    const scene = await meeting(2)
    const { world } = scene
    const [one, two] = scene.players
    world.write(ShipCombat).aggressiveUntil[hullOf(world, two)] = world.tick + 5
    scene.takeEmissions()
    bind(scene, two, 'unbind')
    expect(payloadsTo(scene, scene.takeEmissions(), one, 'pilotless_ship')).toHaveLength(1)
  })

  test('an anonymous pilot is called by the hull alone', async () => {
    const scene = await duel()
    const { world } = scene
    const [one, two] = scene.players
    world.write(Player).anonymous[two] = 1
    bind(scene, two, 'unbind')
    const [emissions] = payloadsTo(scene, scene.takeEmissions(), one, 'pilotless_ship')
    expect(emissions).toMatchObject({
      player_id: shipId(world, hullOf(world, two)),
      player_username: '',
    })
  })
})
