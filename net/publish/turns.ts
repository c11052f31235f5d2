/**
 * Work on the main thread in slices: between two of them whatever else waits has its turn. Says how
 * long publishing a batch took, and how long it kept everyone else waiting at most.
 */

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export interface Turns {
  /** Ends a slice; resolves when the next may begin. */
  next(): Promise<void>
  /** Milliseconds since the slice began. */
  sliceMs(): number
  /** Ends the last slice. Figures by metric name, milliseconds. */
  end(): Readonly<Record<string, number>>
}

/** The first slice begins at once. `monoMs`: a clock that never jumps. */
export function createTurns(monoMs: () => number): Turns {
  const startedMs = monoMs()
  let sinceMs = startedMs
  let busyMs = 0
  let longestMs = 0
  const endSlice = (): void => {
    const tookMs = monoMs() - sinceMs
    busyMs += tookMs
    longestMs = Math.max(longestMs, tookMs)
  }
  return {
    async next() {
      endSlice()
      await nextTurn()
      sinceMs = monoMs()
    },
    sliceMs: () => monoMs() - sinceMs,
    end() {
      endSlice()
      return {
        publish_ms: monoMs() - startedMs,
        publish_busy_ms: busyMs,
        publish_slice_ms: longestMs,
      }
    },
  }
}
