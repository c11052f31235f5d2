/** The order of the events of a battle tick, and orders that come too late. */
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../core/errors.ts'
import { BATTLE_LISTED_MAX } from '../../../core/limits.ts'
import { Player } from '../../../systems/account/state.ts'
import { battleIn } from '../../../systems/combat/model.ts'
import { BATTLE_RECORDS, type BattleRecord } from '../../../systems/combat/report-state.ts'
import { Battle, Participant, STANCES } from '../../../systems/combat/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { meeting, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code

async function duel(players = 2): Promise<Scene> {
  const scene = await meeting(players)
  const { world, small } = scene
  const [one, two] = scene.players
  putAt(world, one, scene.poi, { shipClass: 'reaver', modules: ['blaster_i', 'blaster_i'] })
  scene.takeEmissions()
  small.act(one, 'attack', { target_id: scene.id(two) })
  return scene
}

/** Returns the types of the emitted events, each at its first occurrence. */
const eventTypes = (scene: Scene): string[] => [
  ...new Set(
    scene
      .takeEmissions()
      .map(({ type }) => type)
      .filter((type) => type !== 'skill_level_up' && type !== 'achievement_unlocked'),
  ),
]

describe('the events of a battle tick', () => {
  test('begin with battle_started and end with battle_update', async () => {
    const scene = await duel()
    const types = eventTypes(scene)
    expect(types[0]).toBe('battle_started')
    expect(types.at(-1)).toBe('battle_update')
  })

  test('come in this order: joins, damage, losses, departures, state, end', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [one, two, three] = scene.players
    for (const player of [one, two]) world.write(Participant).ring[rowOf(world, player)] = 0
    scene.doom(two, 'destroyed', one)
    scene.takeEmissions()
    small.ask(three, 'battle', { action: 'engage', side_id: 1 })
    small.ticks(1)
    expect(eventTypes(scene)).toEqual([
      'battle_joined',
      'battle_damage',
      'player_died',
      'player_kill',
      'battle_left',
      'battle_update',
      'battle_ended',
    ])
  })
})

test('battle_ended reaches those who lost their ship, however many left before them', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one, two] = scene.players
  const gone = { player_id: '', username: '', side_id: 2, survived: true }
  const departed = new Array(BATTLE_LISTED_MAX).fill(gone) as BattleRecord['departed']
  const key = String(world.read(Battle).seq[battleIn(world, scene.system)])
  world.records(BATTLE_RECORDS).set(key, { departed, lost: [], captures: [] })
  scene.doom(two, 'destroyed', one)
  scene.takeEmissions()
  small.ticks(1)
  const ended = scene.takeEmissions().filter(({ type }) => type === 'battle_ended')
  expect(ended.flatMap(({ to }) => to)).toContain(world.read(Player).seq[two])
})

describe('an order', () => {
  test('after the end of the battle is refused not_in_battle', async () => {
    const scene = await duel()
    const [one, two] = scene.players
    scene.doom(two, 'destroyed', one)
    scene.small.ticks(1)
    expect(battleIn(scene.world, scene.system)).toBe(0)
    for (const player of [one, two]) {
      const late = scene.small.ask(player, 'battle', { action: 'advance' })
      expect(codeOf(late)).toBe('not_in_battle')
    }
  })

  test('of the pilot of a lost ship is refused while the battle continues', async () => {
    const scene = await duel(3)
    const { small } = scene
    const [one, two, three] = scene.players
    small.act(three, 'attack', { target_id: scene.id(one) })
    scene.doom(two, 'destroyed', one)
    small.ticks(1)
    expect(battleIn(scene.world, scene.system)).not.toBe(0)
    const lostShip = small.ask(two, 'battle', { action: 'target', target_id: scene.id(one) })
    expect(codeOf(lostShip)).toBe('not_in_battle')
    expect(codeOf(small.ask(two, 'battle', { action: 'engage' }))).toBe('docked')
    const lostTarget = small.ask(one, 'battle', { action: 'target', target_id: scene.id(two) })
    expect(codeOf(lostTarget)).toBe('invalid_target')
  })

  test('of a spectator is refused not_in_battle', async () => {
    const scene = await duel(3)
    const { small } = scene
    const [, two, three] = scene.players
    const params = { action: 'stance', stance: 'brace' }
    expect(codeOf(small.ask(three, 'battle', params))).toBe('not_in_battle')
    const board = { action: 'board', target_id: scene.id(two), marines: 1 }
    expect(codeOf(small.ask(three, 'battle', board))).toBe('not_in_battle')
    expect(small.ask(three, 'get_battle_status')).toMatchObject({
      result: { is_participant: false },
    })
  })

  test('replaces an earlier order of the same tick', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one] = scene.players
    for (const stance of ['evade', 'flee', 'brace', 'brace']) {
      expect(small.ask(one, 'battle', { action: 'stance', stance }).ok).toBe(true)
    }
    small.ticks(1)
    expect(STANCES[world.read(Participant).stance[rowOf(world, one)]]).toBe('brace')
  })
})
