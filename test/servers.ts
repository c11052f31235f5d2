/**
 * Servers for end-to-end and fault tests: in this process with ticks that the test steps, or as a
 * child process that can be killed. Both are the real server on a real database.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client, Params, Reply } from '../bench/client.ts'
import { loadConfig } from '../config.ts'
import type { NetServer } from '../net/net.ts'
import { type Server, type ServerHooks, startServer } from '../server.ts'
import type { TestDatabase } from './databases.ts'
import { lendThread } from './lent-threads.ts'

export type Settings = Readonly<Record<string, string>>

export interface TestServer extends Server {
  readonly schema: string
  readonly net: NetServer
  /** Sends a command; for a mutation, steps ticks until it is answered. */
  play(client: Client, command: string, params?: Params): Promise<Reply>
  /** Resolves when this number of mutations are acknowledged but not answered. */
  untilPending(count: number): Promise<void>
}

const quietLog = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields: object, text: string) => console.error(text, fields),
}

/** Settings of a small server without limits by address and without a timer for ticks. */
const IN_TEST: Settings = {
  PORT: '0',
  TICKS: 'manual',
  SPECTATOR_DELAY: '0',
  TICK_MS: '1000',
  LIMITS: 'off',
  WORKERS: '0',
  MAX_ENTITIES: '20000',
  // A check costs as much as ten ticks; unit tests and simulations check every tick.
  CHECK_EVERY: '10',
  HASH_EVERY: '10',
}

const POLL_MS = 1
/** Longer than anything takes, except in the case of a bug. */
const PATIENCE_MS = 30_000

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export interface TestServerOptions {
  readonly schema?: string
  readonly settings?: Settings
  readonly hooks?: ServerHooks
  /** Makes a new world of few systems and goods, so that ticks cost little. Needs a lent thread. */
  readonly isSmallMap?: true
}

/** Starts a server in this process. */
export async function startTestServer(
  database: TestDatabase,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const schema = options.schema ?? database.schema()
  const own = { DATABASE_URL: database.url, DATABASE_SCHEMA: schema }
  const config = loadConfig({ ...IN_TEST, ...options.settings, ...own }, [])
  let net: NetServer | undefined
  const { onWorldThread, fault } = options.hooks ?? {}
  // A test that kills the thread or injects faults gets a thread of its own.
  const isLent = !onWorldThread && fault === undefined
  if (options.isSmallMap && !isLent) throw new Error('only lent threads make small maps')
  const server = await startServer(config, {
    log: quietLog,
    ...(isLent ? { startThread: (data) => lendThread(data, options.isSmallMap) } : {}),
    ...options.hooks,
    onNet: (made) => {
      net = made
      options.hooks?.onNet?.(made)
    },
  })
  return {
    ...server,
    schema,
    net: net as NetServer,
    play: (client, command, params) => play(server, client, command, params),
    async untilPending(count) {
      const end = performance.now() + PATIENCE_MS
      while (server.link.pending() !== count) {
        if (performance.now() > end) throw new Error(`not ${count} mutations under way`)
        await sleep(POLL_MS)
      }
    },
  }
}

async function play(
  server: Server,
  client: Client,
  command: string,
  params?: Params,
): Promise<Reply> {
  let reply: Reply | undefined
  const call = client.call(command, params).then((answer) => {
    reply = answer
  })
  const end = performance.now() + PATIENCE_MS
  while (!reply) {
    // Once it is pending, the world holds it; before, it or its refusal is still in transit.
    if (server.link.pending() > 0) await server.link.step(1)
    else await sleep(POLL_MS)
    if (performance.now() > end) throw new Error(`${command} was not answered`)
  }
  await call
  return reply
}

/* ---- a server as a process ---- */

export interface ChildServer {
  readonly url: string
  readonly process: ChildProcess
  /** Time from spawn to ready. */
  readonly readyMs: number
  /** Resolves with code or signal once it has ended. */
  readonly ended: Promise<number | string>
  /** Returns what the server has logged so far. */
  log(): string
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** The folder of the checkout. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const { compiledFile } = await import(join(PROJECT, 'bin/launch.mjs'))
const MAIN: string = compiledFile('main')
/** Flags that `npm start` passes to node. */
const FLAGS = /^exec node (.*) bin\/orrery\.mjs start$/.exec(
  JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).scripts.start,
)?.[1]
/** Flags that also profile the servers of a test run that is profiled. */
const PROFILER = process.execArgv.filter((flag) => flag.startsWith('--cpu-prof'))
const READY_MS_MAX = 180_000
const LOG_CHARACTERS_MAX = 1_000_000

/** Returns the environment of a child, without the tester's own settings. */
const bareEnvironment = (): Record<string, string> => {
  const { PATH = '', HOME = '', TMPDIR, UWS_USE_FALLBACK } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR ? { TMPDIR } : {}),
    ...(UWS_USE_FALLBACK ? { UWS_USE_FALLBACK } : {}),
  }
}

/** Starts the server's process without waiting for it to be ready. */
export function spawnServer(settings: Settings): Omit<ChildServer, 'url' | 'readyMs'> {
  const child = spawn(process.execPath, [...PROFILER, ...(FLAGS?.split(' ') ?? []), MAIN], {
    env: { ...bareEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const keep = (chunk: Buffer): void => {
    log = (log + String(chunk)).slice(-LOG_CHARACTERS_MAX)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'gone'))
  })
  return { process: child, ended, log: () => log }
}

/** Thrown when a child ended before it was ready. */
export class EndedEarly extends Error {
  override name = 'EndedEarly'
  readonly how: number | string

  constructor(how: number | string, log: string) {
    super(`the server ended with ${how}: ${log.slice(-2_000)}`)
    this.how = how
  }
}

/** Starts a server as a child process; resolves when it is ready, rejects if it ends first. */
export async function startChild(settings: Settings): Promise<ChildServer> {
  const since = performance.now()
  const port = settings.PORT ?? String(await freePort())
  const child = spawnServer({ ...settings, PORT: port })
  let isOver = false
  void child.ended.then(() => {
    isOver = true
  })
  while (!child.log().includes('"msg":"ready"')) {
    if (isOver) throw new EndedEarly(await child.ended, child.log())
    if (performance.now() - since > READY_MS_MAX) {
      child.process.kill('SIGKILL')
      throw new Error(`the server is not ready: ${child.log().slice(-2_000)}`)
    }
    await sleep(5)
  }
  const readyMs = performance.now() - since
  return { ...child, url: `http://127.0.0.1:${port}`, readyMs }
}
