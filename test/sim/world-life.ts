/**
 * The world thread of a simulation: the real loop on this thread, behind the interface that main
 * uses. It ends where the fault plan says, and then nothing it has begun continues, as with a real
 * thread.
 */
import type { ParallelSection } from '../../core/parallel.ts'
import type { ToMain, ToWorld } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import { hash32 } from '../../core/rng.ts'
import type { Submission, World } from '../../core/types.ts'
import { bump, progressCell, readRunning, setBusy, setRunning } from '../../core/wire/progress.ts'
import { createWorldLoop, type WorldLoop } from '../../engine/loop.ts'
import { openSection } from '../../engine/start.ts'
import { describeWith } from '../../net/publish/frames.ts'
import type { SpawnOptions, WorldThread } from '../../net/world-thread.ts'
import type { Saboteur } from './canary.ts'
import type { FaultPlan } from './faults.ts'
import type { Stage } from './stage.ts'
import type { Life, SimStorage } from './storage.ts'

const INJECTED = 'injected:'
export const TICK_MS = 10_000
export const MAX_ENTITIES = 5_000
/** Commands of a tick that a report names. */
const COMMANDS_NAMED_MAX = 8
/** Names of commands kept by ref, for reports. */
const NAMES_MAX = 2_000

interface HostOptions {
  readonly registry: Registry
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly storage: SimStorage
  readonly seed: number
  readonly workers: number
  readonly snapshotEvery: number
  /** Passes mutations on in another order of players, which must not matter (I5). */
  readonly isShuffled: boolean
  readonly saboteur: Saboteur
}

/** Starts world threads, and holds the current one. */
export interface WorldHost {
  spawn(options: SpawnOptions): WorldThread
  /** Ends the world as a crash would. */
  crash(reason: string): void
  /** Ends the world together with main, as at the end of the process. */
  cut(): void
  readonly current: () => World | undefined
  readonly crashes: () => number
  /** Returns the running command for a report, or the mutations of the tick. */
  commandNow(): string
  close(): Promise<void>
}

interface HostLife extends Life {
  /** Ends it together with main, which is not notified. */
  cut(): void
}

interface Host {
  readonly options: HostOptions
  readonly names: Map<number, string>
  tickCommands: string[]
  life: HostLife | undefined
  loop: WorldLoop | undefined
  section: ParallelSection | undefined
  progress: SharedArrayBuffer
  crashes: number
}

/** Orders mutations by a hash of their players; all other commands keep their places. */
function shuffle(host: Host, commands: readonly Submission[]): readonly Submission[] {
  const { registry, seed } = host.options
  const isMutation = (command: Submission): boolean =>
    registry.commands.get(command.command)?.kind === 'mutation'
  const rank = (command: Submission): number => hash32(seed, command.player)
  const mutations = commands.filter(isMutation).sort((a, b) => rank(a) - rank(b))
  return commands.map((command) => (isMutation(command) ? mutations.shift()! : command))
}

function recordCommands(host: Host, commands: readonly Submission[]): void {
  for (const { ref, command, player } of commands) {
    host.names.set(ref, `${command} of player ${player}`)
    if (host.names.size > NAMES_MAX) host.names.delete(host.names.keys().next().value as number)
    if (host.tickCommands.length < COMMANDS_NAMED_MAX) host.tickCommands.push(command)
  }
}

async function makeSection(host: Host, world: World): Promise<ParallelSection> {
  const { registry, stage, workers } = host.options
  const section = await stage.await(
    openSection(world, registry, {
      workers,
      threadFile: new URL('../../kernel-thread.js', import.meta.url).href,
      breakEvenNs: 0,
    }),
  )
  host.section = section
  return { ...section, settled: () => stage.await(section.settled()) }
}

/** Ends the world in the middle of a batch if the plan says so. */
function strikeBatch(host: Host, ref: number): void {
  const { plan } = host.options
  // An end during recovery stops the process; other tests cover that.
  if (ref === 0 || !host.loop || !plan.armed.has('crash_in_batch')) return
  if (plan.ends('crash_in_batch')) throw new Error(`${INJECTED} crash_in_batch`)
}

/** Starts the loop of a new thread. */
async function startLoop(host: Host, life: Life, io: ThreadIo): Promise<void> {
  const { registry, stage, storage, seed, snapshotEvery } = host.options
  const cell = progressCell(io.spawned.progress)
  const loop = await createWorldLoop({
    registry,
    store: storage.connect(life),
    clock: {
      ...stage.worldClock,
      at: (atMs, then) => stage.worldClock.at(atMs, () => (life.isOver ? undefined : then())),
    },
    post: io.post,
    section: (world) => makeSection(host, world),
    seed,
    tickMs: TICK_MS,
    manual: false,
    maxEntities: MAX_ENTITIES,
    snapshotEvery,
    checkEvery: 1,
    checksWrites: true,
    hashEvery: 1,
    lastPublished: io.spawned.firstStart ? undefined : io.spawned.lastPublished,
    describe: describeWith(registry),
    heartbeat(ref) {
      setRunning(cell, ref)
      bump(cell)
      strikeBatch(host, ref)
    },
    busy: (busy) => setBusy(cell, busy),
  })
  if (life.isOver) return
  host.loop = loop
  io.ready(loop)
}

