/** Health and readiness: what the main thread reports of the world, also while that is away. */
import { afterEach, describe, expect, test } from 'vitest'
import { setDatabaseAway } from '../../../core/wire/progress.ts'
import { createHealth } from '../../../net/http/health.ts'
import type { WorldLink } from '../../../net/world-link.ts'
import { NET_CONFIG, testClock } from './fake-net.ts'
import { call, closeNets, startNet } from './http-calls.ts'

afterEach(closeNets)

const TICK_MS = 10_000

function healthRig() {
  const clock = testClock()
  const world = { isUp: true, tick: 0 }
  const link = {
    isUp: () => world.isUp,
    state: () => ({ tick: world.tick, tickMs: TICK_MS, seed: 1, batch: 1 }),
  } as unknown as WorldLink
  const health = createHealth({ config: NET_CONFIG, link, clock })
  const msToNextTick = (): number => {
    const { estimated_next_tick } = health.report()
    return Date.parse(String(estimated_next_tick)) - clock.wallMs()
  }
  return { clock, world, health, msToNextTick }
}

describe('health', () => {
  test('expects the next tick one tick after the last, later while ticks are stretched', () => {
    const { clock, world, health, msToNextTick } = healthRig()
    expect(health.report()).toEqual({ status: 'ok', tick: 0, version: NET_CONFIG.version })
    world.tick = 7
    health.recordTick()
    clock.advance(3_000)
    expect(health.report()).toMatchObject({ tick: 7 })
    expect(msToNextTick()).toBe(TICK_MS - 3_000)
    health.recordStretch(3)
    expect(msToNextTick()).toBe(3 * TICK_MS - 3_000)
  })

  test('omits the next tick if that is a whole tick late or the world is away', () => {
    const { clock, world, health, msToNextTick } = healthRig()
    health.recordTick()
    clock.advance(TICK_MS + 500)
    expect(msToNextTick()).toBe(0)
    world.isUp = false
    expect(health.report()).not.toHaveProperty('estimated_next_tick')
    world.isUp = true
    clock.advance(TICK_MS)
    expect(health.report()).not.toHaveProperty('estimated_next_tick')
  })

  test('answers only GET, with the published tick, even while the world is away', async () => {
    const { port, link, disk, thread } = await startNet()
    await link.step(2)
    const { tick } = link.state()
    const about = { status: 'ok', tick, version: NET_CONFIG.version }
    for (const path of ['/health', '/healthz']) {
      const { body } = await call(port, path)
      expect(body).toEqual({ ...about, estimated_next_tick: expect.any(String) })
      expect((await call(port, path, { method: 'POST' })).status).toBe(405)
    }
    disk.isSlowToRecover = true
    thread().end('test')
    while (link.isUp()) await new Promise((resolve) => setImmediate(resolve))
    expect((await call(port, '/health')).body).toEqual(about)
  })
})

const codesOf = (body: Record<string, unknown>): string[] =>
  (body.reasons as { code: string }[]).map(({ code }) => code)

describe('readiness', () => {
  test('lists each reason why the server is not ready by code and sentence', async () => {
    const { port, thread, server } = await startNet()
    const ready = await call(port, '/readyz')
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready', reasons: [] } })
    setDatabaseAway(thread().cell, true)
    const away = await call(port, '/readyz')
    expect(away).toMatchObject({
      status: 503,
      body: {
        status: 'not_ready',
        reasons: [{ code: 'database_away', message: expect.stringContaining('database') }],
      },
    })
    server.drain()
    expect(codesOf((await call(port, '/readyz')).body)).toEqual(['draining', 'database_away'])
    setDatabaseAway(thread().cell, false)
    expect(codesOf((await call(port, '/readyz')).body)).toEqual(['draining'])
  })

  test('is refused while the world recovers, though the process is alive', async () => {
    const { port, link, disk, thread } = await startNet()
    disk.isSlowToRecover = true
    thread().end('test')
    while (link.isUp()) await new Promise((resolve) => setImmediate(resolve))
    expect(await call(port, '/readyz')).toMatchObject({ status: 503 })
    expect(codesOf((await call(port, '/readyz')).body)).toEqual(['recovering'])
    expect(await call(port, '/livez')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })
})
