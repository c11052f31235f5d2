/** MCP requests as clients send them: revisions of the protocol, sessions, tools, refusals. */
import { request as rawRequest } from 'node:http'
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { type Answer, newName, newPlayer, post, request } from './wire.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })

const LEGACY = '2025-06-18'
const MODERN = '2026-07-28'
const CLIENT = { name: 't', version: '1' }

interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { text: string }[]
  readonly structuredContent?: Params
}

let lastId = 0
const rpc = (method: string, params: Params = {}) => {
  lastId += 1
  return { jsonrpc: '2.0', id: lastId, method, params }
}

interface Peer {
  readonly sessionId: string
  readonly opened: Answer
  send(method: string, params?: Params): Promise<Answer>
  call(name: string, args?: Params): Promise<ToolResult>
}

/** Opens a client of a 2025 revision and completes its handshake. */
async function openPeer(path = '/mcp', protocolVersion = LEGACY): Promise<Peer> {
  const address = server.url + path
  const accept = { accept: 'application/json, text/event-stream' }
  const opened = await post(
    address,
    rpc('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: CLIENT,
    }),
    accept,
  )
  const sessionId = opened.headers.get('mcp-session-id') ?? ''
  const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': protocolVersion }
  // Some clients omit Accept in this request.
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const noted = await post(address, initialized, headers)
  expect(noted).toMatchObject({ status: 202, text: '' })
  const send = (method: string, params: Params = {}): Promise<Answer> =>
    post(address, rpc(method, params), { ...accept, ...headers })
  return {
    sessionId,
    opened,
    send,
    call: async (name, args = {}) =>
      (await send('tools/call', { name, arguments: args })).body.result as ToolResult,
  }
}

/** Sends a request of the sessionless revision. */
const sendModern = (method: string, params: Params = {}, path = '/mcp'): Promise<Answer> =>
  post(
    server.url + path,
    rpc(method, {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': CLIENT,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }),
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
  )

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Steps the clock whenever a command waits for a tick, until the work is done. */
async function stepUntil<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    if (server.link.pending() > 0) await server.link.step(1)
    else await sleep(1)
  }
  return done
}

test('initialize agrees on a revision, names the server and gives a session id', async () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    const { opened, sessionId } = await openPeer('/mcp', version)
    expect(opened.body.result).toMatchObject({
      protocolVersion: version,
      serverInfo: {
        name: expect.any(String),
        title: expect.any(String),
        version: expect.any(String),
      },
      capabilities: { tools: {}, resources: {} },
      instructions: expect.any(String),
    })
    expect(sessionId).toMatch(/^[0-9a-f]{32,}$/)
  }
  const odd = { protocolVersion: '1999-12-31', capabilities: {}, clientInfo: CLIENT }
  const { body } = await post(`${server.url}/mcp`, rpc('initialize', odd))
  expect((body.result as Params).protocolVersion).toMatch(/^2025-/)
})

test('parameters of a wrong type are invalid params, not an internal error', async () => {
  const address = `${server.url}/mcp`
  const { sessionId } = await openPeer('/mcp', LEGACY)
  const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': LEGACY }
  for (const [method, params, field] of [
    ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo: CLIENT }, 'protocolVersion'],
    ['tools/list', { cursor: 5 }, 'cursor'],
    ['resources/read', {}, 'uri'],
  ] as const) {
    const { body } = await post(address, rpc(method, params), headers)
    expect(body.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(`^Invalid params: params.${field}: `),
    })
  }
})

test('a missing protocol session is 400, an unknown or deleted one 404', async () => {
  const address = `${server.url}/mcp`
  const version = { 'mcp-protocol-version': LEGACY }
  expect((await post(address, rpc('tools/list'), version)).status).toBe(400)
  const unknown = { ...version, 'mcp-session-id': '0'.repeat(64) }
  expect((await post(address, rpc('tools/list'), unknown)).status).toBe(404)
  const peer = await openPeer()
  const own = { ...version, 'mcp-session-id': peer.sessionId }
  expect((await request(address, { method: 'DELETE', headers: own })).status).toBe(200)
  expect((await post(address, rpc('tools/list'), own)).status).toBe(404)
  expect((await request(address, { headers: own })).status).toBe(405)
  expect((await post(address, '{', version)).body).toMatchObject({ error: { code: -32700 } })
})

test('/mcp, /mcp/v2 and /mcp/docs each list their own tools in a fixed order', async () => {
  const listOf = async (path: string): Promise<Params[]> => {
    const peer = await openPeer(path)
    const first = (await peer.send('tools/list')).body.result as { tools: Params[] }
    const second = (await peer.send('tools/list')).body.result as { tools: Params[] }
    expect(second).toEqual(first)
    for (const { name, description, inputSchema } of first.tools)
      expect({ name, description, inputSchema }).toEqual({
        name: expect.any(String),
        description: expect.any(String),
        inputSchema: expect.objectContaining({ type: 'object' }),
      })
    return first.tools
  }
  const names = (await listOf('/mcp')).map(({ name }) => name)
  for (const name of ['register', 'login', 'mine', 'travel', 'get_status', 'get_notifications'])
    expect(names).toContain(name)
  const grouped = await listOf('/mcp/v2')
  const game = grouped.find(({ name }) => name === 'game') as {
    inputSchema: { properties: { action: { enum: string[] } } }
  }
  expect(game.inputSchema.properties.action.enum).toContain('mine')
  expect((await listOf('/mcp/docs')).map(({ name }) => name).sort()).toEqual(
    [
      'get_overview',
      'search_commands',
      'get_command',
      'get_type',
      'get_websocket_protocol',
      'get_guide',
    ].sort(),
  )
})

