/**
 * Defines a benchmark: variants that run in processes of their own, in turns, and the lines of its
 * report. Absolute times cannot be compared between machines, but ratios from one run can; a bound
 * on a time is scaled by a reference measured in the same run (scale.ts).
 */
import { Bench, type Fn } from 'tinybench'
import type { ScaledBy } from './scale.ts'

export type Size = 'tiny' | 'full'

/** Units of time and speed: bounds on them are scaled to the machine. */
type TimeUnit = 'ms' | 'ns/row' | 'rows/s'

export interface Amount {
  readonly value: number
  /** A time unit, or any other: B, MiB, frames. */
  readonly unit: string
}

/** What one process measured. The names are unique across all variants of a benchmark. */
export interface Sample {
  /** Medians by name, milliseconds. */
  readonly medianMs: Readonly<Record<string, number>>
  /** Rows that each of these times covers, or rows by name: gives ns per row. */
  readonly rows?: number | Readonly<Record<string, number>>
  /** Measures that are not medians of times: bytes, a p99. */
  readonly amounts?: Readonly<Record<string, Amount>>
  /** Further facts for the reader. */
  readonly facts?: Readonly<Record<string, number | string>>
  /** Identifies the result: must be the same in each run and variant. */
  readonly hash: string
}

/**
 * A line of the table: a measure, compared with another if `against` is set. The bounds are on the
 * ratio `of / against`, or else on the value.
 */
export interface Line extends ScaledBy {
  readonly of: string
  readonly against?: string
  /** The unit to show; by default ns/row if the rows are known, else ms. */
  readonly unit?: TimeUnit
  readonly atMost?: number
  readonly atLeast?: number
}

export interface BenchDef {
  readonly name: string
  /** What is measured on which data, in one or two sentences. */
  readonly about: string
  /** The maximum of rounds, if one takes minutes. */
  readonly rounds?: number
  /** Each runs in its own process. */
  readonly variants: readonly string[]
  /** Measures without a line get one of their own, without a bound. */
  readonly lines: readonly Line[]
  run(size: Size, variant: string): Promise<Sample>
  /**
   * Returns one point of the cost curve: the median ms of a pass over this many rows, with `workers`
   * kernel threads beside the world thread; null if this size is not supported.
   */
  curve?(rows: number, workers: number): Promise<number | null>
}

const FULL = { slices: 10, time: 100, warmupTime: 250, iterations: 1, warmupIterations: 3 }
const TINY = { slices: 1, time: 0, warmupTime: 0, iterations: 2, warmupIterations: 1 }

/**
 * Returns the median times of functions, by tinybench. They run in turns, a slice of time each, so
 * that other load on the machine slows all of them equally.
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

/** Rows per call of a loop that is measured. */
const BLOCK_ROWS = 1_024

/**
 * Returns a function that passes over rows from … to-1 by calling `block` for a block at a time. V8
 * then optimizes `block` as a function with its constants. A loop that is entered only once is
 * compiled while it runs, up to four times slower, and when that happens is a matter of luck.
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
