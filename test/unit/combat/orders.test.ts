/** Orders in a battle on v1 and v2, joining a battle, and commands allowed during one. */
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../core/errors.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { Boarding } from '../../../systems/boarding/state.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { Participant, ShipCombat, STANCES } from '../../../systems/combat/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { delayFlight, dockShip } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseIn, hullOf, meeting, open, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code

async function duel(players = 2): Promise<Scene> {
  const scene = await meeting(players)
  const [one, two] = scene.players
  scene.small.act(one, 'attack', { target_id: scene.id(two) })
  return scene
}

const order = (scene: Scene, player: Eid, params: object) =>
  scene.small.ask(player, 'battle', params)

describe('battle', () => {
  test('outside of a battle every action but engage is refused not_in_battle', async () => {
    const scene = await meeting(1)
    const [one] = scene.players
    const params = { stance: 'brace', target_id: 'nobody', marines: 1 }
    for (const action of ['advance', 'retreat', 'stance', 'target', 'board', 'self_destruct']) {
      expect(codeOf(order(scene, one, { ...params, action })), action).toBe('not_in_battle')
    }
    expect(codeOf(order(scene, one, { action: 'engage' }))).toBe('no_battle')
  })

  test('the latest of several orders to advance or retreat counts', async () => {
    const scene = await duel()
    const [one] = scene.players
    const done = order(scene, one, { action: 'advance' })
    expect(done).toMatchObject({ ok: true, result: { action: 'advance' } })
    const part = scene.world.read(Participant)
    expect(part.orderMove[rowOf(scene.world, one)]).toBe(-1)
    order(scene, one, { action: 'retreat' })
    expect(part.orderMove[rowOf(scene.world, one)]).toBe(1)
    expect(part.orderTick[rowOf(scene.world, one)]).toBe(scene.world.tick)
  })

  test('stance accepts known stances and refuses others with invalid_stance', async () => {
    const scene = await duel()
    const [one] = scene.players
    for (const stance of ['fire', 'evade', 'brace', 'flee'] as const) {
      expect(order(scene, one, { action: 'stance', stance }).ok, stance).toBe(true)
      const ordered = scene.world.read(Participant).orderStance[rowOf(scene.world, one)]
      expect(ordered).toBe(STANCES.indexOf(stance) + 1)
    }
    expect(codeOf(order(scene, one, { action: 'stance', stance: 'hide' }))).toBe('invalid_stance')
    expect(codeOf(order(scene, one, { action: 'stance' }))).toBe('invalid_stance')
  })

  test('flee is refused boarding_locked while boarders hold the ship', async () => {
    const scene = await duel()
    const [one] = scene.players
    scene.world.write(Boarding).locked[rowOf(scene.world, one)] = 1
    const refused = order(scene, one, { action: 'stance', stance: 'flee' })
    scene.world.write(Boarding).locked[rowOf(scene.world, one)] = 0
    expect(codeOf(refused)).toBe('boarding_locked')
  })

  test('board needs gear, marines and an enemy', async () => {
    const scene = await duel(3)
    const { world } = scene
    const [one, two, three] = scene.players
    const params = { action: 'stance', stance: 'board', target_id: scene.id(two), marines: 2 }
    expect(codeOf(order(scene, one, params))).toBe('no_boarding_gear')
    world.write(Boarding).capable[rowOf(world, one)] = 1
    expect(codeOf(order(scene, one, params))).toBe('no_marines')
    world.write(Ship).marineCap[hullOf(world, one)] = 4
    world.write(Ship).marinesFit[hullOf(world, one)] = 4
    const outsider = { ...params, action: 'board', target_id: scene.id(three) }
    expect(codeOf(order(scene, one, outsider))).toBe('invalid_target')
    expect(order(scene, one, { ...params, action: 'board' })).toMatchObject({
      ok: true,
      result: { stance: 'board', target_id: scene.id(two) },
    })
    expect(world.read(Boarding).wanted[rowOf(world, one)]).toBe(rowOf(world, two))
    world.write(Boarding).wanted[rowOf(world, one)] = 0
    world.write(Ship).marinesFit[hullOf(world, one)] = 0
    world.write(Ship).marineCap[hullOf(world, one)] = 0
  })

  test('target takes an enemy by id or name and refuses everybody else with invalid_target', async () => {
    const scene = await duel(3)
    const [one, two, three] = scene.players
    for (const target_id of [scene.id(two), 'Tester 2', 'tester 2']) {
      expect(order(scene, one, { action: 'target', target_id }).ok, target_id).toBe(true)
    }
    const ordered = scene.world.read(Participant).orderTarget[rowOf(scene.world, one)]
    expect(ordered).toBe(rowOf(scene.world, two))
    expect(codeOf(order(scene, one, { action: 'target' }))).toBe('invalid_payload')
    for (const target_id of [scene.id(three), scene.id(one), 'nobody']) {
      const refused = order(scene, one, { action: 'target', target_id })
      expect(codeOf(refused), target_id).toBe('invalid_target')
    }
  })

  test('an anonymous enemy can be targeted only by the id that the battle shows', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one, two] = scene.players
    world.write(Player).anonymous[two] = 1
    const status = small.ask(one, 'get_battle_status') as unknown as {
      result: { participants: { player_id: string; username: string }[] }
    }
    const shown = status.result.participants.find(({ username }) => username === '')
    expect(codeOf(order(scene, one, { action: 'target', target_id: scene.id(two) }))).toBe(
      'invalid_target',
    )
    expect(order(scene, one, { action: 'target', target_id: shown?.player_id }).ok).toBe(true)
    expect(small.act(one, 'attack', { target_id: shown?.player_id }).ok).toBe(true)
  })

  test('more than 20 orders in a tick are refused rate_limited until the next tick', async () => {
    const scene = await duel()
    const [one] = scene.players
    for (let i = 0; i < 20; i++) expect(order(scene, one, { action: 'advance' }).ok).toBe(true)
    const refused = order(scene, one, { action: 'advance' }) as Failure
    expect(refused.code).toBe('rate_limited')
    expect(refused.details).toEqual({ wait_seconds: 10 })
    scene.small.ticks(1)
    expect(order(scene, one, { action: 'advance' }).ok).toBe(true)
  })

  test('the action help lists the other actions', async () => {
    const scene = await meeting(1)
    const { result } = order(scene, scene.players[0], { action: 'help' }) as unknown as {
      result: { actions: { action: string }[] }
    }
    expect(result.actions.map(({ action }) => action)).toContain('self_destruct')
  })

  test('each action has an address of its own on v2', async () => {
    const scene = await duel()
    const [one, two] = scene.players
    const ask = (action: string, params: object) =>
      scene.small.ask(one, `v2:game_battle/${action}`, params).ok
    expect(ask('advance', {})).toBe(true)
    expect(ask('retreat', {})).toBe(true)
    expect(ask('stance', { stance: 'brace' })).toBe(true)
    expect(ask('target', { target_id: scene.id(two) })).toBe(true)
    expect(ask('engage', {})).toBe(false)
    expect(ask('self_destruct', {})).toBe(true)
  })
})