test('the sessionless revision lists tools and plays by session_id alone', async () => {
  const list = await sendModern('tools/list')
  expect(list.status).toBe(200)
  expect(list.headers.get('mcp-session-id')).toBeNull()
  const registered = await sendModern('tools/call', { name: 'register', arguments: newPlayer() })
  const { session_id } = (registered.body.result as ToolResult).structuredContent as Params
  const undock = sendModern('tools/call', { name: 'undock', arguments: { session_id } })
  const done = (await stepUntil(undock)).body.result as ToolResult
  expect(done.isError).not.toBe(true)
  const without = await sendModern('tools/call', { name: 'get_status', arguments: {} })
  expect(without.body.result).toMatchObject({ isError: true })
})

test('login returns a new session_id and discards the previous one', async () => {
  const peer = await openPeer()
  const username = newName()
  const registered = await peer.call('register', newPlayer(username))
  expect(registered.structuredContent).toMatchObject({
    username,
    empire: 'solarian',
    password: expect.stringMatching(/^[0-9a-f]{64}$/),
    player_id: expect.any(String),
  })
  const first = String(registered.structuredContent?.session_id)
  expect(registered.content[0].text).toContain(`Session ID: ${first}`)
  const { password } = registered.structuredContent as Params
  const back = await peer.call('login', { username, password })
  const second = String(back.structuredContent?.session_id)
  expect(second).not.toBe(first)
  expect((await peer.call('get_status', { session_id: second })).isError).not.toBe(true)
  const old = await peer.call('get_status', { session_id: first })
  expect(old.isError).toBe(true)
  expect(old.content[0].text).toMatch(/^Error: session_invalid: /)
  // A call without a session_id uses the login of its protocol session, if there is one.
  expect((await peer.call('get_status')).isError).not.toBe(true)
  const stranger = await openPeer()
  expect((await stranger.call('get_status')).content[0].text).toMatch(/^Error: session_required: /)
  // A session id of HTTP is not valid over MCP.
  const http = await post(`${server.url}/api/v1/login`, { username, password })
  const { id } = http.body.session as { id: string }
  expect((await stranger.call('get_status', { session_id: id })).isError).toBe(true)
})

test('a mutation waits for its tick, a second behind it, and refusals are results', async () => {
  const peer = await openPeer()
  await peer.call('register', newPlayer())
  const undock = peer.call('undock')
  await server.untilPending(1)
  const second = peer.call('dock')
  await server.untilPending(2)
  const third = await peer.call('refuel')
  expect(third).toMatchObject({ isError: true })
  expect(third.content[0].text).toMatch(/^Error: action_pending: /)
  await server.link.step(1)
  expect((await undock).isError).not.toBe(true)
  await server.link.step(1)
  expect((await second).isError).not.toBe(true)
  const wrong = await peer.call('travel', { target_poi: 7 })
  expect(wrong.content[0].text).toMatch(/^Error: invalid_payload: /)
  const unknown = await peer.send('tools/call', { name: 'fly', arguments: {} })
  expect(unknown.body).toMatchObject({ error: { code: expect.any(Number) } })
  expect(unknown.body.result).toBeUndefined()
  const polled = await peer.call('get_notifications')
  expect(polled.content[0].text).toContain('No notifications.')
  // Models read the text, so it must never be empty.
  expect((await peer.call('get_status')).content[0].text.length).toBeGreaterThan(20)
})

test('events queue for an MCP session until it polls them', async () => {
  const reader = await openPeer()
  await reader.call('register', newPlayer())
  const speaker = await openPeer()
  await speaker.call('register', newPlayer())
  await speaker.call('chat', { channel: 'local', content: 'over here' })
  await server.link.step(1)
  const polled = await reader.call('get_notifications')
  expect(polled.structuredContent).toMatchObject({ count: 1 })
  expect(JSON.stringify(polled.structuredContent)).toContain('over here')
})

test('grouped tools take the action as an argument', async () => {
  const peer = await openPeer('/mcp/v2')
  await peer.call('game_auth', { action: 'register', ...newPlayer() })
  const status = await peer.call('game', { action: 'get_status' })
  expect(status.structuredContent).toMatchObject({ player: expect.any(Object) })
  const undock = await stepUntil(peer.call('game', { action: 'undock' }))
  expect(undock.structuredContent).toMatchObject({ details: expect.any(Object) })
  expect((await peer.call('game', { action: 'fly' })).isError).toBe(true)
})

test('requests from other origins or to other host names are refused', async () => {
  const body = rpc('initialize', {})
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example'])
    expect((await post(`${server.url}/mcp`, body, { origin })).status).toBe(403)
  expect(
    (await post(`${server.url}/mcp`, body, { origin: 'http://localhost:3000' })).status,
  ).not.toBe(403)
  const { port } = new URL(server.url)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const raw = rawRequest(
      { port, path: '/mcp', method: 'POST', headers: { host: 'rebound.example' } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    raw.on('error', reject)
    raw.end(JSON.stringify(body))
  })
  expect(status).toBe(403)
})
