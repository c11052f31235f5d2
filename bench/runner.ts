/** Runs the variants of a benchmark in turns, each in its own process. */
import { spawn } from 'node:child_process'
import { moduleUrl } from '../core/module-url.ts'
import type { Amount, BenchDef, Sample, Size } from './bench.ts'

/** What a benchmark measured over all rounds, by name of the measure: one value per round. */
export interface BenchReport {
  readonly name: string
  readonly size: Size
  readonly about: string
  readonly measures: Readonly<Record<string, Measured>>
  readonly facts: Readonly<Record<string, number | string>>
  readonly hash: string
}

export interface Measured {
  readonly unit: string
  /** Rows that a time covers; 0 if unknown. */
  readonly rows: number
  /** The value of each round. */
  readonly rounds: number[]
}

/** Runs one variant, in this process or another. */
export type Sampler = (def: BenchDef, size: Size, variant: string) => Promise<Sample>

const CHILD = moduleUrl(import.meta.url, './child').pathname
/** Enough for the longest benchmark on a busy machine. */
const CHILD_MS_MAX = 600_000

/** Runs child.js; returns the JSON in its last line. `nodeFlags` are for a profiler, say. */
export function runChild<T>(
  args: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', ...nodeFlags, CHILD, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: CHILD_MS_MAX,
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += String(chunk)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const last = text.trimEnd().split('\n').at(-1) ?? ''
      if (code === 0) resolve(JSON.parse(last) as T)
      else reject(new Error(`${args.join(' ')} ended with ${code ?? signal}`))
    })
  })
}

export const inOwnProcess: Sampler = (def, size, variant) => runChild([def.name, size, variant])

/** Returns a sampler with V8's profiler on: one folder per variant, one profile per thread. */
export const profiledIn =
  (folder: string): Sampler =>
  (def, size, variant) => {
    const into = `${folder}/${def.name}-${variant.replaceAll(/[^a-z0-9]+/gi, '-')}`
    return runChild([def.name, size, variant], ['--cpu-prof', `--cpu-prof-dir=${into}`])
  }

/** Returns every measure of a sample, with its rows. */
function measuresOf(sample: Sample): [string, Amount & { rows: number }][] {
  const { medianMs, rows = 0, amounts = {} } = sample
  const rowsOf = (name: string): number => (typeof rows === 'number' ? rows : (rows[name] ?? 0))
  return [
    ...Object.entries(medianMs).map(([name, value]): [string, Amount & { rows: number }] => [
      name,
      { value, unit: 'ms', rows: rowsOf(name) },
    ]),
    ...Object.entries(amounts).map(([name, amount]): [string, Amount & { rows: number }] => [
      name,
      { ...amount, rows: 0 },
    ]),
  ]
}

/** Runs all variants in rounds; throws if two runs did not compute the same. */
export async function runBench(
  def: BenchDef,
  size: Size,
  rounds: number,
  sampler: Sampler = inOwnProcess,
): Promise<BenchReport> {
  const measures: Record<string, Measured> = {}
  const facts: Record<string, number | string> = {}
  let hash: string | undefined
  for (let round = 0; round < rounds; round++) {
    for (const variant of def.variants) {
      const sample = await sampler(def, size, variant)
      if (hash !== undefined && hash !== sample.hash)
        throw new Error(`${def.name}: ${variant} computed ${sample.hash}, another run ${hash}`)
      hash = sample.hash
      Object.assign(facts, sample.facts)
      for (const [name, { value, unit, rows }] of measuresOf(sample)) {
        measures[name] ??= { unit, rows, rounds: [] }
        if (measures[name].rounds.length > round)
          throw new Error(`${def.name}: two variants measure ${name}`)
        measures[name].rounds.push(value)
      }
    }
  }
  return { name: def.name, size, about: def.about, measures, facts, hash: hash ?? '' }
}
