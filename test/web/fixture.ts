/**
 * A small server of the built page and of canned bodies, with which views can be shown and put into
 * every state without a world. The page on the game's server is tested in server.test.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { PAGE } from '../../web-build.ts'
import { BODIES } from './bodies.ts'
import { FIRST_TICK, TICK_MS } from './galaxy-bodies.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ')

/** An answer that a test sets instead of a canned body. */
interface Override {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Delay before the answer. */
  readonly delayMs?: number
}

export interface Fixture {
  readonly url: string
  /** Answers by path that replace the canned ones. */
  readonly overrides: Map<string, Override>
  /** Requested paths with their queries, oldest first. */
  readonly requests: string[]
  /** Topics that do not exist, each with the number of requests refused because of it. */
  readonly missingTopics: Map<string, number>
  /** Returns how many clients are reading the feed. */
  watchers(): number
  tick(): number
  /** Runs the next tick; ticks run by themselves unless `isManual`. */
  step(): void
  /** Sends a message to all clients that read the feed. */
  send(type: string, data: object, extra?: object): void
  /** Cuts the connections of all clients that read the feed. */
  cut(): void
  close(): Promise<void>
}

interface FixtureOptions {
  readonly port?: number
  readonly isManual?: boolean
}

export async function startFixture({ port = 0, isManual }: FixtureOptions = {}): Promise<Fixture> {
  const watchers = new Set<ServerResponse>()
  const overrides = new Map<string, Override>()
  const requests: string[] = []
  const missingTopics = new Map<string, number>()
  let tick = FIRST_TICK
  let number = 0
  const write = (response: ServerResponse, type: string, data: object, extra: object = {}) => {
    number++
    const timestamp = new Date().toISOString()
    const body = JSON.stringify({ type, data, timestamp, tick, ...extra })
    response.write(`id: ${tick}.${number}\ndata: ${body}\n\n`)
  }
  const send = (type: string, data: object, extra: object = {}) => {
    for (const response of watchers) write(response, type, data, extra)
  }
  const step = () => {
    tick++
    number = 0
    send('tick', { tick, online: 214, battles: 4 })
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fixture')
    const topics = url.searchParams.get('topics')?.split(',') ?? []
    const refused = topics.find((topic) => missingTopics.has(topic))
    if (refused !== undefined) {
      missingTopics.set(refused, (missingTopics.get(refused) ?? 0) + 1)
      return void response.writeHead(404).end()
    }
    if (url.pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      watchers.add(response)
      response.on('close', () => watchers.delete(response))
      return write(response, 'connected', { tick })
    }
    if (!url.pathname.startsWith('/api/')) return sendFile(response, url.pathname)
    requests.push(url.pathname + url.search)
    const override = overrides.get(url.pathname)
    const answer = () => sendBody(response, override ?? cannedBody(url, tick))
    if (override?.delayMs) setTimeout(answer, override.delayMs)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const timer = isManual ? undefined : setInterval(step, TICK_MS)
  const cut = () => {
    for (const response of watchers) response.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    overrides,
    requests,
    missingTopics,
    watchers: () => watchers.size,
    tick: () => tick,
    step,
    send,
    cut,
    close: () => {
      clearInterval(timer)
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function cannedBody(url: URL, tick: number): Override {
  for (const [path, body] of BODIES) {
    const match = path.exec(url.pathname)
    const content = match && body(tick, match.slice(1).map(decodeURIComponent), url.searchParams)
    if (content !== undefined && content !== null) return { body: content }
  }
  const message = `Nothing is known at ${url.pathname}.`
  return { status: 404, body: { error: 'not_found', message } }
}

function sendBody(response: ServerResponse, { status = 200, body, headers }: Override): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
}

function sendFile(response: ServerResponse, path: string): void {
  if (path === '/favicon.svg') {
    response.writeHead(200, { 'content-type': 'image/svg+xml' })
    return void response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')
  }
  const file = join(PAGE.out, path)
  const isAsset = /^\/assets\/[\w.-]+$/.test(path)
  if (isAsset && !existsSync(file)) return void response.writeHead(404).end()
  const type = isAsset ? TYPES[extname(file)] : 'text/html; charset=utf-8'
  response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY })
  response.end(readFileSync(isAsset ? file : join(PAGE.out, 'index.html')))
}
