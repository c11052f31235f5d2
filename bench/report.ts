/** Judges the measures and reports them: a table for people, a list for programs. */
import { cpus, loadavg } from 'node:os'
import { type BenchDef, type Line, medianOf } from './bench.ts'
import type { BenchReport, Measured } from './runner.ts'
import { type Scales, scaleOf, type Verdict, verdictOf } from './scale.ts'

/** A line of bench/results.json. */
export interface ResultRow {
  /** benchmark/measure */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Median over the rounds of this measure divided by the one in `against`. */
  readonly ratio: number | null
  readonly against: string | null
  /** The bound as it applies here: that of a time is scaled to the machine. */
  readonly bound: string | null
  readonly holds: Verdict | null
}

/** A row with what is only in the table. */
export interface ShownRow extends ResultRow {
  readonly spread: string
}

const TIME_UNITS = new Set(['ms', 'ns/row', 'rows/s'])
const NS_PER_MS = 1e6
const MS_PER_S = 1e3

/** Formats a number: whole from 100 on, else with three significant digits. */
export const figure = (value: number): string => {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value === 0 ? '0' : value.toPrecision(3)
}

function convert(ms: number, rows: number, unit: string): number {
  if (unit === 'ns/row') return (ms * NS_PER_MS) / rows
  if (unit === 'rows/s') return rows / (ms / MS_PER_S)
  return ms
}

interface Quantity {
  readonly value: number
  readonly unit: string
}

function quantityOf(measured: Measured, line: Line): Quantity {
  const median = medianOf(measured.rounds)
  if (measured.unit !== 'ms') return { value: median, unit: measured.unit }
  const unit = line.unit ?? (measured.rows > 0 ? 'ns/row' : 'ms')
  if (unit !== 'ms' && measured.rows === 0) throw new Error(`${line.of}: ${unit} of unknown rows`)
  return { value: convert(median, measured.rows, unit), unit }
}

/** Returns the factor for a bound: larger on a slower machine, but smaller for rates. */
const boundFactor = (unit: string, scale: number): number => (unit === 'rows/s' ? 1 / scale : scale)

function judge(line: Line, value: number, unit: string, scales: Scales) {
  const { atMost, atLeast } = line
  if (atMost === undefined && atLeast === undefined) return { bound: null, holds: null }
  const scale = TIME_UNITS.has(unit) ? scaleOf(line, scales) : 1
  const factor = boundFactor(unit, scale)
  const [max, min] = [(atMost ?? Infinity) * factor, (atLeast ?? -Infinity) * factor]
  const bound = [
    ...(atLeast === undefined ? [] : [`>= ${figure(min)} ${unit}`]),
    ...(atMost === undefined ? [] : [`<= ${figure(max)} ${unit}`]),
  ].join(', ')
  return { bound, holds: verdictOf(value, [min, max], scale) }
}

/** Returns the rows of a benchmark. Tiny sizes only test correctness, so they are not judged. */
export function resultRows(def: BenchDef, report: BenchReport, scales: Scales): ShownRow[] {
  const { measures, size } = report
  const shown = new Set(def.lines.map(({ of }) => of))
  const rest = Object.keys(measures).filter((name) => !shown.has(name))
  return [...def.lines, ...rest.map((of): Line => ({ of }))].map((line) => {
    const measured = measures[line.of]
    if (!measured) throw new Error(`${def.name} has no measure ${line.of}`)
    const { value, unit } = quantityOf(measured, line)
    const head = { name: `${def.name}/${line.of}`, value, unit }
    const unjudged = size === 'tiny' ? { bound: null, holds: null } : undefined
    if (line.against === undefined) {
      const verdict = unjudged ?? judge(line, value, unit, scales)
      return { ...head, ratio: null, against: null, ...verdict, spread: '' }
    }
    const under = measures[line.against]
    if (!under) throw new Error(`${def.name} has no measure ${line.against}`)
    const ratios = measured.rounds.map((over, round) => over / under.rounds[round])
    const ratio = medianOf(ratios)
    const verdict = unjudged ?? judge(line, ratio, 'x', scales)
    const spread = `[${figure(Math.min(...ratios))}..${figure(Math.max(...ratios))}]`
    return { ...head, ratio, against: line.against, ...verdict, spread }
  })
}

const HEADS = ['', 'value', 'unit', 'ratio', '[of rounds]', 'against', 'bound', 'holds']

/** Formats rows as the lines of a table. */
export function table(rows: readonly ShownRow[]): string[] {
  const yes = (holds: Verdict | null): string =>
    typeof holds === 'boolean' ? (holds ? 'yes' : 'NO') : (holds ?? '')
  const cells = rows.map((row) => [
    row.name,
    figure(row.value),
    row.unit,
    row.ratio === null ? '' : figure(row.ratio),
    row.spread,
    row.against ?? '',
    row.bound ?? '',
    yes(row.holds),
  ])
  const widths = HEADS.map((head, i) => Math.max(head.length, ...cells.map((row) => row[i].length)))
  const isNumber = (i: number): boolean => i === 1 || i === 3
  return [HEADS, ...cells].map((row) =>
    row
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join('  ')
      .trimEnd(),
  )
}

/** Describes the scales of a run in words. */
export const scalesText = ({ cpu, memory }: Scales): string =>
  `processor ${figure(cpu)} x, memory ${figure(memory)} x the time on the reference machine`

/** Describes the facts and the result of a benchmark in one line. */
export function describe(report: BenchReport): string {
  const facts = Object.entries(report.facts).map(([name, value]) => `${name} ${value}`)
  return `${report.name}: ${[...facts, `result ${report.hash}`].join(', ')}`
}

interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly node: string
  /** One-minute load average, which shows what else was running. */
  readonly load: number
}

export function machine(): Machine {
  const cpu = cpus()[0]?.model.trim() ?? 'unknown CPU'
  return { cpu, cores: cpus().length, node: process.version, load: loadavg()[0] }
}
