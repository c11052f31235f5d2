/** The queue of an HTTP session: carried by answers, read by itself, never silent about losses. */
import { afterEach, describe, expect, test } from 'vitest'
import { call, closeNets, loggedIn, net, post } from './http-calls.ts'

afterEach(closeNets)

const soon = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms))

describe('notifications', () => {
  test('every answer drains the queue', async () => {
    const { port, thread } = await net()
    const id = await loggedIn(port, 'v1')
    thread().emit([{ type: 'mining_yield', payload: { quantity: 2 }, to: [1] }])
    await soon()
    const ask = async () => (await post(port, '/api/v1/get_status', {}, id)).body.notifications
    expect(await ask()).toMatchObject([
      { id: '1', type: 'system', msg_type: 'mining_yield', data: { quantity: 2 } },
    ])
    expect(await ask()).toEqual([])
  })

  test('get_notifications controls draining itself, at each call', async () => {
    const { port, thread } = await net()
    const id = await loggedIn(port, 'v2')
    for (let index = 0; index < 3; index++)
      thread().emit([
        { type: 'mining_yield', payload: { quantity: index, drone_id: `d${index}` }, to: [1] },
      ])
    await soon()
    const ask = { limit: 2, clear: false }
    const first = await post(port, '/api/v2/game/get_notifications', ask, id)
    expect(first.body.structuredContent).toMatchObject({ count: 2, remaining: 1, current_tick: 0 })
    const again = await post(port, '/api/v2/game/get_notifications', ask, id)
    expect(again.body.structuredContent).toMatchObject({ count: 2, remaining: 1 })
    const path = '/api/v2/notifications?limit=2&types=system'
    const get = await call(port, path, { headers: { 'x-session-id': id } })
    expect(get.body.notifications).toHaveLength(2)
    expect(get.body).not.toHaveProperty('structuredContent')
    const rest = await post(port, '/api/v2/game/get_status', {}, id)
    expect(rest.body.notifications).toHaveLength(1)
  })

  test('a queue that was full says how many it dropped, once', async () => {
    const { port, thread } = await net()
    const id = await loggedIn(port, 'v1')
    const flood = Array.from({ length: 103 }, (_, n) => ({
      type: 'mining_yield',
      payload: { quantity: 1, drone_id: `d${n}` },
      to: [1],
    }))
    thread().emit(flood)
    await soon()
    const first = await post(port, '/api/v1/get_status', {}, id)
    expect(first.body.notifications).toHaveLength(100)
    expect(first.body.notifications_dropped).toBe(3)
    thread().emit(flood)
    await soon()
    const polled = await post(port, '/api/v1/get_notifications', { limit: 1 }, id)
    expect(polled.body.result).toMatchObject({ count: 1, remaining: 99, dropped: 3 })
    const again = await post(port, '/api/v1/get_notifications', { limit: 1 }, id)
    expect(again.body.result).not.toHaveProperty('dropped')
  })
})
