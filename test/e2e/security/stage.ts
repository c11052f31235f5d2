/**
 * What the security tests share: a real server with all limits on, behind one trusted proxy, so
 * that each test can use an IP address of its own. Its clock stands still until a test moves it.
 */
import { request as openRequest } from 'node:http'
import { expect } from 'vitest'
import type { Params } from '../../../bench/client.ts'
import type { TestDatabase } from '../../databases.ts'
import { type Settings, startTestServer, type TestServer } from '../../servers.ts'
import { type TestClock, testClock } from '../../unit/net/fake-net.ts'
import { type Client, connect } from '../../unit/net/ws-client.ts'
import { type Answer, newName, newPlayer, post } from '../wire.ts'

export const ORIGINS = ['https://play.example', 'http://localhost:3000'] as const

/** The socket library that the server uses. */
export type Library = 'native' | 'node'
export const LIBRARIES: readonly Library[] = ['native', 'node']

export interface Stage {
  readonly server: TestServer
  readonly clock: TestClock
  readonly database: TestDatabase
  close(): Promise<void>
}

/** Starts a server with a socket library, and restores the environment afterwards. */
export async function openStage(
  library: Library,
  database: TestDatabase,
  settings: Settings = {},
): Promise<Stage> {
  const clock = testClock()
  const before = process.env.UWS_USE_FALLBACK
  process.env.UWS_USE_FALLBACK = String(library === 'node')
  try {
    const server = await startTestServer(database, {
      isSmallMap: true,
      settings: {
        LIMITS: 'on',
        TRUSTED_PROXIES: '1',
        ALLOWED_ORIGINS: ORIGINS.join(),
        ...settings,
      },
      hooks: { clock },
    })
    return {
      server,
      clock,
      database,
      close: () => server.stop(),
    }
  } finally {
    if (before === undefined) delete process.env.UWS_USE_FALLBACK
    else process.env.UWS_USE_FALLBACK = before
  }
}

let lastAddress = 0
/** Returns an IP address from which no request has come yet. */
export function newAddress(): string {
  lastAddress += 1
  return `198.51.${100 + (lastAddress >> 8)}.${lastAddress & 255}`
}

/** A client with an IP address of its own. */
export interface Visitor {
  readonly ip: string
  readonly headers: Record<string, string>
  post(path: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  socket(path?: string, headers?: Record<string, string>): Client
}

export function newVisitor({ server }: Stage, ip: string = newAddress()): Visitor {
  const headers = { 'x-forwarded-for': ip }
  return {
    ip,
    headers,
    post: (path, body, extra) => post(server.url + path, body, { ...headers, ...extra }),
    get: (path, extra) => rawGet(server.url + path, { ...headers, ...extra }),
    socket: (path = '/ws', extra = {}) =>
      connect(server.port, path, { headers: { ...headers, ...extra } }),
  }
}

/** Sends a GET with any headers, including those that fetch refuses to send. */
export function rawGet(url: string, headers: Record<string, string | string[]>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    openRequest(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.includes('json') && text !== ''
        const given = Object.entries(response.headers).map(([name, value]) => [name, `${value}`])
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(given as [string, string][]),
          text,
          body: isJson ? (JSON.parse(text) as Params) : {},
        })
      })
    })
      .on('error', reject)
      .end()
  })
}

export interface Account {
  readonly session: string
  readonly username: string
  readonly password: string
  readonly playerId: string
}

/** Registers a player over HTTP v1. */
export async function enter(visitor: Visitor, username = newName()): Promise<Account> {
  const registered = await visitor.post('/api/v1/register', newPlayer(username))
  if (registered.status !== 200) throw new Error(`not registered: ${registered.text}`)
  const { password, player_id } = registered.body.result as Params
  const { id } = registered.body.session as { id: string }
  return { session: id, username, password: String(password), playerId: String(player_id) }
}

/** Connects over WebSocket v1, reads the welcome and logs in. */
export async function logIn(visitor: Visitor, account: Account): Promise<Client> {
  const client = visitor.socket()
  await client.next()
  const { username, password } = account
  client.send({ type: 'login', payload: { username, password } })
  const { type } = await client.next()
  if (type !== 'logged_in') throw new Error(`not logged in: ${type}`)
  return client
}

/** Resolves with the next frame of that type. */
export async function nextOf(client: Client, type: string): Promise<Params> {
  for (;;) {
    const frame = await client.next()
    if (frame.type === type) return frame.payload
  }
}

/**
 * Expects a 429 of one of the two APIs, in which the error object with its details, the fields next
 * to it and the header agree. Source: newer.md section 2, WIRE 4.8.
 */
export function expectLimited({ status, headers, body }: Answer): void {
  const seconds = Number(headers.get('retry-after'))
  const wait = { retry_after: seconds, wait_seconds: seconds }
  const details = { ...wait, limit: expect.any(String), scope: expect.any(String) }
  const message = expect.stringMatching(/^rate_limited \(\w+\): .*\bRetry in \d+ seconds?\.$/)
  const error = { code: 'rate_limited', message, details, ...wait }
  expect({ status, body, isWhole: Number.isInteger(seconds) && seconds > 0 }).toMatchObject({
    status: 429,
    body: { error, message, code: 'rate_limited', ...wait },
    isWhole: true,
  })
}

/** Expects a flat 429 whose header agrees with its body. Source: interface, Shapes. */
export function expectFlat429({ status, headers, body }: Answer): void {
  const seconds = Number(headers.get('retry-after'))
  expect({ status, body, isWhole: Number.isInteger(seconds) && seconds > 0 }).toMatchObject({
    status: 429,
    body: {
      error: 'rate_limited',
      code: 'rate_limited',
      message: expect.any(String),
      retry_after: seconds,
      wait_seconds: seconds,
    },
    isWhole: true,
  })
}
