/**
 * The world thread and kernel threads ended under load, in each of the ways they can die: ended
 * from outside, an exit, a throw, an endless loop, a full heap. Sockets stay open, everyone gets
 * the one answer, and after three strikes the world does without kernel threads.
 * `node dist/test/fault/world-thread.js --count 50`.
 */
import type { Worker } from 'node:worker_threads'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { type Audit, audit } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'
import { lookAt } from './kill.ts'
import { dice, listen, runAsProgram, sleep, until, type Verdict } from './program.ts'

/** Where in a batch's life. The watchdog looks for endless loops while commands and systems run. */
const POINTS = ['beat', 'before_commit', 'in_commit', 'after_commit', 'in_publish'] as const
type Point = (typeof POINTS)[number] | 'kernel'
const WAYS = ['exit', 'throw', 'loop', 'heap', 'terminate'] as const
type Way = (typeof WAYS)[number]
/** What strikes at a point; each server of a world begins with a `terminate` as well. */
const STRIKING = ['exit', 'throw', 'loop', 'heap'] as const

/** One end. The point says nothing to `terminate`, which comes when it comes. */
interface Strike {
  readonly way: Way
  readonly point: Point
}

interface EndOptions {
  readonly database: TestDatabase
  /** One world thread after the other, each ended its way. */
  readonly strikes: readonly Strike[]
  readonly players: number
  readonly seed: number
  readonly workers?: number
}

interface Ended extends Audit {
  /** From each end of the world thread until a mutation can run again, milliseconds. */
  readonly downMs: readonly number[]
  readonly ends: number
  readonly kernels: { readonly ends: number; readonly isOff: boolean }
  /** Log lines about the ends. */
  readonly reasons: readonly string[]
}

const TICK_MS = 100
const HASH_EVERY = 5
const MAX_ENTITIES = 20_000
/** Passings of a point before it strikes: a few ticks of work at least. */
const PASSES: Readonly<Record<string, readonly [number, number]>> = {
  beat: [500, 1_000],
  kernel: [30, 30],
}
const COMMITS = [12, 20] as const
/** Three strikes of a kernel: what the limit is to be. */
const KERNEL_STRIKES = 3
const DOWN_MS_MAX = 10_000
/** Ends that one server lives through. */
const STRIKES_A_SERVER = 20
const REASON: Readonly<Record<Way, RegExp>> = {
  terminate: /exit 1/,
  exit: /exit 3/,
  throw: /armed fault/,
  loop: /no progress for 2000 ms/,
  heap: /out of memory|memory limit/i,
}
const KERNEL_REASON = /KernelThreadError/

const ARMING: Strike = { way: 'terminate', point: 'beat' }

const faultOf = ({ way, point }: Strike, roll: () => number): string | undefined => {
  const [least, more] = PASSES[point] ?? COMMITS
  return way === 'terminate' ? undefined : `${point}:${least + Math.floor(roll() * more)}:${way}`
}

/** Waits for each end, ending the thread itself where that is the way; notes each down time. */
async function endAll(
  server: TestServer,
  strikes: readonly Strike[],
  about: { readonly roll: () => number; readonly worker: () => Worker | undefined },
): Promise<number[]> {
  const downMs: number[] = []
  for (const [i, { way, point }] of strikes.entries()) {
    if (way === 'terminate') {
      await sleep(200 + about.roll() * 1_000)
      void about.worker()?.terminate()
    }
    await until(`end ${i + 1}, ${way} at ${point}`, () => server.link.ends() > i)
    const since = performance.now()
    await until('ready again', () => server.link.isUp())
    downMs.push(performance.now() - since)
  }
  return downMs
}

/** Runs the load through the ends, then stops cleanly and compares. */
async function endThreads(options: EndOptions): Promise<Ended> {
  const { database, strikes, players, seed, workers = 0 } = options
  const roll = dice(seed)
  const reasons: string[] = []
  let worker: Worker | undefined
  // A world thread is not ended before everyone is there: it is the first end that arms the others.
  const isKernel = strikes.every(({ point }) => point === 'kernel')
  const all: Strike[] = isKernel ? [...strikes] : [ARMING, ...strikes]
  let isArmed = isKernel
  const left = [...strikes]
  const settings = {
    TICKS: 'timer',
    TICK_MS: String(TICK_MS),
    MAX_ENTITIES: String(MAX_ENTITIES),
    HASH_EVERY: String(HASH_EVERY),
    CHECK_EVERY: String(HASH_EVERY),
    SNAPSHOT_EVERY: '7',
    SNAPSHOT_KEEP: '1000',
    WORKERS: String(workers),
  }
  const server = await startTestServer(database, {
    settings,
    hooks: {
      log: listen(reasons),
      onFatal: (text) => reasons.push(`fatal: ${text}`),
      onWorldThread: (made) => {
        worker = made
      },
      fault: () => {
        const next = isArmed ? left.shift() : undefined
        return next && faultOf(next, roll)
      },
    },
  })
  const crew = startCrew({ url: server.url, players, seed })
  await crew.everyoneIn()
  isArmed = true
  const downMs = await endAll(server, all, { roll, worker: () => worker })
  await sleep(500)
  await crew.rest()
  const [ends, kernels] = [server.link.ends(), server.link.kernels()]
  const shown = await lookAt(server.url, crew)
  await server.stop()
  const found = await audit({
    database,
    schema: server.schema,
    crew,
    tickMs: TICK_MS,
    maxEntities: MAX_ENTITIES,
    shown,
  })
  const broken = [...found.broken, ...unanswered(crew), ...missed(all, reasons, ends)]
  return { ...found, broken, downMs, ends, kernels, reasons }
}

