/**
 * Main's end of the port to the world. It batches submissions, hands over published batches one at
 * a time, monitors the progress of the world thread, and replaces a dead one while sockets stay
 * open. It knows nothing about sockets. Source: DESIGN 2 and 4, RELIABILITY 3 (Quarantine).
 */
import { fail } from '../core/errors.ts'
import { SUBMIT_SLICE_COMMANDS, WORLD_STALL_MS } from '../core/limits.ts'
import type { Answer, NodeFigures, PublishedBatch, ToMain } from '../core/ports.ts'
import { unpackFrame } from '../core/public/crossing.ts'
import type { Submission } from '../core/types.ts'
import {
  createWatchdog,
  journalTrouble,
  looksStalled,
  readRunning,
  readThread,
  WATCH_EVERY_MS,
  type Watchdog,
} from '../core/wire/progress.ts'
import type { SlowTicks } from '../core/wire/tick-figures.ts'
import { countEnd, createEnds, runsWithoutKernels, type ThreadEnds } from './ends.ts'
import { handOverBatch } from './hand-over.ts'
import { createNodeView, type NodeView } from './node-view.ts'
import { logAt } from './ports.ts'
import { type Arrival, type Arrivals, createArrivals } from './publish/arriving.ts'
import {
  type AnswerSink,
  addPending,
  commandsToResend,
  countAcknowledged,
  createPending,
  deliver,
  finalAnswer,
  type NewSubmission,
  numberSubmission,
  type PendingCommands,
  quarantinedElsewhere,
  recordThreadEnd,
  refusePending,
  submitRefusal,
} from './publish/pending.ts'
import { createRefs } from './publish/refs.ts'
import { createTurns, type PublishFigures } from './publish/turns.ts'
import { createRequests, type WorldRequests } from './world-requests.ts'
import type { LinkSinks, WorldLinkOptions, WorldState, WorldThread } from './world-thread.ts'

/** Why the world is not running. `world_ended`: for good, the process is about to stop. */
export type WorldTrouble = 'recovering' | 'world_ended' | 'database_away' | 'journal_stalled'

type Stepped = { readonly tick: number; readonly hash: string }

export interface WorldLink {
  attach(sinks: LinkSinks): void
  /** Sends a command; `sink` gets `accepted` (mutations) and `final`. */
  submit(command: NewSubmission, sink: AnswerSink): void
  /** Sends a command and resolves with the final answer. */
  ask(command: NewSubmission): Promise<Answer>
  /** Resolves when the first world is ready. */
  readonly ready: Promise<WorldState>
  state(): WorldState
  /** Returns false while the world recovers. */
  isUp(): boolean
  /** Returns why the world runs no batches; undefined while it does. */
  trouble(): WorldTrouble | undefined
  /** Runs a number of ticks (tests); rejects when the world thread ends meanwhile. */
  step(ticks: number): Promise<Stepped>
  /** Takes a snapshot; resolves with an error text, or undefined. */
  snapshot(): Promise<string | undefined>
  /** Makes the next public frame self-contained; a replaced thread begins with such a frame. */
  askFrame(): void
  /** Returns the figures of this node in the cluster (net/node-view.ts). */
  cluster(): NodeFigures | undefined
  /** Resolves with the slowest ticks; undefined while the world recovers. */
  slowTicks(): Promise<SlowTicks | undefined>
  /** Stops the world: last tick, snapshot (none if it hands over), end of the thread. */
  stop(handsOver?: boolean): Promise<void>
  /** Runs one check of the watchdog; a timer calls this. */
  watch(): void
  /** Returns the number of commands that no batch contains yet. */
  waiting(): number
  /** Returns the number of acknowledged mutations without an answer (for the clock of tests). */
  pending(): number
  /** Returns the number of world threads that have ended. */
  ends(): number
  kernels(): { readonly ends: number; readonly isOff: boolean }
}

interface Link {
  readonly options: WorldLinkOptions
  readonly pending: PendingCommands
  readonly steps: { resolve(result: Stepped): void; reject(error: Error): void }[]
  readonly requests: WorldRequests
  thread: WorldThread | undefined
  watchdog: Watchdog
  up: boolean
  stopping: boolean
  isOver: boolean
  world: WorldState
  /** Last batch received from a world. */
  received: number
  readonly arrivals: Arrivals
  /** Chain on which batches are handed over one after the other. */
  publishing: Promise<void>
  /** Figures of publishing the last tick. */
  lastPublishing: PublishFigures | undefined
  outbox: Submission[]
  /** True if `endTurn` will flush the outbox at the end of this turn. */
  flushIsDue: boolean
  endReason: string
  readonly ends: ThreadEnds
  readonly node: NodeView
  sinks: LinkSinks | undefined
  onFirstReady: ((state: WorldState) => void) | undefined
  onStopped: (() => void) | undefined
}

