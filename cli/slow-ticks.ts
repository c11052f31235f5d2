/** Reports the slowest ticks of the running server as a table, and what made them slow. */
import type { Config } from '../config.ts'
import { PHASES } from '../core/system.ts'
import { GC_KINDS, type SlowTick, type SlowTicks } from '../core/wire/tick-figures.ts'
import { type Tail, tailOf } from '../engine/tail.ts'
import { count, digits, table, time } from './format.ts'
import { fetchFromServer } from './phases.ts'
import { ToolError } from './tool.ts'

/** Ticks shown by default. */
export const SLOW_TICKS_SHOWN = 20

const COMPUTED = PHASES.slice(0, -1) as readonly Exclude<(typeof PHASES)[number], 'publish'>[]
const ms = (value: number): string => value.toFixed(1)

const sumOf = <N extends string>(names: readonly N[], times: Readonly<Record<N, number>>): number =>
  names.reduce((sum, name) => sum + times[name], 0)

/** Returns the longest phase of a tick, with its time. */
function longestPhase({ partsMs }: SlowTick): string {
  const [first] = [...COMPUTED].sort((a, b) => partsMs[b] - partsMs[a])
  return `${first} ${ms(partsMs[first])}`
}

/** Lists what ran in a tick but does not run in every tick. */
function ranIn({ isHashed, isDayEnd, isStoring, pausesMs, counts }: SlowTick): string {
  const ran = [
    [isDayEnd, 'day close'],
    [pausesMs['snapshot copy'] > 0, 'snapshot'],
    [isStoring, 'storing'],
    [isHashed, 'hash'],
    [counts.fullChecks > 0, count(counts.fullChecks, 'check')],
  ] as const
  return ran.flatMap(([did, name]) => (did ? [name] : [])).join(', ')
}

type Column = readonly [head: string, cell: (tick: SlowTick) => string | number]
const COLUMNS: readonly Column[] = [
  ['tick', ({ tick }) => String(tick)],
  ['at', ({ wallMs }) => time(wallMs)],
  ['ms', ({ totalMs }) => ms(totalMs)],
  ['wait', ({ partsMs }) => ms(partsMs.wait)],
  ['phases', ({ partsMs }) => ms(sumOf(COMPUTED, partsMs))],
  ['longest', longestPhase],
  ['gc', ({ pausesMs }) => ms(sumOf(GC_KINDS, pausesMs))],
  ['snapshot', ({ pausesMs }) => ms(pausesMs['snapshot copy'] + pausesMs['snapshot packing'])],
  ['queries', ({ pausesMs }) => ms(pausesMs.queries)],
  ['unanswered', ({ unansweredMs }) => ms(unansweredMs)],
  ['journal', ({ partsMs }) => ms(partsMs.journal)],
  ['encode', ({ journalMs }) => ms(journalMs.encode)],
  ['queue', ({ journalMs }) => ms(journalMs.queue)],
  ['round trip', ({ journalMs }) => ms(journalMs.roundTrip)],
  ['finish', ({ partsMs }) => ms(partsMs.finish)],
  ['publish', ({ partsMs }) => ms(partsMs.publish)],
  ['main', ({ mainMs }) => ms(mainMs)],
  ['# mutations', ({ counts }) => counts.mutations],
  ['# queries', ({ counts }) => counts.queries],
  ['# events', ({ counts }) => counts.events],
  ['# rows', ({ counts }) => counts.rows],
  ['# battles', ({ gauges }) => gauges.battles ?? ''],
  ['ran', ranIn],
]

/** The columns whose names do not say all, for `--help`. */
export const SLOW_COLUMNS_TEXT = [
  'ms           the whole tick, from its boundary to the sockets',
  'wait         until it began; phases: all of them together; longest: the longest of them',
  'gc           pauses of the garbage collector; snapshot: copying and packing one',
  'queries      commands answered between two slices of the tick',
  'unanswered   the longest time in which nothing was answered, since the tick before',
  'journal      until it was durable: encode, queue and round trip are parts of that',
  'finish       its answers and events; publish: until the sockets had them',
  'main         the work of the main thread to publish it',
  'ran          what does not run in every tick',
]
  .map((line) => `  ${line}`)
  .join('\n')

/** Formats the causes of the slowest hundredth of all ticks. */
function causesText({ ticks, causes }: Tail): string {
  const rows = causes.map(({ cause, ticks: led, ms: took, sharePct }) => {
    return [cause, led, ms(took), `${sharePct.toFixed(1)} %`]
  })
  const head = `the slowest hundredth, ${count(ticks.length, 'tick')}: milliseconds beyond the mean`
  return `${head}\n${table(['cause', 'most of', 'ms', 'share'], rows)}`
}

/** Formats the slowest ticks, at most `shown` of them, and their causes. */
export function slowTicksText(report: SlowTicks, shown: number): string {
  const { ticks, slowest } = report
  if (slowest.length === 0) return 'No tick has run since the world thread started.'
  const rows = slowest.slice(0, shown).map((tick) => COLUMNS.map(([, cell]) => cell(tick)))
  const head = `milliseconds of the slowest of ${digits(ticks)} ticks since the world thread started`
  const heads = COLUMNS.map(([name]) => name)
  return `${head}\n${table(heads, rows)}\n\n${causesText(tailOf(report))}`
}

/** Requests the slowest ticks from the running server; throws ToolError if it does not tell. */
export async function slowTicksReport(config: Config, shown: number) {
  const { page, fault } = await fetchFromServer(config, '/metrics/slow-ticks')
  if (fault !== undefined) {
    throw new ToolError(
      `${fault} Only the running server that leads the world knows its slow ticks.`,
    )
  }
  const report = JSON.parse(page) as SlowTicks
  const slowest = report.slowest.slice(0, shown)
  const data = { ...report, slowest, causes: tailOf(report).causes }
  return { data, text: slowTicksText(report, shown) }
}
