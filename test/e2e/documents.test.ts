/**
 * Paths that need no login: catalogue, OpenAPI documents, explorers, health and metrics; and the
 * limits per IP address, on a server that has them switched on.
 */
import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { LIMITED_BODY } from '../../net/docs/http-examples.ts'
import { LIVE_ROWS } from '../../net/public/live-table.ts'
import { PUBLIC_ROWS, shownPath } from '../../net/public/table.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newPlayer, openSocket, post, request } from './wire.ts'

const database = useTestDatabase()
const server = useTestServer(database, { settings: { LIMITS: 'on' } })
/** A second server, without limits per IP address. */
const open = useTestServer(database, { settings: { METRICS_TOKEN: 'let-me-see' } })

/** The fields of every 429 besides its `error`. */
const LIMITED = {
  code: 'rate_limited',
  message: expect.stringMatching(/\b(?:Retry|Try again) in \d+ seconds?\.$/),
  retry_after: expect.any(Number),
  wait_seconds: expect.any(Number),
  limit: expect.any(String),
  scope: 'ip',
}

/** Sends a GET and returns the bytes of the answer without decompressing them. */
function rawGet(path: string, headers: Record<string, string>) {
  type Raw = { encoding: string | undefined; tag: string | undefined; bytes: Buffer }
  return new Promise<Raw>((resolve, reject) => {
    get(open.url + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          encoding: response.headers['content-encoding'],
          tag: response.headers.etag,
          bytes: Buffer.concat(chunks),
        }),
      )
    }).on('error', reject)
  })
}

