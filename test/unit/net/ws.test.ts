/** Both WebSocket versions over real sockets: frames, order, limits, closes. */
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fail } from '../../../core/errors.ts'
import { type FakeNet, startFakeNet } from './fake-net.ts'
import { connect, LOGIN, loggedIn } from './ws-client.ts'

const nets: FakeNet[] = []
const startNet = async (config = {}): Promise<FakeNet> => {
  const started = await startFakeNet(config)
  nets.push(started)
  return started
}
afterEach(async () => {
  for (const started of nets.splice(0)) await started.close()
})

describe('a connection', () => {
  test('gets a complete welcome', async () => {
    const { port } = await startNet()
    const { type, payload } = await connect(port, '/ws').next()
    expect(type).toBe('welcome')
    expect(payload).toMatchObject({
      version: 'v0.0.1',
      release_date: '2026-01-01',
      release_notes: ['First.'],
      tick_rate: 1,
      current_tick: 0,
      server_time: expect.any(Number),
      game_info: 'A game.',
      website: expect.any(String),
      help_text: 'Ask.',
      terms: 'Play fair.',
    })
  })

  test('is closed with 4002 when it does not log in within 30 s', async () => {
    const { port, server } = await startNet()
    const client = connect(port, '/ws/v2')
    await client.next()
    for (let second = 0; second < 15; second++) server.sweep(2000)
    expect(await client.closed).toEqual({ code: 4002, reason: 'auth_timeout' })
  })

  test('is closed with 4003 and the wait if it is the 101st of a minute', async () => {
    const { port } = await startNet()
    const clients = Array.from({ length: 101 }, () => connect(port, '/ws'))
    const closed = await Promise.race(clients.map((client) => client.closed))
    expect(closed.code).toBe(4003)
    expect(closed.reason).toMatch(/^rate_limited retry_after=\d+$/)
  })

  test('of an address in a time-out gets ip_timed_out for any command', async () => {
    const { port } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    const payload = { ...LOGIN, password: 'wrong' }
    // Only a few logins a minute are checked; fifty refusals start the time-out.
    for (let i = 0; i < 80; i++) {
      client.send({ type: 'login', payload })
      await client.next()
    }
    client.send({ type: 'get_status', request_id: 'r' })
    expect(await client.next()).toMatchObject({
      type: 'error',
      request_id: 'r',
      payload: { code: 'ip_timed_out', wait_seconds: expect.any(Number) },
    })
  })

  test('from an origin that is not listed is refused at the upgrade', async () => {
    const { port } = await startNet({ allowedOrigins: ['https://a.example'] })
    const refused = connect(port, '/ws', { origin: 'https://a.example.evil' })
    expect((await refused.closed).code).toBe(1006)
    const allowed = connect(port, '/ws', { origin: 'https://a.example' })
    expect((await allowed.next()).type).toBe('welcome')
  })

  test('is closed with 1000 after 60 s of silence, which a pong interrupts', async () => {
    const { port, server } = await startNet()
    const client = await loggedIn(port, '/ws')
    client.ws.on('ping', () => {})
    for (let second = 0; second < 20; second++) server.sweep(2000)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    for (let second = 0; second < 20; second++) server.sweep(2000)
    expect(client.ws.readyState).toBe(WebSocket.OPEN)
    for (let second = 0; second < 31; second++) server.sweep(2000)
    expect((await client.closed).code).toBe(1000)
  })

  test('is idle after 60 s of silence, never before', async () => {
    const { port, server } = await startNet()
    await loggedIn(port, '/ws')
    const closes = async () => (await server.net.metrics.closes.get()).values
    // The last frame arrived at some moment within the first of these seconds.
    for (let second = 0; second < 60; second++) server.sweep(1_000)
    expect(await closes()).toEqual([])
    server.sweep(1_000)
    expect(await closes()).toMatchObject([{ value: 1, labels: { code: '1000' } }])
  })
})

