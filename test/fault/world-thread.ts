/**
 * Ends world threads and kernel threads under load in each of the ways they can die: terminated
 * from outside, an exit, a throw, an endless loop, a full heap. Sockets must stay open, every
 * command must get exactly one answer, and after three ends the world must run without kernel
 * threads.
 * `node dist/test/fault/world-thread.js --count 50`.
 */
import type { Worker } from 'node:worker_threads'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { type Audit, audit } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'
import { readStates } from './kill.ts'
import { dice, listen, runAsProgram, sleep, until, type Verdict } from './program.ts'

/** Points of a batch's life. The watchdog detects endless loops only in commands and systems. */
const POINTS = ['beat', 'before_commit', 'in_commit', 'after_commit', 'in_publish'] as const
type Point = (typeof POINTS)[number] | 'kernel'
const WAYS = ['exit', 'throw', 'loop', 'heap', 'terminate'] as const
type Way = (typeof WAYS)[number]
/** Ways that strike at a point; each server whose world thread ends begins with `terminate`. */
const STRIKING = ['exit', 'throw', 'loop', 'heap'] as const

/** An end of a thread. `terminate` strikes at a random moment, whatever the point. */
interface Strike {
  readonly way: Way
  readonly point: Point
}

interface EndOptions {
  readonly database: TestDatabase
  /** Ends of successive threads, in order. */
  readonly strikes: readonly Strike[]
  readonly players: number
  readonly seed: number
  readonly workers?: number
}

interface Ended extends Audit {
  /** Milliseconds from each end of the world thread until a mutation can run again. */
  readonly downMs: readonly number[]
  readonly ends: number
  readonly kernels: { readonly ends: number; readonly isOff: boolean }
  /** Log lines that report the ends. */
  readonly reasons: readonly string[]
}

const TICK_MS = 100
const HASH_EVERY = 5
const MAX_ENTITIES = 20_000
/** Passes of a point before it strikes, minimum and range: a few ticks of work at least. */
const PASSES: Readonly<Record<string, readonly [number, number]>> = {
  beat: [500, 1_000],
  kernel: [30, 30],
}
const COMMITS = [12, 20] as const
/** Ends of kernel threads after which the server must run without them. */
const KERNEL_STRIKES = 3
const DOWN_MS_MAX = 10_000
/** Ends on one server, before the next one is started. */
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
  if (way === 'terminate') return undefined
  const [min, range] = PASSES[point] ?? COMMITS
  return `${point}:${min + Math.floor(roll() * range)}:${way}`
}

/** Waits for each end, and terminates the thread where that is the way; returns the down times. */
async function awaitEnds(
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

/** Ends threads of a loaded server, then stops it cleanly and audits the world. */
async function endThreads(options: EndOptions): Promise<Ended> {
  const { database, strikes, players, seed, workers = 0 } = options
  const roll = dice(seed)
  const reasons: string[] = []
  let worker: Worker | undefined
  // A world thread must not end before everyone is logged in; the first end arms the others.
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
  await crew.untilLoggedIn()
  isArmed = true
  const downMs = await awaitEnds(server, all, { roll, worker: () => worker })
  await sleep(500)
  await crew.finish()
  const [ends, kernels] = [server.link.ends(), server.link.kernels()]
  const shown = await readStates(server.url, crew)
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

/** Lists lost connections and unanswered commands: the end of a thread may cause neither. */
function unanswered(crew: Crew): string[] {
  const open = crew.records.filter(({ state }) => state !== 'ok' && state !== 'refused')
  const reconnected = crew.members.filter(({ connections }) => connections > 1)
  return [
    ...crew.dropped.map((what) => `a socket ended: ${what}`),
    ...open.map((record) => `${record.player}: ${record.command} was never answered`),
    ...reconnected.map(({ name, connections }) => `${name} had to connect ${connections} times`),
  ]
}

/** Lists ends that were not requested, or that the log does not report. */
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
 * Returns `count` ends of the world thread for each way that strikes at a point, spread over the
 * points.
 */
const worldStrikes = (count: number): Strike[] =>
  Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    STRIKING.map((way, k) => ({
      way,
      point: way === 'loop' ? 'beat' : POINTS[(i + k) % POINTS.length],
    })),
  )

/** Returns `count` ends of a kernel thread for each way that strikes at a point. */
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

/** Ends kernel threads of a server; after three ends they must be off, with an alarm in the log. */
async function endKernels(options: RunOptions, strikes: readonly Strike[]): Promise<Ended> {
  const ended = await endThreads({ ...options, strikes, workers: 1 })
  const broken = [...ended.broken]
  const { ends, isOff } = ended.kernels
  if (ends !== strikes.length) broken.push(`${ends} ends are counted for kernel threads`)
  if (isOff !== strikes.length >= KERNEL_STRIKES) broken.push(`kernel threads off: ${isOff}`)
  const isLogged = ended.reasons.some((text) => text.includes('kernel threads end too often'))
  if (isLogged !== isOff) broken.push(`the alarm in the log: ${isLogged}`)
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
  const shares = chunks(strikes, isKernel ? KERNEL_STRIKES : STRIKES_A_SERVER)
  for (const [i, share] of shares.entries()) {
    const run = { ...options, seed: options.seed * 1_000 + i }
    ended.push(
      isKernel ? await endKernels(run, share) : await endThreads({ ...run, strikes: share }),
    )
  }
  const slowestMs = Math.max(...ended.flatMap(({ downMs }) => downMs))
  const results = ended.reduce((sum, run) => sum + run.results, 0)
  const summary =
    `${strikes.length} ends of a ${who} thread, ready again after at most ` +
    `${Math.round(slowestMs)} ms, ${results} acknowledged results, hashes equal to the twins'`
  return { summary, broken: ended.flatMap(({ broken }) => broken), slowestMs, results }
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
