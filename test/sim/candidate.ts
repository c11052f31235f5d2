/**
 * A simulated process that may lead: a standby with the real follower, or a server without a
 * replica. Both take the lease by the real rules and lead with the real loop. Source: SCALE 4.
 */
import type { Bus } from '../../core/bus.ts'
import { LEASE_POLL_MS, LEASE_RENEW_MS } from '../../core/limits-cluster.ts'
import type { PublishedBatch, ToMain, ToWorld } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { createFollower } from '../../engine/follower.ts'
import { createLeader, type Leader } from '../../engine/leader.ts'
import { coldReason, standbyStep } from '../../engine/lease.ts'
import { createWorldLoop, type WorldLoop } from '../../engine/loop.ts'
import type { LoopOptions } from '../../engine/options.ts'
import type { Origin } from '../../engine/origin.ts'
import { openSection } from '../../engine/start.ts'
import { describeWith } from '../../net/publish/frames.ts'
import { packMessage, unpackMessage } from '../../storage/bus-messages.ts'
import { SLICE } from '../../storage/bus-shapes.ts'
import { encodeJournalRow } from '../../storage/journal-row.ts'
import type { SimBus } from './bus.ts'
import type { Saboteur } from './canary.ts'
import type { SimLease } from './lease.ts'
import { createProcess, type Process } from './process.ts'
import type { Stage } from './stage.ts'
import type { Life, SimStorage, SimStore } from './storage.ts'

export interface CandidateOptions {
  readonly registry: Registry
  readonly stage: Stage
  readonly storage: SimStorage
  readonly lease: SimLease
  readonly bus: SimBus
  readonly saboteur: Saboteur
  /** Epoch of the world, which names its subjects on the bus. */
  readonly worldName: string
  readonly loop: Pick<
    LoopOptions,
    'seed' | 'tickMs' | 'maxEntities' | 'snapshotEvery' | 'checkEvery'
  >
  /** Called with each batch that the world has run, before it is split by node. */
  ran(batch: PublishedBatch): void
}

export interface Candidate {
  readonly process: Process
  /** True from the moment it takes the lease until it learns that it has lost it. */
  readonly leads: () => boolean
  readonly world: () => World | undefined
  end(reason: string): void
}

/** A world thread of a candidate; another replaces it when it ends. */
interface Thread {
  readonly process: Process
  readonly life: Life
  /** Passes a message to the follower or loop of the thread. */
  receive(message: ToWorld): void
  world: World | undefined
  leads: boolean
}

interface Machine {
  readonly options: CandidateOptions
  readonly place: string
  readonly node: number
  readonly process: Process
  readonly isStandby: boolean
  thread: Thread
}

/** Errors by which a leader ends once another has taken its place. */
const FENCED = /another server wrote|another server runs/

/** Passes messages on to the leader; under sabotage, a slice looks like a new one. */
function passSlices(bus: Bus, saboteur: Saboteur): Bus {
  let slices = 0
  return {
    ...bus,
    subscribe: (subject, take) =>
      bus.subscribe(subject, (bytes, reply) => {
        if (!subject.includes('.cmd.')) return take(bytes, reply)
        slices += 1
        const isNew = saboteur.strikes('ignored_slice')
        const slice = isNew && unpackMessage(SLICE, bytes)
        take(slice ? packMessage({ ...slice, slice: slices }) : bytes, reply)
      }),
  }
}

/** Sends each durable row to the replicas; under sabotage, before it is durable. */
const publishingRows = (store: SimStore, leader: Leader, saboteur: Saboteur): SimStore => ({
  ...store,
  async commit(row, writes) {
    const before = store.lastRow()
    if (before && saboteur.strikes('early_row')) {
      leader.committed(encodeJournalRow(row, before.checksum), row.inputs.length)
    }
    const durable = await store.commit(row, writes)
    const last = store.lastRow()
    if (last) leader.committed(last, row.inputs.length)
    return durable
  },
})

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns the options that follower and loop share. */
function sharedOptions({ options }: Machine, thread: Thread, post: (message: ToMain) => void) {
  const { registry, stage, loop } = options
  const { monotonicMs, wallMs, at } = stage.worldClock
  return {
    ...loop,
    registry,
    post,
    manual: false,
    hashEvery: 1,
    lastPublished: undefined,
    clock: {
      monotonicMs,
      wallMs,
      at: (ms: number, then: () => void) => at(ms, () => thread.process.enter(then)),
    },
    section: (world: World) => {
      thread.world = world
      return openSection(world, registry)
    },
    describe: describeWith(registry),
    heartbeat: () => {},
    busy: () => {},
  }
}

/** Acts as the main thread of a candidate: has no sockets, so confirms publishing at once. */
function receiveInMain(machine: Machine, thread: Thread, message: ToMain): void {
  const { stage } = machine.options
  if (message.kind === 'batch') {
    const { batch } = message.batch
    stage.post(() => thread.process.enter(() => thread.receive({ kind: 'published', batch })))
  } else if (message.kind === 'fatal') {
    if (!FENCED.test(message.text)) stage.broken(`${machine.place}: ${message.text}`)
    endThread(machine, thread, 'fatal')
  }
}

