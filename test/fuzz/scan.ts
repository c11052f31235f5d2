/**
 * The scan of a running server: `node dist/test/fuzz/scan.js --count 1000000 --minutes 5`. Sends
 * random requests of all sorts to a server in a process of its own. After each fifth all clients
 * disconnect, and the server's memory is measured after a forced collection: at the end it may be
 * at most 32 MiB above that of the first fifth. ours: over a million requests a leak of some bytes
 * each shows.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { paceOf } from '../../bench/watching.ts'
import { aboveZero, newTool, oneOf, wholeFrom } from '../../cli/command-line.ts'
import { createDice } from '../../core/dice.ts'
import { createRegistry } from '../../core/registry.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { type TestDatabase, testDatabases } from '../databases.ts'
import { asJson, parse } from './driver.ts'
import { createPatience, sleep } from './patience.ts'
import { bytesOf, openPipe } from './pipe.ts'
import { createDraws } from './scan-draws.ts'
import { type Login, runLane, type Scan, type ScanCounts } from './scan-lanes.ts'
import type { FromScanned, ScanMemory } from './scan-server.ts'

interface ScanOptions {
  readonly count: number
  /** The requests are spread over at least this time. */
  readonly seconds: number
  readonly seed: number
  readonly limits: 'on' | 'off'
  /** Addresses that requests come from, by X-Forwarded-For. */
  readonly addresses?: number
  readonly lanes?: number
  readonly players?: number
  /** Wait after the last client has disconnected, so that blocked commands have run. */
  readonly settleMs?: number
  /** What the last mark may be above the first. */
  readonly growthMiB?: number
  readonly onMark?: (mark: ScanMark) => void
}

interface ScanMark {
  readonly sent: number
  readonly seconds: number
  readonly memory: ScanMemory
}

interface ScanReport {
  readonly marks: readonly ScanMark[]
  readonly counts: ScanCounts
  readonly failures: readonly string[]
}

const MARKS = 5
const GROWTH_MIB_MAX = 32
const LANES = 96
/** Few enough that what each may keep in the world is full after the first fifth. */
const PLAYERS = 60
/** Few enough that the tables by address are full after the first fifth. */
const ADDRESSES = 2_000
const READY_MS_MAX = 120_000
const SETTLE_MS = 2_000
const SERVER = new URL('./scan-server.js', import.meta.url).pathname
const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']

interface Scanned {
  readonly child: ChildProcess
  readonly port: number
  memory(): Promise<ScanMemory>
  stop(): Promise<void>
}

