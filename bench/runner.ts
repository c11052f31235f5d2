/** Runs the variants of a benchmark in turns, each in its own process, and makes the ratios. */
import { spawn } from 'node:child_process'
import type { BenchDef, Sample, Size } from './bench.ts'

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export interface BenchReport {
  readonly name: string
  readonly size: Size
  readonly about: string
  readonly rounds: number
  readonly medianMs: Readonly<Record<string, Spread>>
  readonly ratios: Readonly<Record<string, Spread>>
  readonly facts: Readonly<Record<string, number | string>>
  readonly hash: string
}

const CHILD = new URL('./child.js', import.meta.url).pathname
const CHILD_MS_MAX = 300_000

function runChild(args: readonly string[]): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', CHILD, ...args], {
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
      if (code === 0) resolve(JSON.parse(last) as Sample)
      else reject(new Error(`${args.join(' ')} ended with ${code ?? signal}`))
    })
  })
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  return {
    median: sorted[Math.floor(sorted.length / 2)],
    min: sorted[0],
    max: sorted[sorted.length - 1],
  }
}

/** Throws when two runs did not compute the same. */
export async function runBench(def: BenchDef, size: Size, rounds: number): Promise<BenchReport> {
  const perRound: Record<string, number>[] = []
  let facts: Sample['facts']
  let hash: string | undefined
  for (let round = 0; round < rounds; round++) {
    const measured: Record<string, number> = {}
    for (const variant of def.variants) {
      const sample = await runChild([def.name, size, variant])
      if (hash !== undefined && hash !== sample.hash)
        throw new Error(`${def.name}: ${variant} computed ${sample.hash}, another run ${hash}`)
      hash = sample.hash
      facts = sample.facts
      Object.assign(measured, sample.medianMs)
    }
    perRound.push(measured)
  }
  const spreads = (read: (measured: Record<string, number>) => number): Spread =>
    spreadOf(perRound.map(read))
  const medianMs = Object.fromEntries(
    Object.keys(perRound[0]).map((name) => [name, spreads((measured) => measured[name])]),
  )
  const ratios = Object.fromEntries(
    Object.entries(def.ratios).map(([label, [over, under]]) => [
      label,
      spreads((measured) => measured[over] / measured[under]),
    ]),
  )
  const { name, about } = def
  return { name, size, about, rounds, medianMs, ratios, facts: facts ?? {}, hash: hash ?? '' }
}

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
const shown = ({ median, min, max }: Spread): string =>
  `${figure(median)} [${figure(min)}..${figure(max)}]`

/** The report as lines. */
export function describeBench(report: BenchReport): string[] {
  const facts = Object.entries(report.facts).map(([name, value]) => `${name} ${value}`)
  return [
    `${report.name} (${report.size}). ${report.about}`,
    ...Object.entries(report.medianMs).map(([name, spread]) => `  ${name}: ${shown(spread)} ms`),
    ...Object.entries(report.ratios).map(([label, spread]) => `  ${label} = ${shown(spread)}`),
    `  ${[`result ${report.hash}`, `${report.rounds} rounds`, ...facts].join(', ')}`,
  ]
}
