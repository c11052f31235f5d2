/**
 * What a benchmark is: variants that run in processes of their own, in turns, and the lines made of
 * what they measured. Times alone say little of another machine; a ratio of one sitting does, and a
 * bound on a time is scaled by work of the same run (scale.ts).
 */
import { Bench, type Fn } from 'tinybench'
import type { ScaledBy } from './scale.ts'

export type Size = 'tiny' | 'full'

/** Units that say how fast: bounds on them are scaled to the machine. */
type TimeUnit = 'ms' | 'ns/row' | 'rows/s'

export interface Amount {
  readonly value: number
  /** A time unit, or any other: B, MiB, frames. */
  readonly unit: string
}

/** What one process measured. Measures of all variants share one space of names. */
export interface Sample {
  /** Medians by name, milliseconds. */
  readonly medianMs: Readonly<Record<string, number>>
  /** Rows that each of these times is for, or rows by name: gives ns per row. */
  readonly rows?: number | Readonly<Record<string, number>>
  /** Measures that are not medians of times: bytes, a p99. */
  readonly amounts?: Readonly<Record<string, Amount>>
  /** Further facts for the reader. */
  readonly facts?: Readonly<Record<string, number | string>>
  /** Says what was computed: must be the same in each run and variant. */
  readonly hash: string
}

/**
 * A line of the table: a measure, set against another where there is one. The bound is one on the
 * ratio `of / against`, or, with nothing to set it against, on the value.
 */
export interface Line extends ScaledBy {
  readonly of: string
  readonly against?: string
  /** How a time is shown: by default ns/row where the rows are known, else ms. */
  readonly unit?: TimeUnit
  readonly atMost?: number
  readonly atLeast?: number
}

export interface BenchDef {
  readonly name: string
  /** Data set and question, in one or two sentences. */
  readonly about: string
  /** Most rounds, where one takes minutes. */
  readonly rounds?: number
  /** Each runs in its own process. */
  readonly variants: readonly string[]
  /** Measures without a line get one of their own, without a bound. */
  readonly lines: readonly Line[]
  run(size: Size, variant: string): Promise<Sample>
  /**
   * One point of the cost curve: median ms of a pass over so many rows, with kernel threads beside
   * the world thread. Null where there is no such size.
   */
  curve?(rows: number, workers: number): Promise<number | null>
}

const FULL = { slices: 10, time: 100, warmupTime: 250, iterations: 1, warmupIterations: 3 }
const TINY = { slices: 1, time: 0, warmupTime: 0, iterations: 2, warmupIterations: 1 }

/**
 * Medians of functions, by tinybench. They are measured in turns, a slice of the time each, so that
 * whatever else runs on the machine slows all of them and not the one that was at it.
 */
export async function measure(
  size: Size,
  tasks: Readonly<Record<string, Fn>>,
): Promise<Record<string, number>> {
  const { slices, ...options } = size === 'tiny' ? TINY : FULL
  const medians = new Map<string, number[]>(Object.keys(tasks).map((name) => [name, []]))
  for (let slice = 0; slice < slices; slice++) {
    const bench = new Bench({ ...options, warmup: slice === 0, throws: true })
    for (const [name, task] of Object.entries(tasks)) bench.add(name, task)
    await bench.run()
    for (const { name, result } of bench.tasks) {
      if (!('latency' in result)) throw new Error(`${name} did not complete`)
      medians.get(name)?.push(result.latency.p50)
    }
  }
  return Object.fromEntries([...medians].map(([name, values]) => [name, medianOf(values)]))
}

/** Rows a call of a loop that is measured. */
const BLOCK_ROWS = 1_024

/**
 * Makes a pass over rows from … to-1 out of a function that is called a block at a time. V8 then
 * compiles it as a function with its constants; a loop entered once is compiled while it runs, up
 * to four times slower, and which of both happens is a matter of luck.
 */
export function inBlocks(from: number, to: number, block: (from: number, to: number) => void) {
  return (): void => {
    for (let index = from; index < to; index += BLOCK_ROWS)
      block(index, Math.min(index + BLOCK_ROWS, to))
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
