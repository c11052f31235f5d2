/**
 * The world's loop: recovers the world, then processes batches one at a time: each runs, commits
 * and is published, with queries answered in between. Clock, storage and the port to main are
 * passed in, so tests run this same loop without sockets.
 */
import type { BatchRun, Engine } from '../core/engine.ts'
import { stateHash } from '../core/hash.ts'
import {
  createInbox,
  type Inbox,
  promoteWaiting,
  refuseWaiting,
  takeImmediates,
  takeMutations,
} from '../core/inbox.ts'
import { COMPUTE_SLICE_MS, IMMEDIATES_PER_BATCH_MAX } from '../core/limits.ts'
import type { Answer, JournalRow, ToWorld } from '../core/ports.ts'
import { createSchedule } from '../core/schedule.ts'
import { runImmediates, tickSteps } from '../core/tick.ts'
import type { JournalInput, Submission, World } from '../core/types.ts'
import { rowOfBatch } from '../core/wire/describe.ts'
import { forgetFeeds } from '../core/wire/feed.ts'
import { type Ahead, commitBatch } from './commit.ts'
import { createFrames, type Frames } from './frames.ts'
import type { LoopOptions } from './options.ts'
import { type Origin, openOrigin, recover } from './origin.ts'
import { createPace, nextImmediatesMax, type Pace, recordAndLogCost, startTicks } from './pace.ts'
import { createReception, type Reception } from './reception.ts'
import { createTickReport, figuresOfRun, type TickReport } from './report.ts'
import { inSlices } from './slices.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'

/** A running loop, as the thread drives it. */
export interface WorldLoop {
  readonly world: World
  receive(message: ToWorld): void
  /** Resolves once everything received so far has been handled. */
  idle(): Promise<void>
  close(): Promise<void>
}

interface Loop {
  readonly options: LoopOptions
  readonly report: TickReport
  readonly engine: Engine
  readonly inbox: Inbox
  readonly reception: Reception
  readonly snapshots: Snapshots
  readonly frames: Frames
  /** Secrets of commands by ref, until their batch has committed: they must not be journalled. */
  readonly secrets: Map<number, NonNullable<Submission['secret']>>
  readonly idleWaiters: (() => void)[]
  /** Batches of immediates since the last tick. */
  part: number
  /** How many immediates the next batch takes at most. */
  immediatesMax: number
  /** A batch is running, committing or being published. */
  inFlight: boolean
  ticksPending: number
  /** Ticks requested by `step` and not run yet. */
  stepping: number
  stopping: boolean
  /** Another node has the world in memory, so no last snapshot is needed. */
  handsOver: boolean
  ended: boolean
  readonly pace: Pace
  /** Tokens of the snapshots that operators requested and that have not begun yet. */
  readonly snapshotTokens: number[]
  /** Called when main has handed the batch of this number to the sockets. */
  published: (batch: number) => void
}

function newLoop(given: LoopOptions, { world, section }: Origin): Loop {
  const report = createTickReport(world, given)
  const options = { ...given, busy: report.watchBusy }
  const engine: Engine = {
    world,
    registry: options.registry,
    schedule: createSchedule(options.registry),
    section,
    checkEvery: options.checkEvery,
    hashEvery: options.hashEvery,
    checksWrites: options.checksWrites ?? false,
    heartbeat: options.heartbeat,
    phaseOver: report.phaseOver,
  }
  const inbox = createInbox()
  return {
    options,
    report,
    engine,
    inbox,
    reception: createReception(engine, inbox, options, report.recorder),
    snapshots: createSnapshots(world, { ...options, pause: report.paused }),
    frames: createFrames(world, options),
    secrets: new Map(),
    idleWaiters: [],
    part: 0,
    immediatesMax: IMMEDIATES_PER_BATCH_MAX,
    inFlight: false,
    ticksPending: 0,
    stepping: 0,
    stopping: false,
    handsOver: false,
    ended: false,
    pace: createPace(),
    snapshotTokens: [],
    published: () => {},
  }
}

/**
 * Starts the loop of a world: recovered from snapshot and journal, created (genesis), or taken over
 * from a replica.
 */
