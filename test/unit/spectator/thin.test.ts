/** Turns of battles in frames, which repeat their ships only when these change. */
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

test('ships are sent with the first turn, when they change, and in a full frame', () => {
  const thin = createThinner()
  const hasShips = (turn: TopicData['battle'], isFull = false, going = ['b-1']): boolean => {
    const [thinned] = runToEnd(thin.turns([turn], going, isFull))
    expect(thinned).toMatchObject({ tick: turn.tick, states: turn.states })
    expect('ships' in thinned).toBe('zones' in thinned && 'damage_types' in thinned)
    return 'ships' in thinned
  }
  expect(hasShips(turnOf(1, 'Ada', 'Bea'))).toBe(true)
  expect(hasShips(turnOf(2, 'Ada', 'Bea'))).toBe(false)
  expect(hasShips(turnOf(3, 'Ada', 'Cid'))).toBe(true)
  expect(hasShips(turnOf(4, 'Ada', 'Cid'), true)).toBe(true)
  expect(hasShips(turnOf(5, 'Ada', 'Cid'))).toBe(false)
  // The battle ends with this turn, and what was sent of it is forgotten.
  expect(hasShips(turnOf(6, 'Ada', 'Cid'), false, [])).toBe(false)
  expect(hasShips(turnOf(7, 'Ada', 'Cid'))).toBe(true)
})

test('ships are sent again when any of their fields changes', () => {
  const thin = createThinner()
  const turn = turnOf(1, 'Ada', 'Bea')
  const [ada, bea] = turn.ships
  const hasShips = (ships: TopicData['battle']['ships']): boolean =>
    'ships' in runToEnd(thin.turns([{ ...turn, ships }], ['b-1'], false))[0]
  for (const change of [{ side: 2 }, { ship_class: 'scout' }, { kind: 'drone' }, { name: 'Cid' }]) {
    hasShips([ada, bea])
    expect(hasShips([{ ...ada }, { ...bea }])).toBe(false)
    expect(hasShips([ada, { ...bea, ...change }])).toBe(true)
  }
  expect(hasShips([ada])).toBe(true)
})

test('many turns are thinned out with yields in between', () => {
  const turns = Array.from({ length: 200 }, (_, tick) => turnOf(tick, 'Ada'))
  const steps = createThinner().turns(turns, ['b-1'], false)
  expect(steps.next().done).toBe(false)
  expect(runToEnd(steps)).toHaveLength(200)
})
