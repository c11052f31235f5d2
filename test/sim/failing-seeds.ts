/** Seeds that once found a bug; they run in every test so that it does not come back. */
interface KeptSeed {
  readonly seed: number
  readonly ticks: number
  /** The bug that the seed found. */
  readonly found: string
}

export const FAILING_SEEDS: readonly KeptSeed[] = [
  {
    seed: 102,
    ticks: 60,
    found: 'a socket opened between two slices of a batch that the real clock had divided',
  },
  {
    seed: 533,
    ticks: 150,
    found: 'the simulation mistook a journey of twenty ticks over HTTP for a lost answer',
  },
]
