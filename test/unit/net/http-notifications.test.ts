/** The notifications of an HTTP session: sent with answers, polled, and counted when dropped. */
import { afterEach, describe, expect, test } from 'vitest'
import { call, closeNets, loggedIn, post, startNet } from './http-calls.ts'

afterEach(closeNets)

const sleep = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms))

describe('notifications', () => {
  test('every answer drains the queue', async () => {
    const { port, thread } = await startNet()
    const id = await loggedIn(port, 'v1')
    thread().emit([{ type: 'mining_yield', payload: { quantity: 2 }, to: [1] }])
    await sleep()
    const drained = async () => (await post(port, '/api/v1/get_status', {}, id)).body.notifications
    expect(await drained()).toMatchObject([
      { id: '1', type: 'system', msg_type: 'mining_yield', data: { quantity: 2 } },
    ])
    expect(await drained()).toEqual([])
  })

  test('get_notifications keeps, limits and filters the queue as its parameters say', async () => {
    const { port, thread } = await startNet()
    const id = await loggedIn(port, 'v2')
    for (let index = 0; index < 3; index++)
      thread().emit([
        { type: 'mining_yield', payload: { quantity: index, drone_id: `d${index}` }, to: [1] },
      ])
    await sleep()
    const peek = { limit: 2, clear: false }
    const first = await post(port, '/api/v2/game/get_notifications', peek, id)
    expect(first.body.structuredContent).toMatchObject({ count: 2, remaining: 1, current_tick: 0 })
    const second = await post(port, '/api/v2/game/get_notifications', peek, id)
    expect(second.body.structuredContent).toMatchObject({ count: 2, remaining: 1 })
    const path = '/api/v2/notifications?limit=2&types=system'
    const get = await call(port, path, { headers: { 'x-session-id': id } })
    expect(get.body.notifications).toHaveLength(2)
    expect(get.body).not.toHaveProperty('structuredContent')
    const rest = await post(port, '/api/v2/game/get_status', {}, id)
    expect(rest.body.notifications).toHaveLength(1)
  })

  test('clear takes true and false in any case, and nothing else', async () => {
    const { port, thread } = await startNet()
    const id = await loggedIn(port, 'v2')
    thread().emit([{ type: 'mining_yield', payload: { quantity: 1, drone_id: 'd' }, to: [1] }])
    await sleep()
    const poll = (clear: string) =>
      call(port, `/api/v2/notifications?clear=${clear}`, { headers: { 'x-session-id': id } })
    for (const kept of ['false', 'False', 'FALSE']) {
      expect((await poll(kept)).body.notifications).toHaveLength(1)
    }
    expect((await poll('True')).body.notifications).toHaveLength(1)
    expect((await poll('true')).body.notifications).toHaveLength(0)
    for (const clear of ['0', 'no', '']) {
      expect((await poll(clear)).body.error).toMatchObject({
        code: 'invalid_payload',
        details: { fields: [{ field: 'clear', expected: 'true or false' }] },
      })
    }
  })

  test('a full queue reports how many notifications it dropped, once', async () => {
    const { port, thread } = await startNet()
    const id = await loggedIn(port, 'v1')
    const flood = Array.from({ length: 103 }, (_, n) => ({
      type: 'mining_yield',
      payload: { quantity: 1, drone_id: `d${n}` },
      to: [1],
    }))
    thread().emit(flood)
    await sleep()
    const first = await post(port, '/api/v1/get_status', {}, id)
    expect(first.body.notifications).toHaveLength(100)
    expect(first.body.notifications_dropped).toBe(3)
    thread().emit(flood)
    await sleep()
    const polled = await post(port, '/api/v1/get_notifications', { limit: 1 }, id)
    expect(polled.body.result).toMatchObject({ count: 1, remaining: 99, dropped: 3 })
    const later = await post(port, '/api/v1/get_notifications', { limit: 1 }, id)
    expect(later.body.result).not.toHaveProperty('dropped')
  })
})
