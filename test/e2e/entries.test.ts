/** What a first visitor requests: the start page, the icon, the texts for agents and crawlers. */
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

/** Returns the addresses that a pattern finds in a text, without their fragments. */
const addressesIn = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, address]) => address.split('#')[0]))

/** Lists the addresses that do not answer with 200. */
async function findBroken(addresses: Iterable<string>): Promise<unknown[]> {
  const broken: unknown[] = []
  for (const address of addresses) {
    const { status } = await request(new URL(address, server.url).href)
    if (status !== 200) broken.push({ address, status })
  }
  return broken
}

test('the start page shows the state of the server and has no broken link', async () => {
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
  expect(await findBroken(links)).toEqual([])
})

test('the icon is served as SVG and as a bitmap of the same colours', async () => {
  const svg = await request(`${server.url}/favicon.svg`)
  expect(svg.headers.get('content-type')).toBe('image/svg+xml')
  expect(svg.text).toMatch(/^<svg xmlns=.*<\/svg>\n$/)
  const response = await fetch(`${server.url}/favicon.ico`)
  expect(response.headers.get('content-type')).toBe('image/x-icon')
  const file = Buffer.from(await response.arrayBuffer())
  expect([...file.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32])
  expect(file.readUInt32LE(14) + file.readUInt32LE(18)).toBe(file.byteLength)
  const pixelAt = (column: number, row: number): number[] => {
    // 22 bytes of icon header, 40 of bitmap header, then 32 rows of 32 pixels, bottom row first.
    const offset = 62 + ((31 - row) * 32 + column) * 4
    return [...file.subarray(offset, offset + 4)]
  }
  // The middle shows the sun, its bytes in the order blue, green, red; the corner is transparent.
  expect(pixelAt(16, 16)).toEqual([0x34, 0xb1, 0xf2, 255])
  expect(pixelAt(0, 0)).toEqual([0, 0, 0, 0])
})

test('robots.txt lists the paths that crawlers must not visit', async () => {
  const { headers, text } = await request(`${server.url}/robots.txt`)
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^User-agent: \*\n(Disallow: \/[a-z/]+\n)+$/m)
})

test('llms.txt lists every page as Markdown and has no broken link', async () => {
  const { status, text } = await request(`${server.url}/llms.txt`)
  expect(status).toBe(200)
  expect(text).toMatch(/^# Orrery\n\n> /)
  const links = addressesIn(text, /\]\(([^)]+)\)/g)
  for (const { name } of [...GENERATED_PAGES, ...WRITTEN_PAGES])
    expect(links).toContain(`${server.url}/docs/${name}.md`)
  const pages = [...links].filter((address) => !address.includes('/mcp/'))
  expect(await findBroken(pages)).toEqual([])
})

test('a code block has a button that copies it', async () => {
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

/** Runs a Bash script and steps ticks for its mutations; resolves with its output. */
async function runScript(script: string, folder: string): Promise<string> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    // With a socket as input Bash may act as a remote shell and run this machine's start-up files.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => output.push(String(chunk)))
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
  expect({ code, output: code === 0 ? '' : output.join('') }).toEqual({ code: 0, output: '' })
  return output.join('')
}

test('the skill file has a valid header, and its script plays the game', async () => {
  const { headers, text } = await request(`${server.url}/skill.md`)
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(text).toMatch(/^---\nname: [a-z-]+\ndescription: [^\n]{40,1024}\n---\n/)
  expect(text).not.toContain('{{')
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block)
  expect(blocks.length).toBeGreaterThan(5)
  const folder = await mkdtemp(join(tmpdir(), 'orrery-skill-'))
  try {
    const output = await runScript(blocks.join('\n'), folder)
    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { error: unknown; result: string })
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => null))
    // Each `call` prints its answer unless the script redirects it.
    const shown = blocks.join('\n').match(/^call [^>\n]+$/gm) ?? []
    expect(answers).toHaveLength(shown.length)
    const results = answers.map(({ result }) => result).join('\n')
    expect(results).toMatch(/Arrived at [\s\S]*Arrived at [\s\S]*Sold 1 /)
  } finally {
    await rm(folder, { recursive: true })
  }
})
