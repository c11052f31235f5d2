/**
 * Shared parts of the fault tests, which also run as programs: flags of the command line, waiting,
 * figures of a server in a child process, and the summary in the last line.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { isLateWrite } from '../../storage/db.ts'
import { request } from '../e2e/wire.ts'
import type { ChildServer } from '../servers.ts'

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms))

/** Longer than anything takes on a busy machine, except in the case of a bug. */
const PATIENCE_MS = 240_000
const POLL_MS = 10

/** Resolves once a condition holds; rejects with "never <what>" if it does not in time. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`never ${what}`)
    await sleep(POLL_MS)
  }
}

/** Returns a log that adds the texts of errors to `lines`. */
export function listen(lines: string[]) {
  const quiet = (): void => {}
  return {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (_fields: object, text: string) => void lines.push(text.slice(0, 300)),
  }
}

/** Returns the value of a figure of /metrics; 0 when it is not there. */
export async function figureOf(url: string, name: string): Promise<number> {
  const { text } = await request(`${url}/metrics`)
  const line = text.split('\n').find((row) => row.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

/** Starts a server in this process, on node:http and ws if `isFallback`, else on the native one. */
export async function startOn<T>(isFallback: boolean, start: () => Promise<T>): Promise<T> {
  const before = process.env.UWS_USE_FALLBACK
  if (isFallback) process.env.UWS_USE_FALLBACK = 'true'
  try {
    return await start()
  } finally {
    if (before === undefined) delete process.env.UWS_USE_FALLBACK
    else process.env.UWS_USE_FALLBACK = before
  }
}

const PAGE_BYTES = 4_096

/** Returns the resident memory of a process in MiB. */
export const residentMb = ({ process }: Pick<ChildServer, 'process'>): number =>
  (Number(readFileSync(`/proc/${process.pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 2 ** 20

export async function endChild({ process, ended }: ChildServer): Promise<string[]> {
  process.kill('SIGTERM')
  const how = await ended
  return how === 0 ? [] : [`the server ended with ${how}`]
}

/** The result of a run. */
export interface Verdict {
  /** One line with the figures. */
  readonly summary: string
  /** Descriptions of broken promises; empty when all hold. */
  readonly broken: readonly string[]
}

type Flags = Readonly<Record<string, number | string>>
type Given<F extends Flags> = { readonly [K in keyof F]: F[K] extends number ? number : string }

interface Program<F extends Flags> {
  /** import.meta.url of the program. */
  readonly module: string
  /** One sentence for --help. */
  readonly about: string
  /** Flags with their default values; numbers are integers. */
  readonly defaults: F
}

/** Returns the flags of the command line. */
function flagsOf<F extends Flags>({ module, about, defaults }: Program<F>): Given<F> {
  const tool = newTool(`node ${fileURLToPath(module)}`, about)
  for (const [name, fallback] of Object.entries(defaults)) {
    if (typeof fallback === 'string') tool.option(`--${name} <text>`, '', fallback)
    else tool.option(`--${name} <n>`, '', wholeFrom(0), fallback)
  }
  return tool.parse().opts<Given<F>>()
}

const BROKEN_SHOWN_MAX = 30

/**
 * Does the work if node was started with `module`: prints broken promises and the summary, and
 * exits with 1 if any promise was broken.
 */
export async function runAsProgram<F extends Flags>(
  program: Program<F>,
  work: (flags: Given<F>) => Promise<Verdict>,
): Promise<void> {
  if (program.module !== pathToFileURL(process.argv[1] ?? '').href) return
  process.on('uncaughtException', (error) => {
    if (isLateWrite(error)) return
    console.error(error)
    process.exit(1)
  })
  const { summary, broken } = await work(flagsOf(program))
  for (const promise of broken.slice(0, BROKEN_SHOWN_MAX)) console.log(`BROKEN: ${promise}`)
  console.log(broken.length === 0 ? summary : `${summary}; ${broken.length} promises broken`)
  process.exit(broken.length === 0 ? 0 : 1)
}

/**
 * Runs a program of this folder in a process of its own, where other tests cannot hold up its
 * server.
 */
export async function runProgram(name: string, ...flags: string[]): Promise<Verdict> {
  const file = new URL(`./${name}.js`, import.meta.url).pathname
  const child = spawn(process.execPath, [file, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const keep = (chunk: Buffer): void => {
    text += String(chunk)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const how = await new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'gone'))
  })
  const summary = text.trimEnd().split('\n').at(-1) ?? ''
  return { summary, broken: how === 0 ? [] : [`${name} ended with ${how}: ${text}`] }
}

/** Returns a generator of numbers from 0 up to 1 that depend only on the seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
