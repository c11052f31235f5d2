/**
 * Progress notifications of blocked calls, on both listeners and in both families of revisions; the
 * test steps the ticks.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { startOn } from '../fault/program.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { useTestDatabase } from '../used-server.ts'
import { openSdk, type Revision } from './sdk-client.ts'
import { newPlayer, post, request } from './wire.ts'

const database = useTestDatabase()

const ORIGIN = 'http://localhost:3000'
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const MODERN: Revision = '2026-07-28'
const CLIENT = { name: 'progress', version: '1' }

interface Caller {
  /** Returns headers and body of a call; both families name the session in the arguments. */
  requestOf(method: string, params: Params): { headers: Record<string, string>; body: string }
}

const bodyOf = (method: string, params: Params): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })

async function openCaller(address: string, revision: string): Promise<Caller> {
  if (revision === MODERN) {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    return {
      requestOf: (method, { _meta = {}, ...params }) => ({
        headers: {
          ...ACCEPT,
          'mcp-protocol-version': MODERN,
          'mcp-method': method,
          ...(params.name ? { 'mcp-name': String(params.name) } : {}),
        },
        body: bodyOf(method, { ...params, _meta: { ...meta, ...(_meta as Params) } }),
      }),
    }
  }
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT }
  const opened = await post(address, JSON.parse(bodyOf('initialize', hello)), ACCEPT)
  const session = opened.headers.get('mcp-session-id') ?? ''
  const headers = { ...ACCEPT, 'mcp-session-id': session, 'mcp-protocol-version': revision }
  return { requestOf: (method, params) => ({ headers, body: bodyOf(method, params) }) }
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
}

/** Returns a function that reads the next event of an answer; undefined when it has ended. */
function eventsOf(response: Response): () => Promise<Message | undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async () => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [, data] = text.slice(0, end).split('data: ')
        text = text.slice(end + 2)
        return JSON.parse(data) as Message
      }
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      text += value
    }
  }
}

const PROGRESS = { _meta: { progressToken: 'mine' } }

describe.each([
  ['native', false],
  ['node', true],
])('on the %s listener', (_, isFallback) => {
  let server: TestServer
  let address: string
  beforeAll(async () => {
    server = await startOn(isFallback, () => startTestServer(database, { isSmallMap: true }))
    address = `${server.url}/mcp`
  })
  afterAll(async () => {
    await server?.stop()
  })

  const countResponses = async (): Promise<number> => {
    const { text } = await request(`${server.url}/metrics`)
    return Number(/^\w*http_responses_total\{status="200"\} (\d+)/m.exec(text)?.[1])
  }

  /** Registers a player and returns the functions that call tools in its session. */
  async function openSession(revision: string) {
    const caller = await openCaller(address, revision)
    const send = (method: string, params: Params, signal?: AbortSignal): Promise<Response> => {
      const { headers, body } = caller.requestOf(method, params)
      return fetch(address, {
        method: 'POST',
        headers: { ...headers, origin: ORIGIN },
        body,
        ...(signal ? { signal } : {}),
      })
    }
    const registered = await send('tools/call', { name: 'register', arguments: newPlayer() })
    const { result } = (await registered.json()) as { result: { structuredContent: Params } }
    const { session_id } = result.structuredContent
    const call = (name: string, extra: Params = {}, signal?: AbortSignal): Promise<Response> =>
      send('tools/call', { name, arguments: { session_id }, ...extra }, signal)
    const resultOf = async (name: string): Promise<Params> =>
      ((await (await call(name)).json()) as { result: { structuredContent: Params } }).result
        .structuredContent
    return { send, call, resultOf }
  }

  describe.each(['2025-06-18', MODERN])('%s', (revision) => {
    test('a blocked mutation reports progress before its tick and its result after', async () => {
      const { call } = await openSession(revision)
      const before = await countResponses()
      const response = await call('undock', PROGRESS)
      const next = eventsOf(response)
      expect(await next()).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken: 'mine', progress: 0, message: expect.stringContaining('undock') },
      })
      // No tick has run yet, so the notification came before it.
      expect(server.link.pending()).toBe(1)
      await server.link.step(1)
      const last = await next()
      expect(last).toMatchObject({ id: 7, result: { structuredContent: expect.any(Object) } })
      expect(last?.result?.isError).not.toBe(true)
      expect(await next()).toBeUndefined()
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      })
      // One response is the call's, the other is that of the first metrics request.
      expect((await countResponses()) - before).toBe(2)
    })

    test('a call without a progress token, or another method, gets one JSON body', async () => {
      const { send, call } = await openSession(revision)
      const plain = await call('get_status')
      const list = await send('tools/list', PROGRESS)
      for (const response of [plain, list])
        expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      const { result } = (await list.json()) as { result: { tools: object[] } }
      expect(result.tools.length).toBeGreaterThan(100)
    })

    test('a call whose client hangs up still runs, and its outcome is queued', async () => {
      const { call, resultOf } = await openSession(revision)
      const patience = new AbortController()
      const next = eventsOf(await call('undock', PROGRESS, patience.signal))
      expect((await next())?.method).toBe('notifications/progress')
      patience.abort()
      await expect(next()).rejects.toThrow()
      expect(server.link.pending()).toBe(1)
      await expect.poll(async () => (await request(`${server.url}/health`)).status).toBe(200)
      await server.link.step(1)
      const { player } = (await resultOf('get_status')) as { player: Params }
      expect(player.docked_at_base ?? '').toBe('')
      // Nobody read the outcome, so it became a notification.
      expect(JSON.stringify(await resultOf('get_notifications'))).toContain('undock')
    })

    test('the client of the SDK receives the progress', async () => {
      const { client } = await openSdk(
        server.url,
        '/mcp',
        revision === MODERN ? MODERN : '2025-11-25',
      )
      const registered = await client.callTool({ name: 'register', arguments: newPlayer() })
      const { session_id } = registered.structuredContent as { session_id: string }
      const notices: unknown[] = []
      const undock = client.callTool(
        { name: 'undock', arguments: { session_id } },
        { onprogress: (progress) => notices.push(progress) },
      )
      await expect.poll(() => notices.length).toBe(1)
      expect(server.link.pending()).toBe(1)
      await server.link.step(1)
      const result = await undock
      expect(result.isError ?? false).toBe(false)
      expect(notices).toEqual([
        { progress: 0, message: expect.stringMatching(/^undock is accepted/) },
      ])
      await client.close()
    })
  })
})
