/** The benchmarks that `npm run bench` knows, in the order in which it runs them. */
import type { BenchDef } from './bench.ts'
import { mineTick } from './mine-tick.bench.ts'
import { snapshot } from './snapshot.bench.ts'
import { stateHashBench } from './state-hash.bench.ts'
import { validateBench } from './validate.bench.ts'

export const BENCHES: readonly BenchDef[] = [mineTick, stateHashBench, snapshot, validateBench]
