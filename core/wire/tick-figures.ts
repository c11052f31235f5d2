/** What the world thread reports about a tick once the sockets have its last frame. */
import { PHASES, type Phase } from '../system.ts'

/** Steps of a tick from its boundary to the sockets; together they make up the whole tick. */
export const TICK_STEPS = ['wait', 'compute', 'journal', 'finish', 'publish'] as const
type TickStep = (typeof TICK_STEPS)[number]

/** The steps of a tick with its phases in place of `compute`. */
export type TickPart = Exclude<TickStep, 'compute'> | Phase
export const TICK_PARTS: readonly TickPart[] = [
  'wait',
  ...PHASES.slice(0, -1),
  'journal',
  'finish',
  'publish',
]

/** Kinds of pauses of the garbage collector. */
export const GC_KINDS = ['minor', 'major', 'incremental', 'weak'] as const
export type GcKind = (typeof GC_KINDS)[number]
/**
 * What pauses the world thread in the middle of a part; for a snapshot the world is copied at once,
 * then packed in slices. `queries`: everything that runs between two slices of computing.
 */
export const PAUSES = [...GC_KINDS, 'snapshot copy', 'snapshot packing', 'queries'] as const
export type PauseKind = (typeof PAUSES)[number]

/** What a tick did; queries and immediates are counted since the tick before. */
export const TICK_COUNTS = [
  'mutations',
  'immediates',
  'queries',
  'players',
  'events',
  'rows',
  'fullChecks',
] as const
export type TickCount = (typeof TICK_COUNTS)[number]

/** Time until a journal row was durable, ms; `queue`: until it was sent, without the encoding. */
export interface JournalSplit {
  readonly encode: number
  readonly queue: number
  readonly roundTrip: number
}

/** One of the slowest ticks, milliseconds. */
export interface SlowTick {
  readonly tick: number
  /** Wall time of the tick. */
  readonly wallMs: number
  readonly totalMs: number
  /** Without the pauses within them. */
  readonly partsMs: Readonly<Record<TickPart, number>>
  readonly pausesMs: Readonly<Record<PauseKind, number>>
  readonly journalMs: JournalSplit
  /** Work of the main thread to publish it. */
  readonly mainMs: number
  /** The longest time for which the world thread answered nothing, since the tick before. */
  readonly unansweredMs: number
  readonly counts: Readonly<Record<TickCount, number>>
  /** Gauges of the domains (core/registry.ts), by name. */
  readonly gauges: Readonly<Record<string, number>>
  readonly isHashed: boolean
  readonly isDayEnd: boolean
  /** A snapshot was packed and written meanwhile, or older ones pruned: another thread's work. */
  readonly isStoring: boolean
}

/** The slowest ticks since the world thread started. */
export interface SlowTicks {
  /** Ticks since then, and the mean of each of their parts and pauses. */
  readonly ticks: number
  readonly meanMs: Readonly<Record<TickPart | PauseKind, number>>
  /** Slowest first. */
  readonly slowest: readonly SlowTick[]
}

/** The figures of a tick, for metrics and logs. */
export interface TickFigures {
  readonly tick: number
  readonly stepsMs: Readonly<Record<TickStep, number>>
  readonly phasesMs: Readonly<Partial<Record<Phase, number>>>
  /** Pauses of the garbage collector within ticks that were not reported before. */
  readonly gcMs: Readonly<Record<GcKind, number>>
  /** The slowest tick since the world thread started. */
  readonly slowestMs: number
  /** All work of the tick without the wait for the database: it decides how long ticks last. */
  readonly workMs: number
  /** The longest time for which finishing its results kept the thread from everything else. */
  readonly sliceMs: number
  /** The longest time for which the world thread answered nothing, since the tick before. */
  readonly unansweredMs: number
  /** It computed for longer than half its length. */
  readonly isSlow: boolean
  /** Ticks last this many times their configured length. */
  readonly stretch: number
  /** Commands that the tick ran, and events that it raised. */
  readonly inputs: number
  readonly emissions: number
  /** Bytes of the columns of the world, whether their rows are used or not. */
  readonly columnBytes: number
  /** Commands that wait in the world thread. */
  readonly inbox: { readonly mutations: number; readonly immediates: number }
  /** Gauges of the domains (core/registry.ts), by name. */
  readonly gauges: Readonly<Record<string, number>>
}
