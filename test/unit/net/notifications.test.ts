/** The queue of a session: bounded, filtered, merged where nothing is lost. */
import { describe, expect, test } from 'vitest'
import { createQueue, drain, enqueue, poll } from '../../../net/notifications.ts'

const put = (queue: ReturnType<typeof createQueue>, type: string, msgType: string, data: object) =>
  enqueue(queue, { type, msgType, data: data as Record<string, unknown>, wallMs: 0 })

describe('the ring', () => {
  test('keeps the newest 100, oldest first', () => {
    const queue = createQueue()
    for (let n = 1; n <= 130; n++) put(queue, 'chat', 'chat_message', { n })
    expect(queue.dropped).toBe(30)
    const all = drain(queue)
    expect(all).toHaveLength(100)
    expect(all[0].data).toEqual({ n: 31 })
    expect(all[0]).toMatchObject({ id: '31', type: 'chat', msg_type: 'chat_message' })
    expect(all[0].timestamp).toBe('1970-01-01T00:00:00.000Z')
    expect(drain(queue)).toEqual([])
  })

  test('polls by type and limit, peeks with clear false', () => {
    const queue = createQueue()
    for (const type of ['chat', 'trade', 'chat', 'chat']) put(queue, type, 'x', {})
    const ask = { limit: 2, clear: false, types: ['chat'] }
    expect(poll(queue, ask).map(({ id }) => id)).toEqual(['1', '3'])
    expect(poll(queue, { ...ask, clear: true }).map(({ id }) => id)).toEqual(['1', '3'])
    expect(queue.entries.map(({ id }) => id)).toEqual(['2', '4'])
  })
})

describe('feeds', () => {
  test('market updates of one base are one entry, the last word of each item', () => {
    const queue = createQueue()
    const items = (...rows: [string, number][]) => rows.map(([item_id, n]) => ({ item_id, n }))
    const update = (base_id: string, tick: number, ...rows: [string, number][]) =>
      enqueue(queue, {
        ...{ type: 'market', msgType: 'market_update', data: { base_id, tick }, wallMs: 0 },
        list: {
          ...{ name: 'items', about: base_id, keys: rows.map(([item]) => item) },
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

  test('of a battle only the last state waits, at the end, and is made when it is read', () => {
    const queue = createQueue()
    let made = 0
    const see = (battle: string, tick: number): void => {
      const data = (): Record<string, unknown> => {
        made += 1
        return { battle_id: battle, tick }
      }
      enqueue(queue, {
        type: 'combat',
        msgType: 'battle_update',
        wallMs: 0,
        data,
        replaces: battle,
      })
    }
    see('a', 1)
    see('b', 1)
    put(queue, 'combat', 'battle_damage', { n: 1 })
    see('a', 2)
    expect(made).toBe(0)
    const all = JSON.parse(JSON.stringify(drain(queue))) as { id: string; data: unknown }[]
    expect(all.map(({ id, data }) => [id, data])).toEqual([
      ['2', { battle_id: 'b', tick: 1 }],
      ['3', { n: 1 }],
      ['4', { battle_id: 'a', tick: 2 }],
    ])
    expect(Object.keys(all[2])).toEqual(['id', 'type', 'msg_type', 'timestamp', 'data'])
  })
})
