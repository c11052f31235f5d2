/**
 * Faults that only tests arm (by ORRERY_FAULT, or a hook): the process, the world thread or a
 * kernel thread ends, hangs or loses time at a named point of a batch's life. Unarmed, this file
 * changes nothing.
 */
import { kill, pid } from 'node:process'
import type { BatchStore, ToMain } from '../core/ports.ts'
import type { DomainDef } from '../core/registry.ts'
import type { KernelRun } from '../core/system.ts'
import { sleep } from '../storage/db.ts'
import { nextTurn } from './slices.ts'
import type { SectionOptions } from './start.ts'

/**
 * Format: `point:count:effect[:times]`. The effect strikes when the point is reached for the
 * count-th time; each new thread counts from the start, and `times` (default 1) limits how often it
 * strikes in the lifetime of the process.
 * Points: `beat` (inside a batch, between two commands or systems), `admit` and `act` (the end of
 * those phases of a tick), `before_commit`, `in_commit` (while a batch is committed), `after_commit`,
 * `in_publish` (while main hands the batch over), `in_snapshot` (while a snapshot is packed or
 * stored), `kernel` (a part of a split system, on a kernel thread), or `!` and a command's name
 * (while that command runs).
 * The effect `burn<ms>` ends nothing: it blocks the thread for this many milliseconds each time the
 * point is reached, from the count-th time on; at `kernel`, only the count-th time in each thread.
 */
export interface Fault {
  readonly point: string
  readonly count: number
  readonly effect: Effect
  readonly times: number
  /** How long `burn` blocks the thread, milliseconds. */
  readonly burnMs: number
  /**
   * Shared by the threads of a process, Int32: slots STRIKES, IS_READY and PARTS_BEGUN.
   */
  readonly state: SharedArrayBuffer
}

const KERNEL = 'kernel'
const EFFECTS = ['kill', 'exit', 'throw', 'loop', 'heap', 'burn'] as const
type Effect = (typeof EFFECTS)[number]
const POINTS =
  'beat|admit|act|before_commit|in_commit|after_commit|in_publish|in_snapshot|kernel|![a-z_:]+'
const FAULT = new RegExp(`^(${POINTS}):(\\d+):([a-z]+?)(\\d*)(?::(\\d+))?$`)
/** Heap of a world thread to be filled: small enough to be full before the watchdog acts. */
const HEAP_MB = 192
/** Heap of a kernel thread to be filled: full before the world thread gives the thread up. */
const KERNEL_HEAP_MB = 48
/** Slot of `state`: how often the fault has struck. */
const STRIKES = 0
/** Slot of `state`: 1 once the world has recovered. */
const IS_READY = 1
/** Slot of `state`: parts begun on kernel threads. */
const PARTS_BEGUN = 2
/** Longest time the world thread waits for kernel threads before it runs a part itself. */
const LEAVE_MS = 20
/** Turns of the event loop between the start of a commit and `in_commit`, exclusive maximum. */
const COMMIT_TURNS = 8
/** Longest wait between a batch handed to main and `in_publish`, milliseconds. */
const PUBLISH_MS = 4
/** Wait between the start of a snapshot and `in_snapshot`, exclusive maximum, milliseconds. */
const SNAPSHOT_MS = 40

/** Parses a fault; undefined when none is armed. Throws when the text is not a fault. */
export function parseFault(text: string | undefined): Fault | undefined {
  if (!text) return undefined
  const [, point, count, effect, burnMs, times] = FAULT.exec(text) ?? []
  if (!EFFECTS.includes(effect as Effect) || (burnMs !== '') !== (effect === 'burn'))
    throw new Error(`"${text}" is not a fault; expected point:count:effect[:times]`)
  return {
    point,
    count: Number(count),
    effect: effect as Effect,
    times: Number(times ?? 1),
    burnMs: Number(burnMs),
    state: new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT),
  }
}

/**
 * Returns the worker options of a world thread: a small heap if the armed fault is to fill it.
 */
export const heapOptions = (fault: Fault | undefined) =>
  fault?.effect === 'heap' && fault.point !== KERNEL
    ? { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }
    : {}

/**
 * Returns the options of the parallel section of a world whose kernel threads are to fail: all work
 * is split, however little it is, and the world thread waits before it runs a part itself. Returns
 * no options for any other fault.
 */
export function faultSectionOptions(fault: Fault | undefined): SectionOptions {
  if (fault?.point !== KERNEL) return {}
  const state = new Int32Array(fault.state)
  const slow =
    (run: KernelRun): KernelRun =>
    (...args) => {
      if (Atomics.load(state, IS_READY) === 1)
        Atomics.wait(state, PARTS_BEGUN, Atomics.load(state, PARTS_BEGUN), LEAVE_MS)
      run(...args)
    }
  const heap = fault.effect === 'heap' ? { heapMbMax: KERNEL_HEAP_MB } : {}
  return { breakEvenNs: 0, extra: fault, around: (runs) => runs.map(slow), ...heap }
}

