/** Public summaries of battles: strangers read only of battles at places on the chart. */
import { expect, test } from 'vitest'
import type { ArchivedTurn } from '../../../core/archive-calls.ts'
import { battleSummary } from '../../../core/public/past.ts'
import { Player } from '../../../systems/account/state.ts'
import { battleIn, participantsOf } from '../../../systems/combat/model.ts'
import { renderPublicBattle } from '../../../systems/combat/public-views.ts'
import {
  BATTLE_KINDS,
  Battle,
  PARTICIPANT_KINDS,
  Participant,
} from '../../../systems/combat/state.ts'
import { strangerSeesBattle } from '../../../systems/sensing/model.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { unknownFields } from './fields.ts'
import { meeting, type Scene } from './scene.ts'

onSmallMap()

const turnsOf = ({ small }: Scene): ArchivedTurn[] =>
  (small.store.archive.rows.get('logBattles') ?? []).flatMap(
    ({ args }) => args.rows as ArchivedTurn[],
  )

/** Makes a duel of two players, at a place off the chart if `isHidden`. */
async function duel(isHidden: boolean): Promise<Scene> {
  const scene = await meeting(2)
  scene.world.write(Poi).hidden[scene.poi] = isHidden ? 1 : 0
  scene.small.act(scene.players[0], 'attack', { target_id: scene.id(scene.players[1]) })
  return scene
}

/** Ends the duel by destroying the second player; returns the last row of the log. */
function finish(scene: Scene): ArchivedTurn {
  scene.small.ticks(1)
  scene.doom(scene.players[1], 'destroyed', scene.players[0])
  scene.small.ticks(1)
  return turnsOf(scene).at(-1) as ArchivedTurn
}

const placesOf = (turn: ArchivedTurn): unknown[] =>
  (turn.entry as { snapshots: { x?: number; y?: number }[] }).snapshots.map(({ x, y }) => [x, y])

test('the log gives places on the chart', async () => {
  const scene = await duel(false)
  const { x, y } = scene.world.read(Poi)
  const place = [x[scene.poi] / 1000, y[scene.poi] / 1000]
  expect(placesOf(turnsOf(scene)[0])).toEqual([place, place])
})

test('the log gives zeros for places off the chart', async () => {
  const scene = await duel(true)
  expect(placesOf(turnsOf(scene)[0])).toEqual([
    [0, 0],
    [0, 0],
  ])
})

test('a battle that ends on the chart is public with its kills and player names', async () => {
  const scene = await duel(false)
  const { world, poi } = scene
  const { told, names, kills } = finish(scene)
  expect(told).toMatchObject({
    status: 'completed',
    category: 'pvp',
    outcome: 'victory',
    winning_side: 1,
    origin_poi: poiId(world, poi),
    participant_count: 2,
    ships_destroyed: 1,
    destroyed_names: ['Tester 2'],
    player_names: expect.arrayContaining(['Tester 1', 'Tester 2']),
    ended_at: expect.stringMatching(/Z$/),
  })
  expect(unknownFields(battleSummary, told)).toEqual([])
  expect(names).toEqual(['tester 1', 'tester 2'])
  expect(kills).toBe(1)
})

test('a battle off the chart has no public summary, names or kills', async () => {
  const scene = await duel(true)
  const turn = finish(scene)
  expect(turn.summary).toMatchObject({ outcome: 'victory', ships_destroyed: 1 })
  expect([turn.told, turn.names, turn.kills]).toEqual([undefined, undefined, 0])
})

test('a battle around a ship in transit is hidden from strangers', async () => {
  const scene = await duel(false)
  const battle = battleIn(scene.world, scene.system)
  expect(strangerSeesBattle(scene.world, battle)).toBe(true)
  scene.world.write(Battle).origin[battle] = 0
  expect(strangerSeesBattle(scene.world, battle)).toBe(false)
})

test('the summary of an active battle has no outcome, winner or end', async () => {
  const scene = await duel(false)
  const summary = renderPublicBattle(scene.world, battleIn(scene.world, scene.system))
  expect(summary).toMatchObject({ status: 'active', category: 'pvp', duration_ticks: 1 })
  expect(Object.keys(summary)).not.toEqual(expect.arrayContaining(['outcome']))
  expect([summary.winning_side, summary.ended_at]).toEqual([undefined, undefined])
  expect(unknownFields(battleSummary, summary)).toEqual([])
})

test('the category of a battle follows the kinds of its participants', async () => {
  const scene = await duel(false)
  const { world } = scene
  const battle = battleIn(world, scene.system)
  const rows = participantsOf(world, battle)
  const categoryOf = (...kinds: (typeof PARTICIPANT_KINDS)[number][]): string => {
    const { kind } = world.write(Participant)
    for (const [index, row] of rows.entries()) kind[row] = PARTICIPANT_KINDS.indexOf(kinds[index])
    return renderPublicBattle(world, battle).category
  }
  expect(categoryOf('player', 'pirate')).toBe('pirate')
  expect(categoryOf('player', 'police')).toBe('police')
  expect(categoryOf('creature', 'player')).toBe('wildlife')
  expect(categoryOf('player', 'station')).toBe('pve')
  expect(categoryOf('pirate', 'police')).toBe('npc')
  expect(categoryOf('player', 'player')).toBe('pvp')
  world.write(Battle).kind[battle] = BATTLE_KINDS.indexOf('arena')
  expect(categoryOf('player', 'player')).toBe('arena')
  world.write(Battle).kind[battle] = BATTLE_KINDS.indexOf('general')
})

test('an anonymous pilot is counted, but not named', async () => {
  const scene = await duel(false)
  const { world, players } = scene
  world.write(Player).anonymous[players[1]] = 1
  const summary = renderPublicBattle(world, battleIn(world, scene.system))
  expect(summary.participant_count).toBe(players.length)
  expect(summary.player_names).toHaveLength(1)
})
