/**
 * The packer: a separate thread that hashes, compresses and stores snapshots over its own
 * connection, so that the world thread only copies (DESIGN 4). A failed snapshot rejects; ticks
 * continue, and the next snapshot gets a new thread if the old one ended.
 */
import { constants, getPriority, setPriority } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { TakeSlice, WorldImage } from '../core/ports.ts'
import { type ConnectionOptions, connect, disconnect } from './db.ts'
import { type Keeping, pruneWorld } from './keeping.ts'
import { type PackedImage, packImage } from './snapshot-format.ts'
import { saveSnapshot } from './snapshots.ts'
import type { StoreLog } from './store-log.ts'

interface PackerOptions {
  /** Retention of snapshots and journal, applied after each save. */
  readonly keep: Keeping
  readonly log?: StoreLog
}

interface Packer {
  /**
   * Resolves once the snapshot is durable; the image must not change until then. Snapshots are
   * saved one at a time.
   */
  save(image: WorldImage, sliced?: TakeSlice): Promise<void>
  close(): Promise<void>
}

interface PackerData {
  readonly role: 'packer'
  readonly connection: ConnectionOptions
  readonly keep: Keeping
}

interface PackRequest {
  readonly id: number
  readonly packed: PackedImage
}

interface PackReply {
  readonly id: number
  readonly error?: string
  /** Damage that kept older journal rows from being compressed. */
  readonly damage?: string
}

/**
 * ours: longer than any statement of a snapshot; without it one stalled statement would block all
 * later ones.
 */
const RESPONSE_TIMEOUT_MS = 20_000
/** Time for which the world thread packs before it yields to the event loop. */
const SLICE_MS = 4

/** Returns bytes in shared memory, which another thread can read without a copy or transfer. */
function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

async function packInSlices(image: WorldImage, sliced: TakeSlice): Promise<PackedImage> {
  const packing = packImage(image)
  let since = performance.now()
  const pause = async (minMs = SLICE_MS): Promise<void> => {
    const tookMs = performance.now() - since
    if (tookMs < minMs) return
    sliced(since, tookMs)
    await new Promise((done) => setImmediate(done))
    since = performance.now()
  }
  for (;;) {
    const step = packing.next()
    if (step.done) {
      const parts: Uint8Array[] = []
      for (const part of step.value.parts) {
        parts.push(shared(part))
        await pause()
      }
      await pause(0)
      return { manifest: step.value.manifest, parts }
    }
    await pause()
  }
}

/** Creates the packer; its thread starts with the first snapshot. */
export function createPacker(connection: ConnectionOptions, options: PackerOptions): Packer {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let nextId = 1

  const start = (): Worker => {
    const data: PackerData = { role: 'packer', connection, keep: options.keep }
    const thread = new Worker(new URL(import.meta.url), { workerData: data })
    thread.unref()
    thread.once('exit', () => {
      if (worker === thread) worker = undefined
    })
    return thread
  }
  const send = (packed: PackedImage): Promise<void> =>
    new Promise((resolve, reject) => {
      worker ??= start()
      const current = worker
      const id = nextId++
      const end = (error?: Error): void => {
        current.off('message', onReply)
        current.off('error', end)
        current.off('exit', onExit)
        if (error) reject(error)
        else resolve()
      }
      const onReply = (reply: PackReply): void => {
        if (reply.id !== id) return
        if (reply.damage !== undefined) options.log?.('error', {}, reply.damage)
        end(reply.error === undefined ? undefined : new Error(reply.error))
      }
      const onExit = (): void => end(new Error('the packer ended before the snapshot was stored'))
      current.on('message', onReply)
      current.on('error', end)
      current.on('exit', onExit)
      current.ref()
      const request: PackRequest = { id, packed }
      current.postMessage(request)
    })

  return {
    save(image, sliced = () => {}) {
      const saved = last.then(async () => {
        await send(await packInSlices(image, sliced))
        worker?.unref()
      })
      last = saved.catch(() => {})
      return saved
    },
    async close() {
      await last
      await worker?.terminate()
    },
  }
}

/**
 * Lowers the priority of this thread: a snapshot takes half a second of a core, for which ticks and
 * frames must not wait. On Linux a priority applies to the calling thread, elsewhere to the whole
 * process. A server that was started with a lower one must not raise it.
 */
function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  if (process.platform !== 'linux' || getPriority() >= PRIORITY_BELOW_NORMAL) return
  setPriority(PRIORITY_BELOW_NORMAL)
}

/** Serves the requests of the world thread, one after the other. */
function serve(port: NonNullable<typeof parentPort>, data: PackerData): void {
  lowerPriority()
  const sql = connect(data.connection, { name: 'packer', responseTimeoutMs: RESPONSE_TIMEOUT_MS })
  const handle = async ({ id, packed }: PackRequest): Promise<PackReply> => {
    try {
      await saveSnapshot(sql, packed)
      return { id, damage: (await pruneWorld(sql, data.keep)).damage }
    } catch (error) {
      return { id, error: error instanceof Error ? error.message : String(error) }
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  port.on('message', (request: PackRequest) => {
    last = last.then(async () => port.postMessage(await handle(request)))
  })
  port.on('close', () => void disconnect(sql, 0))
}

const data = workerData as PackerData | null
if (!isMainThread && parentPort && data?.role === 'packer') serve(parentPort, data)
