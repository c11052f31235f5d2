/** Both HTTP versions over real connections: sessions, envelopes, blocking, aborts, errors. */
import { request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import { SESSION_IDLE_MS } from '../../../core/limits.ts'
import { call, closeNets, LOGIN, loggedIn, post, startNet } from './http-calls.ts'

afterEach(closeNets)

const sleep = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms))

describe('sessions', () => {
  test('are made without a header, body or content type', async () => {
    const { port } = await startNet()
    const v1 = await post(port, '/api/v1/session')
    expect(v1.status).toBe(200)
    expect(v1.headers.get('content-type')).toContain('application/json')
    expect(v1.body).toMatchObject({ result: { message: expect.any(String) }, error: null })
    expect(Date.parse(v1.body.session.expires_at) - Date.parse(v1.body.session.created_at)).toBe(
      SESSION_IDLE_MS,
    )
    const v2 = await post(port, '/api/v2/session')
    expect(v2.body.result).toEqual(expect.any(String))
    expect(v2.body).not.toHaveProperty('structuredContent')
  })

  test('are refused if absent, unknown, of the other version, expired or not logged in', async () => {
    const { port, clock } = await startNet()
    const status = '/api/v2/game/get_status'
    const codeOf = async (id?: string) => {
      const { status: code, body } = await post(port, status, undefined, id)
      return [code, body.error.code]
    }
    expect(await codeOf()).toEqual([401, 'session_required'])
    expect(await codeOf('f'.repeat(64))).toEqual([401, 'session_invalid'])
    expect(await codeOf(await loggedIn(port, 'v1'))).toEqual([401, 'session_invalid'])
    const fresh = await post(port, '/api/v2/session')
    expect(await codeOf(fresh.body.session.id)).toEqual([401, 'not_authenticated'])
    const id = await loggedIn(port, 'v2')
    clock.advance(SESSION_IDLE_MS)
    expect(await codeOf(id)).toEqual([401, 'session_invalid'])
  })

  test('a login without a session makes one, unless the login fails', async () => {
    const { port, server } = await startNet()
    const bad = await post(port, '/api/v2/game_auth/login', { ...LOGIN, password: 'x' })
    expect([bad.status, bad.body.error.code]).toEqual([400, 'invalid_credentials'])
    expect(server.net.pools.pools.http2.size).toBe(0)
    const good = await post(port, '/api/v2/game_auth/login', LOGIN)
    const { id } = good.body.session
    expect(good.body.structuredContent).toMatchObject({
      session_id: id,
      username: 'ada',
      player: { id: 'id-1' },
      pending_trades: [],
      release_info: { version: 'v0.0.1' },
    })
    expect((await post(port, '/api/v2/game/get_status', {}, id)).status).toBe(200)
  })

  test('a sixth session of a player replaces the oldest', async () => {
    const { port } = await startNet()
    const ids: string[] = []
    for (let index = 0; index < 6; index++) ids.push(await loggedIn(port, 'v2'))
    const { body } = await post(port, '/api/v2/game/get_status', {}, ids[0])
    expect(body.error).toMatchObject({ code: 'session_invalid', details: { reason: 'replaced' } })
    expect((await post(port, '/api/v2/game/get_status', {}, ids[1])).status).toBe(200)
  })

  test('register answers with player and session in one body', async () => {
    const { port } = await startNet()
    const params = { username: 'eve', empire: 'solarian', registration_code: 'x' }
    const { body } = await post(port, '/api/v1/register', params)
    expect(body.result).toMatchObject({
      username: 'eve',
      empire: 'solarian',
      password: expect.stringMatching(/^[0-9a-f]{64}$/),
      player_id: 'id-3',
      player: { id: 'id-3' },
      session_id: body.session.id,
      message: expect.any(String),
    })
    const none = await post(port, '/api/v2/game_auth/register', {
      ...params,
      registration_code: '',
    })
    expect(none.body.error.code).toBe('registration_code_required')
  })

  test('logout keeps the session, but without its player', async () => {
    const { port } = await startNet()
    const id = await loggedIn(port, 'v1')
    expect((await post(port, '/api/v1/logout', {}, id)).status).toBe(200)
    const { body } = await post(port, '/api/v1/get_status', {}, id)
    expect(body.error.code).toBe('not_authenticated')
  })
})

