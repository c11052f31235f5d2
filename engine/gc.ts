/** Watches the pauses of this thread's garbage collector. */
import { constants, PerformanceObserver } from 'node:perf_hooks'
import type { GcKind } from '../core/wire/tick-figures.ts'

const KIND_OF: Readonly<Record<number, GcKind>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak',
}

/**
 * Calls `take` for each pause, soon after it; times are those of `performance.now()`. Returns a
 * function that stops watching.
 */
export function watchGc(take: (kind: GcKind, startMs: number, ms: number) => void): () => void {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // The types of this Node version lack `detail` on entries of this kind.
      const { kind } = (entry as typeof entry & { detail: { kind: number } }).detail
      take(KIND_OF[kind] ?? 'major', entry.startTime, entry.duration)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}
