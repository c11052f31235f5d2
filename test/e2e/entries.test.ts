/** What a stranger asks first: the start page, the icon, the texts for agents and crawlers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Window } from 'happy-dom'
import { expect, test } from 'vitest'
import { GENERATED_PAGES, WRITTEN_PAGES } from '../../net/docs/pages.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { LOADED } from './explorers.ts'
import { newPlayer, openSocket, request } from './wire.ts'

const server = useTestServer(useTestDatabase())

/** Addresses of this server in a text, without what points into a page. */
const addressesIn = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, address]) => address.split('#')[0]))

async function brokenAmong(addresses: Iterable<string>): Promise<unknown[]> {
  const broken: unknown[] = []
  for (const address of addresses) {
    const { status } = await request(new URL(address, server.url).href)
    if (status !== 200) broken.push({ address, status })
  }
  return broken
}

test('the start page says how the server stands, under a strict policy, and leads on', async () => {
  await server.link.step(3)
  const before = await request(`${server.url}/start`)
  expect(before.status).toBe(200)
  expect(before.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const docs = await request(`${server.url}/docs`)
  const policy = docs.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(before.headers.get('content-security-policy')).toBe(policy)
  expect(policy).toContain("img-src 'self'")
  expect(before.text).toContain('<link rel="icon" href="/favicon.svg"')
  expect(before.text).not.toMatch(/<style|style=|<script>|\son\w+=/)
  const { tick } = server.link.state()
  expect(before.text).toContain(`<td>${tick}, one every 1 s</td>`)
  expect(before.text).toContain('<td>0.599.5</td>')
  expect(before.text).toContain('Players online</th><td>0</td>')
  const socket = await openSocket(server.url, '/ws')
  socket.send({ type: 'register', payload: newPlayer() })
  await socket.next('logged_in')
  expect((await request(`${server.url}/start`)).text).toContain('Players online</th><td>1</td>')
  await socket.close()
  const links = addressesIn(before.text, /href="([^"]+)"/g)
  for (const wanted of ['/docs/mcp', '/skill.md', '/docs/guides', '/api/v2/docs'])
    expect(links).toContain(wanted)
  expect(await brokenAmong(links)).toEqual([])
})

test('the icon is a drawing, and a bitmap that has its colours', async () => {
  const svg = await request(`${server.url}/favicon.svg`)
  expect(svg.headers.get('content-type')).toBe('image/svg+xml')
  expect(svg.text).toMatch(/^<svg xmlns=.*<\/svg>\n$/)
  const response = await fetch(`${server.url}/favicon.ico`)
  expect(response.headers.get('content-type')).toBe('image/x-icon')
  const file = Buffer.from(await response.arrayBuffer())
  expect([...file.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32])
  expect(file.readUInt32LE(14) + file.readUInt32LE(18)).toBe(file.byteLength)
  const pixelAt = (column: number, row: number): number[] => {
    const at = 62 + ((31 - row) * 32 + column) * 4
    return [...file.subarray(at, at + 4)]
  }
  // The sun, blue first; nothing in the corner.
  expect(pixelAt(16, 16)).toEqual([0x34, 0xb1, 0xf2, 255])
  expect(pixelAt(0, 0)).toEqual([0, 0, 0, 0])
})

test('robots.txt names what crawlers must leave', async () => {
  const { headers, text } = await request(`${server.url}/robots.txt`)
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^User-agent: \*\n(Disallow: \/[a-z/]+\n)+$/m)
})

test('the index for language models lists every page as text, and nothing that is not there', async () => {
  const { status, text } = await request(`${server.url}/llms.txt`)
  expect(status).toBe(200)
  expect(text).toMatch(/^# Orrery\n\n> /)
  const links = addressesIn(text, /\]\(([^)]+)\)/g)
  for (const { name } of [...GENERATED_PAGES, ...WRITTEN_PAGES])
    expect(links).toContain(`${server.url}/docs/${name}.md`)
  const pages = [...links].filter((address) => !address.includes('/mcp/'))
  expect(await brokenAmong(pages)).toEqual([])
})

test('a block of code has a button that copies it', async () => {
  const window = new Window({
    url: `${server.url}/docs/mcp`,
    settings: {
      enableJavaScriptEvaluation: true,
      // The script is our own.
      suppressInsecureJavaScriptEnvironmentWarning: true,
    },
  })
  const page = (await request(window.location.href)).text
  window.document.write(page.replace(LOADED, ''))
  window.eval((await request(`${server.url}/docs/docs.js`)).text)
  const blocks = [...window.document.querySelectorAll('main .block')]
  expect(blocks.length).toBeGreaterThan(5)
  const [first] = blocks
  const button = first.querySelector('button') as unknown as {
    textContent: string
    click(): void
  }
  expect(button.textContent).toBe('Copy')
  button.click()
  await expect.poll(() => button.textContent).toBe('Copied')
  const copied = await window.navigator.clipboard.readText()
  expect(copied).toMatch(/^claude mcp add --transport http /)
  expect(copied).toBe(first.querySelector('pre')?.textContent)
  await window.happyDOM.close()
})

/** Runs a script and steps ticks for its mutations; resolves with its output. */
async function runScript(script: string, folder: string): Promise<string> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    // Bash may take a socket for that of a remote shell, and run the start-up files of this machine
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => said.push(String(chunk)))
  const ended = once(shell, 'close')
  let isRunning = true
  void ended.then(() => {
    isRunning = false
  })
  while (isRunning) {
    if (server.link.pending() > 0) await server.link.step(1)
    else await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const [code] = await ended
  expect({ code, said: code === 0 ? '' : said.join('') }).toEqual({ code: 0, said: '' })
  return said.join('')
}

test('the skill file is one that agents can load, and its script plays', async () => {
  const { headers, text } = await request(`${server.url}/skill.md`)
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(text).toMatch(/^---\nname: [a-z-]+\ndescription: [^\n]{40,1024}\n---\n/)
  expect(text).not.toContain('{{')
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block)
  expect(blocks.length).toBeGreaterThan(5)
  const folder = await mkdtemp(join(tmpdir(), 'orrery-skill-'))
  try {
    const said = await runScript(blocks.join('\n'), folder)
    const answers = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { error: unknown; result: string })
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => null))
    // Each `call` whose answer is not kept by the script has printed it.
    const shown = blocks.join('\n').match(/^call [^>\n]+$/gm) ?? []
    expect(answers).toHaveLength(shown.length)
    const results = answers.map(({ result }) => result).join('\n')
    expect(results).toMatch(/Arrived at [\s\S]*Arrived at [\s\S]*Sold 1 /)
  } finally {
    await rm(folder, { recursive: true })
  }
})
