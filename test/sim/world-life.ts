/**
 * The world thread of a simulation: the real loop in this isolate, behind the interface that main
 * sees. It ends where the fault plan says, and then nothing it has begun goes on, like a thread
 * that is gone.
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
const COMMANDS_NAMED_MAX = 8

interface HostOptions {
  readonly registry: Registry
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly storage: SimStorage
  readonly seed: number
  readonly workers: number
  readonly snapshotEvery: number
  /** Hands the mutations of a message over in another order of players: it must not matter (I5). */
  readonly isShuffled: boolean
  readonly saboteur: Saboteur
}

/** Keeps the world that lives at the moment. */
export interface WorldHost {
  spawn(options: SpawnOptions): WorldThread
  /** Ends the world as a crash would. */
  crash(reason: string): void
  /** The whole process ends, main with it. */
  cut(): void
  readonly current: () => World | undefined
  readonly crashes: () => number
  /** What the world was doing, for a report: the running command, else the tick's mutations. */
  commandNow(): string
  close(): Promise<void>
}

interface HostLife extends Life {
  /** Ends it with main: nobody hears of it. */
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

/** Mutations in an order that depends on the players only; everything else keeps its place. */
function shuffle(host: Host, commands: readonly Submission[]): readonly Submission[] {
  const { registry, seed } = host.options
  const isMutation = (command: Submission): boolean =>
    registry.commands.get(command.command)?.kind === 'mutation'
  const rank = (command: Submission): number => hash32(seed, command.player)
  const mutations = commands.filter(isMutation).sort((a, b) => rank(a) - rank(b))
  return commands.map((command) => (isMutation(command) ? mutations.shift()! : command))
}

function noteCommands(host: Host, commands: readonly Submission[]): void {
  for (const { ref, command, player } of commands) {
    host.names.set(ref, `${command} of player ${player}`)
    if (host.names.size > 2_000) host.names.delete(host.names.keys().next().value as number)
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

/** Ends the world in the middle of a batch, where the plan says so. */
function mayFail(host: Host, ref: number): void {
  const { plan } = host.options
  // An end in recovery stops the process, which is a promise of its own.
  if (ref === 0 || !host.loop || !plan.armed.has('crash_in_batch')) return
  if (plan.ends('crash_in_batch')) throw new Error(`${INJECTED} crash_in_batch`)
}

async function live(host: Host, life: Life, io: ThreadIo): Promise<void> {
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
      mayFail(host, ref)
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

/** Forgets an answer to a mutation, where that is armed. */
function sabotaged(host: Host, message: Extract<ToMain, { kind: 'batch' }>): ToMain {
  const { batch } = message
  const isForgetful =
    batch.tick !== 0 && batch.answers.length > 0 && host.options.saboteur.strikes('lost_answer')
  return isForgetful
    ? { kind: 'batch', batch: { ...batch, answers: batch.answers.slice(1) } }
    : message
}

/** Sends what the world says to main, unless the plan ends the world around it. */
function sender(host: Host, life: Life, handler: () => (message: ToMain) => void) {
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
    // Recovery publishes as well, and an end in recovery stops the process: not tried here.
    const isUp = host.loop !== undefined
    if (isUp && plan.ends('crash_before_publish')) {
      life.end('crash_before_publish')
      return
    }
    deliver(sabotaged(host, message))
    if (message.batch.tick !== 0) host.tickCommands = []
    if (isUp && plan.ends('crash_during_publish')) life.end('crash_during_publish')
  }
}

/** Ends the kernel threads, the only threads that are real here. */
function letGo(host: Host): void {
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
  const early: ToWorld[] = []
  const life: HostLife = {
    isOver: false,
    end(reason) {
      if (life.isOver) return
      life.isOver = true
      host.crashes += 1
      storage.ended(life)
      letGo(host)
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
      early.push(message)
      return
    }
    loop.receive(message)
  }
  const thread: WorldThread = {
    post(message) {
      const plain = message.kind === 'submit' ? structuredClone(message) : message
      if (plain.kind === 'submit') noteCommands(host, plain.commands)
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
  live(host, life, {
    spawned,
    post: sender(host, life, () => onMessage),
    ready(made) {
      loop = made
      for (const message of early.splice(0)) receive(message)
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
