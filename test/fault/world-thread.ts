/**
 * The world thread killed under load, in each of the ways it can die: ended from outside, a throw,
 * an endless loop, a full heap. Sockets stay open, everyone gets the one answer.
 * `node dist/test/fault/world-thread.js --count 10 [--players 20] [--seed 1]`.
 */
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { type Audit, audit } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'
import { dice, lookAt } from './kill.ts'

/** Where in a batch's life. The watchdog looks for endless loops while commands and systems run. */
const POINTS = ['beat', 'before_commit', 'in_commit', 'after_commit', 'in_publish'] as const
type Point = (typeof POINTS)[number]
export const WAYS = ['terminate', 'throw', 'loop', 'heap'] as const
export type Way = (typeof WAYS)[number]

export interface EndOptions {
  readonly database: TestDatabase
  readonly way: Way
  /** Not for `terminate`, which comes when it comes. */
  readonly point?: Point
  readonly count: number
  readonly players: number
  readonly seed: number
}

export interface Ended extends Audit {
  /** From each end of the world thread until a mutation can run again, milliseconds. */
  readonly downMs: readonly number[]
  readonly ends: number
  /** Log lines about the ends. */
  readonly reasons: readonly string[]
}

const TICK_MS = 100
const MAX_ENTITIES = 20_000
/** Passings of a point between two faults: some ten ticks of work. */
const BEATS = 1_500
const COMMITS = 50
const PATIENCE_MS = 60_000
const LOOK_MS = 5

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Lines of the log that tell of an end, as the operator would read them. */
function listen(reasons: string[]) {
  const quiet = (): void => {}
  return {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (_fields: object, text: string) => void reasons.push(text.slice(0, 300)),
  }
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`never ${what}`)
    await sleep(LOOK_MS)
  }
}

/** Waits for so many ends, ending the thread itself where that is the way; notes each down time. */
async function endAgainAndAgain(
  server: TestServer,
  crew: Crew,
  about: { readonly options: EndOptions; readonly worker: () => Worker | undefined },
): Promise<number[]> {
  const { way, count, seed } = about.options
  const roll = dice(seed)
  const downMs: number[] = []
  for (let i = 1; i <= count; i++) {
    await crew.everyoneIn()
    if (way === 'terminate') {
      await sleep(200 + roll() * 1_000)
      void about.worker()?.terminate()
    }
    await until(`end ${i} by ${way}`, () => server.link.ends() >= i)
    const since = performance.now()
    await until('ready again', () => server.link.isUp())
    downMs.push(performance.now() - since)
  }
  return downMs
}

/** Runs the load through so many ends of one kind, then stops cleanly and compares. */
export async function endWorldThread(options: EndOptions): Promise<Ended> {
  const { database, way, point = 'beat', count, players, seed } = options
  const passes = (point === 'beat' ? BEATS : COMMITS) + (seed % 10)
  const reasons: string[] = []
  let worker: Worker | undefined
  const server = await startTestServer(database, {
    settings: {
      TICKS: 'timer',
      TICK_MS: String(TICK_MS),
      MAX_ENTITIES: String(MAX_ENTITIES),
      SNAPSHOT_EVERY: '7',
      SNAPSHOT_KEEP: '1000',
    },
    hooks: {
      log: listen(reasons),
      onFatal: (text) => reasons.push(`fatal: ${text}`),
      onWorldThread: (made) => {
        worker = made
      },
      ...(way === 'terminate' ? {} : { fault: `${point}:${passes}:${way}:${count}` }),
    },
  })
  const crew = startCrew({ url: server.url, players, seed })
  const downMs = await endAgainAndAgain(server, crew, { options, worker: () => worker })
  await sleep(500)
  await crew.rest()
  const ends = server.link.ends()
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
  const broken = [...found.broken, ...unanswered(crew)]
  return { ...found, broken, downMs, ends, reasons }
}

/** Nobody may lose a connection or wait for ever while only the world thread dies. */
function unanswered(crew: Crew): string[] {
  const open = crew.deeds.filter(({ state }) => state !== 'ok' && state !== 'refused')
  const reconnected = crew.members.filter(({ lives }) => lives > 1)
  return [
    ...crew.dropped.map((what) => `a socket ended: ${what}`),
    ...open.map((deed) => `${deed.player}: ${deed.command} was never answered`),
    ...reconnected.map(({ name, lives }) => `${name} had to connect ${lives} times`),
  ]
}

/** So many ends each way, those that can be placed spread over the points. */
function sharesOf(count: number): [Way, Point, number][] {
  return WAYS.flatMap((way) => {
    if (way === 'terminate' || way === 'loop') return [[way, 'beat', count]]
    const each = Math.ceil(count / POINTS.length)
    return POINTS.map((point): [Way, Point, number] => [way, point, each])
  })
}

interface RunOptions {
  readonly count: number
  readonly players: number
  readonly seed: number
}

async function runAll(database: TestDatabase, options: RunOptions): Promise<boolean> {
  const { count, players, seed } = options
  let isGood = true
  for (const [way, point, share] of sharesOf(count)) {
    const ended = await endWorldThread({ database, way, point, count: share, players, seed })
    const slowest = Math.max(...ended.downMs)
    console.log(
      `${way} at ${point}: ${ended.ends} ends, ready again after at most ` +
        `${Math.round(slowest)} ms, ${ended.results} acknowledged results, hash ${ended.hash}`,
    )
    for (const promise of ended.broken) console.log(`BROKEN: ${promise}`)
    isGood &&= ended.broken.length === 0 && ended.ends === share && slowest <= 10_000
  }
  return isGood
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10' },
      players: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [count, players, seed] = [values.count, values.players, values.seed].map(Number)
  const isGood = await withDatabase((database) => runAll(database, { count, players, seed }))
  process.exit(isGood ? 0 : 1)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
