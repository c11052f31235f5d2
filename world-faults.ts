/**
 * Faults that a test arms (ORRERY_FAULT, or a hook), and nothing else does: the process or the
 * world thread ends at a named point of a batch's life. Unarmed, this file changes nothing.
 */
import { kill, pid } from 'node:process'
import type { BatchStore, ToMain } from './core/ports.ts'
import type { DomainDef } from './core/registry.ts'

/**
 * `point:count:how` or `point:count:how:times`: at the count-th passing of a point, end this way,
 * so many times in the life of the process (once, if not said). Points: `beat` (inside a batch,
 * between two commands or systems), `before_commit`, `in_commit`, `after_commit`, `in_publish`,
 * `in_snapshot`, or a command's name with `!` before it: while that command runs.
 */
export interface Fault {
  readonly point: string
  readonly count: number
  readonly how: How
  readonly times: number
  /** Shared by the world threads of a process, Int32: [0] how often it has struck. */
  readonly struck: SharedArrayBuffer
}

const HOWS = ['kill', 'exit', 'throw', 'loop', 'heap'] as const
type How = (typeof HOWS)[number]
const POINTS = 'beat|before_commit|in_commit|after_commit|in_publish|in_snapshot|![a-z_:]+'
const FAULT = new RegExp(`^(${POINTS}):(\\d+):([a-z]+)(?::(\\d+))?$`)
/** Small enough to be full before the watchdog sees an endless loop. */
const HEAP_MB = 192

/** Undefined when nothing is armed. Throws when the text is none. */
export function faultOf(text: string | undefined): Fault | undefined {
  if (!text) return undefined
  const [, point, count, how, times] = FAULT.exec(text) ?? []
  if (!HOWS.includes(how as How)) throw new Error(`"${text}" is no fault: point:count:how[:times]`)
  return {
    point,
    count: Number(count),
    how: how as How,
    times: Number(times ?? 1),
    struck: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  }
}

/** What a world thread may use while a fault is armed that fills its heap. */
export const limitsOf = (fault: Fault | undefined) =>
  fault?.how === 'heap' ? { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } } : {}

/** What the armed points are put into. */
export interface Faults {
  beat(): void
  store(store: BatchStore): BatchStore
  post(post: (message: ToMain) => void): (message: ToMain) => void
  domains(domains: readonly DomainDef[]): readonly DomainDef[]
}

const UNARMED: Faults = {
  beat: () => {},
  store: (store) => store,
  post: (post) => post,
  domains: (domains) => domains,
}

export function armFaults(fault: Fault | undefined): Faults {
  if (!fault) return UNARMED
  const struck = new Int32Array(fault.struck)
  let left = fault.count
  // Recovery runs the same code; a fault belongs to the life after it.
  let isReady = false
  const pass = (here: string): void => {
    if (!isReady || here !== fault.point || --left !== 0) return
    if (Atomics.add(struck, 0, 1) < fault.times) strike(fault)
  }
  return {
    beat: () => pass('beat'),
    store: (store) => armStore(store, pass),
    post: (post) => (message) => {
      post(message)
      if (message.kind === 'ready') isReady = true
      if (message.kind === 'batch') pass('in_publish')
    },
    domains: (domains) => domains.map((domain) => armDomain(domain, pass)),
  }
}

function strike({ how, point }: Fault): void {
  if (how === 'kill') kill(pid, 'SIGKILL')
  // In a thread this ends the thread alone.
  if (how === 'exit') process.exit(3)
  if (how === 'throw') throw new Error(`armed fault ${point}`)
  if (how === 'loop') for (;;);
  const hoard: number[][] = []
  for (;;) hoard.push(new Array<number>(100_000).fill(hoard.length + 0.5))
}

function armStore(store: BatchStore, pass: (point: string) => void): BatchStore {
  return {
    ...store,
    async commit(row, writes) {
      pass('before_commit')
      const committing = store.commit(row, writes)
      pass('in_commit')
      const durable = await committing
      pass('after_commit')
      return durable
    },
    async saveSnapshot(image) {
      const saving = store.saveSnapshot(image)
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
