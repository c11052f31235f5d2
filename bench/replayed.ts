/** The thread that replays for replay.bench.ts: from an image, row by row. */
import { parentPort, workerData } from 'node:worker_threads'
import { stateHash } from '../core/hash.ts'
import type { WorldImage } from '../core/ports.ts'
import { createRegistry } from '../core/registry.ts'
import { asItRan, loadWorld, openEngine, replayRow } from '../engine/start.ts'
import { CHAIN_START, decodeJournalRow, type EncodedRow } from '../storage/journal-row.ts'
import { DOMAINS } from '../systems/registry.ts'

export interface Journal {
  readonly image: WorldImage
  readonly rows: readonly EncodedRow[]
  readonly maxEntities: number
}

export interface Replayed {
  /** Time of each row, including decoding. */
  readonly ms: readonly number[]
  /** Processor time of all rows. */
  readonly cpuMs: number
  readonly hash: string
}

const { image, rows, maxEntities } = workerData as Journal
const registry = createRegistry(DOMAINS)
const shape = asItRan({ registry, tickMs: 10_000, maxEntities }, image)
const world = loadWorld(shape, image)
const engine = await openEngine(world, registry, { checksWrites: false })
const ms: number[] = []
let chain = CHAIN_START
// This counts the whole process, but the main thread only waits.
const before = process.cpuUsage()
for (const row of rows) {
  const sinceMs = performance.now()
  replayRow(engine, decodeJournalRow(row, chain))
  await engine.section.settled()
  chain = row.checksum
  ms.push(performance.now() - sinceMs)
}
const { user, system } = process.cpuUsage(before)
const cpuMs = (user + system) / 1_000
parentPort?.postMessage({ ms, cpuMs, hash: stateHash(world) } satisfies Replayed)
