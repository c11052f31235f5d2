/**
 * Clients without a login cannot use up what others need, with both socket libraries: limits on
 * sessions and on MCP handshakes, messages and bodies; and access to metrics. Source: RELIABILITY 5
 * (A4, A8) and 6 (MCP).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { type Answer, newPlayer } from '../wire.ts'
import { handshake, openPeer, type Peer, rpc } from './mcp-peer.ts'
import {
  expectFlat429,
  expectLimited,
  LIBRARIES,
  newVisitor,
  openStage,
  rawGet,
  type Stage,
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
  const unpadded = JSON.stringify(make(''))
  return JSON.stringify(make('x'.repeat(bytes - unpadded.length)))
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

  test('a thousand sessions and handshakes of one address evict none of another', async () => {
    const [stranger, other] = [newVisitor(stage), newVisitor(stage)]
    const idOf = ({ body }: Answer) => ({ 'x-session-id': (body.session as { id: string }).id })
    const [own, first] = [idOf(await other.post(SESSION)), idOf(await stranger.post(SESSION))]
    const [peer, firstPeer] = [await openPeer(other), await openPeer(stranger)]
    const open = await openPeer(newVisitor(stage), '/mcp/docs')
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
    // The first session and handshake of the same address were evicted.
    expect((await stranger.post(VERSION, {}, first)).body.error).toMatchObject({
      code: 'session_invalid',
    })
    expect((await firstPeer.send(PING)).status).toBe(404)
    const { strangers } = stage.server.net.net.pools
    expect(strangers.shares.get(stranger.ip)?.size).toBe(100)
  })

  test('handshakes and new sessions are limited to 30 a minute together', async () => {
    const visitor = newVisitor(stage)
    for (let i = 0; i < 15; i++) {
      expect((await handshake(visitor, ['/mcp', '/mcp/v2', '/mcp/docs'][i % 3])).status).toBe(200)
      expect((await visitor.post(SESSION)).status).toBe(200)
    }
    for (const path of ['/mcp', '/mcp/v2', '/mcp/docs'])
      expectFlat429(await handshake(visitor, path))
    expectLimited(await visitor.post(SESSION))
    expect((await handshake(newVisitor(stage))).status).toBe(200)
    stage.clock.advance(MINUTE_MS)
    expect((await handshake(visitor)).status).toBe(200)
  })

  test('a batch has at most 64 messages, which count for the address or the login', async () => {
    const visitor = newVisitor(stage)
    const [first, second] = [await openPeer(visitor), await openPeer(visitor)]
    stage.clock.advance(10_000)
    const long = await first.send(batch(65))
    expect({ status: long.status, ...long.body }).toMatchObject({
      status: 400,
      error: { code: -32600, message: expect.stringContaining('at most 64') },
    })
    expect((await first.send(batch(100))).status).toBe(400)
    // An address may send 300 messages at once: four times 64 and 44 more.
    for (const peer of [first, second, first, second]) {
      const { status, body } = await peer.send(batch(64))
      expect({ status, answers: (body as unknown as unknown[]).length }).toEqual({
        status: 200,
        answers: 64,
      })
    }
    expectFlat429(await first.send(batch(64)))
    expect((await first.send(batch(43))).status).toBe(200)
    expectFlat429(await second.send(batch(2)))
    const other = await openPeer(newVisitor(stage))
    expect((await other.send(batch(64))).status).toBe(200)
    await register(second)
    expectFlat429(await first.send(batch(64)))
    expect((await second.send(batch(64))).status).toBe(200)
  })

  test('a session_id that is no text is refused', async () => {
    const peer = await openPeer(newVisitor(stage))
    for (const sessionId of [5, null, {}, ['x']])
      expect(resultOf(await peer.call('get_status', { session_id: sessionId }))).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'invalid_payload' } },
      })
  })

  test('an MCP body is limited to 16 KiB before login and 512 KiB after it', async () => {
    const visitor = newVisitor(stage)
    const ping = (bytes: number) => padded(bytes, (x) => rpc('ping', { x })) as unknown as object
    const [stranger, player] = [await openPeer(visitor), await openPeer(visitor)]
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
      expect((await visitor.post(path, body(16 * KIB))).status).not.toBe(413)
      expect(await visitor.post(path, body(16 * KIB + 1))).toMatchObject({
        status: 413,
        body: { error: { code: 'payload_too_large' } },
      })
    }
  })

  test('metrics under an unknown host name need the token', async () => {
    const get = (host: string, extra: Record<string, string> = {}) =>
      rawGet(`${stage.server.url}/metrics`, { host, ...extra })
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
