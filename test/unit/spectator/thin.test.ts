/** What a frame tells anew of the turns of battles: their ships, when they are others. */
import { expect, test } from 'vitest'
import type { TopicData } from '../../../core/public/topics.ts'
import { createThinner } from '../../../systems/spectator/thin-views.ts'

const turnOf = (tick: number, ...names: string[]): TopicData['battle'] => ({
  ...{ tick, battle_id: 'b-1', states: [tick], attacks: [], moves: [], kills: [] },
  ships: names.map((name) => ({ id: name, name, side: 1 })),
  ...{ zones: ['mid'], damage_types: ['em'] },
})

test('ships are told at first, when they are others, and in a frame that stands for itself', () => {
  const thin = createThinner()
  const hasShips = (turn: TopicData['battle'], isFull = false, going = ['b-1']): boolean => {
    const [told] = thin.turns([turn], going, isFull)
    expect(told).toMatchObject({ tick: turn.tick, states: turn.states })
    expect('ships' in told).toBe('zones' in told && 'damage_types' in told)
    return 'ships' in told
  }
  expect(hasShips(turnOf(1, 'Ada', 'Bea'))).toBe(true)
  expect(hasShips(turnOf(2, 'Ada', 'Bea'))).toBe(false)
  expect(hasShips(turnOf(3, 'Ada', 'Cid'))).toBe(true)
  expect(hasShips(turnOf(4, 'Ada', 'Cid'), true)).toBe(true)
  expect(hasShips(turnOf(5, 'Ada', 'Cid'))).toBe(false)
  // its last turn; what is told of a battle that is over is forgotten
  expect(hasShips(turnOf(6, 'Ada', 'Cid'), false, [])).toBe(false)
  expect(hasShips(turnOf(7, 'Ada', 'Cid'))).toBe(true)
})