describe('battle help', () => {
  test('lists every action with examples, and the sources and values of its fields', async () => {
    const scene = await meeting(1)
    const [one] = scene.players
    const { result } = order(scene, one, { action: 'help' }) as unknown as {
      result: Record<string, Record<string, unknown>[]>
    }
    expect(result.actions.map(({ action }) => action)).toEqual([
      'advance',
      'retreat',
      'stance',
      'target',
      'board',
      'engage',
      'self_destruct',
    ])
    for (const { action, example, examples } of result.actions) {
      expect(example).toEqual((examples as unknown[])[0])
      expect(example).toMatchObject({ action })
    }
    expect(Object.keys(result.sources)).toEqual(['target_id', 'side_id', 'marines', 'stance'])
    expect(result.targets).toMatchObject({ stance: [...STANCES] })
  })
})

describe('engage', () => {
  test('joins the battle on the named side in the next fight phase', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [, , three] = scene.players
    expect(order(scene, three, { action: 'engage', side_id: 2 }).ok).toBe(true)
    expect(inBattle(world, three)).toBe(false)
    small.ticks(1)
    expect(world.read(Participant).side[rowOf(world, three)]).toBe(2)
    expect(world.read(ShipCombat).aggressiveUntil[hullOf(world, three)]).toBe(world.tick + 30)
  })

  test('without a side joins the lowest one that has a player', async () => {
    const scene = await duel(3)
    const [, , three] = scene.players
    order(scene, three, { action: 'engage' })
    scene.small.ticks(1)
    expect(scene.world.read(Participant).side[rowOf(scene.world, three)]).toBe(1)
  })

  test('is refused already_in_battle, docked, invalid_side', async () => {
    const scene = await duel(3)
    const [one, , three] = scene.players
    expect(codeOf(order(scene, one, { action: 'engage' }))).toBe('already_in_battle')
    expect(codeOf(order(scene, three, { action: 'engage', side_id: 9 }))).toBe('invalid_side')
    expect(codeOf(order(scene, three, { action: 'engage', side_id: 0 }))).toBe('invalid_side')
    dockShip(scene.world, hullOf(scene.world, three), baseIn(scene.world, scene.system))
    expect(codeOf(order(scene, three, { action: 'engage' }))).toBe('docked')
  })

  test('lapses when the ship docks or the battle ends', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [one, two, three] = scene.players
    order(scene, three, { action: 'engage', side_id: 1 })
    dockShip(world, hullOf(world, three), baseIn(world, scene.system))
    small.ticks(1)
    expect(inBattle(world, three)).toBe(false)
    putAt(world, three, scene.poi)
    order(scene, three, { action: 'engage', side_id: 1 })
    scene.doom(two, 'destroyed', one)
    // The ship may join in the phase in which the battle ends; no order is left either way.
    small.ticks(1)
    expect(world.read(ShipCombat).engageBattle[hullOf(world, three)]).toBe(0)
  })

  test('lapses when the ship departs', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [, , three] = scene.players
    const [, other] = open(world, scene.system)
    order(scene, three, { action: 'engage', side_id: 1 })
    const params = { target_poi: poiId(world, other) }
    small.tick({ player: three, command: 'travel', params })
    expect(inBattle(world, three)).toBe(false)
    expect(world.read(Location).poi[hullOf(world, three)]).toBe(0)
    small.ticks(20)
    expect(inBattle(world, three)).toBe(false)
  })

  test('survives a restart between order and battle', async () => {
    const scene = await duel(3)
    const [, , three] = scene.players
    order(scene, three, { action: 'engage', side_id: 2 })
    const loaded = await scene.small.reload()
    loaded.ticks(1)
    scene.small.ticks(1)
    expect(loaded.hash()).toBe(scene.small.hash())
    expect(inBattle(loaded.world, three)).toBe(true)
  })
})

