/**
 * kill -9 of the server under load, again and again: at random moments and at named points of a
 * batch's life. Worlds of their own side by side, since a start is what a kill costs.
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
  /** Of the first start, with a new world, from spawn to ready. */
  readonly firstMs: number
  /** From each kill's restart to ready, milliseconds. */
  readonly readyMs: readonly number[]
  /** Named points that were not passed in time, and gave way to a kill at once. */
  readonly missed: readonly string[]
}

const TICK_MS = 100
const MAX_ENTITIES = 20_000
/** Passings of each point among which one is drawn: about a second of work. */
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
/** A point that is not passed in this time gives way to a kill at once. */
const ARMED_MS_MAX = 30_000
const RANDOM_MS = 800
const STOP_MS_MAX = 60_000
/** Results that the crew is given time to come by. */
const RESULTS_MIN = 60
const WORK_MS_MAX = 60_000
/** RELIABILITY 5, F1 and L7; judged on a machine that has nothing else to do. */
const READY_MS_MAX = 10_000

/** Chooses where to kill a server: every fourth time at a random moment, else at a named point. */
function faultOf(index: number, roll: () => number): string {
  if (index % 4 === 0) return ''
  const points = Object.entries(POINTS)
  const [point, passes] = points[(index - Math.ceil(index / 4)) % points.length]
  return `${point}:${1 + Math.floor(roll() * passes)}:kill`
}

/**
 * Starts a server with a fault armed; undefined if the fault struck during the start, which counts.
 */
const startArmed = (settings: Settings): Promise<ChildServer | undefined> =>
  startChild(settings).catch((error: unknown) => {
    if (error instanceof EndedEarly && error.how === 'SIGKILL') return undefined
    throw error
  })

/** Resolves once the server is dead; false when its armed fault did not come in time. */
async function endOne(
  server: ChildServer,
  crew: Crew,
  fault: string,
  roll: () => number,
): Promise<boolean> {
  let isMissed = false
  if (fault === '') {
    await crew.everyoneIn()
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

/** Reads each player's own state, on a channel that is the same for all. */
export async function lookAt(url: string, crew: Crew): Promise<Map<string, Params>> {
  const shown = new Map<string, Params>()
  for (const { name, password } of crew.members) {
    const client = await connect(url, 'ws1')
    await client.call('login', { username: name, password })
    const status = await client.call('get_status')
    if (status.ok) shown.set(name, status.result)
    await client.close()
  }
  return shown
}

/** Runs the load through the given number of kills, then stops cleanly and compares. */
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
  if (!server) throw new Error('the first start is not armed')
  const firstMs = server.readyMs
  const crew = startCrew({ url: server.url, players, seed })
  await crew.everyoneIn()
  const readyMs: number[] = []
  const missed: string[] = []
  for (let i = 0, armed = ''; i < count; i++) {
    const was = armed || 'a random moment'
    if (server && !(await endOne(server, crew, armed, roll))) missed.push(was)
    armed = i + 1 < count ? faultOf(i + 1, roll) : ''
    server = await startArmed(settings(armed))
    if (server) readyMs.push(server.readyMs)
    const then = server ? `ready again after ${Math.round(server.readyMs)} ms` : 'the next is dead'
    say(`kill ${i + 1} of ${count} at ${was}: ${then}`)
  }
  if (!server) throw new Error('the last start is not armed')
  await crew.everyoneIn()
  await sleep(500)
  // On a slow machine a few kills leave little to compare.
  const endMs = performance.now() + WORK_MS_MAX
  while (resultsOf(crew) < RESULTS_MIN && performance.now() < endMs) await sleep(100)
  await crew.rest()
  const shown = await lookAt(server.url, crew)
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

/** Shares the kills among worlds that run side by side on one database. */
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

/** Returns the result of all lanes, as a line and as broken promises. */
export function verdictOf(lanes: readonly Killed[]): Verdict {
  const readyMs = lanes.flatMap((lane) => lane.readyMs)
  const sum = (of: (lane: Killed) => number): number =>
    lanes.reduce((total, lane) => total + of(lane), 0)
  const [first, slowest] = [lanes.map(({ firstMs }) => firstMs), readyMs].map((times) =>
    Math.round(Math.max(...times)),
  )
  return {
    summary:
      `${readyMs.length} restarts after kill -9: first start ${first} ms, recovery at most ` +
      `${slowest} ms; ${sum(({ results }) => results)} acknowledged results in ` +
      `${sum(({ batches }) => batches)} batches, ` +
      `${sum(({ missed }) => missed.length)} points not met, ` +
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