/** Lists players who lost a connection or still wait: neither may happen while only threads end. */
function unanswered(crew: Crew): string[] {
  const open = crew.deeds.filter(({ state }) => state !== 'ok' && state !== 'refused')
  const reconnected = crew.members.filter(({ lives }) => lives > 1)
  return [
    ...crew.dropped.map((what) => `a socket ended: ${what}`),
    ...open.map((deed) => `${deed.player}: ${deed.command} was never answered`),
    ...reconnected.map(({ name, lives }) => `${name} had to connect ${lives} times`),
  ]
}

/** Lists ends that were not the ones requested, or that the log does not report. */
function missed(strikes: readonly Strike[], reasons: readonly string[], ends: number): string[] {
  const broken: string[] = []
  if (ends !== strikes.length) broken.push(`${ends} ends for ${strikes.length} strikes`)
  const complaints = reasons.filter((text) => text.startsWith('world thread ended'))
  for (const [i, { way, point }] of strikes.entries()) {
    const reason = complaints[i] ?? 'nothing'
    const isKnown = point === 'kernel' ? KERNEL_REASON.test(reason) : REASON[way].test(reason)
    if (!isKnown) broken.push(`${way} at ${point}: the log says ${reason}`)
  }
  return broken
}

/**
 * Makes ends of the world thread, `count` each way; those that can be placed go round the points.
 */
const worldStrikes = (count: number): Strike[] =>
  Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    STRIKING.map((way, k) => ({
      way,
      point: way === 'loop' ? 'beat' : POINTS[(i + k) % POINTS.length],
    })),
  )

/** Makes ends of a kernel thread, `count` each way. */
const kernelStrikes = (count: number): Strike[] =>
  Array.from({ length: count }, () =>
    STRIKING.map((way): Strike => ({ way, point: 'kernel' })),
  ).flat()

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  )

interface RunOptions {
  readonly database: TestDatabase
  readonly players: number
  readonly seed: number
}

/** Ends the kernel threads of a server three times: then they are off, and it raises the alarm. */
async function endKernels(options: RunOptions, strikes: readonly Strike[]): Promise<Ended> {
  const ended = await endThreads({ ...options, strikes, workers: 1 })
  const broken = [...ended.broken]
  const { ends, isOff } = ended.kernels
  if (ends !== strikes.length) broken.push(`${ends} ends are put down to kernel threads`)
  if (isOff !== strikes.length >= KERNEL_STRIKES) broken.push(`kernel threads off: ${isOff}`)
  const isTold = ended.reasons.some((text) => text.includes('kernel threads end too often'))
  if (isTold !== isOff) broken.push(`the alarm in the log: ${isTold}`)
  return { ...ended, broken }
}

interface EndedInAll extends Verdict {
  readonly slowestMs: number
  readonly results: number
}

/** Ends the world thread, or kernel threads, `count` times each way. */
export async function endEachWay(
  options: RunOptions,
  count: number,
  who: 'world' | 'kernel',
): Promise<EndedInAll> {
  const isKernel = who === 'kernel'
  const strikes = isKernel ? kernelStrikes(count) : worldStrikes(count)
  const ended: Ended[] = []
  for (const [i, share] of chunks(
    strikes,
    isKernel ? KERNEL_STRIKES : STRIKES_A_SERVER,
  ).entries()) {
    const run = { ...options, seed: options.seed * 1_000 + i }
    ended.push(
      isKernel ? await endKernels(run, share) : await endThreads({ ...run, strikes: share }),
    )
  }
  const slowestMs = Math.max(...ended.flatMap(({ downMs }) => downMs))
  const results = ended.reduce((sum, one) => sum + one.results, 0)
  const summary =
    `${strikes.length} ends of a ${who} thread, ready again after at most ` +
    `${Math.round(slowestMs)} ms, ${results} acknowledged results, hashes as the twins have them`
  return { summary, broken: ended.flatMap((one) => one.broken), slowestMs, results }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Ends world threads and kernel threads under load, `count` times each way.',
    defaults: { count: 10, players: 20, seed: 1 },
  },
  ({ count, players, seed }) =>
    withDatabase(async (database) => {
      const options = { database, players, seed }
      const world = await endEachWay(options, count, 'world')
      const kernel = await endEachWay(options, count, 'kernel')
      const late = [world, kernel].filter(({ slowestMs }) => slowestMs > DOWN_MS_MAX)
      return {
        summary: `${world.summary}; ${kernel.summary}`,
        broken: [...world.broken, ...kernel.broken, ...late.map(({ summary }) => summary)],
      }
    }),
)