describe('v1', () => {
  test('register answers registered with the request_id, then logged_in without', async () => {
    const { port } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    const payload = { username: 'eve', empire: 'solarian', registration_code: 'any' }
    client.send({ type: 'register', payload, request_id: 'r1' })
    const registered = await client.next()
    expect(registered).toMatchObject({ type: 'registered', request_id: 'r1' })
    expect(registered.payload.password).toMatch(/^[0-9a-f]{64}$/)
    expect(registered.payload.player_id).toBe('id-3')
    const state = await client.next()
    expect(state.type).toBe('logged_in')
    expect(state.request_id).toBeUndefined()
    expect(state.payload).not.toHaveProperty('mask')
  })

  test('login echoes the request_id, and refuses wrong names and passwords alike', async () => {
    const { port } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    const payload = { ...LOGIN, password: 'b'.repeat(64) }
    client.send({ type: 'login', payload, request_id: 'a' })
    const wrong = await client.next()
    client.send({ type: 'login', payload: { ...payload, username: 'nobody' }, request_id: 'a' })
    expect(await client.next()).toEqual(wrong)
    expect(wrong).toMatchObject({ type: 'error', payload: { code: 'invalid_credentials' } })
    client.send({ type: 'login', payload: { ...LOGIN, username: 'ADA' }, request_id: 'b' })
    expect(await client.next()).toMatchObject({ type: 'logged_in', request_id: 'b' })
  })

  test('queries answer ok with action; a mutation is acknowledged, then resolved', async () => {
    const { port, link } = await startNet()
    const client = await loggedIn(port, '/ws')
    client.send({ type: 'get_status', request_id: 'q' })
    expect(await client.next()).toEqual({
      type: 'ok',
      request_id: 'q',
      payload: { action: 'get_status', player: { id: 1 }, tick: 0 },
    })
    client.send({ type: 'sell', payload: { item_id: 'x', quantity: 1 }, request_id: 'm' })
    expect(await client.next()).toMatchObject({
      type: 'ok',
      request_id: 'm',
      payload: { pending: true, command: 'sell', eta: 1, message: expect.any(String) },
    })
    await link.step(1)
    expect(await client.next()).toEqual({
      type: 'action_result',
      request_id: 'm',
      payload: {
        command: 'sell',
        tick: 1,
        result: { item_id: 'ore_iron', quantity: 3 },
        auto_docked: true,
      },
    })
  })

  test('failures of a tick are action_error, an interrupt is an error frame', async () => {
    const { port, link, disk } = await startNet()
    const client = await loggedIn(port, '/ws')
    disk.sellOutcome = fail('not_docked', { here: 'belt' })
    const sell = { type: 'sell', payload: { item_id: 'x', quantity: 1 }, request_id: 'm' }
    client.send(sell)
    await client.next()
    client.send(sell)
    expect(await client.next()).toMatchObject({
      type: 'error',
      payload: { code: 'action_pending', pending_command: 'sell' },
    })
    await link.step(1)
    expect(await client.next()).toMatchObject({
      type: 'action_error',
      request_id: 'm',
      payload: {
        command: 'sell',
        tick: 1,
        code: 'not_docked',
        details: { here: 'belt' },
        // The ship stays docked.
        auto_docked: true,
      },
    })
    disk.sellOutcome = fail('combat_interrupt')
    client.send(sell)
    await client.next()
    await link.step(1)
    expect(await client.next()).toMatchObject({
      type: 'error',
      request_id: 'm',
      payload: { code: 'combat_interrupt' },
    })
  })

  test('answers without an id leave in the order of their commands', async () => {
    const { port, thread } = await startNet()
    const client = await loggedIn(port, '/ws')
    client.send({ type: 'slow_query' })
    client.send({ type: 'get_status' })
    client.send({ type: 'get_version', request_id: 'now' })
    expect((await client.next()).request_id).toBe('now')
    thread().releaseSlow()
    expect((await client.next()).payload.action).toBe('slow_query')
    expect((await client.next()).payload.action).toBe('get_status')
  })

  test('logout answers ok, then closes with 1000', async () => {
    const { port, server } = await startNet()
    const client = await loggedIn(port, '/ws')
    client.send({ type: 'logout' })
    expect((await client.next()).type).toBe('ok')
    expect((await client.closed).code).toBe(1000)
    expect(server.net.bindings.players.size).toBe(0)
  })
})

