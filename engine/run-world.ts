/**
 * Composition root of the world thread: clock, storage and kernel threads around the world's loop,
 * without sockets. An uncaught error ends the thread; main starts another, which recovers from the
 * journal.
 */
import type { MessagePort } from 'node:worker_threads'
import { moduleUrl } from '../core/module-url.ts'
import type { BatchStore, ToMain, ToWorld } from '../core/ports.ts'
import { createRegistry } from '../core/registry.ts'
import {
  bump,
  bumpCommits,
  type ProgressCell,
  progressCell,
  setBusy,
  setRunning,
  setThread,
} from '../core/wire/progress.ts'
import { describeWith } from '../net/publish/frames.ts'
import { isLateWrite } from '../storage/db.ts'
import { DOMAINS } from '../systems/registry.ts'
import { armFaults, faultSectionOptions } from './faults.ts'
import { runGateway } from './following.ts'
import { watchGc } from './gc.ts'
import { runAlone, runWorldNode } from './leading.ts'
import type { Clock } from './options.ts'
import { runStandby } from './standby.ts'
import { openSection } from './start.ts'
import { ownThread, threadFigures } from './thread-cpu.ts'
import type { Running, Shared, WorldThreadData } from './thread-data.ts'

const clock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  at(monotonicMs, then) {
    const timer = setTimeout(then, Math.max(0, monotonicMs - performance.now()))
    return () => clearTimeout(timer)
  },
}

/** The wall clock time at which a stepped world starts. */
const STEPPED_WALL_MS = 1_800_000_000_000
const steppedClock = (tickMs: number): Clock => ({
  ...clock,
  wallMs: (tick) => STEPPED_WALL_MS + tick * tickMs,
})

/** Wraps the store so that main sees when a commit is in progress. */
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

/** Starts the loop for the role of this process. */
function run(data: WorldThreadData, shared: Shared): Promise<Running> {
  const { cluster } = data
  if (!cluster) return runAlone(data, shared)
  const runs = { world: runWorldNode, gateway: runGateway, standby: runStandby }
  return runs[cluster.role]({ ...data, cluster }, shared)
}

/** Ends a node without a world of its own that is told to stop while it starts. */
function endIfStarting({ cluster }: WorldThreadData, { kind }: ToWorld): void {
  // It may be waiting for the bus or for a world, without a limit, and has nothing to finish.
  if (kind === 'stop' && cluster && cluster.role !== 'world') process.exit(0)
}

/** Runs a world whose main is at the other end of the port; resolves once main has stopped it. */
export async function runWorld(
  data: WorldThreadData,
  port: MessagePort,
  own: Pick<Shared, 'newWorld'> = {},
): Promise<void> {
  const queued: ToWorld[] = []
  let receive = (message: ToWorld): void => {
    endIfStarting(data, message)
    queued.push(message)
  }
  const onMessage = (message: ToWorld): void => receive(message)
  port.on('message', onMessage)
  const cell = progressCell(data.progress)
  setThread(cell, ownThread())
  const faults = armFaults(data.fault)
  const post = faults.armPost((message: ToMain) => port.postMessage(message))
  const onUncaught = (error: Error): void => {
    if (isLateWrite(error)) return
    post({ kind: 'fatal', text: error.stack ?? error.message })
    process.exit(1)
  }
  process.on('uncaughtException', onUncaught)
  const registry = createRegistry(faults.armDomains(DOMAINS))
  const hasSpectators = !data.cluster || data.cluster.role === 'gateway'
  const shared: Shared = {
    ...own,
    cell,
    arm: (store) => countingCommits(faults.armStore(store), cell),
    // Nodes without spectators build no public frames.
    registry: hasSpectators ? registry : { ...registry, projection: undefined },
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
  const running = await run(data, shared)
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
