/**
 * The raw loop that all bounds on times are scaled by: a = b + 3c over f32 columns on shared
 * memory, constants of a factory called once, one thread.
 */
import { type BenchDef, inBlocks, measure } from './bench.ts'

const ROWS = { tiny: 1_000, full: 1_000_000 }
/** Of PERFORMANCE.md 1: 12 MB at 13.6 GB/s. */
export const TRIAD_REFERENCE_MS = 0.88

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

export const bench: BenchDef = {
  name: 'triad',
  about:
    'The raw loop: a = b + 3c over 1,000,000 rows of f32. Its time by that of the machine of ' +
    'PERFORMANCE.md scales the bounds on times.',
  variants: ['raw'],
  lines: [],
  async run(size) {
    const { run, sum } = makeTriad(ROWS[size])
    const medianMs = await measure(size, { raw: run })
    return { medianMs, rows: ROWS[size], hash: String(sum()) }
  },
}
