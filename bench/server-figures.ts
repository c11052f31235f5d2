/** Reads the figures of ticks in /metrics of the server while a load runs. */
import { quantile, sorted, spread } from './figures.ts'

type Values = Record<string, number>

export interface ServerFigures {
  /** Figures of each tick that was seen, by name. */
  readonly ticks: Map<number, Values>
  /** Event-loop delay of the server, p99 between two readings, in ms. */
  readonly loopMs: number[]
  /** The longest time for which its event loop was blocked between two readings, in ms. */
  readonly blockMs: number[]
  rssMiB: number
  /** Resident memory over time, on the monotonic clock of this process. */
  readonly rss: { readonly atMs: number; readonly miB: number }[]
  /** Processor time of main thread, world thread and whole process in s, on the same clock. */
  readonly cpu: {
    readonly atMs: number
    readonly main: number
    readonly world: number
    readonly all: number
  }[]
  /** When a tick was first seen, by number, on the same clock. */
  readonly seenMs: Map<number, number>
  stop(): void
}

/** The series in /metrics for each figure of the last tick; seconds become ms. */
const SERIES: Readonly<Record<string, string>> = {
  tick_late_ms: 'orrery_last_tick_step_seconds{step="wait"}',
  tick_compute_ms: 'orrery_last_tick_step_seconds{step="compute"}',
  journal_ms: 'orrery_last_tick_step_seconds{step="journal"}',
  finish_ms: 'orrery_last_tick_step_seconds{step="finish"}',
  publish_ms: 'orrery_last_tick_step_seconds{step="publish"}',
  tick_to_sockets_ms: 'orrery_last_tick_duration_seconds',
  tick_cost_ms: 'orrery_last_tick_work_seconds',
  finish_slice_ms: 'orrery_last_tick_slice_seconds{thread="world"}',
  unanswered_ms: 'orrery_last_tick_unanswered_seconds',
  publish_slice_ms: 'orrery_last_tick_slice_seconds{thread="main"}',
  tick_stretch: 'orrery_tick_stretch_ratio',
}
const TICK = 'orrery_last_tick'
const CPU = 'orrery_thread_cpu_seconds_total'
const READINGS_PER_TICK = 3
const READING_MS_MAX = 500

/** Parses the text of /metrics; returns the values by name and labels. */
export const seriesOf = (page: string): Map<string, number> =>
  new Map(
    page.split('\n').map((line) => {
      const index = line.lastIndexOf(' ')
      return [line.slice(0, index), Number(line.slice(index + 1))]
    }),
  )

function read(figures: ServerFigures, page: string): void {
  const series = seriesOf(page)
  const tick = series.get(TICK)
  if (!tick) return
  const nowMs = performance.now()
  if (!figures.seenMs.has(tick)) figures.seenMs.set(tick, nowMs)
  const values: Values = {}
  for (const [name, key] of Object.entries(SERIES)) {
    const value = series.get(key)
    if (value !== undefined) values[name] = name.endsWith('_ms') ? value * 1000 : value
  }
  figures.ticks.set(tick, values)
  const single = (name: string): number => series.get(name) ?? 0
  figures.loopMs.push(single('nodejs_eventloop_lag_p99_seconds') * 1000)
  // The monitor includes its own interval, which is the minimum.
  const blockS =
    single('nodejs_eventloop_lag_max_seconds') - single('nodejs_eventloop_lag_min_seconds')
  figures.blockMs.push(blockS * 1000)
  const rssMiB = single('process_resident_memory_bytes') / 2 ** 20
  figures.rssMiB = Math.max(figures.rssMiB, rssMiB)
  figures.rss.push({ atMs: nowMs, miB: rssMiB })
  const [main, world] = ['main', 'world'].map((thread) => single(`${CPU}{thread="${thread}"}`))
  figures.cpu.push({ atMs: nowMs, main, world, all: single('process_cpu_seconds_total') })
}

