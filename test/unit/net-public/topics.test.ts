/** The topics other than the feed: the changes of a public tick, in whole numbers. */
import { describe, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import {
  BOOK_HEAD,
  type ChartPoi,
  type ChartSystem,
  type PublicFrame,
} from '../../../core/public/frame.ts'
import type { BattleSummary } from '../../../core/public/past.ts'
import { TOPIC_EVENTS, type Topic, type TopicMessage } from '../../../core/public/topics.ts'
import { applyFrame, type PublicState } from '../../../net/public/state.ts'
import { createTopics } from '../../../net/public/topics.ts'
import { differsFrom } from '../../exact-schema.ts'

const NONE = new Int32Array()
const NOBODY: PublicFrame['presence'] = {
  online: NONE,
  onlineBySystem: NONE,
  named: NONE,
  namedFlying: NONE,
  bound: NONE,
  npcs: NONE,
}

const CHART = {
  systems: ['sol', 'vega'].map((id) => ({ id, name: id }) as ChartSystem),
  pois: [
    { id: 'sun', system: 0 },
    { id: 'star', system: 1 },
    { id: 'belt', system: 0 },
  ].map((poi) => poi as ChartPoi),
  empires: [],
}

const battleIn = (system_id: string, battle_id: string) =>
  ({ system_id, battle_id }) as BattleSummary

type Change = Partial<Omit<PublicFrame, 'presence' | 'flights'>> & {
  readonly presence?: Partial<PublicFrame['presence']>
  readonly flights?: Partial<PublicFrame['flights']>
}

/** Makes topics that follow public frames, and checks their messages. */
function followingTopics() {
  const topics = createTopics()
  let state: PublicState | undefined
  let tick = 0
  const next = (change: Change = {}): void => {
    tick += 1
    const { presence, flights, ...more } = change
    const frame: PublicFrame = {
      tick,
      wallMs: tick * 1_000,
      isFull: tick === 1,
      bytes: 1,
      heat: NONE,
      battles: [],
      events: [],
      turns: [],
      docs: {},
      figures: { online: 0, players: 0, systems: 2 },
      ...(tick === 1 ? { chart: CHART } : {}),
      presence: { ...NOBODY, ...presence },
      flights: { jumps: NONE, local: NONE, ...flights },
      ...more,
    }
    state = applyFrame(state, frame)
    if (state) topics.take(state, frame)
  }
  const checked = (messages: readonly TopicMessage[]): readonly TopicMessage[] => {
    for (const { type, data } of messages) {
      expect(differsFrom(TOPIC_EVENTS[type], data)).toEqual([])
    }
    return messages
  }
  const updates = (topic: Topic) => checked(topics.updates(topic))
  const greet = (topic: Topic) => {
    const greeted = topics.greet(topic)
    return greeted && checked(greeted)
  }
  return { next, updates, greet }
}

const MAP: Topic = { name: 'map' }

describe('map', () => {
  test('greets with the table of its numbers, then sends only changes', () => {
    const { next, updates, greet } = followingTopics()
    next({ presence: { onlineBySystem: Int32Array.of(0, 3, 1, 2) } })
    const table = { type: 'map_table', data: { tick: 1, systems: ['sol', 'vega'] } }
    expect(greet(MAP)).toEqual([table])
    expect(updates(MAP)).toEqual([table])
    next({
      presence: { onlineBySystem: Int32Array.of(0, 4), npcs: Int32Array.of(1, 2, 3) },
      flights: { jumps: Int32Array.of(0, 1, 1, 9, 5, 1, 0, 2, 4, 1) },
      heat: Int32Array.of(1, 7),
      battles: [battleIn('vega', 'b-1')],
    })
    expect(updates(MAP)).toEqual([
      {
        type: 'map',
        data: {
          tick: 2,
          departures: [1, 0, 2, 4, 1],
          online: [0, 4, 1, 0],
          npc: [1, 5],
          heat: [1, 7],
          battles: { vega: 'b-1' },
        },
      },
    ])
    next({
      presence: { onlineBySystem: Int32Array.of(0, 4), npcs: Int32Array.of(1, 2, 3) },
      heat: Int32Array.of(1, 7),
    })
    expect(updates(MAP)).toEqual([{ type: 'map', data: { tick: 3, battles: { vega: '' } } }])
  })

  test('sends a new table after a new chart', () => {
    const { next, updates } = followingTopics()
    next()
    next()
    const systems = [...CHART.systems, { id: 'rigel', name: 'rigel' } as ChartSystem]
    next({ isFull: true, chart: { ...CHART, systems } })
    expect(updates(MAP)).toEqual([
      { type: 'map_table', data: { tick: 3, systems: ['sol', 'vega', 'rigel'] } },
    ])
  })
})

describe('a system', () => {
  const SOL: Topic = { name: 'system', id: 'sol' }

  test('sends its own places and flights, by their order in its table', () => {
    const { next, updates, greet } = followingTopics()
    next()
    expect(greet(SOL)).toEqual([
      { type: 'system_table', data: { tick: 1, system: 'sol', pois: ['sun', 'belt'] } },
    ])
    next({
      presence: { online: Int32Array.of(1, 9, 2, 4) },
      flights: { local: Int32Array.of(2, 0, 2, 5, 1, 1, 1, 2, 5, 1) },
    })
    expect(updates(SOL)).toEqual([
      {
        type: 'system',
        data: { tick: 2, system: 'sol', places: [1, 4], flights: [1, 0, 2, 5, 1] },
      },
    ])
    expect(greet({ name: 'system', id: 'nowhere' })).toBeUndefined()
  })
})

describe('the market', () => {
  const [first] = GOODS
  const ITEM: Topic = { name: 'item', station: 'dock', item: first.id }
  const docs = {
    stations: { isWhole: true, set: [['dock', '{"id":"dock"}'] as const], gone: [] },
  } as unknown as PublicFrame['docs']
  /** Makes a book of the first good: two bids and an ask. */
  const books = (best: number) => {
    const head: Record<(typeof BOOK_HEAD)[number], number> = Object.fromEntries(
      BOOK_HEAD.map((name) => [name, 0]),
    ) as never
    Object.assign(head, { bid_quantity: 5, ask_quantity: 7, bids: 2, asks: 1 })
    return {
      isWhole: false,
      bases: ['dock'],
      heads: Float64Array.from(BOOK_HEAD.map((name) => head[name])),
      levels: Float64Array.of(best, 2, best - 1, 3, best + 5, 7),
    }
  }

  test('sends the best prices of changed books', () => {
    const { next, updates, greet } = followingTopics()
    next({ docs })
    const items = GOODS.map(({ id }) => id)
    expect(greet({ name: 'market' })).toEqual([
      { type: 'market_table', data: { tick: 1, stations: ['dock'], items } },
    ])
    next({ books: books(10) })
    expect(updates({ name: 'market' })).toEqual([
      { type: 'market', data: { tick: 2, bests: [0, 0, 10, 15, 5, 7] } },
    ])
    next()
    expect(updates({ name: 'market' })).toEqual([{ type: 'market', data: { tick: 3 } }])
  })

  test('sends the ladder of an item each time it changes', () => {
    const { next, updates, greet } = followingTopics()
    next({ docs })
    const empty = { tick: 1, station: 'dock', item: first.id, bids: [], asks: [] }
    expect(greet(ITEM)).toEqual([{ type: 'item', data: empty }])
    next({ books: books(10) })
    expect(updates(ITEM)).toEqual([
      { type: 'item', data: { ...empty, tick: 2, bids: [10, 2, 9, 3], asks: [15, 7] } },
    ])
    next()
    expect(updates(ITEM)).toEqual([])
    expect(greet({ name: 'item', station: 'dock', item: 'nothing' })).toBeUndefined()
    expect(greet({ name: 'item', station: 'elsewhere', item: first.id })).toBeUndefined()
  })
})

test('a battle is published turn by turn, for as long as it is fought', () => {
  const { next, updates, greet } = followingTopics()
  const BATTLE: Topic = { name: 'battle', id: 'b-1' }
  next({ battles: [battleIn('sol', 'b-1')] })
  expect(greet(BATTLE)).toEqual([])
  const lists = { states: [], attacks: [], moves: [], zones: [], damage_types: [], kills: [] }
  const turn = { tick: 2, battle_id: 'b-1', ships: [], ...lists, ended: { outcome: 'victory' } }
  next({ turns: [turn, { ...turn, battle_id: 'b-2' }] })
  expect(updates(BATTLE)).toEqual([{ type: 'battle', data: turn }])
  expect(greet(BATTLE)).toBeUndefined()
})

test('a turn without ships is sent with those of the turn before, while the battle lasts', () => {
  const { next, updates } = followingTopics()
  const BATTLE: Topic = { name: 'battle', id: 'b-1' }
  const battles = [battleIn('sol', 'b-1')]
  const listed = {
    ships: [{ id: 's', name: 'Ada', side: 1 }],
    zones: ['mid'],
    damage_types: ['em'],
  }
  const turn = { battle_id: 'b-1', states: [], attacks: [], moves: [], kills: [] }
  next({ battles, turns: [{ ...turn, tick: 2, ...listed }] })
  next({ battles, turns: [{ ...turn, tick: 3 }] })
  expect(updates(BATTLE)).toEqual([{ type: 'battle', data: { ...turn, tick: 3, ...listed } }])
  next({ battles: [] })
  next({ battles, turns: [{ ...turn, tick: 5 }] })
  expect(updates(BATTLE)).toEqual([])
})

test('no topic has messages before the first frame', () => {
  const { updates, greet } = followingTopics()
  expect([greet(MAP), updates(MAP)]).toEqual([undefined, []])
})
