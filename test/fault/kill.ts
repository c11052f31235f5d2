/**
 * kill -9 of the server under load, again and again: at random moments and at named points of a
 * batch's life. `node dist/test/fault/kill.js --count 40 [--players 30] [--seed 1]`.
 */
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { connect, type Params } from '../../bench/clients.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { type ChildServer, EndedEarly, freePort, type Settings, startChild } from '../servers.ts'
import { type Audit, audit } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'

export interface KillOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly players: number
  readonly seed: number
  readonly say?: (text: string) => void
}

export interface Killed extends Audit {
  /** From each kill's restart to ready, milliseconds. */
  readonly readyMs: readonly number[]
}

const TICK_MS = 100
const MAX_ENTITIES = 20_000
const POINTS = ['before_commit', 'in_commit', 'after_commit', 'in_publish', 'in_snapshot', 'beat']
/** A point that is not passed in this time gives way to a kill at once. */
const ARMED_MS_MAX = 6_000
const STOP_MS_MAX = 10_000

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Numbers in 0 … 1, the same for a seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Where the next server is to be killed: every other time at a named point. */
function faultOf(index: number, roll: () => number): string {
  if (index % 2 === 0) return ''
  const point = POINTS[Math.floor(index / 2) % POINTS.length]
  const passes = { in_snapshot: 3, beat: 3_000 }[point] ?? 40
  return `${point}:${1 + Math.floor(roll() * passes)}:kill`
}

/** Undefined: the armed fault struck while it started, which is a kill like any other. */
const startArmed = (settings: Settings): Promise<ChildServer | undefined> =>
  startChild(settings).catch((error: unknown) => {
    if (error instanceof EndedEarly && error.how === 'SIGKILL') return undefined
    throw error
  })

async function endOne(server: ChildServer, crew: Crew, fault: string, roll: () => number) {
  if (fault === '') {
    await crew.everyoneIn()
    await sleep(100 + roll() * 2_000)
    server.process.kill('SIGKILL')
  }
  const timer = setTimeout(() => server.process.kill('SIGKILL'), ARMED_MS_MAX)
  const how = await server.ended
  clearTimeout(timer)
  if (how !== 'SIGKILL') throw new Error(`the server ended with ${how}: ${server.log()}`)
}

/** What a player's last look at the own state says, on a channel that is the same for all. */
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

/** Runs the load through so many kills, then stops cleanly and compares. */
export async function killAgainAndAgain(options: KillOptions): Promise<Killed> {
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
    HASH_EVERY: '1',
    CHECK_EVERY: '1',
    LIMITS: 'off',
    WORKERS: '0',
    ...(fault === '' ? {} : { ORRERY_FAULT: fault }),
  })
  let server = await startArmed(settings(''))
  if (!server) throw new Error('the first start is not armed')
  const crew = startCrew({ url: server.url, players, seed })
  await crew.everyoneIn()
  const readyMs: number[] = []
  for (let i = 0, armed = ''; i < count; i++) {
    const was = armed || 'a random moment'
    if (server) await endOne(server, crew, armed, roll)
    armed = i + 1 < count ? faultOf(i + 1, roll) : ''
    server = await startArmed(settings(armed))
    if (server) readyMs.push(server.readyMs)
    const then = server ? `ready again after ${Math.round(server.readyMs)} ms` : 'the next is dead'
    say(`kill ${i + 1} of ${count} at ${was}: ${then}`)
  }
  if (!server) throw new Error('the last start is not armed')
  await crew.everyoneIn()
  await sleep(500)
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
  return { ...found, readyMs }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '40' },
      players: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [count, players, seed] = [values.count, values.players, values.seed].map(Number)
  const killed = await withDatabase((database) =>
    killAgainAndAgain({ database, count, players, seed, say: console.log }),
  )
  const { readyMs, results, batches, tick, hash, broken } = killed
  console.log(`${count} kills, ready again after at most ${Math.round(Math.max(...readyMs))} ms`)
  console.log(`${results} acknowledged results; ${batches} batches to tick ${tick}, hash ${hash}`)
  for (const promise of broken) console.log(`BROKEN: ${promise}`)
  process.exit(broken.length === 0 && Math.max(...readyMs) <= 10_000 ? 0 : 1)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