/** Names of the metrics that are read. */
const METRICS_READ = [
  ...new Set([TICK, ...Object.values(SERIES).map((series) => series.replace(/\{.*/, ''))]),
  // Reading the user part also updates the total.
  CPU,
  'process_cpu_user_seconds_total',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'nodejs_eventloop_lag_seconds',
  ...['p99', 'max', 'min'].map((name) => `nodejs_eventloop_lag_${name}_seconds`),
]
const PAGE = `/metrics?${METRICS_READ.map((name) => `name[]=${name}`).join('&')}`

/** Reads the metrics now and then until stopped; skips reads that fail. */
export function watchServer(url: string, tickMs: number): ServerFigures {
  const figures: ServerFigures = {
    ticks: new Map(),
    loopMs: [],
    blockMs: [],
    rssMiB: 0,
    rss: [],
    cpu: [],
    seenMs: new Map(),
    stop: () => clearInterval(timer),
  }
  const readOnce = async (): Promise<void> => {
    try {
      const response = await fetch(`${url}${PAGE}`)
      if (response.ok) read(figures, await response.text())
    } catch {
      // The next scrape may succeed; the load itself shows whether the server is there.
    }
  }
  const timer = setInterval(
    () => void readOnce(),
    Math.min(READING_MS_MAX, tickMs / READINGS_PER_TICK),
  )
  return figures
}

/** Returns the figures of a part of a run. */
export function ticksWithin(server: ServerFigures, fromMs: number, toMs: number): ServerFigures {
  const isIn = (atMs = 0): boolean => atMs >= fromMs && atMs <= toMs
  return {
    ...server,
    ticks: new Map([...server.ticks].filter(([tick]) => isIn(server.seenMs.get(tick)))),
    cpu: server.cpu.filter(({ atMs }) => isIn(atMs)),
    rss: server.rss.filter(({ atMs }) => isIn(atMs)),
  }
}

/** The first ticks of a load are not counted, while V8 still compiles. */
const WARM_UP_TICKS = 3

/** Returns the values of a figure, ascending, for all ticks after the first ones. */
export function ofTicks({ ticks }: ServerFigures, name: string): number[] {
  const from = Math.min(...ticks.keys()) + WARM_UP_TICKS
  const values = [...ticks].flatMap(([tick, seen]) => (tick >= from ? (seen[name] ?? []) : []))
  return sorted(values)
}

/** Returns the 99th percentile of a measure over all ticks. */
export const p99Of = (server: ServerFigures, name: string): number =>
  quantile(ofTicks(server, name), 0.99)

/** Returns the time from the boundary to the first result of the quickest tick; 0 if unknown. */
export function quickestTick({ ticks }: ServerFigures): number {
  const costs = [...ticks.values()].flatMap(
    ({ tick_late_ms: late, tick_compute_ms: compute, journal_ms: journal }) =>
      late === undefined ? [] : [late + compute + journal],
  )
  return costs.length === 0 ? 0 : costs.reduce((a, b) => Math.min(a, b))
}

interface Cost {
  /** Percent of a core. */
  readonly mainPct: number
  readonly worldPct: number
  readonly restPct: number
  /** Processor time of the whole server per answer, in microseconds. */
  readonly usEach: number
}

/** Returns the cost of `answers` to the server; undefined if its system does not report it. */
export function costOf({ cpu }: ServerFigures, answers: number): Cost | undefined {
  const [first, last] = [cpu[0], cpu.at(-1)]
  if (!first || !last || last.all <= first.all || answers === 0) return undefined
  const seconds = (last.atMs - first.atMs) / 1000
  const pct = (name: 'main' | 'world' | 'all'): number =>
    ((last[name] - first[name]) * 100) / seconds
  const [mainPct, worldPct, allPct] = [pct('main'), pct('world'), pct('all')]
  const usEach = ((last.all - first.all) * 1e6) / answers
  return { mainPct, worldPct, restPct: allPct - mainPct - worldPct, usEach }
}

/** Describes the server's side of a run, as lines of text. */
export function describeServer(server: ServerFigures): string[] {
  const spreadOf = (name: string): string => spread(ofTicks(server, name))
  return [
    `server: ${server.ticks.size} ticks seen; boundary to last frame: ${spreadOf('tick_to_sockets_ms')}`,
    `  begun: ${spreadOf('tick_late_ms')}; computed: ${spreadOf('tick_compute_ms')}`,
    `  journal: ${spreadOf('journal_ms')}; sent to main: ${spreadOf('finish_ms')}`,
    `  publishing: ${spreadOf('publish_ms')}; longest slice: ${spreadOf('publish_slice_ms')}`,
    `  longest stretch without an answer of the world: ${spreadOf('unanswered_ms')}`,
    `  its own loop, p99: ${spread(sorted(server.loopMs))}; RSS ${server.rssMiB.toFixed(0)} MiB`,
  ]
}
