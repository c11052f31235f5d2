/**
 * Lines of the checklist "WebSocket and HTTP" (RELIABILITY 6), each provoked on a real server, with
 * both socket libraries. The other lines are tested elsewhere:
 *
 * | line                                                          | test                          |
 * | ------------------------------------------------------------- | ----------------------------- |
 * | authorization on every command; same answer to both mistakes  | ./sessions.ts                 |
 * | connections, floods, attempts, time-outs, addresses           | ./limits.test.ts              |
 * | limits by player                                              | ./player-limits.ts            |
 * | secrets, log lines, SQL                                       | ./secrets.test.ts             |
 * | catalogue and OpenAPI once a minute                           | ../documents.test.ts          |
 * | the server's role may only read and write rows                | ../storage-embedded.test.ts   |
 * | breaches of RFC 6455, JSON traps in every field, odd requests | ../../fuzz/cases.test.ts      |
 * | slow readers, half-open sockets                               | ../../fault, ../../unit/net   |
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { frameOf, handshake, openRaw, type Raw, TEXT } from '../../fuzz/raw.ts'
import { request } from '../wire.ts'
import { testSessions } from './sessions.ts'
import {
  enter,
  LIBRARIES,
  logIn,
  newVisitor,
  ORIGINS,
  openStage,
  rawGet,
  type Stage,
} from './stage.ts'

const KIB = 1024
const STATUS = '/api/v1/get_status'

/** Makes a JSON object of exactly this many bytes. */
const objectOf = (bytes: number, rest = '{"type":"get_version"'): string =>
  `${rest},"x":"${'x'.repeat(bytes - rest.length - 8)}"}`

