/** The options of a world loop. */
import type { ParallelSection } from '../core/parallel.ts'
import type { BatchStore, ToMain } from '../core/ports.ts'
import type { Registry } from '../core/registry.ts'
import type { World } from '../core/types.ts'
import type { Describe } from '../core/wire/packed.ts'
import type { GcKind } from '../core/wire/tick-figures.ts'
import type { WorldShape } from './start.ts'

export interface Clock {
  /** Returns the wall clock time of a batch of that tick, milliseconds since 1970. */
  wallMs(tick: number): number
  /** Returns milliseconds on a clock that never jumps. */
  monotonicMs(): number
  /** Runs `then` at a monotonic time; returns a function that cancels it. */
  at(monotonicMs: number, then: () => void): () => void
}

export interface LoopOptions {
  readonly registry: Registry
  readonly store: BatchStore
  readonly clock: Clock
  readonly post: (message: ToMain) => void
  /** Posts messages of a tick while it commits; otherwise all of them come with the batch. */
  readonly postsAhead?: boolean
  readonly section: (world: World) => Promise<ParallelSection>
  readonly seed: number
  /** Length of a tick; ticks come by `step` messages instead when `manual`. */
  readonly tickMs: number
  readonly manual: boolean
  readonly maxEntities: number
  /** Returns a new world; absent: genesis makes it. */
  readonly newWorld?: (shape: WorldShape) => World
  readonly snapshotEvery: number
  readonly checkEvery: number
  /** Asserts that systems write only the tables they declare; off by default. */
  readonly checksWrites?: boolean
  readonly hashEvery: number
  /** Last batch that main has published; undefined at a process start. */
  readonly lastPublished: number | undefined
  /** Returns the text by which v2 answers a query. */
  readonly describe: Describe
  readonly heartbeat: (ref: number) => void
  /** Called when a phase of a tick is over. */
  readonly phaseOver?: (phase: string) => void
  /** Reports the pauses of this thread's garbage collector; returns a function that ends it. */
  readonly watchGc?: (take: (kind: GcKind, startMs: number, ms: number) => void) => () => void
  /** The file with the processor time of this thread, which main reads on request. */
  readonly cpuFigures?: string
  /** Called before and after work that must not hang: the watchdog counts only while busy. */
  readonly busy: (busy: boolean) => void
}
