/** MCP over both protocol families: sessions, tools, refusals, blocking, waiting. */
import { describe, expect, test, vi } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import { MCP_ANSWER_BYTES_MAX } from '../../../core/limits.ts'
import { createMcp } from '../../../net/mcp/mcp.ts'
import { connect, fakeNet, modern, PASSWORD, send, type World } from './fake-net.ts'

const echo: World = ({ command, params, framing }) =>
  command === 'buy'
    ? [
        { stage: 'accepted', outcome: ok({}) },
        {
          outcome: ok({ message: 'Bought 2.', item_id: params.item_id }),
          sections: framing === 'mcp2' ? { cargo: [] } : {},
          autoDocked: true,
        },
      ]
    : [{ outcome: ok({ command, framing, ...params }) }]

interface ProgressEvent {
  readonly params?: { readonly progress: number }
}

const mcpOf = (world: World = echo) => createMcp(fakeNet(world))
const LOGIN = { username: 'Ada', password: PASSWORD }

describe('protocol of the 2025 revisions', () => {
  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'revision %s is spoken',
    async (version) => {
      const client = await connect(mcpOf().v1, version)
      expect(client.first.json.result).toMatchObject({
        protocolVersion: version,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'game', version: '0.599.5' },
        instructions: expect.stringContaining('session_id'),
      })
      expect(client.headers['mcp-session-id']).toMatch(/^[0-9a-f]{64}$/)
      expect(client.ready.status).toBe(202)
      expect((await client.request('ping')).json.result).toEqual({})
      expect((await client.request('resources/list')).json.result).toEqual({ resources: [] })
    },
  )

  test('a missing session id is 400, an unknown one 404, a wrong version 400', async () => {
    const { v1 } = mcpOf()
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await send(v1, ping)).status).toBe(400)
    expect((await send(v1, ping, { headers: { 'mcp-session-id': 'x' } })).status).toBe(404)
    const { headers } = await connect(v1)
    const wrong = { ...headers, 'mcp-protocol-version': '1999-01-01' }
    expect((await send(v1, ping, { headers: wrong })).status).toBe(400)
  })

  test('GET, broken JSON and too deep JSON are refused', async () => {
    const { v1 } = mcpOf()
    expect((await send(v1, undefined, { method: 'GET' })).status).toBe(405)
    expect((await send(v1, '{')).json.error.code).toBe(-32700)
    expect((await send(v1, `${'['.repeat(5000)}${']'.repeat(5000)}`)).status).toBe(400)
  })

  test('a batch is answered', async () => {
    const { v1 } = mcpOf()
    const { headers } = await connect(v1, '2025-03-26')
    const answers = await send(
      v1,
      [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
      { headers },
    )
    expect(answers.json).toHaveLength(2)
  })

  test('DELETE ends the session and the login made on it', async () => {
    const net = fakeNet(echo)
    const { v1 } = createMcp(net)
    const client = await connect(v1)
    await client.call('login', LOGIN)
    expect(net.pools.pools.mcp.size).toBe(1)
    const ended = await send(v1, undefined, { method: 'DELETE', headers: client.headers })
    expect(ended.status).toBe(200)
    expect(net.pools.pools.mcp.size).toBe(0)
    expect((await client.request('ping')).status).toBe(404)
  })
})

describe('the 2026 revision', () => {
  test('needs no session for discovery, list and calls', async () => {
    const { v1 } = mcpOf()
    const discovered = await modern(v1, 'server/discover')
    expect(discovered.json.result.supportedVersions).toContain('2026-07-28')
    expect((await modern(v1, 'tools/list')).json.result.tools).toHaveLength(6)
    const logged = await modern(v1, 'tools/call', { name: 'login', arguments: LOGIN })
    const { session_id } = logged.json.result.structuredContent
    const status = await modern(v1, 'tools/call', { name: 'get_status', arguments: { session_id } })
    expect(status.json.result.structuredContent).toMatchObject({ command: 'get_status' })
    const nobody = await modern(v1, 'tools/call', { name: 'get_status', arguments: {} })
    expect(nobody.json.result.content[0].text).toMatch(/^Error: session_required: /)
  })

  test('offers no event stream', async () => {
    const answer = await modern(mcpOf().v1, 'subscriptions/listen', { notifications: {} })
    expect(answer.json.error.code).toBe(-32601)
  })
})

describe('Origin and Host', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  test.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['http://127.0.0.1.evil.example', 403],
    ['not an origin', 403],
    ['http://localhost:6274', 400],
    ['https://app.example', 400],
  ])('origin %s answers %i', async (origin, status) => {
    expect((await send(mcpOf().v1, ping, { headers: { origin } })).status).toBe(status)
  })

  test.each([
    ['evil.example', 403],
    ['', 403],
    ['localhost', 400],
    ['game.example:8080', 400],
  ])('host %s answers %i', async (host, status) => {
    expect((await send(mcpOf().v1, ping, { headers: { host } })).status).toBe(status)
  })
})