export async function createWorldLoop(options: LoopOptions, replica?: Origin): Promise<WorldLoop> {
  const origin = replica ?? (await openOrigin(options))
  const { world } = origin
  const loop = newLoop(options, origin)
  const { held, part } = await recover(loop.options, loop.engine, origin)
  loop.part = part
  if (replica || origin.isNew) {
    // None was loaded: the age of the newest snapshot counts from here until one is stored.
    const wallMs = options.clock.wallMs(world.tick)
    options.post({ kind: 'snapshot', result: 'loaded', wallMs, tookMs: 0 })
  }
  if (origin.isNew) await loop.snapshots.take()
  options.post({
    kind: 'ready',
    tick: world.tick,
    batch: world.batch,
    seed: world.seed,
    tickMs: options.tickMs,
    held,
    cpuFigures: options.cpuFigures,
  })
  await loop.frames.build()
  if (!options.manual) scheduleTicks(loop)
  const endWatch = options.watchGc?.(loop.report.recorder.pause)
  return {
    world,
    receive: (message) => {
      try {
        handle(loop, message)
      } catch (error) {
        die(loop, error)
      }
    },
    idle: () => {
      if (!loop.inFlight) return Promise.resolve()
      return new Promise((resolve) => loop.idleWaiters.push(resolve))
    },
    async close() {
      loop.ended = true
      loop.pace.cancel()
      endWatch?.()
      await loop.snapshots.settled()
      await loop.engine.section.close()
    },
  }
}

function handle(loop: Loop, message: ToWorld): void {
  switch (message.kind) {
    case 'submit':
      submit(loop, message.commands)
      return
    case 'published':
      if (message.isLost) forgetFeeds(loop.engine.world)
      if (message.busyMs !== undefined) loop.report.recorder.published(message.busyMs)
      loop.published(message.batch)
      return
    case 'step':
      loop.ticksPending += message.ticks
      loop.stepping += message.ticks
      pump(loop)
      return
    case 'public_again':
      loop.frames.requestFull()
      return
    case 'snapshot':
      loop.snapshotTokens.push(message.token)
      pump(loop)
      return
    case 'slow_ticks': {
      const report = loop.report.recorder.report()
      loop.options.post({ kind: 'slow_ticks', token: message.token, report })
      return
    }
    case 'stop':
      loop.stopping = true
      loop.handsOver = message.handsOver ?? false
      loop.pace.cancel()
      loop.ticksPending = Math.max(1, loop.ticksPending)
      pump(loop)
  }
}

function submit(loop: Loop, commands: readonly Submission[]): void {
  loop.reception.take(commands)
  pump(loop)
}

function answerAll({ options }: Loop, answers: readonly Answer[]): void {
  if (answers.length > 0) options.post({ kind: 'answers', answers })
}

const hasWork = ({ snapshotTokens, ticksPending, inbox }: Loop): boolean =>
  snapshotTokens.length > 0 || ticksPending > 0 || inbox.immediates.length > 0

/** Runs batches while there is something to run. */
function pump(loop: Loop): void {
  if (loop.inFlight || loop.ended) return
  loop.inFlight = true
  runBatches(loop)
    .then(() => {
      loop.inFlight = false
      // Work that came after `runBatches` last checked found a batch in flight.
      if (!loop.ended && hasWork(loop)) pump(loop)
      else for (const done of loop.idleWaiters.splice(0)) done()
    })
    .catch((error: unknown) => die(loop, error))
}

/** Ends the world after a bug: nothing of the batch is published, and main starts a new thread. */
function die(loop: Loop, error: unknown): void {
  loop.ended = true
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  loop.options.post({ kind: 'fatal', text })
}

async function runBatches(loop: Loop): Promise<void> {
  for (;;) {
    answerSnapshots(loop)
    if (loop.ticksPending > 0) await runTickBatch(loop)
    else if (loop.inbox.immediates.length > 0) await runImmediateBatch(loop)
    else break
  }
  if (!loop.stopping) return
  loop.ended = true
  answerAll(loop, refuseWaiting(loop.engine, loop.inbox))
  await loop.snapshots.settled()
  if (!loop.handsOver) await loop.snapshots.take()
  loop.options.post({ kind: 'stopped' })
}

/** Takes the snapshots that operators requested: between batches, when the journal is complete. */
function answerSnapshots(loop: Loop): void {
  if (loop.snapshotTokens.length === 0) return
  const tokens = loop.snapshotTokens.splice(0)
  void loop.snapshots.take().then((error) => {
    for (const token of tokens) loop.options.post({ kind: 'snapshotted', token, error })
  })
}

