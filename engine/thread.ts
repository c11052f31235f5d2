/**
 * Composition root of the world thread: clock, storage and kernel threads around the world's loop,
 * without sockets. Whatever throws here ends the thread; main starts another, which recovers from
 * the journal.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../core/assert.ts'
import { moduleUrl } from '../core/module-url.ts'
import type { BatchStore, ToMain, ToWorld } from '../core/ports.ts'
import { createRegistry } from '../core/registry.ts'
import { RULES_VERSION } from '../core/version.ts'
import {
  bump,
  bumpCommits,
  type ProgressCell,
  progressCell,
  setBusy,
  setDatabaseAway,
  setRunning,
} from '../core/wire/progress.ts'
import { describeWith } from '../net/publish/frames.ts'
import { type ConnectionOptions, isLateWrite } from '../storage/db.ts'
import { createBatchStore } from '../storage/journal.ts'
import { DOMAINS } from '../systems/registry.ts'
import { collectWhenIdle } from './collect.ts'
import { armFaults, type Fault, faultSectionOptions } from './faults.ts'
import { watchGc } from './gc.ts'
import { createWorldLoop } from './loop.ts'
import type { Clock } from './options.ts'
import { openSection } from './start.ts'
import { threadFigures } from './thread-cpu.ts'

/** What main starts the thread with. Plain data and shared memory. */
export interface WorldThreadData {
  readonly connection: ConnectionOptions
  readonly progress: SharedArrayBuffer
  readonly lastPublished: number | undefined
  readonly seed: number
  readonly tickMs: number
  /** Ticks come by hand, and wall time is made of the tick. */
  readonly manual: boolean
  readonly maxEntities: number
  readonly workers: number
  readonly snapshotEvery: number
  readonly snapshotKeep: number
  readonly checkEvery: number
  readonly hashEvery: number
  readonly fault: Fault | undefined
}

/** How long a replacement waits for the lock of the thread it replaces. */
const LOCK_WAIT_MS = 10_000

const clock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  at(monotonicMs, then) {
    const timer = setTimeout(then, Math.max(0, monotonicMs - performance.now()))
    return () => clearTimeout(timer)
  },
}

/** Where the wall clock of a stepped world starts. */
const STEPPED_WALL_MS = 1_800_000_000_000
const steppedClock = (tickMs: number): Clock => ({
  ...clock,
  wallMs: (tick) => STEPPED_WALL_MS + tick * tickMs,
})

/** Wraps the store so that main sees each commit that is under way. */
const countingCommits = (store: BatchStore, cell: ProgressCell): BatchStore => ({
  ...store,
  commit: async (row, writes) => {
    bumpCommits(cell)
    try {
      return await store.commit(row, writes)
    } finally {
      bumpCommits(cell)
    }
  },
})

/** Opens the store; main is told when the database goes and when it comes back. */
const openStore = (
  { connection, snapshotKeep }: WorldThreadData,
  cell: ProgressCell,
  post: (message: ToMain) => void,
): ReturnType<typeof createBatchStore> =>
  createBatchStore(connection, {
    rulesVersion: RULES_VERSION,
    keep: snapshotKeep,
    lockWaitMs: LOCK_WAIT_MS,
    log: (level, fields, text) => post({ kind: 'log', level, fields, text }),
    onUnavailable: (error) => {
      setDatabaseAway(cell, true)
      const fields = { error: String(error) }
      post({ kind: 'log', level: 'error', fields, text: 'the database is away; ticks pause' })
    },
    onAvailable: (awayMs) => {
      setDatabaseAway(cell, false)
      const fields = { awayMs }
      post({ kind: 'log', level: 'warn', fields, text: 'the database is back; ticks go on' })
    },
  })

async function runWorld(data: WorldThreadData): Promise<void> {
  assert(parentPort, 'the world thread is started by main')
  const port = parentPort
  const queued: ToWorld[] = []
  let receive = (message: ToWorld): void => void queued.push(message)
  port.on('message', (message: ToWorld) => receive(message))
  const cell = progressCell(data.progress)
  const faults = armFaults(data.fault)
  const post = faults.armPost((message: ToMain) => port.postMessage(message))
  process.on('uncaughtException', (error) => {
    if (isLateWrite(error)) return
    post({ kind: 'fatal', text: error.stack ?? error.message })
    process.exit(1)
  })
  const registry = createRegistry(faults.armDomains(DOMAINS))
  const store = await openStore(data, cell, post)
  const loop = await createWorldLoop({
    registry,
    store: countingCommits(faults.armStore(store), cell),
    clock: data.manual ? steppedClock(data.tickMs) : clock,
    post,
    section: (world) =>
      openSection(world, registry, {
        workers: data.workers,
        threadFile: moduleUrl(import.meta.url, '../kernel-thread').href,
        onWaking: () => bump(cell),
        ...faultSectionOptions(data.fault),
      }),
    seed: await store.ensureSeed(data.seed),
    tickMs: data.tickMs,
    manual: data.manual,
    maxEntities: data.maxEntities,
    snapshotEvery: data.snapshotEvery,
    checkEvery: data.checkEvery,
    hashEvery: data.hashEvery,
    lastPublished: data.lastPublished,
    describe: describeWith(registry),
    heartbeat: (ref) => {
      setRunning(cell, ref)
      bump(cell)
      faults.beat()
    },
    phaseOver: faults.phaseOver,
    watchGc,
    cpuFigures: threadFigures(),
    busy: (busy) => setBusy(cell, busy),
  })
  receive = (message) => {
    loop.receive(message)
    if (message.kind === 'stop') void closeWhenIdle(loop, store)
  }
  for (const message of queued) receive(message)
  collectWhenIdle()
}

/** Releases the lock after the last batch and snapshot, and lets the thread end. */
async function closeWhenIdle(
  loop: Awaited<ReturnType<typeof createWorldLoop>>,
  store: Awaited<ReturnType<typeof createBatchStore>>,
): Promise<void> {
  await loop.idle()
  await loop.close()
  await store.close()
  parentPort?.close()
}

/** A thread that was started ahead gets its data as its first message. */
const firstMessage = () => new Promise((resolve) => parentPort?.once('message', resolve))
await runWorld((workerData ?? (await firstMessage())) as WorldThreadData)
