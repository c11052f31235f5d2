/**
 * Runs a past world that main can query: it advances only by the rows of its journal, when main
 * steps it. Nothing is written, and logins leave no trace: its hashes stay those of the journal.
 * It runs on the thread of its caller.
 */
import type { Engine } from '../core/engine.ts'
import { fail, ok } from '../core/errors.ts'
import { stateHash } from '../core/hash.ts'
import { createInbox, readsOnly } from '../core/inbox.ts'
import type { Answer, JournalRow, ToMain, ToWorld } from '../core/ports.ts'
import type { Submission } from '../core/types.ts'
import { forgetFeeds } from '../core/wire/feed.ts'
import { type Describe, packBatch } from '../core/wire/packed.ts'
import { createFrames, type Frames } from './frames.ts'
import { createReception } from './reception.ts'
import { nextTurn } from './slices.ts'
import { applyRow } from './start.ts'

interface PastOptions {
  readonly engine: Engine
  /** Returns the next row of the journal; undefined at its end. */
  peek(): Promise<JournalRow | undefined>
  /** Consumes the row that `peek` returned. */
  take(): void
  /** Called before the results of a row are published: moves the archive to that moment. */
  moved(row: JournalRow): Promise<void>
  readonly describe: Describe
  /** Called when the world cannot go on; it takes no more messages. */
  failed(error: unknown): void
}

/** The world as main's end of the port expects it (net/world-thread.ts). */
interface PastWorld {
  post(message: ToWorld): void
  onMessage(handler: (message: ToMain) => void): void
  onExit(handler: (reason: string) => void): void
  terminate(): void
}

interface Past {
  readonly options: PastOptions
  readonly frames: Frames
  /** Answers queries. */
  readonly answer: (commands: readonly Submission[]) => void
  readonly post: (message: ToMain) => void
  readonly end: (reason: string) => void
  isOver: boolean
  published: (batch: number) => void
}

const BIND = 'internal:bind'
/** Commands that only record what a player has done or read: they succeed without a record. */
const RECORDING = /^internal:(unbind|.+_seen$)/

const finalAnswer = (
  { world }: Engine,
  command: Submission,
  outcome: Answer['outcome'],
): Answer => {
  const { ref, player, command: name, framing, requestId } = command
  return {
    ref,
    player,
    command: name,
    framing,
    requestId,
    stage: 'final',
    tick: world.tick,
    outcome,
  }
}

/** Starts a past world; its first message is `ready`. */
export function startPast(options: PastOptions): PastWorld {
  const { engine, describe } = options
  const { world, registry } = engine
  let send: (message: ToMain) => void = () => {}
  let exit: (reason: string) => void = () => {}
  const post = (message: ToMain): void => send(message)
  const busy = (): void => {}
  const monotonicMs = (): number => performance.now()
  const inbox = createInbox()
  const shared = { registry, post, busy, describe, heartbeat: () => {}, clock: { monotonicMs } }
  const reception = createReception(engine, inbox, shared, { count: () => {} })
  const past: Past = {
    options,
    post,
    frames: createFrames(world, { ...shared, tickMs: world.tickMs }),
    answer(commands) {
      reception.take(commands)
      // Queries submit marks of what was read: a past world drops them.
      inbox.immediates.length = 0
    },
    end: (reason) => exit(reason),
    isOver: false,
    published: () => {},
  }
  // Steps run one after the other; queries are answered between two rows.
  let steps: Promise<unknown> = begin(past)
  const stepBy = (ticks: number): void => {
    steps = steps.then(() => step(past, ticks)).catch((error: unknown) => die(past, error))
  }
  return {
    post(message) {
      if (message.kind === 'step') stepBy(message.ticks)
      else handle(past, message)
    },
    onMessage: (handler) => {
      send = handler
    },
    onExit: (handler) => {
      exit = handler
    },
    terminate: () => finish(past, 'ended'),
  }
}

/** Posts the world as it is, once main listens. */
async function begin({ options, post, frames }: Past): Promise<void> {
  await nextTurn()
  const { seed, tickMs, tick, batch } = options.engine.world
  post({ kind: 'ready', tick, batch, seed, tickMs, held: [] })
  await frames.build()
}

function finish(past: Past, reason: string): void {
  if (past.isOver) return
  past.isOver = true
  past.end(reason)
}

function die(past: Past, error: unknown): void {
  if (past.isOver) return
  past.isOver = true
  past.options.failed(error)
}

function handle(past: Past, message: Exclude<ToWorld, { kind: 'step' }>): void {
  const { options, post, frames } = past
  if (past.isOver) {
    // Main also stops a world that cannot go on, and waits for the reply.
    if (message.kind === 'stop') post({ kind: 'stopped' })
    return
  }
  switch (message.kind) {
    case 'submit':
      submit(past, message.commands)
      return
    case 'published':
      if (message.isLost) forgetFeeds(options.engine.world)
      past.published(message.batch)
      return
    case 'public_again':
      frames.requestFull()
      return
    case 'slow_ticks':
    case 'snapshot':
      post({ kind: 'snapshotted', token: message.token, error: 'a past world takes no snapshots' })
      return
    case 'stop':
      post({ kind: 'stopped' })
      finish(past, 'stopped')
  }
}

function submit({ options, answer, post }: Past, commands: readonly Submission[]): void {
  const { engine } = options
  for (const command of commands) {
    const def = engine.registry.commands.get(command.command)
    if (command.command === BIND) {
      const { player } = command.params
      answer([{ ...command, command: 'internal:see_login', params: { player } }])
    } else if (!def || readsOnly(def, command)) answer([command])
    else {
      const isRecording = RECORDING.test(command.command)
      const outcome = isRecording ? ok({}) : fail('past_world', { tick: engine.world.tick })
      post({ kind: 'answers', answers: [finalAnswer(engine, command, outcome)] })
    }
  }
}

/** Runs this many ticks, each with the immediates after it; fewer at the end of the journal. */
async function step(past: Past, ticks: number): Promise<void> {
  const { options, post } = past
  const { world } = options.engine
  const last = world.tick + ticks
  for (;;) {
    const row = past.isOver ? undefined : await options.peek()
    if (!row || row.tick > last) break
    options.take()
    await runRow(past, row)
  }
  post({ kind: 'stepped', tick: world.tick, hash: stateHash(world) })
}

async function runRow(past: Past, row: JournalRow): Promise<void> {
  const { options, frames, post } = past
  const { engine } = options
  const batch = applyRow(engine, row)
  await engine.section.settled()
  await options.moved(row)
  const handedOver = new Promise<void>((resolve) => {
    past.published = (number) => {
      if (number === row.batch) resolve()
    }
  })
  post({ kind: 'batch', batch: packBatch(batch) })
  await handedOver
  frames.observe(engine.world.outbox)
  if (row.part === 0 && frames.isDue(row.tick)) await frames.build()
}
