/**
 * The limits of accounts.md section 10 by address, on the wire of a real server, with both socket
 * libraries. Documents once a minute: ../documents.test.ts. Those by player: ./player-limits.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import { PUBLIC_ROWS } from '../../../net/public/table.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { newPlayer } from '../wire.ts'
import { testPlayerLimits } from './player-limits.ts'
import {
  bare,
  enter,
  expectFlat429,
  expectLimited,
  LIBRARIES,
  logIn,
  newAddress,
  nextOf,
  openStage,
  type Stage,
  type Visitor,
  visitor,
} from './stage.ts'

const SESSION = '/api/v1/session'
/** Addresses of the bucket `public`. */
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

  /** Sends attempts that are refused until a time-out begins; returns its length in minutes. */
  async function abuse(who: Visitor): Promise<number> {
    for (let i = 0; i < 100; i++) {
      const { status, body } = await who.post(SESSION)
      const wait = Number(body.retry_after)
      if (status === 429 && wait > 60) return wait / 60
    }
    return 0
  }

  test('session creation, register, login, login_link and login_token: 30 a minute together', async () => {
    const who = visitor(stage)
    const socket = who.socket('/ws/v2')
    await socket.next()
    const ask = async (action: string, payload: object): Promise<Params> => {
      socket.send({ tool: 'game_auth', action, payload })
      return (await socket.next()).payload
    }
    const passed = [
      () => who.post(SESSION),
      () => who.post('/api/v2/session'),
      () => who.post('/api/v1/login_link'),
      () => who.post('/api/v2/game_auth/register', newPlayer('x')),
      () => who.post('/api/v1/login', WRONG),
      () => who.post('/api/v2/game_auth/login_token', { token: 'no' }),
    ]
    for (let i = 0; i < 28; i++) expect((await passed[i % 3]()).status).toBe(200)
    expect((await passed[3]()).body.error).toMatchObject({ code: 'invalid_username' })
    expect(await ask('login', WRONG)).toMatchObject({ code: 'invalid_credentials' })
    // That was the thirtieth.
    for (const attempt of passed) expectLimited(await attempt())
    for (const [action, payload] of [
      ['login', WRONG],
      ['register', newPlayer()],
      ['login_token', { token: 'x' }],
      ['login_link', {}],
    ] as const)
      expect(await ask(action, payload)).toMatchObject({ code: 'rate_limited', wait_seconds: 60 })
    expect((await visitor(stage).post(SESSION)).status).toBe(200)
    stage.clock.advance(MINUTE_MS)
    expect((await who.post(SESSION)).status).toBe(200)
    socket.ws.close()
  })

  test('fifty refusals a minute: time-outs of 2, 4, 8, 16, 30, 30 minutes, which do not grow', async () => {
    const who = visitor(stage)
    const minutes: number[] = []
    const expected = library === 'native' ? [2, 4, 8, 16, 30, 30] : [2, 4]
    while (minutes.length < expected.length) {
      const length = await abuse(who)
      minutes.push(length)
      stage.clock.advance((length - 1) * MINUTE_MS)
      // Further attempts do not lengthen it, and keep the level.
      for (let i = 0; i < 3; i++)
        expect(await who.post(SESSION)).toMatchObject({ status: 429, body: { retry_after: 60 } })
      stage.clock.advance(MINUTE_MS)
    }
    expect(minutes).toEqual(expected)
    expect((await who.post(SESSION)).status).toBe(200)
    stage.clock.advance(30 * MINUTE_MS)
    expect(await abuse(who)).toBe(2)
  })

  test('in a time-out: 429, new sockets 4003, live ones ip_timed_out but open and sent events', async () => {
    const who = visitor(stage)
    const account = await enter(who)
    const live = await logIn(who, account)
    expect(await abuse(who)).toBe(2)
    stage.clock.advance(500)
    const header = { 'x-session-id': account.session }
    const shut = [
      await who.post(SESSION),
      await who.post('/api/v1/get_status', {}, header),
      await who.post('/api/v2/game/help'),
      await who.post('/mcp', {}),
      ...(await Promise.all(
        [...OPEN, '/api/openapi.json', '/api/catalog.json', '/api/docs', '/api/me'].map((path) =>
          who.get(path),
        ),
      )),
    ]
    for (const answer of shut) {
      expectFlat429(answer)
      // 119.5 s, in whole seconds.
      expect(answer.body.retry_after).toBe(120)
    }
    const turned = who.socket()
    const retry = 'rate_limited retry_after=120'
    expect(await turned.closed).toEqual({ code: 4003, reason: retry })
    expect(turned.frames).toEqual([])
    live.send({ type: 'get_status', request_id: 'r' })
    const answer = await live.next()
    expect(answer).toMatchObject({ type: 'error', request_id: 'r' })
    expect(answer.payload).toMatchObject({ code: 'ip_timed_out', wait_seconds: 120 })
    const other = visitor(stage)
    const speaker = { 'x-session-id': (await enter(other)).session }
    const said = { channel: 'local', content: 'Anybody there?' }
    expect((await other.post('/api/v1/chat', said, speaker)).status).toBe(200)
    expect(await nextOf(live, 'chat_message')).toMatchObject({ content: said.content })
    expect((await who.get('/health')).status).toBe(200)
    stage.clock.advance(2 * MINUTE_MS)
    live.send({ type: 'get_status' })
    expect((await live.next()).type).toBe('ok')
    live.ws.close()
  })

  test('failed logins: 10 a minute with one name, which leaves others of the address alone', async () => {
    const who = visitor(stage)
    const account = await enter(who)
    const { username, password } = account
    const wrong = { username, password: 'f'.repeat(64) }
    for (let i = 0; i < 10; i++) {
      const { body } = await who.post(['/api/v1/login', '/api/v2/game_auth/login'][i % 2], wrong)
      expect(body.error).toMatchObject({ code: 'invalid_credentials' })
    }
    const refused = await who.post('/api/v1/login', { username, password })
    expectLimited(refused)
    expect(refused.body.error).toMatchObject({
      details: { limit: 'failed_login', limit_per_min: 10, current: 10 },
    })
    // Other players at that address, and the owner elsewhere, are not affected.
    expect((await who.post('/api/v1/login', WRONG)).body.error).toMatchObject({
      code: 'invalid_credentials',
    })
    expect((await visitor(stage).post('/api/v1/login', { username, password })).status).toBe(200)
    stage.clock.advance(MINUTE_MS)
    expect((await who.post('/api/v1/login', { username, password })).status).toBe(200)
    // Guesses of codes count for the player who makes them.
    const header = { 'x-session-id': account.session }
    const claim = () => who.post('/api/v1/claim', { registration_code: 'x' }, header)
    for (let i = 0; i < 10; i++)
      expect((await claim()).body.error).toMatchObject({ code: 'invalid_registration_code' })
    expectLimited(await claim())
  })

  test('a name that many fail at is slowed, its owner as well, and never shut', async () => {
    const { username, password } = await enter(visitor(stage))
    for (let i = 0; i < 30; i++) {
      const { body } = await visitor(stage).post('/api/v1/login', { ...WRONG, username })
      expect(body.error).toMatchObject({ code: 'invalid_credentials' })
    }
    const startedMs = performance.now()
    expect((await visitor(stage).post('/api/v1/login', { username, password })).status).toBe(200)
    expect(performance.now() - startedMs).toBeGreaterThan(1_900)
  })

  test('new sockets: 100 a minute, then 4003 with the wait', async () => {
    const who = visitor(stage)
    const open = Array.from({ length: 100 }, (_, i) => who.socket(i % 2 ? '/ws' : '/ws/v2'))
    await Promise.all(open.map((client) => client.next()))
    stage.clock.advance(100)
    const turned = who.socket()
    expect(await turned.closed).toEqual({ code: 4003, reason: 'rate_limited retry_after=60' })
    for (const client of open) client.ws.terminate()
    expect((await visitor(stage).socket().next()).type).toBe('welcome')
  })

  test('public data, explorers and account endpoints: 60 a minute together', async () => {
    const who = visitor(stage)
    for (let i = 0; i < 60; i++)
      expect((await who.get(['/api/forum', '/api/me'][i % 2])).status).not.toBe(429)
    for (const path of [...OPEN, '/api/docs', '/api/v2/docs', '/api/me'])
      expectFlat429(await who.get(path))
    expect((await who.post(SESSION)).status).toBe(200)
  })

  /** Takes the one download of a minute; true when the address had it already. */
  async function isKnown(forwarded: string | string[] | undefined): Promise<boolean> {
    const headers: Record<string, string | string[]> = { 'if-none-match': '*' }
    if (forwarded !== undefined) headers['x-forwarded-for'] = forwarded
    return (await bare(`${stage.server.url}/api/catalog.json`, headers)).status === 429
  }

  test('IPv6 counts by /64; an IPv4 address is the same in IPv6 clothes', async () => {
    expect(await isKnown('2001:db8:0:1::1')).toBe(false)
    expect(await isKnown('2001:DB8:0:1:ffff:ffff:ffff:ffff')).toBe(true)
    expect(await isKnown('2001:db8:0:2::1')).toBe(false)
    const plain = newAddress()
    expect(await isKnown(plain)).toBe(false)
    expect(await isKnown(`::ffff:${plain}`)).toBe(true)
    expect(await isKnown(`[2001:db8:0:1::2]:4711`)).toBe(true)
  })

  test('the client is who the last trusted proxy names, whatever the client says before', async () => {
    const [honest, lie] = [newAddress(), newAddress()]
    expect(await isKnown(honest)).toBe(false)
    expect(await isKnown(`${lie}, ${honest}`)).toBe(true)
    // A proxy that adds a line of its own.
    expect(await isKnown([lie, honest])).toBe(true)
    expect(await isKnown(lie)).toBe(false)
    // Nothing to believe: the socket's own address, for all of these.
    expect(await isKnown(undefined)).toBe(false)
    for (const nobody of ['', 'unknown', `${newAddress()}, nonsense`, `${newAddress()},`])
      expect(await isKnown(nobody)).toBe(true)
    const { config } = stage.server.net.net
    Object.assign(config, { trustedProxies: 2 })
    expect(await isKnown(`${newAddress()}`)).toBe(true)
    expect(await isKnown(`${honest}, ${newAddress()}`)).toBe(true)
    Object.assign(config, { trustedProxies: 0 })
    expect(await isKnown(newAddress())).toBe(true)
    Object.assign(config, { trustedProxies: 1 })
  })

  test('a socket counts by the same address, on whichever line a proxy writes it', async () => {
    const who = visitor(stage)
    expect(await abuse(who)).toBe(2)
    for (const forwarded of [who.ip, `${newAddress()}, ${who.ip}`, [newAddress(), who.ip]]) {
      const headers = { 'x-forwarded-for': forwarded } as unknown as Record<string, string>
      expect((await who.socket('/ws', headers).closed).code).toBe(4003)
    }
  })

  // What does not depend on the library is tried with one.
  if (library === 'native') {
    testPlayerLimits(() => stage)

    test('frames of strangers: 100 a second, 300 at once; 10,000 refusals in a row end it with 4003', async () => {
      const who = visitor(stage)
      const client = who.socket()
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
      // Counted before they are parsed; paced, so that no queue of ours is what ends it.
      for (let i = 0; i < 9_998; i++) {
        client.send('{')
        if (i % 500 === 499) while (client.frames.length < 403 + i) await client.next()
      }
      expect(client.ws.readyState).toBe(client.ws.OPEN)
      client.send('{')
      expect(await client.closed).toEqual({ code: 4003, reason: 'rate_limited retry_after=1' })
    })

    test('frames of a player: 300 at once, what comes beyond them waits for its turn', async () => {
      const who = visitor(stage)
      const socket = await logIn(who, await enter(who))
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
      // The wait has a bound too.
      for (let i = 0; i < 1_401; i++) socket.send({ type: 'get_version' })
      let refused = 0
      while (refused === 0) {
        const { type, payload } = await socket.next()
        if (type === 'error') refused += Number(payload.code === 'rate_limited')
      }
      socket.ws.close()
    })

    test('requests: 300 at once a session, then they wait; ids that are made up are refused', async () => {
      const who = visitor(stage)
      const { session } = await enter(who)
      const header = { 'x-session-id': session }
      const status = '/api/v1/get_status'
      stage.clock.advance(10_000)
      const startedMs = performance.now()
      for (let i = 0; i < 6; i++) {
        const answers = Array.from({ length: 60 }, () => who.post(status, {}, header))
        for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
      }
      expect(performance.now() - startedMs).toBeGreaterThan(500)
      const stranger = visitor(stage)
      for (let i = 0; i < 300; i++) {
        const made = { 'x-session-id': `made-up-${i}` }
        expect((await stranger.post(status, {}, made)).status).toBe(401)
      }
      expectLimited(await stranger.post(status, {}, { 'x-session-id': 'another' }))
    })

    test('polls of device links: 240 a minute', async () => {
      const who = visitor(stage)
      const socket = who.socket()
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