/** Starts the server's process; what it logs as an error is a failure. */
async function startScanned(
  database: TestDatabase,
  limits: string,
  failures: string[],
): Promise<Scanned> {
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    PORT: '0',
    LIMITS: limits,
    TRUSTED_PROXIES: '1',
    TICK_MS: '200',
    WORKERS: '0',
    MAX_ENTITIES: '20000',
    SNAPSHOT_EVERY: '200',
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema(),
  }
  const child = spawn(process.execPath, [SERVER], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let isStopping = false
  child.once('exit', (code, signal) => {
    if (!isStopping) failures.push(`the server ended with ${code ?? signal}`)
  })
  const next = async <K extends FromScanned['kind']>(kind: K) => {
    const end = performance.now() + READY_MS_MAX
    while (performance.now() < end && child.exitCode === null) {
      const [message] = (await once(child, 'message')) as [FromScanned]
      if (message.kind === kind) return message as Extract<FromScanned, { kind: K }>
    }
    throw new Error(`the server never sent ${kind}`)
  }
  child.on('message', (message: FromScanned) => {
    if (message.kind === 'error') failures.push(message.text)
  })
  const { port } = await next('ready')
  return {
    child,
    port,
    memory: () => {
      child.send('measure')
      return next('memory')
    },
    async stop() {
      isStopping = true
      child.send('stop')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** Registers the players that the scan logs in as; a fixed number bounds the world's growth. */
async function register(port: number, count: number): Promise<Login[]> {
  const pipe = await openPipe(port)
  const logins: Login[] = []
  for (let i = 0; i < count; i++) {
    const username = `Scan ${i}`
    const params = { username, empire: EMPIRES[i % EMPIRES.length], registration_code: 'x' }
    const headers = { 'x-forwarded-for': `10.9.${i}.1` }
    const message = { path: '/api/v1/register', headers, body: Buffer.from(JSON.stringify(params)) }
    const reply = await pipe.send(bytesOf(message), false)
    const { password } = asJson(parse(reply?.text ?? '')?.result)
    if (typeof password !== 'string') throw new Error(`no player: ${reply?.text.slice(0, 300)}`)
    logins.push({ username, password })
  }
  pipe.drop()
  return logins
}

/** Lets requests through at a steady rate, up to the end of the part that is due. */
function createPace(options: ScanOptions, counts: ScanCounts) {
  const since = performance.now()
  const perMs = options.count / (options.seconds * 1000)
  let until = 0
  const take = async (count: number): Promise<number> => {
    if (counts.sent >= until) return count === 0 ? -1 : 0
    const granted = Math.min(count, until - counts.sent)
    counts.sent += granted
    const earlyMs = counts.sent / perMs - (performance.now() - since)
    if (earlyMs > 1) await sleep(earlyMs)
    return granted
  }
  return {
    take,
    open: (to: number) => {
      until = to
    },
  }
}

/** Runs the scan against a server of its own. */
export async function runScan(database: TestDatabase, options: ScanOptions): Promise<ScanReport> {
  const failures: string[] = []
  const server = await startScanned(database, options.limits, failures)
  const patience = createPatience()
  const counts: ScanCounts = { sent: 0, answered: 0, ended: 0, late: 0, byKind: {} }
  const marks: ScanMark[] = []
  try {
    // Until the first public frame the server rightly refuses what strangers may read.
    await paceOf(`http://127.0.0.1:${server.port}`)
    const players = await register(server.port, options.players ?? PLAYERS)
    const pace = createPace(options, counts)
    const dice = createDice(options.seed)
    const draws = createDraws(dice, createRegistry(DOMAINS), options.addresses ?? ADDRESSES)
    const sessions = { http1: [], http2: [], mcp: [] }
    const { port } = server
    const scan: Scan = {
      port,
      dice,
      draws,
      patience,
      counts,
      failures,
      players,
      sessions,
      take: pace.take,
    }
    const since = performance.now()
    for (let part = 1; part <= MARKS; part++) {
      pace.open(Math.round((options.count * part) / MARKS))
      await Promise.all(Array.from({ length: options.lanes ?? LANES }, () => runLane(scan)))
      await sleep(options.settleMs ?? SETTLE_MS)
      const memory = await server.memory()
      const mark = { sent: counts.sent, seconds: (performance.now() - since) / 1000, memory }
      marks.push(mark)
      options.onMark?.(mark)
    }
    const health = await fetch(`http://127.0.0.1:${port}/health`)
    if (health.status !== 200) failures.push(`/health answers ${health.status}`)
    if (marks[MARKS - 1].memory.worldEnds > 0) failures.push('the world thread ended')
    if (counts.late > counts.answered / 100) failures.push(`${counts.late} requests timed out`)
    failures.push(...grown(marks, options.growthMiB ?? GROWTH_MIB_MAX))
  } finally {
    patience.stop()
    await server.stop()
  }
  return { marks, counts, failures }
}

const heapOf = ({ heap, worldHeap }: ScanMemory): number => heap + worldHeap
const MIB = 2 ** 20

/** Describes each figure that grew by more than it may. */
function grown(marks: readonly ScanMark[], mibMax: number): string[] {
  const [first, last] = [marks[0].memory, marks[marks.length - 1].memory]
  const figures: [string, number][] = [
    ['heap', heapOf(last) - heapOf(first)],
    ['external memory', last.external - first.external],
    ['RSS', last.rss - first.rss],
  ]
  return figures
    .filter(([, bytes]) => bytes > mibMax * MIB)
    .map(([name, bytes]) => `${name} grew by ${(bytes / MIB).toFixed(1)} MiB`)
}

const mib = (bytes: number): string => (bytes / MIB).toFixed(1).padStart(7)

function describeMark({ sent, seconds, memory }: ScanMark): string {
  const { heap, worldHeap, external, arrayBuffers, rss, sessions } = memory
  return (
    `${String(sent).padStart(8)} in ${seconds.toFixed(0).padStart(4)} s: heap${mib(heap)} MiB, ` +
    `world heap${mib(worldHeap)}, external${mib(external)}, array buffers${mib(arrayBuffers)}, ` +
    `RSS${mib(rss)}; ${sessions} sessions`
  )
}

interface ScanFlags {
  readonly count: number
  readonly seed: number
  readonly addresses: number
  readonly minutes: number
  readonly limits: 'on' | 'off'
}

async function main(): Promise<number> {
  const { count, seed, addresses, minutes, limits } = newTool(
    'node dist/test/fuzz/scan.js',
    'Sends random requests of all sorts to a server of its own, and watches its memory.',
  )
    .option('--count <n>', 'requests', wholeFrom(1), 1_000_000)
    .option('--minutes <n>', 'minutes over which they are sent, at least', aboveZero, 5)
    .option('--seed <n>', 'seed of all random draws', wholeFrom(0), 1)
    .option(
      '--limits <on|off>',
      'on lets the limits by address act, off lets more through to what stands behind them',
      oneOf(['on', 'off']),
      'off',
    )
    .option('--addresses <n>', 'addresses that requests come from', wholeFrom(1), ADDRESSES)
    .addHelpText(
      'after',
      `
Exit code 1 when memory after a forced collection is more than 32 MiB above that of the first fifth,
or when anything was left unanswered, ended or logged as an error.`,
    )
    .parse()
    .opts<ScanFlags>()
  const databases = await testDatabases()
  const report = await runScan(databases[databases.length - 1], {
    count,
    seed,
    limits,
    addresses,
    seconds: minutes * 60,
    onMark: (mark) => console.log(describeMark(mark)),
  })
  for (const database of databases) await database.close()
  const { counts, failures, marks } = report
  console.log(
    Object.entries(counts.byKind)
      .map(([kind, times]) => `${kind} ${times}`)
      .join(', '),
  )
  for (const failure of failures) console.log(failure)
  const [first, last] = [marks[0].memory, marks[marks.length - 1].memory]
  console.log(
    `scan: ${counts.sent} requests, limits ${limits}, seed ${seed}: ${counts.answered} answered, ` +
      `${counts.ended} ended, ${counts.late} too slow for the database; heap +${mib(heapOf(last) - heapOf(first)).trim()} MiB, RSS ` +
      `+${mib(last.rss - first.rss).trim()} MiB; failures: ${failures.length}`,
  )
  return failures.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(await main())
