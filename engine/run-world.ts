/**
 * Composition root of the world thread: clock, storage and kernel threads around the world's loop,
 * without sockets. Whatever throws here ends the thread; main starts another, which recovers from
 * the journal.
 */
import type { MessagePort } from 'node:worker_threads'
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
import { openBus } from '../storage/bus.ts'
import { type ConnectionOptions, isLateWrite } from '../storage/db.ts'
import { createBatchStore, type PostgresStore } from '../storage/journal.ts'
import type { Keeping } from '../storage/keeping.ts'
import { openReplica } from '../storage/replica.ts'
import type { StoreLog } from '../storage/store-log.ts'
import { DOMAINS } from '../systems/registry.ts'
import { armFaults, type Fault, faultSectionOptions } from './faults.ts'
import { createFollower } from './follower.ts'
import { watchGc } from './gc.ts'
import { createLeader, type Leader } from './leader.ts'
import { createWorldLoop } from './loop.ts'
import type { Clock, LoopOptions } from './options.ts'
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
  readonly snapshotKeep: Keeping
  readonly checkEvery: number
  readonly hashEvery: number
  readonly fault: Fault | undefined
  /** Absent: the world has one process. */
  readonly cluster?: ClusterData
}

interface ClusterData {
  readonly role: 'world' | 'gateway'
  readonly busUrl: string
  /** The epoch of the world, by which its subjects are named. */
  readonly world: string
  /** Incarnation of the process. */
  readonly node: number
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
    log: logTo(post),
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

/** Runs a world whose main is at the other end of the port; resolves once main has stopped it. */
export async function runWorld(data: WorldThreadData, port: MessagePort): Promise<void> {
  const queued: ToWorld[] = []
  let receive = (message: ToWorld): void => void queued.push(message)
  const onMessage = (message: ToWorld): void => receive(message)
  port.on('message', onMessage)
  const cell = progressCell(data.progress)
  const faults = armFaults(data.fault)
  const post = faults.armPost((message: ToMain) => port.postMessage(message))
  const onUncaught = (error: Error): void => {
    if (isLateWrite(error)) return
    post({ kind: 'fatal', text: error.stack ?? error.message })
    process.exit(1)
  }
  process.on('uncaughtException', onUncaught)
  const registry = createRegistry(faults.armDomains(DOMAINS))
  const shared: SharedOptions = {
    registry,
    clock: data.manual ? steppedClock(data.tickMs) : clock,
    post,
    section: (world) =>
      openSection(world, registry, {
        workers: data.workers,
        threadFile: moduleUrl(import.meta.url, '../kernel-thread').href,
        onWaking: () => bump(cell),
        ...faultSectionOptions(data.fault),
      }),
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
  }
  const { cluster } = data
  const arm = (store: BatchStore) => countingCommits(faults.armStore(store), cell)
  const running =
    cluster?.role === 'gateway'
      ? await follow(data, cluster, shared)
      : await lead(data, shared, { arm, store: await openStore(data, cell, post) })
  await new Promise<void>((resolve) => {
    receive = (message) => {
      running.receive(message)
      if (message.kind === 'stop') resolve()
    }
    for (const message of queued) receive(message)
  })
  await running.close()
  port.off('message', onMessage)
  process.off('uncaughtException', onUncaught)
}

type SharedOptions = Omit<LoopOptions, 'store' | 'seed'>

interface Running {
  receive(message: ToWorld): void
  /** Called behind the stop. */
  close(): Promise<void>
}

interface LeadingParts {
  readonly store: PostgresStore
  arm(store: BatchStore): BatchStore
}

/** Runs the world itself: alone, or for the nodes of a bus. */
async function lead(
  data: WorldThreadData,
  shared: SharedOptions,
  { store, arm }: LeadingParts,
): Promise<Running> {
  const seed = await store.ensureSeed(data.seed)
  const { cluster } = data
  const bus = cluster && (await openBus(cluster.busUrl, logTo(shared.post)))
  const leader =
    bus &&
    createLeader({
      bus,
      world: cluster.world,
      leadership: await store.takeIncarnation(),
      post: shared.post,
      monotonicMs: clock.monotonicMs,
    })
  const armed = arm(store)
  const loop = await createWorldLoop({
    ...shared,
    seed,
    store: leader ? publishingRows(armed, store, leader) : armed,
    post: leader ? leader.post : shared.post,
  })
  const nodes = leader ? shared.registry.players.boundNodes(loop.world) : []
  leader?.lead(loop.receive, loop.world.batch, nodes)
  return {
    receive: loop.receive,
    async close() {
      // The lock is released after the last batch and snapshot.
      await loop.idle()
      leader?.close()
      await loop.close()
      await store.close()
      await bus?.close()
    },
  }
}

/** Wraps the store so that each durable row goes to the replicas. */
const publishingRows = (store: BatchStore, { lastRow }: PostgresStore, leader: Leader) => ({
  ...store,
  async commit(...batch: Parameters<BatchStore['commit']>) {
    const durable = await store.commit(...batch)
    const row = lastRow()
    if (row) leader.committed(row)
    return durable
  },
})

/** Runs a replica of the world beside the one that leads. */
async function follow(
  { connection }: WorldThreadData,
  { busUrl, node, world }: ClusterData,
  shared: SharedOptions,
): Promise<Running> {
  const log = logTo(shared.post)
  const bus = await openBus(busUrl, log)
  const store = openReplica(connection, { rulesVersion: RULES_VERSION, log })
  const follower = await createFollower({ ...shared, bus, store, node, worldName: world })
  return {
    receive: follower.receive,
    async close() {
      await follower.leave()
      await store.close()
      await bus.close()
    },
  }
}

const logTo =
  (post: (message: ToMain) => void): StoreLog =>
  (level, fields, text) =>
    post({ kind: 'log', level, fields, text })
