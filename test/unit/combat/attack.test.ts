/** attack: who may attack whom, how battles open and grow, what it interrupts, whom it notifies. */
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../../core/limits.ts'
import { Player } from '../../../systems/account/state.ts'
import { makeHostile } from '../../../systems/combat/battles-rules.ts'
import { areHostile, battleIn, participantsOf } from '../../../systems/combat/model.ts'
import { Battle, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { bountyOf } from '../../../systems/law/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseIn, hullOf, meeting, open, payloadsTo, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

/** A place of another system, with police. */
const POLICED_POI = 1

const attack = (scene: Scene, player: number, target: number) =>
  scene.small.act(player, 'attack', { target_id: scene.id(target) })

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code

describe('attack', () => {
  test('opens a battle with two hostile sides, at the place of the target', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    const outcome = attack(scene, one, two)
    const { world } = scene
    const battle = battleIn(world, scene.system)
    expect(outcome).toMatchObject({
      ok: true,
      result: { action: 'attack', kind: 'player', your_side: 1, your_zone: 'outer' },
    })
    expect(world.read(Battle).origin[battle]).toBe(scene.poi)
    expect(participantsOf(world, battle)).toHaveLength(2)
    expect(areHostile(world, battle, 1, 2)).toBe(true)
    expect(areHostile(world, battle, 2, 1)).toBe(true)
    expect(world.read(Participant).target[rowOf(world, one)]).toBe(rowOf(world, two))
  })

  test('a third attacker gets a side of its own in the same battle', async () => {
    const scene = await meeting(3)
    const [one, two, three] = scene.players
    attack(scene, one, two)
    attack(scene, three, two)
    const { world } = scene
    const battle = battleIn(world, scene.system)
    expect(world.countOf(Battle)).toBe(1)
    expect(world.read(Participant).side[rowOf(world, three)]).toBe(3)
    expect(areHostile(world, battle, 3, 2)).toBe(true)
    expect(areHostile(world, battle, 3, 1)).toBe(false)
  })

  test('two attacks on each other in one tick both count and make one battle', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    const outcomes = scene.small.tick(
      { player: one, command: 'attack', params: { target_id: scene.id(two) } },
      { player: two, command: 'attack', params: { target_id: scene.id(one) } },
    )
    expect([...outcomes.values()].map(({ ok }) => ok)).toEqual([true, true])
    expect(scene.world.countOf(Battle)).toBe(1)
    expect(scene.world.read(Battle).sides[battleIn(scene.world, scene.system)]).toBe(2)
  })

  test('a repeated attack does not interrupt the action of the enemy again', async () => {
    const scene = await meeting(2)
    const { world, small } = scene
    const [one, two] = scene.players
    const attack = { player: one, command: 'attack', params: { target_id: scene.id(two) } }
    const repair = { player: two, command: 'repair', params: { item_id: 'hull_patch' } }
    const first = small.tick(attack, repair)
    expect(first.get(two)).toMatchObject({ code: 'combat_interrupt' })
    world.write(Ship).hull[hullOf(world, two)]--
    const second = small.tick(attack, repair)
    expect(second.get(two)).toMatchObject({ code: 'no_repair_kits' })
  })

  test('an attack on an enemy of the same battle only changes the target', async () => {
    const scene = await meeting(3)
    const [one, two, three] = scene.players
    attack(scene, one, two)
    attack(scene, one, three)
    const { world } = scene
    expect(world.read(Participant).target[rowOf(world, one)]).toBe(rowOf(world, three))
    attack(scene, one, two)
    expect(world.read(Participant).target[rowOf(world, one)]).toBe(rowOf(world, two))
    expect(world.read(Battle).sides[battleIn(world, scene.system)]).toBe(3)
  })

  test('flags the attacker as an aggressor for 30 ticks', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    const answer = scene.small.answer(one, 'attack', { target_id: scene.id(two) })
    expect(answer.outcome.ok).toBe(true)
    const until = scene.world.read(ShipCombat).aggressiveUntil[hullOf(scene.world, one)]
    expect(until).toBe(scene.world.tick + 30)
  })

  test('is refused invalid_target for unknown, own, distant and docked ships', async () => {
    const scene = await meeting(3)
    const { world } = scene
    const [one, two, three] = scene.players
    expect(codeOf(scene.small.act(one, 'attack', { target_id: 'nobody' }))).toBe('invalid_target')
    expect(codeOf(attack(scene, one, one))).toBe('invalid_target')
    placeInSpace(world, hullOf(world, two), POLICED_POI)
    expect(codeOf(attack(scene, one, two))).toBe('invalid_target')
    dockShip(world, hullOf(world, three), baseIn(world, scene.system))
    expect(codeOf(attack(scene, one, three))).toBe('invalid_target')
    expect(world.countOf(Battle)).toBe(0)
  })

  test('is refused for a cloaked player and for an anonymous one', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    scene.world.write(Player).cloaked[two] = 1
    expect(codeOf(attack(scene, one, two))).toBe('target_cloaked')
    scene.world.write(Player).cloaked[two] = 0
    scene.world.write(Player).anonymous[two] = 1
    expect(codeOf(attack(scene, one, two))).toBe('invalid_target')
  })

  test('is a crime in a system with police, but not refused', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    const home = scene.world.read(Player).homeBase[one]
    expect(home).not.toBe(0)
    for (const player of [one, two]) putAt(scene.world, player, POLICED_POI)
    expect(attack(scene, one, two).ok).toBe(true)
    expect(bountyOf(scene.world, one, 0)).toBe(500)
    expect(bountyOf(scene.world, two, 0)).toBe(0)
  })

  test('an offline player cannot be attacked unless flagged as an aggressor', async () => {
    const scene = await meeting(3)
    const [one, two, three] = scene.players
    const { world, small } = scene
    world.write(ShipCombat).aggressiveUntil[hullOf(world, three)] = world.tick + 30
    for (const player of [two, three]) {
      const number = world.read(Player).seq[player]
      small.ask(0, 'internal:unbind', { player: number, channel: 'ws' })
    }
    small.ticks(4)
    expect(codeOf(attack(scene, one, two))).toBe('invalid_target')
    expect(attack(scene, one, three).ok).toBe(true)
  })

  test('decloaks the attacker', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    scene.world.write(Player).cloaked[one] = 1
    expect(attack(scene, one, two).ok).toBe(true)
    expect(scene.world.read(Player).cloaked[one]).toBe(0)
  })

  test('an attacker who undocks to attack cannot be attacked in the same tick', async () => {
    const scene = await meeting(3)
    const { world } = scene
    const [one, two, three] = scene.players
    dockShip(world, hullOf(world, two), baseIn(world, scene.system))
    const outcomes = scene.small.tick(
      { player: one, command: 'attack', params: { target_id: scene.id(two) } },
      { player: two, command: 'attack', params: { target_id: scene.id(three) } },
    )
    expect(codeOf(outcomes.get(one))).toBe('invalid_target')
    expect(outcomes.get(two)?.ok).toBe(true)
    expect(attack(scene, one, two).ok).toBe(true)
  })

  test('a battle with the maximum of sides adds a further attacker to one of them', async () => {
    const scene = await meeting(4)
    const { world } = scene
    const [one, two, three, four] = scene.players
    attack(scene, one, two)
    world.write(Battle).sides[battleIn(world, scene.system)] = BATTLE_SIDES_MAX
    attack(scene, three, two)
    expect(world.read(Participant).side[rowOf(world, three)]).toBe(1)
    expect(codeOf(attack(scene, one, three))).toBe('limit_reached')
    makeHostile(world, battleIn(world, scene.system), 1, 2)
    expect(codeOf(attack(scene, four, two))).toBeUndefined()
  })
})

