/**
 * What the server counts, in prom-client's registry; /metrics prints it to loopback or to a bearer
 * of the token.
 */
import { timingSafeEqual } from 'node:crypto'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { METRIC_NAMES_MAX } from '../core/limits.ts'
import { PHASES } from '../core/system.ts'

export interface Metrics {
  readonly registry: Registry
  readonly commands: Counter<'channel'>
  readonly errors: Counter<'code'>
  readonly logins: Counter<'channel'>
  readonly closes: Counter<'code'>
  readonly requests: Counter<'status'>
  readonly batches: Counter
  readonly frames: Counter
  /** 1 for what serves the sockets. */
  readonly sockets: Gauge<'library'>
  /** Values of the last tick, by name. */
  readonly world: Gauge<'name'>
  /** The same over the last ticks, for what players feel. */
  readonly ticks: TickFigures
}

/** Figures of a tick that are summed up over the last ones. */
const SUMMED = new Set([
  ...PHASES.map((phase) => `phase_${phase}_ms`),
  'tick_compute_ms',
  'journal_ms',
  'finish_slice_ms',
  'tick_to_sockets_ms',
  'publish_ms',
  'publish_busy_ms',
  'publish_slice_ms',
])
/**
 * ours: ten minutes of ticks of a second. Counted in ticks, not in time: a clock that learns today's
 * date decades after it began would have every window between to go through.
 */
const TICKS_KEPT = 600
const QUANTILES = [0.5, 0.99, 1]

interface Kept {
  /** The last values, the oldest written over. */
  readonly values: Float64Array
  count: number
  sum: number
}

interface TickFigures {
  note(name: string, value: number): void
}

/** Quantiles of the last ticks, and count and sum of all, under the names that a summary has. */
function createTickFigures(name: string, registers: Registry[]): TickFigures {
  const figures = new Map<string, Kept>()
  const help = `figures of the last ${TICKS_KEPT} ticks`
  new Gauge({
    name,
    help,
    labelNames: ['quantile', 'name'],
    registers,
    collect() {
      for (const [figure, { values, count }] of figures) {
        const sorted = values.slice(0, Math.min(count, TICKS_KEPT)).sort()
        for (const quantile of QUANTILES) {
          const rank = Math.max(1, Math.ceil(quantile * sorted.length))
          this.set({ quantile, name: figure }, sorted[rank - 1])
        }
      }
    },
  })
  const total = (what: 'count' | 'sum') =>
    new Gauge({
      name: `${name}_${what}`,
      help: `${what} of all ticks`,
      labelNames: ['name'],
      registers,
      collect() {
        for (const [figure, kept] of figures) this.set({ name: figure }, kept[what])
      },
    })
  total('count')
  total('sum')
  return {
    note(figure, value) {
      let kept = figures.get(figure)
      if (!kept) {
        kept = { values: new Float64Array(TICKS_KEPT), count: 0, sum: 0 }
        figures.set(figure, kept)
      }
      kept.values[kept.count % TICKS_KEPT] = value
      kept.count += 1
      kept.sum += value
    },
  }
}

/** `gauges` are read when the page is asked for. */
export function createMetrics(gauges: Readonly<Record<string, () => number>>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // It lists a folder with an entry for each socket: 15 ms with 10,000 of them.
  registry.removeSingleMetric('process_open_fds')
  for (const [name, read] of Object.entries(gauges)) {
    new Gauge({
      name: `orrery_${name}`,
      help: name.replaceAll('_', ' '),
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name: `orrery_${name}`, help, labelNames: [...labelNames], registers })
  return {
    registry,
    commands: counter('commands_total', 'commands received', ['channel']),
    errors: counter('refusals_total', 'refusals answered', ['code']),
    logins: counter('logins_total', 'logins', ['channel']),
    closes: counter('socket_closes_total', 'sockets closed by the server', ['code']),
    requests: counter('http_responses_total', 'HTTP responses', ['status']),
    batches: counter('batches_total', 'batches published', []),
    frames: counter('frames_out_total', 'frames handed to sockets', []),
    sockets: new Gauge({
      name: 'orrery_sockets_info',
      help: 'library that serves the sockets: a native build, or node',
      labelNames: ['library'],
      registers,
    }),
    world: new Gauge({
      name: 'orrery_world',
      help: 'figures of the last tick',
      labelNames: ['name'],
      registers,
    }),
    ticks: createTickFigures('orrery_ticks', registers),
  }
}

/** Takes figures of a tick: of the world thread, or of publishing. */
export function recordFigures(metrics: Metrics, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) {
    metrics.world.set({ name }, value)
    if (SUMMED.has(name)) metrics.ticks.note(name, value)
  }
}

/**
 * The page, or only the named metrics of it: who looks thrice a second need not have all of it
 * made. Names that are none are left out.
 */
export async function metricsPage(
  { registry }: Metrics,
  names: readonly string[],
): Promise<string> {
  if (names.length === 0) return registry.metrics()
  const parts: string[] = []
  for (const name of names.slice(0, METRIC_NAMES_MAX)) {
    if (registry.getSingleMetric(name)) parts.push(await registry.getSingleMetricAsString(name))
  }
  return `${parts.join('\n\n')}\n`
}

/** True when a token is set and this is it. */
export function bearsToken(authorization: string, token?: string): boolean {
  if (token === undefined || token === '') return false
  const given = Buffer.from(authorization)
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
