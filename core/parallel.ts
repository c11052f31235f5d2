/**
 * The parallel section of a tick: runs the kernels of split systems on kernel threads. One piscina
 * task holds each thread for the whole tick; between split systems the threads meet at a spin
 * barrier in shared memory, which takes 1 µs where a dispatch takes 25 to 90 (PERFORMANCE.md 3).
 * The world thread works alongside them, and waits only for threads that have begun: one that is
 * still asleep has taken no part. Threads take whole parts, and kernels write only rows of their
 * part, so that it cannot matter which thread takes which part.
 */
import { Piscina } from 'piscina'
import { assert } from './assert.ts'
import { attach, type KernelColumns, kernelColumns, type Layout } from './columns.ts'
import {
  PARALLEL_AWAKE_BREAK_EVEN_NS,
  PARALLEL_BREAK_EVEN_NS,
  SECTION_STALL_MS,
  SECTION_WAKINGS_MAX,
  SPINS_BEFORE_WAIT,
} from './limits.ts'
import { KERNEL_THREAD_ERROR } from './ports.ts'
import type { Kernel, KernelRun, SystemDef, Work } from './system.ts'
import type { World } from './types.ts'

/* Words of the control block. */

/**
 * Incremented for each split system that runs on all threads, and at the end of the tick.
 */
const STEP = 0
/** Kernel threads that have finished the step. */
const DONE = 1
/** 1 once a kernel thread has failed. */
const FAILED = 2
/** Index of the kernel to run, or END. */
const KERNEL = 3
/** Lengths of the two lists in scratch memory: rows, then the end of each part. */
const ROWS = 4
const PARTS = 5
/** The next part to take. */
const NEXT_PART = 6
const TICK = 7
const SEED = 8
/** Kernel threads that have entered the step; CLOSED keeps later ones out of it. */
const GATE = 9
const CONTROL_WORDS = 16

/** The value of KERNEL that ends the task. */
const END = -1
/** The bit of GATE that closes it. */
const CLOSED = 1 << 30

/** Thrown when a kernel thread fails, ends or hangs; the world thread ends with it (DESIGN 4). */
class KernelThreadError extends Error {
  override name = KERNEL_THREAD_ERROR
}

/** What a kernel thread is started with: plain data and shared memory. */
export interface KernelThreadData {
  readonly layout: Layout
  readonly buffer: SharedArrayBuffer
  readonly control: SharedArrayBuffer
  readonly scratch: SharedArrayBuffer
  readonly kernels: readonly { readonly file: string; readonly name: string }[]
  readonly extra: unknown
}

export interface ParallelSection {
  readonly workers: number
  /** Ticks in which kernel threads were woken. */
  readonly dispatches: number
  /** Runs a split system: prepare, kernel, apply. */
  run(world: World, system: SystemDef): void
  /** Ends the tasks of the kernel threads, which are idle until the next tick. */
  endTick(): void
  /** Resolves when all tasks have ended; awaited before the next tick. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface ParallelOptions {
  readonly layout: Layout
  readonly buffer: SharedArrayBuffer
  readonly columns: KernelColumns
  readonly systems: readonly SystemDef[]
  /** Number of kernel threads besides the world thread. */
  readonly workers: number
  /** URL of the compiled kernel-thread module. */
  readonly threadFile: string
  /**
   * Work below this runs on the world thread alone, nanoseconds, whether kernel threads are awake
   * or not; with 0 it is always shared. By default the measured values of limits.ts apply.
   */
  readonly breakEvenNs?: number
  /**
   * Called each time this thread wakes up while it waits for kernel threads, as a heartbeat for its
   * watchdog, which must not end it before the wait reaches its own limit: only then is it known
   * that a kernel thread hangs, and not this one.
   */
  readonly onWaking?: () => void
  /** For tests: further data for the thread file. */
  readonly extra?: unknown
  /** For tests: bound of a kernel thread's heap, MB. */
  readonly heapMbMax?: number
  /** For tests: wraps the kernels that the world thread runs. */
  readonly around?: (runs: readonly KernelRun[]) => readonly KernelRun[]
}

/**
 * Imports kernels and gives them their columns. Called once in an isolate, so that the columns are
 * constants to V8.
 */
