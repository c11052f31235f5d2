/** The feed over real sockets of both listeners: readers that stall, leave and resume. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WATCHER_STALL_MS, WATCHERS_PER_ADDRESS_MAX } from '../../../core/limits.ts'
import type { FeedMessage } from '../../../core/public/events.ts'
import type { PublicFrame } from '../../../core/public/frame.ts'
import { startOn } from '../../fault/program.ts'
import { type FakeNet, startFakeNet } from '../net/fake-net.ts'

const PATIENCE = { timeout: 10_000 }
const NONE = new Int32Array()

const servers: FakeNet[] = []
const sockets: { destroy(): void }[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.close()
})

async function start(isFallback: boolean) {
  const settings = { spectatorDelay: 0, metricsToken: 'secret' }
  const server = await startOn(isFallback, () => startFakeNet(settings))
  servers.push(server)
  let tick = 0
  const publish = (events: readonly FeedMessage[] = []): void => {
    tick += 1
    const frame: PublicFrame = {
      tick,
      wallMs: tick * 1_000,
      isFull: true,
      bytes: 100,
      heat: NONE,
      battles: [],
      chart: { systems: [], pois: [], empires: [] },
      figures: { online: 1, players: 1, systems: 0 },
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
      events,
      turns: [],
    }
    server.server.net.frames.take(frame)
  }
  const request = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const outgoing = get({
      host: '127.0.0.1',
      port: server.port,
      path,
      headers,
      method,
      agent: false,
    })
    outgoing.on('error', () => undefined)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    response.on('error', () => undefined)
    sockets.push(response)
    let text = ''
    response.on('data', (piece) => {
      text += String(piece)
    })
    return {
      response,
      text: () => text,
      ids: () => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id),
    }
  }
  return { server, publish, request }
}

/** Requests the feed on a paused socket, from which only the caller reads. */
async function openPausedFeed(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /events HTTP/1.1\r\nhost: a\r\n\r\n')
  return socket
}

const event = (size: number): FeedMessage => ({
  type: 'player_joined',
  data: { username: 'x'.repeat(size), empire: 'solarian' },
  timestamp: '2026-01-01T00:00:00.000Z',
  tick: 1,
})

describe.each([
  ['native', false],
  ['node', true],
])('on the %s listener', (_, isFallback) => {
  test('a reader of another origin gets events as they happen, without event names', async () => {
    const { publish, request } = await start(isFallback)
    publish()
    const { response, text, ids } = await request('/events', { origin: 'http://elsewhere' })
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    })
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    publish([event(3)])
    await expect.poll(ids).toEqual(['1.0', '2.0', '2.1'])
    expect(text()).toMatch(/^retry: 3000\n\nid: 1.0\ndata: {"type":"connected"/)
    expect(text()).not.toMatch(/^event:/m)
  })

  test('a reader that resumes by the header or the query misses nothing and reads nothing twice', async () => {
    const { publish, request } = await start(isFallback)
    publish()
    const first = await request('/events')
    publish([event(1)])
    await expect.poll(first.ids).toEqual(['1.0', '2.0', '2.1'])
    first.response.destroy()
    publish([event(1), event(1)])
    const byHeader = await request('/events', { 'last-event-id': '2.1' })
    const byQuery = await request('/events?after=3.0')
    await expect.poll(byHeader.ids).toEqual(['3.0', '3.1', '3.2'])
    await expect.poll(byQuery.ids).toEqual(['3.1', '3.2'])
    publish()
    await expect.poll(byHeader.ids).toEqual(['3.0', '3.1', '3.2', '4.0'])
    await expect.poll(byQuery.ids).toEqual(['3.1', '3.2', '4.0'])
  })

  test.each([
    ['never reads', 0],
    ['reads a byte now and then', 1],
  ])('a reader that %s is closed, and the others read on', async (_how, bytes) => {
    const { server, publish, request } = await start(isFallback)
    publish()
    const stuck = await openPausedFeed(server.port)
    const other = await request('/events')
    let isClosed = false
    stuck.on('close', () => {
      isClosed = true
    })
    let tick = 1
    const long = Array.from({ length: 32 }, () => event(30_000))
    // More than the buffers at both ends of a socket hold.
    await expect
      .poll(() => {
        publish(long)
        tick += 1
        if (bytes > 0) stuck.read(bytes)
        server.server.sweep(WATCHER_STALL_MS / 10)
        return server.server.watchers()
      }, PATIENCE)
      .toBe(1)
    stuck.resume()
    await expect.poll(() => isClosed, PATIENCE).toBe(true)
    await expect.poll(() => other.ids().at(-1), PATIENCE).toBe(`${tick}.32`)
  })

  test('a reader that goes away is forgotten, and makes room for another', async () => {
    const { server, publish, request } = await start(isFallback)
    publish()
    const own = []
    for (let n = 0; n < WATCHERS_PER_ADDRESS_MAX; n++) own.push(await request('/events'))
    const refused = await request('/events')
    expect(refused.response.statusCode).toBe(429)
    expect(refused.response.headers['retry-after']).toBe('3')
    await once(refused.response, 'end')
    expect(JSON.parse(refused.text())).toMatchObject({ error: 'rate_limited' })
    own[0].response.destroy()
    await expect.poll(() => server.server.watchers()).toBe(WATCHERS_PER_ADDRESS_MAX - 1)
    expect((await request('/events')).response.statusCode).toBe(200)
  })

  test('topics that are unknown, missing or for operators are refused', async () => {
    const { publish, request } = await start(isFallback)
    const status = async (path: string, headers?: Record<string, string>, method?: string) =>
      (await request(path, headers, method)).response.statusCode
    expect(await status('/events?topics=map')).toBe(503)
    expect(await status('/events')).toBe(200)
    publish()
    expect(await status('/events?topics=chat')).toBe(400)
    expect(await status('/events?topics=battle:none')).toBe(404)
    expect(await status('/events?topics=feed,map')).toBe(200)
    expect(await status('/events?topics=ops')).toBe(200)
    const page = { origin: 'http://elsewhere' }
    expect(await status('/events?topics=ops', page)).toBe(401)
    expect(await status('/events?topics=ops', { ...page, authorization: 'Bearer secret' })).toBe(
      200,
    )
    expect(await status('/events', {}, 'HEAD')).toBe(200)
  })

  test('the end of the server is announced and ends every stream', async () => {
    const { server, publish, request } = await start(isFallback)
    publish()
    const reader = await request('/events')
    const ended = once(reader.response, 'end')
    server.server.warn(1)
    servers.length = 0
    await server.close()
    await ended
    expect(reader.text()).toContain('"type":"server_announcement"')
    expect(reader.text()).toContain('The server restarts in 1 second;')
  })
})
