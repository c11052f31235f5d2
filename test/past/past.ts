/**
 * Tests the time machine on a world of bots. Queries at random past ticks must answer as they did
 * live, forks with the journal's inputs must end with the same hash, and one fork runs ahead with
 * bots of its own. A real server runs the last ticks, with clients on sockets.
 */
import { readFileSync } from 'node:fs'
import type { Client, Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { size } from '../../cli/format.ts'
import { loadConfig } from '../../config.ts'
import { createDice, type Dice } from '../../core/dice.ts'
import { connect, disconnect } from '../../storage/db.ts'
import type { TestDatabase } from '../databases.ts'
import { orrery } from '../e2e/orrery.ts'
import { startTestServer } from '../servers.ts'
import { liveOn, QUERIES, type Recorded } from './living.ts'

interface PastOptions {
  readonly database: TestDatabase
  readonly bots: number
  readonly ticks: number
  readonly seed: number
  /** Number of ticks at which the past is queried. */
  readonly asks: number
  /** Number of forks that replay the journal's inputs. */
  readonly forks: number
  /** Ticks that a fork runs ahead with bots of its own; 0 makes no such fork. */
  readonly ahead: number
  readonly say: (text: string) => void
  readonly onProgress: (tick: number, ticks: number) => void
}

interface PastFound {
  /** Descriptions of whatever differed from the live world. */
  readonly broken: readonly string[]
  /** Time of the slowest `replay --at`, from the start of its process to its end. */
  readonly slowest: Duration
  readonly answers: number
  readonly forks: number
}

/** Ticks of a server at the end of each world. */
const SERVED_TICKS = 12
const CLIENTS = ['Witness One', 'Witness Two'] as const
const TICK_MS = 10_000
const DAY_TICKS = 86_400_000 / TICK_MS
/** A replay of an hour, or a fork with thousands of ticks, on a machine with much else to do. */
const TOOL_MS_MAX = 3_600_000
const FORK_BOTS = 50
const SNAPSHOT_EVERY = '30'
/** Unit of /proc/self/stat. */
const CPU_TICK_MS = 10
/** Index of cutime, which cstime follows, in /proc/self/stat after the name of the process. */
const CHILD_TIMES_AT = 13

const settingsOf = ({ url }: TestDatabase, schema: string): Record<string, string> => ({
  DATABASE_URL: url,
  DATABASE_SCHEMA: schema,
  MAX_ENTITIES: '200000',
  TICK_MS: String(TICK_MS),
  SNAPSHOT_EVERY,
  HASH_EVERY: '60',
  CHECK_EVERY: '60',
})

/** A world that has run, and what is needed to query its past. */
interface Past {
  readonly options: PastOptions
  readonly settings: Readonly<Record<string, string>>
  readonly dice: Dice
  readonly broken: string[]
}

/** Returns the processor time of ended child processes in milliseconds. */
function endedCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  const [userTicks, systemTicks] = fields.slice(CHILD_TIMES_AT, CHILD_TIMES_AT + 2).map(Number)
  return (userTicks + systemTicks) * CPU_TICK_MS
}

interface Duration {
  readonly ms: number
  /** Processor time, which depends less on what else the machine does. */
  readonly cpuMs: number
}

/** Measures the time of work that runs tools one at a time. */
async function timed(work: () => Promise<void>): Promise<Duration> {
  const [sinceMs, sinceCpuMs] = [performance.now(), endedCpuMs()]
  await work()
  return { ms: Math.round(performance.now() - sinceMs), cpuMs: endedCpuMs() - sinceCpuMs }
}

const tookText = ({ ms, cpuMs }: Duration): string => `${ms} ms, ${cpuMs} of them on a processor`

const slower = (a: Duration, b: Duration): Duration => (a.ms >= b.ms ? a : b)

/** Runs a tool in a process of its own; returns its report, or its error. */
async function tool({ settings }: Past, args: readonly string[]): Promise<Params> {
  const ran = await orrery([...args, '--json', '--quiet'], settings, TOOL_MS_MAX)
  if (ran.stdout === '') throw new Error(`${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`)
  return JSON.parse(ran.stdout) as Params
}