test('the catalogue has an ETag, is cacheable for an hour and compressed on request', async () => {
  const full = await request(`${open.url}/api/catalog.json`)
  expect(full.status).toBe(200)
  const etag = full.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[^"]+"$/)
  expect(full.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(Object.keys(full.body).sort()).toEqual(
    [
      'version',
      'ships',
      'skills',
      'recipes',
      'items',
      'facilities',
      'achievements',
      'faction_achievements',
      'hidden_achievement_count',
      'hidden_faction_achievement_count',
      'mining',
    ].sort(),
  )
  for (const list of ['ships', 'skills', 'items'])
    for (const entry of full.body[list] as Params[]) expect(entry.id).toEqual(expect.any(String))
  const same = await request(`${open.url}/api/catalog.json`, { headers: { 'if-none-match': etag } })
  expect(same).toMatchObject({ status: 304, text: '' })
  const { encoding, bytes, tag } = await rawGet('/api/catalog.json', { 'accept-encoding': 'gzip' })
  expect(encoding).toBe('gzip')
  expect(gunzipSync(bytes).toString()).toBe(full.text)
  const plain = await rawGet('/api/catalog.json', {})
  expect(plain.encoding).toBeUndefined()
  expect(plain.bytes.toString()).toBe(full.text)
  // Each form has a tag of its own, and a client that has either form has the file.
  expect(plain.tag).toMatch(/^"[^"]+"$/)
  expect(plain.tag).not.toBe(tag)
  for (const known of [`${tag}`, `${plain.tag}`, `W/${tag}`, `"other", ${plain.tag}`]) {
    const headers = { 'if-none-match': known }
    expect((await request(`${open.url}/api/catalog.json`, { headers })).status).toBe(304)
  }
})

test('public data and pages are compressed on request, with an ETag for each form', async () => {
  for (const path of ['/api/map', '/api/stations', '/api/docs', '/api/v2/docs', '/start']) {
    const plain = await rawGet(path, {})
    const packed = await rawGet(path, { 'accept-encoding': 'gzip' })
    expect([path, plain.encoding, packed.encoding]).toEqual([path, undefined, 'gzip'])
    expect(packed.bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2)
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
    expect(packed.tag).not.toBe(plain.tag)
    const headers = { 'if-none-match': `${packed.tag}` }
    expect((await request(open.url + path, { headers })).status).toBe(304)
  }
})

test('the catalogue and the OpenAPI documents each allow one request a minute', async () => {
  for (const [path, samePool] of [
    ['/api/catalog.json', '/api/catalog.json'],
    ['/api/openapi.json', '/api/v2/openapi.json'],
  ]) {
    expect((await request(server.url + path)).status).toBe(200)
    const second = await request(server.url + samePool)
    expect(second.status).toBe(429)
    expect(second.body).toMatchObject({ ...LIMITED, error: 'rate_limited' })
    // The HTTP page of the documentation shows exactly these fields.
    expect(Object.keys(second.body)).toEqual(Object.keys(LIMITED_BODY))
    const wait = Number(second.headers.get('retry-after'))
    expect(wait).toBe(second.body.retry_after)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
  }
})

test('a 401 names the authentication scheme that it expects', async () => {
  const challengeAt = async (path: string, method = 'POST') => {
    const { status, headers } = await request(open.url + path, { method })
    return [status, headers.get('www-authenticate')]
  }
  for (const path of ['/api/v1/get_status', '/api/v2/game/get_status'])
    expect(await challengeAt(path)).toEqual([401, 'Session'])
  expect(await challengeAt('/api/me', 'GET')).toEqual([401, 'Bearer'])
  expect(await challengeAt('/health', 'GET')).toEqual([200, null])
})

test('the OpenAPI documents are of version 3.1 and mark mutations', async () => {
  for (const [path, pathOf] of [
    ['/api/openapi.json', (name: string) => `/${name}`],
    ['/api/v2/openapi.json', (name: string) => `/api/v2/game/${name}`],
  ] as const) {
    const { status, body } = await request(open.url + path)
    expect(status).toBe(200)
    expect(body.openapi).toMatch(/^3\.1\./)
    expect(body.info).toMatchObject({
      'x-gameserver-version': expect.stringMatching(/^v?0\.599\.5/),
    })
    const paths = body.paths as Record<string, Record<string, Params>>
    expect(paths[pathOf('mine')].post['x-is-mutation']).toBe(true)
    expect(paths[pathOf('get_cargo')].post['x-is-mutation']).toBe(false)
  }
})

test('the explorers load nothing from other hosts', async () => {
  for (const path of ['/api/docs', '/api/v2/docs']) {
    const page = await request(open.url + path)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    const addresses = page.text.match(/(?:https?:)?\/\/[a-z0-9][^\s"'<>)]*/gi) ?? []
    const own = /^(https?:)?\/\/(127\.0\.0\.1|localhost|www\.w3\.org\/(1999|2000)\/)/
    expect(addresses.filter((address) => !own.test(address))).toEqual([])
    expect(page.text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)=["']?(https?:)?\/\//i)
  }
})

test('health and metrics report the state of the server', async () => {
  for (const path of ['/health', '/healthz'])
    expect(await request(open.url + path)).toMatchObject({
      status: 200,
      body: { status: 'ok', tick: expect.any(Number), version: '0.599.5' },
    })
  const bearer = { authorization: 'Bearer let-me-see' }
  const metrics = await request(`${open.url}/metrics`, { headers: bearer })
  expect(metrics.status).toBe(200)
  for (const name of ['orrery_tick', 'orrery_http_responses_total', 'nodejs_eventloop_lag_seconds'])
    expect(metrics.text).toContain(name)
})

interface Operation {
  readonly tags: readonly string[]
  readonly responses: Record<'200', { content: Record<'application/json', { schema: Params }> }>
}

const ITEM = '/api/market/item/{item_id}'
/** Addresses of the live world that take no parameter. */
const LIVE = PUBLIC_ROWS.filter(({ source, param }) => source === 'frame' && !param)
/** Tells whether an address needs no archive, no operator, and no id except that of an item. */
const isTested = (path: string): boolean =>
  path === ITEM ||
  LIVE.some((row) => row.path === path) ||
  ![...LIVE_ROWS, ...PUBLIC_ROWS].some((row) => shownPath(row.path) === path)

/** Returns the tested GET operations of the OpenAPI document: address and schema of the body. */
async function openOperations(): Promise<Map<string, Params>> {
  const { body } = await request(`${open.url}/api/v2/openapi.json`)
  const found = new Map<string, Params>()
  const paths = body.paths as Record<string, { get?: Operation }>
  const { schemas } = body.components as { schemas: Record<string, Params> }
  for (const [path, { get }] of Object.entries(paths)) {
    if (get?.tags[0] !== 'public' || !isTested(path)) continue
    const { schema } = get.responses['200'].content['application/json']
    const name = String(schema.$ref ?? '').replace('#/components/schemas/', '')
    found.set(path.replace('{item_id}', 'iron_ore'), schemas[name] ?? schema)
  }
  return found
}

test('public data matches OpenAPI and needs no session, only a GET from any origin', async () => {
  const operations = await openOperations()
  const paths = ['/api/catalog.json', '/api/market/item/iron_ore', '/health']
  expect([...operations.keys()].sort()).toEqual([...paths, ...LIVE.map(({ path }) => path)].sort())
  const headers = { origin: 'https://play.example' }
  for (const [path, schema] of operations) {
    const { status, body, headers: received } = await request(open.url + path, { headers })
    expect([path, status]).toEqual([path, 200])
    expect(received.get('access-control-allow-origin')).toBe('*')
    const required = (schema.required ?? []) as string[]
    expect(required.length, path).toBeGreaterThan(0)
    expect(Object.keys(body)).toEqual(expect.arrayContaining(required))
    const known = Object.keys(schema.properties as Params)
    expect(Object.keys(body).filter((name) => !known.includes(name))).toEqual([])
    const wrong = await post(open.url + path)
    expect([path, wrong.status, wrong.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
  }
})

test('public statistics and quotes agree with the world', async () => {
  const { body: before } = await request(`${open.url}/api/stats`)
  const { systems } = (await request(`${open.url}/api/map`)).body as { systems: Params[] }
  expect(before).toMatchObject({ version: '0.599.5', total_systems: systems.length })
  expect(before.forum_threads).toBe(0)
  const { body } = await request(`${open.url}/api/market/item/iron_ore`)
  const [quote] = body.stations as Params[]
  expect(quote).toMatchObject({ base_id: expect.any(String), best_ask: expect.any(Number) })
  expect(systems.map(({ id }) => id)).toContain(quote.system_id)
  const unknown = await request(`${open.url}/api/market/item/unobtainium`)
  expect(unknown).toMatchObject({ status: 404, body: { error: 'not_found' } })
})

test('public data of the past shares a limit of sixty requests a minute', async () => {
  const paths = ['/api/battles', '/api/forum', '/api/market/fills', '/api/history']
  for (let i = 0; i < 60; i++) expect((await request(server.url + paths[i % 4])).status).toBe(200)
  for (const path of paths)
    expect(await request(server.url + path)).toMatchObject({
      status: 429,
      body: { ...LIMITED, error: 'rate_limited' },
    })
  // Health has no limit, because monitoring never stops asking.
  expect((await request(`${server.url}/health`)).status).toBe(200)
})

test('an IP address may open thirty sessions a minute before a 429 and a time-out', async () => {
  const address = `${server.url}/api/v1/session`
  let passed = 0
  let refused = 0
  // Thirty requests pass; the fifty refusals after them start the first time-out.
  for (let i = 0; i < 80; i++) {
    const answer = await post(address)
    if (answer.status === 200) passed += 1
    else {
      expect(answer.status).toBe(429)
      expect(answer.body).toMatchObject(LIMITED)
      refused += 1
    }
  }
  expect({ passed, refused }).toEqual({ passed: 30, refused: 50 })
  const timedOut = await post(address)
  expect(timedOut.status).toBe(429)
  expect(Number(timedOut.body.retry_after)).toBeGreaterThan(60)
  // The time-out also covers registration over v2 and new sockets.
  expect((await post(`${server.url}/api/v2/game_auth/register`, newPlayer())).status).toBe(429)
  const socket = await openSocket(server.url, '/ws')
  const { code, reason } = await socket.closed
  expect(code).toBe(4003)
  expect(reason).toMatch(/retry_after=\d+/)
  // Health is not a game route.
  expect((await request(`${server.url}/health`)).status).toBe(200)
})
