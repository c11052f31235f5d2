/** A world thread as main sees it: what it is started with, and the way to it. */
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
import type { PublishFigures, Turns } from './publish/turns.ts'

/** A running world: a worker thread, or an engine in this process (tests). */
export interface WorldThread {
  post(message: ToWorld): void
  onMessage(handler: (message: ToMain) => void): void
  /** Called once, whatever ended it. */
  onExit(handler: (reason: string) => void): void
  terminate(): void
}

export interface SpawnOptions {
  /** Last batch that was handed to the sockets; 0 at a process start. */
  readonly lastPublished: number
  /** Layout: core/wire/progress.ts. */
  readonly progress: SharedArrayBuffer
  /** False when it replaces a dead one: presence is then kept. */
  readonly firstStart: boolean
  /** Kernel threads ended too often: the world runs without them. */
  readonly alone: boolean
  /** Refs of commands of other nodes on which threads have ended again and again. */
  readonly quarantined: readonly number[]
}

/** Where the world is. */
export interface WorldState {
  readonly tick: number
  readonly tickMs: number
  readonly seed: number
  readonly batch: number
  readonly cpuFigures?: string
}

/** Receivers of the world's messages at main's end of the port. */
export interface LinkSinks {
  /** The outcome of a mutation whose exchange is gone, or that an earlier process accepted. */
  orphan(answer: Answer): void
  /** Hands a batch to the sockets, each answer to `answer` in its place; then the next may come. */
  publish(batch: PublishedBatch, answer: (answer: Answer) => void, turns: Turns): Promise<void>
  /** `publishing`: what publishing the tick took here. */
  tickOver?(figures: TickFigures, publishing: PublishFigures | undefined): void
  committed?(commit: CommitFigures): void
  /** A replica has applied a row so long after it was durable, less the replay. */
  applied?(delayMs: number): void
  /** Logins of a player have ended on another node. */
  ended?(logins: EndedLogins): void
  /** Players have done so at other nodes. */
  ranElsewhere?(commands: readonly RanElsewhere[]): void
  /** The world has unbound everybody who is logged in here. */
  unbound?(): void
  frame?(frame: PublicFrame): void
  snapshot?(message: Extract<ToMain, { kind: 'snapshot' }>): void
}
