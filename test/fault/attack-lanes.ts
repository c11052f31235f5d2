/**
 * Attackers in a separate process: connections that repeat one thing as fast as they can, and are
 * reopened when they are closed. All come from one address.
 * `node dist/test/fault/attack-lanes.js 8080 chunks,batches 60000`.
 */
import { connect, type Socket } from 'node:net'
import { frameOf, handshake, PING } from '../fuzz/raw.ts'
import { sleep } from './program.ts'

interface Attack {
  readonly lanes: number
  /** Bytes that a connection sends first. */
  readonly first: string
  /** Bytes that it sends repeatedly after that. */
  readonly repeated: Buffer
  readonly isReading: boolean
  /** True if it waits for the first answer before it repeats. */
  readonly awaits?: boolean
}

const HOST = 'Host: 127.0.0.1\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const KIB = 1024
const REPEATED_BYTES = 64 * KIB
const RECONNECT_MS = 50

/** Returns the piece as often as fits in REPEATED_BYTES, at least once. */
const repeat = (piece: Buffer | string): Buffer => {
  const bytes = Buffer.from(piece)
  return Buffer.alloc(
    Math.max(1, Math.floor(REPEATED_BYTES / bytes.byteLength)) * bytes.byteLength,
    bytes,
  )
}

const post = (path: string, body: string, header = ''): string =>
  `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}${header}` +
  `Content-Length: ${body.length}\r\n\r\n${body}`

/** Makes a batch of 60 calls of tools/list, on a protocol session that allows batches. */
const batch = (session: string): string => {
  const calls = Array.from({ length: 60 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/list',
  }))
  return post('/mcp', JSON.stringify(calls), `Mcp-Session-Id: ${session}\r\n`)
}

const list = (session: string): string =>
  post(
    '/mcp',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    `Mcp-Session-Id: ${session}\r\n`,
  )

const initialize = post(
  '/mcp',
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'lane', version: '1' },
    },
  }),
)

const chunked = `POST /mcp HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`

/** Attacks by name. `session` is the id of an MCP session. */
const ATTACKS: Readonly<Record<string, (session: string) => Attack>> = {
  chunks: () => ({ lanes: 90, first: chunked, repeated: repeat('1\r\nx\r\n'), isReading: false }),
  batches: (session) => ({
    lanes: 20,
    first: '',
    repeated: repeat(batch(session)),
    isReading: true,
  }),
  unread: (session) => ({
    lanes: 60,
    first: '',
    repeated: repeat(list(session)),
    isReading: false,
  }),
  pings: () => ({
    lanes: 40,
    first: handshake('/ws'),
    repeated: repeat(frameOf(PING, 'x'.repeat(125))),
    isReading: false,
    awaits: true,
  }),
  pipelines: () => ({
    lanes: 20,
    first: '',
    repeated: repeat(`GET /nowhere HTTP/1.1\r\n${HOST}\r\n`),
    isReading: false,
  }),
}
export const ATTACK_NAMES = Object.keys(ATTACKS)

function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  return socket
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()))

/** Resolves with the first bytes received, or with '' when the connection is closed. */
const answered = (socket: Socket): Promise<string> =>
  Promise.race([
    new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
    closed(socket).then(() => ''),
  ])

/** Resolves with the id of a new MCP session. */
async function openSession(port: number): Promise<string> {
  const socket = open(port)
  socket.write(initialize)
  const answer = await answered(socket)
  socket.destroy()
  return /mcp-session-id: ([0-9a-f]+)/i.exec(answer)?.[1] ?? ''
}

/** Runs a lane: sends until the connection ends, then opens another one. */
async function runLane(port: number, attack: Attack, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const socket = open(port)
    const end = closed(socket)
    socket.write(attack.first)
    if (attack.awaits) await answered(socket)
    if (attack.isReading) socket.on('data', () => undefined)
    else socket.pause()
    while (!socket.destroyed && performance.now() < untilMs) {
      const written = new Promise<void>((resolve) => socket.write(attack.repeated, () => resolve()))
      await Promise.race([written, end, sleep(untilMs - performance.now())])
    }
    socket.destroy()
    await sleep(RECONNECT_MS)
  }
}

const [port, names, ms] = process.argv.slice(2)
const untilMs = performance.now() + Number(ms)
const session = await openSession(Number(port))
const lanes = names.split(',').flatMap((name) => {
  const attack = ATTACKS[name](session)
  return Array.from({ length: attack.lanes }, () => runLane(Number(port), attack, untilMs))
})
await Promise.all(lanes)
