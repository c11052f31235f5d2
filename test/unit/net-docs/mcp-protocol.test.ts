/**
 * Protocol sessions of MCP under stress: blocked calls that are cancelled, repeated or abandoned,
 * floods of handshakes, batches, and what each revision forbids.
 */
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../config.ts'
import { ok } from '../../../core/errors.ts'
import {
  MCP_BATCH_ANSWER_BYTES_MAX,
  MCP_SWEEP_EVERY_MS,
  MCP_UNBOUND_SESSIONS_MAX,
} from '../../../core/limits.ts'
import type { Answer } from '../../../core/ports.ts'
import { say } from '../../../core/say.ts'
import { createMcp } from '../../../net/mcp/mcp.ts'
import {
  createProtocolSessions,
  findProtocolSession,
  openProtocolSession,
  touchProtocolSession,
} from '../../../net/mcp/sessions.ts'
import type { Session } from '../../../net/session/session.ts'
import { testClock } from '../net/fake-net.ts'
import { connect, fakeNet, PASSWORD, type Rpc, send } from './fake-net.ts'

const LOGIN = { username: 'Ada', password: PASSWORD }
const VERSION = '2025-11-25'

/** Makes a net whose mutations are accepted and wait until they are released. */
function heldNet() {
  const net = fakeNet(() => [{ outcome: ok({ said: 'query' }) }])
  const { submit } = net.link
  const waiting: (() => void)[] = []
  net.link.submit = (command, sink) => {
    if (command.command !== 'buy') return submit(command, sink)
    const head = { ref: waiting.length, player: 1, command: 'buy', framing: command.framing }
    const answer = (overrides: Partial<Answer>): Answer =>
      ({ ...head, tick: 7, stage: 'final', outcome: ok({}), ...overrides }) as Answer
    sink(answer({ stage: 'accepted' }))
    waiting.push(() => sink(answer({ outcome: ok({ message: 'Bought.', item_id: 'iron' }) })))
    return undefined as never
  }
  const untilHeld = async (count: number): Promise<void> => {
    while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return { net, untilHeld, release: () => waiting.splice(0).map((go) => go()) }
}

const BUY = { name: 'buy', arguments: { item_id: 'iron', quantity: 1 } }
const MESSAGE = 'Bought.'
const messageOf = ({ json }: Rpc) => json.result.structuredContent.message

describe('a blocked call', () => {
  test('is answered even if its client cancels it, because the world has accepted it', async () => {
    const { net, untilHeld, release } = heldNet()
    const { v1 } = createMcp(net)
    const client = await connect(v1)
    await client.call('login', LOGIN)
    const body = { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: BUY }
    const bought = send(v1, body, { headers: client.headers })
    await untilHeld(1)
    const method = 'notifications/cancelled'
    const cancel = { jsonrpc: '2.0', method, params: { requestId: 'b', reason: 'bored' } }
    expect((await send(v1, cancel, { headers: client.headers })).status).toBe(202)
    release()
    expect(messageOf(await bought)).toBe(MESSAGE)
  })

  test('is answered in a batch that cancels it', async () => {
    const { net, untilHeld, release } = heldNet()
    const { v1 } = createMcp(net)
    const client = await connect(v1, '2025-03-26')
    await client.call('login', LOGIN)
    const method = 'notifications/cancelled'
    const batch = [
      { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: BUY },
      { jsonrpc: '2.0', method, params: { requestId: 'b' } },
    ]
    const bought = send(v1, batch, { headers: client.headers })
    await untilHeld(1)
    release()
    expect(JSON.stringify((await bought).json)).toContain(MESSAGE)
    const alone = await send(v1, batch.slice(1), { headers: client.headers })
    expect(alone.status).toBe(202)
  })

  test('is answered even if another call has the same id', async () => {
    const { net, untilHeld, release } = heldNet()
    const { v1 } = createMcp(net)
    const client = await connect(v1)
    await client.call('login', LOGIN)
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: BUY }
    const both = [1, 2].map(() => send(v1, body, { headers: client.headers }))
    await untilHeld(2)
    release()
    for (const bought of await Promise.all(both)) expect(messageOf(bought)).toBe(MESSAGE)
  })

  test('is answered even if its protocol session ends meanwhile', async () => {
    const { net, untilHeld, release } = heldNet()
    const { v1 } = createMcp(net)
    const client = await connect(v1)
    await client.call('login', LOGIN)
    const bought = client.request('tools/call', BUY)
    await untilHeld(1)
    const ended = await send(v1, undefined, { method: 'DELETE', headers: client.headers })
    expect(ended.status).toBe(200)
    release()
    expect(messageOf(await bought)).toBe(MESSAGE)
    expect((await client.request('ping')).status).toBe(404)
    expect(net.pools.pools.mcp.size).toBe(0)
  })
})

