/** The routes that need no session, and their rate limits. */
import { describe, expect, test } from 'vitest'
import { LOST } from '../../../net/http/answer.ts'
import type { Exchange } from '../../../net/http/exchange.ts'
import { createHttpFloods } from '../../../net/http/http.ts'
import { createPublicRoutes } from '../../../net/http/public-routes.ts'
import { createRouter, findRoute } from '../../../net/router.ts'
import { fakeNet } from './fake-net.ts'

interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

function requester(limits: boolean) {
  const { routes } = createPublicRoutes(
    fakeNet(() => [], { limits }),
    createHttpFloods(),
  )
  const router = createRouter(routes)
  return async (method: string, path: string, body = ''): Promise<Answer> => {
    const found = findRoute(router, method, path)
    if (found === 'no_path' || 'allowed' in found) throw new Error(`${method} ${path} has no route`)
    const headers: Record<string, string> = { host: 'localhost', 'accept-encoding': '' }
    return new Promise((resolve, reject) => {
      const exchange: Exchange = {
        method,
        path,
        query: new URLSearchParams(),
        requestId: 'a',
        remote: '127.0.0.1',
        header: (name) => headers[name] ?? '',
        body: Promise.resolve(Buffer.from(body)),
        isDone: () => false,
        cutOff: () => undefined,
        onAborted: () => undefined,
        respond: (status, out, text) => resolve({ status, headers: out, body: String(text) }),
        stream: () => LOST,
      }
      Promise.resolve(found.route.handle(exchange, found.params)).catch(reject)
    })
  }
}

describe('public routes', () => {
  test('serve documents, pages and MCP', async () => {
    const request = requester(false)
    for (const path of ['/api/openapi.json', '/api/v1/openapi.json', '/api/v2/openapi.json'])
      expect(JSON.parse((await request('GET', path)).body)).toHaveProperty('openapi', '3.1.0')
    for (const path of ['/api/docs', '/api/v2/docs'])
      expect((await request('GET', path)).headers['content-type']).toMatch('text/html')
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    for (const path of ['/mcp', '/mcp/v2', '/mcp/docs'])
      expect((await request('POST', path, ping)).status).toBe(400)
    expect((await request('GET', '/mcp')).status).toBe(405)
  })

  test('only one of the OpenAPI documents may be fetched in a minute', async () => {
    const request = requester(true)
    expect((await request('GET', '/api/openapi.json')).status).toBe(200)
    const second = await request('GET', '/api/v1/openapi.json')
    expect(second.status).toBe(429)
    expect(JSON.parse(second.body)).toMatchObject({ error: 'rate_limited', code: 'rate_limited' })
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0)
    expect((await request('GET', '/api/v2/openapi.json')).status).toBe(429)
  })

  test('a request before the first public tick is answered with a flat error', async () => {
    const answer = await requester(false)('GET', '/api/map')
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([503, 'not_ready'])
  })
})
