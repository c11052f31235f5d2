/**
 * Sockets: the cost of a small query on our main thread, including framing, limits, schema and
 * dispatch, compared with an echo of `ws`; and of a frame to many, compared with `ws`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type WebSocket, WebSocketServer } from 'ws'
import { moduleUrl } from '../core/module-url.ts'
import { listen } from '../net/server.ts'
import type { ServerHandlers } from '../net/ws/listener.ts'
import type { RawSocket } from '../net/ws/outbound.ts'
import { startFakeNet } from '../test/unit/net/fake-net.ts'
import { type BenchDef, medianOf, type Sample, type Size } from './bench.ts'

const SIZES = {
  tiny: { asking: 4, askMs: 200, listening: 8, frames: 3 },
  full: { asking: 200, askMs: 3_000, listening: 1_000, frames: 60 },
}
const FRAME_BYTES = 1_024
const HEAD_BYTES = 64
const QUERY = JSON.stringify({ type: 'get_version', payload: {}, request_id: 'bench-1' })
const CLIENT = moduleUrl(import.meta.url, './socket-client').pathname

/** Starts a client process; `next` returns the lines it prints one by one. */
function startClient(args: readonly (string | number)[]) {
  const child: ChildProcess = spawn(process.execPath, [CLIENT, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const iterator = lines[Symbol.asyncIterator]()
  return {
    async next(): Promise<string> {
      const { value, done } = await iterator.next()
      if (done) throw new Error('the client has ended')
      return value
    },
    end: () => child.kill(),
  }
}

/** Measures the round trips per second, and the CPU time of this process for each, in µs. */
async function ask(port: number, size: Size): Promise<{ perSecond: number; cpuUs: number }> {
  const { asking, askMs } = SIZES[size]
  const client = startClient([`ws://127.0.0.1:${port}/ws`, 'ask', asking, askMs, QUERY])
  await client.next()
  const [since, cpu] = [performance.now(), process.cpuUsage()]
  const answers = Number((await client.next()).split(' ')[1])
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - since) / 1_000
  if (answers === 0) throw new Error('nothing was answered')
  return { perSecond: answers / seconds, cpuUs: (user + system) / answers }
}

function sampleOfAsking(name: string, { perSecond, cpuUs }: Awaited<ReturnType<typeof ask>>) {
  return {
    medianMs: {},
    amounts: {
      [`CPU of ${name}`]: { value: cpuUs, unit: 'µs' },
      [`${name}, rate`]: { value: perSecond, unit: '1/s' },
    },
    hash: 'answered',
  }
}

async function ourQuery(size: Size): Promise<Sample> {
  const net = await startFakeNet({ limits: false })
  try {
    return sampleOfAsking('our query', await ask(net.port, size))
  } finally {
    await net.close()
  }
}

function openWs(opened: (socket: WebSocket) => void): Promise<{ port: number; close(): void }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', opened)
  return new Promise((resolve) => {
    server.once('listening', () => {
      const { port } = server.address() as { port: number }
      resolve({ port, close: () => server.close() })
    })
  })
}

async function wsEcho(size: Size): Promise<Sample> {
  const server = await openWs((socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  const asked = await ask(server.port, size)
  server.close()
  return sampleOfAsking('ws echo', asked)
}

/** Sends frame after frame to all clients, each when the last client has received the previous. */
async function fanOut(port: number, size: Size, name: string, send: () => void): Promise<Sample> {
  const { listening, frames } = SIZES[size]
  const client = startClient([`ws://127.0.0.1:${port}/ws`, 'listen', listening, 0, ''])
  await client.next()
  const calls: number[] = []
  const whole: number[] = []
  const cpu = process.cpuUsage()
  for (let i = 0; i < frames; i++) {
    const since = performance.now()
    send()
    calls.push(performance.now() - since)
    await client.next()
    whole.push(performance.now() - since)
  }
  const { user, system } = process.cpuUsage(cpu)
  client.end()
  return {
    medianMs: {
      [`${name} to all, handed over`]: medianOf(calls),
      [`${name} to all, last one has it`]: medianOf(whole),
    },
    rows: listening,
    amounts: {
      [`CPU a recipient, ${name}`]: { value: (user + system) / frames / listening, unit: 'µs' },
    },
    hash: 'answered',
  }
}

/**
 * Sends a frame like battle_update: each recipient has a head of their own, and all share the tail.
 */
async function ourFanOut(size: Size): Promise<Sample> {
  const sockets: RawSocket[] = []
  const handlers: ServerHandlers = {
    sockets: undefined as never,
    door: undefined as never,
    request: (exchange) => void exchange,
    upgradeStatus: () => 101,
    opened(raw) {
      sockets.push(raw)
      return undefined
    },
  }
  const listener = await listen('127.0.0.1', 0, handlers)
  const head = Buffer.alloc(HEAD_BYTES, 'h')
  const tail = Buffer.alloc(FRAME_BYTES - HEAD_BYTES, 't')
  const sample = await fanOut(listener.port, size, 'ours', () => {
    for (const socket of sockets) socket.send(head, tail)
  })
  listener.stop()
  return sample
}

async function wsFanOut(size: Size): Promise<Sample> {
  const sockets: WebSocket[] = []
  const server = await openWs((socket) => sockets.push(socket))
  const frame = Buffer.alloc(FRAME_BYTES, 'f')
  const sample = await fanOut(server.port, size, 'ws', () => {
    for (const socket of sockets) socket.send(frame)
  })
  server.close()
  return sample
}

const VARIANTS: Readonly<Record<string, (size: Size) => Promise<Sample>>> = {
  'our query': ourQuery,
  'ws echo': wsEcho,
  'our fan-out': ourFanOut,
  'ws fan-out': wsFanOut,
}

export const bench: BenchDef = {
  name: 'sockets',
  about:
    '200 connections that each ask for get_version, one at a time, compared with an echo of ws: server CPU for each; ' +
    'and 1 KB to each of 1,000 connections, head and tail, compared with ws.send.',
  rounds: 3,
  variants: Object.keys(VARIANTS),
  lines: [
    { of: 'CPU of our query', against: 'CPU of ws echo' },
    { of: 'CPU a recipient, ws', against: 'CPU a recipient, ours' },
    { of: 'ws to all, last one has it', against: 'ours to all, last one has it' },
  ],
  run: (size, variant) => VARIANTS[variant](size),
}
