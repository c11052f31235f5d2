/**
 * The parallel section: what handing work to kernel threads costs, and from how much work on it
 * pays. It is what the break-evens in core/limits.ts are made of.
 */
import { PARALLEL_AWAKE_BREAK_EVEN_NS, PARALLEL_BREAK_EVEN_NS } from '../core/limits.ts'
import { moduleUrl } from '../core/module-url.ts'
import { createParallel, type ParallelSection } from '../core/parallel.ts'
import type { SystemDef } from '../core/system.ts'
import type { World } from '../core/types.ts'
import { createWorld } from '../core/world.ts'
import { type Amount, type BenchDef, medianOf, type Size } from './bench.ts'
import { Job, spinning } from './spin.ts'

const TICKS = { tiny: 3, full: 60 }
const ROWS_MAX = 8_192
/** Sizes of work tried, in rows of about a microsecond. */
const SIZES = [8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, ROWS_MAX]
/** The kernel threads have gone to sleep between two ticks. */
const REST_MS = 3
const NS_PER_MS = 1e6

interface Bed {
  readonly world: World
  readonly section: ParallelSection
}

async function bedOf(workers: number): Promise<Bed> {
  const world = createWorld({
    players: Job,
    tables: [Job],
    records: [],
    sections: new Map(),
    seed: 1,
    tickMs: 1_000,
    maxEntities: ROWS_MAX,
  })
  const { layout, buffer, kernelColumns: columns } = world
  const threadFile = moduleUrl(import.meta.url, '../kernel-thread').href
  const systems = [spinning(1)]
  const section = await createParallel({
    layout,
    buffer,
    columns,
    systems,
    workers,
    threadFile,
    breakEvenNs: 0,
  })
  return { world, section }
}

const rest = (): Promise<void> => new Promise((done) => setTimeout(done, REST_MS))

function msOf({ world, section }: Bed, system: SystemDef): number {
  const since = performance.now()
  section.run(world, system)
  return performance.now() - since
}

/** A section so long that kernel threads have woken when it ends. */
const WAKING = spinning(ROWS_MAX)

/** Of the first section of a tick, and of one behind a section that woke the kernel threads. */
interface Pair {
  readonly asleep: number
  readonly awake: number
}

async function tickMs({ world, section }: Bed, systems: readonly SystemDef[]): Promise<number> {
  world.tick++
  await rest()
  let ms = 0
  for (const system of systems) ms = msOf({ world, section }, system)
  section.endTick()
  await section.settled()
  return ms
}

/** Returns two ticks: the last section of each counts. */
const pairOf = async (bed: Bed, system: SystemDef): Promise<Pair> => ({
  asleep: await tickMs(bed, [system]),
  awake: await tickMs(bed, [WAKING, system]),
})

const medianPair = (pairs: readonly Pair[]): Pair => ({
  asleep: medianOf(pairs.map(({ asleep }) => asleep)),
  awake: medianOf(pairs.map(({ awake }) => awake)),
})

/**
 * Returns the least work, ms on one thread, from which on sharing is quicker: at two sizes in a
 * row, since one alone may be luck.
 */
function breakEven(alone: readonly number[], shared: readonly number[]): number {
  const isQuicker = (i: number): boolean => shared[i] < alone[i]
  const found = alone.findIndex(
    (_, i) => isQuicker(i) && (i + 1 === alone.length || isQuicker(i + 1)),
  )
  return found < 0 ? Number.POSITIVE_INFINITY : alone[found]
}

/** Medians by size, on one thread and on two, tick by tick in turns. */
async function sweep(size: Size) {
  const [alone, both] = [await bedOf(0), await bedOf(1)]
  const sizes = size === 'tiny' ? SIZES.slice(0, 2) : SIZES
  const one: Pair[] = []
  const two: Pair[] = []
  for (const rows of sizes) {
    const system = spinning(rows)
    const [ones, twos]: [Pair[], Pair[]] = [[], []]
    for (let i = 0; i < TICKS[size]; i++) {
      ones.push(await pairOf(alone, system))
      twos.push(await pairOf(both, system))
    }
    one.push(medianPair(ones))
    two.push(medianPair(twos))
  }
  const { dispatches } = both.section
  await both.section.close()
  return { one, two, ticksADispatch: (2 * sizes.length * TICKS[size]) / dispatches }
}

const ms = (value: number): Amount => ({ value, unit: 'ms' })

export const bench: BenchDef = {
  name: 'parallel',
  about:
    'Sections of 8 to 8,192 rows of about a microsecond: the least of them on a kernel thread that sleeps and on ' +
    'one that a long section woke, and from how much work on two threads are quicker than one.',
  rounds: 3,
  variants: ['all'],
  lines: [
    { of: 'break-even, threads asleep', atMost: PARALLEL_BREAK_EVEN_NS / NS_PER_MS },
    { of: 'break-even, threads awake', atMost: PARALLEL_AWAKE_BREAK_EVEN_NS / NS_PER_MS },
    { of: 'dispatches a tick', atMost: 1 },
    { of: 'largest, one thread', against: 'largest, two threads' },
  ],
  async run(size) {
    const { one, two, ticksADispatch } = await sweep(size)
    const [least, last] = [0, one.length - 1]
    const even = (of: keyof Pair): number =>
      breakEven(
        one.map((pair) => pair[of]),
        two.map((pair) => pair[of]),
      )
    // Where sharing never pays it is more than the largest work tried.
    const known = (value: number): number => Math.min(value, one[last].awake * 2)
    return {
      medianMs: { 'largest, one thread': one[last].awake, 'largest, two threads': two[last].awake },
      amounts: {
        'least section, threads asleep': ms(two[least].asleep),
        'least section, threads awake': ms(two[least].awake),
        'break-even, threads asleep': ms(known(even('asleep'))),
        'break-even, threads awake': ms(known(even('awake'))),
        'dispatches a tick': { value: 1 / ticksADispatch, unit: 'dispatches' },
      },
      facts: {
        'one thread ms': one.map(({ asleep }) => asleep.toFixed(3)).join(' '),
        'asleep ms': two.map(({ asleep }) => asleep.toFixed(3)).join(' '),
        'awake ms': two.map(({ awake }) => awake.toFixed(3)).join(' '),
      },
      hash: 'sections',
    }
  },
}