describe('v2', () => {
  test('queries answer result with text and structure', async () => {
    const { port } = await startNet()
    const client = await loggedIn(port, '/ws/v2')
    client.send({ tool: 'game', action: 'get_status', request_id: 'q' })
    expect(await client.next()).toMatchObject({
      type: 'result',
      request_id: 'q',
      payload: { result: expect.any(String), structuredContent: { player: { id: 1 }, tick: 0 } },
    })
    client.send({ tool: 'game_catalog', payload: { type: 'items' } })
    expect((await client.next()).type).toBe('result')
  })

  test('a mutation resolves to sections and details', async () => {
    const { port, link } = await startNet()
    const client = await loggedIn(port, '/ws/v2')
    const payload = { id: 'x', quantity: 1 }
    client.send({ tool: 'game', action: 'sell', payload, request_id: 'm' })
    expect(await client.next()).toMatchObject({
      type: 'result',
      payload: { structuredContent: { pending: true, command: 'sell' } },
    })
    await link.step(1)
    expect(await client.next()).toEqual({
      type: 'action_result',
      request_id: 'm',
      payload: {
        command: 'sell',
        tick: 1,
        result: { cargo: [], details: { item_id: 'ore_iron', quantity: 3 } },
        auto_docked: true,
      },
    })
  })

  test.each([
    [{ tool: 'nothing', action: 'x' }, 'unknown_tool'],
    [{ tool: 'game' }, 'missing_action'],
    [{ tool: 'game', action: 'fly' }, 'invalid_action'],
    [{ tool: 'game', action: 'get_notifications' }, 'not_available_on_websocket'],
    [{ tool: 'game', action: 'sell', payload: [] }, 'invalid_payload'],
    [{ action: 'sell' }, 'invalid_payload'],
  ])('%j answers %s', async (frame, code) => {
    const { port } = await startNet()
    const client = await loggedIn(port, '/ws/v2')
    client.send(frame)
    expect((await client.next()).payload.code).toBe(code)
  })

  test('each tool has help', async () => {
    const { port } = await startNet()
    const client = await loggedIn(port, '/ws/v2')
    for (const tool of ['game_auth', 'game']) {
      client.send({ tool, action: 'help', request_id: 'h' })
      const { type, payload } = await client.next()
      expect(type).toBe('result')
      expect(payload.result).toContain(`Actions of ${tool}.`)
    }
  })
})

describe('two sockets of one player', () => {
  test('the older socket is closed with 4001, and the newer one gets the events', async () => {
    const { port, server, thread } = await startNet()
    const older = await loggedIn(port, '/ws')
    const newer = await loggedIn(port, '/ws/v2')
    expect(await older.closed).toEqual({ code: 4001, reason: 'session_replaced' })
    expect(server.net.bindings.players.get(1)?.socket).toBeDefined()
    thread().emit([{ type: 'mining_yield', payload: { quantity: 2 }, to: [1, 99] }])
    expect(await newer.next()).toEqual({ type: 'mining_yield', payload: { quantity: 2 } })
  })

  test('an outcome goes to the newer socket of its framing, with its request_id', async () => {
    const { port, link } = await startNet()
    const older = await loggedIn(port, '/ws')
    older.send({ type: 'mine', request_id: 'm' })
    expect((await older.next()).payload.pending).toBe(true)
    const newer = await loggedIn(port, '/ws')
    await link.step(1)
    expect(await newer.next()).toMatchObject({ type: 'action_result', request_id: 'm' })
  })

  test('login on a bound socket is already_authenticated, also as the same player', async () => {
    const { port } = await startNet()
    const client = await loggedIn(port, '/ws')
    client.send({ type: 'login', payload: { ...LOGIN, username: 'bob' } })
    expect((await client.next()).payload.code).toBe('already_authenticated')
    client.send({ type: 'login', payload: LOGIN })
    expect((await client.next()).payload.code).toBe('already_authenticated')
  })
})

describe('the world thread ends', () => {
  test('sockets stay open, and accepted commands are answered', async () => {
    const { port, link, thread } = await startNet()
    const client = await loggedIn(port, '/ws/v2')
    client.send({ tool: 'game', action: 'mine', request_id: 'm' })
    await client.next()
    thread().end('test')
    while (link.ends() === 0 || !link.isUp()) await new Promise((resolve) => setTimeout(resolve, 5))
    await link.step(1)
    expect(await client.next()).toMatchObject({ type: 'action_result', request_id: 'm' })
    expect(client.ws.readyState).toBe(WebSocket.OPEN)
  })
})
