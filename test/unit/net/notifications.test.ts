/** The notifications of a session: bounded, filtered, and merged where that loses nothing. */
import { describe, expect, test } from 'vitest'
import {
  createQueue,
  drain,
  enqueue,
  IMPORTANCE,
  type Importance,
  importanceOf,
  poll,
  takeDropped,
} from '../../../net/session/notifications.ts'

type Queue = ReturnType<typeof createQueue>

function put(
  queue: Queue,
  type: string,
  msgType: string,
  data: object,
  importance: Importance = IMPORTANCE.news,
): void {
  const payload = data as Record<string, unknown>
  enqueue(queue, { type, msgType, importance, data: payload, wallMs: 0 })
}

describe('the ring', () => {
  test('keeps the newest 100, oldest first', () => {
    const queue = createQueue()
    for (let n = 1; n <= 130; n++) put(queue, 'chat', 'chat_message', { n })
    expect([takeDropped(queue), takeDropped(queue)]).toEqual([30, 0])
    const all = drain(queue)
    expect(all).toHaveLength(100)
    expect(all[0].data).toEqual({ n: 31 })
    expect(all[0]).toMatchObject({ id: '31', type: 'chat', msg_type: 'chat_message' })
    expect(all[0].timestamp).toBe('1970-01-01T00:00:00.000Z')
    expect(drain(queue)).toEqual([])
  })

  test('a full queue drops the least important entries first', () => {
    const queue = createQueue()
    put(queue, 'chat', 'chat_message', { n: 'whisper' }, IMPORTANCE.own)
    put(queue, 'combat', 'battle_started', { n: 'attack' }, IMPORTANCE.news)
    put(queue, 'trade', 'trade_fill', { n: 'fill' }, IMPORTANCE.own)
    for (let n = 0; n < 300; n++) put(queue, 'system', 'drone_update', { n }, IMPORTANCE.routine)
    const types = queue.entries.map(({ msg_type }) => msg_type)
    expect(types).toHaveLength(100)
    expect(types.slice(0, 3)).toEqual(['chat_message', 'battle_started', 'trade_fill'])
    expect(queue.entries[3].data).toEqual({ n: 203 })
    for (let n = 0; n < 99; n++) put(queue, 'trade', 'trade_fill', { n }, IMPORTANCE.own)
    expect(queue.entries.filter(({ type }) => type === 'combat')).toEqual([])
    put(queue, 'system', 'drone_update', {}, IMPORTANCE.routine)
    expect(queue.entries.at(-1)?.data).toEqual({ n: 98 })
    // 97 of the 300 updates had room; 99 fills displaced as many entries; the last update had none.
    expect(queue.dropped).toBe(203 + 99 + 1)
  })

  test('events that cannot be muted are the most important, routine ones the least', () => {
    expect(importanceOf('chat', undefined)).toBe(IMPORTANCE.own)
    expect(importanceOf('combat', 'battle_events')).toBe(IMPORTANCE.news)
    expect(importanceOf('combat', 'battle_ticker')).toBe(IMPORTANCE.routine)
    expect(importanceOf('market', undefined)).toBe(IMPORTANCE.routine)
  })

  test('polls by type and limit, and keeps the entries with clear: false', () => {
    const queue = createQueue()
    for (const type of ['chat', 'trade', 'chat', 'chat']) put(queue, type, 'x', {})
    const query = { limit: 2, clear: false, types: ['chat'] }
    expect(poll(queue, query).map(({ id }) => id)).toEqual(['1', '3'])
    expect(poll(queue, { ...query, clear: true }).map(({ id }) => id)).toEqual(['1', '3'])
    expect(queue.entries.map(({ id }) => id)).toEqual(['2', '4'])
  })
})

describe('yields', () => {
  const pull = (queue: Queue, quantity: number, rest: object): void =>
    put(queue, 'system', 'mining_yield', { quantity, ...rest }, IMPORTANCE.routine)

  test('of one source are merged into one entry with their count, sum and last quantity', () => {
    const queue = createQueue()
    const own = { resource_id: 'iron_ore', xp_gained: { mining: 3 } }
    pull(queue, 2, { ...own, remaining: 90 })
    pull(queue, 7, { resource_id: 'iron_ore', drone_id: 'd1', remaining: 83 })
    pull(queue, 4, { ...own, remaining: 79 })
    pull(queue, 5, { ...own, xp_gained: { mining: 1, geology: 2 }, remaining: 74 })
    pull(queue, 1, { resource_id: 'ice', remaining: 9 })
    expect(queue.entries.map(({ data }) => data)).toEqual([
      {
        resource_id: 'iron_ore',
        xp_gained: { mining: 7, geology: 2 },
        remaining: 74,
        quantity: 11,
        count: 3,
        units: 11,
        last: 5,
      },
      { resource_id: 'iron_ore', drone_id: 'd1', quantity: 7, remaining: 83 },
      { resource_id: 'ice', quantity: 1, remaining: 9 },
    ])
  })

  test('a thousand pulls of forty drones leave room for earlier messages', () => {
    const queue = createQueue()
    put(queue, 'chat', 'chat_message', {})
    for (let n = 0; n < 1_000; n++)
      pull(queue, 1, { resource_id: 'iron_ore', drone_id: `d${n % 40}` })
    expect(queue.entries).toHaveLength(41)
    expect(queue.entries[40].data).toMatchObject({ count: 25, units: 25, last: 1 })
    expect(queue.dropped).toBe(0)
  })
})