/** Returns the kernels of a kernel thread with the armed fault in them. */
export function armKernels(fault: Fault | undefined, runs: readonly KernelRun[]) {
  if (!fault) return runs
  const state = new Int32Array(fault.state)
  let left = fault.count
  return runs.map(
    (run): KernelRun =>
      (...args) => {
        Atomics.add(state, PARTS_BEGUN, 1)
        Atomics.notify(state, PARTS_BEGUN)
        const isDue = Atomics.load(state, IS_READY) === 1 && --left === 0
        if (isDue && Atomics.add(state, STRIKES, 1) < fault.times) strike(fault)
        run(...args)
      },
  )
}

/** Hooks for the points of the world thread. */
interface Faults {
  beat(): void
  phaseOver(phase: string): void
  armStore(store: BatchStore): BatchStore
  armPost(post: (message: ToMain) => void): (message: ToMain) => void
  armDomains(domains: readonly DomainDef[]): readonly DomainDef[]
}

const UNARMED: Faults = {
  beat: () => {},
  phaseOver: () => {},
  armStore: (store) => store,
  armPost: (post) => post,
  armDomains: (domains) => domains,
}

/** Returns the hooks of the world thread for the armed fault; without one they do nothing. */
export function armFaults(fault: Fault | undefined): Faults {
  if (!fault) return UNARMED
  const state = new Int32Array(fault.state)
  Atomics.store(state, IS_READY, 0)
  let left = fault.count
  // Recovery runs the same code; faults count only after it.
  let isReady = false
  const pass = (point: string): void => {
    if (!isReady || point !== fault.point || --left > 0) return
    // `burn` strikes from the count-th time on, every other effect only the count-th time.
    if (left < 0 && fault.effect !== 'burn') return
    if (Atomics.add(state, STRIKES, 1) < fault.times) strike(fault)
  }
  return {
    beat: () => pass('beat'),
    phaseOver: (phase) => pass(phase),
    armStore: (store) => withStorePoints(store, fault.point, pass),
    armPost: (post) => (message) => {
      post(message)
      if (message.kind === 'ready') {
        isReady = true
        Atomics.store(state, IS_READY, 1)
      }
      if (message.kind !== 'batch' || fault.point !== 'in_publish') return
      spin(message.batch.batch % (PUBLISH_MS + 1))
      pass('in_publish')
    },
    armDomains: (domains) => domains.map((domain) => withCommandPoints(domain, pass)),
  }
}

function strike({ effect, point, burnMs }: Fault): void {
  if (effect === 'burn') {
    spin(burnMs)
    return
  }
  if (effect === 'kill') kill(pid, 'SIGKILL')
  // In a worker thread this ends only that thread.
  if (effect === 'exit') process.exit(3)
  if (effect === 'throw') throw new Error(`armed fault ${point}`)
  if (effect === 'loop') for (;;);
  const hoard: number[][] = []
  for (;;) hoard.push(new Array<number>(100_000).fill(hoard.length + 0.5))
}

/** Blocks this thread for this many milliseconds; the main thread keeps running. */
function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

function withStorePoints(
  store: BatchStore,
  point: string,
  pass: (point: string) => void,
): BatchStore {
  return {
    ...store,
    async commit(row, writes) {
      pass('before_commit')
      const committing = store.commit(row, writes)
      committing.catch(() => {})
      // The moment varies by batch: the row is not sent yet, sent, or written but not confirmed.
      const turns = point === 'in_commit' ? row.batch % COMMIT_TURNS : 0
      for (let i = 0; i < turns; i++) await nextTurn()
      pass('in_commit')
      const durable = await committing
      pass('after_commit')
      return durable
    },
    async saveSnapshot(image, sliced) {
      const saving = store.saveSnapshot(image, sliced)
      saving.catch(() => {})
      if (point === 'in_snapshot') await sleep((image.batch * 7) % SNAPSHOT_MS)
      pass('in_snapshot')
      await saving
    },
  }
}

/** Returns the domain with a point at the start of each command that can run in a batch. */
function withCommandPoints(domain: DomainDef, pass: (point: string) => void): DomainDef {
  const commands = domain.commands?.map((def) => {
    if (def.kind !== 'mutation' && def.kind !== 'immediate') return def
    const run = (...args: never[]) => {
      pass(`!${def.name}`)
      return (def.run as (...args: never[]) => unknown)(...args)
    }
    return { ...def, run } as typeof def
  })
  return commands ? { ...domain, commands } : domain
}
