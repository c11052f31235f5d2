/**
 * The scanned server as a process of its own, so that its memory is the server's alone. Its parent
 * requests a measurement after a forced collection by message; the server itself is unchanged.
 */
import { Session } from 'node:inspector/promises'
import { loadConfig } from '../../config.ts'
import type { NetServer } from '../../net/net.ts'
import { sessionCount } from '../../net/session/session.ts'
import { type Server, startServer } from '../../server.ts'

/** Memory of the process after a forced collection, in bytes. */
export interface ScanMemory {
  /** Heap of the main thread. */
  readonly heap: number
  /** Heaps of all other threads. */
  readonly worldHeap: number
  readonly external: number
  readonly arrayBuffers: number
  readonly rss: number
  /** HTTP and MCP sessions that are alive. */
  readonly sessions: number
  readonly worldEnds: number
}

export type FromScanned =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'error'; readonly text: string }
  | ({ readonly kind: 'memory' } & ScanMemory)

const COLLECTIONS = 2
/** Time for V8's background thread to return freed pages to the system. */
const UNMAP_MS = 500
const ANSWER_MS = 60_000
/** Number of the last of the three messages to a thread. */
const HEAP_USAGE = 3

const send = (message: FromScanned): void => void process.send?.(message)

interface WorkerMessage {
  readonly id?: number
  readonly result?: { readonly usedSize?: number }
}

/** Returns the heaps in bytes of world thread and snapshot packer, after a collection. */
async function threadHeaps(session: Session): Promise<number> {
  const open = new Set<string>()
  let bytes = 0
  let onLast: () => void = () => {}
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    open.add(sessionId)
    const post = (id: number, method: string): void => {
      const message = JSON.stringify({ id, method })
      void session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
    }
    post(1, 'HeapProfiler.collectGarbage')
    post(2, 'HeapProfiler.collectGarbage')
    post(HEAP_USAGE, 'Runtime.getHeapUsage')
  })
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
    const { id, result } = JSON.parse(message) as WorkerMessage
    if (id !== HEAP_USAGE) return
    bytes += result?.usedSize ?? 0
    open.delete(sessionId)
    if (open.size === 0) onLast()
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await new Promise<void>((resolve, reject) => {
    onLast = resolve
    setTimeout(() => reject(new Error('a thread does not report its heap')), ANSWER_MS).unref()
    if (open.size === 0) resolve()
  })
  return bytes
}

/** Measures after a collection by the inspector, which frees pages as one at low memory does. */
async function measure(server: Server, net: NetServer): Promise<ScanMemory> {
  const session = new Session()
  session.connect()
  const world = await threadHeaps(session)
  for (let i = 0; i < COLLECTIONS; i++) await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  await new Promise((resolve) => setTimeout(resolve, UNMAP_MS))
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  return {
    heap: heapUsed,
    worldHeap: world,
    external,
    arrayBuffers,
    rss,
    sessions: sessionCount(net.net.pools),
    worldEnds: server.link.ends(),
  }
}

let net: NetServer | undefined
const error = (fields: object, text: string): void => {
  const { err } = fields as { err?: Error }
  send({ kind: 'error', text: `${text} ${err?.stack ?? JSON.stringify(fields)}` })
}
const silent = (): void => {}
const server = await startServer(loadConfig(process.env, []), {
  log: { debug: silent, info: silent, warn: silent, error },
  onFatal: (text) => error({}, text),
  onNet: (made) => {
    net = made
  },
})
process.on('uncaughtException', (err) => error({ err }, 'uncaught'))
process.on('unhandledRejection', (err) => error({ err: err as Error }, 'unhandled'))
process.on('message', (wish: 'measure' | 'stop') => {
  if (wish === 'stop') {
    void server.stop().then(() => process.exit(0))
    return
  }
  measure(server, net as NetServer).then(
    (memory) => send({ kind: 'memory', ...memory }),
    (err: unknown) => error({ err: err as Error }, 'the memory was not measured'),
  )
})
send({ kind: 'ready', port: server.port })