function newLink(options: WorldLinkOptions): Link {
  return {
    options,
    pending: createPending(createRefs(options.incarnations, options.log), options.log),
    steps: [],
    requests: createRequests(),
    thread: undefined,
    watchdog: createWatchdog(),
    up: false,
    stopping: false,
    isOver: false,
    world: { tick: 0, tickMs: 10_000, seed: 0, batch: 0 },
    received: 0,
    arrivals: createArrivals(),
    publishing: Promise.resolve(),
    lastPublishing: undefined,
    outbox: [],
    flushIsDue: false,
    endReason: '',
    ends: createEnds(),
    node: createNodeView(options.node, options.clock),
    sinks: undefined,
    onFirstReady: undefined,
    onStopped: undefined,
  }
}

function flush(link: Link): void {
  if (!link.up || link.outbox.length === 0) return
  const commands = link.outbox
  link.outbox = []
  link.thread?.post({ kind: 'submit', commands })
}

function endTurn(link: Link): void {
  link.flushIsDue = false
  flush(link)
}

/** Queues a command for the next message, sent at the end of the turn or once it is full. */
function send(link: Link, submission: Submission): void {
  // During recovery the pending entry keeps the command; `onReady` sends it.
  if (!link.up) return
  link.outbox.push(submission)
  if (link.outbox.length >= SUBMIT_SLICE_COMMANDS) flush(link)
  if (link.flushIsDue) return
  link.flushIsDue = true
  setImmediate(endTurn, link)
}

function submit(link: Link, command: NewSubmission, sink: AnswerSink): void {
  const submission = numberSubmission(link.pending, command)
  const refused =
    link.stopping || link.isOver ? fail('restarting') : submitRefusal(link.pending, submission)
  if (refused) {
    sink(finalAnswer(submission, link.world.tick, refused))
    return
  }
  addPending(link.pending, submission, sink)
  send(link, submission)
}

async function handOver(link: Link, arrival: Arrival, thread: WorldThread): Promise<void> {
  const { pending, sinks, options } = link
  const { batch } = arrival
  link.world = { ...link.world, batch: batch.batch, tick: batch.tick || link.world.tick }
  const turns = createTurns(options.clock.monoMs)
  const isLost = !(await handOverBatch(arrival, { pending, sinks, log: options.log }, turns))
  const publishing = turns.end()
  if (batch.tick !== 0) link.lastPublishing = publishing
  const { busyMs } = publishing
  if (link.thread === thread) thread.post({ kind: 'published', batch: batch.batch, isLost, busyMs })
}

function begin(link: Link, arrival: Arrival | undefined, thread: WorldThread): void {
  if (arrival) link.publishing = link.publishing.then(() => handOver(link, arrival, thread))
}

function onBatch(link: Link, batch: PublishedBatch, thread: WorldThread): void {
  // A replacement thread publishes batches again that main may have received already.
  if (batch.batch <= link.received) return
  link.received = batch.batch
  begin(link, link.arrivals.complete(batch), thread)
}

function onReady(link: Link, message: Extract<ToMain, { kind: 'ready' }>): void {
  const { kind: _, held, ...world } = message
  link.world = world
  link.received = Math.max(link.received, world.batch)
  link.up = true
  link.outbox = []
  for (const submission of commandsToResend(link.pending, held)) send(link, submission)
  link.onFirstReady?.(link.world)
  link.onFirstReady = undefined
}

function onMessage(link: Link, message: ToMain, thread: WorldThread): void {
  switch (message.kind) {
    case 'ready':
      // Batches that the recovery publishes come before `ready` and are handed over first.
      link.publishing = link.publishing.then(() => onReady(link, message))
      return
    case 'answers':
      for (const answer of message.answers) deliver(link.pending, answer)
      return
    case 'ahead':
      link.arrivals.ahead(message)
      link.sinks?.ahead?.(message.answers)
      return
    case 'durable':
      begin(link, link.arrivals.begin(message), thread)
      return
    case 'batch':
      if (message.commit) link.sinks?.committed?.(message.commit)
      if (message.delayMs !== undefined) link.sinks?.applied?.(message.delayMs)
      onBatch(link, message.batch, thread)
      return
    case 'stepped':
      link.publishing = link.publishing.then(() => link.steps.shift()?.resolve(message))
      return
    case 'snapshotted':
    case 'slow_ticks':
      link.requests.answer(message)
      return
    case 'stopped':
      link.publishing = link.publishing.then(() => link.onStopped?.())
      return
    case 'unbound':
      link.publishing = link.publishing.then(() => link.sinks?.unbound?.())
      return
    case 'log':
      logAt(link.options.log, message)
      return
    case 'tick_over':
      link.sinks?.tickOver?.(message.figures, link.lastPublishing)
      return
    case 'snapshot':
      link.sinks?.snapshot?.(message)
      return
    case 'public':
      link.sinks?.frame?.(unpackFrame(message.frame))
      return
    case 'fatal':
      link.endReason = message.text
      thread.terminate()
      return
    default:
      link.node.take(message)
  }
}