describe('feeds', () => {
  test('market updates of one base are one entry with the latest state of each item', () => {
    const queue = createQueue()
    const items = (...rows: [string, number][]) => rows.map(([item_id, n]) => ({ item_id, n }))
    const update = (base_id: string, tick: number, ...rows: [string, number][]) =>
      enqueue(queue, {
        type: 'market',
        msgType: 'market_update',
        data: { base_id, tick },
        wallMs: 0,
        importance: IMPORTANCE.routine,
        list: {
          name: 'items',
          about: base_id,
          keys: rows.map(([item]) => item),
          entries: items(...rows).map((row) => JSON.stringify(row)),
        },
      })
    update('a', 1, ['x', 1], ['y', 1])
    update('a', 2, ['y', 2], ['z', 2])
    expect(queue.entries).toHaveLength(1)
    expect(queue.entries[0].data).toEqual({
      base_id: 'a',
      tick: 2,
      items: items(['x', 1], ['y', 2], ['z', 2]),
    })
    update('b', 3, ['x', 3])
    expect(queue.entries.map(({ data }) => data)).toEqual([
      { base_id: 'a', tick: 2, items: items(['x', 1], ['y', 2], ['z', 2]) },
      { base_id: 'b', tick: 3, items: items(['x', 3]) },
    ])
  })

  test('observation updates merge arrivals and departures', () => {
    const queue = createQueue()
    const see = (changed: string[], departed: string[]) =>
      put(queue, 'observation', 'observation_update', {
        poi_id: 'p',
        nearby_changed: changed.map((player_id) => ({ player_id })),
        nearby_departed: departed,
      })
    see(['a', 'b'], [])
    see(['c'], ['a'])
    see(['a'], ['b'])
    expect(queue.entries).toHaveLength(1)
    expect(queue.entries[0].data).toMatchObject({
      nearby_changed: [{ player_id: 'c' }, { player_id: 'a' }],
      nearby_departed: ['b'],
    })
  })

  test('each pair of changed and departed rows is merged by their own id', () => {
    const queue = createQueue()
    const see = (rows: object): void =>
      put(queue, 'observation', 'observation_update', { poi_id: 'p', ...rows })
    see({ creatures_changed: [{ creature_id: 'a', hull: 9 }, { creature_id: 'b' }] })
    see({ creatures_changed: [{ creature_id: 'a', hull: 4 }], pirates_departed: ['x'] })
    see({ creatures_departed: ['b'], pirates_changed: [{ pirate_id: 'x' }] })
    expect(queue.entries.map(({ data }) => data)).toEqual([
      {
        poi_id: 'p',
        creatures_changed: [{ creature_id: 'a', hull: 4 }],
        creatures_departed: ['b'],
        pirates_changed: [{ pirate_id: 'x' }],
        pirates_departed: [],
      },
    ])
  })

  test('only the latest state of a battle is queued, and rendered only when read', () => {
    const queue = createQueue()
    let rendered = 0
    const see = (battle: string, tick: number): void => {
      const data = (): Record<string, unknown> => {
        rendered += 1
        return { battle_id: battle, tick }
      }
      enqueue(queue, {
        type: 'combat',
        msgType: 'battle_update',
        importance: IMPORTANCE.routine,
        wallMs: 0,
        data,
        replaces: battle,
      })
    }
    see('a', 1)
    see('b', 1)
    put(queue, 'combat', 'battle_damage', { n: 1 })
    see('a', 2)
    expect(rendered).toBe(0)
    const all = JSON.parse(JSON.stringify(drain(queue))) as { id: string; data: unknown }[]
    expect(all.map(({ id, data }) => [id, data])).toEqual([
      ['2', { battle_id: 'b', tick: 1 }],
      ['3', { n: 1 }],
      ['4', { battle_id: 'a', tick: 2 }],
    ])
    expect(Object.keys(all[2])).toEqual(['id', 'type', 'msg_type', 'timestamp', 'data'])
  })
})
