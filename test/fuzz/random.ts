/** Bytes, HTTP requests and JSON-RPC bodies that follow no schema. */
import type { Dice } from '../../core/dice.ts'
import type { Driver, Message } from './driver.ts'

export function randomBytes(dice: Dice, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) bytes[i] = dice.below(256)
  return bytes
}

interface Drawn {
  readonly what: string
  readonly message: Message
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']
const PATHS = [
  '/',
  '/health',
  '/metrics',
  '/api',
  '/api/v1',
  '/api/v1/',
  '/api/v1/session',
  '/api/v1/get_status',
  '/api/v1/get_status/',
  '/api/v1/no_such_command',
  '/api/v1/internal:bind',
  '/api/v1/%6dine',
  '/api/v1/%zz',
  '/api/v1/..%2f..%2fetc',
  '/api/v2/game',
  '/api/v2/game/get_status',
  '/api/v2/game/help',
  '/api/v2/game/no_such_action',
  '/api/v2/no_such_tool/x',
  '/api/v2/notifications',
  '/api/v2/notifications?limit=-1',
  '/api/v2/notifications?limit=1e9&types=a,,b&clear=maybe',
  '/api/v2/game/help?topic=%F0%9F%9A%80',
  '/api/map?x=%00',
  '/api/stats/',
  '/api/market/item/%00',
  '/api/market/item/__proto__',
  '/mcp',
  '/mcp/v2?preset=none&exclude=,,,',
  '/mcp/docs',
  '/ws',
  '/ws/v2',
  `/${'a'.repeat(2_000)}`,
]
const BODIES = ['', '{}', '[]', '{', 'null', 'a=b&c=d', '<a/>', '{"action":7}', '{"id":"x"}']
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'x-session-id': 'no-such-session' },
  { 'x-session-id': 'x'.repeat(1_000) },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Basic !!!' },
  { origin: 'null' },
  { origin: 'https://elsewhere.example' },
  { 'x-forwarded-for': '1.2.3.4, ::1, x' },
  { 'accept-encoding': 'gzip, br, *;q=0' },
  { 'if-none-match': '"a", W/"b", *' },
  { expect: 'a-thing' },
  { host: 'elsewhere.example' },
]

/**
 * Draws a whole request to any path; the session is the driver's own unless the headers name one.
 */
export function randomRequest(dice: Dice, _driver: Driver): Drawn {
  const method = dice.pick(METHODS)
  const path = dice.pick(PATHS)
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  const body = Buffer.from(hasBody ? dice.pick(BODIES) : '')
  const message = { method, path, body, headers: dice.pick(HEADERS) }
  return { what: `${method} ${path.slice(0, 60)} ${JSON.stringify(message.headers)}`, message }
}

const RPC_METHODS = [
  'tools/list',
  'tools/call',
  'ping',
  'initialize',
  'resources/list',
  'resources/read',
  'prompts/list',
  'notifications/cancelled',
  'subscriptions/listen',
  'no/such/method',
  '',
]
const RPC_IDS = ['1', '"a"', 'null', '-1', '1.5', '{}', '[]', '9007199254740993', '""']
const RPC_PARAMS = [
  '{}',
  '[]',
  'null',
  '7',
  '{"name":"get_status"}',
  '{"name":"get_status","arguments":[]}',
  '{"name":7,"arguments":{}}',
  '{"name":"no_such_tool","arguments":{}}',
  '{"name":"get_status","arguments":{"session_id":7}}',
  '{"name":"get_status","arguments":{"session_id":"no-such-session"}}',
  '{"name":"__proto__","arguments":{}}',
  '{"name":"game","arguments":{"action":"__proto__"}}',
  '{"cursor":"x","_meta":{"progressToken":{}}}',
]
const RPC_HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  {},
  { 'mcp-session-id': 'no-such-session' },
  { 'mcp-session-id': '' },
  { 'mcp-protocol-version': '1999-01-01' },
  { 'mcp-protocol-version': '2026-07-28' },
  { 'content-type': 'text/plain' },
  { origin: 'https://elsewhere.example' },
]

/** Draws a body that is nearly JSON-RPC. */
export function randomRpc(dice: Dice, driver: Driver): Drawn {
  const version = dice.pick(['"2.0"', '"2.0"', '"2.0"', '"1.0"', '2', 'null'])
  const id = dice.chance(80) ? `,"id":${dice.pick(RPC_IDS)}` : ''
  const params = dice.chance(80) ? `,"params":${dice.pick(RPC_PARAMS)}` : ''
  const call = `{"jsonrpc":${version},"method":"${dice.pick(RPC_METHODS)}"${id}${params}}`
  const text = dice.chance(10) ? `[${call},${call}]` : call
  const path = driver.framing === 'mcp1' ? '/mcp' : '/mcp/v2'
  const message = { path, body: Buffer.from(text), headers: dice.pick(RPC_HEADERS) }
  return { what: `${path} ${text.slice(0, 200)} ${JSON.stringify(message.headers)}`, message }
}