function onEnd(link: Link, reason: string, wasUp: boolean): void {
  const { pending, options } = link
  const tick = link.world.tick
  const ref = readRunning(link.watchdog.cell)
  const { command: running = 'none', requestId } = pending.entries.get(ref)?.submission ?? {}
  const where = wasUp ? '' : ' in recovery'
  const text = `world thread ended${where} at tick ${tick}, command ${running}: ${link.endReason || reason}`
  link.endReason = ''
  for (const step of link.steps.splice(0)) step.reject(new Error(text))
  link.requests.end(text)
  const next = countEnd(link.ends, { tick, text, wasUp })
  // The last end is logged by the process when it stops.
  if (next !== 'last') options.log.error({ ref, requestId }, text)
  if (next === 'without_kernels')
    options.log.error({}, 'kernel threads end too often: the world runs without them')
  if (next === 'last') {
    link.isOver = true
    refusePending(pending, tick)
    options.onFatal(text)
    return
  }
  if (ref !== 0) recordThreadEnd(pending, ref, tick)
  start(link, false)
}

function onExit(link: Link, reason: string): void {
  const wasUp = link.up
  link.up = false
  link.outbox = []
  link.thread = undefined
  link.arrivals.cut()
  // Batches and a `ready` that arrived before the end are handled before the replacement starts.
  link.publishing = link.publishing.then(() => {
    const wasEverUp = wasUp || link.up
    link.up = false
    if (link.stopping) {
      if (link.endReason) link.options.log.error({}, `the stop failed: ${link.endReason}`)
      link.requests.end('the world has stopped')
      link.onStopped?.()
    } else onEnd(link, reason, wasEverUp)
  })
}

function start(link: Link, firstStart: boolean): void {
  link.watchdog = createWatchdog()
  const thread = link.options.spawn({
    lastPublished: link.received,
    progress: link.watchdog.cell.buffer,
    firstStart,
    withoutKernels: runsWithoutKernels(link.ends),
    quarantined: quarantinedElsewhere(link.pending),
  })
  link.thread = thread
  thread.onMessage((message) => {
    if (link.thread === thread) onMessage(link, message, thread)
  })
  thread.onExit((reason) => {
    if (link.thread === thread) onExit(link, reason)
  })
}

function watch(link: Link): void {
  const waitedMs = () => link.options.clock.waitedMs?.(readThread(link.watchdog.cell)) ?? 0
  if (!link.thread || !looksStalled(link.watchdog, waitedMs)) return
  link.endReason = `no progress for ${WORLD_STALL_MS} ms`
  link.thread.terminate()
}

/** Starts the first world thread at once and keeps one running until `stop`. */
export function createWorldLink(options: WorldLinkOptions): WorldLink {
  const link = newLink(options)
  const ready = new Promise<WorldState>((resolve) => {
    link.onFirstReady = resolve
  })
  start(link, true)
  const timer = setInterval(watch, WATCH_EVERY_MS, link)
  timer.unref()
  return {
    attach: (sinks) => {
      link.sinks = sinks
      link.pending.orphan = (answer) => sinks.orphan(answer)
    },
    submit: (command, sink) => submit(link, command, sink),
    ask: (command) =>
      new Promise((resolve) => {
        submit(link, command, (answer) => {
          if (answer.stage === 'final') resolve(answer)
          return true
        })
      }),
    ready,
    state: () => link.world,
    isUp: () => link.up,
    trouble: () =>
      link.isOver ? 'world_ended' : link.up ? journalTrouble(link.watchdog) : 'recovering',
    step: (ticks) =>
      new Promise((resolve, reject) => {
        link.steps.push({ resolve, reject })
        flush(link)
        link.thread?.post({ kind: 'step', ticks })
      }),
    async snapshot() {
      const reply = await link.requests.ask(link.thread, 'snapshot')
      if (typeof reply === 'string') return reply
      return reply.kind === 'snapshotted' ? reply.error : undefined
    },
    askFrame: () => link.thread?.post({ kind: 'public_again' }),
    async slowTicks() {
      const reply = await link.requests.ask(link.thread, 'slow_ticks')
      return typeof reply !== 'string' && reply.kind === 'slow_ticks' ? reply.report : undefined
    },
    cluster: link.node.figures,
    stop: (handsOver = false) =>
      new Promise((resolve) => {
        flush(link)
        link.stopping = true
        clearInterval(timer)
        link.onStopped = () => {
          refusePending(link.pending, link.world.tick)
          resolve()
        }
        if (link.thread)
          link.thread.post(handsOver ? { kind: 'stop', handsOver } : { kind: 'stop' })
        else link.onStopped()
      }),
    watch: () => watch(link),
    waiting: () => link.pending.waiting,
    pending: () => countAcknowledged(link.pending),
    ends: () => link.ends.count,
    kernels: () => ({ ends: link.ends.byKernels, isOff: runsWithoutKernels(link.ends) }),
  }
}
