/** Work of a known length for the benchmark of the parallel section: all rows take equally long. */
import { defineEntity, u32 } from '../core/columns.ts'
import { hash32 } from '../core/rng.ts'
import { kernel, type SystemDef } from '../core/system.ts'

export const Job = defineEntity('job', 1_000_000, { result: u32('what the kernel made of it') })

/** Rounds per row, which take about a microsecond. */
const ROUNDS = 40

/** Computes hashes for each row, as a kernel whose cost only depends on the processor. */
export const spin = kernel((columns) => {
  const { result } = columns.of(Job)
  const one = (row: number, tick: number): void => {
    let h = row
    for (let i = 0; i < ROUNDS; i++) h = hash32(h, tick, i)
    result[row] = h
  }
  return (rows, from, to, { tick }) => {
    for (let i = from; i < to; i++) one(rows[i], tick)
  }
})

/** The number of parts that threads can take one by one. */
const PARTS = 32

/** Returns a system with this many rows in at most 32 parts of equal size. */
export function spinning(rowCount: number): SystemDef {
  const parts = Math.min(PARTS, rowCount)
  const rows = Uint32Array.from({ length: rowCount }, (_, i) => i + 1)
  const partEnds = Uint32Array.from({ length: parts }, (_, i) =>
    Math.round(((i + 1) * rowCount) / parts),
  )
  return {
    name: 'bench.spin',
    phase: 'act',
    writes: [Job],
    split: {
      file: import.meta.url,
      kernel: 'spin',
      writes: [Job],
      prepare: () => ({ rows, partEnds, estimateNs: 1 }),
      apply: () => {},
    },
  }
}
