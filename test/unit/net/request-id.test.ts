/** The id of an HTTP request: where it comes from, and its place in answers and in the log. */
import { afterAll, describe, expect, test } from 'vitest'
import type { FakeNet } from './fake-net.ts'
import { call, closeNets, LOGIN, post, startNet } from './http-calls.ts'

afterAll(closeNets)

const idOf = async (port: number, given?: string): Promise<string | null> => {
  const headers: Record<string, string> = given === undefined ? {} : { 'X-Request-Id': given }
  return (await call(port, '/health', { headers })).headers.get('x-request-id')
}

describe('an answer', () => {
  test('has the id its request came with', async () => {
    const { port } = await startNet()
    const longest = 'a'.repeat(64)
    for (const given of ['a', '0b4f.A_z-9', longest]) expect(await idOf(port, given)).toBe(given)
  })

  test('has a new id if its request came with none, or with an unusable one', async () => {
    const { port } = await startNet()
    const ids = new Set<string | null>()
    for (const given of [undefined, '', 'a b', 'a,b', 'é', '"', 'a'.repeat(65)]) {
      const id = await idOf(port, given)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/)
      ids.add(id)
    }
    expect(ids.size).toBe(7)
  })

  test('has the id on every route, with every method and status', async () => {
    const { port } = await startNet()
    const headers = { 'x-request-id': 'mine' }
    for (const [path, method, status] of [
      ['/api/v1/session', 'POST', 200],
      ['/nowhere', 'GET', 404],
      ['/health', 'HEAD', 200],
      ['/health', 'OPTIONS', 204],
      ['/mcp', 'GET', 405],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
      expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'mine'])
    }
  })

  test('lets pages of other origins send and read the id', async () => {
    const { port } = await startNet()
    const headers = { origin: 'https://play.example' }
    const asked = await call(port, '/health', { method: 'OPTIONS', headers })
    expect(asked.headers.get('access-control-allow-headers')?.split(', ')).toContain('x-request-id')
    expect(asked.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
  })
})

describe('a log line about a failed command', () => {
  /** Makes a net whose accounts fail during a login. */
  async function startFailingNet(): Promise<FakeNet> {
    const started = await startNet()
    started.accounts.findByUsernameKey = () => Promise.reject(new Error('away'))
    return started
  }

  const loginPaths = ['/api/v1/login', '/api/v2/game_auth/login']
  test.each(loginPaths)('that was sent to %s has the request id', async (path) => {
    const { port, lines, fields } = await startFailingNet()
    await call(port, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'from.a-client' },
      body: JSON.stringify(LOGIN),
    })
    expect(lines).toEqual(['a command failed on the main thread'])
    expect(fields).toEqual([
      expect.objectContaining({ command: 'login', requestId: 'from.a-client' }),
    ])
    const { headers } = await post(port, path, LOGIN)
    expect(fields[1]).toMatchObject({ requestId: headers.get('x-request-id') })
  })

  test.each(['/mcp', '/mcp/v2'])('that was sent to %s has the request id', async (path) => {
    const { port, fields } = await startFailingNet()
    const tool = path === '/mcp' ? { name: 'login' } : { name: 'game_auth' }
    const action = path === '/mcp' ? {} : { action: 'login' }
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-request-id': 'from.a-model',
    }
    const rpc = (method: string, params: object, ownHeaders: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { ...headers, ...ownHeaders },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
    const clientInfo = { name: 'test', version: '1' }
    const init = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const session = (await rpc('initialize', init)).headers.get('mcp-session-id') ?? ''
    const params = { ...tool, arguments: { ...LOGIN, ...action } }
    const answer = await rpc('tools/call', params, { 'mcp-session-id': session })
    expect(answer.headers.get('x-request-id')).toBe('from.a-model')
    expect(fields).toEqual([
      expect.objectContaining({ command: 'login', requestId: 'from.a-model' }),
    ])
  })
})
