/**
 * What strangers may take from others, with both socket libraries: sessions, handshakes, messages
 * and bodies of MCP, and the figures. Source: RELIABILITY 5 (A4, A8) and 6 (MCP).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { type Answer, newPlayer } from '../wire.ts'
import { handshake, openPeer, type Peer, rpc } from './mcp-peer.ts'
import {
  bare,
  expectFlat429,
  expectLimited,
  LIBRARIES,
  openStage,
  type Stage,
  visitor,
} from './stage.ts'

const MINUTE_MS = 60_000
const KIB = 1024
const SESSION = '/api/v1/session'
const VERSION = '/api/v1/get_version'

const PING = rpc('ping')
const batch = (messages: number): Params[] =>
  Array.from({ length: messages }, (_, i) => rpc('ping', {}, i))

/** Makes a message of exactly this many bytes. */
function padded(bytes: number, make: (padding: string) => object): string {
  const bare = JSON.stringify(make(''))
  return JSON.stringify(make('x'.repeat(bytes - bare.length)))
}

const resultOf = ({ body }: Answer): Params => body.result as Params

async function register(peer: Peer): Promise<string> {
  const result = resultOf(await peer.call('register', newPlayer()))
  return String((result.structuredContent as Params).session_id)
}

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(() => database.close())

describe.each(LIBRARIES)('with the %s library', (library) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(library, database, {
      METRICS_TOKEN: 'let-me-see',
      ALLOWED_HOSTS: 'play.example',
    })
  })
  afterAll(() => stage.close())

  test('a thousand sessions of one address, and handshakes, push out none of another', async () => {
    const [stranger, other] = [visitor(stage), visitor(stage)]
    const idOf = ({ body }: Answer) => ({ 'x-session-id': (body.session as { id: string }).id })
    const [own, first] = [idOf(await other.post(SESSION)), idOf(await stranger.post(SESSION))]
    const [peer, firstPeer] = [await openPeer(other), await openPeer(stranger)]
    const open = await openPeer(visitor(stage), '/mcp/docs')
    for (let made = 0; made < 1_000; made += 30) {
      stage.clock.advance(MINUTE_MS)
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          i < 15
            ? stranger.post(['/api/v1/session', '/api/v2/session'][i % 2])
            : handshake(stranger),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
      expect((await other.post(VERSION, {}, own)).status).toBe(200)
      expect((await peer.send(PING)).status).toBe(200)
      expect((await open.send(PING)).status).toBe(200)
    }
    // Its own went.
    expect((await stranger.post(VERSION, {}, first)).body.error).toMatchObject({
      code: 'session_invalid',
    })
    expect((await firstPeer.send(PING)).status).toBe(404)
    const { strangers } = stage.server.net.net.pools
    expect(strangers.shares.get(stranger.ip)?.size).toBe(100)
  })

  test('a handshake is an attempt as a session is: 30 a minute together', async () => {
    const who = visitor(stage)
    for (let i = 0; i < 15; i++) {
      expect((await handshake(who, ['/mcp', '/mcp/v2', '/mcp/docs'][i % 3])).status).toBe(200)
      expect((await who.post(SESSION)).status).toBe(200)
    }
    for (const path of ['/mcp', '/mcp/v2', '/mcp/docs']) expectFlat429(await handshake(who, path))
    expectLimited(await who.post(SESSION))
    expect((await handshake(visitor(stage))).status).toBe(200)
    stage.clock.advance(MINUTE_MS)
    expect((await handshake(who)).status).toBe(200)
  })

  test('a batch is 64 messages, each of which counts: for the address, after a login for that', async () => {
    const who = visitor(stage)
    const [one, two] = [await openPeer(who), await openPeer(who)]
    stage.clock.advance(10_000)
    const long = await one.send(batch(65))
    expect({ status: long.status, ...long.body }).toMatchObject({
      status: 400,
      error: { code: -32600, message: expect.stringContaining('at most 64') },
    })
    expect((await one.send(batch(100))).status).toBe(400)
    // 300 at once: four times 64 and 44 more.
    for (const peer of [one, two, one, two]) {
      const { status, body } = await peer.send(batch(64))
      expect({ status, answers: (body as unknown as unknown[]).length }).toEqual({
        status: 200,
        answers: 64,
      })
    }
    expectFlat429(await one.send(batch(64)))
    expect((await one.send(batch(43))).status).toBe(200)
    expectFlat429(await two.send(batch(2)))
    const other = await openPeer(visitor(stage))
    expect((await other.send(batch(64))).status).toBe(200)
    await register(two)
    expectFlat429(await one.send(batch(64)))
    expect((await two.send(batch(64))).status).toBe(200)
  })

  test('session_id is a text', async () => {
    const peer = await openPeer(visitor(stage))
    for (const sessionId of [5, null, {}, ['x']])
      expect(resultOf(await peer.call('get_status', { session_id: sessionId }))).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'invalid_payload' } },
      })
  })

  test('bodies of MCP are 16 KiB before login; after it 512 KiB, by header or by session_id', async () => {
    const who = visitor(stage)
    const ping = (bytes: number) => padded(bytes, (x) => rpc('ping', { x })) as unknown as object
    const [stranger, player] = [await openPeer(who), await openPeer(who)]
    const refused = { status: 413, body: { error: 'payload_too_large' } }
    for (const peer of [stranger, player]) {
      expect((await peer.send(ping(16 * KIB))).status).toBe(200)
      expect(await peer.send(ping(16 * KIB + 1))).toMatchObject(refused)
      stage.clock.advance(1_000)
    }
    const login = await register(player)
    expect((await player.send(ping(512 * KIB))).status).toBe(200)
    stage.clock.advance(1_000)
    expect(await player.send(ping(512 * KIB + 1))).toMatchObject(refused)
    stage.clock.advance(1_000)
    const named = (id: string, bytes: number) =>
      padded(bytes, (x) => {
        const args = { session_id: id, topic: x }
        return rpc('tools/call', { name: 'help', arguments: args })
      }) as unknown as object
    expect((await stranger.send(named(login, 400 * KIB))).status).toBe(200)
    stage.clock.advance(1_000)
    expect(await stranger.send(named('0'.repeat(64), 400 * KIB))).toMatchObject(refused)
    stage.clock.advance(1_000)
    for (const path of ['/api/v1/login', '/api/v2/game_auth/login', '/api/v2/game/help']) {
      const body = (bytes: number) => padded(bytes, (x) => ({ x }))
      expect((await who.post(path, body(16 * KIB))).status).not.toBe(413)
      expect(await who.post(path, body(16 * KIB + 1))).toMatchObject({
        status: 413,
        body: { error: { code: 'payload_too_large' } },
      })
    }
  })

  test('figures are not for a name from elsewhere that leads here', async () => {
    const get = (host: string, more: Record<string, string> = {}) =>
      bare(`${stage.server.url}/metrics`, { host, ...more })
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1', '[::1]:80', 'play.example'])
      expect({ host, status: (await get(host)).status }).toEqual({ host, status: 200 })
    const token = { authorization: 'Bearer let-me-see' }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'play.example.evil',
      '10.0.0.1',
    ]) {
      const { status, body } = await get(host)
      expect({ host, status, code: body.code }).toEqual({ host, status: 403, code: 'forbidden' })
      expect((await get(host, token)).status).toBe(200)
    }
  })
})