export async function loadKernels(
  kernels: KernelThreadData['kernels'],
  columns: KernelColumns,
): Promise<KernelRun[]> {
  const runs: KernelRun[] = []
  for (const { file, name } of kernels) {
    const module = (await import(file)) as Record<string, Kernel>
    assert(module[name], `${file} exports no ${name}`)
    runs.push(module[name](columns))
  }
  return runs
}

/** Takes parts and runs the kernel on them until none is left. */
function workOn(control: Int32Array, scratch: Uint32Array, runs: readonly KernelRun[]): void {
  const rowCount = control[ROWS]
  const parts = control[PARTS]
  const rows = scratch.subarray(0, rowCount)
  const run = runs[control[KERNEL]]
  const env = { seed: control[SEED], tick: control[TICK] }
  for (;;) {
    const part = Atomics.add(control, NEXT_PART, 1)
    if (part >= parts) return
    const from = part === 0 ? 0 : scratch[rowCount + part - 1]
    run(rows, from, scratch[rowCount + part], env)
  }
}

/**
 * Waits until a word differs from `value`, spinning first, then sleeping; returns false when it
 * stays the same for too long. Time is counted in wake-ups of this thread, so that no thread counts
 * as hanging after the process was suspended.
 */
function waitForChange(
  control: Int32Array,
  word: number,
  value: number,
  onWaking: () => void = () => {},
): boolean {
  for (let i = 0; i < SPINS_BEFORE_WAIT; i++) {
    if (Atomics.load(control, word) !== value) return true
  }
  for (let waking = 0; waking < SECTION_WAKINGS_MAX; waking++) {
    if (Atomics.load(control, word) !== value) return true
    Atomics.wait(control, word, value, SECTION_STALL_MS / SECTION_WAKINGS_MAX)
    onWaking()
  }
  return Atomics.load(control, word) !== value
}

/**
 * Runs the task of a kernel thread: takes part in the split systems after `step`, until the tick
 * ends.
 */
export function serveTick(data: KernelThreadData, runs: readonly KernelRun[], step: number): void {
  const control = new Int32Array(data.control)
  const scratch = new Uint32Array(data.scratch)
  let seen = step
  for (;;) {
    while (!waitForChange(control, STEP, seen)) {
      // The world thread is still busy between two sections; it ends the tick in any case.
    }
    seen = Atomics.load(control, STEP)
    if (control[KERNEL] === END) return
    if ((Atomics.add(control, GATE, 1) & CLOSED) !== 0) continue
    try {
      workOn(control, scratch, runs)
    } catch (error) {
      Atomics.store(control, FAILED, 1)
      throw error
    } finally {
      Atomics.add(control, DONE, 1)
      Atomics.notify(control, DONE)
    }
  }
}

/** Returns the columns of a kernel thread. */
export function kernelThreadColumns(data: KernelThreadData): KernelColumns {
  return kernelColumns(attach(data.layout, data.buffer))
}

/** The state behind a ParallelSection. */
interface Section {
  readonly control: Int32Array
  readonly scratch: Uint32Array
  readonly runs: readonly KernelRun[]
  readonly names: readonly string[]
  readonly workers: number
  readonly pool: Piscina | undefined
  /** The minimum of work that is worth sharing with kernel threads, asleep and awake, ns. */
  readonly breakEvenNs: { readonly asleep: number; readonly awake: number }
  readonly onWaking: (() => void) | undefined
  /** The tasks of this tick; none while the kernel threads are idle. */
  tasks: Promise<unknown>[]
  dispatches: number
}