interface ThreadIo {
  readonly spawned: SpawnOptions
  post(message: ToMain): void
  ready(loop: WorldLoop): void
}

/** Returns the message, without its first answer if the saboteur strikes. */
function sabotageAnswers(host: Host, message: Extract<ToMain, { kind: 'batch' }>): ToMain {
  const { batch } = message
  const losesAnswer =
    batch.tick !== 0 && batch.answers.length > 0 && host.options.saboteur.strikes('lost_answer')
  return losesAnswer
    ? { kind: 'batch', batch: { ...batch, answers: batch.answers.slice(1) } }
    : message
}

/** Returns a function that posts to main, around which the plan may end the world. */
function createPost(host: Host, life: Life, handler: () => (message: ToMain) => void) {
  const { stage, plan } = host.options
  const deliver = (message: ToMain): void => {
    const plain = structuredClone(message)
    stage.post(() => handler()(plain))
  }
  return (message: ToMain): void => {
    if (life.isOver) return
    if (message.kind === 'fatal' && !message.text.includes(INJECTED)) stage.broken(message.text)
    if (message.kind !== 'batch') {
      deliver(message)
      return
    }
    // Recovery publishes as well, but an end during recovery stops the process; see `strikeBatch`.
    const isUp = host.loop !== undefined
    if (isUp && plan.ends('crash_before_publish')) {
      life.end('crash_before_publish')
      return
    }
    deliver(sabotageAnswers(host, message))
    if (message.batch.tick !== 0) host.tickCommands = []
    if (isUp && plan.ends('crash_during_publish')) life.end('crash_during_publish')
  }
}

/** Ends the kernel threads, which are the only real threads of a simulation. */
function closeSection(host: Host): void {
  const closing = host.section?.close()
  if (closing) void host.options.stage.await(closing)
  host.section = undefined
  host.loop = undefined
}

function spawn(host: Host, spawned: SpawnOptions): WorldThread {
  const { stage, storage } = host.options
  host.progress = spawned.progress
  host.loop = undefined
  let onMessage: (message: ToMain) => void = () => {}
  let onExit: (reason: string) => void = () => {}
  let loop: WorldLoop | undefined
  const earlyMessages: ToWorld[] = []
  const life: HostLife = {
    isOver: false,
    end(reason) {
      if (life.isOver) return
      life.isOver = true
      host.crashes += 1
      storage.ended(life)
      closeSection(host)
      stage.post(() => onExit(reason))
    },
    cut() {
      onMessage = () => {}
      onExit = () => {}
      life.end('process_end')
    },
  }
  const receive = (message: ToWorld): void => {
    if (life.isOver) return
    if (!loop) {
      earlyMessages.push(message)
      return
    }
    loop.receive(message)
  }
  const thread: WorldThread = {
    post(message) {
      const plain = message.kind === 'submit' ? structuredClone(message) : message
      if (plain.kind === 'submit') recordCommands(host, plain.commands)
      const sent =
        plain.kind === 'submit' && host.options.isShuffled
          ? { ...plain, commands: shuffle(host, plain.commands) }
          : plain
      stage.post(() => receive(sent))
    },
    onMessage: (handler) => {
      onMessage = handler
    },
    onExit: (handler) => {
      onExit = handler
    },
    terminate: () => life.end('terminated'),
  }
  host.life = life
  startLoop(host, life, {
    spawned,
    post: createPost(host, life, () => onMessage),
    ready(made) {
      loop = made
      for (const message of earlyMessages.splice(0)) receive(message)
    },
  }).catch((error: unknown) => {
    if (life.isOver) return
    stage.broken(error instanceof Error ? (error.stack ?? error.message) : String(error))
    life.end('ended at its start')
  })
  return thread
}

export function createWorldHost(options: HostOptions): WorldHost {
  const host: Host = {
    options,
    names: new Map(),
    tickCommands: [],
    life: undefined,
    loop: undefined,
    section: undefined,
    progress: progressCell().buffer,
    crashes: 0,
  }
  return {
    spawn: (spawned) => spawn(host, spawned),
    crash: (reason) => host.life?.end(reason),
    cut: () => host.life?.cut(),
    current: () => host.loop?.world,
    crashes: () => host.crashes,
    commandNow() {
      const ref = readRunning(progressCell(host.progress))
      return host.names.get(ref) ?? (host.tickCommands.join(', ') || 'none')
    },
    async close() {
      if (host.life) host.life.isOver = true
      await host.section?.close()
      host.section = undefined
    },
  }
}
