/**
 * HTTP as no library would send it: after each case the server lives, answers others at once, and
 * gave a reply or an end.
 */
import { connect as openTcp } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newPlayer, post, request } from './wire.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })
let session: string
beforeAll(async () => {
  const made = await post(`${server.url}/api/v1/register`, newPlayer())
  session = (made.body.session as { id: string }).id
})

const WITHIN_MS = 1_000

/** Sends bytes; resolves with what came until the server ended it, or time was up. */
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
  const one = head('/api/v1/get_status', 'Content-Length: 2')
  const two = head('/api/v1/fly', 'Content-Length: 0', 'Connection: close')
  // The native library ends a connection that sends on while an answer is owed.
  expect([[], [200], [200, 404]]).toContainEqual(statusesIn(await exchange([`${one}{}${two}`])))
})

test('HEAD is answered as GET without the body, and what follows is understood', async () => {
  const next = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  for (const [path, status] of [
    ['/health', 200],
    ['/nowhere', 404],
    ['/api/v2/session', 405],
    ['/api/v1/get_status', 405],
  ] as const) {
    const got = await exchange([`HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n${next}`])
    const [first, second] = got.split(/(?=HTTP\/1\.1 \d{3})/)
    expect([path, ...statusesIn(first)]).toEqual([path, status])
    expect(first).toMatch(/\r\n\r\n$/)
    expect(second).toContain('"status":"ok"')
  }
})

test('HEAD has the headers of GET', async () => {
  for (const path of ['/health', '/docs', '/api/items']) {
    const of = async (method: string) => {
      const { status, headers } = await fetch(server.url + path, { method })
      return [status, headers.get('content-type'), headers.get('etag')]
    }
    expect(await of('HEAD')).toEqual(await of('GET'))
  }
})

test('a body in chunks is read whole; one past the bound is 413', async () => {
  const start = head('/api/v1/get_status', 'Transfer-Encoding: chunked', 'Connection: close')
  expect(statusesIn(await exchange([start, '1\r\n{\r\n', '1\r\n}\r\n', '0\r\n\r\n']))).toEqual([
    200,
  ])
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const long = [start, ...Array.from({ length: 12 }, () => chunk), '0\r\n\r\n']
  expect(statusesIn(await exchange(long))).toEqual([413])
})

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

test.concurrent.each(BROKEN)('%s harms nobody', async (_, parts) => {
  const texts = await Promise.all([exchange(parts()), exchange(parts(), true)])
  for (const text of texts) for (const status of statusesIn(text)) expect(status).not.toBe(500)
  const since = performance.now()
  expect((await request(`${server.url}/health`)).status).toBe(200)
  expect(performance.now() - since).toBeLessThan(WITHIN_MS)
})

test('the player they all named is not affected', async () => {
  const header = { 'x-session-id': session }
  expect((await post(`${server.url}/api/v1/get_status`, {}, header)).status).toBe(200)
})
