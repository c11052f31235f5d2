/**
 * The raw loop that all bounds on times are scaled by: a = b + 3c over f32 columns on shared
 * memory, constants of a factory called once, one thread.
 */
import { type BenchDef, inBlocks, measure } from './bench.ts'

const ROWS = { tiny: 1_000, full: 1_000_000 }
const MEMORY_ROWS = { tiny: 10_000, full: 10_000_000 }
/** Of the machine the bounds are for: 12 MB in the cache at 13.6 GB/s, 120 MB at 14.1 GB/s. */
const REFERENCE_MS = { cache: 0.88, memory: 8.5 }

/** How much slower than that machine this one is, by what a bound is about. */
export interface Scales {
  readonly cache: number
  readonly memory: number
}

export const NO_SCALES: Scales = { cache: 1, memory: 1 }

/** `cacheMs`, `memoryMs`: times of the raw loop in this run. */
export const scalesOf = (cacheMs: number, memoryMs: number): Scales => ({
  cache: cacheMs / REFERENCE_MS.cache,
  memory: memoryMs / REFERENCE_MS.memory,
})

function makeTriad(rows: number) {
  const a = new Float32Array(new SharedArrayBuffer(rows * 4))
  const b = new Float32Array(new SharedArrayBuffer(rows * 4)).fill(1)
  const c = new Float32Array(new SharedArrayBuffer(rows * 4)).fill(2)
  return {
    run: inBlocks(0, rows, (from, to) => {
      for (let i = from; i < to; i++) a[i] = b[i] + 3 * c[i]
    }),
    sum: () => a.reduce((sum, value) => sum + value, 0),
  }
}

/** How much slower this machine is now, by the raw loop of 12 MB alone: a second and a half. */
export async function measureScale(): Promise<number> {
  const { raw } = await measure('full', { raw: makeTriad(ROWS.full).run })
  return scalesOf(raw, REFERENCE_MS.memory).cache
}

export const bench: BenchDef = {
  name: 'triad',
  about:
    'The raw loop: a = b + 3c over 1,000,000 rows of f32 (12 MB), and over 10,000,000 (120 MB). Its time by ' +
    'that of the machine the bounds are for scales the bounds on times.',
  variants: ['raw'],
  lines: [],
  async run(size) {
    const [cache, memory] = [makeTriad(ROWS[size]), makeTriad(MEMORY_ROWS[size])]
    const medianMs = await measure(size, { raw: cache.run, 'raw, 120 MB': memory.run })
    return {
      medianMs,
      rows: { raw: ROWS[size], 'raw, 120 MB': MEMORY_ROWS[size] },
      hash: String(cache.sum() + memory.sum()),
    }
  },
}
