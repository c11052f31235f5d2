/** Public bodies over HTTP: tags, compression, caching, and the bounds of queries. */
import { get, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok } from '../../../core/errors.ts'
import { PUBLIC_BODIES_MAX } from '../../../core/limits.ts'
import type { PublicFrame } from '../../../core/public/frame.ts'
import { createBodyCache, makeBody } from '../../../net/public/bodies.ts'
import { readQuery } from '../../../net/public/routes.ts'
import type { PublicRow } from '../../../net/public/row.ts'
import { rowOf } from '../../public-world.ts'
import { type FakeNet, startFakeNet } from '../net/fake-net.ts'

const NONE = new Int32Array()

/** Makes a frame of some empty systems. */
function frameOf(tick: number, systems = 40): PublicFrame {
  const emptySystems = Array.from({ length: systems }, (_, i) => ({
    id: `s${i}`,
    name: `System ${i}`,
    description: '',
    empire: '',
    x: i,
    y: -i,
    position: { x: i, y: -i },
    police_level: 0,
    security_status: 'lawless',
    connections: [],
  }))
  return {
    tick,
    wallMs: tick * 1_000,
    isFull: true,
    bytes: 100,
    heat: NONE,
    battles: [],
    chart: { systems: emptySystems, pois: [], empires: [] },
    figures: { online: tick, players: 9, systems },
    presence: {
      online: NONE,
      onlineBySystem: NONE,
      named: NONE,
      namedFlying: NONE,
      bound: NONE,
      npcs: NONE,
    },
    flights: { jumps: NONE, local: NONE },
    docs: {},
    events: [],
    turns: [],
  }
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

let server: FakeNet
beforeAll(async () => {
  server = await startFakeNet({ spectatorDelay: 0 })
})
afterAll(() => server.close())

function request(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = get(
      { host: '127.0.0.1', port: server.port, path, headers, method, agent: false },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        )
      },
    )
    outgoing.on('error', reject)
  })
}

describe('a body', () => {
  test('is not ready before the first frame is public', async () => {
    const early = await request('/api/map')
    expect([early.status, JSON.parse(String(early.body)).error]).toEqual([503, 'not_ready'])
    server.server.net.frames.take(frameOf(1))
    expect((await request('/api/map')).status).toBe(200)
  })

  test('has a tag of its bytes, and is answered with 304 to a client that has it', async () => {
    const plain = await request('/api/map')
    expect(plain.headers.etag).toMatch(/^"[0-9a-f]{16}"$/)
    expect(plain.headers['cache-control']).toBe('public, max-age=60')
    expect(plain.headers.vary).toContain('accept-encoding')
    const known = await request('/api/map', { 'if-none-match': String(plain.headers.etag) })
    expect([known.status, known.body.length]).toEqual([304, 0])
  })

  test('is compressed for a client that accepts it, with a tag of its own', async () => {
    const plain = await request('/api/map')
    const packed = await request('/api/map', { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body)).toEqual(plain.body)
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
    const known = await request('/api/map', { 'if-none-match': String(packed.headers.etag) })
    expect(known.status).toBe(304)
    // Whoever has one form is told that this one is current, whichever they would get now.
    const both = { 'if-none-match': String(plain.headers.etag), 'accept-encoding': 'gzip' }
    const other = await request('/api/map', both)
    expect([other.status, other.headers.etag]).toEqual([304, plain.headers.etag])
    // This body is too short to be worth compressing.
    const short = await request('/api/map/activity', { 'accept-encoding': 'gzip' })
    expect(short.headers['content-encoding']).toBeUndefined()
  })

  test('answers HEAD like GET', async () => {
    const [head, whole] = [await request('/api/map', {}, 'HEAD'), await request('/api/map')]
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(head.headers.etag).toBe(whole.headers.etag)
  })

  test('of a tick is cached until the next tick, and changes with it', async () => {
    const first = await request('/api/stats')
    expect(first.headers['cache-control']).toMatch(/^public, max-age=\d+$/)
    server.server.net.frames.take(frameOf(2))
    const second = await request('/api/stats')
    expect(JSON.parse(String(second.body))).toMatchObject({ tick: 2, online_players: 2 })
    expect(second.headers.etag).not.toBe(first.headers.etag)
    // A body that has not changed keeps its tag.
    const map = await request('/api/map')
    server.server.net.frames.take(frameOf(3))
    expect((await request('/api/map')).headers.etag).toBe(map.headers.etag)
  })

  test('of an unknown thing is a flat 404', async () => {
    for (const path of ['/api/map/system/nowhere', '/api/market/item/x', '/api/players/nobody']) {
      const { status, body } = await request(path)
      const { error, message } = JSON.parse(String(body))
      expect([status, error], path).toEqual([404, 'not_found'])
      expect(message).toBeTruthy()
    }
    expect((await request(`/api/players/${'x'.repeat(500)}`)).status).toBe(404)
  })

  test('may be read 600 times a minute by an address', async () => {
    let refused: Reply | undefined
    for (let i = 0; i < 601 && !refused; i++) {
      const reply = await request('/api/stats')
      if (reply.status === 429) refused = reply
    }
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(String(refused?.body))).toMatchObject({ error: 'rate_limited' })
  })
})

describe('the query of a request', () => {
  const row: PublicRow = {
    ...rowOf('/api/map'),
    query: [
      { name: 'limit', about: '', kind: 'int', min: 1, max: 200, fallback: 50 },
      { name: 'sort', about: '', kind: 'choice', values: ['new', 'old'], fallback: 'new' },
      { name: 'q', about: '', kind: 'text', max: 4 },
    ],
  }
  const read = (text: string) => readQuery(row, new URLSearchParams(text))

  test('is cut to its bounds, never refused', () => {
    expect(read('')).toEqual({ limit: 50, sort: 'new', q: '' })
    expect(read('limit=9999&sort=old&q=abcdef')).toEqual({ limit: 200, sort: 'old', q: 'abcd' })
    expect(read('limit=-1&sort=odd')).toEqual({ limit: 1, sort: 'new', q: '' })
    expect(read('limit=NaN&limit=7&other=1')).toEqual({ limit: 50, sort: 'new', q: '' })
  })

  test('takes bounded memory, however often it differs', async () => {
    const cache = createBodyCache()
    const make = async () => ok({ body: makeBody('x'.repeat(1_000)), result: {} })
    for (let i = 0; i < 2 * PUBLIC_BODIES_MAX; i++) await cache.get(String(i), '1', make)
    expect(cache.size().bodies).toBe(PUBLIC_BODIES_MAX)
    let built = 0
    const count = async () => {
      built += 1
      return ok({ body: makeBody('y'), result: {} })
    }
    await Promise.all([cache.get('a', '1', count), cache.get('a', '1', count)])
    await cache.get('a', '2', count)
    expect(built).toBe(2)
    for (let i = 0; i < 40; i++)
      await cache.get(`large ${i}`, '1', async () =>
        ok({ body: makeBody('z'.repeat(1_000_000)), result: {} }),
      )
    expect(cache.size().bytes).toBeLessThanOrEqual(16 * 1024 * 1024)
  })
})
