/** What operators read at /api/ops and on the topic `ops`, and who may read it. */
import { afterEach, expect, test } from 'vitest'
import { OPS_SLOW_TICKS_MAX, OPS_TICKS_MAX } from '../../../core/limits.ts'
import { type OpsBody, opsBody } from '../../../core/public/ops.ts'
import { PHASES } from '../../../core/system.ts'
import { createFeed } from '../../../net/public/feed.ts'
import { createOps } from '../../../net/public/ops.ts'
import { differsFrom } from '../../exact-schema.ts'
import { type FakeNet, startFakeNet } from '../net/fake-net.ts'
import { tickFigures } from '../net/tick-figures.ts'

const servers: FakeNet[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(settings = {}) {
  const server = await startFakeNet(settings)
  servers.push(server)
  const { net } = server.server
  const feed = createFeed({ greet: () => [], updates: () => [] }, net.clock, net.log)
  const ops = createOps(net, feed, () => ({ ws1: 1, ws2: 2, unreadBytes: 3 }))
  return { server, feed, ops }
}

test('the body of /api/ops has ticks, slow ticks, queues, sockets, memory, snapshot and database', async () => {
  const { ops, server } = await start()
  ops.tickOver(
    tickFigures({
      tick: 4,
      inputs: 5,
      emissions: 6,
      columnBytes: 7,
      isSlow: true,
      inbox: { mutations: 8, immediates: 9 },
    }),
  )
  ops.committed({ ms: 1.23456, bytes: 1 })
  ops.snapshot({ kind: 'snapshot', result: 'failed', wallMs: 0, tookMs: 0 })
  expect(ops.body().snapshot).toBeUndefined()
  ops.snapshot({ kind: 'snapshot', result: 'stored', wallMs: 0, tookMs: 12 })
  const body = ops.body()
  expect(differsFrom(opsBody, body)).toEqual([])
  const phases = PHASES.map((phase) => (phase === 'act' ? 1.5 : 0))
  expect(body).toMatchObject({
    world: 'up',
    phase_names: PHASES,
    inbox: 17,
    outbound_bytes: 3,
    ticks: [
      {
        tick: 4,
        inputs: 5,
        emissions: 6,
        late_ms: 1,
        journal_ms: 4,
        finish_ms: 8,
        publish_ms: 16,
        to_sockets_ms: 31,
        phases,
      },
    ],
    slow: [{ tick: 4, compute_ms: 2, phases }],
    sockets: { ws1: 1, ws2: 2, http: 0, mcp: 0, watchers: 0 },
    snapshot: { tick: server.link.state().tick, age_ticks: 0, ms: 12 },
    database: { state: 'up', ms: 1.235 },
  })
  expect(body.memory.columns).toBe(7)
  expect(body.memory.rss).toBeGreaterThan(body.memory.heap)
})

test('the latest ticks and slow ticks are kept, up to a bound', async () => {
  const { ops } = await start()
  for (let tick = 1; tick <= OPS_TICKS_MAX + 1; tick++)
    ops.tickOver(tickFigures({ tick, isSlow: true }))
  const { ticks, slow } = ops.body()
  expect([ticks.length, ticks[0].tick]).toEqual([OPS_TICKS_MAX, 2])
  expect([slow.length, slow[0].tick]).toEqual([OPS_SLOW_TICKS_MAX, OPS_TICKS_MAX + 1])
})

test('the topic ops sends each tick to its readers', async () => {
  const { ops, feed } = await start()
  const pieces: string[] = []
  ops.tickOver(tickFigures({ tick: 1 }))
  feed.join({
    address: 'a',
    topics: new Map([['ops', { name: 'ops' }]]),
    open: () => ({
      write: (piece) => pieces.push(String(piece)) > 0,
      pending: () => 0,
      end: () => undefined,
    }),
    cutOff: () => undefined,
    onGone: () => undefined,
  })
  ops.tickOver(tickFigures({ tick: 2 }))
  const { type, data, timestamp } = JSON.parse(/data: (.*"ops".*)/.exec(pieces.join(''))?.[1] ?? '')
  expect(type).toBe('ops')
  expect(Date.parse(timestamp)).not.toBeNaN()
  expect((data as OpsBody).ticks.map(({ tick }) => tick)).toEqual([2])
  expect(differsFrom(opsBody, data)).toEqual([])
})

test('/api/ops is readable only on this machine or with the token, and never cached', async () => {
  const { server } = await start({ metricsToken: 'secret', trustedProxies: 0 })
  const readOps = (headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}/api/ops`, { headers })
  const local = await readOps()
  expect([local.status, local.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(differsFrom(opsBody, await local.json())).toEqual([])
  for (const [headers, status] of [
    [{ origin: 'http://elsewhere' }, 401],
    [{ 'x-forwarded-for': '10.0.0.1' }, 401],
    [{ forwarded: 'for=10.0.0.1' }, 401],
    [{ 'x-real-ip': '10.0.0.1' }, 401],
    [{ via: '1.1 proxy' }, 401],
    [{ origin: 'http://elsewhere', authorization: 'Bearer wrong' }, 401],
    [{ origin: 'http://elsewhere', authorization: 'Bearer secret' }, 200],
  ] as const) {
    expect((await readOps(headers)).status).toBe(status)
  }
})
