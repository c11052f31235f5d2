/**
 * The metrics of the server, in a registry of prom-client; /metrics serves them to loopback or with
 * the bearer token. metrics-table.ts defines them.
 */
import { timingSafeEqual } from 'node:crypto'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { METRIC_NAMES_MAX } from '../core/limits.ts'
import type { CommitFigures, NodeFigures, ToMain } from '../core/ports.ts'
import type { GaugeDef } from '../core/registry.ts'
import type { Phase } from '../core/system.ts'
import { type GcKind, TICK_STEPS, type TickFigures } from '../core/wire/tick-figures.ts'
import {
  type AnyRow,
  type CounterRow,
  type GaugeRow,
  type HistogramRow,
  METRICS,
  type MetricKey,
} from './metrics-table.ts'
import type { PublishFigures } from './publish/turns.ts'

const PREFIX = 'orrery_'
const MS_PER_S = 1_000

type MetricOf<R> =
  R extends CounterRow<infer L>
    ? Counter<L>
    : R extends GaugeRow<infer L>
      ? Gauge<L>
      : R extends HistogramRow<infer L>
        ? Histogram<L>
        : never

type Counted = { readonly [K in MetricKey]: MetricOf<(typeof METRICS)[K]> }

/** The value of a metric: a number, or one for each value of its label. */
type Reading = number | Readonly<Record<string, number>>
type Readings = Partial<Record<MetricKey, () => Reading>>

export interface Metrics extends Counted {
  readonly registry: Registry
  /** Gauges of domains, by their own name. */
  readonly world: ReadonlyMap<string, Gauge>
  /** Registers functions that are called when the page is requested. */
  read(readings: Readings): void
}

/** Returns the rows of all our metrics, with the names of the page. */
export function metricRows(gauges: readonly GaugeDef[]): readonly AnyRow[] {
  const own: readonly AnyRow[] = Object.values(METRICS)
  const rows = [
    ...own,
    ...gauges.map(({ name, help }): AnyRow => {
      return { kind: 'gauge', group: 'economy', name, help, labels: [] }
    }),
  ]
  return rows.map((row) => ({ ...row, name: PREFIX + row.name }))
}

function setReading(metric: Counter | Gauge, label: string | undefined, reading: Reading): void {
  const values = typeof reading === 'number' ? [['', reading] as const] : Object.entries(reading)
  metric.reset()
  for (const [value, figure] of values) {
    const labels = label === undefined ? {} : { [label]: value }
    metric.inc(labels, figure)
  }
}

/**
 * Creates the metrics. `isNode`: the process is part of a cluster and shows the metrics of a node.
 */
export function createMetrics(gauges: readonly GaugeDef[] = [], isNode = false): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Reading it lists a folder with an entry for each socket: 15 ms with 10,000 sockets.
  registry.removeSingleMetric('process_open_fds')
  const readings: Readings = {}
  const make = (key: MetricKey, row: AnyRow): Counter | Gauge | Histogram => {
    const { help, labels } = row
    const isShown = isNode || row.group !== 'cluster'
    const about = {
      name: PREFIX + row.name,
      help,
      labelNames: [...labels],
      registers: isShown ? registers : [],
    }
    if (row.kind === 'histogram') return new Histogram({ ...about, buckets: [...row.buckets] })
    const made = row.kind === 'counter' ? Counter : Gauge
    return new made({
      ...about,
      collect(this: Counter | Gauge) {
        const read = readings[key]
        if (read) setReading(this, labels[0], read())
      },
    })
  }
  const keys = Object.keys(METRICS) as MetricKey[]
  // Each has the class of its row.
  const counted = Object.fromEntries(
    keys.map((key) => [key, make(key, METRICS[key])]),
  ) as unknown as Counted
  const world = new Map(
    gauges.map(({ name, help }) => [name, new Gauge({ name: PREFIX + name, help, registers })]),
  )
  return {
    ...counted,
    registry,
    world,
    read: (more) => {
      Object.assign(readings, more)
    },
  }
}