async function runTickBatch(loop: Loop): Promise<void> {
  const { engine, options } = loop
  await engine.section.settled()
  loop.report.begin()
  options.busy(true)
  answerAll(loop, promoteWaiting(engine, loop.inbox))
  options.busy(false)
  // Counted before the tick is computed: one that falls due meanwhile, or a stop, adds another.
  loop.ticksPending--
  const run = await compute(loop)
  await commit(loop, run, true)
  const figures = loop.report.handedOver(loop.snapshots.isStoring())
  if (!options.manual) recordAndLogCost(loop.pace, options, figures.workMs)
  const { mutations, immediates } = loop.inbox
  const inbox = { mutations: mutations.size, immediates: immediates.length }
  const { stretch } = loop.pace
  const { world } = engine
  const ran = figuresOfRun(run)
  options.post({ kind: 'tick_over', figures: { ...figures, ...ran, stretch, inbox } })
  if (loop.frames.isDue(world.tick)) await loop.frames.build()
  if (loop.stepping > 0) {
    loop.stepping--
    if (loop.stepping === 0) {
      options.post({ kind: 'stepped', tick: world.tick, hash: stateHash(world) })
    }
  }
  if (world.tick % options.snapshotEvery === 0) void loop.snapshots.take()
}

/** Computes a tick in slices; in between, queries are answered and everything else is held. */
async function compute(loop: Loop): Promise<BatchRun> {
  const { engine, options, report, reception } = loop
  const { monotonicMs, wallMs } = options.clock
  const inputs = takeMutations(loop.inbox)
  const steps = tickSteps(engine, inputs, wallMs(engine.world.tick + 1))
  const slices = { monotonicMs, busy: options.busy, sliceMsMax: COMPUTE_SLICE_MS }
  reception.hold()
  const { result } = await inSlices({ ...slices, between: report.between }, steps)
  report.computed(result)
  reception.release()
  return result
}

async function runImmediateBatch(loop: Loop): Promise<void> {
  const { engine, options, secrets } = loop
  const taken = takeImmediates(loop.inbox, loop.immediatesMax)
  for (const { ref, secret } of taken) if (secret) secrets.set(ref, secret)
  options.busy(true)
  const inputs = taken.map(withoutSecret)
  const startedMs = options.clock.monotonicMs()
  const run = runImmediates(engine, inputs, options.clock.wallMs(engine.world.tick))
  const ranMs = options.clock.monotonicMs() - startedMs
  options.busy(false)
  loop.report.recorder.ran('immediates', run.inputs)
  const finishedMs = run.inputs.length > 0 ? await commit(loop, run, false) : 0
  if (run.inputs.length === 0) options.post({ kind: 'answers', answers: run.answers })
  for (const { ref } of taken) secrets.delete(ref)
  loop.immediatesMax = nextImmediatesMax(loop.immediatesMax, taken.length, ranMs + finishedMs)
}

/**
 * Commits a batch, then publishes it; resolves when main has handed it to the sockets, with the
 * milliseconds of work it took here.
 */
async function commit(loop: Loop, run: BatchRun, isTick: boolean): Promise<number> {
  const { engine, options, report } = loop
  const { world } = engine
  loop.part = isTick ? 0 : loop.part + 1
  const row = rowOfBatch(world, run, loop.part)
  const writes = run.outbox.writes.map((write) => {
    const secret = write.ref === undefined ? undefined : loop.secrets.get(write.ref)
    return secret ? { ...write, secret } : write
  })
  const { store, busy, clock, post } = options
  const durable = isTick ? report.durable : () => {}
  const committed = await commitBatch(
    {
      engine,
      store,
      busy,
      onDurable: durable,
      monotonicMs: clock.monotonicMs,
      ...(options.postsAhead && isTick ? { ahead: aheadOf(options, row) } : {}),
    },
    run,
    row,
    writes,
  )
  const { batch, busyMs, sliceMs } = committed
  const handedOver = new Promise<void>((resolve) => {
    loop.published = (number) => {
      if (number === batch.batch) resolve()
    }
  })
  const postingMs = clock.monotonicMs()
  busy(true)
  post({ kind: 'batch', batch, commit: committed.commit })
  busy(false)
  const slicesMs = Math.max(sliceMs, clock.monotonicMs() - postingMs)
  if (isTick) report.posted(slicesMs, committed.commit)
  await handedOver
  loop.frames.observe(run.outbox)
  return busyMs
}

/** Returns what posts messages of a tick to main ahead of its batch. */
const aheadOf = ({ post }: LoopOptions, { batch, tick, inputs }: JournalRow): Ahead => ({
  take: (messages) => post({ kind: 'ahead', batch, ...messages }),
  durable: () => post({ kind: 'durable', batch, tick, ran: inputs.map(({ ref }) => ref) }),
})

function scheduleTicks(loop: Loop): void {
  const { clock, tickMs } = loop.options
  startTicks(loop.pace, clock, tickMs, (boundaryMs) => {
    if (loop.stopping || loop.ended) return false
    loop.ticksPending = Math.max(1, loop.ticksPending)
    loop.report.due(boundaryMs)
    pump(loop)
    return true
  })
}

function withoutSecret(submission: Submission): JournalInput {
  const { secret: _, ...input } = submission
  return input
}