describe('tools', () => {
  test('/mcp lists one tool a command, in registry order', async () => {
    const client = await connect(mcpOf().v1)
    const { tools } = (await client.request('tools/list')).json.result
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      'get_status',
      'buy',
      'catalog',
      'set_status',
      'login',
      'logout',
    ])
    const [, buy, catalog, , login] = tools
    expect(Object.keys(buy.inputSchema.properties)).toEqual([
      'item_id',
      'quantity',
      'note',
      'session_id',
    ])
    expect(buy.inputSchema.required).toEqual(['item_id', 'quantity'])
    expect(buy.annotations.readOnlyHint).toBe(false)
    expect(catalog.annotations.readOnlyHint).toBe(true)
    expect(login.inputSchema.properties).not.toHaveProperty('session_id')
  })

  test('/mcp/v2 groups actions by tool, limited by preset and exclusions', async () => {
    const { v2 } = mcpOf()
    const listed = async (query: string) =>
      (await (await connect(v2, '2025-11-25', query)).request('tools/list')).json.result.tools
    const tools = await listed('')
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      'game',
      'game_auth',
      'game_social',
      'game_catalog',
    ])
    expect(tools[0].inputSchema).toMatchObject({
      properties: { action: { enum: ['get_status', 'buy', 'help'] }, id: { type: 'string' } },
      required: ['action'],
    })
    expect(tools[0].description).toContain('\n  buy(id, quantity) — [M] Buys items.')
    expect(tools[3].inputSchema.required).toEqual(['type'])
    const reduced = await listed('preset=basic&exclude=game_social,game/buy')
    expect(reduced.map((tool: { name: string }) => tool.name)).not.toContain('game_social')
    expect(reduced[0].inputSchema.properties.action.enum).toEqual(['get_status', 'help'])
  })

  test('an unknown tool is a protocol error, a refusal is not', async () => {
    const client = await connect(mcpOf().v1)
    expect((await client.call('nonsense')).error).toMatchObject({ code: -32602 })
    const { result } = await client.call('login', { username: 'Ada', password: 'wrong' })
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toBe(
      'Error: invalid_credentials: Unknown name or wrong password; check both. ' +
        'A lost password is reset on the account page.',
    )
  })

  test('/mcp/v2 refuses missing and unknown actions, and explains itself', async () => {
    const client = await connect(mcpOf().v2)
    expect((await client.call('game')).result.content[0].text).toMatch(/missing_action/)
    expect((await client.call('game', { action: 'x' })).result.content[0].text).toMatch(
      /invalid_action/,
    )
    const help = await client.call('game', { action: 'help', topic: 'buy' })
    expect(help.result.content[0].text).toContain('game/buy(id, quantity)')
    const { error } = await client.call('mine')
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: mine/),
    })
    const direct = await client.call('game_catalog', { type: 'items' })
    expect(direct.result.structuredContent).toMatchObject({ command: 'catalog', type: 'items' })
  })
})

describe('sessions', () => {
  test('a login returns its session, and the protocol session uses it', async () => {
    const client = await connect(mcpOf().v1)
    const before = await client.call('get_status')
    expect(before.result.content[0].text).toMatch(/^Error: session_required: /)
    const { result } = await client.call('login', LOGIN)
    const { session_id } = result.structuredContent
    expect(result.content[0].text).toContain(`Session ID: ${session_id}`)
    expect((await client.call('get_status')).result.isError).toBeUndefined()
  })

  test('a session id works on any protocol session until the next login discards it', async () => {
    const { v1 } = mcpOf()
    const first = await connect(v1)
    const { session_id } = (await first.call('login', LOGIN)).result.structuredContent
    const other = await connect(v1)
    expect((await other.call('get_status', { session_id })).result.isError).toBeUndefined()
    expect((await other.call('get_status')).result.content[0].text).toMatch(/session_required/)
    const second = (await first.call('login', LOGIN)).result.structuredContent
    expect(second.session_id).not.toBe(session_id)
    expect((await other.call('get_status', { session_id })).result.content[0].text).toMatch(
      /^Error: session_invalid: /,
    )
  })

  test('a failed login leaves no session behind', async () => {
    const net = fakeNet(echo)
    const client = await connect(createMcp(net).v1)
    await client.call('login', { username: 'Ada', password: 'wrong' })
    expect(net.pools.pools.mcp.size).toBe(0)
  })

  test('logout ends the session', async () => {
    const net = fakeNet(echo)
    const client = await connect(createMcp(net).v1)
    await client.call('login', LOGIN)
    await client.call('logout')
    expect(net.pools.pools.mcp.size).toBe(0)
    expect((await client.call('get_status')).result.content[0].text).toMatch(/session_required/)
  })

  test('open commands need no session', async () => {
    const client = await connect(mcpOf().v1)
    expect((await client.call('catalog', { type: 'items' })).result.isError).toBeUndefined()
  })
})