describe('commands', () => {
  test('queries answer in the envelope of their version', async () => {
    const { port } = await startNet()
    const v1 = await post(port, '/api/v1/get_status', undefined, await loggedIn(port, 'v1'))
    expect(v1.body).toMatchObject({
      result: { action: 'get_status', player: { id: 1 } },
      notifications: [],
      session: { player_id: 'id-1' },
      error: null,
    })
    const id = await loggedIn(port, 'v2')
    const v2 = await post(port, '/api/v2/game', { action: 'get_status' }, id)
    expect(v2.body).toMatchObject({
      result: expect.any(String),
      structuredContent: { player: { id: 1 } },
      session: { id, player_id: 'id-1', created_at: expect.any(String) },
      error: null,
    })
  })

  test('a mutation blocks until its tick', async () => {
    const { port, link } = await startNet()
    const id = await loggedIn(port, 'v2')
    const pending = post(port, '/api/v2/game/sell', { item_id: 'x', quantity: 1 }, id)
    while (link.waiting() === 0) await sleep(5)
    await sleep()
    await link.step(1)
    const { body } = await pending
    expect(body.structuredContent).toEqual({
      cargo: [],
      details: { item_id: 'ore_iron', quantity: 3 },
      auto_docked: true,
    })
  })

  test('a refused mutation is a 400, and a second one meanwhile is action_pending', async () => {
    const { port, link, disk } = await startNet()
    disk.sellOutcome = fail('not_docked')
    const id = await loggedIn(port, 'v1')
    const sell = { item_id: 'x', quantity: 1 }
    const first = post(port, '/api/v1/sell', sell, id)
    while (link.waiting() === 0) await sleep(5)
    await sleep()
    const second = await post(port, '/api/v1/sell', sell, id)
    expect([second.status, second.body.error.code]).toEqual([400, 'action_pending'])
    await link.step(1)
    // The ship has docked before the refusal, so the answer reports both.
    expect(await first).toMatchObject({
      status: 400,
      body: { error: { code: 'not_docked', auto_docked: true } },
    })
  })

  test('an aborted mutation completes, and its outcome waits in the queue', async () => {
    const { port, link, server } = await startNet()
    const id = await loggedIn(port, 'v2')
    const req = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v2/game/mine',
      headers: { 'x-session-id': id },
    })
    req.on('error', () => {})
    req.end()
    while (link.waiting() === 0) await sleep(5)
    await sleep()
    req.destroy()
    const session = server.net.pools.pools.http2.get(id)
    while (session && session.inFlight > 0) await sleep(5)
    await link.step(1)
    const { body } = await post(port, '/api/v2/game/get_status', {}, id)
    expect(body.notifications).toMatchObject([
      { type: 'system', msg_type: 'action_result', data: { command: 'mine', tick: 1 } },
    ])
  })

  test('aborts at every stage of a body do no harm', async () => {
    const { port, lines } = await startNet()
    const id = await loggedIn(port, 'v2')
    // Each request sends 1 to 7 of the 20 bytes that it announces.
    for (let stage = 0; stage < 5; stage++) {
      const req = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/v2/game/get_status',
        headers: { 'x-session-id': id, 'content-length': '20' },
      })
      req.on('error', () => {})
      req.write('{"a":1}'.slice(0, stage * 2) || '{')
      await sleep(stage * 5)
      req.destroy()
    }
    await sleep()
    expect((await post(port, '/api/v2/game/get_status', {}, id)).status).toBe(200)
    expect(lines).toEqual([])
  })

  test.each([
    ['/api/v1/fly', {}, 404, 'unknown_command'],
    ['/api/v1/internal:bind', {}, 404, 'unknown_command'],
    ['/api/v2/nothing/x', {}, 404, 'unknown_tool'],
    ['/api/v2/game/fly', {}, 404, 'invalid_action'],
    ['/api/v2/game', {}, 400, 'missing_action'],
    ['/api/v2/game/sell', { action: 'mine' }, 400, 'invalid_payload'],
    ['/api/v2/game/sell', { id: 1, quantity: 1 }, 400, 'invalid_payload'],
  ])('%s %j answers %i %s', async (path, body, status, code) => {
    const { port } = await startNet()
    const id = await loggedIn(port, path.includes('/v1/') ? 'v1' : 'v2')
    const answer = await post(port, path, body, id)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect(answer.body.session.id).toBe(id)
  })

  test('a result that cannot be framed ends that exchange only', async () => {
    const { port, disk, lines } = await startNet()
    disk.statusOutcome = ok({ n: 1n })
    const id = await loggedIn(port, 'v2')
    const broken = await post(port, '/api/v2/game/get_status', {}, id)
    expect([broken.status, broken.body.error.code]).toEqual([500, 'internal_error'])
    expect(lines).toHaveLength(1)
    expect((await post(port, '/api/v2/game/get_version', {}, id)).status).toBe(200)
  })

  test('a body that looks like a refusal is only a body', async () => {
    const { port } = await startNet()
    const id = await loggedIn(port, 'v1')
    const body = { ok: false, code: 'not_found', message: 'm' }
    expect((await post(port, '/api/v1/get_status', body, id)).status).toBe(200)
  })

  test('a body must be JSON, and may be larger after the login than before', async () => {
    const { port } = await startNet()
    const bare = (body: string, id: string) =>
      call(port, '/api/v2/game/get_status', {
        method: 'POST',
        headers: { 'x-session-id': id },
        body,
      })
    const fresh = (await post(port, '/api/v2/session')).body.session.id
    const large = JSON.stringify({ a: 'x'.repeat(20_000) })
    expect((await bare(large, fresh)).status).toBe(413)
    const id = await loggedIn(port, 'v2')
    expect((await bare(large, id)).status).toBe(200)
    expect((await bare('{', id)).body.error.code).toBe('invalid_json')
    expect((await bare(JSON.stringify({ a: 'x'.repeat(600_000) }), id)).status).toBe(413)
  })
})

