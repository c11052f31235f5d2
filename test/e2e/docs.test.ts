/**
 * Tests the documentation against a server: every example of the protocol pages in order, the
 * pages as they are served, and the explorers in a DOM.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../core/catalog/changelog.ts'
import { createRegistry } from '../../core/registry.ts'
import { RESTART_WARNING } from '../../net/docs/events-page.ts'
import { ALL_ADDRESSES } from '../../net/docs/http-addresses.ts'
import { HTTP_PAGE } from '../../net/docs/http-page.ts'
import { GENERATED_PAGES } from '../../net/docs/pages.ts'
import { WEBSOCKET_PAGE } from '../../net/docs/websocket-page.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { misfits, newStage, playExample } from './docs-examples.ts'
import { openExplorer } from './explorers.ts'
import { newPlayer, openSocket, post, request } from './wire.ts'

const server = useTestServer(useTestDatabase())

const sources = { registry: createRegistry(DOMAINS) }

test.each([WEBSOCKET_PAGE, HTTP_PAGE])(
  'the server answers the examples of $name as shown',
  async (page) => {
    const stage = newStage(server)
    for (const example of page.examples?.(sources) ?? []) await playExample(stage, example)
    expect(stage.wrong).toEqual([])
    expect(stage.played).toBeGreaterThan(10)
  },
)

test('misfits reports an answer that lacks shown fields or has other types', () => {
  const shown = { type: 'ok', payload: { a: 1, list: [{ b: 'x' }] } }
  expect(misfits(shown, { type: 'ok', payload: { a: 2, list: [{ b: 'y' }], c: 1 } })).toEqual([])
  expect(misfits(shown, { type: 'error', payload: { a: '1', list: [] } })).toEqual([
    'answer.type is error, shown is ok',
    'answer.payload.a is string, shown is number',
    'answer.payload.list.0 is not there',
  ])
})

test('the restart warning has exactly the documented fields', async () => {
  const socket = await openSocket(server.url, '/ws')
  socket.send({ type: 'register', payload: newPlayer() })
  await socket.next('logged_in')
  server.net.warn(5, '9.9.9')
  const warning = await socket.next(RESTART_WARNING.type)
  expect(Object.keys(warning.payload).sort()).toEqual(
    Object.keys(RESTART_WARNING.fields.properties).sort(),
  )
  await socket.close()
})

test('every address on the HTTP page exists with the method it names', async () => {
  // The feed never ends, so only the head of its answer is read.
  const feed = await fetch(`${server.url}/events`)
  await feed.body?.cancel()
  expect(feed.status).toBe(200)
  for (const { method, path } of ALL_ADDRESSES.filter((address) => address.path !== '/events')) {
    const address = server.url + path.replace(/:\w+/g, 'game')
    const answer = method === 'POST' ? await post(address, {}) : await request(address, { method })
    const body = JSON.stringify(answer.body)
    expect({ method, path, body }).not.toMatchObject({
      body: expect.stringMatching('no such path'),
    })
    expect({ method, path, body }).not.toMatchObject({
      body: expect.stringContaining('takes another method'),
    })
  }
})

test('pages are served as HTML with ETag, gzip and a strict policy, and as Markdown', async () => {
  const index = await request(`${server.url}/docs`)
  expect(index.status).toBe(200)
  for (const { name, title } of GENERATED_PAGES) {
    expect(index.text).toContain(`href="/docs/${name}"`)
    const page = await request(`${server.url}/docs/${name}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-encoding')).toBe('gzip')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toContain(`<title>${title} · Orrery</title>`)
    const etag = page.headers.get('etag') ?? ''
    const cached = await request(`${server.url}/docs/${name}`, {
      headers: { 'if-none-match': etag },
    })
    expect(cached).toMatchObject({ status: 304, text: '' })
    const markdown = await request(`${server.url}/docs/${name}.md`)
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(markdown.text).toMatch(/^# /)
  }
  expect((await request(`${server.url}/docs/messagepack`)).text).toContain('game.msgpack.patch')
  for (const name of [
    'nowhere',
    'nowhere.md',
    '.md',
    '..%2Fpackage',
    'skill.md',
    'commands/nowhere',
  ])
    expect(await request(`${server.url}/docs/${name}`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('There is no such page'),
    })
})

test('a command has a page of its own, to which the list of commands links', async () => {
  const list = await request(`${server.url}/docs/commands`)
  expect(list.text).toContain('<a id="buy"></a><a href="/docs/commands/buy">')
  const page = await request(`${server.url}/docs/commands/buy`)
  expect(page.text).toContain('<title>buy · Orrery</title>')
  expect(page.text).toContain('/api/v2/game/buy ')
  const tagged = { headers: { 'if-none-match': page.headers.get('etag') ?? '' } }
  expect(await request(`${server.url}/docs/commands/buy`, tagged)).toMatchObject({ status: 304 })
  const markdown = await request(`${server.url}/docs/commands/buy.md`)
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(markdown.text).toContain('### Python\n\n```python\nimport json\n')
  expect(markdown.text).not.toMatch(/\]\(\w+\.md/)
})

test('the shell and TypeScript examples of a command run unchanged', async () => {
  const registered = await post(`${server.url}/api/v2/game_auth/register`, newPlayer())
  const { id } = registered.body.session as { id: string }
  const { text } = await request(`${server.url}/docs/commands/get_system.md`)
  const run = promisify(execFile)
  const options = { env: { ...process.env, SESSION: id } }
  for (const [lang, command, args] of [
    ['sh', 'bash', ['-c']],
    ['ts', process.execPath, ['--input-type=module', '-e']],
  ] as const) {
    const [, block] = new RegExp(`\`\`\`${lang}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
    const { stdout } = await run(command, [...args, block], options)
    expect({ lang, stdout }).toEqual({ lang, stdout: expect.stringContaining('Empire: solarian') })
  }
})

test('every file that the pages load is served with ETag and gzip', async () => {
  const { text } = await request(`${server.url}/docs`)
  const explorer = await request(`${server.url}/api/v2/docs`)
  const loaded = [...`${text}${explorer.text}`.matchAll(/(?:src|rel="\w+" href)="([^"]+)"/g)]
  const paths = new Set(loaded.map(([, path]) => path))
  expect(paths).toContain('/docs/explorer.js')
  for (const path of [...paths, '/docs/search.json', '/docs/minisearch.js']) {
    const file = await request(server.url + path)
    const tag = file.headers.get('etag') ?? ''
    const headers = { 'if-none-match': tag }
    expect({ path, status: file.status, packed: file.headers.get('content-encoding') }).toEqual({
      path,
      status: 200,
      packed: 'gzip',
    })
    expect({ path, ...(await request(server.url + path, { headers })) }).toMatchObject({
      path,
      status: 304,
    })
  }
})

test('the examples name the current release', () => {
  const text = JSON.stringify([WEBSOCKET_PAGE, HTTP_PAGE].map((page) => page.examples?.(sources)))
  const versions = [...text.matchAll(/"version":"([^"]+)"/g)].map(([, version]) => version)
  expect(new Set(versions)).toEqual(new Set([VERSION]))
})

describe.each([
  ['/api/docs', ''],
  ['/api/v2/docs', 'game/'],
])('the explorer %s', (path, tool) => {
  const auth = tool === '' ? '' : 'game_auth/'

  test('registers in a new session, queries, and waits for the tick of a mutation', async () => {
    const page = await openExplorer(server.url, path)
    expect(page.session()).toBe('none')
    const query = await page.open(`${tool}get_cargo`)
    expect(await page.send(query)).toMatch(/^401 in \d+ ms[\s\S]*session_required/)
    page.press('New session')
    await page.until(() => page.session() !== 'none')
    expect(await page.send(query)).toContain('not_authenticated')
    const register = await page.open(`${auth}register`)
    const { username } = newPlayer() as Record<string, string>
    page.fill(register, 'username', username)
    page.fill(register, 'empire', 'solarian')
    page.fill(register, 'registration_code', 'any')
    expect(await page.send(register)).toContain(`"username": "${username}"`)
    expect(await page.send(query)).toMatch(/^200 in \d+ ms[\s\S]*fuel_cell/)
    const undock = await page.open(`${tool}undock`)
    let steps = 0
    const shown = await page.send(undock, async () => {
      if (server.link.pending() === 0) return
      expect(undock.querySelector('pre')?.textContent).toBe('Waiting for the tick…')
      steps += 1
      await server.link.step(1)
    })
    expect(steps).toBe(1)
    expect(shown).toMatch(/^200 in \d+ ms[\s\S]*"action": "undock"/)
    page.press('Forget')
    expect(page.session()).toBe('none')
    expect(await page.send(query)).toContain('session_required')
    await page.close()
  })

  test('finds commands, shows refusals and drops an ended session', async () => {
    const page = await openExplorer(server.url, path)
    const all = page.shown().length
    expect(all).toBeGreaterThan(200)
    page.find('mine asteroids')
    const found = page.shown()
    expect(found.length).toBeLessThan(all)
    page.find('get_cargo')
    expect(page.shown()).toContain(`${tool}get_cargo`)
    expect(page.document.querySelector('#count')?.textContent).toBe(
      page.shown().length === 1 ? '1 command' : `${page.shown().length} commands`,
    )
    page.find('')
    expect(page.shown()).toHaveLength(all)
    page.press('New session')
    await page.until(() => page.session() !== 'none')
    const login = await page.open(`${auth}login`)
    page.fill(login, 'username', 'Nobody Here')
    page.fill(login, 'password', 'no')
    expect(await page.send(login)).toMatch(/^400 in \d+ ms[\s\S]*invalid_credentials/)
    const { pools } = server.net.net.pools
    for (const pool of [pools.http1, pools.http2]) pool.clear()
    const query = await page.open(`${tool}get_cargo`)
    expect(await page.send(query)).toContain('session_invalid')
    expect(page.session()).toBe('none')
    await page.close()
  })

  test('sends a list parameter as JSON', async () => {
    const page = await openExplorer(server.url, path)
    const row = await page.open(`${tool === '' ? '' : 'game_market/'}create_buy_order`)
    page.press('New session')
    await page.until(() => page.session() !== 'none')
    const register = await page.open(`${auth}register`)
    for (const [label, value] of Object.entries(newPlayer()))
      page.fill(register, label, String(value))
    await page.send(register)
    page.fill(row, 'orders', '[{"item_id": 5}]')
    expect(await page.send(row)).toMatch(/^400 in [\s\S]*"field": "orders.0.item_id"/)
    await page.close()
  })

  test('labels every field and button, and opens the row that its address names', async () => {
    const page = await openExplorer(server.url, `${path}#${tool}travel`)
    const { document } = page
    await page.until(() => document.querySelector('details[open] form') !== null)
    expect(document.querySelector('details[open] summary code')?.textContent).toBe(`${tool}travel`)
    for (const field of document.querySelectorAll('input, select, textarea')) {
      const label = field.closest('label')?.textContent ?? field.getAttribute('aria-label') ?? ''
      expect(label.trim()).not.toBe('')
    }
    for (const button of document.querySelectorAll('button'))
      expect(button.textContent.trim()).not.toBe('')
    const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
    for (const href of new Set(links.map((link) => link.split('#')[0])))
      expect({ href, status: (await request(server.url + href)).status }).toMatchObject({
        status: 200,
      })
    await page.close()
  })
})
