/**
 * What the security tests share: a real server with all limits on, behind one trusted proxy, so
 * that each test comes from an address of its own; its clock stands until a test moves it.
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

/** Which socket library serves. */
export type Library = 'native' | 'node'
export const LIBRARIES: readonly Library[] = ['native', 'node']

export interface Stage {
  readonly server: TestServer
  readonly clock: TestClock
  readonly database: TestDatabase
  close(): Promise<void>
}

/** Starts a server of that library; the setting of the tester comes back after it. */
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
/** Returns an address that no request has come from yet. */
export function newAddress(): string {
  lastAddress += 1
  return `198.51.${100 + (lastAddress >> 8)}.${lastAddress & 255}`
}

/** Somebody at an address. */
export interface Visitor {
  readonly ip: string
  readonly headers: Record<string, string>
  post(path: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  socket(path?: string, headers?: Record<string, string>): Client
}

export function visitor({ server }: Stage, ip: string = newAddress()): Visitor {
  const headers = { 'x-forwarded-for': ip }
  return {
    ip,
    headers,
    post: (path, body, more) => post(server.url + path, body, { ...headers, ...more }),
    get: (path, more) => bare(server.url + path, { ...headers, ...more }),
    socket: (path = '/ws', more = {}) =>
      connect(server.port, path, { headers: { ...headers, ...more } }),
  }
}

/** Sends a GET with any headers, also those that fetch would not send. */
export function bare(url: string, headers: Record<string, string | string[]>): Promise<Answer> {
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

/** Registers over HTTP v1. */
export async function enter(who: Visitor, username = newName()): Promise<Account> {
  const made = await who.post('/api/v1/register', newPlayer(username))
  if (made.status !== 200) throw new Error(`not registered: ${made.text}`)
  const { password, player_id } = made.body.result as Params
  const { id } = made.body.session as { id: string }
  return { session: id, username, password: String(password), playerId: String(player_id) }
}

/** Logs in over WebSocket v1, past the welcome. */
export async function logIn(who: Visitor, account: Account): Promise<Client> {
  const client = who.socket()
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
 * Expects a 429 of one of the two APIs: the error object with its details, the fields that clients
 * read beside it, and the header, all in agreement. Source: newer.md section 2, WIRE 4.8.
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
