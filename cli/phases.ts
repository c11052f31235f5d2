/**
 * Measures how long the phases of ticks take: in the running server since its start, from its
 * /metrics, or in a replay of the kept journal.
 */
import type { Config } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { PHASES, type Phase } from '../core/system.ts'
import { TICK_STEPS } from '../core/wire/tick-figures.ts'
import { table } from './format.ts'

/** How long a phase took over a number of ticks, in milliseconds. */
interface PhaseMs {
  readonly phase: string
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface PhaseTimes {
  readonly source: 'server' | 'replay'
  readonly phases: readonly PhaseMs[]
}

const TIMEOUT_MS = 2_000
const BUCKET =
  /^orrery_tick_(?:(?:phase|step)_)?duration_seconds_bucket\{le="([^"]+)"(?:,(?:phase|step)="(\w+)")?\} (\d+)$/
const ALL = 'whole tick'
/** In the order of a tick; `publish`, the last phase and the last step, is listed once. */
const NAMES = [...PHASES.slice(0, -1), ...TICK_STEPS, ALL]

interface Bucket {
  readonly upToMs: number
  /** Cumulative: includes all buckets before it. */
  readonly count: number
}

/** Returns an upper bound of a quantile; for the last bucket, which has none, its lower bound. */
function quantileOf(buckets: readonly Bucket[], share: number): number {
  const total = buckets.at(-1)?.count ?? 0
  const index = buckets.findIndex(({ count }) => count > 0 && count >= share * total)
  const { upToMs } = buckets[Math.max(0, index)]
  return Number.isFinite(upToMs) ? upToMs : (buckets.at(-2)?.upToMs ?? 0)
}

/** Parses the phases in the text of /metrics; there are none before the first tick. */
function readPhases(page: string): PhaseMs[] {
  const found = new Map<string, Bucket[]>()
  for (const line of page.split('\n')) {
    const [, le, name = ALL, count] = BUCKET.exec(line) ?? []
    if (le === undefined) continue
    const upToMs = le === '+Inf' ? Infinity : Number(le) * 1000
    found.set(name, [...(found.get(name) ?? []), { upToMs, count: Number(count) }])
  }
  return NAMES.flatMap((phase) => {
    const buckets = found.get(phase)
    if (!buckets || buckets.at(-1)?.count === 0) return []
    const quantile = (share: number): number => quantileOf(buckets, share)
    return [{ phase, p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) }]
  })
}

/** The page that a server answered, or why there is none, as a sentence. */
type Fetched =
  | { readonly page: string; readonly fault?: undefined }
  | { readonly page?: undefined; readonly fault: string }

/** Requests a page for operators from the running server. */
export async function fetchFromServer(config: Config, path: string): Promise<Fetched> {
  const { host, port, metricsToken } = config
  const headers = new Headers(metricsToken ? { authorization: `Bearer ${metricsToken}` } : {})
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const address = `${local.includes(':') ? `[${local}]` : local}:${port}`
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(`http://${address}${path}`, { headers, signal })
    if (answer.ok) return { page: await answer.text() }
    const remedy = REFUSED.has(answer.status) ? ': give this tool its METRICS_TOKEN' : ''
    return { fault: `The server at ${address} answers with status ${answer.status}${remedy}.` }
  } catch {
    return { fault: `No server answers at ${address}: give this tool its HOST and PORT.` }
  }
}

const REFUSED: ReadonlySet<number> = new Set([401, 403])

/** Returns the phases of the running server, or why there are none, as a sentence. */
export async function phasesOfServer(config: Config): Promise<PhaseTimes | string> {
  const { page, fault } = await fetchFromServer(config, '/metrics')
  if (fault !== undefined) return fault
  const phases = readPhases(page)
  if (phases.length === 0) return 'No tick has run since the server started.'
  return { source: 'server', phases }
}

interface PhaseClock {
  readonly phaseOver: NonNullable<Engine['phaseOver']>
  /** Starts timing, right before a batch runs. */
  begin(): void
  times(): PhaseTimes
}

/** Times the phases of every tick that an engine runs. */
export function createPhaseClock(now: () => number = () => performance.now()): PhaseClock {
  const taken = new Map<Phase, number[]>()
  let since = now()
  return {
    begin: () => {
      since = now()
    },
    phaseOver(phase) {
      const endedAt = now()
      const times = taken.get(phase) ?? []
      taken.set(phase, times)
      times.push(endedAt - since)
      since = endedAt
    },
    times: () => ({
      source: 'replay',
      phases: PHASES.flatMap((phase) => {
        const times = taken.get(phase)?.sort((a, b) => a - b)
        if (!times) return []
        const quantile = (share: number): number =>
          times[Math.min(times.length - 1, Math.floor(times.length * share))]
        return [{ phase, p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) }]
      }),
    }),
  }
}

export function describePhases({ source, phases }: PhaseTimes): string {
  const ms = (value: number): string => value.toFixed(2)
  const rows = phases.map(({ phase, p50, p99, max }) => [phase, ms(p50), ms(p99), ms(max)])
  const head =
    source === 'server'
      ? 'at most, over all ticks since the server started'
      : 'over the ticks replayed here'
  return `milliseconds ${head}\n${table(['phase', 'p50', 'p99', 'max'], rows)}`
}
