/**
 * Runs work on the main thread in slices: between two of them whatever else waits has its turn.
 * Resolves with how much work publishing a batch was, and how long it kept everyone else waiting at
 * most.
 */

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export interface PublishFigures {
  /** All slices together. */
  readonly busyMs: number
  /** The longest of them. */
  readonly sliceMs: number
}

export interface Turns {
  /** Ends a slice; resolves when the next may begin. */
  next(): Promise<void>
  /** Milliseconds since the slice began. */
  sliceMs(): number
  /** Ends the last slice. */
  end(): PublishFigures
}

/** Creates the turns; the first slice begins at once. `monoMs`: a clock that never jumps. */
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
    async next() {
      endSlice()
      await nextTurn()
      sinceMs = monoMs()
    },
    sliceMs: () => monoMs() - sinceMs,
    end() {
      endSlice()
      return { busyMs, sliceMs: longestMs }
    },
  }
}
