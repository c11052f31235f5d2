/**
 * Faults that a test arms (ORRERY_FAULT, or a hook), and nothing else does: the process, the world
 * thread or a kernel thread ends at a named point of a batch's life. Unarmed, this file changes
 * nothing.
 */
import { kill, pid } from 'node:process'
import type { BatchStore, ToMain } from '../core/ports.ts'
import type { DomainDef } from '../core/registry.ts'
import type { KernelRun } from '../core/system.ts'
import type { SectionOptions } from './start.ts'

/**
 * `point:count:effect` or `point:count:effect:times`: at the count-th passing of a point, fail this
 * way, so many times in the life of the process (by default once). Points: `beat` (inside a batch,
 * between two commands or systems), `admit` and `act` (those phases of a tick are over),
 * `before_commit`, `in_commit` (the row is on its way to the database, or was written and not
 * answered), `after_commit`, `in_publish` (main is at handing the batch over), `in_snapshot` (it is
 * being packed or stored), `kernel` (a part of a split system, on a kernel thread), or a command's
 * name with `!` before it: while that command runs. `burn<ms>` ends nothing: it takes so long at
 * each passing from the count-th on, so many times.
 */
export interface Fault {
  readonly point: string
  readonly count: number
  readonly effect: Effect
  readonly times: number
  /** How long `burn` takes, milliseconds. */
  readonly burnMs: number
  /**
   * Shared by the threads of a process, Int32: [0] how often it has struck, [1] 1 once the world
   * has recovered, [2] parts begun on kernel threads.
   */
  readonly state: SharedArrayBuffer
}

const KERNEL = 'kernel'
const EFFECTS = ['kill', 'exit', 'throw', 'loop', 'heap', 'burn'] as const
type Effect = (typeof EFFECTS)[number]
const POINTS =
  'beat|admit|act|before_commit|in_commit|after_commit|in_publish|in_snapshot|kernel|![a-z_:]+'
const FAULT = new RegExp(`^(${POINTS}):(\\d+):([a-z]+?)(\\d*)(?::(\\d+))?$`)
/** Small enough to be full before the watchdog sees an endless loop. */
const HEAP_MB = 192
/** As much for a kernel thread: full before the world thread gives it up. */
const KERNEL_HEAP_MB = 48
const STRUCK = 0
const READY = 1
const BEGUN = 2
/** How long the world thread leaves a part to a kernel thread before it takes it itself. */
const LEAVE_MS = 20
/** Most turns of the event loop between asking for a commit and `in_commit`. */
const COMMIT_TURNS = 8
/** Longest wait between a batch handed to main, or a snapshot asked for, and their points. */
const PUBLISH_MS = 4
const SNAPSHOT_MS = 40

/** Parses a fault; undefined when none is armed. Throws when the text is not a fault. */
export function faultOf(text: string | undefined): Fault | undefined {
  if (!text) return undefined
  const [, point, count, effect, burnMs, times] = FAULT.exec(text) ?? []
  if (!EFFECTS.includes(effect as Effect) || (burnMs !== '') !== (effect === 'burn'))
    throw new Error(`"${text}" is not a fault: point:count:effect[:times]`)
  return {
    point,
    count: Number(count),
    effect: effect as Effect,
    times: Number(times ?? 1),
    burnMs: Number(burnMs),
    state: new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT),
  }
}

/** Returns the heap limit of a world thread while a fault is armed that fills its heap. */
export const limitsOf = (fault: Fault | undefined) =>
  fault?.effect === 'heap' && fault.point !== KERNEL
    ? { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }
    : {}

/**
 * Returns the options of the parallel section of a world whose kernel threads are to fail: all work
 * is shared, however little it is, and the world thread waits before it takes a part itself.
 */
export function sectionOf(fault: Fault | undefined): SectionOptions {
  if (fault?.point !== KERNEL) return {}
  const struck = new Int32Array(fault.state)
  const slow =
    (run: KernelRun): KernelRun =>
    (...args) => {
      if (Atomics.load(struck, READY) === 1)
        Atomics.wait(struck, BEGUN, Atomics.load(struck, BEGUN), LEAVE_MS)
      run(...args)
    }
  const heap = fault.effect === 'heap' ? { heapMbMax: KERNEL_HEAP_MB } : {}
  return { breakEvenNs: 0, extra: fault, around: (runs) => runs.map(slow), ...heap }
}