describe('in a battle', () => {
  test('commands that are not allowed are refused in_combat at once', async () => {
    const scene = await duel()
    const [one] = scene.players
    for (const command of ['dock', 'travel', 'jump', 'mine', 'refuel', 'sell']) {
      const params = { target_poi: 'x', target_system: 'x', item_id: 'iron_ore', quantity: 1 }
      expect(codeOf(scene.small.act(one, command, params)), command).toBe('in_combat')
    }
  })

  test('jettison, repair with kits, reload, attack and queries are allowed', async () => {
    const scene = await duel()
    const [one, two] = scene.players
    const { small } = scene
    expect(codeOf(small.act(one, 'jettison', { item_id: 'iron_ore', quantity: 1 }))).toBe(
      'insufficient_items',
    )
    expect(codeOf(small.act(one, 'repair', {}))).toBe('hull_full')
    expect(codeOf(small.act(one, 'reload', { weapon_instance_id: 'x' }))).toBe('invalid_weapon')
    expect(small.act(one, 'attack', { target_id: scene.id(two) }).ok).toBe(true)
    expect(small.ask(one, 'get_status').ok).toBe(true)
  })

  test('repair does not dock the ship', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one] = scene.players
    const ship = hullOf(world, one)
    world.write(Ship).hull[ship] -= 5
    const refused = small.act(one, 'repair', {})
    expect(codeOf(refused)).toBe('no_repair_kits')
    expect(world.read(Location).base[ship]).toBe(0)
  })

  test('others see who is in combat', async () => {
    const scene = await duel(3)
    const [, , three] = scene.players
    const near = scene.small.ask(three, 'get_nearby') as unknown as {
      result: { nearby: { username: string; in_combat: boolean }[] }
    }
    expect(near.result.nearby.map(({ in_combat }) => in_combat)).toEqual([true, true])
    const system = scene.small.ask(three, 'get_system') as unknown as {
      result: { active_battle: { participants: object[] } }
    }
    expect(system.result.active_battle.participants).toHaveLength(2)
  })
})