/** Starts the kernel threads, and loads the kernels on them and on this thread. */
export async function createParallel(options: ParallelOptions): Promise<ParallelSection> {
  const split = options.systems.filter((system) => system.split)
  const kernels = split.flatMap(({ split }) =>
    split ? [{ file: split.file, name: split.kernel }] : [],
  )
  const control = new SharedArrayBuffer(CONTROL_WORDS * 4)
  const scratch = new SharedArrayBuffer(scratchWords(options.layout) * 4)
  const { layout, buffer, extra, around = (runs) => runs } = options
  const workers = kernels.length === 0 ? 0 : options.workers
  const data: KernelThreadData = { layout, buffer, control, scratch, kernels, extra }
  const pool = workers === 0 ? undefined : startPool(options, workers, data)
  if (pool) {
    await Promise.all(Array.from({ length: workers }, () => pool.run(null, { name: 'warm' })))
  }
  const section: Section = {
    control: new Int32Array(control),
    scratch: new Uint32Array(scratch),
    runs: around(await loadKernels(kernels, options.columns)),
    names: split.map((system) => system.name),
    workers,
    pool,
    breakEvenNs: {
      asleep: options.breakEvenNs ?? PARALLEL_BREAK_EVEN_NS,
      awake: options.breakEvenNs ?? PARALLEL_AWAKE_BREAK_EVEN_NS,
    },
    onWaking: options.onWaking,
    tasks: [],
    dispatches: 0,
  }
  return {
    workers,
    get dispatches() {
      return section.dispatches
    },
    run: (world, system) => runSplit(section, world, system),
    endTick() {
      if (section.tasks.length === 0) return
      section.control[KERNEL] = END
      Atomics.add(section.control, STEP, 1)
      Atomics.notify(section.control, STEP)
    },
    async settled() {
      const ending = section.tasks
      section.tasks = []
      await Promise.all(ending).catch((error: unknown) => {
        throw new KernelThreadError(`a kernel thread ended: ${String(error)}`)
      })
    },
    async close() {
      await pool?.destroy()
    },
  }
}

function runSplit(section: Section, world: World, system: SystemDef): void {
  const { control, scratch, runs, names, pool, breakEvenNs } = section
  const split = system.split
  assert(split, `${system.name} has no kernel`)
  const work = split.prepare(world)
  if (!work) return
  for (const table of split.writes) world.write(table)
  loadWork(control, scratch, work, names.indexOf(system.name))
  control[TICK] = world.tick
  control[SEED] = world.seed
  const breakEven = section.tasks.length > 0 ? breakEvenNs.awake : breakEvenNs.asleep
  if (pool && work.estimateNs >= breakEven) runShared(section, pool)
  else workOn(control, scratch, runs)
  split.apply(world, work)
}

/** Runs the loaded work on all threads, this one included; wakes the others if they are idle. */
function runShared(section: Section, pool: Piscina): void {
  const { control, scratch, runs, workers, onWaking } = section
  if (section.tasks.length === 0) {
    const step = Atomics.load(control, STEP)
    section.dispatches++
    section.tasks = Array.from({ length: workers }, () => pool.run(step, { name: 'serve' }))
    for (const task of section.tasks) task.catch(() => Atomics.store(control, FAILED, 1))
  }
  Atomics.store(control, DONE, 0)
  // The gate opens only now; a thread that was late for the last step may enter this one.
  Atomics.store(control, GATE, 0)
  Atomics.add(control, STEP, 1)
  Atomics.notify(control, STEP)
  workOn(control, scratch, runs)
  const entered = Atomics.or(control, GATE, CLOSED)
  for (let done = Atomics.load(control, DONE); done < entered; done = Atomics.load(control, DONE)) {
    if (!waitForChange(control, DONE, done, onWaking)) {
      throw new KernelThreadError('a kernel thread does not answer')
    }
  }
  if (Atomics.load(control, FAILED) !== 0) throw new KernelThreadError('a kernel thread failed')
}

function startPool(
  { threadFile, heapMbMax }: ParallelOptions,
  workers: number,
  data: KernelThreadData,
): Piscina {
  return new Piscina({
    filename: threadFile,
    minThreads: workers,
    maxThreads: workers,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    workerData: data,
    ...(heapMbMax ? { resourceLimits: { maxOldGenerationSizeMb: heapMbMax } } : {}),
  })
}

/** Writes the work of a step to the memory that all threads share. */
function loadWork(control: Int32Array, scratch: Uint32Array, work: Work, kernel: number): void {
  assert(work.rows.length + work.partEnds.length <= scratch.length, 'more work than scratch memory')
  scratch.set(work.rows)
  scratch.set(work.partEnds, work.rows.length)
  control[KERNEL] = kernel
  control[ROWS] = work.rows.length
  control[PARTS] = work.partEnds.length
  Atomics.store(control, NEXT_PART, 0)
}

/** Returns how many words the rows and part ends of the largest table take. */
function scratchWords(layout: Layout): number {
  let rowsMax = 0
  for (const rows of Object.values(layout.rows)) rowsMax = Math.max(rowsMax, rows)
  return rowsMax * 2 + 2
}
