/**
 * Compares figures with their bounds, as stated and as they apply on this machine. A bound on a
 * time is scaled like those of benchmarks (scale.ts), but never lowered.
 */
import { figure } from './report.ts'
import {
  NOT_JUDGED,
  type ScaledBy,
  type Scales,
  scaleOf,
  type Verdict,
  verdictOf,
} from './scale.ts'

export interface Judged extends ScaledBy {
  readonly figure: string
  readonly value: number
  /** Bounds on `ms` are scaled. */
  readonly unit: string
  readonly atMost?: number
  readonly atLeast?: number
  /** Set for errors and losses: exceeding the bound fails the run even if bounds are not judged. */
  readonly isSound?: true
}

/** Returns the factor by which the bounds of a figure are scaled. */
const scaleHere = (row: Judged, scales: Scales): number =>
  row.unit === 'ms' ? Math.max(1, scaleOf(row, scales)) : 1

/** Returns whether a figure is within its bounds; undefined if there are none. */
export function holds(row: Judged, scales: Scales): Verdict | undefined {
  const { value, atMost, atLeast } = row
  if (atMost === undefined && atLeast === undefined) return undefined
  const scale = scaleHere(row, scales)
  return verdictOf(value, [atLeast ?? -Infinity, (atMost ?? Infinity) * scale], scale)
}

/** Formats a value; values without a unit are counts. */
const valueText = (value: number, unit: string): string =>
  unit === '' && Number.isFinite(value) ? value.toLocaleString('en-US') : figure(value)

const HEADS = ['figure', 'value', 'bound', 'here', '']

function boundText({ unit, atMost, atLeast }: Judged, by: number): string {
  return [
    ...(atLeast === undefined ? [] : [`>= ${valueText(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`<= ${valueText(atMost * by, unit)}`]),
  ].join(', ')
}

const verdict = (row: Judged, scales: Scales): string => {
  const held = holds(row, scales)
  if (held === undefined || held === NOT_JUDGED) return held ?? ''
  return held ? 'ok' : 'OVER'
}

/** Returns the table of figures and bounds as lines. */
export function judgeTable(rows: readonly Judged[], scales: Scales): string[] {
  const cells = rows.map((row) => [
    row.figure,
    `${valueText(row.value, row.unit)} ${row.unit}`.trim(),
    boundText(row, 1),
    boundText(row, scaleHere(row, scales)),
    verdict(row, scales),
  ])
  const widths = HEADS.map((head, i) => Math.max(head.length, ...cells.map((row) => row[i].length)))
  return [HEADS, ...cells].map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  )
}

/**
 * Returns 1 for any error or loss and, if bounds are judged, for any figure that exceeds its bound
 * or cannot be judged.
 */
export function exitCodeOf(rows: readonly Judged[], scales: Scales, isJudged: boolean): 0 | 1 {
  const failed = rows.filter((row) => (holds(row, scales) ?? true) !== true)
  return failed.some(({ isSound }) => isJudged || isSound) ? 1 : 0
}