describe('protocol sessions', () => {
  test('a flood of handshakes displaces only the longest unused strangers', async () => {
    const net = fakeNet(() => [{ outcome: ok({}) }])
    const { v1 } = createMcp(net)
    const player = await connect(v1)
    await player.call('login', LOGIN)
    const stranger = await connect(v1)
    const active = await connect(v1)
    // The active stranger sends a request in the middle of the flood.
    for (let i = 0; i < MCP_UNBOUND_SESSIONS_MAX; i++) {
      if (i === MCP_UNBOUND_SESSIONS_MAX / 2)
        expect((await active.request('ping')).status).toBe(200)
      await initialize(v1)
    }
    expect((await stranger.request('ping')).status).toBe(404)
    expect((await active.request('ping')).status).toBe(200)
    expect((await player.call('get_status')).result.isError).toBeUndefined()
  })

  test('a flood of handshakes displaces players who logged out or whose login ended', () => {
    const sessions = createProtocolSessions(false)
    const login = (): Session => ({ gone: false }) as Session
    const open = (nowMs: number) =>
      openProtocolSession(sessions, { revision: VERSION, ip: 'x', nowMs })
    const [loggedOut, ended, kept] = [open(1), open(1), open(1)]
    for (const session of [loggedOut, ended, kept]) {
      session.protocol.login = login()
      touchProtocolSession(sessions, session, 2)
    }
    loggedOut.protocol.login = undefined
    touchProtocolSession(sessions, loggedOut, 3)
    Object.assign(ended.protocol.login as Session, { gone: true })
    for (let i = 0; i < 2 * MCP_UNBOUND_SESSIONS_MAX; i++) open(MCP_SWEEP_EVERY_MS + i)
    const isThere = ({ id }: { id: string }) => findProtocolSession(sessions, id, 5) !== undefined
    expect([loggedOut, ended, kept].map(isThere)).toEqual([false, false, true])
    expect(sessions.strangers.size).toBe(MCP_UNBOUND_SESSIONS_MAX)
    // An exchange that ends after its session was removed does not bring that back.
    touchProtocolSession(sessions, loggedOut, 6)
    expect(isThere(loggedOut)).toBe(false)
  })

  test('a player has a bounded number of sessions, however often they log in', async () => {
    const net = fakeNet(() => [{ outcome: ok({}) }])
    const { v1 } = createMcp(net)
    const clients = []
    for (let i = 0; i < 8; i++) {
      const client = await connect(v1)
      await client.call('login', LOGIN)
      clients.push(client)
    }
    expect(net.pools.pools.mcp.size).toBe(5)
    const first = (await clients[0].call('get_status')).result
    expect(first.content[0].text).toMatch(/^Error: session_invalid: /)
    expect(first.structuredContent.error.details).toEqual({ reason: 'replaced' })
    expect((await clients[7].call('get_status')).result.isError).toBeUndefined()
  })

  test('a session ends after 30 minutes without a request', async () => {
    const clock = testClock()
    const { v1 } = createMcp({ ...fakeNet(() => [{ outcome: ok({}) }]), clock })
    const client = await connect(v1)
    clock.advance(29 * 60_000)
    expect((await client.request('ping')).status).toBe(200)
    clock.advance(31 * 60_000)
    expect((await client.request('ping')).status).toBe(404)
  })
})

const HELLO = {
  protocolVersion: VERSION,
  capabilities: {},
  clientInfo: { name: 'flood', version: '1' },
}
const initialize = (endpoint: Parameters<typeof send>[0]) =>
  send(endpoint, { jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO })

