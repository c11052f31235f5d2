/**
 * Live runs: a server with its own database, and the load in another process, as real players would
 * be. Returns the figures that the load measures.
 */
import { spawn } from 'node:child_process'
import { moduleUrl } from '../core/module-url.ts'
import type { ConnectionOptions } from '../storage/db.ts'
import { withDatabase } from '../test/databases.ts'
import { startNatsServer } from '../test/nats-server.ts'
import { type ChildServer, type Settings, startChild } from '../test/servers.ts'

/** The figures that a load run prints with `--json`. */
export interface LiveFigures {
  readonly players: number
  readonly ticks: number
  readonly queries: number
  readonly results: number
  /** Anything but the game's own refusals: unknown codes, lost connections, missing answers. */
  readonly errors: number
  readonly queryMsP99: number
  readonly resultMsMax: number
  /** From the boundary of a tick until its last frame is handed to the sockets. */
  readonly tickToSocketsMsP99: number
  readonly tickComputeMsP99: number
  readonly publishMsP99: number
  /** The longest time for which publishing blocked the main thread. */
  readonly publishSliceMsMax: number
  /** Event-loop delay of the load process, which is part of all latencies above. */
  readonly ownDelayMsP99: number
}

interface RestartFigures {
  /** From the start of the process until it is ready, after a kill; 0 if not measured. */
  readonly restartMs: number
}

/** Returns the percentage of requests that were answered without errors; refusals are no errors. */
export const soundPct = ({ queries, results, errors }: LiveFigures): number =>
  (100 * (queries + results)) / (queries + results + errors)

interface LiveRun {
  readonly settings: Settings
  /** Fills the schema before the server starts. */
  prepare?(connection: ConnectionOptions): Promise<void>
  /** Arguments of load.js in addition to `--url`. */
  readonly load: readonly string[]
  /** Whether to kill the server after the load and start it again. */
  readonly restarts?: boolean
}

const LOAD = moduleUrl(import.meta.url, './load').pathname
const STOP_MS_MAX = 30_000

/** The server of a live run. */
interface LiveServer {
  /** From the start of the process until it is ready, in milliseconds. */
  readonly readyMs: number
  readonly connection: ConnectionOptions
  /** Returns the log since the last start. */
  log(): string
  /** Kills the server and starts it again; resolves with the milliseconds that the start took. */
  restart(): Promise<number>
}

/** Runs work on a new server, which must also stop cleanly afterwards. */
export async function withServer<T>(
  { settings, prepare }: Pick<LiveRun, 'settings' | 'prepare'>,
  work: (url: string, live: LiveServer) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database) => {
    const schema = database.schema()
    await prepare?.(database.connection(schema))
    const all = {
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: schema,
      LIMITS: 'off',
      LOG_LEVEL: 'info',
      ...settings,
    }
    let server = await startChild(all)
    const restart = async (): Promise<number> => {
      server.process.kill('SIGKILL')
      await server.ended
      server = await startChild(all)
      return server.readyMs
    }
    let result: T
    try {
      const { readyMs } = server
      const connection = database.connection(schema)
      result = await work(server.url, { readyMs, connection, restart, log: () => server.log() })
    } catch (error) {
      server.process.kill('SIGKILL')
      throw error
    }
    await endCleanly(server)
    return result
  })
}

/** Stops a server as an operator would; rejects if it does not exit with 0. */
async function endCleanly({ process, ended, log }: ChildServer): Promise<void> {
  process.kill('SIGTERM')
  const timer = setTimeout(() => process.kill('SIGKILL'), STOP_MS_MAX)
  const how = await ended
  clearTimeout(timer)
  if (how !== 0) throw new Error(`the server ended with ${how}: ${log().slice(-2_000)}`)
}

/** A world of several processes: their addresses, and its database. */
export interface LiveNodes {
  readonly leader: string
  readonly gateways: readonly string[]
  readonly connection: ConnectionOptions
}

/**
 * Runs work on a leader and gateways with their own NATS server and database, like `withServer`.
 */
export async function withNodes<T>(
  { settings, gateways: count }: Pick<LiveRun, 'settings'> & { readonly gateways: number },
  work: (nodes: LiveNodes) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database) => {
    const bus = await startNatsServer()
    const schema = database.schema()
    const all = {
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: schema,
      BUS_URL: bus.url,
      LIMITS: 'off',
      LOG_LEVEL: 'info',
      ...settings,
    }
    const started: ChildServer[] = []
    const start = async (role: string): Promise<ChildServer> => {
      const node = await startChild({ ...all, ROLE: role })
      started.unshift(node)
      return node
    }
    try {
      const leader = await start('world')
      const gateways = await Promise.all(Array.from({ length: count }, () => start('gateway')))
      const result = await work({
        leader: leader.url,
        gateways: gateways.map(({ url }) => url),
        connection: database.connection(schema),
      })
      // The leader was started first, so it is stopped last.
      for (const node of started) await endCleanly(node)
      return result
    } finally {
      for (const { process } of started) process.kill('SIGKILL')
      await bus.close()
    }
  })
}

/** Runs load.js; resolves with its exit code and the last line it printed. */
export function runLoad(
  args: readonly string[],
  shownOn: NodeJS.WriteStream = process.stdout,
): Promise<{ code: number; last: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LOAD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += String(chunk)
      shownOn.write(chunk)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code: code ?? 1, last: text.trimEnd().split('\n').at(-1) ?? '' })
    })
  })
}

/** Runs a complete live run and returns its figures. The output of the load goes to stderr. */
export async function runLive(run: LiveRun): Promise<LiveFigures & RestartFigures> {
  return withServer(run, async (url, { restart }) => {
    const { last } = await runLoad([...run.load, '--json', '--url', url], process.stderr)
    const figures = JSON.parse(last) as LiveFigures
    return { ...figures, restartMs: run.restarts ? await restart() : 0 }
  })
}
