/** What a frame tells anew of the turns of battles: their ships, when they are others. */
import { expect, test } from 'vitest'
import type { TopicData } from '../../../core/public/topics.ts'
import { createThinner } from '../../../systems/spectator/thin-views.ts'
import { runToEnd } from '../../public-world.ts'

const turnOf = (tick: number, ...names: string[]): TopicData['battle'] => ({
  tick,
  battle_id: 'b-1',
  states: [tick],
  attacks: [],
  moves: [],
  kills: [],
  ships: names.map((name) => ({ id: name, name, side: 1 })),
  zones: ['mid'],
  damage_types: ['em'],
})

test('ships are told at first, when they are others, and in a frame that stands for itself', () => {
  const thin = createThinner()
  const hasShips = (turn: TopicData['battle'], isFull = false, going = ['b-1']): boolean => {
    const [told] = runToEnd(thin.turns([turn], going, isFull))
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

test('ships are others when anything told of them is', () => {
  const thin = createThinner()
  const turn = turnOf(1, 'Ada', 'Bea')
  const [ada, bea] = turn.ships
  const hasShips = (ships: TopicData['battle']['ships']): boolean =>
    'ships' in runToEnd(thin.turns([{ ...turn, ships }], ['b-1'], false))[0]
  for (const other of [{ side: 2 }, { ship_class: 'scout' }, { kind: 'drone' }, { name: 'Cid' }]) {
    hasShips([ada, bea])
    expect(hasShips([{ ...ada }, { ...bea }])).toBe(false)
    expect(hasShips([ada, { ...bea, ...other }])).toBe(true)
  }
  expect(hasShips([ada])).toBe(true)
})

test('many turns are told with yields between', () => {
  const turns = Array.from({ length: 200 }, (_, tick) => turnOf(tick, 'Ada'))
  const steps = createThinner().turns(turns, ['b-1'], false)
  expect(steps.next().done).toBe(false)
  expect(runToEnd(steps)).toHaveLength(200)
})