/** Takes the lease if the rules allow it; resolves with the store of a leader then. */
async function tryLead(machine: Machine, thread: Thread, seen: { freeSinceMs?: number }) {
  const { node, options, isStandby } = machine
  const { stage, lease, storage } = options
  return storage.whenAvailable(thread.life, () => {
    const nowMs = stage.nowMs()
    const view = lease.view()
    seen.freeSinceMs = view.isFree ? (seen.freeSinceMs ?? nowMs) : undefined
    const freeMs = nowMs - (seen.freeSinceMs ?? nowMs)
    const isOwn = view.holder === node
    const isFollowing = thread.world !== undefined
    const step = isStandby
      ? standbyStep({ ...view, isOwn, freeMs, wasAway: false, isFollowing })
      : 'lead'
    const epoch = step === 'lead' ? lease.take(node) : undefined
    if (epoch === undefined) return undefined
    thread.leads = true
    return { epoch, store: storage.connect(thread.life), projected: view.projected }
  })
}

type Taken = NonNullable<Awaited<ReturnType<typeof tryLead>>>

async function waitForLease(machine: Machine, thread: Thread): Promise<Taken> {
  const seen: { freeSinceMs?: number } = {}
  for (;;) {
    const taken = await tryLead(machine, thread, seen)
    if (taken) return taken
    await sleep(LEASE_POLL_MS)
  }
}

async function lead(machine: Machine, thread: Thread, { epoch, store }: Taken, replica?: Origin) {
  const { options, place } = machine
  const { registry, stage, storage, saboteur, worldName, ran } = options
  const post = (message: ToMain): void => receiveInMain(machine, thread, message)
  const bus = passSlices(options.bus.connect(place, thread.process), saboteur)
  const leader = createLeader({
    bus,
    world: worldName,
    leadership: epoch,
    post,
    monotonicMs: stage.worldClock.monotonicMs,
    wallMs: () => stage.worldClock.wallMs(0),
    prove: () => storage.prove(thread.life),
  })
  const shared = sharedOptions(machine, thread, (message) => {
    if (message.kind === 'batch') ran(message.batch)
    leader.post(message)
  })
  const loop: WorldLoop = await createWorldLoop(
    { ...shared, checksWrites: true, store: publishingRows(store, leader, saboteur) },
    replica,
  )
  thread.world = loop.world
  thread.receive = loop.receive
  leader.lead(loop.receive, loop.world.batch, registry.players.boundNodes(loop.world))
}

/** Follows until it gets the lease, then leads with the world it has in memory. */
async function standBy(machine: Machine, thread: Thread): Promise<void> {
  const { options, place, node } = machine
  const { bus, storage, stage, worldName, lease } = options
  const follower = await createFollower({
    ...sharedOptions(machine, thread, (message) => receiveInMain(machine, thread, message)),
    worldName,
    node,
    bus: bus.connect(place, thread.process),
    store: storage.connectReplica(thread.life, {
      takeIncarnation: async () => stage.takeIncarnation(),
      lease: async () => lease.view(),
    }),
    identity: { node, role: 'standby', host: place, pid: node, release: '0.0.0' },
  })
  thread.receive = follower.receive
  const taken = await waitForLease(machine, thread)
  const { keptFrom, ...replica } = await follower.handOver()
  const { batch } = replica.world
  const { projected } = taken
  const reason = coldReason({ batch, keptFrom, projected, hasSettings: true })
  if (reason) stage.broken(`${place} leads cold: ${reason}`)
  await lead(machine, thread, taken, replica)
}

async function runThread(machine: Machine, thread: Thread): Promise<void> {
  const { lease } = machine.options
  // If an ended thread of this process led, this one recovers from the newest snapshot.
  if (machine.isStandby && lease.view().holder !== machine.node) await standBy(machine, thread)
  else await lead(machine, thread, await waitForLease(machine, thread))
}

function startThread(machine: Machine): void {
  const { stage } = machine.options
  const process = createProcess(stage, `world of ${machine.place}`, machine.process)
  const life: Life = {
    isOver: false,
    enter: process.enter,
    end: (reason) => endThread(machine, thread, reason),
  }
  const thread: Thread = { process, life, receive: () => {}, world: undefined, leads: false }
  process.enter(() => {
    runThread(machine, thread).catch((error: unknown) => {
      if (!life.isOver && !FENCED.test(textOf(error))) stage.broken(textOf(error))
      life.end('its start failed')
    })
  })
  machine.thread = thread
}

/** Ends a world thread; unless the process has ended too, its main starts another. */
function endThread(machine: Machine, thread: Thread, reason: string): void {
  const { stage, storage } = machine.options
  const { life, process } = thread
  if (life.isOver) return
  life.isOver = true
  process.isOver = true
  storage.ended(life)
  if (reason === 'fatal') machine.process.isOver = true
  stage.post(() => machine.process.enter(() => startThread(machine)))
}

/** Starts a process that may lead. */
export function startCandidate(
  options: CandidateOptions,
  place: string,
  isStandby: boolean,
): Candidate {
  const { stage, storage, lease } = options
  const process = createProcess(stage, place)
  const node = stage.takeIncarnation()
  const machine = { options, place, node, process, isStandby } as Machine
  const end = (reason: string): void => {
    process.isOver = true
    endThread(machine, machine.thread, reason)
  }
  process.enter(() => {
    startThread(machine)
    // Main renews the lease, and ends the process if another node has taken it.
    const renew = async (): Promise<void> => {
      const { leads, life } = machine.thread
      if (!leads) return
      const isKept = await storage.whenAvailable(life, () => lease.renew(node))
      if (!isKept) end('another node has the lease')
    }
    setInterval(() => void renew(), LEASE_RENEW_MS)
  })
  return {
    process,
    leads: () => !process.isOver && machine.thread.leads,
    world: () => machine.thread.world,
    end,
  }
}
