/**
 * Runs work of the world thread in slices, so that queries and the database's answers do not wait
 * behind thousands of commands or outcomes: between two slices the event loop has its turn. A slice
 * may last as long as that turn did, so that even a flood of queries leaves the work half the time.
 */
import { LONG_SLICE_MS } from '../core/limits.ts'

interface Slices {
  readonly monotonicMs: () => number
  /** Called before and after each slice. */
  readonly busy: (busy: boolean) => void
  /** Milliseconds after which a slice ends, once the current step is done. */
  readonly sliceMsMax: number
  /** Called with how long something else ran between two slices. */
  readonly between?: (startMs: number, ms: number) => void
}

export interface SliceFigures {
  /** Milliseconds of work. */
  readonly busyMs: number
  /** The longest slice, in milliseconds; in it, the thread did nothing else. */
  readonly sliceMs: number
}

/** Gives up the turn; resolves in the next one. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs the steps in slices; resolves with their result. */
export async function inSlices<T>(
  { monotonicMs, busy, sliceMsMax, between }: Slices,
  steps: Generator<void, T>,
): Promise<SliceFigures & { readonly result: T }> {
  let busyMs = 0
  let sliceMs = 0
  let allowedMs = sliceMsMax
  for (;;) {
    const startedMs = monotonicMs()
    busy(true)
    let step = steps.next()
    while (!step.done && monotonicMs() - startedMs < allowedMs) step = steps.next()
    busy(false)
    const overMs = monotonicMs()
    busyMs += overMs - startedMs
    sliceMs = Math.max(sliceMs, overMs - startedMs)
    if (step.done) return { result: step.value, busyMs, sliceMs }
    await nextTurn()
    const turnMs = monotonicMs() - overMs
    between?.(overMs, turnMs)
    allowedMs = Math.max(sliceMsMax, Math.min(turnMs, LONG_SLICE_MS))
  }
}
