/** What a WebSocket client receives, frame by frame, on both versions of the API. */
import { describe, expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { type Frame, newName, newPlayer, openSocket, type RawSocket } from './wire.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })

/** How a version names commands, and where it puts a result. */
interface Version {
  readonly name: string
  readonly path: string
  readonly resultType: string
  frame(command: string, payload?: Params, requestId?: unknown): object
  result(frame: Frame): Params
}

const MARKET_FEED = { tool: 'game_market', action: 'subscribe_market' }
const AUTH = new Set(['register', 'login', 'logout', 'claim'])
const VERSIONS: readonly Version[] = [
  {
    name: 'v1',
    path: '/ws',
    resultType: 'ok',
    frame: (type, payload, request_id) => ({ type, payload, request_id }),
    result: ({ payload }) => payload,
  },
  {
    name: 'v2',
    path: '/ws/v2',
    resultType: 'result',
    frame: (action, payload, request_id) => ({
      tool: AUTH.has(action) ? 'game_auth' : 'game',
      action,
      payload,
      request_id,
    }),
    result: ({ payload }) => payload.structuredContent as Params,
  },
]

interface LoggedIn extends RawSocket {
  readonly username: string
  readonly password: string
}

describe.each(VERSIONS)('WebSocket $name', (version) => {
  const { frame, path, resultType, result } = version

  /** Registers a player over a new socket. */
  async function enter(username: string = newName()): Promise<LoggedIn> {
    const socket = await openSocket(server.url, path)
    await socket.next('welcome')
    socket.send(frame('register', newPlayer(username)))
    const registered = await socket.next('registered')
    await socket.next('logged_in')
    return Object.assign(socket, { username, password: String(registered.payload.password) })
  }

  test('welcome comes first and has every field that clients check', async () => {
    const socket = await openSocket(server.url, path)
    const welcome = await socket.next()
    expect(welcome.type).toBe('welcome')
    expect(welcome.request_id).toBeUndefined()
    expect(welcome.payload).toMatchObject({
      version: expect.any(String),
      release_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      release_notes: expect.any(Array),
      tick_rate: 1,
      current_tick: expect.any(Number),
      server_time: expect.any(Number),
      game_info: expect.any(String),
      website: expect.any(String),
      help_text: expect.any(String),
      terms: expect.any(String),
    })
    await socket.close()
  })

  test('register and login echo request_id, a logged_in after register does not', async () => {
    const socket = await openSocket(server.url, path)
    const player = newPlayer()
    await socket.next('welcome')
    const registered = await socket.ask(frame('register', player, 'reg-1'))
    expect(registered).toMatchObject({ type: 'registered', request_id: 'reg-1' })
    expect(registered.payload).toEqual({
      password: expect.stringMatching(/^[0-9a-f]{64}$/),
      player_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    })
    const loggedIn = await socket.next()
    expect(loggedIn.type).toBe('logged_in')
    expect(loggedIn.request_id).toBeUndefined()
    expect(loggedIn.payload).toMatchObject({
      player: { id: registered.payload.player_id, username: player.username },
      ship: { class_id: expect.any(String) },
      system: { id: expect.any(String) },
      poi: { id: expect.any(String) },
      pending_trades: [],
    })
    await socket.close()
    const second = await openSocket(server.url, path)
    await second.next('welcome')
    const { username } = player
    const { password } = registered.payload
    expect(await second.ask(frame('login', { username, password: 'no' }, 'l0'))).toMatchObject({
      type: 'error',
      request_id: 'l0',
      payload: { code: 'invalid_credentials' },
    })
    expect(await second.ask(frame('login', { username, password }, 'l1'))).toMatchObject({
      type: 'logged_in',
      request_id: 'l1',
    })
    expect(await second.ask(frame('register', newPlayer()))).toMatchObject({
      payload: { code: 'already_authenticated' },
    })
    await second.close()
  })

  test('the events of a tick come before its outcome', async () => {
    const socket = await enter()
    const market = version.name === 'v1' ? { type: 'subscribe_market' } : MARKET_FEED
    const items = result(await socket.ask(market)).items as Params[]
    const sold = items.find(({ sell_orders }) => (sell_orders as Params[]).length > 0)
    const id = version.name === 'v1' ? { item_id: sold?.item_id } : { id: sold?.item_id }
    await socket.ask(frame('buy', { ...id, quantity: 1 }, 'b-1'))
    await server.link.step(1)
    await socket.next('action_result')
    const types = socket.frames.map(({ type }) => type)
    expect(types.slice(-2)).toEqual(['market_update', 'action_result'])
    await socket.close()
  })

  test('request_id is echoed only on answers, acknowledgements and outcomes', async () => {
    const socket = await enter()
    const query = await socket.ask(frame('get_status', {}, 'q-1'))
    expect(query).toMatchObject({ type: resultType, request_id: 'q-1' })
    expect((await socket.ask(frame('get_status'))).request_id).toBeUndefined()
    const ack = await socket.ask(frame('undock', {}, 'm-1'))
    expect(ack).toMatchObject({ type: resultType, request_id: 'm-1' })
    expect(result(ack)).toMatchObject({ pending: true, command: 'undock' })
    await server.link.step(1)
    expect(await socket.next('action_result')).toMatchObject({
      request_id: 'm-1',
      payload: { command: 'undock', tick: server.link.state().tick, result: expect.any(Object) },
    })
    await socket.ask(frame('undock', {}, 'm-2'))
    await server.link.step(1)
    const refused = await socket.next('action_error')
    expect(refused).toMatchObject({
      request_id: 'm-2',
      payload: { command: 'undock', tick: expect.any(Number), code: expect.any(String) },
    })
    const named = new Set(['q-1', 'm-1', 'm-2'])
    for (const { request_id } of socket.frames)
      if (request_id !== undefined) expect(named.has(request_id)).toBe(true)
    await socket.close()
  })

  test('a request_id of more than 128 code points, or that is no text, is refused', async () => {
    const socket = await openSocket(server.url, path)
    await socket.next('welcome')
    for (const good of ['', 'x'.repeat(128), '🛰'.repeat(128)]) {
      expect((await socket.ask(frame('get_version', {}, good))).request_id).toBe(good)
    }
    for (const bad of ['x'.repeat(129), '🛰'.repeat(129)]) {
      const answer = await socket.ask(frame('get_version', {}, bad))
      expect(answer).toMatchObject({ type: 'error', payload: { code: 'invalid_request_id' } })
      expect(answer.request_id).toBeUndefined()
    }
    for (const bad of [7, null, {}, ['a']]) {
      const answer = await socket.ask(frame('get_version', {}, bad))
      expect(answer).toMatchObject({ type: 'error', payload: { code: 'invalid_payload' } })
      expect(answer.request_id).toBeUndefined()
    }
    await socket.close()
  })

  test('a second mutation is refused with action_pending, and the first still runs', async () => {
    const socket = await enter()
    await socket.ask(frame('undock', {}, 'first'))
    expect(await socket.ask(frame('refuel', {}, 'second'))).toMatchObject({
      type: 'error',
      request_id: 'second',
      payload: { code: 'action_pending', pending_command: 'undock' },
    })
    await server.link.step(1)
    expect(await socket.next('action_result')).toMatchObject({ request_id: 'first' })
    expect(socket.rest()).toEqual([])
    await socket.close()
  })

  test('a mutation during a journey is refused with the seconds until arrival', async () => {
    const socket = await enter()
    const answer = result(await socket.ask(frame('get_system')))
    const pois = ((answer.system ?? answer) as { pois: Params[] }).pois
    const belt = pois.find(({ type }) => type === 'asteroid_belt') as Params
    const ack = await socket.ask(frame('travel', { target_poi: belt.id }, 'go'))
    expect(result(ack)).toMatchObject({
      pending: true,
      destination: expect.any(String),
      arrival_tick: expect.any(Number),
    })
    await server.link.step(1)
    const refused = await socket.ask(frame('mine', {}, 'no'))
    expect(refused).toMatchObject({
      type: 'error',
      request_id: 'no',
      payload: { code: 'in_transit', details: expect.any(Object) },
    })
    expect(JSON.stringify(refused.payload.details)).toMatch(/seconds[^,]*":\d+/)
    // A query is still answered.
    expect((await socket.ask(frame('get_status'))).type).toBe(resultType)
    for (let i = 0; server.link.pending() > 0 && i < 100; i++) await server.link.step(1)
    const arrived = await socket.next('action_result')
    expect(arrived).toMatchObject({ request_id: 'go', payload: { command: 'travel' } })
    expect(JSON.stringify(arrived.payload.result)).toMatch(/"poi_id"/)
    await socket.close()
  })

  test('the outcome of a journey reaches the next connection with its request_id', async () => {
    const socket = await enter()
    const answer = result(await socket.ask(frame('get_system')))
    const pois = ((answer.system ?? answer) as { pois: Params[] }).pois
    const belt = pois.find(({ type }) => type === 'asteroid_belt') as Params
    await socket.ask(frame('travel', { target_poi: belt.id }, 'gone'))
    await server.link.step(1)
    await socket.close()
    const next = await openSocket(server.url, path)
    const { username, password } = socket
    next.send(frame('login', { username, password }))
    await next.next('logged_in')
    for (let i = 0; i < 100 && !next.frames.some(({ type }) => type === 'action_result'); i++) {
      await server.link.step(1)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(await next.next('action_result')).toMatchObject({ request_id: 'gone' })
    await next.close()
  })

  test('before login only the commands open to everybody are answered', async () => {
    const socket = await openSocket(server.url, path)
    await socket.next('welcome')
    for (const command of ['get_status', 'mine', 'logout', 'get_notifications']) {
      expect(await socket.ask(frame(command, {}, 'n'))).toMatchObject({
        type: 'error',
        request_id: 'n',
        payload: { code: 'not_authenticated', message: expect.any(String) },
      })
    }
    for (const command of ['get_version', 'get_commands', 'help', 'get_guide'])
      expect((await socket.ask(frame(command))).type).toMatch(/ok|result|version_info/)
    await socket.close()
  })

  test('malformed frames and payloads are refused, and the socket stays open', async () => {
    const socket = await enter()
    for (const text of ['', 'hello', '[]', '7', '{"type":', '{"type":"help"}{"type":"help"}']) {
      const answer = await socket.ask(text)
      expect(answer).toMatchObject({ type: 'error', payload: { code: 'invalid_json' } })
      expect(answer.request_id).toBeUndefined()
    }
    socket.socket.send(Buffer.from([1, 2, 3]), { binary: true })
    expect(await socket.next()).toMatchObject({ payload: { code: 'invalid_json' } })
    expect(await socket.ask(frame('travel', { target_poi: 7 }, 'p'))).toMatchObject({
      type: 'error',
      request_id: 'p',
      payload: {
        code: 'invalid_payload',
        details: { fields: [{ field: expect.any(String), expected: expect.any(String) }] },
      },
    })
    expect(await socket.ask(frame('travel'))).toMatchObject({
      payload: { code: 'invalid_payload' },
    })
    expect(await socket.ask(frame('get_notifications'))).toMatchObject({
      payload: { code: 'not_available_on_websocket' },
    })
    expect(await socket.ask(`{"a":"${'x'.repeat(600_000)}"}`)).toMatchObject({
      payload: { code: 'payload_too_large' },
    })
    expect(socket.isOpen).toBe(true)
    await socket.close()
  })

  test('unknown commands, tools and actions have codes of their own', async () => {
    const socket = await openSocket(server.url, path)
    await socket.next('welcome')
    const wrong: [object, string][] =
      version.name === 'v1'
        ? [
            [{ type: 'fly', request_id: 'u' }, 'unknown_command'],
            [{ request_id: 'u' }, 'invalid_payload'],
          ]
        : [
            [{ tool: 'fleet', action: 'x', request_id: 'u' }, 'unknown_tool'],
            [{ tool: 'game', request_id: 'u' }, 'missing_action'],
            [{ tool: 'game', action: 'fly', request_id: 'u' }, 'invalid_action'],
          ]
    for (const [message, code] of wrong)
      expect(await socket.ask(message)).toMatchObject({
        type: 'error',
        request_id: 'u',
        payload: { code, message: expect.any(String) },
      })
    await socket.close()
  })

  test('logging in elsewhere closes the older socket with 4001, on either version', async () => {
    const older = await enter()
    const other = VERSIONS[version.name === 'v1' ? 1 : 0]
    const newer = await openSocket(server.url, other.path)
    const { username, password } = older
    newer.send(other.frame('login', { username, password }))
    await newer.next('logged_in')
    expect(await older.closed).toEqual({ code: 4001, reason: 'session_replaced' })
    expect(newer.isOpen).toBe(true)
    await newer.close()
  })

  test('logout is acknowledged, then the socket closes with 1000', async () => {
    const socket = await enter()
    expect(await socket.ask(frame('logout', {}, 'bye'))).toMatchObject({
      type: resultType,
      request_id: 'bye',
    })
    expect((await socket.closed).code).toBe(1000)
  })

  test('a socket closes after 30 s without a login or 60 s of silence', async () => {
    const stranger = await openSocket(server.url, path)
    const player = await enter()
    // Sweeps of 2 s stand in for time: 16 pass the 30 s, 31 more pass the 60 s.
    for (let i = 0; i < 16; i++) server.net.sweep(2_000)
    expect(await stranger.closed).toEqual({ code: 4002, reason: 'auth_timeout' })
    expect(player.isOpen).toBe(true)
    for (let i = 0; i < 31; i++) server.net.sweep(2_000)
    expect((await player.closed).code).toBe(1000)
  })
})
