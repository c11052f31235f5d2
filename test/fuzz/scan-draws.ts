/** What the scan sends: requests and frames as bytes, drawn from one sequence. */
import { isUtf8 } from 'node:buffer'
import type { Dice } from '../../core/dice.ts'
import type { Registry } from '../../core/registry.ts'
import { type Attempt, drawAttempt, mayBlock, type Source } from './attempts.ts'
import { BREACHES } from './breaches.ts'
import type { Driver, Message } from './driver.ts'
import { httpCases } from './http-cases.ts'
import { bytesOf } from './pipe.ts'
import { createPlan } from './plan.ts'
import { createPlayer, FRAMINGS, type FuzzFraming } from './player.ts'
import { randomRequest, randomRpc } from './random.ts'
import { BINARY, frameOf, TEXT } from './raw.ts'

export interface DrawnRequest {
  readonly bytes: Buffer
  readonly isHead: boolean
  /** Its answer may wait for a tick. */
  readonly mayBlock: boolean
}

export interface Draws {
  /** Any request of HTTP; `session` is sent with it unless the request names another. */
  request(framing: 'http1' | 'http2', session: string): DrawnRequest
  rpc(framing: 'mcp1' | 'mcp2', session: string): DrawnRequest
  initialize(): DrawnRequest
  newSession(): DrawnRequest
  /** A request to a path that answers with one of the large documents, or another public one. */
  document(): DrawnRequest
  frame(framing: 'ws1' | 'ws2'): Buffer
  /** Bytes that break RFC 6455, to follow a handshake, or a request that is not HTTP. */
  hostile(): { readonly bytes: Buffer; readonly isFrame: boolean }
  /** One of the addresses that requests come from, as a proxy reports it. */
  address(): string
}

const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const MCP_PATHS = ['/mcp', '/mcp/v2', '/mcp/docs']
const DOCUMENTS = [
  '/api/catalog.json',
  '/api/openapi.json',
  '/api/v2/openapi.json',
  '/api/map',
  '/api/stations',
  '/api/stats',
  '/api/market/item/iron_ore',
  '/api/docs',
  '/health',
  '/metrics',
]
/** Bytes that are not UTF-8 end a socket, and with it all frames behind them. */
const BROKEN_PCT = 3
/** Longer messages would test the network of the scanning process, not the server. */
const LONG_BYTES = 20_000
const LONG_PCT = 2

/** Sessions for cases that are only sent: nobody checks their answers. */
const NO_SESSIONS = { v1: 'none', v2: 'none', fresh: 'none', expired: 'none' }

function sourcesOf(dice: Dice, registry: Registry): Map<FuzzFraming, Source> {
  return new Map(
    FRAMINGS.map((framing) => {
      const { driver, defs, pool } = createPlayer('http://127.0.0.1', framing, registry)
      return [
        framing,
        {
          dice,
          driver,
          defs,
          pool,
          plan: createPlan(defs, framing.endsWith('2')),
          newId: () => '"s"',
        },
      ]
    }),
  )
}

/** Draws an attempt; most of the very long and the broken ones are drawn again. */
function attemptOf(source: Source): Attempt {
  for (;;) {
    const attempt = drawAttempt(source)
    const { body, isBinary } = attempt.message
    if (body.length > LONG_BYTES && !source.dice.chance(LONG_PCT)) continue
    if (isBinary || isUtf8(body) || source.dice.chance(BROKEN_PCT)) return attempt
  }
}

const request = (message: Message, mayWait: boolean): DrawnRequest => ({
  bytes: bytesOf(message),
  isHead: message.method === 'HEAD',
  mayBlock: mayWait,
})

export function createDraws(dice: Dice, registry: Registry, addresses: number): Draws {
  const sources = sourcesOf(dice, registry)
  const sourceOf = (framing: FuzzFraming): Source => sources.get(framing) as Source
  const hostile = [
    ...BREACHES.map(({ bytes }) => ({ bytes, isFrame: true })),
    ...httpCases(NO_SESSIONS).map(({ bytes }) => ({ bytes: Buffer.from(bytes), isFrame: false })),
  ]
  const address = (): string => {
    const index = dice.below(addresses)
    return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
  }
  const forwarded = (): Record<string, string> => ({ 'x-forwarded-for': address() })
  const drawn = (driver: Driver, attempt: Attempt, own: Record<string, string>): DrawnRequest => {
    const { message } = attempt
    const headers = { ...own, ...forwarded(), ...message.headers }
    return request({ ...message, headers }, mayBlock(driver, attempt))
  }
  return {
    address,
    request(framing, session) {
      const source = sourceOf(framing)
      const own = { 'content-type': 'application/json', 'x-session-id': session }
      if (dice.chance(70)) return drawn(source.driver, attemptOf(source), own)
      const { message } = randomRequest(dice, source.driver)
      // Other clients of the scan send the handshakes of sockets.
      const path = message.path?.startsWith('/ws') ? '/' : message.path
      const headers = { ...own, ...forwarded(), ...message.headers }
      return request({ ...message, path, headers }, false)
    },
    rpc(framing, session) {
      const source = sourceOf(framing)
      const own = {
        ...MCP_HEADERS,
        ...forwarded(),
        'mcp-protocol-version': '2025-06-18',
        ...(session ? { 'mcp-session-id': session } : {}),
      }
      if (dice.chance(60)) return drawn(source.driver, attemptOf(source), own)
      const { message } = randomRpc(dice, source.driver)
      return request({ ...message, headers: { ...own, ...message.headers } }, true)
    },
    initialize() {
      const body =
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",' +
        '"capabilities":{},"clientInfo":{"name":"scan","version":"1"}}}'
      const headers = { ...MCP_HEADERS, ...forwarded() }
      return request({ path: dice.pick(MCP_PATHS), headers, body: Buffer.from(body) }, false)
    },
    newSession() {
      const path = dice.pick(['/api/v1/session', '/api/v2/session'])
      return request({ path, headers: forwarded(), body: Buffer.alloc(0) }, false)
    },
    document() {
      const path = dice.pick(DOCUMENTS)
      return request({ method: 'GET', path, headers: forwarded(), body: Buffer.alloc(0) }, false)
    },
    frame(framing) {
      const { message } = attemptOf(sourceOf(framing))
      return frameOf(message.isBinary ? BINARY : TEXT, message.body)
    },
    hostile: () => dice.pick(hostile),
  }
}
