/**
 * Lines of the checklist "WebSocket and HTTP" (RELIABILITY 6), each provoked on a real server, with
 * both socket libraries. Where the others stand:
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
import { bare, enter, LIBRARIES, logIn, ORIGINS, openStage, type Stage, visitor } from './stage.ts'

const KIB = 1024
const STATUS = '/api/v1/get_status'

/** Makes a JSON object of exactly this many bytes. */
const objectOf = (bytes: number, rest = '{"type":"get_version"'): string =>
  `${rest},"x":"${'x'.repeat(bytes - rest.length - 8)}"}`

/** Makes an object around this many nested lists. */
const nested = (depth: number): string =>
  `{"type":"get_version","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

async function received(raw: Raw, condition: (text: string) => boolean): Promise<string> {
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
  /** Begins at the start, so that the others do not wait for it. */
  let slow: Promise<void>
  beforeAll(async () => {
    stage = await openStage(library, database, { METRICS_TOKEN: 'let-me-see' })
    slow = dawdle(stage.server.port)
  })
  afterAll(() => stage.close())

  test('Origin, when present, matches ALLOWED_ORIGINS exactly; absent is no browser', async () => {
    const who = visitor(stage)
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
      const answer = await who.get('/health', { origin })
      expect({ origin, status: answer.status }).toEqual({ origin, status: 403 })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      const socket = await openRaw(stage.server.port)
      socket.write(handshake('/ws', `Origin: ${origin}\r\n`))
      const head = await received(socket, hasHead)
      expect({ origin, head: head.slice(9, 12) }).toEqual({ origin, head: '403' })
      socket.destroy()
    }
    const two = [...ORIGINS].reverse()
    expect((await bare(`${stage.server.url}/health`, { origin: two })).status).toBe(403)
    for (const origin of ORIGINS) {
      const answer = await who.get('/health', { origin })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('vary')).toContain('origin')
      const socket = who.socket('/ws/v2', { origin })
      expect((await socket.next()).type).toBe('welcome')
      socket.ws.close()
    }
    expect((await who.get('/health')).status).toBe(200)
    const preflight = await request(`${stage.server.url}${STATUS}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBeNull()
  })

  test('permessage-deflate is off: never agreed to, and a compressed frame ends it', async () => {
    const offer = 'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n'
    const raw = await openRaw(stage.server.port)
    raw.write(handshake('/ws', offer))
    const head = (await received(raw, hasHead)).toLowerCase()
    expect(head.slice(9, 12)).toBe('101')
    expect(head.slice(0, head.indexOf('\r\n\r\n'))).not.toContain('sec-websocket-extensions')
    raw.write(frameOf(TEXT, 'x', { rsv: 4 }))
    await raw.until(() => false)
    expect(raw.isClosed).toBe(true)
    raw.destroy()
  })

  test('frames are 16 KiB before login and 512 KiB after it, to the byte; the socket stays', async () => {
    const who = visitor(stage)
    const stranger = who.socket()
    await stranger.next()
    const player = await logIn(who, await enter(who))
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
    // The library itself cuts here.
    player.send('x'.repeat(1024 * KIB + 1))
    expect([1006, 1009]).toContain((await player.closed).code)
    stranger.ws.close()
  })

  test('bodies are 16 KiB before login and 512 KiB after it, by length and in chunks', async () => {
    const who = visitor(stage)
    const header = { 'x-session-id': (await enter(who)).session }
    const fresh = (await who.post('/api/v1/session')).body.session as { id: string }
    for (const [own, bound] of [
      [{ 'x-session-id': fresh.id }, 16 * KIB],
      [header, 512 * KIB],
    ] as const) {
      const expected = bound === 16 * KIB ? 401 : 200
      expect((await who.post(STATUS, objectOf(bound), own)).status).toBe(expected)
      stage.clock.advance(1_000)
      const large = await who.post(STATUS, objectOf(bound + 1), own)
      expect(large).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } })
      stage.clock.advance(1_000)
      const raw = await openRaw(stage.server.port)
      const head = `POST ${STATUS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n`
      raw.write(`${head}X-Session-Id: ${own['x-session-id']}\r\n\r\n`)
      const chunk = 'x'.repeat(8 * KIB)
      for (let sent = 0; sent <= bound; sent += chunk.length)
        raw.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      // Answered before the end of the body has come.
      expect((await received(raw, hasHead)).slice(9, 12)).toBe('413')
      raw.destroy()
    }
  })

  test('a connection may send 1 MiB a second; others are not affected', async () => {
    const who = visitor(stage)
    const [one, two] = [await enter(who), await enter(who)]
    const [first, second] = [await logIn(who, one), await logIn(who, two)]
    const half = objectOf(512 * KIB)
    stage.clock.advance(1_000)
    for (const text of [half, half]) {
      first.send(text)
      expect((await first.next()).type).not.toBe('error')
    }
    // As much again waits for its turn; what comes on top of it is refused.
    for (const text of [half, half, { type: 'get_version' }]) first.send(text)
    expect((await first.next()).payload).toMatchObject({ code: 'rate_limited', wait_seconds: 1 })
    second.send(half)
    expect((await second.next()).type).not.toBe('error')
    stage.clock.advance(1_000)
    for (let i = 0; i < 2; i++) expect((await first.next()).type).not.toBe('error')
    const header = { 'x-session-id': one.session }
    const statuses: number[] = []
    for (const body of [half, half, '{}'])
      statuses.push((await who.post(STATUS, body, header)).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await who.post(STATUS, half, { 'x-session-id': two.session })).status).toBe(200)
    stage.clock.advance(1_000)
    first.send(half)
    expect((await first.next()).type).not.toBe('error')
    expect((await who.post(STATUS, half, header)).status).toBe(200)
    first.ws.close()
    second.ws.close()
  })

  test('JSON alone is read at the edge, nested 32 deep at most; nothing pollutes a prototype', async () => {
    const who = visitor(stage)
    const client = who.socket()
    await client.next()
    const codeOf = async (message: string | Buffer): Promise<unknown> => {
      client.ws.send(message)
      return (await client.next()).payload.code
    }
    expect(await codeOf(nested(32))).toBeUndefined()
    for (const message of [nested(33), nested(8_000), Buffer.from('{"type":"get_version"}')])
      expect(await codeOf(message)).toBe('invalid_json')
    const header = { 'x-session-id': (await enter(who)).session }
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const text = `{"${key}":{"polluted":1,"prototype":{"polluted":1}},"type":"get_version"}`
      await codeOf(text)
      await who.post(STATUS, text, header)
      await who.post('/api/v1/set_status', `{"status_message":"x",${text.slice(1)}`, header)
      await who.post('/mcp', `{"jsonrpc":"2.0","id":1,"method":"ping",${text.slice(1)}`)
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((await who.post(STATUS, {}, header)).status).toBe(200)
    client.ws.close()
  })

  test('no login within 30 s: 4002; silence for 60 s: 1000', async () => {
    const who = visitor(stage)
    const stranger = who.socket()
    await stranger.next()
    const player = await logIn(who, await enter(who))
    for (let i = 0; i < 15; i++) stage.server.net.sweep(2_000)
    expect(await stranger.closed).toEqual({ code: 4002, reason: 'auth_timeout' })
    expect(player.ws.readyState).toBe(player.ws.OPEN)
    for (let i = 0; i < 31; i++) stage.server.net.sweep(2_000)
    expect((await player.closed).code).toBe(1000)
  })

  test('heads that are too long or too many get an error or an end, and harm nobody', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `X-${i}: 1\r\n`).join('')
    for (const more of [`X-Long: ${'x'.repeat(200_000)}\r\n`, lines]) {
      for (const path of ['/ws', '/health']) {
        const raw = await openRaw(stage.server.port)
        raw.write(
          path === '/ws' ? handshake(path, more) : `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`,
        )
        await raw.until(hasAnything)
        const first = raw.isClosed ? 'an end' : raw.received().toString()
        expect(first).toMatch(/^(an end|HTTP\/1\.1 4)/)
        raw.destroy()
      }
    }
    expect((await visitor(stage).get('/health')).status).toBe(200)
  })

  test('every answer fits its type, is not cached, and reveals no internals', async () => {
    const who = visitor(stage)
    const made = await who.post('/api/v1/register', {
      username: 7,
      empire: {},
      registration_code: '',
    })
    const header = { 'x-session-id': (await enter(who)).session }
    const answers = [
      made,
      await who.post('/api/v1/session'),
      await who.post('/api/v1/login', { username: 'a', password: ['s3cret-of-a-client'] }),
      await who.post('/api/v2/game_auth/login', '{"password":"s3cret-of-a-client",'),
      await who.post(STATUS, {}, header),
      await who.post('/api/v1/travel', { target_poi: 7 }, header),
      await who.get('/nowhere'),
      await who.get('/api/v1/%zz%00'),
      await who.get('/api/player/1', { authorization: 'Bearer s3cret-of-a-client' }),
      await who.get('/metrics', { authorization: 'Bearer s3cret-of-a-client' }),
      await who.post('/mcp', 's3cret-of-a-client'),
    ]
    // The explorer is the same for everyone, and may be kept.
    const page = await who.get('/api/docs')
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

  test('metrics are for the bearer of the token and for this machine, not for its browser', async () => {
    const { url } = stage.server
    const get = (headers: Record<string, string>) => bare(`${url}/metrics`, headers)
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
    }
  })

  // What does not depend on the library is tried with one.
  if (library === 'native') testSessions(() => stage)

  test('handshakes, heads and bodies that come a byte at a time end after some 12 s', async () => {
    await slow
    expect((await visitor(stage).get('/health')).status).toBe(200)
  })
})

/** Opens connections that say next to nothing; resolves once the server has ended them all. */
async function dawdle(port: number): Promise<void> {
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
