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
 * `point:count:how` or `point:count:how:times`: at the count-th passing of a point, end this way,
 * so many times in the life of the process (once, if not said). Points: `beat` (inside a batch,
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
  readonly how: How
  readonly times: number
  /** How long `burn` takes, milliseconds. */
  readonly burnMs: number
  /**
   * Shared by the threads of a process, Int32: [0] how often it has struck, [1] 1 once the world
   * has recovered, [2] parts begun on kernel threads.
   */
  readonly struck: SharedArrayBuffer
}

const KERNEL = 'kernel'
const HOWS = ['kill', 'exit', 'throw', 'loop', 'heap', 'burn'] as const
type How = (typeof HOWS)[number]
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

/** Undefined when nothing is armed. Throws when the text is none. */
export function faultOf(text: string | undefined): Fault | undefined {
  if (!text) return undefined
  const [, point, count, how, burnMs, times] = FAULT.exec(text) ?? []
  if (!HOWS.includes(how as How) || (burnMs !== '') !== (how === 'burn'))
    throw new Error(`"${text}" is no fault: point:count:how[:times]`)
  return {
    point,
    count: Number(count),
    how: how as How,
    times: Number(times ?? 1),
    burnMs: Number(burnMs),
    struck: new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT),
  }
}

/** What a world thread may use while a fault is armed that fills its heap. */
export const limitsOf = (fault: Fault | undefined) =>
  fault?.how === 'heap' && fault.point !== KERNEL
    ? { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }
    : {}

/**
 * The parallel section of a world whose kernel threads are to fail: all work is shared, however
 * little it is, and the world thread is in no hurry to do it alone.
 */
export function sectionOf(fault: Fault | undefined): SectionOptions {
  if (fault?.point !== KERNEL) return {}
  const struck = new Int32Array(fault.struck)
  const slow =
    (run: KernelRun): KernelRun =>
    (...args) => {
      if (Atomics.load(struck, READY) === 1)
        Atomics.wait(struck, BEGUN, Atomics.load(struck, BEGUN), LEAVE_MS)
      run(...args)
    }
  const heap = fault.how === 'heap' ? { heapMbMax: KERNEL_HEAP_MB } : {}
  return { breakEvenNs: 0, extra: fault, around: (runs) => runs.map(slow), ...heap }
}

/** The kernels as a kernel thread runs them. */
export function armKernels(fault: Fault | undefined, runs: readonly KernelRun[]) {
  if (!fault) return runs
  const struck = new Int32Array(fault.struck)
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

/** What the armed points are put into. */
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
  const struck = new Int32Array(fault.struck)
  Atomics.store(struck, READY, 0)
  let left = fault.count
  // Recovery runs the same code; a fault belongs to the life after it.
  let isReady = false
  const pass = (here: string): void => {
    if (!isReady || here !== fault.point || --left > 0) return
    if (left < 0 && fault.how !== 'burn') return
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

function strike({ how, point, burnMs }: Fault): void {
  if (how === 'burn') {
    const end = performance.now() + burnMs
    while (performance.now() < end);
    return
  }
  if (how === 'kill') kill(pid, 'SIGKILL')
  // In a thread this ends the thread alone.
  if (how === 'exit') process.exit(3)
  if (how === 'throw') throw new Error(`armed fault ${point}`)
  if (how === 'loop') for (;;);
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