describe('the effects of an attack on others', () => {
  test('the pending action of the target is dropped with combat_interrupt', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    const [, other] = open(scene.world, scene.system)
    const { poi } = scene.world.read(Location)
    const outcomes = scene.small.tick(
      { player: one, command: 'attack', params: { target_id: scene.id(two) } },
      { player: two, command: 'travel', params: { target_poi: String(other) } },
    )
    expect(codeOf(outcomes.get(two))).toBe('combat_interrupt')
    expect(poi[hullOf(scene.world, two)]).toBe(scene.poi)
  })

  test('battle_started goes to the whole system, battle_alert only to outsiders', async () => {
    const scene = await meeting(3)
    const [one, two, three] = scene.players
    attack(scene, one, two)
    const emissions = scene.takeEmissions()
    for (const player of scene.players) {
      expect(payloadsTo(scene, emissions, player, 'battle_started')).toHaveLength(1)
    }
    const [started] = payloadsTo(scene, emissions, one, 'battle_started')
    expect(started.participants).toHaveLength(2)
    expect(started.sides).toHaveLength(2)
    expect(payloadsTo(scene, emissions, three, 'battle_alert')).toHaveLength(1)
    expect(payloadsTo(scene, emissions, two, 'battle_alert')).toHaveLength(0)
    attack(scene, three, two)
    const [joined] = payloadsTo(scene, scene.takeEmissions(), one, 'battle_joined')
    expect(joined).toEqual({ player_id: scene.id(three), username: 'Tester 3', side_id: 3 })
  })
})
