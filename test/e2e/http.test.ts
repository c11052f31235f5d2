/** What an HTTP client receives, answer by answer, on both versions of the API. */
import { request as openRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addressOf, renamed } from '../../bench/addresses.ts'
import type { Params } from '../../bench/client.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { type Answer, newName, newPlayer, openSocket, post, request } from './wire.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })

interface Version {
  readonly name: 'v1' | 'v2'
  /** Path of a command under the server's address. */
  path(command: string): string
  result(answer: Answer): Params
}

const VERSIONS: readonly Version[] = [
  {
    name: 'v1',
    path: (command) => `/api/v1/${command}`,
    result: ({ body }) => body.result as Params,
  },
  {
    name: 'v2',
    path: (command) => {
      const { tool, action } = addressOf(command)
      return `/api/v2/${tool}${action === '' ? '' : `/${action}`}`
    },
    result: ({ body }) => body.structuredContent as Params,
  },
]

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Player {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly playerId: string
  /** Sends a command in the session. */
  send(command: string, params?: Params): Promise<Answer>
}

describe.each(VERSIONS)('HTTP $name', (version) => {
  const { name, path, result } = version

  async function newSession(): Promise<string> {
    const answer = await post(`${server.url}/api/${name}/session`)
    return (answer.body.session as { id: string }).id
  }

  const send = (session: string, command: string, params: Params = {}): Promise<Answer> =>
    post(
      server.url + path(command),
      name === 'v1' ? params : renamed(command, params),
      session === '' ? {} : { 'x-session-id': session },
    )

  /** Registers a player in a new session. */
  async function enter(username: string = newName()): Promise<Player> {
    const id = await newSession()
    const registered = result(await send(id, 'register', newPlayer(username)))
    return {
      id,
      username,
      password: String(registered.password),
      playerId: String(registered.player_id),
      send: (command, params) => send(id, command, params),
    }
  }

  async function beltOf(player: Player): Promise<unknown> {
    const answer = result(await player.send('get_system'))
    const { pois } = (answer.system ?? answer) as { pois: Params[] }
    return pois.find(({ type }) => type === 'asteroid_belt')?.id
  }

  /** Sends a mutation and steps the clock until it is answered. */
  async function act(player: Player, command: string, params?: Params): Promise<Answer> {
    let answer: Answer | undefined
    void player.send(command, params).then((received) => {
      answer = received
    })
    while (!answer) {
      if (server.link.pending() > 0) await server.link.step(1)
      else await sleep(1)
    }
    return answer
  }

  test('a session needs neither header nor body, and its answer says when it expires', async () => {
    const answer = await request(`${server.url}/api/${name}/session`, { method: 'POST' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    const { id, created_at, expires_at } = answer.body.session as Record<string, string>
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * 60_000)
    const refused = await request(`${server.url}/api/${name}/session`)
    expect(refused).toMatchObject({ status: 405, body: { error: { code: 'method_not_allowed' } } })
  })

  test('no session, an unknown session and no login are 401 with different codes', async () => {
    const cases: [string, string][] = [
      ['', 'session_required'],
      ['0'.repeat(64), 'session_invalid'],
      [await newSession(), 'not_authenticated'],
    ]
    for (const [session, code] of cases) {
      const answer = await send(session, 'get_status')
      expect(answer.status).toBe(401)
      expect(answer.body.error).toMatchObject({ code, message: expect.any(String) })
      expect(answer.headers.get('content-type')).toContain('application/json')
    }
  })

  test('a session of one version is unknown to the other', async () => {
    const player = await enter()
    const other = VERSIONS[name === 'v1' ? 1 : 0]
    const answer = await post(
      server.url + other.path('get_status'),
      {},
      { 'x-session-id': player.id },
    )
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'session_invalid' } } })
  })

  test('register and login return the whole state, and login makes a missing session', async () => {
    const username = newName()
    const registered = await send(await newSession(), 'register', newPlayer(username))
    expect(registered.status).toBe(200)
    expect(result(registered)).toMatchObject({
      username,
      empire: 'solarian',
      password: expect.stringMatching(/^[0-9a-f]{64}$/),
      player_id: expect.any(String),
      session_id: expect.any(String),
      player: { username },
      ship: expect.any(Object),
      system: expect.any(Object),
      poi: expect.any(Object),
      message: expect.any(String),
    })
    const { password, player_id } = result(registered)
    const back = await send('', 'login', { username, password })
    const session = back.body.session as Record<string, string>
    expect(session).toMatchObject({ player_id, id: result(back).session_id })
    expect(result(back).password).toBeUndefined()
    expect((await send(session.id, 'get_status')).status).toBe(200)
    const wrong = await send('', 'login', { username, password: 'no' })
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'invalid_credentials' } } })
    expect(await send(session.id, 'register', newPlayer())).toMatchObject({
      body: { error: { code: 'already_authenticated' } },
    })
  })

  test('the envelope of a success has result, notifications, session and error null', async () => {
    const player = await enter()
    const { body } = await player.send('get_status')
    expect(body).toMatchObject({
      notifications: expect.any(Array),
      session: { id: player.id, player_id: player.playerId, expires_at: expect.any(String) },
      error: null,
    })
    expect(typeof body.result).toBe(name === 'v1' ? 'object' : 'string')
    expect('structuredContent' in body).toBe(name === 'v2')
    // An empty body is an empty object.
    const bare = await request(server.url + path('get_status'), {
      method: 'POST',
      headers: { 'X-Session-ID': player.id },
    })
    expect(bare.status).toBe(200)
  })

  test('a mutation waits for its tick, a second behind it, and a third is refused', async () => {
    const player = await enter()
    const done: string[] = []
    const send = (command: string): Promise<Answer> =>
      player.send(command).finally(() => done.push(command))
    const first = send('undock')
    await server.untilPending(1)
    const second = send('dock')
    await server.untilPending(2)
    expect(await player.send('refuel')).toMatchObject({
      status: 400,
      body: { error: { code: 'action_pending', pending_command: 'undock' } },
    })
    expect((await player.send('get_status')).status).toBe(200)
    expect(done).toEqual([])
    await server.link.step(1)
    const answer = await first
    expect(answer).toMatchObject({ status: 200, body: { error: null } })
    if (name === 'v2') expect(result(answer)).toMatchObject({ details: expect.any(Object) })
    expect(done).toEqual(['undock'])
    await server.link.step(1)
    expect(await second).toMatchObject({ status: 200, body: { error: null } })
  })

  test('a mutation sent during a journey runs on arrival, even if its client left', async () => {
    const player = await enter()
    const travel = player.send('travel', { target_poi: await beltOf(player) })
    await server.untilPending(1)
    const gone = new AbortController()
    const mine = fetch(server.url + path('mine'), {
      method: 'POST',
      headers: { 'X-Session-Id': player.id },
      signal: gone.signal,
    }).catch(() => 'aborted')
    await server.untilPending(2)
    gone.abort()
    expect(await mine).toBe('aborted')
    for (let i = 0; server.link.pending() > 1 && i < 100; i++) await server.link.step(1)
    expect((await travel).status).toBe(200)
    await server.link.step(2)
    const { notifications } = (await player.send('get_status')).body
    const types = (notifications as Params[]).map(({ msg_type }) => msg_type)
    expect(types.filter((type) => type === 'action_result')).toHaveLength(1)
    expect(types).toContain('mining_yield')
  })

  test('a command during a journey is refused with the seconds left', async () => {
    const player = await enter()
    const belt = await beltOf(player)
    const travel = player.send('travel', { target_poi: belt })
    await server.untilPending(1)
    await server.link.step(1)
    const refused = await player.send('mine')
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'in_transit' } } })
    expect(JSON.stringify(refused.body.error)).toMatch(/seconds[^,]*":\d+/)
    for (let i = 0; server.link.pending() > 0 && i < 100; i++) await server.link.step(1)
    const arrived = await travel
    expect(arrived.status).toBe(200)
    expect(JSON.stringify(result(arrived))).toContain(`"poi_id":"${belt}"`)
    expect((await act(player, 'mine')).status).toBe(200)
  })

  test('a mutation whose client hangs up still runs, and its outcome is queued', async () => {
    const player = await enter()
    const hangUp = new AbortController()
    const gone = fetch(server.url + path('undock'), {
      method: 'POST',
      headers: { 'x-session-id': player.id },
      signal: hangUp.signal,
    }).catch(() => 'aborted')
    await server.untilPending(1)
    hangUp.abort()
    expect(await gone).toBe('aborted')
    await sleep(50)
    await server.link.step(1)
    const { body } = await player.send('get_status')
    expect(body.notifications).toEqual([
      {
        id: expect.anything(),
        type: expect.any(String),
        msg_type: 'action_result',
        timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
        data: expect.objectContaining({ command: 'undock', tick: server.link.state().tick }),
      },
    ])
    expect((await player.send('get_status')).body.notifications).toEqual([])
  })

  test('clients that disconnect in the middle of a request do no harm', async () => {
    const player = await enter()
    const { port } = new URL(server.url)
    for (let i = 0; i < 25; i++) {
      const raw = openRequest({
        port,
        method: 'POST',
        path: path(i % 2 === 0 ? 'get_status' : 'refuel'),
        headers: { 'x-session-id': player.id, 'content-length': '10' },
      })
      raw.on('error', () => {})
      raw.write('{}')
      if (i % 3 === 0) raw.write('        ')
      await sleep(i % 5)
      raw.destroy()
    }
    await sleep(50)
    await server.link.step(1)
    expect((await player.send('get_status')).status).toBe(200)
  })

  test('get_notifications filters by types and limit, and clears what it returns', async () => {
    const reader = await enter()
    const speaker = await enter()
    for (let i = 0; i < 3; i++)
      await speaker.send('chat', { channel: 'local', content: `said ${i}` })
    await server.link.step(1)
    const ask = async (params: Params = {}): Promise<Params> =>
      result(await reader.send('get_notifications', params))
    const kept = await ask({ clear: false, limit: 2 })
    expect(kept).toMatchObject({
      count: 2,
      remaining: 1,
      current_tick: server.link.state().tick,
      timestamp: expect.anything(),
    })
    expect(await ask({ types: ['market'] })).toMatchObject({ count: 0 })
    const all = await ask({ types: ['chat'] })
    const contents = (all.notifications as { data: Params }[]).map(({ data }) => data.content)
    expect(contents).toEqual(['said 0', 'said 1', 'said 2'])
    await server.link.step(1)
    expect(await ask()).toMatchObject({ count: 0, remaining: 0, message: 'No notifications.' })
    for (const limit of [0, 101, 1.5]) {
      await server.link.step(1)
      const answer = await reader.send('get_notifications', { limit })
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_payload' } } })
    }
  })

  test('the next answer carries the last hundred unread events', async () => {
    // Chat is limited per place and minute, so the lines of other tests must be two minutes old.
    await server.link.step(121)
    const reader = await enter()
    const sent: string[] = []
    // 105 lines by several speakers: one player may not say that much.
    for (let count = 0; count < 7; count++) {
      const speaker = await enter()
      for (let i = 0; i < 15; i++) {
        const content = `line ${sent.length}`
        expect((await speaker.send('chat', { channel: 'local', content })).status).toBe(200)
        sent.push(content)
      }
    }
    const { body } = await reader.send('get_status')
    const received = (body.notifications as { data: Params }[]).map(({ data }) => data.content)
    expect(received).toEqual(sent.slice(-100))
  })

  test('a sixth session of a player replaces the oldest, whose refusal says so', async () => {
    const player = await enter()
    const { username, password } = player
    for (let i = 0; i < 5; i++) await send('', 'login', { username, password })
    expect(await player.send('get_status')).toMatchObject({
      status: 401,
      body: { error: { code: 'session_invalid', details: { reason: 'replaced' } } },
    })
  })

  test('logout unbinds the session and leaves the socket of the player open', async () => {
    const player = await enter()
    const { username, password } = player
    const socket = await openSocket(server.url, '/ws')
    socket.send({ type: 'login', payload: { username, password } })
    await socket.next('logged_in')
    expect((await player.send('logout')).status).toBe(200)
    expect(await player.send('get_status')).toMatchObject({
      status: 401,
      body: { error: { code: 'not_authenticated' } },
    })
    expect((await player.send('login', { username, password })).status).toBe(200)
    expect(socket.isOpen).toBe(true)
    await socket.close()
  })

  test('a malformed request is answered in JSON with what is wrong and its status', async () => {
    const player = await enter()
    const header = { 'x-session-id': player.id }
    const address = server.url + path('travel')
    for (const text of ['{', '[]', 'null', '7', '"x"']) {
      const answer = await post(address, text, header)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_json' } } })
    }
    const wrong = await player.send('travel', { target_poi: 7 })
    expect(wrong).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'invalid_payload',
          details: { fields: [{ field: expect.any(String), expected: expect.any(String) }] },
        },
      },
    })
    expect(await post(address, `{"x":"${'x'.repeat(600_000)}"}`, header)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    })
    // Before login a body may be 16 KiB.
    const stranger = { 'x-session-id': await newSession() }
    expect((await post(address, `{"x":"${'x'.repeat(20_000)}"}`, stranger)).status).toBe(413)
    expect(await request(address, { headers: header })).toMatchObject({ status: 405 })
    expect(await request(`${server.url}/nowhere`)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  })
})
