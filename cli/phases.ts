/**
 * How long the phases of ticks take: of the running server's last ticks, by its /metrics, or
 * of the kept journal run again here.
 */
import type { Config } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { PHASES, type Phase } from '../core/system.ts'
import { table } from './format.ts'

/** Milliseconds over a number of ticks. */
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

/** What the server tells of a tick beside its phases, in the order in which it comes about. */
const STEPS = ['tick_compute', 'journal', 'publish', 'tick_to_sockets'] as const
const PATIENCE_MS = 2_000
const LINE = /^orrery_ticks\{quantile="([\d.]+)",name="(\w+)_ms"\} (\S+)$/

/** Of a page of /metrics; empty before the first tick. */
function readPhases(page: string): PhaseMs[] {
  const found = new Map<string, Map<string, number>>()
  for (const line of page.split('\n')) {
    const [, quantile, name, value] = LINE.exec(line) ?? []
    if (name === undefined || !Number.isFinite(Number(value))) continue
    const values = found.get(name) ?? new Map<string, number>()
    found.set(name, values.set(quantile, Number(value)))
  }
  const names = [...PHASES.map((phase) => `phase_${phase}`), ...STEPS]
  return names.flatMap((name) => {
    const values = found.get(name)
    if (!values) return []
    const at = (quantile: string): number => values.get(quantile) ?? 0
    return [{ phase: name.replace('phase_', ''), p50: at('0.5'), p99: at('0.99'), max: at('1') }]
  })
}

/** Of the running server; undefined where none answers. */
export async function phasesOfServer(config: Config): Promise<PhaseTimes | undefined> {
  const { host, port, metricsToken } = config
  const headers = new Headers(metricsToken ? { authorization: `Bearer ${metricsToken}` } : {})
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const shown = local.includes(':') ? `[${local}]` : local
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(`http://${shown}:${port}/metrics`, { headers, signal })
    if (!answer.ok) return undefined
    const phases = readPhases(await answer.text())
    return phases.length === 0 ? undefined : { source: 'server', phases }
  } catch {
    return undefined
  }
}

interface PhaseClock {
  readonly phaseOver: NonNullable<Engine['phaseOver']>
  /** A batch is about to run. */
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
      const at = now()
      const times = taken.get(phase) ?? []
      taken.set(phase, times)
      times.push(at - since)
      since = at
    },
    times: () => ({
      source: 'replay',
      phases: PHASES.flatMap((phase) => {
        const times = taken.get(phase)?.sort((a, b) => a - b)
        if (!times) return []
        const at = (share: number): number =>
          times[Math.min(times.length - 1, Math.floor(times.length * share))]
        return [{ phase, p50: at(0.5), p99: at(0.99), max: at(1) }]
      }),
    }),
  }
}

export function describePhases({ source, phases }: PhaseTimes): string {
  const ms = (value: number): string => value.toFixed(2)
  const rows = phases.map(({ phase, p50, p99, max }) => [phase, ms(p50), ms(p99), ms(max)])
  const head =
    source === 'server' ? 'of the last 600 ticks, by the server' : 'of the ticks run again here'
  return `milliseconds ${head}\n${table(['phase', 'p50', 'p99', 'max'], rows)}`
}
