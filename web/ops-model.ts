/** Computes the figures of the operators' page: the parts of ticks and their quantiles. */
import type { OpsBody } from '../core/public/ops.ts'

export type OpsTick = OpsBody['ticks'][number]

/** Ticks that the chart has room for. */
export const TICKS_SHOWN = 300

/**
 * Returns the names of the parts of a tick, in the order they run: its phases, then its publishing.
 */
export const partsOf = ({ phase_names }: OpsBody): readonly string[] => [
  ...phase_names,
  'journal',
  'finish',
  'to sockets',
]

/** Returns the milliseconds of each part, in the order of `partsOf`. */
export const spansOf = (tick: OpsTick): readonly number[] => [
  ...tick.phases,
  tick.journal_ms,
  tick.finish_ms,
  tick.publish_ms,
]

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

export const totalOf = (tick: OpsTick): number => sum(spansOf(tick))

/** Returns a quantile by nearest rank; 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]
}

export interface PartFigures {
  readonly name: string
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly last: number
}

const figuresOf = (name: string, values: readonly number[]): PartFigures => ({
  name,
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  max: values.length === 0 ? 0 : Math.max(...values),
  last: values.at(-1) ?? 0,
})

export const shownTicks = ({ ticks }: OpsBody): readonly OpsTick[] => ticks.slice(-TICKS_SHOWN)

/** Returns the figures of each part over the shown ticks; the last are those of whole ticks. */
export function anatomyOf(body: OpsBody): readonly PartFigures[] {
  const ticks = shownTicks(body)
  const spans = ticks.map(spansOf)
  const parts = partsOf(body).map((name, part) =>
    figuresOf(
      name,
      spans.map((span) => span[part] ?? 0),
    ),
  )
  return [...parts, figuresOf('whole tick', ticks.map(totalOf))]
}

/** Returns the height of the chart: above the p99, so that outliers do not flatten it. */
export function ceilingOf(totals: readonly number[]): number {
  const top = Math.max(quantile(totals, 0.99) * 1.25, 1)
  const size = 10 ** Math.floor(Math.log10(top))
  return Math.ceil(top / size) * size
}

/** Describes the longest parts of a slow tick. */
export function worstOf(phases: readonly number[], names: readonly string[], count = 3): string {
  return phases
    .map((ms, index) => ({ ms, name: names[index] ?? `phase ${index}` }))
    .sort((a, b) => b.ms - a.ms)
    .filter(({ ms }) => ms > 0)
    .slice(0, count)
    .map(({ ms, name }) => `${name} ${formatMs(ms)}`)
    .join(', ')
}

/** Returns milliseconds with a sensible number of digits: "0.42 ms", "12.3 ms", "1240 ms". */
export function formatMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)}\u202fms`
}

const MIB = 1024 * 1024

export const formatMib = (bytes: number): string =>
  `${(bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0)}\u202fMiB`

/** Describes the chart in one sentence, for readers who cannot see it. */
export function sentenceOf(body: OpsBody): string {
  const ticks = shownTicks(body)
  if (ticks.length === 0) return 'No tick has run yet.'
  const whole = anatomyOf(body).at(-1)
  return [
    `Parts of the last ${ticks.length} ticks, up to tick ${ticks.at(-1)?.tick}:`,
    `half take less than ${formatMs(whole?.p50 ?? 0)},`,
    `99 of 100 less than ${formatMs(whole?.p99 ?? 0)}, the longest ${formatMs(whole?.max ?? 0)}.`,
  ].join(' ')
}

/** Returns the address of the map at a tick. */
export const momentOf = (tick: number): string => `/map?t=${tick}`