/** Runs a tool, and prints what an operator reads. */
async function show(past: Past, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await orrery([...args, '--quiet'], past.settings, TOOL_MS_MAX)
  past.options.say(`\n$ npx orrery ${args.map(brief).join(' ')}\n${stdout}`)
  if (code !== 0) past.broken.push(`${args[0]} ended with ${code}: ${stderr}`)
}

/** Removes the address of the database, which tells a reader nothing. */
const brief = (arg: string): string => arg.replace(/^postgres:.*#/, 'postgres://…#')

/** Runs the last ticks on a server; two clients take turns to act and to ask. */
async function serve({ options, settings }: Past): Promise<Recorded[]> {
  const { database } = options
  const schema = settings.DATABASE_SCHEMA
  const server = await startTestServer(database, { schema, settings })
  const clients: Client[] = []
  const recorded: Recorded[] = []
  try {
    for (const username of CLIENTS) {
      const client = await connectClient(server.url, 'http1')
      clients.push(client)
      const params = { username, empire: 'solarian', registration_code: 'x' }
      const made = await server.play(client, 'register', params)
      if (!made.ok) throw new Error(`a client cannot register: ${made.message}`)
    }
    await server.play(clients[0], 'undock')
    for (let i = 0; i < SERVED_TICKS; i++) {
      const [actor, asker] = i % 2 === 0 ? [0, 1] : [1, 0]
      const done = clients[actor].call(actor === 0 ? 'mine' : 'undock')
      await server.untilPending(1)
      const { tick } = await server.link.step(1)
      await done
      const query = QUERIES[i % QUERIES.length]
      const { ok, result, code, message } = await clients[asker].call(query)
      const answer = ok ? result : `${query} answers ${code}: ${message}`
      recorded.push({ tick, player: CLIENTS[asker], query, answer })
    }
  } finally {
    for (const client of clients) await client.close()
    await server.stop()
  }
  return recorded
}

/** Replays each recorded query and compares the answers; returns the time of the slowest. */
async function askPast(past: Past, recorded: readonly Recorded[]): Promise<Duration> {
  let slowest: Duration = { ms: 0, cpuMs: 0 }
  for (const { tick, player, query, answer } of recorded) {
    const args = ['replay', '--at', String(tick), '--query', query, '--player', player]
    let report: Params = {}
    const took = await timed(async () => {
      report = await tool(past, args)
    })
    slowest = slower(slowest, took)
    const { result, error } = report
    const replayed = JSON.stringify(result ?? String(error).replace(/\.$/, ''))
    const live = JSON.stringify(typeof answer === 'string' ? answer.replace(/\.$/, '') : answer)
    past.options.say(
      `tick ${tick}: ${query} of ${player} ${replayed === live ? 'as live' : 'DIFFERS'} ` +
        `(${tookText(took)})`,
    )
    if (replayed !== live) {
      past.broken.push(`tick ${tick}, ${query}: ${replayed} where it was ${live}`)
    }
  }
  return slowest
}

interface Kept {
  readonly batch: number
  readonly tick: number
  readonly hash: string
  readonly aloneBytes: number
}

/** Prints the storage that a day costs, estimated from these ticks. */
function sayCost({ options }: Past, list: Params): void {
  const { tick, bytes, ...cold } = list.journal as Record<string, number>
  const kept = list.snapshots as Kept[]
  const dayOf = (sum: number): string => size(Math.round((sum / tick) * DAY_TICKS))
  const stored = kept.slice(0, -1).reduce((sum, { aloneBytes }) => sum + aloneBytes, 0)
  options.say(
    `${options.bots} bots: a day of journal ${dayOf(bytes + cold.uncompressedBytes)}, compressed ` +
      `${dayOf(bytes + cold.compressedBytes)}; a snapshot has ` +
      `${size(Math.round(stored / Math.max(1, kept.length - 1)))} of its own`,
  )
}

/** Returns the tick that is farthest from the snapshot before it, so the slowest to replay to. */
function farthestOf(kept: readonly Kept[]): number {
  let [tick, gap] = [kept[0].tick, 0]
  for (const [index, { tick: next }] of kept.slice(0, -1).entries()) {
    const { tick: from } = kept[index + 1]
    if (next - 1 - from > gap) [tick, gap] = [next - 1, next - 1 - from]
  }
  return tick
}

/** Forks at random ticks and replays the journal; each fork must end with the original's hash. */
async function forkToTheEnd(past: Past, { tick: end, hash }: Kept, first: number): Promise<void> {
  const { options, dice } = past
  for (let i = 0; i < options.forks; i++) {
    const tick = first + dice.below(end - first)
    await withFork(past, ['--at', String(tick), '--replay-to', String(end)], async (_, done) => {
      const isSame = done.hash === hash && done.tick === end
      options.say(`fork at tick ${tick}: ends at tick ${end} with ${done.hash}`)
      if (!isSame) past.broken.push(`the fork at ${tick} ends with ${done.hash}, not ${hash}`)
    })
  }
}

/** Makes a fork in a schema of its own, runs work on it and drops the schema. */
async function withFork(
  past: Past,
  args: readonly string[],
  work: (url: string, done: Params) => Promise<void>,
): Promise<void> {
  const { database } = past.options
  const schema = database.schema()
  const to = ['--to', database.url, '--to-schema', schema]
  await work(`${database.url}#${schema}`, await tool(past, ['fork', ...to, ...args]))
  const sql = connect(database.connection('public'), { name: 'past' })
  await sql.unsafe(`drop schema ${schema} cascade`)
  await disconnect(sql)
}

/** Forks and lets bots of the fork's own play on; prints how it compares with the original. */
async function runAhead(past: Past, at: number): Promise<void> {
  const { ahead, say, seed } = past.options
  const own = ['--bots', String(FORK_BOTS), '--ticks', String(ahead), '--seed', String(seed)]
  await withFork(past, ['--at', String(at), ...own], async (url, { tick }) => {
    say(`fork at tick ${at} with ${FORK_BOTS} bots of its own: now at tick ${tick}`)
    if (tick !== at + ahead) past.broken.push(`the fork with bots is at tick ${tick}`)
    await show(past, ['compare', `@${at}`, url])
  })
}

/** Draws distinct ticks, all equally likely. */
function drawTicks(dice: Dice, count: number, last: number): ReadonlySet<number> {
  const ticks = new Set<number>()
  while (ticks.size < Math.min(count, last)) ticks.add(1 + dice.below(last))
  return ticks
}

/** Runs the world, then queries its past and forks it. */
export async function runPast(options: PastOptions): Promise<PastFound> {
  const { database, bots, ticks, seed, asks, say } = options
  const settings = settingsOf(database, database.schema())
  const past: Past = { options, settings, dice: createDice(seed), broken: [] }
  const lived = Math.max(1, ticks - SERVED_TICKS)
  const byClients = Math.min(Math.ceil(asks / 4), SERVED_TICKS)
  const sinceMs = performance.now()
  const note = { note: say, progress: () => {} }
  const recorded = await liveOn(
    { config: loadConfig(settings, []), ...note },
    database.connection(settings.DATABASE_SCHEMA),
    {
      bots,
      seed,
      ticks: lived,
      askAt: drawTicks(past.dice, asks - byClients, lived),
      onProgress: (tick) => options.onProgress(tick, lived),
    },
  )
  const seconds = Math.round((performance.now() - sinceMs) / 1000)
  say(`${bots} bots lived ${lived} ticks in ${seconds} s`)
  const served = asks === 0 ? [] : (await serve(past)).slice(-byClients)
  await show(past, ['snapshot', 'list'])
  const list = await tool(past, ['snapshot', 'list'])
  const kept = list.snapshots as Kept[]
  sayCost(past, list)
  let slowest = await askPast(past, [...recorded, ...served])
  if (asks > 0) {
    const tick = farthestOf(kept)
    const took = await timed(() => show(past, ['replay', '--at', String(tick)]))
    say(`tick ${tick}, the farthest from a snapshot: ${tookText(took)}`)
    slowest = slower(slowest, took)
  }
  await forkToTheEnd(past, kept[0], kept[kept.length - 1].tick)
  if (options.ahead > 0) await runAhead(past, 1 + past.dice.below(lived))
  const answers = recorded.length + served.length
  return { broken: past.broken, slowest, answers, forks: options.forks }
}
