/**
 * What a load run measures, and how it is summed up. Lateness of a result is counted from the
 * boundary of its tick. The boundary is not on the wire: ticks come from a fixed origin, so it is
 * where the earliest results fall within the length of a tick, less what the server itself says
 * that its quickest tick took.
 */
import { addToList } from '../core/groups.ts'
export interface Figures {
  readonly tickMs: number
  readonly queryMs: Map<string, number[]>
  /** Arrivals of the results of a tick, ms on this process's clock. */
  readonly arrivals: Map<number, number[]>
  readonly refusals: Map<string, number>
  readonly errors: Map<string, number>
  /** Events that were counted unparsed (WebSocket). */
  readonly events: { count: number; bytes: number }
}

export const createFigures = (tickMs: number): Figures => ({
  tickMs,
  queryMs: new Map(),
  arrivals: new Map(),
  refusals: new Map(),
  errors: new Map(),
  events: { count: 0, bytes: 0 },
})

export const count = (map: Map<string, number>, key: string): void =>
  void map.set(key, (map.get(key) ?? 0) + 1)

export const sum = (map: ReadonlyMap<string, number>): number =>
  [...map.values()].reduce((a, b) => a + b, 0)

export function add<K>(map: Map<K, number[]>, key: K, value: number): void {
  addToList(map, key, value)
}

export const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b)

export const quantile = (ascending: readonly number[], q: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))] ?? 0

interface Lateness {
  /** Ascending, ms. */
  readonly results: readonly number[]
  readonly ticks: number
  /** Boundaries at which the server had no time for a tick. */
  readonly missed: number
}

/** Computes how late outcomes are; `quickestMs`: computing and committing of the quickest tick. */
export function lateness(figures: Figures, quickestMs: number): Lateness {
  const { tickMs, arrivals } = figures
  const firsts = [...arrivals].map(([tick, times]) => ({
    tick,
    first: Math.min(...times),
    times,
  }))
  if (firsts.length < 3) return { results: [], ticks: firsts.length, missed: 0 }
  firsts.sort((a, b) => a.tick - b.tick)
  // Phases are taken around the median, so that none wraps over the boundary.
  const anchor = firsts[Math.floor(firsts.length / 2)].first
  const phases = firsts.map(({ first }) => {
    const phase = (((first - anchor) % tickMs) + tickMs) % tickMs
    return phase > tickMs / 2 ? phase - tickMs : phase
  })
  const least = phases.reduce((a, b) => Math.min(a, b))
  const results = firsts.flatMap(({ first, times }, i) =>
    times.map((at) => phases[i] - least + quickestMs + at - first),
  )
  const [start, end] = [firsts[0], firsts[firsts.length - 1]]
  const boundaries = Math.round((end.first - start.first) / tickMs)
  const missed = boundaries - (end.tick - start.tick)
  return { results: sorted(results), ticks: firsts.length, missed }
}

/** Returns p50, p99 and the largest of an ascending list, as text. */
export function spread(ascending: readonly number[]): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`
  const at = (q: number): string => ms(quantile(ascending, q))
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`
}
