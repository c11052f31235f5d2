/**
 * Systems: functions of the tick, each in one phase, with the tables it writes declared.
 * Systems never call each other; phase and order of registration decide when they run.
 */
import { type KernelColumns, overColumns, type TableDef } from './columns.ts'
import type { World } from './types.ts'

/** Source: DESIGN 2. `admit`, `check` and `publish` belong to core. */
export const PHASES = [
  'admit',
  'arrive',
  'engage',
  'act',
  'decide',
  'fight',
  'produce',
  'settle',
  'check',
  'publish',
] as const
export type Phase = (typeof PHASES)[number]

export interface SystemDef {
  /** domain.verb */
  readonly name: string
  readonly phase: Phase
  /** Runs right behind this system of the phase, whichever domain that belongs to. */
  readonly after?: string
  /**
   * Every table that it may change, through rules and observers too: an engine that checks writes
   * holds it to them.
   */
  readonly writes: readonly TableDef[]
  /** Runs on the world thread, before the kernel of a split system. */
  run?(world: World): void
  readonly split?: SplitDef
}

/**
 * A system whose work is shared among kernel threads, a part (a star system, a base …) at a time.
 */
export interface SplitDef {
  /**
   * URL of the compiled file, as `import.meta.url` of kernels.ts gives it, and the name it exports.
   */
  readonly file: string
  readonly kernel: string
  /** Tables whose columns the kernel writes: taken for writing before it runs. */
  readonly writes: readonly TableDef[]
  /** Rows to work on, grouped by part. Undefined: nothing to do this tick. */
  prepare(world: World): Work | undefined
  /** After the section, on the world thread: everything the kernel may not do itself. */
  apply(world: World, work: Work): void
}

export interface Work {
  readonly rows: Uint32Array
  /** Index into `rows` at which each part ends; parts are never divided among threads. */
  readonly partEnds: Uint32Array
  /**
   * Estimated single-thread time of the whole work, nanoseconds: decides whether threads are worth
   * it.
   */
  readonly estimateNs: number
}

/** What a kernel knows of the tick besides columns. */
export interface KernelEnv {
  readonly seed: number
  readonly tick: number
}

/**
 * Works on rows[from … to-1]: whole parts. Writes only rows of those parts, in tables the system
 * declares.
 */
export type KernelRun = (rows: Uint32Array, from: number, to: number, env: KernelEnv) => void

/**
 * A kernel: its factory is called once an isolate, so that columns are constants there
 * (PERFORMANCE.md 1b). They stay so only in functions that are called often: a loop that V8
 * compiles while it runs (one call over many rows) fetches every column again in each round, four
 * times slower. Give the hot loop a function of its own, called a part or a block of rows at a
 * time.
 */
export type Kernel = (columns: KernelColumns) => KernelRun

export const kernel = (make: Kernel): Kernel => overColumns(make)
