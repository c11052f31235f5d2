/** The web page: its files, the addresses of its views, and the plain page if it is not built. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOST } from '../../../net/http/answer.ts'
import type { Exchange } from '../../../net/http/exchange.ts'
import { PAGE_PATHS } from '../../../net/public/page-paths.ts'
import { pageRoutes } from '../../../net/public/pages.ts'
import { createRouter, findRoute } from '../../../net/router.ts'
import { fakeNet } from '../net-docs/fake-net.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'page-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Built</title>')
  await writeFile(join(folder, 'assets', 'main.AB12CD34.js'), 'run()')
  await writeFile(join(folder, 'stamp'), 'secret')
  await writeFile(join(folder, 'main.AB12CD34.js'), 'elsewhere')
})
afterAll(() => rm(folder, { recursive: true }))

const pathToFolder = (path: string): URL => pathToFileURL(`${path}/`)

function getterOf(base: URL, limits = false) {
  const net = fakeNet(() => [], { limits })
  const router = createRouter(pageRoutes(net, base))
  return (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const found = findRoute(router, 'GET', path)
    if (found === 'no_path' || 'allowed' in found) throw new Error(`no route of ${path}`)
    return new Promise((resolve, reject) => {
      const exchange: Exchange = {
        method: 'GET',
        path,
        query: new URLSearchParams(),
        requestId: 'a',
        remote: '127.0.0.1',
        header: (name) => headers[name] ?? '',
        body: Promise.resolve(Buffer.alloc(0)),
        isDone: () => false,
        cutOff: () => undefined,
        onAborted: () => undefined,
        respond: (status, out, text) => resolve({ status, headers: out, text: String(text) }),
        stream: () => LOST,
      }
      Promise.resolve(found.route.handle(exchange, found.params)).catch(reject)
    })
  }
}

describe('a built page', () => {
  test('is the same at the address of every view, and revalidated each time', async () => {
    const get = getterOf(pathToFolder(folder))
    const first = await get('/')
    expect(first).toMatchObject({ status: 200, text: '<!doctype html><title>Built</title>' })
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(first.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    for (const path of PAGE_PATHS) {
      const known = { 'if-none-match': first.headers.etag }
      const address = path.replace(/:\w+/g, 'x%2F..')
      expect(await get(address, known)).toMatchObject({ status: 304, text: '' })
    }
  })

  test('has files that are cached for ever, found only by their hashed names', async () => {
    const get = getterOf(pathToFolder(folder))
    const script = await get('/assets/main.AB12CD34.js')
    expect(script).toMatchObject({ status: 200, text: 'run()' })
    expect(script.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    })
    for (const name of [
      'main.js',
      'stamp',
      'main.AB12CD35.js',
      '..%2Fmain.AB12CD34.js',
      'constructor',
      'main.AB12CD34.html',
      '%2e%2e%2fstamp',
      'main.AB12CD34.js.gz',
    ]) {
      expect([name, (await get(`/assets/${name}`)).status]).toEqual([name, 404])
    }
  })

  test('leaves the plain page with the state of the server at /start', async () => {
    const { status, text } = await getterOf(pathToFolder(folder))('/start')
    expect([status, text.includes('Players online')]).toEqual([200, true])
  })
})

test('a running server keeps its own page when another build replaces the files', async () => {
  const own = await mkdtemp(join(tmpdir(), 'page-'))
  try {
    const get = getterOf(pathToFolder(own))
    expect((await get('/')).text).toContain('Players online')
    await mkdir(join(own, 'assets'))
    await writeFile(join(own, 'assets', 'view.AB12CD34.js'), 'old()')
    await writeFile(join(own, 'index.html'), 'old')
    expect((await get('/')).text).toBe('old')
    await rm(join(own, 'assets'), { recursive: true })
    await writeFile(join(own, 'index.html'), 'new')
    expect((await get('/assets/view.AB12CD34.js')).text).toBe('old()')
    expect((await get('/')).text).toBe('old')
  } finally {
    await rm(own, { recursive: true })
  }
})

test('the plain page is served if the page is not built', async () => {
  const get = getterOf(pathToFolder(join(folder, 'none')))
  for (const path of ['/', '/map', '/battles/x']) {
    const { status, text } = await get(path)
    expect([status, text.includes('Players online'), text.includes('/api/v2/docs')]).toEqual([
      200,
      true,
      true,
    ])
  }
  expect((await get('/assets/main.AB12CD34.js')).status).toBe(404)
})

test('the console lists every operation of v2 with its parameters', async () => {
  const { status, headers, text } = await getterOf(pathToFolder(folder))('/api/console.json')
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=3600'])
  const { operations } = JSON.parse(text)
  expect(operations.length).toBeGreaterThan(5)
  const addresses = operations.map(({ path }: { path: string }) => path)
  expect(new Set(addresses).size).toBe(addresses.length)
  for (const { path, params } of operations) {
    expect(path).toMatch(/^\/api\/v2\/\w+(\/\w+)?$/)
    for (const { name, type } of params) expect([name, type]).not.toContain('')
  }
  expect(text).not.toContain('internal:')
})

test('an address may request at most 600 pages a minute', async () => {
  const get = getterOf(pathToFolder(folder), true)
  let refused: Answer | undefined
  for (let n = 0; n < 601; n++) refused = await get('/')
  expect(refused?.status).toBe(429)
  expect(JSON.parse(refused?.text ?? '')).toMatchObject({ error: 'rate_limited' })
})

test('a request beyond the limit makes the server read no file', async () => {
  // The folder is a file here, so that each attempt to read in it fails.
  const get = getterOf(pathToFolder(join(folder, 'stamp')), true)
  for (let n = 0; n < 600; n++) await expect(get('/map')).rejects.toThrow('ENOTDIR')
  expect((await get('/map')).status).toBe(429)
})
