/**
 * What a load run measures, and how it is summarized. The lateness of a result counts from the
 * boundary of its tick, which is not on the wire. It is derived instead: boundaries are a tick
 * length apart, and the earliest results arrive after them by the time that the quickest tick took,
 * as reported by the server.
 */
import { addToList } from '../core/groups.ts'
export interface Figures {
  readonly tickMs: number
  readonly queryMs: Map<string, number[]>
  /** When the results of a tick arrived, in ms on the clock of this process. */
  readonly arrivals: Map<number, number[]>
  readonly refusals: Map<string, number>
  readonly errors: Map<string, number>
  /** Events on WebSocket, which are counted but not parsed. */
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

/** Adds one to the counter of a key. */
export const count = (map: Map<string, number>, key: string): void =>
  void map.set(key, (map.get(key) ?? 0) + 1)

export const sum = (map: ReadonlyMap<string, number>): number =>
  [...map.values()].reduce((a, b) => a + b, 0)

/** Adds a value to the list of a key. */
export function add<K>(map: Map<K, number[]>, key: K, value: number): void {
  addToList(map, key, value)
}

export const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b)

/** Returns a quantile of values in ascending order; 0 if there are none. */
export const quantile = (ascending: readonly number[], q: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))] ?? 0

interface Lateness {
  /** Ascending, ms. */
  readonly results: readonly number[]
  readonly ticks: number
  /** Boundaries at which no tick began because the server was late. */
  readonly missed: number
}

/** Computes how late results are; `quickestMs` is how long the quickest tick took to commit. */
export function lateness(figures: Figures, quickestMs: number): Lateness {
  const { tickMs, arrivals } = figures
  const firsts = [...arrivals].map(([tick, times]) => ({
    tick,
    first: Math.min(...times),
    times,
  }))
  if (firsts.length < 3) return { results: [], ticks: firsts.length, missed: 0 }
  firsts.sort((a, b) => a.tick - b.tick)
  // Phases are relative to the first result of the median tick, so that none wraps around.
  const anchor = firsts[Math.floor(firsts.length / 2)].first
  const phases = firsts.map(({ first }) => {
    const phase = (((first - anchor) % tickMs) + tickMs) % tickMs
    return phase > tickMs / 2 ? phase - tickMs : phase
  })
  const min = phases.reduce((a, b) => Math.min(a, b))
  const results = firsts.flatMap(({ first, times }, i) =>
    times.map((at) => phases[i] - min + quickestMs + at - first),
  )
  const [start, end] = [firsts[0], firsts[firsts.length - 1]]
  const boundaries = Math.round((end.first - start.first) / tickMs)
  const missed = boundaries - (end.tick - start.tick)
  return { results: sorted(results), ticks: firsts.length, missed }
}

/** Describes an ascending list of times by p50, p99 and maximum. */
export function spread(ascending: readonly number[]): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`
  const at = (q: number): string => ms(quantile(ascending, q))
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`
}
