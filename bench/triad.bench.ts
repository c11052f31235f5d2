/**
 * The references by which all bounds on times are scaled: a mix of processor work, and the raw loop
 * a = b + 3c over f32 columns in shared memory, on one thread.
 */
import { type BenchDef, inBlocks, measure } from './bench.ts'
import { makeCpuMix } from './cpu-mix.ts'
import { type Scales, scalesOf } from './scale.ts'

const ROWS = { tiny: 1_000, full: 1_000_000 }
const MEMORY_ROWS = { tiny: 10_000, full: 10_000_000 }

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

/** Measures how much slower this machine is than the reference; takes about 2.5 seconds. */
export async function measureScales(): Promise<Scales> {
  const tasks = { mix: makeCpuMix().run, memory: makeTriad(MEMORY_ROWS.full).run }
  const { mix, memory } = await measure('full', tasks)
  return scalesOf(mix, memory)
}

export const bench: BenchDef = {
  name: 'triad',
  about:
    'The raw loop: a = b + 3c over 1,000,000 rows of f32 (12 MB), and over 10,000,000 (120 MB); and a mix of ' +
    'dispatch, hashing, JSON and look-ups. The times of the mix and of the large loop, divided by those on the ' +
    'reference machine, scale the bounds on times.',
  variants: ['raw'],
  lines: [],
  async run(size) {
    const [cache, memory] = [makeTriad(ROWS[size]), makeTriad(MEMORY_ROWS[size])]
    const mix = makeCpuMix()
    const tasks = { raw: cache.run, 'raw, 120 MB': memory.run, mix: mix.run }
    const medianMs = await measure(size, tasks)
    return {
      medianMs,
      rows: { raw: ROWS[size], 'raw, 120 MB': MEMORY_ROWS[size] },
      hash: String(cache.sum() + memory.sum() + mix.result()),
    }
  },
}