/** Puts the fault into the kernels of a kernel thread. */
export function armKernels(fault: Fault | undefined, runs: readonly KernelRun[]) {
  if (!fault) return runs
  const struck = new Int32Array(fault.state)
  let left = fault.count
  return runs.map(
    (run): KernelRun =>
      (...args) => {
        Atomics.add(struck, BEGUN, 1)
        Atomics.notify(struck, BEGUN)
        const isDue = Atomics.load(struck, READY) === 1 && --left === 0
        if (isDue && Atomics.add(struck, STRUCK, 1) < fault.times) strike(fault)
        run(...args)
      },
  )
}

/** Hooks for the points of the world thread. */
interface Faults {
  beat(): void
  phaseOver(phase: string): void
  store(store: BatchStore): BatchStore
  post(post: (message: ToMain) => void): (message: ToMain) => void
  domains(domains: readonly DomainDef[]): readonly DomainDef[]
}

const UNARMED: Faults = {
  beat: () => {},
  phaseOver: () => {},
  store: (store) => store,
  post: (post) => post,
  domains: (domains) => domains,
}

export function armFaults(fault: Fault | undefined): Faults {
  if (!fault) return UNARMED
  const struck = new Int32Array(fault.state)
  Atomics.store(struck, READY, 0)
  let left = fault.count
  // Recovery runs the same code; a fault belongs to the life after it.
  let isReady = false
  const pass = (here: string): void => {
    if (!isReady || here !== fault.point || --left > 0) return
    if (left < 0 && fault.effect !== 'burn') return
    if (Atomics.add(struck, STRUCK, 1) < fault.times) strike(fault)
  }
  return {
    beat: () => pass('beat'),
    phaseOver: (phase) => pass(phase),
    store: (store) => armStore(store, fault.point, pass),
    post: (post) => (message) => {
      post(message)
      if (message.kind === 'ready') {
        isReady = true
        Atomics.store(struck, READY, 1)
      }
      if (message.kind !== 'batch' || fault.point !== 'in_publish') return
      spin(message.batch.batch % (PUBLISH_MS + 1))
      pass('in_publish')
    },
    domains: (domains) => domains.map((domain) => armDomain(domain, pass)),
  }
}

function strike({ effect, point, burnMs }: Fault): void {
  if (effect === 'burn') {
    const end = performance.now() + burnMs
    while (performance.now() < end);
    return
  }
  if (effect === 'kill') kill(pid, 'SIGKILL')
  // In a thread this ends the thread alone.
  if (effect === 'exit') process.exit(3)
  if (effect === 'throw') throw new Error(`armed fault ${point}`)
  if (effect === 'loop') for (;;);
  const hoard: number[][] = []
  for (;;) hoard.push(new Array<number>(100_000).fill(hoard.length + 0.5))
}

/** Main works meanwhile; this thread does nothing else. */
function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function armStore(store: BatchStore, point: string, pass: (point: string) => void): BatchStore {
  return {
    ...store,
    async commit(row, writes) {
      pass('before_commit')
      const committing = store.commit(row, writes)
      committing.catch(() => {})
      // Another moment for each batch: not sent yet, sent, written and not answered.
      const turns = point === 'in_commit' ? row.batch % COMMIT_TURNS : 0
      for (let i = 0; i < turns; i++) await turn()
      pass('in_commit')
      const durable = await committing
      pass('after_commit')
      return durable
    },
    async saveSnapshot(image) {
      const saving = store.saveSnapshot(image)
      saving.catch(() => {})
      if (point === 'in_snapshot') await sleep((image.batch * 7) % SNAPSHOT_MS)
      pass('in_snapshot')
      await saving
    },
  }
}

/** The domain with the point inside each command that can run in a batch. */
function armDomain(domain: DomainDef, pass: (point: string) => void): DomainDef {
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
