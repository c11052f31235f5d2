/**
 * `npm run cluster`: runs a world of several processes on this machine, with its own NATS server:
 * two processes that may lead, and gateways. A process that ends is started again, as a service
 * manager would do, so that one can kill the leader and watch the takeover. Ctrl-C ends everything.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { newTool, refuseLine, wholeFrom } from '../cli/command-line.ts'
import { SETTINGS } from '../config.ts'
import { embeddedDatabase, type TestDatabase } from '../test/databases.ts'
import { findNatsServer, NO_NATS_SERVER, startNatsServer } from '../test/nats-server.ts'
import { type ChildServer, freePort, type Settings, startChild } from '../test/servers.ts'

const RESTART_MS = 1_000
const STOP_MS_MAX = 30_000
/** Settings that are set here and not taken from the environment. */
const OWN = ['ROLE', 'STANDBY', 'PORT', 'BUS_URL', 'BUS_URL_FILE', 'DATA_DIR']

interface Flags {
  readonly gateways: number
  readonly standbys: number
  readonly port: number
}

const tool = newTool(
  'npm run cluster --',
  'Runs a world of several processes on this machine, with its own NATS server.',
)
  .option('--gateways <n>', 'processes that players connect to', wholeFrom(1), 2)
  .option('--standbys <n>', 'processes that may lead, besides the one that does', wholeFrom(0), 1)
  .option('--port <n>', 'port of the first gateway; the others follow', wholeFrom(1), 8080)
  .addHelpText(
    'after',
    `
The world is kept only if DATABASE_URL is set; otherwise it is in a temporary database.
Settings in the environment (TICK_MS, LIMITS ...) apply to all processes. A process that ends is
started again after ${RESTART_MS / 1000} s. Ctrl-C ends all of them.`,
  )
  .parse()
const { gateways, standbys, port } = tool.opts<Flags>()
if (!findNatsServer()) refuseLine(tool, NO_NATS_SERVER)

/** The settings of the server in the environment. */
const given: Settings = Object.fromEntries(
  SETTINGS.flatMap(({ name }) => {
    const value = process.env[name]
    return value === undefined || OWN.includes(name) ? [] : [[name, value]]
  }),
)

let isEnding = false
const running = new Set<ChildServer>()
const starting = new Set<Promise<unknown>>()

/** Keeps a process running until all are to end; resolves once it is ready. */
async function keep(name: string, settings: Settings): Promise<void> {
  const start = startChild(settings).then((server) => {
    running.add(server)
    return server
  })
  starting.add(start)
  const server = await start.finally(() => starting.delete(start))
  console.log(`${name.padEnd(12)} ${server.url}  pid ${server.process.pid}`)
  void server.ended.then(async (how) => {
    running.delete(server)
    if (isEnding) return
    console.log(`${name} ended with ${how}: ${server.log().trimEnd().split('\n').at(-1)}`)
    await sleep(RESTART_MS)
    if (!isEnding) await keep(name, settings).catch(fail)
  })
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error))
  void end(1)
}

async function endAll(): Promise<boolean> {
  isEnding = true
  // Processes that are still starting are ended once they have started.
  await Promise.allSettled(starting)
  const ends = [...running].map(async ({ process, ended }) => {
    process.kill('SIGTERM')
    const timer = setTimeout(() => process.kill('SIGKILL'), STOP_MS_MAX)
    const how = await ended
    clearTimeout(timer)
    return how === 0
  })
  return (await Promise.all(ends)).every(Boolean)
}

let database: TestDatabase | undefined
let bus: Awaited<ReturnType<typeof startNatsServer>> | undefined

async function end(code: number): Promise<void> {
  if (isEnding) return
  const isClean = await endAll()
  await bus?.close()
  await database?.close()
  console.log(isClean ? 'All processes have ended.' : 'A process did not end cleanly.')
  process.exit(isClean ? code : 1)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))

try {
  bus = await startNatsServer()
  if (!given.DATABASE_URL && !given.DATABASE_URL_FILE) database = await embeddedDatabase()
  const shared: Settings = {
    ...given,
    ...(database && { DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema() }),
    BUS_URL: bus.url,
  }
  for (let i = 0; i <= standbys; i++) {
    await keep(`standby ${i + 1}`, { ...shared, ROLE: 'standby', PORT: String(await freePort()) })
  }
  for (let i = 0; i < gateways; i++) {
    const own = { ROLE: 'gateway', STANDBY: process.env.STANDBY ?? 'off', PORT: String(port + i) }
    await keep(`gateway ${i + 1}`, { ...shared, ...own })
  }
  const { DATABASE_URL, DATABASE_SCHEMA } = shared
  console.log(`
The first standby leads. To see which process leads, and to have it hand over:
  export BUS_URL=${bus.url} DATABASE_URL=${DATABASE_URL}${DATABASE_SCHEMA ? ` DATABASE_SCHEMA=${DATABASE_SCHEMA}` : ''}
  npx orrery cluster
  npx orrery cluster step-down`)
} catch (error) {
  fail(error)
}