/** Registers the metrics of a node; they are 0 until it has reported figures. */
export function readNode(
  metrics: Pick<Metrics, 'read'>,
  figures: () => NodeFigures | undefined,
): void {
  const read = (figureOf: (node: NodeFigures) => number) => (): number => {
    const node = figures()
    return node ? figureOf(node) : 0
  }
  metrics.read({
    leads: read(({ leads }) => Number(leads)),
    leaderEpoch: read(({ leadership }) => leadership),
    busConnected: read(({ isBusUp }) => Number(isBusUp)),
    staleness: read(({ staleMs }) => staleMs / MS_PER_S),
    replicaLag: read(({ lagBatches }) => lagBatches),
    rowsApplied: read(({ rowsApplied }) => rowsApplied),
    rowsFilled: read(({ rowsFilled }) => rowsFilled),
    forwarded: read(({ forwarded }) => forwarded),
    forwardedBytes: read(({ forwardedBytes }) => forwardedBytes),
    sentRowBytes: read(({ sentRowBytes }) => sentRowBytes),
    sentInputs: read(({ sentInputs }) => sentInputs),
    largestMessage: read(({ largestMessage }) => largestMessage),
    takeovers: read(({ takeovers }) => takeovers),
    takeoverTime: read(({ takeoverMs = 0 }) => takeoverMs / MS_PER_S),
  })
}

/** Records the figures of a tick, from the world thread and from publishing on main. */
export function recordTick(
  metrics: Metrics,
  figures: TickFigures,
  publishing: PublishFigures | undefined,
): void {
  const { tick, stepsMs, phasesMs, workMs, sliceMs, isSlow, stretch, inbox, gauges } = figures
  let durationS = 0
  for (const step of TICK_STEPS) {
    const seconds = stepsMs[step] / MS_PER_S
    durationS += seconds
    metrics.tickStepDuration.observe({ step }, seconds)
    metrics.lastTickStep.set({ step }, seconds)
  }
  metrics.tickDuration.observe(durationS)
  for (const [phase, ms] of Object.entries(phasesMs) as [Phase, number][])
    metrics.tickPhaseDuration.observe({ phase }, ms / MS_PER_S)
  for (const [kind, ms] of Object.entries(figures.gcMs) as [GcKind, number][])
    if (ms > 0) metrics.tickGc.observe({ kind }, ms / MS_PER_S)
  metrics.tickSlowest.set(figures.slowestMs / MS_PER_S)
  const slicesMs = { world: sliceMs, ...(publishing ? { main: publishing.sliceMs } : {}) }
  for (const [thread, ms] of Object.entries(slicesMs)) {
    metrics.tickSlice.observe({ thread }, ms / MS_PER_S)
    metrics.lastTickSlice.set({ thread }, ms / MS_PER_S)
  }
  metrics.tickUnanswered.observe(figures.unansweredMs / MS_PER_S)
  metrics.lastTickUnanswered.set(figures.unansweredMs / MS_PER_S)
  if (isSlow) metrics.slowTicks.inc()
  metrics.tickStretch.set(stretch)
  metrics.inbox.set({ kind: 'mutation' }, inbox.mutations)
  metrics.inbox.set({ kind: 'immediate' }, inbox.immediates)
  for (const [name, value] of Object.entries(gauges)) metrics.world.get(name)?.set(value)
  metrics.lastTick.set(tick)
  metrics.lastTickDuration.set(durationS)
  metrics.lastTickWork.set(workMs / MS_PER_S)
}

/** Records how a journal row was written. */
export function recordCommit(metrics: Metrics, { ms, bytes }: CommitFigures): void {
  metrics.commitDuration.observe(ms / MS_PER_S)
  metrics.journalBytes.inc(bytes)
}

/**
 * Records the outcome of a snapshot and the age of the newest. The age of a loaded one is by wall
 * clock, since another process took it.
 */
export function recordSnapshot(
  metrics: Metrics,
  { result, wallMs, tookMs }: Extract<ToMain, { kind: 'snapshot' }>,
  clock: { wallMs(): number; monoMs(): number },
): void {
  if (result !== 'loaded') metrics.snapshots.inc({ result })
  if (result === 'failed') return
  if (result === 'stored') metrics.snapshotDuration.observe(tookMs / MS_PER_S)
  const ageMs = result === 'stored' ? tookMs : Math.max(0, clock.wallMs() - wallMs)
  const takenMs = clock.monoMs() - ageMs
  metrics.read({ snapshotAge: () => (clock.monoMs() - takenMs) / MS_PER_S })
}

/**
 * Returns the page, or only the named metrics, for readers that poll often. Unknown names are left
 * out.
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

/** Returns true if a token is set and the header has it. */
export function bearsToken(authorization: string, token?: string): boolean {
  if (token === undefined || token === '') return false
  const given = Buffer.from(authorization)
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
