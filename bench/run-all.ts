/** Runs several benchmarks in turn, after the one that scales the bounds. */
import { type BenchDef, medianOf, type Size } from './bench.ts'
import {
  describe,
  machine,
  type ResultRow,
  resultRows,
  type ShownRow,
  scalesText,
  table,
} from './report.ts'
import { type BenchReport, runBench, type Sampler } from './runner.ts'
import { NO_SCALES, NOT_JUDGED, notJudgedText, type Scales, scalesOf } from './scale.ts'
import { bench as triad } from './triad.bench.ts'

interface RunOptions {
  readonly names: readonly string[]
  load(name: string): Promise<BenchDef>
  readonly size: Size
  readonly rounds: number
  readonly sampler?: Sampler
  print(line: string): void
}

interface RunResult {
  readonly rows: readonly ResultRow[]
  /** Names of benchmarks that did not complete. */
  readonly failed: readonly string[]
  readonly reports: readonly (BenchReport & { machine: ReturnType<typeof machine> })[]
}

/**
 * Returns 1 if a benchmark did not complete or, with `check`, if a bound is missed or not judged.
 */
export function exitCodeOf({ rows, failed }: RunResult, check: boolean): 0 | 1 {
  const isKept = rows.every(({ holds }) => holds === null || holds === true)
  return failed.length > 0 || (check && !isKept) ? 1 : 0
}

function scalesOfReport({ measures }: BenchReport): Scales {
  const { mix, 'raw, 120 MB': memory } = measures
  return scalesOf(medianOf(mix.rounds), medianOf(memory.rounds))
}

/** Runs all benchmarks; a failure is reported, and the others still run. */
export async function runAll(options: RunOptions): Promise<RunResult> {
  const { size, rounds, sampler, print } = options
  const since = performance.now()
  const { cpu, cores, node, load } = machine()
  print(`${cores} x ${cpu}, Node ${node}, load ${load.toFixed(2)}`)
  const failed: string[] = []
  const reports: RunResult['reports'][number][] = []
  const shown: ShownRow[] = []
  let scales = NO_SCALES
  for (const name of [triad.name, ...options.names.filter((other) => other !== triad.name)]) {
    try {
      const def = name === triad.name ? triad : await options.load(name)
      const report = await runBench(def, size, Math.min(rounds, def.rounds ?? rounds), sampler)
      if (def === triad && size === 'full') scales = scalesOfReport(report)
      shown.push(...resultRows(def, report, scales))
      reports.push({ ...report, machine: machine() })
      print(describe(report))
    } catch (error) {
      failed.push(name)
      print(`${name} FAILED: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  print('')
  for (const line of table(shown)) print(line)
  const seconds = Math.round((performance.now() - since) / 1000)
  const scaled = `here ${scalesText(scales)}`
  const ran = `${rounds} rounds in ${seconds} s, load now ${machine().load.toFixed(2)}`
  print(size === 'full' ? `\n${ran}; ${scaled}` : `\n${ran}`)
  if (shown.some(({ holds }) => holds === NOT_JUDGED)) print(notJudgedText(scales))
  return { rows: shown.map(({ spread: _, ...row }) => row), failed, reports }
}
