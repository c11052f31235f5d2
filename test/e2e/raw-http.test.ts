/**
 * HTTP that no library would send: the server replies or ends the connection, and still answers
 * others at once.
 */
import { connect as openTcp } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newPlayer, post, request } from './wire.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })
let session: string
beforeAll(async () => {
  const registered = await post(`${server.url}/api/v1/register`, newPlayer())
  session = (registered.body.session as { id: string }).id
})

const WITHIN_MS = 1_000

/** Sends bytes; resolves with what came until the server ended the connection or time was up. */
function exchange(parts: readonly string[], isHalfClosed = false): Promise<string> {
  const { port } = new URL(server.url)
  return new Promise((resolve) => {
    const socket = openTcp({ port: Number(port), host: '127.0.0.1' })
    let text = ''
    const timer = setTimeout(() => socket.destroy(), WITHIN_MS)
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(text)
    })
    socket.on('connect', () => {
      for (const part of parts) socket.write(part)
      if (isHalfClosed) socket.end()
    })
  })
}

const head = (path: string, ...lines: string[]): string =>
  `${[`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `X-Session-Id: ${session}`, ...lines].join('\r\n')}\r\n\r\n`
const statusesIn = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

test('two requests in one packet are answered in order, or the connection ends', async () => {
  const first = head('/api/v1/get_status', 'Content-Length: 2')
  const second = head('/api/v1/fly', 'Content-Length: 0', 'Connection: close')
  // The native library ends a connection that sends more while an answer is pending.
  const statuses = statusesIn(await exchange([`${first}{}${second}`]))
  expect([[], [200], [200, 404]]).toContainEqual(statuses)
})

test('HEAD is answered without a body, and the next request is understood', async () => {
  const next = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  for (const [path, status] of [
    ['/health', 200],
    ['/nowhere', 404],
    ['/api/v2/session', 405],
    ['/api/v1/get_status', 405],
  ] as const) {
    const text = await exchange([`HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n${next}`])
    const [first, second] = text.split(/(?=HTTP\/1\.1 \d{3})/)
    expect([path, ...statusesIn(first)]).toEqual([path, status])
    expect(first).toMatch(/\r\n\r\n$/)
    expect(second).toContain('"status":"ok"')
  }
})

test('HEAD has the headers of GET', async () => {
  for (const path of ['/health', '/docs', '/api/items']) {
    const headersOf = async (method: string) => {
      const { status, headers } = await fetch(server.url + path, { method })
      return [status, headers.get('content-type'), headers.get('etag')]
    }
    expect(await headersOf('HEAD')).toEqual(await headersOf('GET'))
  }
})

test('a chunked body is read whole, and one that is too long is 413', async () => {
  const start = head('/api/v1/get_status', 'Transfer-Encoding: chunked', 'Connection: close')
  expect(statusesIn(await exchange([start, '1\r\n{\r\n', '1\r\n}\r\n', '0\r\n\r\n']))).toEqual([
    200,
  ])
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const long = [start, ...Array.from({ length: 12 }, () => chunk), '0\r\n\r\n']
  expect(statusesIn(await exchange(long))).toEqual([413])
})

/** Broken requests by name, as the parts in which they are sent. */
const BROKEN: readonly (readonly [string, () => readonly string[]])[] = [
  ['nothing at all', () => ['']],
  ['no HTTP', () => ['hello\r\n\r\n']],
  ['zero bytes', () => ['\0'.repeat(100)]],
  ['half a head', () => ['POST /api/v1/get_status HTTP/1.1\r\nHost: x']],
  ['less body than promised', () => [head('/api/v1/get_status', 'Content-Length: 100'), '{}']],
  ['more body than promised', () => [head('/api/v1/get_status', 'Content-Length: 2'), '{}{}{}']],
  ['a negative length', () => [head('/api/v1/get_status', 'Content-Length: -1'), '{}']],
  ['a length of words', () => [head('/api/v1/get_status', 'Content-Length: two'), '{}']],
  ['a length beyond numbers', () => [head('/api/v1/undock', `Content-Length: ${'9'.repeat(40)}`)]],
  ['two lengths', () => [head('/api/v1/fly', 'Content-Length: 2', 'Content-Length: 9'), '{}']],
  [
    'length and chunks',
    () => [head('/api/v1/fly', 'Content-Length: 2', 'Transfer-Encoding: chunked'), '0\r\n\r\n'],
  ],
  [
    'a chunk of a false size',
    () => [head('/api/v1/fly', 'Transfer-Encoding: chunked'), 'zz\r\nxx\r\n0\r\n\r\n'],
  ],
  ['a head of a megabyte', () => [head('/api/v1/fly', `X-Long: ${'x'.repeat(1_000_000)}`)]],
  [
    'ten thousand headers',
    () => [head('/api/v1/fly', ...Array.from({ length: 10_000 }, (_, i) => `X-${i}: 1`))],
  ],
  ['an address of a megabyte', () => [head(`/api/v1/${'y'.repeat(1_000_000)}`)]],
  ['an address that does not decode', () => [head('/api/v1/%zz%', 'Content-Length: 0')]],
  ['dots in the address', () => [head('/api/v1/../../etc/passwd', 'Content-Length: 0')]],
  ['another method', () => ['BREW /api/v1/fly HTTP/1.1\r\nHost: x\r\n\r\n']],
  ['another protocol', () => ['GET /health HTTP/9.9\r\nHost: x\r\n\r\n']],
  ['a line break in a header', () => [head('/api/v1/fly', 'X-A: b\nX-Session-Id: c', 'X-Z: 1')]],
  ['an upgrade to nowhere', () => [head('/nowhere', 'Upgrade: websocket', 'Connection: Upgrade')]],
  [
    'an upgrade without a key',
    () => ['GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ],
]

test.concurrent.each(BROKEN)('a request with %s does no harm', async (_, parts) => {
  const texts = await Promise.all([exchange(parts()), exchange(parts(), true)])
  for (const text of texts) for (const status of statusesIn(text)) expect(status).not.toBe(500)
  const since = performance.now()
  expect((await request(`${server.url}/health`)).status).toBe(200)
  expect(performance.now() - since).toBeLessThan(WITHIN_MS)
})

test('the session named in the broken requests is still valid', async () => {
  const header = { 'x-session-id': session }
  expect((await post(`${server.url}/api/v1/get_status`, {}, header)).status).toBe(200)
})
