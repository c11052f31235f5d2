/** The interface of main to a world thread: start options, messages, sinks. */
import type {
  Answer,
  CommitFigures,
  EndedLogins,
  PublishedBatch,
  RanElsewhere,
  ToMain,
  ToWorld,
} from '../core/ports.ts'
import type { PublicFrame } from '../core/public/frame.ts'
import type { TickFigures } from '../core/wire/tick-figures.ts'
import type { NodeEvents } from './node-view.ts'
import type { Clock, Log } from './ports.ts'
import type { Arriving } from './publish/arriving.ts'
import type { Incarnations } from './publish/refs.ts'
import type { PublishFigures, Turns } from './publish/turns.ts'

/** A running world: a worker thread, or an engine in this process (tests). */
export interface WorldThread {
  post(message: ToWorld): void
  onMessage(handler: (message: ToMain) => void): void
  /** Registers a handler that is called once, whatever ended the thread. */
  onExit(handler: (reason: string) => void): void
  terminate(): void
}

export interface SpawnOptions {
  /** Last batch that was handed to the sockets; 0 at the start of the process. */
  readonly lastPublished: number
  /** Layout: core/wire/progress.ts. */
  readonly progress: SharedArrayBuffer
  /** False when it replaces a dead thread: presence is then kept. */
  readonly firstStart: boolean
  /** True once kernel threads have ended too often. */
  readonly withoutKernels: boolean
  /** Refs of commands of other nodes that have ended threads repeatedly. */
  readonly quarantined: readonly number[]
}

export interface WorldLinkOptions {
  spawn(options: SpawnOptions): WorldThread
  /** Called when the process must stop: three ends at one tick, or one in recovery. */
  onFatal(text: string): void
  readonly incarnations: Incarnations
  readonly node?: NodeEvents
  readonly log: Log
  readonly clock: Clock
}

/** The position of the world in time. */
export interface WorldState {
  readonly tick: number
  readonly tickMs: number
  readonly seed: number
  readonly batch: number
  readonly cpuFigures?: string
}

/** Receives the world's messages on main. */
export interface LinkSinks {
  /**
   * Takes the outcome of a mutation whose exchange is gone, or that an earlier process accepted.
   */
  orphan(answer: Answer): void
  /**
   * Hands a batch to the sockets and passes each answer to `answer` in its order; `arriving` tells
   * when its lists grow. The next batch follows once this resolves.
   */
  publish(
    batch: PublishedBatch,
    answer: (answer: Answer) => void,
    turns: Turns,
    arriving: Arriving,
  ): Promise<void>
  /** Prepares answers of a batch that is not durable yet: they may still be dropped. */
  ahead?(answers: readonly Answer[]): void
  /** Takes the figures of a tick; `publishing`: those of its publication on main. */
  tickOver?(figures: TickFigures, publishing: PublishFigures | undefined): void
  committed?(commit: CommitFigures): void
  /** Takes the delay between a row being durable and a replica having it, without the replay. */
  applied?(delayMs: number): void
  /** Ends logins of a player that another node has replaced. */
  ended?(logins: EndedLogins): void
  /** Counts commands that players ran on other nodes. */
  ranElsewhere?(commands: readonly RanElsewhere[]): void
  /** Called when the world has unbound everybody who is logged in here. */
  unbound?(): void
  frame?(frame: PublicFrame): void
  snapshot?(message: Extract<ToMain, { kind: 'snapshot' }>): void
}
