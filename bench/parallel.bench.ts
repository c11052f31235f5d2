/**
 * The parallel section: how long it takes to hand work to kernel threads, and how much work makes
 * that worthwhile. The break-evens in core/limits.ts come from this.
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
/** The sizes of work measured, in rows of about a microsecond. */
const SIZES = [8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, ROWS_MAX]
/** Long enough between two ticks for the kernel threads to go to sleep. */
const REST_MS = 3
const NS_PER_MS = 1e6

interface TestBed {
  readonly world: World
  readonly section: ParallelSection
}

async function testBedOf(workers: number): Promise<TestBed> {
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

function msOf({ world, section }: TestBed, system: SystemDef): number {
  const since = performance.now()
  section.run(world, system)
  return performance.now() - since
}

/** A section long enough to wake the kernel threads. */
const WAKING = spinning(ROWS_MAX)

/** Time of the first section of a tick, and of one after a section that woke the kernel threads. */
interface Pair {
  readonly asleep: number
  readonly awake: number
}

async function tickMs({ world, section }: TestBed, systems: readonly SystemDef[]): Promise<number> {
  world.tick++
  await rest()
  let ms = 0
  for (const system of systems) ms = msOf({ world, section }, system)
  section.endTick()
  await section.settled()
  return ms
}

/** Measures the last section in each of two ticks. */
const pairOf = async (testBed: TestBed, system: SystemDef): Promise<Pair> => ({
  asleep: await tickMs(testBed, [system]),
  awake: await tickMs(testBed, [WAKING, system]),
})

const medianPair = (pairs: readonly Pair[]): Pair => ({
  asleep: medianOf(pairs.map(({ asleep }) => asleep)),
  awake: medianOf(pairs.map(({ awake }) => awake)),
})

/**
 * Returns the smallest work, in ms on one thread, at which two threads are faster: at two sizes in
 * succession, since one may be chance.
 */
function breakEven(alone: readonly number[], shared: readonly number[]): number {
  const isQuicker = (i: number): boolean => shared[i] < alone[i]
  const found = alone.findIndex(
    (_, i) => isQuicker(i) && (i + 1 === alone.length || isQuicker(i + 1)),
  )
  return found < 0 ? Number.POSITIVE_INFINITY : alone[found]
}

/** Measures all sizes on one thread and on two, alternating tick by tick. */
async function sweep(size: Size) {
  const [alone, both] = [await testBedOf(0), await testBedOf(1)]
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
    'Sections of 8 to 8,192 rows of about a microsecond: the smallest with a kernel thread that sleeps and with ' +
    'one that a long section woke, and how much work makes two threads faster than one.',
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
    // If two threads are never faster, the break-even is above the largest work measured.
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
