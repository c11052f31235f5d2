/**
 * Kills the server repeatedly with SIGKILL under load, at random moments and at named points of a
 * batch's life. Several worlds run at the same time, since most of the time is spent on restarts.
 * `node dist/test/fault/kill.js --count 40 [--lanes 2] [--players 12] [--seed 1]`.
 */
import type { Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { type ChildServer, EndedEarly, freePort, type Settings, startChild } from '../servers.ts'
import { type Audit, audit, resultsOf } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'
import { dice, runAsProgram, sleep, type Verdict } from './program.ts'

interface KillOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly players: number
  readonly seed: number
  readonly say?: (text: string) => void
}

interface Killed extends Audit {
  /** Milliseconds of the first start, with a new world, from spawn to ready. */
  readonly firstMs: number
  /** Milliseconds of each restart after a kill. */
  readonly readyMs: readonly number[]
  /** Named points that were not reached in time, so that the server was killed elsewhere. */
  readonly missed: readonly string[]
}

const TICK_MS = 100
const MAX_ENTITIES = 20_000
/** Number of passes of each point among which one is drawn: about a second of work. */
const POINTS = {
  admit: 10,
  in_commit: 15,
  in_publish: 15,
  act: 10,
  in_snapshot: 2,
  after_commit: 15,
  beat: 1_500,
  before_commit: 15,
} as const
/** The server is killed anyway if an armed point is not reached in this time. */
const ARMED_MS_MAX = 30_000
const RANDOM_MS = 800
const STOP_MS_MAX = 60_000
/** Number of results that the crew is given time to get. */
const RESULTS_MIN = 60
const WORK_MS_MAX = 60_000
/** RELIABILITY 5, F1 and L7; judged only on a machine with no other load. */
const READY_MS_MAX = 10_000

/** Returns the kill to arm at a named point; every fourth time '', for a random moment. */
function faultOf(index: number, roll: () => number): string {
  if (index % 4 === 0) return ''
  const points = Object.entries(POINTS)
  const [point, passes] = points[(index - Math.ceil(index / 4)) % points.length]
  return `${point}:${1 + Math.floor(roll() * passes)}:kill`
}

/**
 * Starts a server with a fault armed; undefined if the fault struck during the start, which counts
 * as a kill.
 */
const startArmed = (settings: Settings): Promise<ChildServer | undefined> =>
  startChild(settings).catch((error: unknown) => {
    if (error instanceof EndedEarly && error.how === 'SIGKILL') return undefined
    throw error
  })

/** Resolves once the server is dead; false if its armed fault did not strike in time. */
async function killServer(
  server: ChildServer,
  crew: Crew,
  fault: string,
  roll: () => number,
): Promise<boolean> {
  let isMissed = false
  if (fault === '') {
    await crew.untilLoggedIn()
    await sleep(50 + roll() * RANDOM_MS)
    server.process.kill('SIGKILL')
  }
  const timer = setTimeout(() => {
    isMissed = true
    server.process.kill('SIGKILL')
  }, ARMED_MS_MAX)
  const how = await server.ended
  clearTimeout(timer)
  if (how !== 'SIGKILL') throw new Error(`the server ended with ${how}: ${server.log()}`)
  return !isMissed
}

/** Reads the state of each crew member over WebSocket v1. */
export async function readStates(url: string, crew: Crew): Promise<Map<string, Params>> {
  const states = new Map<string, Params>()
  for (const { name, password } of crew.members) {
    const client = await connect(url, 'ws1')
    await client.call('login', { username: name, password })
    const status = await client.call('get_status')
    if (status.ok) states.set(name, status.result)
    await client.close()
  }
  return states
}

