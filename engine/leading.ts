/** Runs the world thread of a process that leads: alone, or for the nodes on a bus. */
import type { Bus } from '../core/bus.ts'
import type { BatchStore } from '../core/ports.ts'
import { RULES_VERSION } from '../core/version.ts'
import { setDatabaseAway } from '../core/wire/progress.ts'
import { openBus } from '../storage/bus.ts'
import { createBatchStore, type PostgresStore } from '../storage/journal.ts'
import { createLeader, type Leader } from './leader.ts'
import { createWorldLoop, type WorldLoop } from './loop.ts'
import type { Origin } from './origin.ts'
import { identityOf, startNodeBeats } from './roster.ts'
import { sparing } from './sparing.ts'
import {
  type ClusterData,
  logTo,
  type NodeData,
  type Running,
  type Shared,
  type WorldThreadData,
} from './thread-data.ts'

/** How long a replacement waits for the lock of the thread it replaces. */
const LOCK_WAIT_MS = 10_000

/** Opens the store; notifies main when the database goes away and when it comes back. */
const openStore = (
  { connection, snapshotKeep, cluster }: WorldThreadData,
  { cell, post }: Pick<Shared, 'cell' | 'post'>,
  leaseWaitMs: number,
): ReturnType<typeof createBatchStore> =>
  createBatchStore(connection, {
    rulesVersion: RULES_VERSION,
    keep: snapshotKeep,
    lockWaitMs: LOCK_WAIT_MS,
    ...(cluster && {
      lease: {
        node: cluster.node,
        waitMs: leaseWaitMs,
        taken: (epoch) => post({ kind: 'leads', epoch }),
      },
    }),
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

interface Led {
  readonly store: PostgresStore
  /** Absent: the world has one process. */
  readonly cluster?: { readonly data: ClusterData; readonly bus: Bus; readonly epoch: number }
  /** The world that a standby already has in memory. */
  readonly replica?: Origin
  /** When the node began to take over, by the monotonic clock. */
  readonly sinceMs: number
}

/** Runs the world as its leader: alone, or for the nodes on a bus. */
export async function lead(data: WorldThreadData, shared: Shared, led: Led): Promise<Running> {
  const { store, cluster, replica, sinceMs } = led
  const { arm, post } = shared
  const seed = await store.ensureSeed(data.seed)
  const leader =
    cluster &&
    createLeader({
      bus: cluster.bus,
      world: cluster.data.world,
      leadership: cluster.epoch,
      post,
      monotonicMs: shared.clock.monotonicMs,
      wallMs: () => shared.clock.wallMs(0),
      prove: store.prove,
    })
  const armed = arm(store)
  const loop = await createWorldLoop(
    {
      ...shared,
      seed,
      store: leader ? publishingRows(armed, store, leader) : armed,
      post: leader ? leader.post : post,
      postsAhead: leader === undefined,
    },
    replica,
  )
  const endBeats =
    leader &&
    cluster &&
    announce({ shared, cluster, leader, loop, sinceMs, quarantined: data.quarantined ?? [] })
  return {
    receive: loop.receive,
    async close() {
      // The lock is released after the last batch and snapshot.
      await loop.idle()
      endBeats?.()
      leader?.close()
      await loop.close()
      await store.close()
      await cluster?.bus.close()
    },
  }
}

interface Announced {
  readonly shared: Shared
  readonly cluster: NonNullable<Led['cluster']>
  readonly leader: Leader
  readonly loop: WorldLoop
  readonly sinceMs: number
  /** Refs of commands that ended threads of this process. */
  readonly quarantined: readonly number[]
}

/** Announces the leader to the other nodes; returns a function that stops its heartbeats. */
function announce(announced: Announced): () => void {
  const { shared, cluster, leader, loop, sinceMs, quarantined } = announced
  const { data, bus, epoch: leadership } = cluster
  const { registry, post } = shared
  const { world } = loop
  const receive = sparing({
    world,
    refs: quarantined,
    receive: loop.receive,
    answer: (answers) => leader.post({ kind: 'answers', answers }),
  })
  leader.lead(receive, world.batch, registry.players.boundNodes(world))
  const takeoverMs = Math.round(shared.clock.monotonicMs() - sinceMs)
  const fields = { epoch: leadership, batch: world.batch, takeoverMs }
  post({ kind: 'log', level: 'info', fields, text: 'this node leads the world' })
  let upMs = shared.clock.monotonicMs()
  return startNodeBeats({
    bus,
    post,
    world: data.world,
    identity: identityOf(data),
    position: () => {
      if (bus.isUp()) upMs = shared.clock.monotonicMs()
      const head = leader.head()
      const { bytes: sentRowBytes, inputs: sentInputs } = leader.sent()
      const figures = {
        leads: true,
        leadership,
        isBusUp: bus.isUp(),
        lagBatches: 0,
        takeoverMs,
        staleMs: shared.clock.monotonicMs() - upMs,
        rowsApplied: 0,
        rowsFilled: 0,
        forwarded: 0,
        forwardedBytes: 0,
        sentRowBytes,
        sentInputs,
        largestMessage: bus.largest(),
      }
      return { applied: head, head, tick: world.tick, figures }
    },
  })
}

/** Wraps the store so that each durable row is sent to the replicas. */
const publishingRows = (store: BatchStore, { lastRow }: PostgresStore, leader: Leader) => ({
  ...store,
  async commit(...batch: Parameters<BatchStore['commit']>) {
    const durable = await store.commit(...batch)
    const row = lastRow()
    if (row) leader.committed(row, durable.inputs.length)
    return durable
  },
})

/** Runs the world of a server without a cluster. */
export async function runAlone(data: WorldThreadData, shared: Shared): Promise<Running> {
  const store = await openStore(data, shared, 0)
  return lead(data, shared, { store, sinceMs: shared.clock.monotonicMs() })
}

/** Takes the lease, and with it the lock; resolves with the open store and the lease's epoch. */
export async function openLed(data: NodeData, shared: Shared, leaseWaitMs: number) {
  let epoch = 0
  const post: Shared['post'] = (message) => {
    if (message.kind === 'leads') epoch = message.epoch
    shared.post(message)
  }
  const store = await openStore(data, { cell: shared.cell, post }, leaseWaitMs)
  return { store, epoch }
}

/** Runs the world for gateways; rejects if another node leads it. */
export async function runWorldNode(data: NodeData, shared: Shared): Promise<Running> {
  const sinceMs = shared.clock.monotonicMs()
  // The bus comes first: a node that cannot reach it must not take the lease.
  const bus = await openBus(data.cluster.busUrl, logTo(shared.post))
  const { store, epoch } = await openLed(data, shared, LOCK_WAIT_MS)
  return lead(data, shared, { store, cluster: { data: data.cluster, bus, epoch }, sinceMs })
}
