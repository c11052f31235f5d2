/**
 * Decides when ticks begin: at multiples of the tick length from a fixed origin, in overload only
 * at every second, third ... tenth multiple, so that the whole world slows down alike and no
 * command is lost. This file knows times only, not what runs in a tick.
 * Source: RELIABILITY 3.5 and 5 (L5).
 */
import {
  IMMEDIATES_PER_BATCH_MAX,
  IMMEDIATES_PER_BATCH_MIN,
  IMMEDIATES_SLICE_MS,
  TICK_FILL_PCT,
  TICK_STRETCH_MAX,
} from '../core/limits.ts'
import type { ToMain } from '../core/ports.ts'

/** The part of the loop's clock that the pace needs. */
interface PaceClock {
  monotonicMs(): number
  at(monotonicMs: number, then: () => void): () => void
}

/** The state of the pace of a loop. */
export interface Pace {
  /** How many times longer than configured ticks last; 1 while the work fits. */
  stretch: number
  /** Milliseconds of work of the last COSTS_KEPT ticks, oldest first. */
  readonly costsMs: number[]
  nextTickMs: number
  cancel(): void
}

export const createPace = (): Pace => ({
  stretch: 1,
  costsMs: [],
  nextTickMs: 0,
  cancel: () => {},
})

/** Number of recent ticks that decide; a single slow one changes nothing. */
const COSTS_KEPT = 3

/**
 * Returns the stretch at which this much work fits. ours: work fills at most TICK_FILL_PCT of a
 * tick, so that queries are answered too.
 */
const stretchFor = (costMs: number, tickMs: number): number =>
  Math.max(1, Math.ceil((costMs * 100) / (tickMs * TICK_FILL_PCT)))

/**
 * Records what a tick cost: milliseconds of work from its start to its last frame, without the wait
 * for the database. Ticks get longer when two of the last three were too slow, and shorter again
 * when all three would fit. Returns the former stretch if it changed, else undefined.
 */
export function recordCost(pace: Pace, tickMs: number, costMs: number): number | undefined {
  const { costsMs, stretch: before } = pace
  costsMs.push(costMs)
  if (costsMs.length > COSTS_KEPT) costsMs.shift()
  const [highest, second = 0] = [...costsMs].sort((a, b) => b - a)
  const kept = Math.min(before, stretchFor(highest, tickMs))
  pace.stretch = Math.min(TICK_STRETCH_MAX, Math.max(stretchFor(second, tickMs), kept))
  return pace.stretch === before ? undefined : before
}

/**
 * Calls `due(boundaryMs)` at each tick boundary until `due` returns false. Missed boundaries are
 * skipped, never run in a burst.
 */
export function startTicks(
  pace: Pace,
  clock: PaceClock,
  tickMs: number,
  due: (boundaryMs: number) => boolean,
): void {
  const next = (): void => {
    const boundaryMs = pace.nextTickMs
    if (!due(boundaryMs)) return
    const missed = Math.max(0, Math.floor((clock.monotonicMs() - boundaryMs) / tickMs))
    pace.nextTickMs += tickMs * Math.max(pace.stretch, 1 + missed)
    pace.cancel = clock.at(pace.nextTickMs, next)
  }
  pace.nextTickMs = clock.monotonicMs() + tickMs
  pace.cancel = clock.at(pace.nextTickMs, next)
}

interface PaceOptions {
  readonly tickMs: number
  readonly post: (message: Extract<ToMain, { kind: 'log' }>) => void
}

/** Records what a tick cost; logs the start and the end of an overload. */
export function recordAndLogCost(pace: Pace, { tickMs, post }: PaceOptions, costMs: number): void {
  const before = recordCost(pace, tickMs, costMs)
  if (before === undefined || (before > 1 && pace.stretch > 1)) return
  const lengthMs = pace.stretch * tickMs
  const fields = { stretch: pace.stretch, lengthMs }
  const text =
    before === 1
      ? `overload: ticks now last ${lengthMs} ms instead of ${tickMs} ms`
      : `overload is over: ticks last ${tickMs} ms again`
  post({ kind: 'log', level: 'warn', fields, text })
}

/**
 * Returns how many immediates the next batch may have, from the number and duration of the last.
 * Queries wait while a batch runs, so one that took too long is followed by a smaller one.
 */
export function nextImmediatesMax(sizeMax: number, count: number, tookMs: number): number {
  if (tookMs > IMMEDIATES_SLICE_MS) {
    return Math.max(IMMEDIATES_PER_BATCH_MIN, Math.floor(count / 2))
  }
  return count === sizeMax ? Math.min(IMMEDIATES_PER_BATCH_MAX, count * 2) : sizeMax
}
