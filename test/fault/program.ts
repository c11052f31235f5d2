/**
 * What the programs of fault tests share: numbers from the command line, patience, figures of a
 * server that runs as a child, and the last line that sums up.
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

/** Longer than anything but a bug needs, on a machine with much else to do. */
const PATIENCE_MS = 240_000
const LOOK_MS = 10

/** Resolves when it is so; rejects when it never is. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`never ${what}`)
    await sleep(LOOK_MS)
  }
}

/** Collects lines of the log that are errors, as an operator would read them. */
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

/** Starts a server in this process on node:http and ws, where asked, not on the native library. */
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

/** What a run has found. */
export interface Verdict {
  /** One line with the figures. */
  readonly summary: string
  /** Broken promises, in words; empty when all hold. */
  readonly broken: readonly string[]
}

type Flags = Readonly<Record<string, number | string>>
type Given<F extends Flags> = { readonly [K in keyof F]: F[K] extends number ? number : string }

interface Program<F extends Flags> {
  /** import.meta.url of the program. */
  readonly module: string
  /** One sentence for --help. */
  readonly about: string
  /** Flags and what they are without a word; numbers are whole. */
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
 * Does the work if `module` is what node was started with: prints what broke and a last line, and
 * exits with 1 if anything did.
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
 * Runs a program of this folder in a process of its own: what else the tester's process does cannot
 * hold up a server in it.
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

/** Returns a source of numbers in 0 … 1 that follow from a seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