/** Kills a loaded server this number of times, then stops it cleanly and audits the world. */
async function killAgainAndAgain(options: KillOptions): Promise<Killed> {
  const { database, count, players, seed, say = () => {} } = options
  const roll = dice(seed)
  const schema = database.schema()
  const port = await freePort()
  const settings = (fault: string): Settings => ({
    PORT: String(port),
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: schema,
    TICK_MS: String(TICK_MS),
    MAX_ENTITIES: String(MAX_ENTITIES),
    SNAPSHOT_EVERY: '7',
    SNAPSHOT_KEEP: '1000',
    HASH_EVERY: '4',
    CHECK_EVERY: '5',
    LIMITS: 'off',
    WORKERS: '0',
    ...(fault === '' ? {} : { ORRERY_FAULT: fault }),
  })
  let server = await startArmed(settings(''))
  if (!server) throw new Error('the first start, which has no fault armed, was killed')
  const firstMs = server.readyMs
  const crew = startCrew({ url: server.url, players, seed })
  await crew.untilLoggedIn()
  const readyMs: number[] = []
  const missed: string[] = []
  for (let i = 0, armed = ''; i < count; i++) {
    const point = armed || 'a random moment'
    if (server && !(await killServer(server, crew, armed, roll))) missed.push(point)
    armed = i + 1 < count ? faultOf(i + 1, roll) : ''
    server = await startArmed(settings(armed))
    if (server) readyMs.push(server.readyMs)
    const restart = server
      ? `ready again after ${Math.round(server.readyMs)} ms`
      : 'the next start was killed'
    say(`kill ${i + 1} of ${count} at ${point}: ${restart}`)
  }
  if (!server) throw new Error('the last start, which has no fault armed, was killed')
  await crew.untilLoggedIn()
  await sleep(500)
  // On a slow machine there is little to compare after a few kills.
  const endMs = performance.now() + WORK_MS_MAX
  while (resultsOf(crew) < RESULTS_MIN && performance.now() < endMs) await sleep(100)
  await crew.finish()
  const shown = await readStates(server.url, crew)
  server.process.kill('SIGTERM')
  const code = await Promise.race([server.ended, sleep(STOP_MS_MAX).then(() => 'not at all')])
  if (code !== 0) throw new Error(`SIGTERM ended the server with ${code}: ${server.log()}`)
  const found = await audit({
    database,
    schema,
    crew,
    tickMs: TICK_MS,
    maxEntities: MAX_ENTITIES,
    shown,
  })
  return { ...found, firstMs, readyMs, missed }
}

type LanesOptions = KillOptions & { readonly lanes: number }

/** Shares the kills among worlds that run at the same time on one database. */
export function killInLanes({ lanes, ...options }: LanesOptions): Promise<Killed[]> {
  const { count, seed, say = () => {} } = options
  return Promise.all(
    Array.from({ length: Math.min(lanes, count) }, (_, lane) =>
      killAgainAndAgain({
        ...options,
        count: Math.floor((count + lane) / Math.min(lanes, count)),
        seed: seed * 100 + lane,
        say: (text) => say(`lane ${lane + 1}, ${text}`),
      }),
    ),
  )
}

/** Sums up the results of all lanes. */
export function verdictOf(lanes: readonly Killed[]): Verdict {
  const readyMs = lanes.flatMap((lane) => lane.readyMs)
  const sum = (count: (lane: Killed) => number): number =>
    lanes.reduce((total, lane) => total + count(lane), 0)
  const first = Math.round(Math.max(...lanes.map(({ firstMs }) => firstMs)))
  const slowest = Math.round(Math.max(...readyMs))
  return {
    summary:
      `${readyMs.length} restarts after kill -9: first start ${first} ms, recovery at most ` +
      `${slowest} ms; ${sum(({ results }) => results)} acknowledged results in ` +
      `${sum(({ batches }) => batches)} batches, ` +
      `${sum(({ missed }) => missed.length)} points not reached, ` +
      `hashes ${lanes.map(({ hash }) => hash).join(' ')}`,
    broken: lanes.flatMap(({ broken }) => broken),
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Kills the server under load, at random moments and at named points of a batch.',
    defaults: { count: 40, seed: 1, lanes: 2, players: 12 },
  },
  async ({ count, seed, lanes, players }) => {
    const killed = await withDatabase((database) =>
      killInLanes({ database, count, lanes, players, seed, say: console.log }),
    )
    const { summary, broken } = verdictOf(killed)
    const slow = killed
      .flatMap(({ readyMs }) => readyMs)
      .filter((ms) => ms > READY_MS_MAX)
      .map((ms) => `ready only after ${Math.round(ms)} ms`)
    return { summary, broken: [...broken, ...slow] }
  },
)
