/**
 * What a benchmark is: variants that run in processes of their own, in turns, and the ratios that
 * are made of what they measured. Times alone say little of another machine; a ratio of one sitting
 * does.
 */
import { Bench, type Fn } from 'tinybench'

export type Size = 'tiny' | 'full'

/** What one process measured. */
export interface Sample {
  /** Medians by name, milliseconds. */
  readonly medianMs: Readonly<Record<string, number>>
  /** Further facts: bytes, rows. */
  readonly facts?: Readonly<Record<string, number | string>>
  /** Says what was computed: must be the same in each run and variant. */
  readonly hash: string
}

export interface BenchDef {
  readonly name: string
  /** Data set and question, in one or two sentences. */
  readonly about: string
  /** Each runs in its own process. */
  readonly variants: readonly string[]
  /** Label → measures over and under the line. */
  readonly ratios: Readonly<Record<string, readonly [string, string]>>
  run(size: Size, variant: string): Promise<Sample>
}

const FULL = { time: 1_000, warmupTime: 250, iterations: 10, warmupIterations: 3 }
const TINY = { time: 0, warmupTime: 0, iterations: 2, warmupIterations: 1 }

/** Medians of functions, by tinybench. */
export async function measure(
  size: Size,
  tasks: Readonly<Record<string, Fn>>,
): Promise<Record<string, number>> {
  const bench = new Bench({ ...(size === 'tiny' ? TINY : FULL), throws: true })
  for (const [name, task] of Object.entries(tasks)) bench.add(name, task)
  await bench.run()
  return Object.fromEntries(
    bench.tasks.map(({ name, result }) => {
      if (!('latency' in result)) throw new Error(`${name} did not complete`)
      return [name, result.latency.p50]
    }),
  )
}
