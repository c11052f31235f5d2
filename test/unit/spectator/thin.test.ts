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

test('ships are sent at first, when they change, and in a full frame', () => {
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
  // Its last turn; what was sent of a battle that is over is forgotten.
  expect(hasShips(turnOf(6, 'Ada', 'Cid'), false, [])).toBe(false)
  expect(hasShips(turnOf(7, 'Ada', 'Cid'))).toBe(true)
})

test('ships change when anything that is sent of them does', () => {
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

test('many turns are sent with yields between', () => {
  const turns = Array.from({ length: 200 }, (_, tick) => turnOf(tick, 'Ada'))
  const steps = createThinner().turns(turns, ['b-1'], false)
  expect(steps.next().done).toBe(false)
  expect(runToEnd(steps)).toHaveLength(200)
})
