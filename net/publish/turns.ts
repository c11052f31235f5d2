/**
 * Divides work on the main thread into slices, between which other work can run. Measures the total
 * work of publishing a batch and its longest slice.
 */

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export interface PublishFigures {
  /** Duration of all slices together. */
  readonly busyMs: number
  /** Duration of the longest slice. */
  readonly sliceMs: number
}

export interface Turns {
  /**
   * Ends a slice; resolves when the next may start: once other work had its turn, or once `until`
   * resolves.
   */
  next(until?: Promise<void>): Promise<void>
  /** Returns the milliseconds since the slice started. */
  sliceMs(): number
  /** Ends the last slice and returns the figures. */
  end(): PublishFigures
}

/** Creates the turns; the first slice starts at once. `monoMs`: a monotonic clock. */
export function createTurns(monoMs: () => number): Turns {
  let sinceMs = monoMs()
  let busyMs = 0
  let longestMs = 0
  const endSlice = (): void => {
    const tookMs = monoMs() - sinceMs
    busyMs += tookMs
    longestMs = Math.max(longestMs, tookMs)
  }
  return {
    async next(until) {
      endSlice()
      await (until ?? nextTurn())
      sinceMs = monoMs()
    },
    sliceMs: () => monoMs() - sinceMs,
    end() {
      endSlice()
      return { busyMs, sliceMs: longestMs }
    },
  }
}
