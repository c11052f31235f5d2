/**
 * Counts ends of world threads and decides when the process must stop instead of retrying, and when
 * the world must run without kernel threads. Source: RELIABILITY 3 (Quarantine).
 */
import { KERNEL_ENDS_MAX, WORLD_ENDS_AT_ONE_TICK_MAX } from '../core/limits.ts'
import { KERNEL_THREAD_ERROR } from '../core/ports.ts'

export interface ThreadEnds {
  count: number
  /** Those caused by kernel threads. */
  byKernels: number
  /** The tick of the last end that no kernel thread caused. */
  tick: number
  /** Ends at that tick. */
  atTick: number
}

export const createEnds = (): ThreadEnds => ({ count: 0, byKernels: 0, tick: -1, atTick: 0 })

/** Returns true once kernel threads ended too often: the world then runs without them. */
export const runsWithoutKernels = (ends: ThreadEnds): boolean => ends.byKernels >= KERNEL_ENDS_MAX

/**
 * Returns what follows the end of a world thread: `again` (a new one), `without_kernels` (a new
 * one, from now on without kernel threads) or `last` (the process stops: three ends at one tick, or
 * one in recovery). Kernel threads never stop the process: after their third end the world runs
 * without them.
 */
export function countEnd(
  ends: ThreadEnds,
  { tick, text, wasUp }: { tick: number; text: string; wasUp: boolean },
): 'again' | 'without_kernels' | 'last' {
  ends.count += 1
  if (text.includes(KERNEL_THREAD_ERROR) && !runsWithoutKernels(ends)) {
    ends.byKernels += 1
    return runsWithoutKernels(ends) ? 'without_kernels' : 'again'
  }
  ends.atTick = ends.tick === tick ? ends.atTick + 1 : 1
  ends.tick = tick
  return !wasUp || ends.atTick >= WORLD_ENDS_AT_ONE_TICK_MAX ? 'last' : 'again'
}