describe('the rules of the 2025 revisions', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  test('a batch is answered up to a bound of bytes, and with errors beyond that', async () => {
    const long = 'x'.repeat(MCP_BATCH_ANSWER_BYTES_MAX / 8)
    const { v1 } = createMcp(fakeNet(() => [{ outcome: ok({ long }) }]))
    const { headers, call } = await connect(v1, '2025-03-26')
    await call('login', LOGIN)
    const [note, list] = ['notifications/x', 'tools/list'].map((method) => ({ ...ping, method }))
    const statusCall = { ...ping, method: 'tools/call', params: { name: 'get_status' } }
    const batch = [list, ...Array(16).fill(statusCall), list].map((message, id) => ({
      ...message,
      id,
    }))
    const { json } = await send(v1, [...batch, { ...note, id: undefined }], { headers })
    expect(json.map(({ id }: { id: number }) => id)).toEqual(batch.map(({ id }) => id))
    expect(JSON.stringify(json).length).toBeLessThan(1.1 * MCP_BATCH_ANSWER_BYTES_MAX)
    // The first list and seven calls fit into the bound.
    const whole = json.filter(({ result }: { result?: object }) => result)
    expect([whole.length, json.at(-1).error.code]).toEqual([8, -32600])
  })

  test('messages in a batch name commands as the endpoint does', async () => {
    const world = () => [{ outcome: ok({ message: say`Use {get_status}.` }) }]
    const { v1, v2 } = createMcp(fakeNet(world))
    const cases = [
      { endpoint: v1, tool: 'login', login: LOGIN, params: { name: 'get_status' } },
      {
        endpoint: v2,
        tool: 'game_auth',
        login: { action: 'login', ...LOGIN },
        params: { name: 'game', arguments: { action: 'get_status' } },
      },
    ]
    const texts: string[] = []
    for (const { endpoint, tool, login, params } of cases) {
      const { headers, call } = await connect(endpoint, '2025-03-26')
      await call(tool, login)
      const batch = [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }]
      texts.push(
        (await send(endpoint, batch, { headers })).json[0].result.structuredContent.message,
      )
    }
    expect(texts).toEqual(['Use get_status.', 'Use game/get_status.'])
  })

  test('batches are allowed only in 2025-03-26, and never with initialize', async () => {
    const { v1 } = createMcp(fakeNet(() => []))
    const old = await connect(v1, '2025-03-26')
    const batch = [ping, { ...ping, id: 2 }, { jsonrpc: '2.0', method: 'notifications/x' }]
    const answers = (await send(v1, batch, { headers: old.headers })).json
    expect(answers.map(({ id }: { id: number }) => id)).toEqual([1, 2])
    const hello = { jsonrpc: '2.0', id: 3, method: 'initialize', params: HELLO }
    expect((await send(v1, [hello, ping], { headers: old.headers })).status).toBe(400)
    expect((await send(v1, [hello])).status).toBe(400)
    for (const version of ['2025-06-18', '2025-11-25']) {
      const { headers } = await connect(v1, version)
      const refused = await send(v1, batch, { headers })
      expect(refused).toMatchObject({ status: 400, json: { error: { code: -32600 } } })
    }
    expect((await send(v1, [], { headers: old.headers })).status).toBe(400)
  })

  test('a wrong version header is 400 on every method, also with a session', async () => {
    const { v1 } = createMcp(fakeNet(() => []))
    const { headers } = await connect(v1)
    const wrong = { ...headers, 'mcp-protocol-version': '1999-01-01' }
    expect((await send(v1, ping, { headers: wrong })).status).toBe(400)
    expect((await send(v1, undefined, { method: 'DELETE', headers: wrong })).status).toBe(400)
    expect((await send(v1, ping, { headers })).status).toBe(200)
  })

  test('a body that is not JSON-RPC is answered with a protocol error', async () => {
    const { v1 } = createMcp(fakeNet(() => []))
    const client = await connect(v1)
    for (const body of ['null', '7', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '']) {
      const answer = await send(v1, body, { headers: client.headers })
      expect({ body, status: answer.status }).toEqual({ body, status: 400 })
      expect(answer.json.error.code).toBeLessThanOrEqual(-32600)
    }
    expect((await client.request('tools/teleport')).json.error.code).toBe(-32601)
    const calls = [
      {},
      { name: 7 },
      { name: 'buy', arguments: 'all' },
      { name: 'buy', arguments: [] },
    ]
    for (const params of calls)
      expect((await client.request('tools/call', params)).json.error).toBeDefined()
    const page = await client.request('tools/list', { cursor: 'page-9' })
    expect(page.json.error.code).toBe(-32602)
    const text = { 'content-type': 'text/plain' }
    const plain = await send(v1, ping, { headers: { ...client.headers, ...text } })
    expect(plain.status).toBe(415)
  })

  test('an unknown resource is answered with an error that names it', async () => {
    const client = await connect(createMcp(fakeNet(() => [])).v1)
    const { error } = (await client.request('resources/read', { uri: 'game://nowhere' })).json
    expect(error).toMatchObject({ code: -32602, data: { uri: 'game://nowhere' } })
  })
})

describe('a server without allowed hosts', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const statusOf = async (allowed: string[], headers: Record<string, string>) => {
    const net = fakeNet(() => [], { allowedHosts: [], allowedOrigins: allowed })
    return (await send(createMcp(net).v1, ping, { headers })).status
  }

  test('allows only loopback hosts and origins, even if * allows all origins elsewhere', async () => {
    for (const allowed of [[], ['*']]) {
      expect(await statusOf(allowed, {})).toBe(400)
      expect(await statusOf(allowed, { host: 'game.example:8080' })).toBe(403)
      expect(await statusOf(allowed, { host: '[::1]:8080' })).toBe(400)
      expect(await statusOf(allowed, { origin: 'https://app.example' })).toBe(403)
      expect(await statusOf(allowed, { origin: '*' })).toBe(403)
      expect(await statusOf(allowed, { origin: 'http://localhost@evil.example' })).toBe(403)
      expect(await statusOf(allowed, { origin: 'file://' })).toBe(403)
      expect(await statusOf(allowed, { origin: 'http://127.0.0.1:6274' })).toBe(400)
    }
  })

  test('is the default, and listens on loopback', () => {
    const { host, allowedHosts } = loadConfig({}, [])
    expect({ host, allowedHosts }).toEqual({ host: '127.0.0.1', allowedHosts: [] })
  })
})
