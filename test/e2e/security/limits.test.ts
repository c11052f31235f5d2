/**
 * The limits per IP address of accounts.md section 10, on a real server with both socket libraries.
 * ../documents.test.ts tests those of documents, ./player-limits.ts those per player.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import { PUBLIC_ROWS } from '../../../net/public/table.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { newPlayer } from '../wire.ts'
import { testPlayerLimits } from './player-limits.ts'
import {
  enter,
  expectFlat429,
  expectLimited,
  LIBRARIES,
  logIn,
  newAddress,
  newVisitor,
  nextOf,
  openStage,
  rawGet,
  type Stage,
  type Visitor,
} from './stage.ts'

const SESSION = '/api/v1/session'
/** Paths that share the bucket `public`. */
const OPEN = [
  '/api/docs',
  ...PUBLIC_ROWS.flatMap((row) => (row.bucket === 'public' ? row.path : [])),
]
const MINUTE_MS = 60_000
const WRONG = { username: 'Nobody Here', password: 'no' }

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(() => database.close())

describe.each(LIBRARIES)('with the %s library', (library) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(library, database)
  })
  afterAll(() => stage.close())

  /** Creates sessions until a time-out begins; returns its length in minutes. */
  async function abuse(visitor: Visitor): Promise<number> {
    for (let i = 0; i < 100; i++) {
      const { status, body } = await visitor.post(SESSION)
      const wait = Number(body.retry_after)
      if (status === 429 && wait > 60) return wait / 60
    }
    return 0
  }

  test('new sessions, registrations and logins are limited to 30 a minute together', async () => {
    const visitor = newVisitor(stage)
    const socket = visitor.socket('/ws/v2')
    await socket.next()
    const ask = async (action: string, payload: object): Promise<Params> => {
      socket.send({ tool: 'game_auth', action, payload })
      return (await socket.next()).payload
    }
    const attempts = [
      () => visitor.post(SESSION),
      () => visitor.post('/api/v2/session'),
      () => visitor.post('/api/v1/login_link'),
      () => visitor.post('/api/v2/game_auth/register', newPlayer('x')),
      () => visitor.post('/api/v1/login', WRONG),
      () => visitor.post('/api/v2/game_auth/login_token', { token: 'no' }),
    ]
    for (let i = 0; i < 28; i++) expect((await attempts[i % 3]()).status).toBe(200)
    expect((await attempts[3]()).body.error).toMatchObject({ code: 'invalid_username' })
    // The thirtieth attempt, over a socket.
    expect(await ask('login', WRONG)).toMatchObject({ code: 'invalid_credentials' })
    for (const attempt of attempts) expectLimited(await attempt())
    for (const [action, payload] of [
      ['login', WRONG],
      ['register', newPlayer()],
      ['login_token', { token: 'x' }],
      ['login_link', {}],
    ] as const)
      expect(await ask(action, payload)).toMatchObject({ code: 'rate_limited', wait_seconds: 60 })
    expect((await newVisitor(stage).post(SESSION)).status).toBe(200)
    stage.clock.advance(MINUTE_MS)
    expect((await visitor.post(SESSION)).status).toBe(200)
    socket.ws.close()
  })

  test('fifty refusals in a minute cause time-outs that double from 2 to 30 minutes', async () => {
    const visitor = newVisitor(stage)
    const minutes: number[] = []
    const expected = library === 'native' ? [2, 4, 8, 16, 30, 30] : [2, 4]
    while (minutes.length < expected.length) {
      const length = await abuse(visitor)
      minutes.push(length)
      stage.clock.advance((length - 1) * MINUTE_MS)
      // Further attempts neither lengthen the time-out nor raise the length of the next one.
      for (let i = 0; i < 3; i++)
        expect(await visitor.post(SESSION)).toMatchObject({
          status: 429,
          body: { retry_after: 60 },
        })
      stage.clock.advance(MINUTE_MS)
    }
    expect(minutes).toEqual(expected)
    expect((await visitor.post(SESSION)).status).toBe(200)
    stage.clock.advance(30 * MINUTE_MS)
    expect(await abuse(visitor)).toBe(2)
  })

  test('a time-out refuses requests and new sockets, but open ones still get events', async () => {
    const visitor = newVisitor(stage)
    const account = await enter(visitor)
    const live = await logIn(visitor, account)
    expect(await abuse(visitor)).toBe(2)
    stage.clock.advance(500)
    const header = { 'x-session-id': account.session }
    const refused = [
      await visitor.post(SESSION),
      await visitor.post('/api/v1/get_status', {}, header),
      await visitor.post('/api/v2/game/help'),
      await visitor.post('/mcp', {}),
      ...(await Promise.all(
        [...OPEN, '/api/openapi.json', '/api/catalog.json', '/api/docs', '/api/me'].map((path) =>
          visitor.get(path),
        ),
      )),
    ]
    for (const answer of refused) {
      expectFlat429(answer)
      // The remaining 119.5 s are rounded up.
      expect(answer.body.retry_after).toBe(120)
    }
    const refusedSocket = visitor.socket()
    const retry = 'rate_limited retry_after=120'
    expect(await refusedSocket.closed).toEqual({ code: 4003, reason: retry })
    expect(refusedSocket.frames).toEqual([])
    live.send({ type: 'get_status', request_id: 'r' })
    const answer = await live.next()
    expect(answer).toMatchObject({ type: 'error', request_id: 'r' })
    expect(answer.payload).toMatchObject({ code: 'ip_timed_out', wait_seconds: 120 })
    const other = newVisitor(stage)
    const speaker = { 'x-session-id': (await enter(other)).session }
    const message = { channel: 'local', content: 'Anybody there?' }
    expect((await other.post('/api/v1/chat', message, speaker)).status).toBe(200)
    expect(await nextOf(live, 'chat_message')).toMatchObject({ content: message.content })
    expect((await visitor.get('/health')).status).toBe(200)
    stage.clock.advance(2 * MINUTE_MS)
    live.send({ type: 'get_status' })
    expect((await live.next()).type).toBe('ok')
    live.ws.close()
  })

  test('an IP address may fail 10 logins a minute with one name', async () => {
    const visitor = newVisitor(stage)
    const account = await enter(visitor)
    const { username, password } = account
    const wrong = { username, password: 'f'.repeat(64) }
    for (let i = 0; i < 10; i++) {
      const path = ['/api/v1/login', '/api/v2/game_auth/login'][i % 2]
      const { body } = await visitor.post(path, wrong)
      expect(body.error).toMatchObject({ code: 'invalid_credentials' })
    }
    const refused = await visitor.post('/api/v1/login', { username, password })
    expectLimited(refused)
    expect(refused.body.error).toMatchObject({
      details: { limit: 'failed_login', limit_per_min: 10, current: 10 },
    })
    // Other players at that address, and the player at another address, are not affected.
    expect((await visitor.post('/api/v1/login', WRONG)).body.error).toMatchObject({
      code: 'invalid_credentials',
    })
    expect((await newVisitor(stage).post('/api/v1/login', { username, password })).status).toBe(200)
    stage.clock.advance(MINUTE_MS)
    expect((await visitor.post('/api/v1/login', { username, password })).status).toBe(200)
    // Guesses of registration codes count for the player who makes them.
    const header = { 'x-session-id': account.session }
    const claim = () => visitor.post('/api/v1/claim', { registration_code: 'x' }, header)
    for (let i = 0; i < 10; i++)
      expect((await claim()).body.error).toMatchObject({ code: 'invalid_registration_code' })
    expectLimited(await claim())
  })

  test('failed logins from many addresses slow down a name but never block it', async () => {
    const { username, password } = await enter(newVisitor(stage))
    for (let i = 0; i < 30; i++) {
      const { body } = await newVisitor(stage).post('/api/v1/login', { ...WRONG, username })
      expect(body.error).toMatchObject({ code: 'invalid_credentials' })
    }
    const startedMs = performance.now()
    expect((await newVisitor(stage).post('/api/v1/login', { username, password })).status).toBe(200)
    expect(performance.now() - startedMs).toBeGreaterThan(1_900)
  })

  test('an IP address may open 100 sockets a minute before they are closed with 4003', async () => {
    const visitor = newVisitor(stage)
    const open = Array.from({ length: 100 }, (_, i) => visitor.socket(i % 2 ? '/ws' : '/ws/v2'))
    await Promise.all(open.map((client) => client.next()))
    stage.clock.advance(100)
    const refused = visitor.socket()
    expect(await refused.closed).toEqual({ code: 4003, reason: 'rate_limited retry_after=60' })
    for (const client of open) client.ws.terminate()
    expect((await newVisitor(stage).socket().next()).type).toBe('welcome')
  })

  test('public data, explorers and account endpoints share 60 requests a minute', async () => {
    const visitor = newVisitor(stage)
    for (let i = 0; i < 60; i++)
      expect((await visitor.get(['/api/forum', '/api/me'][i % 2])).status).not.toBe(429)
    for (const path of [...OPEN, '/api/docs', '/api/v2/docs', '/api/me'])
      expectFlat429(await visitor.get(path))
    expect((await visitor.post(SESSION)).status).toBe(200)
  })

  /** Makes a download that is limited to one a minute; tells whether the address had already. */
  async function isKnown(forwarded: string | string[] | undefined): Promise<boolean> {
    const headers: Record<string, string | string[]> = { 'if-none-match': '*' }
    if (forwarded !== undefined) headers['x-forwarded-for'] = forwarded
    return (await rawGet(`${stage.server.url}/api/catalog.json`, headers)).status === 429
  }

  test('IPv6 addresses count by their /64 prefix, and mapped IPv4 addresses as IPv4', async () => {
    expect(await isKnown('2001:db8:0:1::1')).toBe(false)
    expect(await isKnown('2001:DB8:0:1:ffff:ffff:ffff:ffff')).toBe(true)
    expect(await isKnown('2001:db8:0:2::1')).toBe(false)
    const plain = newAddress()
    expect(await isKnown(plain)).toBe(false)
    expect(await isKnown(`::ffff:${plain}`)).toBe(true)
    expect(await isKnown(`[2001:db8:0:1::2]:4711`)).toBe(true)
  })

  test('the IP address of a client is the one that the last trusted proxy names', async () => {
    const [real, spoofed] = [newAddress(), newAddress()]
    expect(await isKnown(real)).toBe(false)
    expect(await isKnown(`${spoofed}, ${real}`)).toBe(true)
    // The proxy may also add a header line of its own.
    expect(await isKnown([spoofed, real])).toBe(true)
    expect(await isKnown(spoofed)).toBe(false)
    // Without a valid last address, the socket's own address counts in each of these cases.
    expect(await isKnown(undefined)).toBe(false)
    for (const invalid of ['', 'unknown', `${newAddress()}, nonsense`, `${newAddress()},`])
      expect(await isKnown(invalid)).toBe(true)
    const { config } = stage.server.net.net
    Object.assign(config, { trustedProxies: 2 })
    expect(await isKnown(`${newAddress()}`)).toBe(true)
    expect(await isKnown(`${real}, ${newAddress()}`)).toBe(true)
    Object.assign(config, { trustedProxies: 0 })
    expect(await isKnown(newAddress())).toBe(true)
    Object.assign(config, { trustedProxies: 1 })
  })

  test('a socket counts for the forwarded address, on whichever header line it is', async () => {
    const visitor = newVisitor(stage)
    expect(await abuse(visitor)).toBe(2)
    const { ip } = visitor
    for (const forwarded of [ip, `${newAddress()}, ${ip}`, [newAddress(), ip]]) {
      const headers = { 'x-forwarded-for': forwarded } as unknown as Record<string, string>
      expect((await visitor.socket('/ws', headers).closed).code).toBe(4003)
    }
  })

  // What does not depend on the library is tested with one of them.
  if (library === 'native') {
    testPlayerLimits(() => stage)

    test('a socket without a login may send 300 frames at once and 100 a second', async () => {
      const visitor = newVisitor(stage)
      const client = visitor.socket()
      await client.next()
      for (let i = 0; i < 301; i++) client.send({ type: 'get_version' })
      const burst = []
      for (let i = 0; i < 301; i++) burst.push(await client.next())
      const refused = burst.filter(({ type }) => type === 'error')
      expect(refused).toMatchObject([{ payload: { code: 'rate_limited', wait_seconds: 1 } }])
      stage.clock.advance(1_000)
      for (let i = 0; i < 101; i++) client.send('x')
      for (let i = 0; i < 100; i++) expect((await client.next()).payload.code).toBe('invalid_json')
      expect((await client.next()).payload.code).toBe('rate_limited')
      // 10,000 refusals in a row close the socket: one came above, one more follows these. Each 500
      // frames wait for their answers, so that no full queue closes the socket instead.
      for (let i = 0; i < 9_998; i++) {
        client.send('{')
        if (i % 500 === 499) while (client.frames.length < 403 + i) await client.next()
      }
      expect(client.ws.readyState).toBe(client.ws.OPEN)
      client.send('{')
      expect(await client.closed).toEqual({ code: 4003, reason: 'rate_limited retry_after=1' })
    })

    test('a player may send 300 frames at once, and further ones wait', async () => {
      const visitor = newVisitor(stage)
      const socket = await logIn(visitor, await enter(visitor))
      stage.clock.advance(10_000)
      for (let i = 0; i < 400; i++) socket.send({ type: 'get_version', request_id: `${i}` })
      const ids: unknown[] = []
      const take = async (count: number): Promise<void> => {
        for (let i = 0; i < count; i++) {
          const { type, request_id } = await socket.next()
          expect(type).toBe('ok')
          ids.push(request_id)
        }
      }
      await take(300)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(socket.frames.slice(-1)).toMatchObject([{ request_id: '299' }])
      stage.clock.advance(500)
      await take(50)
      stage.clock.advance(500)
      await take(50)
      expect(ids).toEqual(Array.from({ length: 400 }, (_, i) => `${i}`))
      // The number of waiting frames is limited too.
      for (let i = 0; i < 1_401; i++) socket.send({ type: 'get_version' })
      let refused = 0
      while (refused === 0) {
        const { type, payload } = await socket.next()
        if (type === 'error') refused += Number(payload.code === 'rate_limited')
      }
      socket.ws.close()
    })

    test('a session may send 300 requests at once, and made-up ids are limited', async () => {
      const visitor = newVisitor(stage)
      const { session } = await enter(visitor)
      const header = { 'x-session-id': session }
      const status = '/api/v1/get_status'
      stage.clock.advance(10_000)
      const startedMs = performance.now()
      for (let i = 0; i < 6; i++) {
        const answers = Array.from({ length: 60 }, () => visitor.post(status, {}, header))
        for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
      }
      expect(performance.now() - startedMs).toBeGreaterThan(500)
      const stranger = newVisitor(stage)
      for (let i = 0; i < 300; i++) {
        const madeUp = { 'x-session-id': `made-up-${i}` }
        expect((await stranger.post(status, {}, madeUp)).status).toBe(401)
      }
      expectLimited(await stranger.post(status, {}, { 'x-session-id': 'another' }))
    })

    test('an IP address may poll device links 240 times a minute', async () => {
      const visitor = newVisitor(stage)
      const socket = visitor.socket()
      await socket.next()
      const payload = { device_code: 'f'.repeat(64) }
      const codes = new Set<unknown>()
      for (let i = 0; i < 241; i++) {
        if (i === 150) stage.clock.advance(1_000)
        socket.send({ type: 'login_link_poll', payload })
        codes.add((await socket.next()).payload.code)
      }
      expect([...codes]).toEqual(['expired_token', 'rate_limited'])
      socket.ws.close()
    })
  }
})
