/** GET /health: what main alone knows of the ticks, over HTTP and by itself. */
import { afterEach, describe, expect, test } from 'vitest'
import { createHealth } from '../../../net/http/health.ts'
import type { WorldLink } from '../../../net/world-link.ts'
import { NET_CONFIG, testClock } from './fake-net.ts'
import { call, closeNets, net } from './http-calls.ts'

afterEach(closeNets)

const TICK_MS = 10_000

function healthOf() {
  const clock = testClock()
  const at = { isUp: true, tick: 0 }
  const link = {
    isUp: () => at.isUp,
    state: () => ({ tick: at.tick, tickMs: TICK_MS, seed: 1, batch: 1 }),
  } as unknown as WorldLink
  const health = createHealth({ config: NET_CONFIG, link, clock })
  const next = (): number => {
    const { estimated_next_tick } = health.report()
    return Date.parse(String(estimated_next_tick)) - clock.wallMs()
  }
  return { clock, at, health, next }
}

describe('health', () => {
  test('expects the next tick a tick after the last, later where ticks are stretched', () => {
    const { clock, at, health, next } = healthOf()
    expect(health.report()).toEqual({ status: 'ok', tick: 0, version: NET_CONFIG.version })
    at.tick = 7
    health.noteTick()
    clock.advance(3_000)
    expect(health.report()).toMatchObject({ tick: 7 })
    expect(next()).toBe(TICK_MS - 3_000)
    health.noteStretch(3)
    expect(next()).toBe(3 * TICK_MS - 3_000)
  })

  test('says nothing of a tick that is a whole one late, or of a world that is away', () => {
    const { clock, at, health, next } = healthOf()
    health.noteTick()
    clock.advance(TICK_MS + 500)
    expect(next()).toBe(0)
    at.isUp = false
    expect(health.report()).not.toHaveProperty('estimated_next_tick')
    at.isUp = true
    clock.advance(TICK_MS)
    expect(health.report()).not.toHaveProperty('estimated_next_tick')
  })

  test('answers GET alone, at the tick that was published, also while the world is away', async () => {
    const { port, link, disk, thread } = await net()
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