describe('a traveller who is attacked', () => {
  /** Attacks the second player in transit. */
  async function chase(): Promise<Scene> {
    const scene = await meeting(2)
    const { world, small } = scene
    const [one, two] = scene.players
    const [, other] = open(world, scene.system)
    small.tick({ player: two, command: 'travel', params: { target_poi: poiId(world, other) } })
    delayFlight(world, hullOf(world, two), 20)
    expect(small.act(one, 'attack', { target_id: scene.id(two) }).ok).toBe(true)
    return scene
  }

  test('is delayed while the battle lasts, then arrives and gets the answer', async () => {
    const scene = await chase()
    const { world, small } = scene
    const [, two] = scene.players
    const ship = hullOf(world, two)
    const before = world.read(Location).arriveTick[ship]
    expect(world.read(Location).poi[ship]).toBe(0)
    small.ticks(10)
    expect(world.read(Location).arriveTick[ship]).toBe(before + 10)
    scene.doom(two, 'fled')
    small.ticks(1)
    expect(inBattle(world, two)).toBe(false)
    const [, other] = open(world, scene.system)
    expect(codeOf(small.act(two, 'dock'))).toBe('in_transit')
    const [answer] = [...small.tick().values()]
    expect(answer).toBeUndefined()
    let outcome: unknown
    while (outcome === undefined) outcome = small.tick().get(two)
    expect(outcome).toMatchObject({ ok: true, result: { action: 'arrived' } })
    expect(world.read(Location).poi[ship]).toBe(other)
  })

  test('may use the commands allowed in battle that need no place', async () => {
    const scene = await chase()
    const { small } = scene
    const [one, two] = scene.players
    expect(codeOf(small.act(two, 'reload', { weapon_instance_id: 'x' }))).toBe('invalid_weapon')
    expect(small.act(two, 'attack', { target_id: scene.id(one) }).ok).toBe(true)
    expect(codeOf(small.act(two, 'repair', {}))).toBe('hull_full')
    const jettisoned = small.act(two, 'jettison', { item_id: 'iron_ore', quantity: 1 })
    expect(codeOf(jettisoned)).toBe('in_transit')
    expect(codeOf(small.act(two, 'dock'))).toBe('in_combat')
  })

  test('respawns at home when destroyed, and the travel is answered combat_interrupt', async () => {
    const scene = await chase()
    const { world, small } = scene
    const [one, two] = scene.players
    scene.doom(two, 'destroyed', one)
    const outcomes = small.tick()
    expect(codeOf(outcomes.get(two))).toBe('combat_interrupt')
    expect(world.read(Location).base[hullOf(world, two)]).not.toBe(0)
  })

  test('continues identically after a restart', async () => {
    const scene = await chase()
    const loaded = await scene.small.reload()
    loaded.ticks(3)
    scene.small.ticks(3)
    expect(loaded.hash()).toBe(scene.small.hash())
  })
})