/** Makes an object around this many nested lists. */
const nested = (depth: number): string =>
  `{"type":"get_version","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

async function readUntil(raw: Raw, condition: (text: string) => boolean): Promise<string> {
  await raw.until((got) => condition(got.toString('latin1')))
  return raw.received().toString('latin1')
}

const hasHead = (text: string): boolean => text.includes('\r\n\r\n')

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(() => database.close())

describe.each(LIBRARIES)('with the %s library', (library) => {
  let stage: Stage
  /** Started before all tests, so that they do not wait for it. */
  let slow: Promise<void>
  beforeAll(async () => {
    stage = await openStage(library, database, { METRICS_TOKEN: 'let-me-see' })
    slow = sendSlowly(stage.server.port)
  })
  afterAll(() => stage.close())

  test('an Origin header must match ALLOWED_ORIGINS exactly', async () => {
    const visitor = newVisitor(stage)
    const refused = [
      'null',
      'https://play.example.evil.example',
      'https://evilplay.example',
      'https://evil.example/https://play.example',
      'https://play.example@evil.example',
      'https://PLAY.example',
      'HTTPS://play.example',
      'http://play.example',
      'https://play.example:443',
      'https://play.example:8443',
      'https://play.example.',
      'https://play.example/',
      'https://play.exampl',
      'http://localhost',
      'http://localhost:30000',
      'http://127.0.0.1:3000',
      'file://',
      '*',
      ORIGINS.join(', '),
    ]
    for (const origin of refused) {
      const answer = await visitor.get('/health', { origin })
      expect({ origin, status: answer.status }).toEqual({ origin, status: 403 })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      const socket = await openRaw(stage.server.port)
      socket.write(handshake('/ws', `Origin: ${origin}\r\n`))
      const head = await readUntil(socket, hasHead)
      expect({ origin, head: head.slice(9, 12) }).toEqual({ origin, head: '403' })
      socket.destroy()
    }
    const two = [...ORIGINS].reverse()
    expect((await rawGet(`${stage.server.url}/health`, { origin: two })).status).toBe(403)
    for (const origin of ORIGINS) {
      const answer = await visitor.get('/health', { origin })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('vary')).toContain('origin')
      const socket = visitor.socket('/ws/v2', { origin })
      expect((await socket.next()).type).toBe('welcome')
      socket.ws.close()
    }
    expect((await visitor.get('/health')).status).toBe(200)
    const preflight = await request(`${stage.server.url}${STATUS}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBeNull()
  })

  test('permessage-deflate is refused, and a compressed frame closes the socket', async () => {
    const offer = 'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n'
    const raw = await openRaw(stage.server.port)
    raw.write(handshake('/ws', offer))
    const head = (await readUntil(raw, hasHead)).toLowerCase()
    expect(head.slice(9, 12)).toBe('101')
    expect(head.slice(0, head.indexOf('\r\n\r\n'))).not.toContain('sec-websocket-extensions')
    raw.write(frameOf(TEXT, 'x', { rsv: 4 }))
    await raw.until(() => false)
    expect(raw.isClosed).toBe(true)
    raw.destroy()
  })

  test('a frame is limited to 16 KiB before login and 512 KiB after it, to the byte', async () => {
    const visitor = newVisitor(stage)
    const stranger = visitor.socket()
    await stranger.next()
    const player = await logIn(visitor, await enter(visitor))
    for (const [client, bound] of [
      [stranger, 16 * KIB],
      [player, 512 * KIB],
    ] as const) {
      client.send(objectOf(bound))
      expect((await client.next()).type).not.toBe('error')
      stage.clock.advance(1_000)
      client.send(objectOf(bound + 1))
      const { payload } = await client.next()
      expect(payload).toMatchObject({ code: 'payload_too_large', details: { bytes_max: bound } })
      stage.clock.advance(1_000)
      client.send({ type: 'get_version' })
      expect((await client.next()).type).not.toBe('error')
    }
    // From 1 MiB on, the library itself closes the socket.
    player.send('x'.repeat(1024 * KIB + 1))
    expect([1006, 1009]).toContain((await player.closed).code)
    stranger.ws.close()
  })

  test('a body is limited to 16 KiB before login and 512 KiB after it', async () => {
    const visitor = newVisitor(stage)
    const header = { 'x-session-id': (await enter(visitor)).session }
    const fresh = (await visitor.post('/api/v1/session')).body.session as { id: string }
    for (const [own, bound] of [
      [{ 'x-session-id': fresh.id }, 16 * KIB],
      [header, 512 * KIB],
    ] as const) {
      const expected = bound === 16 * KIB ? 401 : 200
      expect((await visitor.post(STATUS, objectOf(bound), own)).status).toBe(expected)
      stage.clock.advance(1_000)
      const large = await visitor.post(STATUS, objectOf(bound + 1), own)
      expect(large).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } })
      stage.clock.advance(1_000)
      const raw = await openRaw(stage.server.port)
      const head = `POST ${STATUS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n`
      raw.write(`${head}X-Session-Id: ${own['x-session-id']}\r\n\r\n`)
      const chunk = 'x'.repeat(8 * KIB)
      for (let sent = 0; sent <= bound; sent += chunk.length)
        raw.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      // The answer comes before the end of the body.
      expect((await readUntil(raw, hasHead)).slice(9, 12)).toBe('413')
      raw.destroy()
    }
  })

  test('a connection may send 1 MiB a second, without effect on others', async () => {
    const visitor = newVisitor(stage)
    const [account, other] = [await enter(visitor), await enter(visitor)]
    const [first, second] = [await logIn(visitor, account), await logIn(visitor, other)]
    const half = objectOf(512 * KIB)
    stage.clock.advance(1_000)
    for (const text of [half, half]) {
      first.send(text)
      expect((await first.next()).type).not.toBe('error')
    }
    // Another 1 MiB waits, and what exceeds it is refused.
    for (const text of [half, half, { type: 'get_version' }]) first.send(text)
    expect((await first.next()).payload).toMatchObject({ code: 'rate_limited', wait_seconds: 1 })
    second.send(half)
    expect((await second.next()).type).not.toBe('error')
    stage.clock.advance(1_000)
    for (let i = 0; i < 2; i++) expect((await first.next()).type).not.toBe('error')
    const header = { 'x-session-id': account.session }
    const statuses: number[] = []
    for (const body of [half, half, '{}'])
      statuses.push((await visitor.post(STATUS, body, header)).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await visitor.post(STATUS, half, { 'x-session-id': other.session })).status).toBe(200)
    stage.clock.advance(1_000)
    first.send(half)
    expect((await first.next()).type).not.toBe('error')
    expect((await visitor.post(STATUS, half, header)).status).toBe(200)
    first.ws.close()
    second.ws.close()
  })

  test('only JSON nested at most 32 deep is read, and it cannot pollute prototypes', async () => {
    const visitor = newVisitor(stage)
    const client = visitor.socket()
    await client.next()
    const codeOf = async (message: string | Buffer): Promise<unknown> => {
      client.ws.send(message)
      return (await client.next()).payload.code
    }
    expect(await codeOf(nested(32))).toBeUndefined()
    for (const message of [nested(33), nested(8_000), Buffer.from('{"type":"get_version"}')])
      expect(await codeOf(message)).toBe('invalid_json')
    const header = { 'x-session-id': (await enter(visitor)).session }
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const text = `{"${key}":{"polluted":1,"prototype":{"polluted":1}},"type":"get_version"}`
      await codeOf(text)
      await visitor.post(STATUS, text, header)
      await visitor.post('/api/v1/set_status', `{"status_message":"x",${text.slice(1)}`, header)
      await visitor.post('/mcp', `{"jsonrpc":"2.0","id":1,"method":"ping",${text.slice(1)}`)
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((await visitor.post(STATUS, {}, header)).status).toBe(200)
    client.ws.close()
  })

  test('a socket closes after 30 s without a login or 60 s of silence', async () => {
    const visitor = newVisitor(stage)
    const stranger = visitor.socket()
    await stranger.next()
    const player = await logIn(visitor, await enter(visitor))
    // Sweeps of 2 s stand in for time: 15 reach the 30 s, 31 more pass the 60 s.
    for (let i = 0; i < 15; i++) stage.server.net.sweep(2_000)
    expect(await stranger.closed).toEqual({ code: 4002, reason: 'auth_timeout' })
    expect(player.ws.readyState).toBe(player.ws.OPEN)
    for (let i = 0; i < 31; i++) stage.server.net.sweep(2_000)
    expect((await player.closed).code).toBe(1000)
  })

  test('a head that is too long or has too many lines is refused or cut off', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `X-${i}: 1\r\n`).join('')
    for (const headers of [`X-Long: ${'x'.repeat(200_000)}\r\n`, lines]) {
      for (const path of ['/ws', '/health']) {
        const raw = await openRaw(stage.server.port)
        const upgrade = handshake(path, headers)
        const plain = `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
        raw.write(path === '/ws' ? upgrade : plain)
        await raw.until(hasAnything)
        const first = raw.isClosed ? 'an end' : raw.received().toString()
        expect(first).toMatch(/^(an end|HTTP\/1\.1 4)/)
        raw.destroy()
      }
    }
    expect((await newVisitor(stage).get('/health')).status).toBe(200)
  })

  test('answers forbid sniffing and caching, and reveal no internals', async () => {
    const visitor = newVisitor(stage)
    const invalid = await visitor.post('/api/v1/register', {
      username: 7,
      empire: {},
      registration_code: '',
    })
    const header = { 'x-session-id': (await enter(visitor)).session }
    const answers = [
      invalid,
      await visitor.post('/api/v1/session'),
      await visitor.post('/api/v1/login', { username: 'a', password: ['s3cret-of-a-client'] }),
      await visitor.post('/api/v2/game_auth/login', '{"password":"s3cret-of-a-client",'),
      await visitor.post(STATUS, {}, header),
      await visitor.post('/api/v1/travel', { target_poi: 7 }, header),
      await visitor.get('/nowhere'),
      await visitor.get('/api/v1/%zz%00'),
      await visitor.get('/api/player/1', { authorization: 'Bearer s3cret-of-a-client' }),
      await visitor.get('/metrics', { authorization: 'Bearer s3cret-of-a-client' }),
      await visitor.post('/mcp', 's3cret-of-a-client'),
    ]
    // The explorer is the same for everyone and may be cached.
    const page = await visitor.get('/api/docs')
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store')
    for (const { headers, text } of [...answers, page]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(text).not.toMatch(
        /s3cret-of-a-client|node_modules|\.[jt]s:\d+|at .*\(.*:\d+:\d+\)|postgres/,
      )
    }
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('metrics need the token or a local client that is no browser', async () => {
    const { url } = stage.server
    const get = (headers: Record<string, string>) => rawGet(`${url}/metrics`, headers)
    expect((await get({ authorization: 'Bearer let-me-see' })).status).toBe(200)
    expect((await get({})).status).toBe(200)
    const others: Record<string, string>[] = [
      { 'x-forwarded-for': '198.51.100.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { origin: ORIGINS[0] },
      { 'x-forwarded-for': '198.51.100.1', authorization: 'Bearer let-me-se' },
      { 'x-forwarded-for': '198.51.100.1', authorization: 'Bearer let-me-see-' },
      { 'x-forwarded-for': '198.51.100.1', authorization: 'let-me-see' },
    ]
    for (const headers of others) {
      const { status, text } = await get(headers)
      expect({ headers, status }).toEqual({ headers, status: 401 })
      expect(text).not.toContain('let-me-see')
      expect(text).toContain('METRICS_TOKEN')
    }
  })

  // What does not depend on the library is tested with one of them.
  if (library === 'native') testSessions(() => stage)

  test('handshakes, heads and bodies sent a byte at a time are ended by a timeout', async () => {
    await slow
    expect((await newVisitor(stage).get('/health')).status).toBe(200)
  })
})

/** Opens connections that send a byte a second; resolves once the server has ended them all. */
async function sendSlowly(port: number): Promise<void> {
  const starts = [
    '',
    'GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: web',
    'POST /api/v1/session HTTP/1.1\r\nX-A: ',
    'POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n',
  ]
  const raws = await Promise.all(starts.map(() => openRaw(port)))
  for (const [i, raw] of raws.entries()) if (starts[i]) raw.write(starts[i])
  const timer = setInterval(() => {
    for (const raw of raws.slice(1)) if (!raw.isClosed) raw.write('b')
  }, 1_000)
  await Promise.all(raws.map((raw) => raw.until(() => false)))
  clearInterval(timer)
  for (const raw of raws) raw.destroy()
}

const hasAnything = (got: Buffer): boolean => got.length > 0
