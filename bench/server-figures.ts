/** What the server says of its ticks in /metrics, looked at while a load runs. */
import { quantile, sorted, spread } from './figures.ts'

type Values = Record<string, number>

export interface ServerFigures {
  /** Figures of each tick that was seen, by name. */
  readonly ticks: Map<number, Values>
  /** The server's own event loop, p99 between two looks, ms. */
  readonly loopMs: number[]
  /** The longest time for which it did one thing, between two looks, ms. */
  readonly blockMs: number[]
  rssMiB: number
  /** Resident memory by time, on this process's monotonic clock. */
  readonly rss: { readonly atMs: number; readonly miB: number }[]
  /** When a tick was first seen, by number, on the same clock. */
  readonly seenMs: Map<number, number>
  stop(): void
}

/** Figures main sets when a tick has been published; the world thread sends the others later. */
const PUBLISHED = /^publish/
const WORLD_LINE = /^orrery_world\{name="(\w+)"\} (\S+)$/gm
const LOOKS_A_TICK = 3
const LOOK_MS_MAX = 500

function read(figures: ServerFigures, page: string): void {
  const world: Values = {}
  for (const [, name, value] of page.matchAll(WORLD_LINE)) world[name] = Number(value)
  const { tick, published_tick } = world
  if (tick === undefined) return
  const nowMs = performance.now()
  if (!figures.seenMs.has(tick)) figures.seenMs.set(tick, nowMs)
  for (const [name, value] of Object.entries(world)) {
    const of = PUBLISHED.test(name) ? published_tick : tick
    const values = figures.ticks.get(of) ?? {}
    values[name] = value
    figures.ticks.set(of, values)
  }
  const single = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? 0)
  figures.loopMs.push(single('nodejs_eventloop_lag_p99_seconds') * 1000)
  // The monitor counts its own interval in.
  const blockS =
    single('nodejs_eventloop_lag_max_seconds') - single('nodejs_eventloop_lag_min_seconds')
  figures.blockMs.push(blockS * 1000)
  const rssMiB = single('process_resident_memory_bytes') / 2 ** 20
  figures.rssMiB = Math.max(figures.rssMiB, rssMiB)
  figures.rss.push({ atMs: nowMs, miB: rssMiB })
}

/** What is looked at; the first of the loop sets the others. */
const LOOKED_AT = [
  ...['orrery_world', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds'],
  ...['p99', 'max', 'min'].map((name) => `nodejs_eventloop_lag_${name}_seconds`),
]
const PAGE = `/metrics?${LOOKED_AT.map((name) => `name[]=${name}`).join('&')}`

/** Looks now and then until stopped; a look that fails is left out. */
export function watchServer(url: string, tickMs: number): ServerFigures {
  const figures: ServerFigures = {
    ticks: new Map(),
    loopMs: [],
    blockMs: [],
    rssMiB: 0,
    rss: [],
    seenMs: new Map(),
    stop: () => clearInterval(timer),
  }
  const look = async (): Promise<void> => {
    try {
      const response = await fetch(`${url}${PAGE}`)
      if (response.ok) read(figures, await response.text())
    } catch {
      // The next look may succeed; the load itself tells whether the server is there.
    }
  }
  const timer = setInterval(() => void look(), Math.min(LOOK_MS_MAX, tickMs / LOOKS_A_TICK))
  return figures
}

/** The first ticks of a load are not counted: its code is not compiled yet. */
const WARM_UP_TICKS = 3

/** A figure of all ticks after the first ones; ascending. */
export function ofTicks({ ticks }: ServerFigures, name: string): number[] {
  const from = Math.min(...ticks.keys()) + WARM_UP_TICKS
  const values = [...ticks].flatMap(([tick, seen]) => (tick >= from ? (seen[name] ?? []) : []))
  return sorted(values)
}

export const p99Of = (server: ServerFigures, name: string): number =>
  quantile(ofTicks(server, name), 0.99)

/** Boundary to the first result of the quickest tick seen; 0 when none was. */
export function quickestTick({ ticks }: ServerFigures): number {
  const costs = [...ticks.values()].flatMap(
    ({ tick_late_ms: late, tick_compute_ms: compute, journal_ms: journal }) =>
      late === undefined ? [] : [late + compute + journal],
  )
  return costs.length === 0 ? 0 : costs.reduce((a, b) => Math.min(a, b))
}

/** The server's side of a run, as lines. */
export function describeServer(server: ServerFigures): string[] {
  const of = (name: string): string => spread(ofTicks(server, name))
  return [
    `server: ${server.ticks.size} ticks seen; boundary to last frame: ${of('tick_to_sockets_ms')}`,
    `  begun: ${of('tick_late_ms')}; computed: ${of('tick_compute_ms')}`,
    `  journal: ${of('journal_ms')}; told to main: ${of('finish_ms')}`,
    `  publishing: ${of('publish_ms')}; longest slice: ${of('publish_slice_ms')}`,
    `  its own loop, p99: ${spread(sorted(server.loopMs))}; RSS ${server.rssMiB.toFixed(0)} MiB`,
  ]
}
