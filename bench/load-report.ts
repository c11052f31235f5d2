/** Reports a load run: as text, as figures, and whether it was without errors and fast. */
import type { IntervalHistogram } from 'node:perf_hooks'
import { type Figures, lateness, quantile, sorted, spread, sum } from './figures.ts'
import type { LiveFigures } from './live.ts'
import {
  costOf,
  describeServer,
  ofTicks,
  p99Of,
  quickestTick,
  type ServerFigures,
} from './server-figures.ts'

/* The bounds that a server must meet. Source: DESIGN 6 */
export const QUERY_P99_MS = 50
export const RESULT_MS = 500

const NS_PER_MS = 1e6

export interface LoadRun {
  readonly players: number
  readonly figures: Figures
  readonly server: ServerFigures
  /** Event-loop delay of this process. */
  readonly own: IntervalHistogram
  /** Connections that were lost. */
  readonly lost: number
}

/** Returns the figures of a run. */
export function liveFigures({ players, figures, server, own, lost }: LoadRun): LiveFigures {
  const queries = sorted([...figures.queryMs.values()].flat())
  const late = lateness(figures, quickestTick(server))
  return {
    players,
    ticks: late.ticks,
    queries: queries.length,
    results: late.results.length,
    errors: sum(figures.errors) + lost,
    queryMsP99: quantile(queries, 0.99),
    resultMsMax: quantile(late.results, 1),
    tickToSocketsMsP99: p99Of(server, 'tick_to_sockets_ms'),
    tickComputeMsP99: p99Of(server, 'tick_compute_ms'),
    publishMsP99: p99Of(server, 'publish_ms'),
    publishSliceMsMax: quantile(ofTicks(server, 'publish_slice_ms'), 1),
    ownDelayMsP99: ownDelayMs(own).p99,
  }
}

/** Returns the event-loop delay of the load client in ms, without the interval of the monitor. */
function ownDelayMs(own: IntervalHistogram): { p99: number; max: number } {
  const min = own.min / NS_PER_MS
  return { p99: own.percentile(99) / NS_PER_MS - min, max: own.max / NS_PER_MS - min }
}

/** Returns whether a run had no errors. */
export const isSound = (run: LoadRun): boolean => liveFigures(run).errors === 0

/** Returns whether queries and results of a run were within their bounds. */
export function isFast(run: LoadRun): boolean {
  const { queryMsP99, resultMsMax } = liveFigures(run)
  return queryMsP99 <= QUERY_P99_MS && resultMsMax <= RESULT_MS
}

const asText = (map: ReadonlyMap<string, number>): string =>
  [...map].map(([name, n]) => `${name} ${n}`).join(', ') || 'none'

/** Describes processor time; queries and mutations are counted together, as they share threads. */
function describeCost(server: ServerFigures, queries: number, results: number): string[] {
  const cost = costOf(server, queries + results)
  if (!cost) return []
  const [main, world, rest] = [cost.mainPct, cost.worldPct, cost.restPct].map((pct) =>
    pct.toFixed(0),
  )
  return [
    `  processor: main ${main} %, world ${world} %, others ${rest} % of a core; ` +
      `${cost.usEach.toFixed(0)} µs per answer (${queries} queries, ${results} results)`,
  ]
}

/** Describes the answers that players received, as lines of text. */
export function describeAnswers({ figures, server, lost }: LoadRun): string[] {
  const queries = sorted([...figures.queryMs.values()].flat())
  const late = lateness(figures, quickestTick(server))
  return [
    `queries ${queries.length}: ${spread(queries)}`,
    ...[...figures.queryMs].map(([name, times]) => `  ${name}: ${spread(sorted(times))}`),
    `results ${late.results.length} of ${late.ticks} ticks: after their tick ` +
      `${spread(late.results)}; boundaries missed ${late.missed}`,
    `events ${figures.events.count}, ${(figures.events.bytes / 2 ** 20).toFixed(1)} MiB`,
    `refusals of the game: ${asText(figures.refusals)}`,
    `errors: ${asText(figures.errors)}; connections lost: ${lost}`,
  ]
}

/** Describes a run as lines of text. */
export function describeRun(run: LoadRun): string[] {
  const { server, own } = run
  const { queries, results } = liveFigures(run)
  const { p99, max } = ownDelayMs(own)
  return [
    ...describeAnswers(run),
    ...describeServer(server),
    ...describeCost(server, queries, results),
    `this client: event-loop delay p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms`,
    `${isSound(run) ? 'no errors' : 'ERRORS'}; query p99 <= ${QUERY_P99_MS} ms and ` +
      `results <= ${RESULT_MS} ms: ${isFast(run) ? 'yes' : 'NO'}`,
  ]
}