describe('limits and headers', () => {
  test('the 31st session attempt of a minute is a 429', async () => {
    const { port } = await startNet()
    for (let index = 0; index < 30; index++) await post(port, '/api/v2/session')
    const { status, headers, body } = await post(port, '/api/v2/session')
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe(String(body.retry_after))
    const wait = { wait_seconds: 60, retry_after: 60 }
    const details = { ...wait, limit: 'session', scope: 'ip', limit_per_min: 30, current: 30 }
    expect(body).toMatchObject({
      error: { code: 'rate_limited', message: body.message, details, ...wait },
      code: 'rate_limited',
      notifications: [],
      ...wait,
      message: expect.stringMatching(/^rate_limited \(session\): .* Retry in 60 seconds\.$/),
    })
  })

  test('session ids made up for each request do not evade the flood guard', async () => {
    const { port } = await startNet()
    const statuses = new Set<number>()
    for (let index = 0; index < 301; index++)
      statuses.add((await post(port, '/api/v1/get_status', {}, `made-up-${index}`)).status)
    expect([...statuses]).toEqual([401, 429])
    // A real session has a guard of its own.
    const id = await loggedIn(port, 'v1')
    expect((await post(port, '/api/v1/get_status', {}, id)).status).toBe(200)
  })

  test('sessions of an address without a login share a flood guard', async () => {
    const { port } = await startNet()
    const id = await loggedIn(port, 'v1')
    const ids: string[] = []
    for (let index = 0; index < 4; index++) {
      const { body } = await post(port, '/api/v1/session', {})
      ids.push(body.session.id)
    }
    const statuses = new Set<number>()
    for (let index = 0; index < 301; index++)
      statuses.add((await post(port, '/api/v1/get_status', {}, ids[index % 4])).status)
    expect([...statuses]).toEqual([401, 429])
    expect((await post(port, '/api/v1/get_status', {}, id)).status).toBe(200)
  })

  test('bodies of a session are limited to 1 MiB a second', async () => {
    const { port, clock } = await startNet()
    const id = await loggedIn(port, 'v2')
    const body = { a: 'x'.repeat(510 * 1024) }
    const statusFor = async (sent: object) =>
      (await post(port, '/api/v2/game/get_status', sent, id)).status
    const large = [await statusFor(body), await statusFor(body), await statusFor(body)]
    expect(large).toEqual([200, 200, 429])
    // The refusal asks for a wait of one second.
    clock.advance(999)
    const refused = await post(port, '/api/v2/game/get_status', {}, id)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(refused.body).toMatchObject({ result: refused.body.message, notifications: [] })
    clock.advance(1)
    const small = { a: 'x'.repeat(20_000) }
    const later = [await statusFor(body), await statusFor(body), await statusFor(small)]
    expect(later).toEqual([200, 200, 429])
  })

  test('every answer forbids content sniffing and caching', async () => {
    const { port } = await startNet({ allowedOrigins: ['https://a.example'] })
    const otherOrigin = { origin: 'https://b.example' }
    for (const answer of [
      await post(port, '/api/v1/session'),
      await post(port, '/api/v2/game/get_status'),
      await call(port, '/nowhere'),
      await call(port, '/health', { headers: otherOrigin }),
      await call(port, '/health', { method: 'PUT' }),
    ]) {
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    const file = await call(port, '/api/openapi.json')
    expect(file.headers.get('cache-control')).toBe('public, max-age=60')
  })

  test('an unknown method or path is answered in JSON', async () => {
    const { port } = await startNet()
    const wrong = await call(port, '/api/v2/session')
    expect([wrong.status, wrong.body.code]).toEqual([405, 'method_not_allowed'])
    expect(wrong.headers.get('allow')).toBe('POST')
    expect(wrong.body.result).toBe(wrong.body.message)
    const deep = await call(port, '/api/v2/game/get_status', { method: 'DELETE' })
    expect([deep.status, deep.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await call(port, '/nowhere')).status).toBe(404)
    expect((await call(port, '/health')).body).toMatchObject({ status: 'ok' })
  })

  test('preflight and answers carry CORS headers for a foreign origin', async () => {
    const { port } = await startNet()
    const headers = { origin: 'https://play.example' }
    const asked = await call(port, '/api/v2/game/mine', { method: 'OPTIONS', headers })
    expect(asked.status).toBe(204)
    const allowed = asked.headers.get('access-control-allow-headers')?.split(', ')
    for (const name of ['x-session-id', 'mcp-session-id', 'mcp-method', 'mcp-name'])
      expect(allowed).toContain(name)
    const answer = await call(port, '/health', { headers })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
  })

  test('an origin that is not listed is refused', async () => {
    const { port } = await startNet({ allowedOrigins: ['https://a.example'] })
    const callFrom = (origin: string) => call(port, '/health', { headers: { origin } })
    expect((await callFrom('https://b.example')).status).toBe(403)
    const listed = await callFrom('https://a.example')
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://a.example')
    // `vary` keeps the answers for each origin and encoding apart in a shared cache.
    const varyOfFile = (headers: Record<string, string>) =>
      call(port, '/api/openapi.json', { headers }).then((answer) => answer.headers.get('vary'))
    expect(await varyOfFile({ origin: 'https://a.example' })).toBe('accept-encoding, origin')
    expect((await call(port, '/health')).headers.get('vary')).toBe('origin')
  })

  test('metrics are served only to direct requests from loopback', async () => {
    const { port } = await startNet()
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(await response.text()).toContain('orrery_sessions')
    // Web pages in a browser of this machine and clients behind its proxy come from loopback too.
    const others: Record<string, string>[] = [
      { origin: 'https://a.example' },
      { 'x-forwarded-for': '6.6.6.6' },
    ]
    for (const headers of others) {
      for (const path of ['/metrics', '/metrics/slow-ticks'])
        expect((await call(port, path, { headers })).status).toBe(401)
    }
  })
})
