/**
 * Systems: functions that run in one phase of each tick and declare the tables they write. Systems
 * never call each other; phase and order of registration decide when they run.
 */
import { type KernelColumns, overColumns, type TableDef } from './columns.ts'
import type { World } from './types.ts'

/** The phases of a tick; `admit`, `check` and `publish` belong to core. Source: DESIGN 2. */
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
  /** Name of the system of the same phase, of any domain, right after which this one runs. */
  readonly after?: string
  /**
   * Every table that it may change, also through rules and observers; an engine that checks writes
   * enforces this.
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
   * URL of the compiled file (`import.meta.url` of kernels.ts), and the name of the kernel in it.
   */
  readonly file: string
  readonly kernel: string
  /** Tables whose columns the kernel writes: taken for writing before it runs. */
  readonly writes: readonly TableDef[]
  /** Returns the rows to work on, grouped by part; undefined if there is nothing to do. */
  prepare(world: World): Work | undefined
  /** Called on the world thread after the kernel: does everything that the kernel may not do. */
  apply(world: World, work: Work): void
}

/** The work of a split system in one tick. */
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

/** What a kernel knows about the tick besides columns. */
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
 * A kernel: its factory is called once per isolate, so that columns are constants there
 * (PERFORMANCE.md 1b). They stay so only in functions that are called often: a loop that V8
 * compiles while it runs (one call over many rows) fetches every column again in each iteration,
 * which is four times slower. Give the hot loop a function of its own, called once per part or
 * block of rows.
 */
export type Kernel = (columns: KernelColumns) => KernelRun

/** Declares a kernel by its factory. */
export const kernel = (make: Kernel): Kernel => overColumns(make)
