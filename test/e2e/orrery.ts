/**
 * Runs the operators' tools as an operator does, with bin/orrery.mjs in a process of its own; or,
 * for the many tests that need no such process, the same program in this one, where most modules
 * are loaded already.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { runProgram } from '../../cli/program.ts'

export interface ToolRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const BIN = new URL('../../../bin/orrery.mjs', import.meta.url).pathname
const RUN_MS_MAX = 60_000
/** Longer than a run: a tool that runs on may have to load a world before it prints anything. */
const OUTPUT_MS_MAX = 180_000

/** Returns the environment of a tool's process, without settings from the developer's shell. */
function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  return { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...settings }
}

/** Starts a tool that keeps running; the result can wait for its output and for its end. */
export function spawnOrrery(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [BIN, ...args], { env: environmentOf(settings) })
  let output = ''
  let wake: () => void = () => {}
  const collect = (chunk: Buffer): void => {
    output += String(chunk)
    wake()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal ?? 'gone')
      wake()
    })
  })
  return {
    process: child,
    ended,
    /** Returns what the tool has printed so far. */
    output: () => output,
    /** Resolves with the output once it matches; rejects if the tool ends or is too slow first. */
    async until(pattern: RegExp): Promise<string> {
      const end = performance.now() + OUTPUT_MS_MAX
      while (!pattern.test(output)) {
        if (child.exitCode !== null || performance.now() > end)
          throw new Error(`the tool printed: ${output}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 1_000)
        })
      }
      return output
    },
  }
}

/** Runs a tool to its end, or ends it after `msMax`. */
export function orrery(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  msMax: number = RUN_MS_MAX,
): Promise<ToolRun> {
  const env = environmentOf(settings)
  const child = spawn(process.execPath, [BIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: msMax,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Catches what is written to a stream; the returned function undoes that and returns the text. */
export function catchWrites(stream: NodeJS.WriteStream): () => string {
  const { write } = stream
  let text = ''
  stream.write = ((chunk: string | Uint8Array) => {
    text += String(chunk)
    return true
  }) as typeof write
  return () => {
    stream.write = write
    return text
  }
}

function changeEnvironment(to: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in to)) delete process.env[name]
  Object.assign(process.env, to)
}

/** Does the same as `orrery` within this process; only one tool may run at a time. */
export async function orreryHere(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<ToolRun> {
  const before = { ...process.env }
  const exitCode = process.exitCode
  const { PATH = '', HOME = '', TMPDIR } = before
  changeEnvironment({ PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...settings })
  const [out, err] = [catchWrites(process.stdout), catchWrites(process.stderr)]
  try {
    const code = await runProgram([process.execPath, BIN, ...args])
    return { code, stdout: out(), stderr: err() }
  } finally {
    out()
    err()
    changeEnvironment(before)
    process.exitCode = exitCode
  }
}

/** Runs programs of `npm run` one after the other in a thread of their own, which loads modules once. */
export function startPrograms() {
  const thread = new Worker(new URL('./programs-thread.js', import.meta.url))
  return {
    async run(file: string, args: readonly string[]): Promise<ToolRun> {
      thread.postMessage({ file, args })
      const [ran] = await once(thread, 'message')
      return ran
    },
    end: () => thread.terminate(),
  }
}
