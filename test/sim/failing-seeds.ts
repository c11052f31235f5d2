/** Seeds that once found a bug: run always, so that it stays found. */
interface KeptSeed {
  readonly seed: number
  readonly ticks: number
  /** What it found. */
  readonly found: string
}

export const FAILING_SEEDS: readonly KeptSeed[] = [
  {
    seed: 102,
    ticks: 60,
    found: 'a batch handed over in slices by the real clock met a socket that had come meanwhile',
  },
  {
    seed: 533,
    ticks: 150,
    found: 'a journey of twenty ticks over HTTP was taken for a lost answer',
  },
]