describe('commands', () => {
  test('a mutation blocks until its outcome, on v2 with sections and details', async () => {
    const { v1, v2 } = mcpOf()
    const v1Client = await connect(v1)
    await v1Client.call('login', LOGIN)
    const bought = await v1Client.call('buy', { item_id: 'iron', quantity: 2 })
    expect(bought.result.structuredContent).toMatchObject({
      item_id: 'iron',
      auto_docked: true,
      message: 'Bought 2.',
    })
    const v2Client = await connect(v2)
    await v2Client.call('game_auth', { action: 'login', ...LOGIN })
    const delta = await v2Client.call('game', { action: 'buy', id: 'iron', quantity: 2 })
    expect(delta.result.structuredContent).toMatchObject({
      cargo: [],
      details: { item_id: 'iron' },
      message: 'Bought 2.',
    })
    expect(delta.result.content[0].text).toBe('Bought 2.\nitem_id: iron\nauto_docked: true')
  })

  test('invalid parameters are refused with their fields', async () => {
    const client = await connect(mcpOf().v1)
    await client.call('login', LOGIN)
    const { result } = await client.call('buy', { item_id: 'iron', quantity: 'two' })
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toMatch(/^Error: invalid_payload: .*quantity/)
  })

  test('a call waits for its rate limit', async () => {
    let attempts = 0
    const net = fakeNet(() => {
      attempts += 1
      return [
        { outcome: attempts === 1 ? fail('rate_limited', { wait_seconds: 1 }) : ok({ attempts }) },
      ]
    })
    const client = await connect(createMcp(net).v1)
    await client.call('login', LOGIN)
    const { result } = await client.call('get_status')
    expect(result.structuredContent).toMatchObject({ attempts: 2 })
  })

  test('a client that asks for progress is notified of the wait before the result', async () => {
    let attempts = 0
    const net = fakeNet(() => {
      attempts += 1
      return [
        { outcome: attempts === 1 ? fail('rate_limited', { wait_seconds: 1 }) : ok({ attempts }) },
      ]
    })
    const client = await connect(createMcp(net).v1)
    await client.call('login', LOGIN)
    const params = { name: 'get_status', arguments: {}, _meta: { progressToken: 'p' } }
    const reply = await client.request('tools/call', params)
    expect(reply.headers['content-type']).toBe('text/event-stream')
    expect(reply.json).toMatchObject([
      {
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 0, total: 1, message: expect.any(String) },
      },
      { result: { structuredContent: { attempts: 2 } } },
    ])
  })

  test('events too long for one answer end with an error', async () => {
    const net = fakeNet(() => [{ outcome: ok({ text: 'x'.repeat(MCP_ANSWER_BYTES_MAX) }) }])
    const client = await connect(createMcp(net).v1)
    await client.call('login', LOGIN)
    const params = { name: 'get_status', arguments: {}, _meta: { progressToken: 'p' } }
    const { json } = await client.request('tools/call', params)
    expect(json).toMatchObject([{ id: expect.any(Number), error: { code: -32600 } }])
  })

  test('a blocked mutation is reported at once and every five seconds', async () => {
    const net = fakeNet(echo)
    const { submit } = net.link
    let finish: (() => void) | undefined
    net.link.submit = (command, sink) =>
      submit(command, (answer) => {
        if (answer.stage === 'accepted' || command.command !== 'buy') return sink(answer)
        finish = () => sink(answer)
        return true
      })
    const client = await connect(createMcp(net).v1)
    await client.call('login', LOGIN)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const args = { item_id: 'iron', quantity: 1 }
      const params = { name: 'buy', arguments: args, _meta: { progressToken: 'p' } }
      const reply = client.request('tools/call', params)
      await vi.waitFor(() => expect(finish).toBeDefined())
      vi.advanceTimersByTime(11_000)
      finish?.()
      const events = (await reply).json
      expect(events).toMatchObject([
        { params: { message: 'buy is accepted and waits for its tick.' } },
        { params: { message: 'buy has been pending for 5 seconds.' } },
        { params: { message: 'buy has been pending for 10 seconds.' } },
        { result: { structuredContent: { item_id: 'iron' } } },
      ])
      const [first, second, third] = events.map((event: ProgressEvent) => event.params?.progress)
      expect([first < second, second < third]).toEqual([true, true])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('a wait longer than 60 seconds is reported', async () => {
    const net = fakeNet(() => [{ outcome: fail('rate_limited', { wait_seconds: 61 }) }])
    const client = await connect(createMcp(net).v1)
    await client.call('login', LOGIN)
    const { result } = await client.call('get_status')
    expect(result.content[0].text).toMatch(
      /waits automatically for up to 60 seconds\..*try again in 61 seconds/i,
    )
  })

  test('the outcome of a mutation is not accepted for a client that is gone', async () => {
    const taken: boolean[] = []
    const net = fakeNet(echo)
    const { link } = net
    const { submit } = link
    link.submit = (command, sink) =>
      submit(command, (answer) => {
        const isTaken = sink(answer)
        if (answer.stage === 'final') taken.push(isTaken)
        return isTaken
      })
    const client = await connect(createMcp(net).v1)
    await client.call('login', LOGIN)
    taken.length = 0
    await client.call('buy', { item_id: 'iron', quantity: 1 }, { isGone: () => true })
    expect(taken).toEqual([false])
  })
})
