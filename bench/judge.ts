/**
 * Figures beside their bounds: plain, and as they apply on this machine. A bound on a time is
 * scaled by the raw loop of the run, as those of benchmarks are (bench/README.md); never below
 * itself.
 */
import { figure } from './report.ts'

export interface Judged {
  readonly figure: string
  readonly value: number
  /** Bounds on `ms` are scaled. */
  readonly unit: string
  readonly atMost?: number
  readonly atLeast?: number
  /** Errors and losses: over is a failure, whether bounds are judged or not. */
  readonly isSound?: true
}

/** Undefined where there is no bound. `scale`: how much slower than the reference this machine is. */
export function holds(
  { value, unit, atMost, atLeast }: Judged,
  scale: number,
): boolean | undefined {
  if (atMost === undefined && atLeast === undefined) return undefined
  const by = unit === 'ms' ? Math.max(1, scale) : 1
  return value <= (atMost ?? Infinity) * by && value >= (atLeast ?? -Infinity)
}

/** Counts are whole. */
const valueText = (value: number, unit: string): string =>
  unit === '' && Number.isFinite(value) ? value.toLocaleString('en-US') : figure(value)

const HEADS = ['figure', 'value', 'bound', 'here', '']

function boundText({ unit, atMost, atLeast }: Judged, scale: number): string {
  const by = unit === 'ms' ? Math.max(1, scale) : 1
  return [
    ...(atLeast === undefined ? [] : [`>= ${valueText(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`<= ${valueText(atMost * by, unit)}`]),
  ].join(', ')
}

const verdict = (row: Judged, scale: number): string => {
  const held = holds(row, scale)
  return held === undefined ? '' : held ? 'ok' : 'OVER'
}

/** The table, as lines. */
export function judgeTable(rows: readonly Judged[], scale: number): string[] {
  const cells = rows.map((row) => [
    row.figure,
    `${valueText(row.value, row.unit)} ${row.unit}`.trim(),
    boundText(row, 1),
    boundText(row, scale),
    verdict(row, scale),
  ])
  const widths = HEADS.map((head, i) => Math.max(head.length, ...cells.map((row) => row[i].length)))
  return [HEADS, ...cells].map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  )
}

/** 1 after any error or loss, and, where bounds are judged, after any figure over its bound. */
export function exitCodeOf(rows: readonly Judged[], scale: number, isJudged: boolean): 0 | 1 {
  const over = rows.filter((row) => holds(row, scale) === false)
  return over.some(({ isSound }) => isJudged || isSound) ? 1 : 0
}
