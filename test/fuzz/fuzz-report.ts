/** The report on a run of the fuzzer. */
import { KINDS } from './attempts.ts'
import type { TwinReport } from './twin.ts'

export interface FuzzReport {
  readonly tried: number
  readonly ticks: number
  readonly players: number
  /** By framing, then kind. */
  readonly counts: ReadonlyMap<string, Map<string, number>>
  readonly codes: ReadonlyMap<string, number>
  readonly accepted: number
  readonly refused: number
  readonly closed: number
  /** Milliseconds from sending to the first answer; what may wait for ticks is left out. */
  readonly latencies: Float64Array
  readonly failures: readonly string[]
  readonly twin: TwinReport
  /** Pairs of a command and a kind of change on all framings: those tried, and all. */
  readonly coverage: { readonly tried: number; readonly all: number }
}

/** Returns the report as lines, with `KINDS` as columns. */
export function describeFuzz(report: FuzzReport): string[] {
  const { tried, ticks, accepted, refused, closed, latencies, coverage, twin, failures } = report
  const latencyAt = (share: number): string => {
    const index = Math.min(latencies.length - 1, Math.floor(latencies.length * share))
    return (latencies[index] ?? 0).toFixed(1)
  }
  const head = ['', ...KINDS].map((name) => name.padStart(10)).join('')
  const lines = [...report.counts].map(([framing, kinds]) =>
    [framing, ...KINDS.map((kind) => String(kinds.get(kind) ?? 0))]
      .map((cell) => cell.padStart(10))
      .join(''),
  )
  const codes = [...report.codes].sort((a, b) => b[1] - a[1]).slice(0, 12)
  return [
    `${tried} tried in ${ticks} ticks: ${accepted} accepted, ${refused} refused, ${closed} closed`,
    head,
    ...lines,
    `B1: ${coverage.tried} of ${coverage.all} pairs of command and change on a framing`,
    `refusals: ${codes.map(([code, count]) => `${code} ${count}`).join(', ')}`,
    `first answer: p50 ${latencyAt(0.5)} ms, p99 ${latencyAt(0.99)} ms, max ${latencyAt(1)} ms`,
    `journal: ${twin.rows} rows, ${twin.inputs} inputs, ${twin.refused} refused in their batch; ` +
      `${twin.compared} hashes equal to both twins`,
    `failures: ${failures.length}`,
    ...failures,
  ]
}
